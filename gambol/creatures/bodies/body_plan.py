"""The plan of a creature: joints, the flesh around them, limbs and eyes. File space: y up, facing +z, left is +x."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart, Side
from gambol.character.colour import Colour
from gambol.errors import AssetError

Vector = tuple[float, float, float]

LEFT, RIGHT = ".L", ".R"
BODY = "body"
"""The group of flesh that all limbs grow from."""


@dataclass(frozen=True)
class Joint:
    """A bone's joint at rest."""

    name: str
    parent: str | None
    position: Vector
    """Metres, file space."""
    part: BodyPart
    end: Vector | None = None
    """Where a bone without children ends."""

    @property
    def side(self) -> Side:
        """From the name's suffix."""
        return side_of(self.name)


@dataclass(frozen=True)
class Flesh:
    """A round cone: the hull of two balls, made thin along one direction; it moves with one bone."""

    bone: str
    start: Vector
    end: Vector
    start_radius: float
    end_radius: float
    thin: float = 1.0
    """Thickness along `across` as a share of the round one."""
    across: Vector = (1.0, 0.0, 0.0)
    """Unit vector along which the flesh is thin."""
    blend: float = 0.0
    """Radius of the smooth joint with the flesh of its group that came before, metres."""
    group: str = BODY
    colour: Colour | None = None
    """None wears the coat."""
    grip: float = 0.0
    """How far beyond its own surface it holds the skin above it (a shoulder blade below the hide), metres."""
    firm: bool = False
    """Whether it has a sharp border of colour and no pattern (beak, hoof, nose, shoe)."""


@dataclass(frozen=True)
class Eye:
    """An eyeball: a closed ball of its own, half sunk into the head."""

    bone: str
    centre: Vector
    radius: float
    gaze: Vector
    """Unit vector from the centre to the pupil."""
    iris: Colour
    white: Colour
    pupil: float = 0.5
    """Angle of the pupil's edge from the gaze, radians."""
    rim: float = 1.0
    """Angle of the iris's edge from the gaze, radians."""
    sunk: float = 0.4
    """How deep the middle lies below the skin, in radii."""


@dataclass(frozen=True)
class LimbPlan:
    """One chain of bones by name (see `gambol.character.anatomy.anatomy.Limb`)."""

    part: BodyPart
    bones: tuple[str, ...]
    pair: int = 0
    contact: str | None = None

    @property
    def side(self) -> Side:
        """From the suffix of its bones."""
        return side_of(self.bones[-1])


@dataclass(frozen=True)
class Lens:
    """A ball in which the mesh is finer: the grid is drawn together towards the centre."""

    centre: Vector
    radius: float
    """Metres; the effect fades like exp(-r^2 / radius^2)."""
    strength: float = 0.5
    """Spacing at the centre is 1 - strength of the normal one."""


@dataclass(frozen=True)
class Coat:
    """Colours and pattern of the skin; linear light."""

    back: Colour
    belly: Colour
    ends: Colour
    """Socks, lower legs."""
    hair: Colour
    """Mane, tail tuft, hair, crest."""
    horn: Colour = (0.02, 0.018, 0.016)
    """Hooves, nose, beak, claws."""
    eye: Colour = (0.12, 0.05, 0.01)
    tip: Colour | None = None
    """The last part of the tail, where it differs."""
    head: Colour | None = None
    """A bird's head, where it differs."""
    muzzle: Colour | None = None
    """The muzzle, where it is not between back and belly."""
    mark: Colour = (0.02, 0.015, 0.01)
    """The colour of stripes and spots."""
    stripes: float = 0.0
    """0 to 1: how strong stripes are."""
    spots: float = 0.0
    """0 to 1: how strong round spots are (a fawn, a leopard)."""
    patches: float = 0.0
    """0 to 1: how much of the skin large patches cover (a cow)."""
    net: float = 0.0
    """0 to 1: how strong large cells are that leave a net of the coat's colour between them (a giraffe)."""
    scale: float = 0.12
    """Wavelength of the pattern as a share of the creature's size."""
    shift: float = 0.0
    """Where in the endless pattern this skin was cut from, in sizes of the creature."""
    socks: float = 0.0
    """Height of the socks as a share of the creature's height."""
    countershade: float = 0.7
    """0 to 1: how far the belly takes its own colour."""


@dataclass(frozen=True)
class CreaturePlan:
    """Everything that is known about a creature before it has a surface; joints in depth-first order."""

    name: str
    joints: tuple[Joint, ...]
    flesh: tuple[Flesh, ...]
    limbs: tuple[LimbPlan, ...]
    eyes: tuple[Eye, ...]
    coat: Coat
    group_blends: dict[str, float]
    """How smoothly each group of flesh grows out of the body, metres."""
    lenses: tuple[Lens, ...] = ()
    gap: float = 0.0
    """Left and right limbs stay this far from the middle plane, metres."""

    def __post_init__(self) -> None:
        if [j.name for j in self.joints if j.parent is None] != [self.joints[0].name]:
            raise AssetError(f"{self.name}: a plan needs one root, and it must be the first joint.")
        known = set(self.names)
        lost = [b for b in [f.bone for f in self.flesh] + [e.bone for e in self.eyes] if b not in known]
        lost += [b for limb in self.limbs for b in limb.bones if b not in known]
        if lost or len(known) != len(self.joints):
            raise AssetError(f"{self.name}: the plan names bones that do not exist, or one twice: {', '.join(lost)}.")

    @property
    def names(self) -> tuple[str, ...]:
        """Bone names, parents first."""
        return tuple(j.name for j in self.joints)

    @cached_property
    def index(self) -> dict[str, int]:
        """Number of each bone."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def parents(self) -> Int[ndarray, "bones"]:
        """Number of each bone's parent, -1 for the root."""
        return np.array([-1 if j.parent is None else self.index[j.parent] for j in self.joints])

    @cached_property
    def heads(self) -> Float[ndarray, "bones 3"]:
        """Joint positions at rest."""
        return np.array([j.position for j in self.joints], dtype=float)


def side_of(name: str) -> Side:
    """Left, right or middle by the suffix .L or .R."""
    return {LEFT: Side.LEFT, RIGHT: Side.RIGHT}.get(name[-2:], Side.MIDDLE)


def other_side(name: str) -> str:
    """The name with .L for .R and the other way round."""
    return name[:-2] + {LEFT: RIGHT, RIGHT: LEFT}[name[-2:]] if side_of(name) != Side.MIDDLE else name


def mirrored(v: Vector) -> Vector:
    """The point on the other side of the middle plane."""
    return (-v[0], v[1], v[2])


def vector(values: ndarray | tuple[float, ...] | list[float]) -> Vector:
    """Three plain floats."""
    x, y, z = (float(value) for value in values)
    return (x, y, z)
