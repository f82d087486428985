"""A character's body as motions use it: legs that fold, feet with soles, trunk, arms, wings, tails and ears."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy, BodyPart, Limb, Side
from gambol.character.character import Character
from gambol.character.skeleton import Skeleton
from gambol.creatures.gaits.footfalls import LARGEST_ALTERNATING_PAIRS
from gambol.creatures.gaits.leg_geometry import SPRAWL_RATIO, BoneSurface, Leg, bones_under, measure_leg

UPRIGHT_RISE_RATIO = 0.75
"""A trunk is upright if it rises by more than this share of its length."""
LONG_SOLE_RATIO = 0.42
"""Bipeds whose soles are longer than this share of their legs' height hop like kangaroos."""
FOLDED_REST_RATIO = 0.55
"""Hind legs shorter at rest than this share of their length are folded for a jump."""
SHORT_ARM_RATIO = 0.45
"""Arms shorter than this share of the legs do not hang and swing (a tyrannosaur's)."""


@dataclass(frozen=True)
class Arm:
    """An arm that hangs and swings."""

    left: bool
    """Whether it is a left arm."""
    upper: int
    """Index of the upper arm's bone."""
    fore: int | None
    """Index of the forearm's bone."""
    hand: int | None
    """Index of the hand's bone."""
    length: float
    """Distance from the shoulder to the end of the hand at rest, metres."""


@dataclass(frozen=True)
class MovingBody:
    """A character's body at rest, by the parts that motions move; bones are indices, lengths in metres."""

    skeleton: Skeleton
    """The motion skeleton."""
    size: float
    """Size of the character."""
    legs: tuple[Leg, ...]
    """Legs from front to back, left before right."""
    spine: tuple[int, ...]
    """Torso bones from the one after the root to the neck."""
    neck: tuple[int, ...]
    """Neck bones from the spine to the head."""
    head: int | None
    """First bone of the head."""
    jaw: int | None
    """Bone of the lower jaw."""
    proboscis: tuple[int, ...]
    """A chain that hangs from the head (an elephant's trunk)."""
    tails: tuple[tuple[int, ...], ...]
    """Chains of tail bones from base to tip."""
    ears: tuple[int, ...]
    """First bone of each ear."""
    arms: tuple[Arm, ...]
    """Arms."""
    wings: tuple[Limb, ...]
    """Wings."""
    hull_bones: Int[ndarray, "points"]
    """Bone that each point of `hull` moves with."""
    hull: Float[ndarray, "points 3"]
    """A few outermost points of every bone's surface at rest."""
    torso_half_width: float
    """Largest distance of the torso's surface from the middle plane."""

    @cached_property
    def leg_length(self) -> float:
        """Mean distance from hip to sole; a tenth of the size without legs."""
        return float(np.mean([leg.length for leg in self.legs])) if self.legs else 0.1 * self.size

    @cached_property
    def pairs(self) -> int:
        """Number of pairs of legs."""
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
    def belly(self) -> Int[ndarray, "chosen"]:
        """Indices of the hull's points on the trunk: root, spine and first tail bones."""
        return np.flatnonzero(np.isin(self.hull_bones, (0, *self.spine, *(tail[0] for tail in self.tails))))

    @cached_property
    def clearance(self) -> float:
        """Height of the lowest part of the trunk above the ground at rest."""
        return float(self.hull[self.belly, 1].min()) if len(self.belly) else 0.0

    @cached_property
    def trunk_length(self) -> float:
        """Distance between the foremost and the hindmost hips; a biped's is 0."""
        places = [leg.hip[0] for leg in self.legs]
        return float(np.ptp(places)) if places and self.pairs > 1 else 0.0

    @cached_property
    def sprawling(self) -> bool:
        """Whether the legs stand out to the sides, or the hind legs lie folded beside the trunk."""
        if self.sits_folded:
            return True
        aside = [np.hypot(*(leg.sole - leg.hip)[[0, 2]]) / max(leg.height, 1e-9) for leg in self.legs]
        outward = [abs(leg.sole[2] - leg.hip[2]) / max(leg.height, 1e-9) for leg in self.legs]
        return bool(self.legs) and float(np.median(np.maximum(outward, 0.8 * np.array(aside)))) > SPRAWL_RATIO

    @cached_property
    def upright(self) -> bool:
        """Whether the trunk stands upright on its legs (a human's)."""
        bones = (*self.spine, *self.neck) or (() if self.head is None else (self.head,))
        top = self.skeleton.heads[bones[-1]] if bones else self.skeleton.tails[0]
        along = top - self.skeleton.heads[0]
        return float(along[1]) > UPRIGHT_RISE_RATIO * max(float(np.linalg.norm(along)), 1e-9)

    @property
    def long_wave(self) -> bool:
        """Whether the trunk has a spine between many pairs of legs, along which waves run (a centipede's)."""
        return self.pairs > LARGEST_ALTERNATING_PAIRS and len(self.spine) > 2

    @property
    def has_claws(self) -> bool:
        """Whether the arms are claws, held ahead of a body on many legs (a crab's), and do not hang."""
        return bool(self.arms) and self.pairs > 2

    @cached_property
    def long_footed(self) -> bool:
        """Whether a biped stands on soles that are long for its legs (a kangaroo's)."""
        return self.pairs == 1 and all(2.0 * leg.heel > LONG_SOLE_RATIO * leg.height for leg in self.legs)

    @cached_property
    def spring(self) -> float:
        """How far the hind legs can stretch beyond their rest length, metres; a sitting frog's are folded."""
        hind = [leg.chain for leg in self.legs if leg.limb.pair == self.pairs - 1]
        return float(min((chain.longest - chain.rest for chain in hind), default=0.0))

    @cached_property
    def sits_folded(self) -> bool:
        """Whether a quadruped rests on hind legs that are folded to less than half their length (a frog)."""
        hind = [leg.chain for leg in self.legs if leg.limb.pair == 1]
        return self.pairs == 2 and all(chain.rest < FOLDED_REST_RATIO * chain.longest for chain in hind)

    @cached_property
    def head_bones(self) -> tuple[int, ...]:
        """The head and its descendants, except ears and an elephant's trunk."""
        if self.head is None:
            return ()
        aside = {b for ear in self.ears for b in bones_under(self.skeleton, ear)} | set(self.proboscis)
        return tuple(b for b in bones_under(self.skeleton, self.head) if b not in aside)


