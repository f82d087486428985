"""Observation of a clip for the metrics: joints, feet and surface points in every frame, with the body's anatomy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy, BodyPart, Limb
from gambol.character.character import Character
from gambol.character.transforms import rigid_inverse
from gambol.errors import AssetError, MissingPart
from gambol.motion.clip import Clip
from gambol.motion.feet.soles import find_soles, leg_length
from gambol.motion.feet.travel import Travel, add_travel, find_travel
from gambol.motion.kinematics import pose_clip
from gambol.motion.node_clip import NodeClip
from gambol.motion.node_clip_conversion import bone_displacements, clip_from_nodes
from gambol.motion.root_trajectory import loop_frames

OBSERVED_SURFACE_POINTS = 1500
"""Approximate number of surface points that are observed, besides those of the soles."""
FEWEST_OBSERVED_FRAMES = 3
"""Least number of frames that a clip must have to be observed."""
Carry = Callable[
    [Float[ndarray, "points 3"], Int[ndarray, "points influences"], Float[ndarray, "points influences"]],
    Float[ndarray, "frames points 3"],
]
"""Where points of the rest pose, given with their bones and weights, are in every frame."""


@dataclass(frozen=True)
class Foot:
    """One foot in every frame."""

    limb: Limb
    """The limb that the foot ends."""
    points: Float[ndarray, "frames points 3"]
    """Positions of the sole's points, metres."""

    @cached_property
    def low(self) -> Float[ndarray, "frames"]:
        """Height of the lowest point in every frame, metres."""
        return self.points[..., 1].min(1)


@dataclass(frozen=True)
class Observation:
    """Everything that is measured on a clip, in world space and metres; y is up.

    `size` and `leg` make lengths comparable between bodies.
    """

    name: str
    """Name of the clip."""
    fps: float
    """Frames per second."""
    size: float
    """Longest side of the rest bounding box, metres."""
    leg: float
    """Median length of the legs, metres; half the size where there are none."""
    joints: Float[ndarray, "frames bones 3"]
    """Positions of the bones' heads."""
    tips: Float[ndarray, "frames bones 3"]
    """Positions of the bones' tails."""
    rest_joints: Float[ndarray, "bones 3"]
    """Positions of the bones' heads at rest."""
    rest_tips: Float[ndarray, "bones 3"]
    """Positions of the bones' tails at rest."""
    parents: Int[ndarray, "bones"]
    """Index of each bone's parent; -1 for the root."""
    heading: Float[ndarray, "frames"]
    """Heading of the trunk about the vertical, positive to the left, unwrapped, radians."""
    feet: tuple[Foot, ...]
    """The feet that touch the ground in a normal stance."""
    surface: Float[ndarray, "frames points 3"]
    """Positions of the observed surface points; of joints and tips where there is no mesh."""
    edges: Int[ndarray, "edges 2"]
    """Pairs of surface points that are joined by an edge of the mesh."""
    rest_surface: Float[ndarray, "points 3"]
    """Positions of the observed surface points at rest."""
    displaced: Float[ndarray, "frames bones 4 4"]
    """Transform of each bone from the rest pose to every frame, in the world."""
    angles: Float[ndarray, "frames joints 3"]
    """Joint angles, radians."""
    anatomy: Anatomy
    """What each bone is."""
    loop: bool
    """Whether the clip is a loop: its last pose is the first one, possibly at another place."""

    def __len__(self) -> int:
        return len(self.joints)

    @property
    def seconds(self) -> float:
        """Time from the first frame to the last, seconds."""
        return (len(self) - 1) / self.fps

    @cached_property
    def centre(self) -> Float[ndarray, "frames 3"]:
        """Mean position of all joints and tips in every frame."""
        return 0.5 * (self.joints.mean(1) + self.tips.mean(1))

    @cached_property
    def low(self) -> Float[ndarray, "frames"]:
        """Height of the lowest point of surface and feet in every frame, metres."""
        return np.minimum.reduce([self.surface[..., 1].min(1), *(foot.low for foot in self.feet)])

    @cached_property
    def ahead(self) -> Float[ndarray, "frames 3"]:
        """Horizontal unit vector along the heading in every frame."""
        return np.stack([np.cos(self.heading), np.zeros(len(self)), -np.sin(self.heading)], axis=1)

    @cached_property
    def aside(self) -> Float[ndarray, "frames 3"]:
        """Horizontal unit vector to the body's right in every frame."""
        return np.stack([np.sin(self.heading), np.zeros(len(self)), np.cos(self.heading)], axis=1)


def observe_clip(character: Character, anatomy: Anatomy, clip: Clip) -> Observation:
    """Observe a clip of joint angles."""
    skeleton = character.require_skeleton()
    displaced = pose_clip(skeleton, clip) @ rigid_inverse(skeleton.T_world_rest)
    return _observe(character, anatomy, clip, displaced)


def observe_carried(character: Character, anatomy: Anatomy, clip: Clip, carry: Carry) -> Observation:
    """Observe a surface that moves otherwise than its bones: `carry` moves its points, `clip` is the nearest of joints.

    Headings and joint angles are the clip's; joints, tips, feet and surface go where they are carried.
    """
    skeleton = character.require_skeleton()
    displaced = pose_clip(skeleton, clip) @ rigid_inverse(skeleton.T_world_rest)
    return _observe(character, anatomy, clip, displaced, carry)


