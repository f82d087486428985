"""Inverse kinematics of many frames at once: the smallest move of the body that brings bones to their goals.

minimise x^T M x  subject to  J dx = e,  low <= angles + x <= high

x is how far root and joint angles are from the clip's, M how far the body's mass moves with them, e what is left to
the goals. With A = J M^-1 J^T + c the next iterate is x' = M^-1 J^T A^-1 (e + J x); numbers that would leave their
limits are fixed there.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.character.skeleton import Skeleton
from gambol.evaluate.quality_metrics import LIMIT_SLACK
from gambol.motion.blend_poses import nearest_angles
from gambol.motion.clip import Clip, joint_matrices
from gambol.motion.joint_rotations import matrix_from_angles
from gambol.motion.kinematics import RestPose, forward_kinematics, rest_pose
from gambol.poses.inverse_kinematics import right_jacobian

GOAL_ITERATIONS = 40
"""Most Gauss-Newton iterations of a frame."""
LARGEST_TURN = 0.35
"""Largest change of an angle in one iteration, radians; of the root's place, sizes."""
STIFFNESS = 0.02
"""Added to M's diagonal as a share of its mean: what hardly moves mass does not turn for nothing."""
NARROW_STIFFNESS, NARROWEST = 0.1, 0.3
"""Added likewise, over the square of half the joint's range (at least so many radians): shoulder blades turn less."""
RELUCTANCE = 1.0
"""Added for joints beside the goal's own limb, likewise: the arm moves before the spine twists."""
LEAST_MASS = 0.002
"""Mass that each bone has at least, as a share of the body's."""
FIRM, STANDING = 1e-5, 1e-7
"""Compliance c of a goal that is to be met, and of a standing foot, which comes first; shares of A's mean diagonal."""
STANDING_WEIGHT = 3.0
"""How much more the miss of a standing foot counts than that of another goal, where not all can be met."""
SHORTEST_STEP = 0.01
"""Share of a step below which a frame gives up."""
LIMIT_ROUNDS = 4
"""How often in an iteration numbers that would leave their limits are stopped there."""
BALL_RANGE = 2.2
"""A joint whose three angles may all change by this much is a ball joint, radians."""
LARGEST_BALL_TURN = 2.4
"""How far each number of a ball joint's rotation vector may go, radians."""
GOAL_REACHED = 1e-4
"""A goal this close needs no further iteration, sizes and radians."""


@dataclass(frozen=True)
class PointGoal:
    """A point of a bone is to be at a place."""

    bone: int
    """Bone that carries the point."""
    point: Float[ndarray, "3"]
    """The point in the bone's own frame, metres."""
    targets: Float[ndarray, "frames 3"]
    """Where it is to be, metres."""
    counts: Bool[ndarray, "frames"]
    """In which frames it is demanded."""
    stands: bool = False
    """Whether it is a standing foot, which comes before other goals."""


@dataclass(frozen=True)
class TurnGoal:
    """A bone is to have an orientation, or one of its directions is to point somewhere."""

    bone: int
    """The bone."""
    R_world: Float[ndarray, "frames 3 3"]
    """Orientation in the world; where `axis` is given, its first column is the direction that it is to point along."""
    counts: Bool[ndarray, "frames"]
    """In which frames it is demanded."""
    axis: Float[ndarray, "3"] | None = None
    """The direction in the bone's own frame; None: the whole orientation counts."""


Goal = PointGoal | TurnGoal
"""What a bone is to do."""


@dataclass(frozen=True)
class GoalBody:
    """What inverse kinematics needs of a character, found once; lengths in metres."""

    skeleton: Skeleton
    """The skeleton."""
    rest: RestPose
    """Its constants."""
    size: float
    """Longest side of the rest bounding box."""
    ancestors: Bool[ndarray, "bones bones"]
    """[a, b]: bone b is bone a or above it."""
    masses: Float[ndarray, "bones"]
    """Share of the volume (without a surface, of the length) that each bone has."""
    middles: Float[ndarray, "bones 3"]
    """Middle of that volume, in the bone's own frame."""
    low: Float[ndarray, "bones 3"]
    """Smallest angles, radians."""
    high: Float[ndarray, "bones 3"]
    """Largest angles, radians."""

    @property
    def balls(self) -> Bool[ndarray, "bones"]:
        """Joints that turn far about all three axes, and the root."""
        return (self.high - self.low).min(1) >= BALL_RANGE


