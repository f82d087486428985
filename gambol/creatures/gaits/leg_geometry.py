"""Legs as motions see them: a chain that folds, a foot that rolls, measured from bones and surface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import Limb, Side
from gambol.character.skeleton import FORWARD, LEFT, UP, Skeleton
from gambol.motion.limb_ik import FoldingLimb, folding_limb

SOLE_DEPTH = 0.012
"""Vertices this close to a foot's lowest one belong to its sole, in sizes of the character."""
SPRAWLED = 0.75
"""A leg sprawls where its foot stands further aside of its hip than this share of the hip's height."""
FIRM = 0.7
"""A foot rolls on the vertices that follow it by this share; others are skin between it and the leg."""
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
    def tread(self) -> Float[ndarray, "3"]:
        """Where the middle of the sole stands: its rest place, on the ground (feet may rest a little above it)."""
        return self.sole * [1.0, 0.0, 1.0]

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
    def rolls(self) -> float:
        """How much the foot rolls over its heel and toes as the body passes: 1 if it points ahead, 0 if aside."""
        return float(np.clip((self.ahead[0] - 0.3) / 0.4, 0.0, 1.0))

    @property
    def long_foot(self) -> float:
        """How much of the leg the foot's bone is: 0 for a human's foot or a crocodile's, 1 for a horse's cannon."""
        if self.foot is None:
            return 0.0
        ankle = float(self.chain.joints[-1][1] - self.sole[1])
        high = np.clip((ankle / max(self.height, 1e-9) - 0.12) / 0.18, 0.0, 1.0)
        return float(high * np.clip(2.5 - 3.0 * self.heel / max(ankle, 1e-9), 0.0, 1.0))


@dataclass(frozen=True)
class Surface:
    """Points of the surface at rest, and the bone that each follows most."""

    owners: Int[ndarray, "points"]
    points: Float[ndarray, "points 3"]
    shares: Float[ndarray, "points"]
    """How much each follows its bone."""
    size: float

    def of(self, bones: list[int], share: float = 0.0) -> Float[ndarray, "chosen 3"]:
        """The points of some bones that follow them by a share at least."""
        return self.points[np.isin(self.owners, bones) & (self.shares >= share)]


def measure_leg(skeleton: Skeleton, limb: Limb, surface: Surface, *, foremost: bool) -> Leg:
    """A leg from its bones and its foot's surface; `foremost` legs of several pairs have elbows, not knees."""
    heads, place = skeleton.heads, foot_place(skeleton, limb, surface)
    bone = limb.bones[place]
    ahead = _foot_direction(skeleton, bone)
    mine = surface.of(bones_under(skeleton, bone))
    mine = mine if len(mine) else skeleton.tails[[bone]]
    sole, half, half_width = _sole(mine, ahead, SOLE_DEPTH * surface.size)
    flat = place >= 2
    bones = limb.bones[:place] if flat else limb.bones[: place + 1]
    joints = np.concatenate([heads[list(bones)], (heads[bone] if flat else sole)[None]])
    chain = folding_limb(joints, -HIND_KNEE if foremost else HIND_KNEE)
    toes = limb.bones[place + 1] if flat and place + 1 < len(limb.bones) else None
    below = bones_under(skeleton, toes) if toes is not None else []
    stiff = surface.of([b for b in bones_under(skeleton, bone) if b not in below], FIRM)

    def outline(points: Float[ndarray, "points 3"]) -> Float[ndarray, "points 2"]:
        return np.stack([(points - sole) @ ahead, (points - sole) @ UP], -1)

    joint = outline(heads[toes]) if toes is not None else np.zeros(2)
    table = roll_table(outline(stiff), outline(surface.of(below)) - joint, joint)
    ball = float(np.clip(joint[0], 0.2 * half, half)) if toes is not None else half
    return Leg(limb, chain, bones, bone if flat else None, toes, sole, ahead, half, ball, half_width, table)


def foot_place(skeleton: Skeleton, limb: Limb, surface: Surface) -> int:
    """Where in the chain the foot begins: at the contact, or above it where low bones before it lie on the ground."""
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
    """A bone with everything that hangs on it."""
    found = [top]
    for bone in found:
        found.extend(skeleton.children[bone])
    return found


def _foot_direction(skeleton: Skeleton, bone: int) -> Float[ndarray, "3"]:
    """Where a foot's bone points over the ground; straight ahead where it stands upright."""
    along = skeleton.tails[bone] - skeleton.heads[bone]
    flat = along * [1.0, 0.0, 1.0]
    reach = float(np.linalg.norm(flat))
    return flat / reach if reach > max(0.35 * float(np.linalg.norm(along)), 1e-9) else FORWARD


def _sole(
    foot: Float[ndarray, "points 3"], ahead: Float[ndarray, "3"], depth: float
) -> tuple[Float[ndarray, "3"], float, float]:
    """Middle of the lowest points, and half of their length and width."""
    ground = foot[:, 1].min()
    low = foot[foot[:, 1] <= ground + depth]
    across = np.cross(UP, ahead)
    spans = np.stack([low @ ahead, low @ across])
    along, aside = 0.5 * (spans.min(1) + spans.max(1))
    half, half_width = 0.5 * np.ptp(spans, axis=1)
    return along * ahead + aside * across + ground * UP, float(half), float(half_width)
