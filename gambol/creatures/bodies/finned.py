"""Body plan of finned bodies without legs: fish, eels, sharks, dolphins and whales."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.character.colour import Colour
from gambol.creatures.bodies.body_plan import X_LEFT, Y_UP, Z_FORWARD, Coat, CreatureBodyPlan, FleshCone
from gambol.creatures.bodies.colours import mix_colours
from gambol.creatures.bodies.plan_builder import ConeOptions, PlanBuilder
from gambol.creatures.parameter_ranges import check_ranges, ranged

SLENDER_DEPTH = 0.11
"""Depth per length below which a body has the many bones of an eel."""
TAIL_SHARE = 1.0 / 3.0
"""Length of the tail as a share of the line from its end to the nose."""
RIBBON_CHORD = 0.3
"""Length of a dorsal fin per length of the body from which it is a ribbon along the back without a bone of its own."""
FIN_THICKNESS = 0.009
"""Half the thickness of a fin per length of the body; coarse meshes make it thicker."""
GROUND_CUT = 0.002
"""How far the lowest point is cut off by the ground, so that the surface touches it, per length of the body."""


@dataclass(frozen=True)
class FinnedShape:
    """Proportions of a finned body; places are shares of the length, counted from the nose."""

    length: float = ranged(0.03, 30.0, 0.45)
    """Length from the nose to the end of the tail fin, metres."""
    depth: float = ranged(0.03, 0.6, 0.21)
    """Largest depth without fins, per length."""
    width: float = ranged(0.15, 1.4, 0.55)
    """Width per depth."""
    thickest: float = ranged(0.2, 0.55, 0.38)
    """Where it is deepest."""
    peduncle: float = ranged(0.06, 0.85, 0.34)
    """Depth of the stalk before the tail fin, per largest depth."""
    snout: float = ranged(0.05, 0.85, 0.22)
    """Depth of the snout's end, per largest depth."""
    head: float = ranged(0.06, 0.4, 0.21)
    """Length of the head, per length."""
    beak: float = ranged(0.0, 0.5, 0.0)
    """Length of a dolphin's beak, per length of the head."""
    mouth: float = ranged(0.15, 0.9, 0.4)
    """Length of the lower jaw, per length of the head."""
    overhang: float = ranged(0.0, 0.6, 0.0)
    """Length of the snout before the mouth (a shark's), per length of the head."""
    dorsal: float = ranged(0.0, 0.4, 0.1)
    """Height of the dorsal fin, per length."""
    dorsal_at: float = ranged(0.2, 0.8, 0.47)
    """Place of the dorsal fin's middle."""
    dorsal_chord: float = ranged(0.03, 0.85, 0.15)
    """Length of the dorsal fin along the back, per length."""
    sweep: float = ranged(0.0, 1.5, 0.8)
    """How far fins lean back, per height."""
    second: float = ranged(0.0, 0.15, 0.025)
    """Height of a second, small dorsal fin, per length."""
    anal: float = ranged(0.0, 0.35, 0.07)
    """Height of the anal fin, per length."""
    pelvic: float = ranged(0.0, 0.2, 0.07)
    """Length of the pelvic fins, per length."""
    pectoral: float = ranged(0.06, 0.4, 0.14)
    """Length of the pectoral fins, per length."""
    pectoral_chord: float = ranged(0.2, 0.9, 0.5)
    """Width of the pectoral fins, per length of them."""
    upright: float = ranged(0.0, 1.0, 0.6)
    """How upright the pectoral fins are: 0 lies level as a wing, 1 stands beside the body."""
    caudal: float = ranged(0.05, 0.35, 0.17)
    """Length of the tail fin, per length."""
    span: float = ranged(0.02, 0.6, 0.25)
    """Span of the tail fin, per length."""
    fork: float = ranged(0.0, 1.0, 0.6)
    """How deeply the tail fin is forked; 0 is round."""
    upper: float = ranged(0.3, 0.8, 0.5)
    """Share of the tail fin's span above the middle (a shark's is larger)."""
    fluke: float = ranged(0.0, 1.0, 0.0)
    """Whether the tail fin lies level, as a dolphin's fluke: 1 does, 0 stands upright."""
    eye: float = ranged(0.015, 0.16, 0.075)
    """Radius of an eye, per length of the head."""

    def __post_init__(self) -> None:
        check_ranges(self)