def goal_body(character: Character, anatomy: Anatomy) -> GoalBody:
    """Masses, ancestors and limits of a character."""
    skeleton = character.require_skeleton()
    count = len(skeleton)
    ancestors = np.eye(count, dtype=bool)
    for bone, parent in enumerate(skeleton.parents):
        if parent >= 0:
            ancestors[bone] |= ancestors[parent]
    R, p = skeleton.T_world_rest[:, :3, :3], skeleton.heads
    middles = np.einsum("bji,bj->bi", R, 0.5 * (skeleton.tails - p))
    masses = np.linalg.norm(skeleton.tails - p, axis=1)
    if character.mesh is not None and character.weights is not None:
        masses, middles = character.cuboids.volumes(), character.cuboids.centres_bone
    masses = masses + LEAST_MASS * masses.sum()
    low, high = anatomy.limits[..., 0] - LIMIT_SLACK, anatomy.limits[..., 1] + LIMIT_SLACK
    low[0], high[0] = -np.inf, np.inf
    return GoalBody(
        skeleton,
        rest_pose(skeleton, dtype=torch.float64),
        character.size,
        ancestors,
        masses / masses.sum(),
        middles,
        low,
        high,
    )


def pose_frames(body: GoalBody, clip: Clip) -> Float[ndarray, "frames bones 4 4"]:
    """T_world_bone of every frame."""
    return forward_kinematics(body.rest, torch.from_numpy(clip.root), torch.from_numpy(clip.angles)).numpy()


def solve_goals(
    body: GoalBody,
    clip: Clip,
    frames: Int[ndarray, "chosen"],
    goals: tuple[Goal, ...],
    turns: Bool[ndarray, "bones"],
    *,
    root_moves: bool,
    may_turn: Bool[ndarray, "chosen bones"] | None = None,
    reluctant: Bool[ndarray, "bones"] | None = None,
) -> Clip:
    """The chosen frames of a clip, each with the smallest move that meets its goals; only some joints turn.

    `may_turn` says frame by frame which of the joints may turn, `reluctant` which of them should turn less than the
    others; goals have one row for each chosen frame.
    """
    part = replace(clip, root=clip.root[frames], angles=clip.angles[frames])
    joints = TurningJoints(part, np.flatnonzero(turns), body.balls)
    start = joints.start()
    low, high = _limits(body, joints, start)
    free = np.ones_like(start, dtype=bool)
    free[:, :3] = root_moves
    if may_turn is not None:
        free[:, 3:] = np.repeat(may_turn[:, joints.bones], 3, axis=1)
    M, rows = _metric(body, joints, reluctant), None
    trial = x = np.zeros_like(start)
    least, share = np.full(len(frames), np.inf), np.ones(len(frames))
    for _ in range(GOAL_ITERATIONS):
        now = _rows(body, joints, start + trial, goals)
        misses = np.linalg.norm(now.weights * now.e, axis=1)
        better = misses < least
        x, least = np.where(better[:, None], trial, x), np.minimum(misses, least)
        rows = now if rows is None else now.where(better, rows)
        # a frame whose step made it worse takes a smaller one from where it was
        share = np.where(better, np.minimum(2.0 * share, 1.0), 0.35 * share)
        going = (least > GOAL_REACHED) & (share > SHORTEST_STEP)
        if not going.any():
            break
        step = _limited_step(M, rows, x, free, low - start, high - start) * share[:, None]
        trial = np.where(going[:, None], x + step, x)
    return joints.moved(start + x)


def _limited_step(
    M: ndarray, rows: GoalRows, x: ndarray, free: ndarray, low: ndarray, high: ndarray
) -> Float[ndarray, "frames numbers"]:
    """The step to the next iterate: numbers that would leave their limits stop there, and the others make up for it."""
    may, to = free, x
    for _ in range(LIMIT_ROUNDS):
        to = _next(M, rows, to, may, at=x)
        beyond = may & ((to < low) | (to > high))
        to = np.clip(to, low, high)
        if not beyond.any():
            break
        may = may & ~beyond
    step = to - x
    return step * np.minimum(1.0, LARGEST_TURN / np.maximum(np.abs(step).max(1), 1e-12))[:, None]


@dataclass(frozen=True)
class GoalRows:
    """The goals of some frames, linearised."""

    e: Float[ndarray, "frames rows"]
    """What is left to the goals, sizes and radians."""
    J: Float[ndarray, "frames rows numbers"]
    """Its derivative."""
    compliance: Float[ndarray, "frames rows"]
    """How much each row gives way."""
    weights: Float[ndarray, "frames rows"]
    """How much each row counts where not all can be met."""

    def where(self, chosen: Bool[ndarray, "frames"], other: GoalRows) -> GoalRows:
        """These rows in the chosen frames, the other ones elsewhere."""
        pairs = [(getattr(self, f.name), getattr(other, f.name)) for f in fields(self)]
        return GoalRows(*(np.where(chosen.reshape(-1, *[1] * (a.ndim - 1)), a, b) for a, b in pairs))


def _angles(clip: Clip) -> Float[ndarray, "frames bones 3"]:
    return np.concatenate([clip.root[:, None, 3:], clip.angles], 1)


