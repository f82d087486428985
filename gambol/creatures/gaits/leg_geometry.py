"""Geometry of a leg for motions: a chain that folds and a foot that rolls, measured from bones and surface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import Limb, Side
from gambol.character.skeleton import FORWARD, LEFT, UP, Skeleton
from gambol.motion.folding_limb_ik import FoldingLimb, folding_limb

SOLE_DEPTH = 0.012
"""Height above a foot's lowest vertex up to which vertices belong to its sole, in sizes of the character."""
SPRAWL_RATIO = 0.75
"""A leg sprawls if its foot stands further aside of its hip than this share of the hip's height."""
FOOT_WEIGHT_SHARE = 0.7
"""Least skin weight of the vertices that a foot rolls on; others are skin between it and the leg."""
KNEE_AXIS = LEFT
"""Axis about which a positive rotation of the shin folds a knee that points forwards."""
ROLL_ANGLES = np.linspace(-2.4, 1.6, 241)
"""Pitch angles of the roll tables, radians, toes up positive."""


@dataclass(frozen=True)
class RollTable:
    """Displacement of a sole's middle as its foot rolls over the ground without sliding, per angle of `ROLL_ANGLES`."""

    rise: Float[ndarray, "angles"]
    """Rise, metres: the depth of the lowest point of the pitched foot, max_i -(a_i sin p + b_i cos p)."""
    shift: Float[ndarray, "angles"]
    """Shift ahead, metres: -integral of rise from 0 to p (a rolling body turns about the point that touches)."""
    toe_joint: Float[ndarray, "2"]
    """Position of the toes' joint, ahead of and above the sole's middle, metres."""
    toes: Float[ndarray, "points 2"]
    """Outline of the toes from their joint, ahead and up, metres; empty where the foot has no toe bone."""


def roll_table(
    foot: Float[ndarray, "points 2"], toes: Float[ndarray, "toe_points 2"], joint: Float[ndarray, "2"]
) -> RollTable:
    """Tabulate the roll of a foot from points ahead of and above its sole's middle; a raised heel turns at the toes."""
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
    """A leg with its foot at rest; lengths in metres."""

    limb: Limb
    """The limb of the anatomy."""
    chain: FoldingLimb
    """The folding chain from the hip to the ankle, or to the sole if there is no foot bone."""
    bones: tuple[int, ...]
    """Indices of the bones of `chain`."""
    foot: int | None
    """Index of the foot bone below the chain, whose orientation is prescribed; None where the chain ends in a point."""
    toes: int | None
    """Index of the toe bone, which stays on the ground while the heel rises; None without one."""
    sole: Float[ndarray, "3"]
    """Middle of the sole."""
    ahead: Float[ndarray, "3"]
    """Horizontal unit vector along which the foot points."""
    heel: float
    """Length of the sole behind its middle."""
    ball: float
    """Distance from the sole's middle ahead to where it rolls off: the toes' joint, or the tip."""
    half_width: float
    """Half of the sole's width."""
    roll: RollTable
    """How the sole moves as the foot rolls."""

    @property
    def hip(self) -> Float[ndarray, "3"]:
        """Position of the leg's first joint."""
        return self.chain.joints[0]

    @property
    def tread(self) -> Float[ndarray, "3"]:
        """Rest position of the sole's middle projected on the ground (feet may rest a little above it)."""
        return self.sole * [1.0, 0.0, 1.0]

    @property
    def height(self) -> float:
        """Height of the hip above the sole."""
        return float(self.hip[1] - self.sole[1])

    @property
    def length(self) -> float:
        """Distance from hip to sole."""
        return float(np.linalg.norm(self.hip - self.sole))

    @property
    def left(self) -> bool:
        """Whether it is a left leg (one in the middle counts as right)."""
        return self.limb.side == Side.LEFT

    @property
    def rolls(self) -> float:
        """How much the foot rolls over heel and toes as the body passes: 1 if it points ahead, 0 if aside."""
        return float(np.clip((self.ahead[0] - 0.3) / 0.4, 0.0, 1.0))

    @property
    def long_foot(self) -> float:
        """How much the foot bone is a part of the leg's length: 0 for a human's foot, 1 for a horse's cannon."""
        if self.foot is None:
            return 0.0
        ankle = float(self.chain.joints[-1][1] - self.sole[1])
        high = np.clip((ankle / max(self.height, 1e-9) - 0.12) / 0.18, 0.0, 1.0)
        return float(high * np.clip(2.5 - 3.0 * self.heel / max(ankle, 1e-9), 0.0, 1.0))


