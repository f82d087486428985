"""What a motion needs to know of a body: legs that fold, feet with soles, the trunk, arms, wings, tails and ears."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.anatomy import Anatomy, BodyPart, Limb, Side
from gambol.character.character import Character
from gambol.character.skeleton import FORWARD, LEFT, UP, Skeleton
from gambol.motion.limb_ik import FoldingLimb, folding_limb

SOLE_DEPTH = 0.012
"""Vertices this close to a foot's lowest one belong to its sole, in sizes of the character."""
SPRAWLED = 0.75
"""A leg sprawls where its foot stands further aside of its hip than this share of the hip's height."""
UPRIGHT = 0.75
"""A trunk is upright where it rises by more than this share of its length."""
SHORT_ARM = 0.45
"""Arms shorter than this share of the legs only twitch (a tyrannosaur's)."""
HIND_KNEE = LEFT
"""A turn of the shin about this axis folds a knee that points forwards."""


ROLL_ANGLES = np.linspace(-2.4, 1.6, 241)
"""Tilts of a foot that are tabled, toes up positive."""


@dataclass(frozen=True)
class RollTable:
    """How the middle of a sole moves when its foot rolls over the ground without sliding, by `ROLL_ANGLES`."""

    rise: Float[ndarray, "angles"]
    """Upwards: the depth of the lowest point of the tilted foot, max_i -(a_i sin p + b_i cos p)."""
    shift: Float[ndarray, "angles"]
    """Ahead: -integral of rise from 0 to p (a body that rolls turns about the point that touches)."""
    toe_joint: Float[ndarray, "2"]
    """Where the toes hang on the foot, ahead of and above the sole's middle."""
    toes: Float[ndarray, "points 2"]
    """Outermost points of the toes from their joint, ahead and up; none where the foot is stiff."""


def roll_table(
    foot: Float[ndarray, "points 2"], toes: Float[ndarray, "toe_points 2"], joint: Float[ndarray, "2"]
) -> RollTable:
    """Roll a foot given by points ahead of and above its sole's middle; a raised heel turns at the toes' joint."""
    a, b = foot.T
    p = ROLL_ANGLES[:, None]
    rise = np.maximum(-(a * np.sin(p) + b * np.cos(p)).min(1), 0.0) if len(foot) else np.zeros(len(ROLL_ANGLES))
    flat = int(np.argmin(np.abs(ROLL_ANGLES)))
    steps = 0.5 * (rise[1:] + rise[:-1]) * np.diff(ROLL_ANGLES)
    shift = -np.concatenate([[0.0], np.cumsum(steps)])
    if len(toes):
        heel_up = ROLL_ANGLES < 0
        sine, cosine = np.sin(ROLL_ANGLES), np.cos(ROLL_ANGLES)
        about_joint = joint[1] - joint[0] * sine - joint[1] * cosine
        rise = np.where(heel_up, np.maximum(rise, about_joint), rise)
        # the skin under the joint moves with both bones; giving way by a part keeps both from sliding much
        shift = np.where(heel_up, shift[flat] + joint[0] - joint[0] * cosine + 0.7 * joint[1] * sine, shift)
    return RollTable(rise, shift - shift[flat], joint, toes)


@dataclass(frozen=True)
class Leg:
    """A leg, its foot and what they can do."""

    limb: Limb
    chain: FoldingLimb
    bones: tuple[int, ...]
    """The bones that `chain` bends."""
    foot: int | None
    """The bone whose direction is prescribed, hanging on the chain; None where the chain ends in a point."""
    toes: int | None
    """The bone after the foot, which stays on the ground while the heel rises."""
    sole: Float[ndarray, "3"]
    """Middle of the sole at rest."""
    ahead: Float[ndarray, "3"]
    """Where the foot points, horizontal unit vector at rest."""
    heel: float
    """How far the sole reaches behind its middle, metres."""
    ball: float
    """How far ahead of its middle it rolls off, metres: at the toes' joint, or at its tip."""
    half_width: float
    """Half of the sole's width, metres."""
    roll: RollTable

    @property
    def hip(self) -> Float[ndarray, "3"]:
        """The leg's first joint at rest."""
        return self.chain.joints[0]

    @property
    def height(self) -> float:
        """Height of the hip above the sole at rest."""
        return float(self.hip[1] - self.sole[1])

    @property
    def length(self) -> float:
        """Distance from hip to sole at rest."""
        return float(np.linalg.norm(self.hip - self.sole))

    @property
    def left(self) -> bool:
        """Whether it is a left leg (one in the middle counts as right)."""
        return self.limb.side == Side.LEFT

    @property
    def long_foot(self) -> float:
        """How much of the leg the foot's bone is: 0 for a human's foot, 1 for a horse's cannon and hoof."""
        ankle = float(self.chain.joints[-1][1] - self.sole[1])
        return (
            float(np.clip((ankle / max(self.height, 1e-9) - 0.12) / 0.18, 0.0, 1.0)) if self.foot is not None else 0.0
        )