def plan_finned(name: str, s: FinnedShape, coat: Coat) -> CreatureBodyPlan:
    """Make the body plan of a swimmer that hovers with its lowest point at the ground; `coat.hair` colours the fins."""
    low = min(_lowest(piece) for piece in _Swimmer(s, coat, 0.0).builder.flesh)
    return _Swimmer(s, coat, -low - GROUND_CUT * s.length).builder.build(name, coat, gap=0.004 * s.length)


def _lowest(piece: FleshCone) -> float:
    """Return the height of a cone's lowest point, metres."""
    down = float(np.sqrt(1.0 - piece.squash_axis[1] ** 2 * (1.0 - piece.squash**2)))
    return min(piece.start[1] - down * piece.start_radius, piece.end[1] - down * piece.end_radius)


class _Swimmer:
    """A finned body at a height above the ground while it is being built."""

    def __init__(self, s: FinnedShape, coat: Coat, height: float) -> None:
        self.s, self.coat, self.height, self.builder = s, coat, height, PlanBuilder()
        self.fin_colour: Colour | None = None if coat.hair == coat.back else coat.hair
        self.flat = FIN_THICKNESS * s.length
        slender = s.depth < SLENDER_DEPTH
        torso, tail = (9, 6) if slender else (4, 3)
        end = 0.3 * s.caudal  # of the last bone, inside the fin's fork
        root = end + TAIL_SHARE * (1.0 - end)
        self.spine = ["Hips", *(f"Spine{i + 1}" for i in range(torso - 2)), "Chest"]
        self.tail = [*(f"Tail{i + 1}" for i in range(tail)), "TailFin"]
        self.spine_ends = np.linspace(root, 1.0 - s.head, torso + 1)
        self.tail_ends = np.array([*np.linspace(root, min(s.caudal, 0.9 * root), tail + 1), end])
        self._skeleton()
        self._trunk()
        self._head()
        self._tail_fin()
        self._dorsal_fins()
        self._belly_fins()
        self._pectoral_fin()

    def point(self, u: float, up: float = 0.0) -> ndarray:
        """Return the point of the middle line at a share of the length from the tail's end, `up` metres above it."""
        return np.array([0.0, self.height + up, (u - 0.5) * self.s.length])

    def radius(self, u: float) -> float:
        """Return half the depth of the body at a share of the length from the tail's end, metres."""
        s = self.s
        R, front, thick = 0.5 * s.depth * s.length, 1.0 - s.beak * s.head, 1.0 - s.thickest
        if u >= thick:
            x = np.clip((front - u) / (front - thick), 0.0, 1.0)
            return float(R * (s.snout + (1.0 - s.snout) * np.sin(0.5 * np.pi * x) ** 0.9))
        x = np.clip((thick - u) / (thick - s.caudal), 0.0, 1.0)
        return float(R * (s.peduncle + (1.0 - s.peduncle) * 0.5 * (1.0 + np.cos(np.pi * x**1.1))))

    def bone_at(self, u: float) -> str:
        """Return the bone of spine or tail at a share of the length from the tail's end."""
        if u >= self.spine_ends[0]:
            place = int(np.searchsorted(self.spine_ends, u, side="right")) - 1
            return self.spine[min(place, len(self.spine) - 1)]
        place = int(np.searchsorted(-self.tail_ends, -u)) - 1
        return self.tail[int(np.clip(place, 0, len(self.tail) - 2))]

    def _skeleton(self) -> None:
        builder = self.builder
        builder.chain(self.spine, None, [self.point(u) for u in self.spine_ends], BodyPart.TORSO)
        builder.chain(["Head"], "Chest", [self.point(self.spine_ends[-1]), self.point(1.0)], BodyPart.HEAD)
        builder.chain(self.tail, "Hips", [self.point(u) for u in self.tail_ends], BodyPart.TAIL)
        builder.limb(BodyPart.TAIL, self.tail)

    def _trunk(self) -> None:
        """Add the tube of spine and tail, two cones for every bone."""
        chains = zip(self.spine, self.spine_ends[:-1], self.spine_ends[1:], strict=True)
        back = zip(self.tail[:-1], self.tail_ends[:-2], self.tail_ends[1:-1], strict=True)
        for bone, start, end in (*chains, *back):
            middle = 0.5 * (start + end)
            self._tube(bone, [start, middle, end])
        base = self.tail_ends[-2]
        self._tube("TailFin", [base, base - 0.25 * self.s.caudal], [1.0, 0.7])

    def _tube(self, bone: str, places: Sequence[float], factors: Sequence[float] | None = None) -> None:
        radii = [self.radius(u) for u in places]
        if factors is not None:
            radii = [r * f for r, f in zip(radii, factors, strict=True)]
        blend = 0.12 * max(radii)
        for i in range(len(places) - 1):
            ends = self.point(places[i]), self.point(places[i + 1])
            self.builder.cone(bone, *ends, radii[i], radii[i + 1], squash=self.s.width, blend=blend)

    def _head(self) -> None:
        s, builder, L = self.s, self.builder, self.s.length
        length, base = s.head, 1.0 - s.head
        front = 1.0 - s.beak * length
        tip = self.radius(front)
        places = [base + share * (front - tip / L - base) for share in (0.0, 0.35, 0.7, 1.0)]
        self._tube("Head", places)
        chin = front - s.overhang * length
        hinge = max(chin - s.mouth * length, base + 0.02 * length)
        deep, thin = self.radius(hinge), self.radius(chin - 0.05 * length)
        low = (0.72 if s.overhang > 0.1 else 0.5) * deep
        jaw_end = self.point(chin - 0.4 * thin / L, -(0.8 if s.overhang > 0.1 else 0.62) * thin)
        if s.beak > 0.02:
            jaw_end = self._beak(front, tip, length)
        builder.chain(["Jaw"], "Head", [self.point(hinge, -low), jaw_end], BodyPart.HEAD)
        pale = mix_colours(self.coat.back, self.coat.belly, 0.4 + 0.6 * self.coat.countershade)
        builder.group("jaw", 0.06 * deep)
        lip: ConeOptions = {"squash": 0.92 * s.width, "group": "jaw", "colour": pale, "blend": 0.1 * thin}
        end = 0.42 * thin if s.beak <= 0.02 else 0.13 * tip
        builder.cone("Jaw", self.point(hinge, -low), jaw_end, 0.46 * deep, end, **lip)
        at, r = base + 0.62 * (chin - base), self.radius(base + 0.62 * (chin - base))
        builder.eye(
            "Head",
            self.point(at, 0.3 * r if s.fluke < 0.5 else 0.02 * r) + 0.85 * s.width * r * X_LEFT,
            s.eye * length * L,
            X_LEFT + 0.25 * Z_FORWARD + 0.05 * Y_UP,
            self.coat.eye,
            self.coat.eye if s.fluke > 0.5 else (0.75, 0.74, 0.68),
            pupil_angle=0.75,
            iris_angle=1.05,
            sink_depth=0.5,
        )
        builder.refine(self.point(base + 0.6 * length), 0.8 * length * L, 0.45)

    def _beak(self, front: float, tip: float, length: float) -> ndarray:
        """Add the upper half of a beak before the forehead; returns where the lower half ends."""
        low, long = -0.45 * tip, self.s.beak * length
        start, end = self.point(front - 0.4 * long, low), self.point(1.0 - 0.12 * tip / self.s.length, 1.35 * low)
        self.builder.cone("Head", start, end, 0.5 * tip, 0.16 * tip, squash=1.15, blend=0.15 * tip)
        return end - 0.22 * tip * Y_UP - 0.1 * tip * Z_FORWARD

    def _plate(
        self, bone: str, start: ndarray, end: ndarray, wide: float, tip: float, *, normal: ndarray = X_LEFT, **options
    ) -> None:
        """Add a flat cone: the hull of two discs, a fin's base of half width `wide` and its tip."""
        given: ConeOptions = {"colour": self.fin_colour, "blend": 0.1 * wide, **options}
        squash = min(0.5, self.flat / wide)
        self.builder.cone(bone, start, end, wide, tip, squash=squash, squash_axis=normal, **given)

    def _tail_fin(self) -> None:
        """Add two lobes that meet in the fork, upright or (a fluke) level."""
        s, L = self.s, self.s.length
        stalk = self.point(s.caudal)
        level = s.fluke > 0.5
        group = self.builder.group("tail fin", 0.25 * self.radius(s.caudal))
        normal = Y_UP if level else X_LEFT
        long, wide = s.caudal * L, 0.19 * L * (0.6 * s.caudal + 0.5 * s.span)
        lean = 0.93 - 0.1 * (1.0 - s.fork)
        web = (1.0 - 0.72 * s.fork) * lean * long
        self._plate(
            "TailFin",
            stalk - 0.1 * long * Z_FORWARD,
            stalk - web * Z_FORWARD,
            0.75 * wide,
            0.8 * wide,
            normal=normal,
            group=group,
        )
        shares = (0.5,) if level else (s.upper, s.upper - 1.0)
        for share in shares:
            aside = (X_LEFT if level else Y_UP) * share * s.span * L
            root = stalk - 0.12 * long * Z_FORWARD
            tip_wide = (0.22 + 0.7 * (1.0 - s.fork)) * wide
            tip = stalk - (lean * long - 0.5 * tip_wide) * Z_FORWARD + aside * (1.0 - tip_wide / max(s.span * L, 1e-9))
            self._plate("TailFin", root, tip, wide, tip_wide, normal=normal, group=group, both=level)
            if s.fork < 0.75:
                self._plate(
                    "TailFin",
                    root,
                    0.5 * (tip + stalk - web * Z_FORWARD),
                    wide,
                    wide,
                    normal=normal,
                    group=group,
                    both=level,
                )
        self.builder.refine(stalk - 0.5 * long * Z_FORWARD, 0.7 * long, 0.4)

    def _dorsal_fins(self) -> None:
        s, L = self.s, self.s.length
        at = 1.0 - s.dorsal_at
        if s.dorsal > 0.005 and s.dorsal_chord > RIBBON_CHORD:
            self._ribbon(at + 0.5 * s.dorsal_chord, max(at - 0.5 * s.dorsal_chord, 0.3 * s.caudal), s.dorsal * L, 1.0)
        elif s.dorsal > 0.005:
            top = self.radius(at)
            group = self.builder.group("dorsal", 0.06 * L * s.depth)
            height, half = s.dorsal * L, 0.5 * s.dorsal_chord * L
            base = self.point(at, 0.8 * top)
            tip = self.point(at, top + 0.92 * height) - s.sweep * height * Z_FORWARD
            holder = self.bone_at(at)
            holder = "Spine1" if holder == "Hips" else holder  # only the tail leads back from the root
            self.builder.chain(
                ["Dorsal"], holder, [base, tip], BodyPart.TAIL if holder in self.tail else BodyPart.TORSO
            )
            rear = base - 0.75 * half * Z_FORWARD
            self._plate(
                "Dorsal", base + 0.12 * height * Y_UP, tip, min(0.7 * half, 0.9 * height), 0.12 * half, group=group
            )
            self._plate(
                "Dorsal",
                base + 0.3 * half * Z_FORWARD,
                base + 0.35 * (tip - base),
                0.7 * half,
                0.45 * half,
                group=group,
            )
            self._plate("Dorsal", rear, rear + 0.4 * height * Y_UP, 0.35 * half, 0.2 * half, group=group)
        if s.second > 0.005:
            self._small_fin(max(0.5 * (s.caudal + 0.34), s.caudal + 0.05), s.second * L, 1.0, "second")

    def _belly_fins(self) -> None:
        s, L = self.s, self.s.length
        if s.anal > 0.005 and s.dorsal_chord > RIBBON_CHORD:
            self._ribbon(min(0.62, 1.02 - s.dorsal_at), 0.3 * s.caudal, s.anal * L, -1.0)
        elif s.anal > 0.005:
            self._small_fin(max(0.34, s.caudal + 0.1), s.anal * L, -1.0, "anal")
        if s.pelvic > 0.01:
            u, long = 0.5, s.pelvic * L
            base = self.point(u, -0.82 * self.radius(u)) + 0.3 * s.width * self.radius(u) * X_LEFT
            tip = base + long * (0.25 * X_LEFT - 0.45 * Y_UP - 0.8 * Z_FORWARD)
            group = self.builder.group("pelvic", 0.02 * L)
            along = (tip - base) / np.linalg.norm(tip - base)
            normal = X_LEFT - (X_LEFT @ along) * along
            normal /= np.linalg.norm(normal)
            self._plate(self.bone_at(u), base, tip, 0.22 * long, 0.12 * long, normal=normal, group=group, both=True)

    def _small_fin(self, u: float, height: float, side: float, name: str) -> None:
        """Add a fin without a bone of its own on the back (side 1) or below the belly (side -1)."""
        r = self.radius(u)
        base = self.point(u, side * 0.85 * r)
        tip = self.point(u, side * (r + 0.9 * height)) - self.s.sweep * height * Z_FORWARD
        group = self.builder.group(name, 0.02 * self.s.length)
        self._plate(self.bone_at(u), base, tip, 0.6 * height + 0.01 * self.s.length, 0.16 * height, group=group)

    def _ribbon(self, front: float, rear: float, height: float, side: float) -> None:
        """Add a fin along the back or the belly, highest behind its middle, that moves with the bones below it."""
        ends = [u for u in (*self.spine_ends[::-1], *self.tail_ends[1:]) if rear < u < front]
        places = [front, *ends, rear]
        places = sorted({*places, *(0.5 * (a + b) for a, b in pairwise(places))}, reverse=True)
        group = self.builder.group("ribbon" if side > 0 else "lower ribbon", 0.02 * self.s.length)
        for a, b in pairwise(places):
            x = np.clip((front - np.array([a, b])) / max(front - rear, 1e-9), 0.0, 1.0)
            long_taper, round_taper = (
                np.minimum(np.minimum(0.25 + 4.0 * x, 0.2 + 2.0 * (1.0 - x)), 1.0),
                0.3 + 0.7 * np.sin(np.pi * x**1.2) ** 0.6,
            )
            tall = height * (long_taper if self.s.depth < SLENDER_DEPTH else round_taper)
            start, end = (self.point(u, side * 0.95 * self.radius(u)) for u in (a, b))
            bone = self.bone_at(0.5 * (a + b)) if 0.5 * (a + b) > self.tail_ends[-2] else "TailFin"
            self._plate(bone, start, end, float(tall[0]), float(tall[1]), group=group)

    def _pectoral_fin(self) -> None:
        s, L, builder = self.s, self.s.length, self.builder
        at = self.spine_ends[-1] - 0.02 - 0.25 * (self.spine_ends[-1] - self.spine_ends[-2])
        r, long = self.radius(at), s.pectoral * L
        shoulder = self.point(at, -0.35 * r) + 0.72 * s.width * r * X_LEFT
        out = 0.92 - 0.35 * s.upright
        along = out * X_LEFT - (0.12 + 0.1 * s.upright) * Y_UP - (0.45 + 0.35 * s.upright) * Z_FORWARD
        along /= np.linalg.norm(along)
        normal = (1.0 - s.upright) * Y_UP + s.upright * (X_LEFT + 0.5 * Z_FORWARD)
        normal = normal - (normal @ along) * along
        normal /= np.linalg.norm(normal)
        points = [shoulder, shoulder + 0.48 * long * along, shoulder + long * along]
        builder.chain(["Fin1.L", "Fin2.L"], "Chest", points, BodyPart.WING)
        builder.limb(BodyPart.WING, ["Fin1.L", "Fin2.L"])
        group = builder.group("fin.L", 0.15 * r)
        wide = 0.5 * s.pectoral_chord * long
        tip = points[2] - 0.25 * wide * along
        self._plate("Fin1.L", points[0], points[1], 0.7 * wide, 0.85 * wide, normal=normal, group=group)
        self._plate("Fin2.L", points[1], tip, 0.85 * wide, 0.3 * wide, normal=normal, group=group)
        builder.refine(points[1], 0.8 * long, 0.5)
