"""Which branches are legs, arms, wings, or belong to the head, the tail, the torso."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.character.anatomy.midline import Midline
from gambol.character.anatomy.rest_shape import RestShape
from gambol.character.anatomy.side_branches import MirrorPair
from gambol.character.segment_distances import point_segment_distances

MAX_LEG_TIP_HEIGHT = 0.06
"""A leg reaches down to below this share of the size above the ground."""
MAX_LEG_TIP_HEIGHT_SHARE = 0.3
"""A leg reaches down to below this share of the height at which it starts."""
MIN_HIP_HEIGHT = 0.012
"""A leg starts higher than this share of the size; what starts lower is a fin that touches the ground."""
LOW_JOINT_HEIGHT_SHARE = 0.6
"""The lowest joint of a leg lies below this share of the height at which it starts (not that of a spider's)."""
HANGING_DROP_SHARE = 0.5
"""A hanging chain's tip is lower than its start by this share of the distance between them."""
WING_FLATNESS = 0.7
"""A surface with this share of its normals along one axis is flat: a wing. A round or square rod has a half, arms with
hands at most 0.67, spread wings at least 0.71."""
DANGLING_DROP_SHARE = 0.85
"""A limb that points forwards and down by this share of its length dangles: flat or not, it is an arm."""
MAX_HANDLESS_BONES = 3
"""A limb of at most so many bones has no hand that could be flat."""
FLIPPER_FLATNESS = 0.655
"""Flatness of a limb without a hand from which on it is a wing: a penguin's have 0.66, arms at most 0.57."""
WING_FORK_SPREAD = 0.3
"""The feathers of a bare wing leave it over more than this share of its length; fingers all start at the hand."""
SHORT_CHAIN_MIN_LENGTHS = {1: (0.3, 0.06), 2: (0.15, 0.05)}
"""Shortest limb of one or two bones: shares of the leg length and of the size, by the number of bones."""
LONG_CHAIN_MIN_LENGTHS = (0.0, 0.03)
"""Shortest limb of more bones, as in `SHORT_CHAIN_MIN_LENGTHS`; small, for the arms of a tyrannosaur."""
FOLDED_WING_RUN_SHARE = 0.5
"""A folded wing's tip lies behind its start by this share of the distance between them."""
ARM_PAIR_LENGTH_RATIO = 1.7
"""Two pairs of arms differ by less than this factor in length."""
HEAD_APPENDAGE_LENGTH_SHARE = 0.6
"""What grows ahead of the front legs and is shorter than this share of them is part of the head."""
MAX_FIN_JOINTS = 2
"""What stands on the ground with at most so many bones and runs backwards more than down is a fin that lies there."""
MANY_LEG_PAIRS = 3
"""Bodies with at least this many standing pairs are insects, spiders, crabs: feelers may touch the ground ahead of the
legs, and not every leg needs a joint low down."""
MIN_CONTROL_DISTANCE = 0.12
"""A single joint of a bare rig that is farther than this share of the size from the spine controls something."""
TAIL_FIN_BASE_SHARE = 0.25
"""A pair that starts in the hindmost part of a body without legs, this share of its length, is a tail fin."""
MIN_FIN_LENGTH_SHARE = 0.4
"""Fins are at least this share as long as the longest pair."""
MAX_FLIPPER_JOINTS = 4
"""Limbs of a lying body without legs are fins where they are flat or have at most so many bones, arms otherwise."""


@dataclass(frozen=True)
class BranchPair:
    """A pair of mirrored branches with its measurements (of the longer one where the two differ)."""

    pair: MirrorPair
    """The first bones of the two branches."""
    place: int
    """Index of the spine bone at which it starts."""
    base: Float[ndarray, "3"]
    """Position of its first joint, metres."""
    tip: Float[ndarray, "3"]
    """Position of the end of its longest chain, metres."""
    length: float
    """Length of its longest chain, metres."""
    joints: int
    """Number of bones in its longest chain."""
    broad: bool
    """Whether it is shaped like a wing."""
    front: Float[ndarray, "3"]
    """Position at which it starts on the trunk; of a wing, at which its front edge starts."""

    @property
    def rises(self) -> bool:
        """Whether it points up, as ears do and arms at rest do not."""
        return bool(self.tip[1] - self.base[1] > 0.5 * np.linalg.norm(self.tip - self.base))

    def is_stub(self, leg_length: float, size: float) -> bool:
        """Whether it is too short to be a limb."""
        of_legs, of_size = SHORT_CHAIN_MIN_LENGTHS.get(self.joints, LONG_CHAIN_MIN_LENGTHS)
        return self.length < max(of_legs * leg_length, of_size * size)

    @property
    def dangles(self) -> bool:
        """Whether it points down and forwards, as arms and paws do and wings do not."""
        run = self.tip - self.base
        return bool(run[0] > 0 and -run[1] > DANGLING_DROP_SHARE * np.linalg.norm(run))

    @property
    def spreads(self) -> bool:
        """Whether it points to its side more than anywhere else."""
        run = np.abs(self.tip - self.base)
        return bool(run[2] > max(run[0], run[1]))


def measure_branch_pair(midline: Midline, pair: MirrorPair) -> BranchPair:
    """Measure one pair of branches, the right one mirrored to the left."""
    shape, bones = midline.shape, pair.bones
    mirror = np.array([1.0, 1.0, -1.0])
    bases = [shape.heads[b] if b == pair.left else shape.heads[b] * mirror for b in bones]
    tips = [shape.tip(b) if b == pair.left else shape.tip(b) * mirror for b in bones]
    place = max(midline.place(b) for b in bones)
    length, joints = max(float(shape.reaches[b]) for b in bones), max(len(shape.main_chain(b)) for b in bones)
    base, broad = np.mean(bases, axis=0), is_wing(shape, pair)
    front = base.copy()
    if broad and all(len(shape.points[b]) for b in bones):
        front[0] = max(base[0], min(float(np.percentile(shape.points[b][:, 0], 95.0)) for b in bones))
    return BranchPair(pair, place, base, np.mean(tips, axis=0), length, joints, broad, front)


def classify_branches(midline: Midline, branches: list[BranchPair]) -> dict[MirrorPair, BodyPart]:
    """Decide which body part each branch is.

    1. What reaches the ground is a leg (where some have a joint low down, only those: a sword on the ground makes no
       leg of an arm). Where nothing does, the character is in the air: what hangs down is.
    2. Of the rest, what is long enough and starts on the trunk is a wing if it is flat, an arm otherwise.
    3. What starts ahead of the shoulders (of the front legs, of the arms) is part of the head; what starts at the hips
       and points backwards of the tail; other stubs are part of the torso.
    """
    legs = find_legs(midline, branches)
    rest = [b for b in branches if not any(b is leg for leg in legs)]
    kinds = {leg.pair: BodyPart.LEG for leg in legs}
    leg_length = max((leg.length for leg in legs), default=0.0)
    front = max((leg.place for leg in legs), default=0) if len(legs) > 1 else None
    forelimbs: list[BranchPair] = []
    fins = {} if legs or midline.upright else _find_fins(midline, rest)
    rest = [b for b in rest if b.pair not in fins]
    for branch in sorted(rest, key=lambda b: (b.place, -b.length)):
        if _is_on_head(midline, branch, front, leg_length, forelimbs):
            kinds[branch.pair] = BodyPart.HEAD
        elif _points_back(midline, branch, legs):
            kinds[branch.pair] = BodyPart.TAIL
        elif branch.is_stub(leg_length, midline.shape.size) or _is_control(midline, branch):
            kinds[branch.pair] = BodyPart.TORSO
        else:
            on_trunk = front is None or branch.place <= front
            wing = (branch.broad and not branch.dangles) or (
                on_trunk and _is_held_like_a_wing(midline, branch, leg_length)
            )
            kinds[branch.pair] = BodyPart.WING if wing else BodyPart.ARM
            forelimbs.append(branch)
    return kinds | fins


def _find_fins(midline: Midline, branches: list[BranchPair]) -> dict[MirrorPair, BodyPart]:
    """Body parts of the pairs of a body without legs that lies along x.

    What starts at its rear end is a tail fin; the longest of the others are pectoral fins, and so is what is half as
    long; what is shorter belongs to the head ahead of them, to the torso behind.
    """
    rear, front = midline.extent
    kinds = {b.pair: BodyPart.TAIL for b in branches if b.base[0] < rear + TAIL_FIN_BASE_SHARE * (front - rear)}
    others = [b for b in branches if b.pair not in kinds]
    size = midline.shape.size
    fins = [b for b in others if not b.is_stub(0.0, size) and (b.joints > 1 or b.broad)]
    longest = max(fins, key=lambda b: b.length, default=None)
    for branch in others:
        if longest is None or branch.length < MIN_FIN_LENGTH_SHARE * longest.length or branch not in fins:
            ahead = longest is None or branch.base[0] > longest.base[0]
            kinds[branch.pair] = BodyPart.HEAD if ahead else BodyPart.TORSO
        else:
            kinds[branch.pair] = BodyPart.WING if branch.joints <= MAX_FLIPPER_JOINTS or branch.broad else BodyPart.ARM
    return kinds


def is_wing(shape: RestShape, pair: MirrorPair) -> bool:
    """Whether the surface is flat; of a bare rig, whether side chains leave the main one at several places.

    Flatness is the largest eigenvalue of the sum of area n n^T over its trace, the mean of the whole branch and of the
    inner half of its chain: hands and shields are flat, arms are not.
    """
    chains = [shape.main_chain(first) for first in pair.bones]
    groups = [*(shape.below[first] for first in pair.bones), *(chain[: (len(chain) + 1) // 2] for chain in chains)]
    spreads = [spread for group in groups if np.trace(spread := shape.spreads[list(group)].sum(0)) > 0]
    if spreads:
        flat = np.mean([np.linalg.eigvalsh(spread)[-1] / np.trace(spread) for spread in spreads])
        flipper = max(len(shape.below[first]) for first in pair.bones) <= MAX_HANDLESS_BONES
        return bool(flat > (FLIPPER_FLATNESS if flipper else WING_FLATNESS))
    forks = [b for b in chains[0] if len(shape.skeleton.children[b]) > 1]
    apart = np.linalg.norm(shape.heads[forks[-1]] - shape.heads[forks[0]]) if forks else 0.0
    return bool(apart > WING_FORK_SPREAD * shape.reaches[chains[0][0]])


def _is_held_like_a_wing(midline: Midline, branch: BranchPair, leg_length: float) -> bool:
    """Of a body that does not stand upright: folded back along it, or, on a bare rig, spread wider than the legs."""
    run = branch.tip - branch.base
    folded = -run[0] > FOLDED_WING_RUN_SHARE * np.linalg.norm(run)
    bare = not any(len(own) for own in midline.shape.points)
    return bool(not midline.upright and (folded or (bare and branch.spreads and branch.length > leg_length)))


def find_legs(midline: Midline, branches: list[BranchPair]) -> list[BranchPair]:
    """What stands on the ground, with a joint low down where any has one; else what hangs in the air.

    Of three and more standing pairs, short ones ahead of the others are feelers, and all others are legs. Fins that
    touch the ground are none: a body that stands only on flat limbs has no legs.
    """
    shape = midline.shape
    standing = [b for b in branches if any(_reaches_ground(shape, first) for first in b.pair.bones)]
    if len(standing) < MANY_LEG_PAIRS:
        standing = [b for b in standing if not _lies_like_a_fin(b)]
    if all(b.broad for b in standing):
        return [b for b in branches if _hangs(midline, b) and not b.broad] if not standing else []
    if len(standing) >= MANY_LEG_PAIRS:
        longest = max(b.length for b in standing)
        long = [b for b in standing if b.length > HEAD_APPENDAGE_LENGTH_SHARE * longest]
        foremost = max(float(b.base[0]) for b in long)
        legs = [b for b in standing if any(b is leg for leg in long) or b.base[0] < foremost]
        if len(legs) >= MANY_LEG_PAIRS - 1 and not midline.upright:
            return legs
    return [b for b in standing if any(_has_low_joint(shape, first) for first in b.pair.bones)] or standing


def _lies_like_a_fin(branch: BranchPair) -> bool:
    run = branch.tip - branch.base
    return branch.joints <= MAX_FIN_JOINTS and bool(-run[0] > -run[1] and abs(run[2]) < -2.0 * run[0])


def _reaches_ground(shape: RestShape, first: int) -> bool:
    start = float(shape.heads[first, 1])
    low = shape.lowest(shape.below[first]) < min(MAX_LEG_TIP_HEIGHT * shape.size, MAX_LEG_TIP_HEIGHT_SHARE * start)
    return low and start > MIN_HIP_HEIGHT * shape.size


def _has_low_joint(shape: RestShape, first: int) -> bool:
    return float(shape.heads[list(shape.below[first]), 1].min()) < LOW_JOINT_HEIGHT_SHARE * float(shape.heads[first, 1])


def _hangs(midline: Midline, branch: BranchPair) -> bool:
    """Whether it hangs down like the legs of something in the air: from the lower half of an upright body."""
    drop = float(branch.base[1] - branch.tip[1])
    heights = midline.knots[:, 1]
    low = branch.base[1] < 0.5 * (heights.min() + heights.max()) if midline.upright else True
    return bool(branch.joints > 1 and low and drop > HANGING_DROP_SHARE * np.linalg.norm(branch.tip - branch.base))


def _is_on_head(
    midline: Midline, branch: BranchPair, front: int | None, leg_length: float, forelimbs: list[BranchPair]
) -> bool:
    """Whether it grows on the head: beyond the front legs at spine bone `front`, else beyond the arms found so far.

    Beyond front legs, only what is about as long may be an arm (a centaur's); beyond arms, only what is like them.
    A single pair on the last bone of the spine is a pair of arms where it looks like one: the head has no bone.
    """
    last = len(midline.spine) - 1
    if front is not None:
        return branch.place > front and (
            branch.length < HEAD_APPENDAGE_LENGTH_SHARE * leg_length or branch.place == last
        )
    if forelimbs:
        alike = (
            forelimbs[0].length / ARM_PAIR_LENGTH_RATIO < branch.length < ARM_PAIR_LENGTH_RATIO * forelimbs[0].length
        )
        return branch.place > forelimbs[0].place and (not alike or branch.rises or branch.place == last)
    arm_like = branch.joints > 1 and branch.length > 0.5 * leg_length and not branch.rises
    return last > 0 and branch.place == last and not arm_like


def _is_control(midline: Midline, branch: BranchPair) -> bool:
    """Whether it is a pole or an IK target of a bare rig: one joint far from the body (skinned, it has no weight)."""
    bare = not any(len(own) for own in midline.shape.points)
    gaps = point_segment_distances(branch.base, midline.knots[:-1], midline.knots[1:])
    return bare and branch.joints == 1 and bool(gaps.min() > MIN_CONTROL_DISTANCE * midline.shape.size)


def _points_back(midline: Midline, branch: BranchPair, legs: list[BranchPair]) -> bool:
    """Whether it starts at the hindmost legs, or behind them, and runs backwards more than to its side."""
    if not legs or midline.upright:
        return False
    run = branch.tip - branch.base
    hips = min(float(leg.base[0]) for leg in legs)
    return bool(branch.base[0] < hips + 0.02 * midline.shape.size and -run[0] > abs(run[2]) and -run[0] > abs(run[1]))