@dataclass(frozen=True)
class Arm:
    """An arm that hangs and swings."""

    left: bool
    upper: int
    fore: int | None
    hand: int | None
    length: float


@dataclass(frozen=True)
class MovingBody:
    """A character's body in terms of what moves."""

    skeleton: Skeleton
    size: float
    legs: tuple[Leg, ...]
    """Front to back, left before right."""
    spine: tuple[int, ...]
    """Torso bones from the one after the root to the neck."""
    neck: tuple[int, ...]
    head: int | None
    jaw: int | None
    trunk_nose: tuple[int, ...]
    """A chain that hangs on the head (an elephant's trunk)."""
    tails: tuple[tuple[int, ...], ...]
    ears: tuple[int, ...]
    arms: tuple[Arm, ...]
    wings: tuple[Limb, ...]
    hull_bones: Int[ndarray, "points"]
    hull: Float[ndarray, "points 3"]
    """A few outermost points of every bone's surface at rest, and the bones they ride on."""
    torso_half_width: float

    @cached_property
    def leg_length(self) -> float:
        """Mean distance from hip to sole; a legless body's is a tenth of its size."""
        return float(np.mean([leg.length for leg in self.legs])) if self.legs else 0.1 * self.size

    @cached_property
    def pairs(self) -> int:
        """How many pairs of legs there are."""
        return 1 + max((leg.limb.pair for leg in self.legs), default=-1)

    @cached_property
    def centre(self) -> Float[ndarray, "3"]:
        """Middle of the hips: the point that is carried along the path and about which the trunk tilts."""
        root = self.skeleton.heads[0]
        if not self.legs:
            return root.copy()
        by_pair = [np.mean([leg.hip for leg in self.legs if leg.limb.pair == p], axis=0) for p in range(self.pairs)]
        middle = np.mean(by_pair, axis=0)
        return np.array([middle[0], middle[1], root[2]])

    @cached_property
    def clearance(self) -> float:
        """Height of the lowest part of the trunk above the ground at rest (arms, wings and tail do not count)."""
        aside = [b for leg in self.legs for b in bones_under(self.skeleton, leg.limb.bones[0])]
        aside += [b for chain in (*self.tails, self.trunk_nose) for b in chain]
        aside += [b for arm in self.arms for b in bones_under(self.skeleton, arm.upper)]
        aside += [b for wing in self.wings for b in bones_under(self.skeleton, wing.bones[0])]
        trunk = ~np.isin(self.hull_bones, aside)
        return float(self.hull[trunk, 1].min()) if trunk.any() else 0.0

    @cached_property
    def trunk_length(self) -> float:
        """Distance between the foremost and the hindmost hips; a biped's is 0."""
        places = [leg.hip[0] for leg in self.legs]
        return float(np.ptp(places)) if places and self.pairs > 1 else 0.0

    @cached_property
    def sprawling(self) -> bool:
        """Whether the legs stand out to the sides."""
        aside = [np.hypot(*(leg.sole - leg.hip)[[0, 2]]) / max(leg.height, 1e-9) for leg in self.legs]
        outward = [abs(leg.sole[2] - leg.hip[2]) / max(leg.height, 1e-9) for leg in self.legs]
        return bool(self.legs) and float(np.median(np.maximum(outward, 0.8 * np.array(aside)))) > SPRAWLED

    @cached_property
    def upright(self) -> bool:
        """Whether the trunk stands upright on its legs (a human's)."""
        bones = (*self.spine, *self.neck)
        top = self.skeleton.heads[bones[-1]] if bones else self.skeleton.tails[0]
        along = top - self.skeleton.heads[0]
        return float(along[1]) > UPRIGHT * max(float(np.linalg.norm(along)), 1e-9)

    @cached_property
    def mouth(self) -> Float[ndarray, "3"]:
        """The point of the head that is furthest ahead at rest."""
        assert self.head is not None
        points = self.hull[self.hull_bones == self.head]
        return points[points[:, 0].argmax()] if len(points) else self.skeleton.tails[self.head]