def observe_node_clip(
    character: Character, anatomy: Anatomy, node_clip: NodeClip, *, fps: float = 30.0, restore_travel: bool = False
) -> Observation:
    """Observe a clip of a file as the file moves it, including stretched and scaled bones.

    `restore_travel` adds the travel over the ground that the standing feet imply, where the clip moves in place.
    """
    clip, _ = clip_from_nodes(character, node_clip, fps=fps)
    displaced = bone_displacements(character, node_clip, node_clip.frame_times(fps))
    if restore_travel and anatomy.contacts.any():
        travel = find_travel(character, clip, anatomy)[2]
        clip, displaced = add_travel(clip, travel), _travel_transforms(travel)[:, None] @ displaced
    return _observe(character, anatomy, clip, displaced)


def _travel_transforms(travel: Travel) -> Float[ndarray, "frames 4 4"]:
    """Travel as matrices: x_new = R_y(heading) x_old + place."""
    c, s = np.cos(travel.headings), np.sin(travel.headings)
    T = np.tile(np.eye(4), (len(c), 1, 1))
    T[:, 0, 0] = T[:, 2, 2] = c
    T[:, 0, 2], T[:, 2, 0] = s, -s
    T[:, [0, 2], 3] = travel.places
    return T


def _observe(
    character: Character,
    anatomy: Anatomy,
    clip: Clip,
    displaced: Float[ndarray, "frames bones 4 4"],
    carry: Carry | None = None,
) -> Observation:
    carry = carry or partial(_carry, displaced)
    if len(clip) < FEWEST_OBSERVED_FRAMES:
        raise AssetError(
            f"Clip '{clip.name}' has {len(clip)} frames; {FEWEST_OBSERVED_FRAMES} are the least that can be judged."
        )
    skeleton = character.require_skeleton()
    feet: list[Foot] = []
    legs: list[float] = []
    try:
        soles = find_soles(character, anatomy)
    except MissingPart:
        soles = ()
    for sole in soles:
        feet.append(Foot(sole.limb, carry(sole.points, sole.bones, sole.weights)))
        legs.append(leg_length(skeleton, sole.limb))
    rest, edges, bones, weights = _surface(character)
    each, whole = np.arange(len(skeleton))[:, None], np.ones((len(skeleton), 1))
    return Observation(
        name=clip.name,
        fps=clip.fps,
        size=character.size,
        leg=float(np.median(legs)) if legs else 0.5 * character.size,
        joints=carry(skeleton.heads, each, whole),
        tips=carry(skeleton.tails, each, whole),
        rest_joints=skeleton.heads,
        rest_tips=skeleton.tails,
        parents=skeleton.parents,
        heading=trunk_headings(displaced[:, _trunk(anatomy), :3, :3]),
        feet=tuple(feet),
        surface=carry(rest, bones, weights),
        edges=edges,
        rest_surface=rest,
        displaced=displaced,
        angles=clip.angles,
        anatomy=anatomy,
        loop=loop_frames(clip) is not None,
    )


def trunk_headings(R: Float[ndarray, "frames bones 3 3"]) -> Float[ndarray, "frames"]:
    """Heading of a body about the vertical, unwrapped, radians: the mean direction of its bones.

    A walking lizard swings its pelvis by a quarter of a radian and its shoulders against it; their mean is straight.
    The direction of a bone is that of f + l', f its forward axis and l' its left axis turned right by 90 degrees: both
    are horizontal while the body is upright, and one of them still is when it rears or rolls over.
    """
    ahead, left = R[..., 0], -R[..., 2]
    turn = (ahead[..., 0] - 1j * ahead[..., 2]) - 1j * (left[..., 0] - 1j * left[..., 2])
    turn = (turn / np.maximum(np.abs(turn), 1e-9)).sum(1)
    return np.unwrap(np.angle(np.where(np.abs(turn) < 1e-9, 1.0, turn)))


def _trunk(anatomy: Anatomy) -> list[int]:
    """Bones from pelvis to shoulders; the root where none is known."""
    return [bone for bone, part in enumerate(anatomy.parts) if part == BodyPart.TORSO] or [0]


def _carry(
    displaced: Float[ndarray, "frames bones 4 4"],
    points: Float[ndarray, "points 3"],
    bones: Int[ndarray, "points influences"],
    weights: Float[ndarray, "points influences"],
) -> Float[ndarray, "frames points 3"]:
    """Skinned points in every frame, phi(x) = sum_i w_i D_i x (AKD eq. 5)."""
    homogeneous = np.concatenate([points, np.ones((len(points), 1))], axis=1)
    carried = np.zeros((len(displaced), len(points), 3))
    for k in range(bones.shape[1]):
        used: Bool[ndarray, "points"] = weights[:, k] > 0
        moved = np.einsum("fpij,pj->fpi", displaced[:, bones[used, k], :3], homogeneous[used])
        carried[:, used] += weights[used, k, None] * moved
    return carried


def _surface(character: Character) -> tuple[ndarray, ndarray, ndarray, ndarray]:
    """Rest positions, edges, bones and weights of a regular sample of the surface.

    Whole triangles are taken, so that there are edges to measure stretch on.
    """
    if character.mesh is None or character.weights is None:
        skeleton = character.require_skeleton()
        points = np.concatenate([skeleton.heads, skeleton.tails])
        bones = np.tile(np.arange(len(skeleton)), 2)[:, None]
        return points, np.zeros((0, 2), int), bones, np.ones((len(points), 1))
    triangles = character.mesh.triangles
    step = max(1, int(np.ceil(3 * len(triangles) / OBSERVED_SURFACE_POINTS)))
    kept = triangles[::step].astype(int)
    used, places = np.unique(kept, return_inverse=True)
    places = places.reshape(-1, 3)
    edges = np.unique(np.sort(places[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    weights = character.weights
    return character.mesh.vertices[used].astype(np.float64), edges, weights.bones[used], weights.weights[used]
