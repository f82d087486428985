"""What the judge sees of a clip: joints, feet and surface points in every frame, with the body's anatomy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

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
from gambol.motion.node_motion import bone_displacements, clip_from_nodes
from gambol.motion.root_trajectory import loop_frames

OBSERVED_SURFACE_POINTS = 1500
"""Surface points that are followed, besides those of the soles."""
FEWEST_OBSERVED_FRAMES = 3
"""Frames that a clip must have to be judged."""


@dataclass(frozen=True)
class Foot:
    """The points of one foot in every frame."""

    limb: Limb
    points: Float[ndarray, "frames points 3"]

    @cached_property
    def low(self) -> Float[ndarray, "frames"]:
        """Height of the lowest point, metres."""
        return self.points[..., 1].min(1)


@dataclass(frozen=True)
class Observation:
    """A clip as it is judged. Lengths are metres; `size` and `leg` make them comparable between bodies."""

    name: str
    fps: float
    size: float
    """Longest side of the rest bounding box."""
    leg: float
    """Typical length of a leg; half the size where there are no legs."""
    joints: Float[ndarray, "frames bones 3"]
    tips: Float[ndarray, "frames bones 3"]
    """The bones' far ends."""
    rest_joints: Float[ndarray, "bones 3"]
    rest_tips: Float[ndarray, "bones 3"]
    parents: Int[ndarray, "bones"]
    heading: Float[ndarray, "frames"]
    """Turn of the trunk about the vertical, to the left, unwrapped, radians."""
    feet: tuple[Foot, ...]
    surface: Float[ndarray, "frames points 3"]
    """Points of the surface; joints and tips where there is no mesh."""
    edges: Int[ndarray, "edges 2"]
    """Pairs of surface points that are joined by an edge of the mesh."""
    rest_surface: Float[ndarray, "points 3"]
    displaced: Float[ndarray, "frames bones 4 4"]
    """Where each bone carries what is around it, from rest, in the world."""
    angles: Float[ndarray, "frames joints 3"]
    anatomy: Anatomy
    loop: bool
    """The last pose is the first one, further along the way."""

    def __len__(self) -> int:
        return len(self.joints)

    @property
    def seconds(self) -> float:
        """From the first frame to the last."""
        return (len(self) - 1) / self.fps

    @cached_property
    def centre(self) -> Float[ndarray, "frames 3"]:
        """Mean of all joints and tips."""
        return 0.5 * (self.joints.mean(1) + self.tips.mean(1))

    @cached_property
    def low(self) -> Float[ndarray, "frames"]:
        """Height of the lowest point of all, feet included."""
        return np.minimum.reduce([self.surface[..., 1].min(1), *(foot.low for foot in self.feet)])

    @cached_property
    def ahead(self) -> Float[ndarray, "frames 3"]:
        """Unit vector that the body looks along, horizontal."""
        return np.stack([np.cos(self.heading), np.zeros(len(self)), -np.sin(self.heading)], axis=1)

    @cached_property
    def aside(self) -> Float[ndarray, "frames 3"]:
        """Unit vector to the body's right, horizontal."""
        return np.stack([np.sin(self.heading), np.zeros(len(self)), np.cos(self.heading)], axis=1)


def observe_clip(character: Character, anatomy: Anatomy, clip: Clip) -> Observation:
    """Observe a clip of joint angles."""
    skeleton = character.require_skeleton()
    displaced = pose_clip(skeleton, clip) @ rigid_inverse(skeleton.T_world_rest)
    return _observe(character, anatomy, clip, displaced)


def observe_node_clip(
    character: Character, anatomy: Anatomy, node_clip: NodeClip, *, fps: float = 30.0, restore_travel: bool = False
) -> Observation:
    """Observe a file's own clip as the file moves it: with its stretched and scaled bones.

    `restore_travel` moves the whole body as its standing feet say, where the artist left that out.
    """
    clip, _ = clip_from_nodes(character, node_clip, fps=fps)
    displaced = bone_displacements(character, node_clip, node_clip.frame_times(fps))
    if restore_travel and anatomy.contacts.any():
        travel = find_travel(character, clip, anatomy)[2]
        clip, displaced = add_travel(clip, travel), _way_transforms(travel)[:, None] @ displaced
    return _observe(character, anatomy, clip, displaced)