def measure_body(character: Character, anatomy: Anatomy) -> MovingBody:
    """Take a character's body apart, by its anatomy and its surface."""
    skeleton = character.posable()
    bones, points = _surface(character)
    spine, neck, head = _trunk(skeleton, anatomy)
    tails = tuple(limb.bones for limb in anatomy.of(BodyPart.TAIL))
    legs = tuple(
        _leg(skeleton, anatomy, limb, bones, points, character.size)
        for limb in anatomy.legs
        if limb.contact is not None
    )
    hull_bones, hull = _outermost(skeleton, bones, points)
    torso = np.isin(bones, [b for b in range(len(skeleton)) if anatomy.parts[b] == BodyPart.TORSO])
    return MovingBody(
        skeleton,
        character.size,
        tuple(leg for leg in legs if leg is not None),
        spine,
        neck,
        head,
        _jaw(skeleton, anatomy, head),
        _trunk_nose(skeleton, anatomy, head),
        tails,
        _ears(skeleton, anatomy),
        tuple(_arm(skeleton, limb) for limb in anatomy.of(BodyPart.ARM)),
        anatomy.of(BodyPart.WING),
        hull_bones,
        hull,
        float(np.abs(points[torso, 2]).max()) if torso.any() else 0.0,
    )


def path_from_root(skeleton: Skeleton, bone: int) -> list[int]:
    """The bones from the root to this one."""
    path = [bone]
    while skeleton.parents[path[-1]] >= 0:
        path.append(int(skeleton.parents[path[-1]]))
    return path[::-1]


def bones_under(skeleton: Skeleton, top: int) -> list[int]:
    """A bone with everything that hangs on it."""
    found = [top]
    for bone in found:
        found.extend(skeleton.children[bone])
    return found


def _surface(character: Character) -> tuple[ndarray, ndarray]:
    """Owner and place of every vertex; a bare skeleton has its bones' ends instead."""
    skeleton = character.posable()
    if character.mesh is None or character.weights is None:
        ends = np.concatenate([skeleton.tails, skeleton.heads])
        return np.tile(np.arange(len(skeleton)), 2), ends
    return character.weights.dominant(), character.mesh.vertices.astype(np.float64)


def _trunk(skeleton: Skeleton, anatomy: Anatomy) -> tuple[tuple[int, ...], tuple[int, ...], int | None]:
    """Spine, neck and head on the way from the root to the head."""
    parts, sides = anatomy.parts, anatomy.sides
    middle = [b for b in range(len(skeleton)) if sides[b] == Side.MIDDLE]
    heads = [b for b in middle if parts[b] == BodyPart.HEAD and (b == 0 or parts[skeleton.parents[b]] != BodyPart.HEAD)]
    necks = [b for b in middle if parts[b] == BodyPart.NECK]
    torso = [b for b in middle if parts[b] == BodyPart.TORSO]
    ends = heads or necks or torso
    if not ends:
        return (), (), None
    path = path_from_root(skeleton, max(ends, key=lambda b: (len(path_from_root(skeleton, b)), -b)))[1:]
    spine = tuple(b for b in path if parts[b] == BodyPart.TORSO)
    neck = tuple(b for b in path if parts[b] == BodyPart.NECK)
    head = next((b for b in path if parts[b] == BodyPart.HEAD), None)
    return spine, neck, head


def _jaw(skeleton: Skeleton, anatomy: Anatomy, head: int | None) -> int | None:
    """A single bone below the head that points forwards."""
    for bone in skeleton.children[head] if head is not None else ():
        along = skeleton.tails[bone] - skeleton.heads[bone]
        alone = not skeleton.children[bone] and anatomy.sides[bone] == Side.MIDDLE
        if alone and along[0] > 0.6 * np.linalg.norm(along) and along[1] <= 0.2 * np.linalg.norm(along):
            return bone
    return None


def _trunk_nose(skeleton: Skeleton, anatomy: Anatomy, head: int | None) -> tuple[int, ...]:
    for bone in skeleton.children[head] if head is not None else ():
        chain = [bone]
        while len(skeleton.children[chain[-1]]) == 1:
            chain.append(skeleton.children[chain[-1]][0])
        falls = (
            skeleton.tails[chain[-1]][1] < skeleton.heads[bone][1]
            and skeleton.tails[chain[-1]][0] > skeleton.heads[bone][0]
        )
        if len(chain) >= 3 and falls and anatomy.sides[bone] == Side.MIDDLE:
            return tuple(chain)
    return ()


def _ears(skeleton: Skeleton, anatomy: Anatomy) -> tuple[int, ...]:
    """First bones on the sides of the head."""
    parts, sides = anatomy.parts, anatomy.sides
    aside = [b for b in range(1, len(skeleton)) if parts[b] == BodyPart.HEAD and sides[b] != Side.MIDDLE]
    return tuple(b for b in aside if sides[skeleton.parents[b]] == Side.MIDDLE)