@dataclass(frozen=True)
class TurningJoints:
    """The numbers that may change: the root's place, three angles of each joint, a rotation vector of ball joints.

    The angles of a ball joint would lock where an arm is raised, and its limits say little; so it turns freely.
    """

    clip: Clip
    """The frames as they were."""
    bones: Int[ndarray, "joints"]
    """The joints."""
    all_balls: Bool[ndarray, "bones"]
    """Which of all bones are ball joints."""

    @property
    def balls(self) -> Bool[ndarray, "joints"]:
        """Which of the joints are ball joints."""
        return self.all_balls[self.bones]

    def start(self) -> Float[ndarray, "frames numbers"]:
        """The numbers of the frames as they were."""
        angles = _angles(self.clip)[:, self.bones] * ~self.balls[:, None]
        return np.concatenate([self.clip.root[:, :3], angles.reshape(len(self.clip), -1)], 1)

    def moved(self, numbers: Float[ndarray, "frames numbers"]) -> Clip:
        """The frames with other numbers."""
        angles, before = _angles(self.clip), joint_matrices(self.clip)
        given, balls = numbers[:, 3:].reshape(len(self.clip), -1, 3), self.bones[self.balls]
        angles[:, self.bones[~self.balls]] = given[:, ~self.balls]
        if len(balls):
            turned = before[:, balls] @ rotation_matrices(given[:, self.balls])
            angles[:, balls] = nearest_angles(turned, angles[:, balls])
        root = np.concatenate([numbers[:, :3], angles[:, 0]], 1)
        return replace(self.clip, root=root, angles=angles[:, 1:].copy())

    def axes(self, body: GoalBody, moved: Clip, T: ndarray, numbers: ndarray) -> Float[ndarray, "frames joints 3 3"]:
        """World axes about which the numbers turn, as rows: P e_x, P R_x e_y, P R_x R_y e_z; of ball joints R J_r."""
        a = _angles(moved)[:, self.bones]
        parents = body.skeleton.parents[self.bones]
        above = np.where((parents >= 0)[:, None, None], T[:, np.maximum(parents, 0), :3, :3], np.eye(3))
        P = above @ body.skeleton.T_parent_rest[self.bones, :3, :3]
        zero = np.zeros_like(a[..., 0])
        P_x = P @ matrix_from_angles(torch.from_numpy(np.stack([a[..., 0], zero, zero], -1))).numpy()
        P_xy = P @ matrix_from_angles(torch.from_numpy(np.stack([a[..., 0], a[..., 1], zero], -1))).numpy()
        axes = np.stack([P[..., 0], P_x[..., 1], P_xy[..., 2]], -2)
        if self.balls.any():
            x = numbers[:, 3:].reshape(len(T), -1, 3)[:, self.balls]
            J_r = right_jacobian(torch.from_numpy(x.reshape(-1, 3)).float()).double().numpy().reshape(*x.shape, 3)
            turned = T[:, self.bones[self.balls]][..., :3, :3] @ J_r
            axes[:, self.balls] = turned.swapaxes(-1, -2)
        return axes


def rotation_matrices(rotvecs: Float[ndarray, "*any 3"]) -> Float[ndarray, "*any 3 3"]:
    """Matrices of rotation vectors."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_rotvec(rotvecs.reshape(-1, 3)).as_matrix().reshape(*rotvecs.shape, 3)


def _limits(body: GoalBody, joints: TurningJoints, start: ndarray) -> tuple[ndarray, ndarray]:
    """The limits of all numbers; what the clip has already is allowed."""
    open_ended, balls = np.full(3, np.inf), joints.balls[:, None]
    low = np.concatenate([-open_ended, np.where(balls, -LARGEST_BALL_TURN, body.low[joints.bones]).ravel()])
    high = np.concatenate([open_ended, np.where(balls, LARGEST_BALL_TURN, body.high[joints.bones]).ravel()])
    return np.minimum(low, start), np.maximum(high, start)


def _metric(
    body: GoalBody, joints: TurningJoints, reluctant: Bool[ndarray, "bones"] | None
) -> Float[ndarray, "frames numbers numbers"]:
    """M = sum over bones of mass J^T J of the bone's middle, in sizes, plus the stiffness."""
    T = pose_frames(body, joints.clip)
    places = np.einsum("fbij,bj->fbi", T[..., :3, :3], body.middles) + T[..., :3, 3]
    axes, heads = joints.axes(body, joints.clip, T, joints.start()), T[:, joints.bones][..., :3, 3]
    levers = (places[:, :, None] - heads[:, None]) / body.size
    turned = np.cross(axes[:, None], levers[:, :, :, None]) * body.ancestors[:, joints.bones][None, :, :, None, None]
    frames, bones = turned.shape[:2]
    J = np.zeros((frames, bones, 3, 3 + 3 * len(joints.bones)))
    J[..., :3] = np.eye(3)
    J[..., 3:] = turned.reshape(frames, bones, -1, 3).swapaxes(-1, -2)
    J = (J * np.sqrt(body.masses)[:, None, None]).reshape(frames, 3 * bones, -1)
    M = J.swapaxes(1, 2) @ J
    usual = np.einsum("fii->fi", M)[:, 3:].mean(1) if len(joints.bones) else np.zeros(frames)
    M += np.maximum(STIFFNESS * usual, 1e-6)[:, None, None] * np.eye(M.shape[1])
    narrow = 1.0 / np.maximum(0.5 * (body.high - body.low)[joints.bones], NARROWEST).ravel() ** 2
    M += (NARROW_STIFFNESS * usual)[:, None, None] * np.diag(np.concatenate([np.zeros(3), narrow]))
    if reluctant is not None:
        held = np.concatenate([np.zeros(3), np.repeat(reluctant[joints.bones], 3)])
        M += (RELUCTANCE * usual)[:, None, None] * np.diag(held)
    return M