@dataclass(frozen=True)
class BoneSurface:
    """Points of the rest surface with the bone that each follows most."""

    owners: Int[ndarray, "points"]
    """Index of the dominant bone of each point."""
    points: Float[ndarray, "points 3"]
    """Positions at rest, metres."""
    shares: Float[ndarray, "points"]
    """Skin weight of the dominant bone at each point."""
    size: float
    """Size of the character, metres."""

    def of(self, bones: list[int], share: float = 0.0) -> Float[ndarray, "chosen 3"]:
        """Return the points of some bones whose skin weight is at least `share`."""
        return self.points[np.isin(self.owners, bones) & (self.shares >= share)]


def measure_leg(skeleton: Skeleton, limb: Limb, surface: BoneSurface, *, foremost: bool) -> Leg:
    """Measure a leg from its bones and its foot's surface; `foremost` legs of several pairs have elbows, not knees."""
    heads, place = skeleton.heads, foot_place(skeleton, limb, surface)
    bone = limb.bones[place]
    ahead = _foot_direction(skeleton, bone)
    mine = surface.of(bones_under(skeleton, bone))
    mine = mine if len(mine) else skeleton.tails[[bone]]
    sole, half, half_width = _sole(mine, ahead, SOLE_DEPTH * surface.size)
    flat = place >= 2
    bones = limb.bones[:place] if flat else limb.bones[: place + 1]
    joints = np.concatenate([heads[list(bones)], (heads[bone] if flat else sole)[None]])
    chain = folding_limb(joints, -KNEE_AXIS if foremost else KNEE_AXIS)
    toes = limb.bones[place + 1] if flat and place + 1 < len(limb.bones) else None
    below = bones_under(skeleton, toes) if toes is not None else []
    stiff = surface.of([b for b in bones_under(skeleton, bone) if b not in below], FOOT_WEIGHT_SHARE)

    def outline(points: Float[ndarray, "points 3"]) -> Float[ndarray, "points 2"]:
        return np.stack([(points - sole) @ ahead, (points - sole) @ UP], -1)

    joint = outline(heads[toes]) if toes is not None else np.zeros(2)
    table = roll_table(outline(stiff), outline(surface.of(below)) - joint, joint)
    ball = float(np.clip(joint[0], 0.2 * half, half)) if toes is not None else half
    return Leg(limb, chain, bones, bone if flat else None, toes, sole, ahead, half, ball, half_width, table)


def foot_place(skeleton: Skeleton, limb: Limb, surface: BoneSurface) -> int:
    """Return the index in the limb at which the foot begins: the contact, or a bone above it that lies flat too."""
    assert limb.contact is not None
    place = limb.bones.index(limb.contact)
    ground = float(surface.of(bones_under(skeleton, limb.contact))[:, 1].min(initial=np.inf))
    hip = float(skeleton.heads[limb.bones[0], 1])
    while place > 2:
        above = limb.bones[place - 1]
        lowest = float(surface.of([above])[:, 1].min(initial=np.inf))
        if lowest > ground + 0.3 * SOLE_DEPTH * surface.size or skeleton.heads[above, 1] > 0.3 * hip:
            break
        place -= 1
    return place


def bones_under(skeleton: Skeleton, top: int) -> list[int]:
    """Return a bone with all its descendants."""
    found = [top]
    for bone in found:
        found.extend(skeleton.children[bone])
    return found


def _foot_direction(skeleton: Skeleton, bone: int) -> Float[ndarray, "3"]:
    """Return the horizontal direction of a foot bone; straight ahead where it stands upright."""
    along = skeleton.tails[bone] - skeleton.heads[bone]
    flat = along * [1.0, 0.0, 1.0]
    reach = float(np.linalg.norm(flat))
    return flat / reach if reach > max(0.35 * float(np.linalg.norm(along)), 1e-9) else FORWARD


def _sole(
    foot: Float[ndarray, "points 3"], ahead: Float[ndarray, "3"], depth: float
) -> tuple[Float[ndarray, "3"], float, float]:
    """Return the middle of the lowest points, and half of their length and width."""
    ground = foot[:, 1].min()
    low = foot[foot[:, 1] <= ground + depth]
    across = np.cross(UP, ahead)
    spans = np.stack([low @ ahead, low @ across])
    along, aside = 0.5 * (spans.min(1) + spans.max(1))
    half, half_width = 0.5 * np.ptp(spans, axis=1)
    return along * ahead + aside * across + ground * UP, float(half), float(half_width)