def _arm(skeleton: Skeleton, limb: Limb) -> Arm:
    """Upper arm, forearm and hand; a short first bone that starts near the middle is a collar bone and stays."""
    bones = list(limb.bones)
    lengths = [float(np.linalg.norm(skeleton.tails[b] - skeleton.heads[b])) for b in bones]
    if len(bones) >= 3:
        aside = abs(skeleton.heads[bones[0]][2]) / max(abs(float(skeleton.heads[bones[1]][2])), 1e-9)
        if aside < 0.35 or (aside < 0.7 and lengths[0] < 0.45 * lengths[1]):
            bones = bones[1:]
    length = float(np.linalg.norm(skeleton.heads[bones[0]] - skeleton.tails[bones[min(2, len(bones) - 1)]]))
    rest = [*bones, None, None]
    return Arm(limb.side == Side.LEFT, bones[0], rest[1], rest[2], length)


def _leg(skeleton: Skeleton, anatomy: Anatomy, limb: Limb, owners: ndarray, points: ndarray, size: float) -> Leg | None:
    assert limb.contact is not None
    place = limb.bones.index(limb.contact)
    mine = points[np.isin(owners, bones_under(skeleton, limb.contact))]
    if not len(mine):
        mine = skeleton.tails[[limb.contact]]
    low = mine[mine[:, 1] <= mine[:, 1].min() + SOLE_DEPTH * size]
    along = (skeleton.tails[limb.contact] - skeleton.heads[limb.contact]) * [1.0, 0.0, 1.0]
    reach = float(np.linalg.norm(along))
    bone_length = float(np.linalg.norm(skeleton.tails[limb.contact] - skeleton.heads[limb.contact]))
    ahead = along / reach if reach > 0.35 * bone_length and reach > 1e-9 else FORWARD
    across = np.cross(UP, ahead)
    spans = np.stack([low @ ahead, low @ across])
    middle = 0.5 * (spans.min(1) + spans.max(1))
    sole = middle[0] * ahead + middle[1] * across + mine[:, 1].min() * UP
    half, half_width = 0.5 * np.ptp(spans, axis=1)
    heads = skeleton.heads
    hip = heads[limb.bones[0]]
    aside = np.hypot(*(sole - hip)[[0, 2]]) > SPRAWLED * max(hip[1] - sole[1], 1e-9)
    pointed = aside and half < 0.3 * max(heads[limb.contact][1] - sole[1], 1e-9)
    flat = place >= 2 and not pointed
    bones = limb.bones[:place] if flat else limb.bones[: place + 1]
    if pointed:
        sole = mine[mine[:, 1] <= mine[:, 1].min() + 0.15 * SOLE_DEPTH * size].mean(0)
    end = heads[limb.contact] if flat else sole
    joints = np.concatenate([heads[list(bones)], end[None]])
    if len(joints) < 2:
        return None
    foremost = limb.pair == 0 and any(other.pair > 0 for other in anatomy.legs)
    chain = folding_limb(joints, -HIND_KNEE if foremost else HIND_KNEE)
    after = limb.bones[place + 1] if flat and place + 1 < len(limb.bones) else None
    ball = float(half)
    if after is not None:
        ball = float(np.clip((heads[after] - sole) @ ahead, 0.2 * half, half))
    under = bones_under(skeleton, after) if after is not None else []
    outline = [np.stack([(x - sole) @ ahead, (x - sole) @ UP], 1) for x in (mine, points[np.isin(owners, under)])]
    joint = np.array([(heads[after] - sole) @ ahead, (heads[after] - sole) @ UP]) if after is not None else np.zeros(2)
    stiff = points[np.isin(owners, [b for b in bones_under(skeleton, limb.contact) if b not in under])]
    foot = np.stack([(stiff - sole) @ ahead, (stiff - sole) @ UP], 1) if after is not None else outline[0]
    table = roll_table(foot, outline[1] - joint, joint)
    contact = limb.contact if flat else None
    return Leg(limb, chain, bones, contact, after, sole, ahead, float(half), ball, float(half_width), table)


def _outermost(skeleton: Skeleton, owners: ndarray, points: ndarray) -> tuple[ndarray, ndarray]:
    """For every bone the points furthest along 14 directions of the world."""
    axes = np.concatenate([np.eye(3), -np.eye(3)])
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / np.sqrt(3.0)
    directions = np.concatenate([axes, corners])
    order = np.argsort(owners, kind="stable")
    starts = np.searchsorted(owners[order], np.arange(len(skeleton) + 1))
    along = points @ directions.T
    chosen_bones, chosen = [], []
    for bone in range(len(skeleton)):
        mine = order[starts[bone] : starts[bone + 1]]
        if len(mine):
            picked = np.unique(mine[along[mine].argmax(0)])
            chosen_bones.append(np.full(len(picked), bone))
            chosen.append(points[picked])
    if not chosen:
        return np.zeros(0, int), np.zeros((0, 3))
    return np.concatenate(chosen_bones), np.concatenate(chosen)