def measure_body(character: Character, anatomy: Anatomy) -> MovingBody:
    """Measure a character's body from its anatomy and its surface."""
    skeleton = character.require_skeleton()
    bones, points, shares = _surface(character)
    spine, neck, head = _trunk(skeleton, anatomy)
    tails = tuple(limb.bones for limb in anatomy.of(BodyPart.TAIL))
    surface = BoneSurface(bones, points, shares, character.size)
    pairs = 1 + max((limb.pair for limb in anatomy.legs), default=0)
    legs = tuple(
        measure_leg(skeleton, limb, surface, foremost=limb.pair == 0 and pairs > 1)
        for limb in anatomy.legs
        if limb.contact is not None
    )
    hull_bones, hull = _outermost(skeleton, bones, points)
    torso = np.isin(bones, [b for b in range(len(skeleton)) if anatomy.parts[b] == BodyPart.TORSO])
    return MovingBody(
        skeleton,
        character.size,
        legs,
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
    """Return the bones from the root to this one."""
    path = [bone]
    while skeleton.parents[path[-1]] >= 0:
        path.append(int(skeleton.parents[path[-1]]))
    return path[::-1]


def _surface(character: Character) -> tuple[ndarray, ndarray, ndarray]:
    """Return dominant bone, position and dominant weight of every vertex; of bone ends for a bare skeleton."""
    skeleton = character.require_skeleton()
    if character.mesh is None or character.weights is None:
        ends = np.concatenate([skeleton.tails, skeleton.heads])
        return np.tile(np.arange(len(skeleton)), 2), ends, np.ones(len(ends))
    weights = character.weights
    return weights.dominant(), character.mesh.vertices.astype(np.float64), weights.weights.max(1)


def _trunk(skeleton: Skeleton, anatomy: Anatomy) -> tuple[tuple[int, ...], tuple[int, ...], int | None]:
    """Return spine, neck and head on the path from the root to the head."""
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
    """Return a single middle bone below the head that points forwards, if there is one."""
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
    """Return the first bones on the sides of the head."""
    parts, sides = anatomy.parts, anatomy.sides
    aside = [b for b in range(1, len(skeleton)) if parts[b] == BodyPart.HEAD and sides[b] != Side.MIDDLE]
    return tuple(b for b in aside if sides[skeleton.parents[b]] == Side.MIDDLE)


def _arm(skeleton: Skeleton, limb: Limb) -> Arm:
    """Return upper arm, forearm and hand; a short first bone near the middle is a collar bone and left out."""
    bones = list(limb.bones)
    lengths = [float(np.linalg.norm(skeleton.tails[b] - skeleton.heads[b])) for b in bones]
    if len(bones) >= 3:
        aside = abs(skeleton.heads[bones[0]][2]) / max(abs(float(skeleton.heads[bones[1]][2])), 1e-9)
        if aside < 0.35 or (aside < 0.7 and lengths[0] < 0.45 * lengths[1]):
            bones = bones[1:]
    length = float(np.linalg.norm(skeleton.heads[bones[0]] - skeleton.tails[bones[min(2, len(bones) - 1)]]))
    rest = [*bones, None, None]
    return Arm(limb.side == Side.LEFT, bones[0], rest[1], rest[2], length)


def _outermost(skeleton: Skeleton, owners: ndarray, points: ndarray) -> tuple[ndarray, ndarray]:
    """Return for every bone the points furthest along 48 directions, even over the sphere (Fibonacci lattice)."""
    k = np.arange(48) + 0.5
    up, around = 1.0 - 2.0 * k / 48, np.pi * (1.0 + np.sqrt(5.0)) * k
    directions = np.stack([np.cos(around) * np.sqrt(1 - up**2), up, np.sin(around) * np.sqrt(1 - up**2)], -1)
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