def _rows(body: GoalBody, joints: TurningJoints, numbers: ndarray, goals: tuple[Goal, ...]) -> GoalRows:
    """The goals, linearised where the numbers are."""
    moved = joints.moved(numbers)
    T = pose_frames(body, moved)
    axes, heads = joints.axes(body, moved, T, numbers), T[:, joints.bones][..., :3, 3]
    errors, rows, compliance, weights = [], [], [], []
    for goal in goals:
        mask = body.ancestors[goal.bone, joints.bones]
        R = T[:, goal.bone, :3, :3]
        J = np.zeros((len(T), 3, 3 + 3 * len(joints.bones)))
        if isinstance(goal, PointGoal):
            place = R @ goal.point + T[:, goal.bone, :3, 3]
            e = (goal.targets - place) / body.size
            turned = np.cross(axes, (place[:, None] - heads)[:, :, None] / body.size)
            J[..., :3] = np.eye(3)
        else:
            turned = axes
            e, across = turn_error(goal, R)
        J[..., 3:] = (turned * mask[:, None, None]).reshape(len(T), -1, 3).swapaxes(1, 2)
        J = J if isinstance(goal, PointGoal) else across @ J
        counts, stands = goal.counts, isinstance(goal, PointGoal) and goal.stands
        errors.append(e * counts[:, None])
        rows.append(J * counts[:, None, None])
        compliance.append(np.where(counts, STANDING if stands else FIRM, 1.0)[:, None].repeat(3, 1))
        weights.append(np.full((len(T), 3), STANDING_WEIGHT if stands else 1.0))
    return GoalRows(*(np.concatenate(part, 1) for part in (errors, rows, compliance, weights)))


def turn_error(goal: TurnGoal, R: Float[ndarray, "frames 3 3"]) -> tuple[ndarray, ndarray]:
    """World rotation vector that is left to the goal, and the projection onto the turns that count."""
    from scipy.spatial.transform import Rotation

    if goal.axis is None:
        left = goal.R_world @ R.swapaxes(1, 2)
        return Rotation.from_matrix(left).as_rotvec(), np.broadcast_to(np.eye(3), R.shape)
    now, wanted = R @ goal.axis, goal.R_world[..., 0]
    cross = np.cross(now, wanted)
    sine, cosine = np.linalg.norm(cross, axis=1), (now * wanted).sum(1)
    angle = np.arctan2(sine, cosine)
    return cross * (angle / np.maximum(sine, 1e-9))[:, None], np.eye(3) - now[:, :, None] * now[:, None]


def _next(M: ndarray, rows: GoalRows, x: ndarray, free: ndarray, *, at: ndarray) -> ndarray:
    """x' = M^-1 J^T (J M^-1 J^T + c)^-1 (e + J a) in the free numbers; the others have those of x.

    e and J are those of the numbers a (`at`); what the others change counts as done.
    """
    e = rows.e - np.einsum("fri,fi->fr", rows.J, np.where(free, 0.0, x - at))
    both = free[:, :, None] & free[:, None]
    held = np.where(both, M, 0.0) + np.eye(M.shape[1]) * (~free)[:, None]
    J = rows.J * free[:, None]
    spread = np.linalg.solve(held, J.swapaxes(1, 2))
    A = J @ spread
    scale = np.maximum(np.einsum("fii->fi", A).mean(1), 1e-9)
    A = A + (rows.compliance * scale[:, None])[:, None] * np.eye(A.shape[1])
    wanted = e + np.einsum("fri,fi->fr", J, at)
    found = np.einsum("fir,fr->fi", spread, np.linalg.solve(A, wanted[..., None])[..., 0])
    return np.where(free, found, x)