def _way_transforms(travel: Travel) -> Float[ndarray, "frames 4 4"]:
    """x_new = R_y(heading) x_old + place, as matrices."""
    c, s = np.cos(travel.headings), np.sin(travel.headings)
    T = np.tile(np.eye(4), (len(c), 1, 1))
    T[:, 0, 0] = T[:, 2, 2] = c
    T[:, 0, 2], T[:, 2, 0] = s, -s
    T[:, [0, 2], 3] = travel.places
    return T


def _observe(
    character: Character, anatomy: Anatomy, clip: Clip, displaced: Float[ndarray, "frames bones 4 4"]
) -> Observation:
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
        feet.append(Foot(sole.limb, _carry(displaced, sole.points, sole.bones, sole.weights)))
        legs.append(leg_length(skeleton, sole.limb))
    rest, edges, bones, weights = _surface(character)
    return Observation(
        name=clip.name,
        fps=clip.fps,
        size=character.size,
        leg=float(np.median(legs)) if legs else 0.5 * character.size,
        joints=_apply(displaced, skeleton.heads),
        tips=_apply(displaced, skeleton.tails),
        rest_joints=skeleton.heads,
        rest_tips=skeleton.tails,
        parents=skeleton.parents,
        heading=headings(displaced[:, _trunk(anatomy), :3, :3]),
        feet=tuple(feet),
        surface=_carry(displaced, rest, bones, weights),
        edges=edges,
        rest_surface=rest,
        displaced=displaced,
        angles=clip.angles,
        anatomy=anatomy,
        loop=loop_frames(clip) is not None,
    )


def headings(R: Float[ndarray, "frames bones 3 3"]) -> Float[ndarray, "frames"]:
    """Turn of a body about the vertical, unwrapped: the mean direction of its bones.

    A walking lizard swings its pelvis by a quarter of a radian and its shoulders against it; their mean goes straight.
    A bone's direction is that of f + l', f its ahead and l' its left, turned right: both lie in the ground plane while
    the body is upright; one of them still does when it rears or rolls over.
    """
    ahead, left = R[..., 0], -R[..., 2]
    turn = (ahead[..., 0] - 1j * ahead[..., 2]) - 1j * (left[..., 0] - 1j * left[..., 2])
    turn = (turn / np.maximum(np.abs(turn), 1e-9)).sum(1)
    return np.unwrap(np.angle(np.where(np.abs(turn) < 1e-9, 1.0, turn)))


def _trunk(anatomy: Anatomy) -> list[int]:
    """The bones from pelvis to shoulders; the root where none is known."""
    return [bone for bone, part in enumerate(anatomy.parts) if part == BodyPart.TORSO] or [0]


def _apply(displaced: Float[ndarray, "frames bones 4 4"], places: Float[ndarray, "bones 3"]) -> ndarray:
    return np.einsum("fbij,bj->fbi", displaced[..., :3, :3], places) + displaced[..., :3, 3]


def _carry(
    displaced: Float[ndarray, "frames bones 4 4"],
    points: Float[ndarray, "points 3"],
    bones: Int[ndarray, "points influences"],
    weights: Float[ndarray, "points influences"],
) -> Float[ndarray, "frames points 3"]:
    """phi(x) = sum_i w_i D_i x (AKD eq. 5)."""
    homogeneous = np.concatenate([points, np.ones((len(points), 1))], axis=1)
    carried = np.zeros((len(displaced), len(points), 3))
    for k in range(bones.shape[1]):
        used: Bool[ndarray, "points"] = weights[:, k] > 0
        moved = np.einsum("fpij,pj->fpi", displaced[:, bones[used, k], :3], homogeneous[used])
        carried[:, used] += weights[used, k, None] * moved
    return carried


def _surface(character: Character) -> tuple[ndarray, ndarray, ndarray, ndarray]:
    """Rest points, edges between them, bones and weights: an even share of the vertices with the edges they keep.

    Vertices are taken together with their neighbours (whole triangles), so that edges are left to measure stretch on.
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
