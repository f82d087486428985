"""The plan of a creature's body: joints, the flesh around them, limbs and eyes.

Plans are in file space: metres, y up, facing +z, left is +x.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart, Side
from gambol.character.colour import Colour
from gambol.character.rigging.template_joints import LEFT_SUFFIX, RIGHT_SUFFIX
from gambol.creatures.bodies.coat import Coat
from gambol.errors import GambolError

Vec3 = tuple[float, float, float]
"""A point or direction in file space."""
X_LEFT, Y_UP, Z_FORWARD = np.eye(3)
"""Unit vectors of file space."""
BODY_GROUP = "body"
"""Name of the group of flesh that all other groups grow out of."""


@dataclass(frozen=True)
class Joint:
    """A bone of the plan, given by its joint at rest."""

    name: str
    """Name of the bone; left and right bones end in .L and .R."""
    parent: str | None
    """Name of the parent bone; None for the root."""
    position: Vec3
    """Position of the joint, metres."""
    part: BodyPart
    """Which part of the body the bone belongs to."""
    end: Vec3 | None = None
    """Where a bone without children ends, metres."""

    @property
    def side(self) -> Side:
        """Side of the body, from the name's suffix."""
        return side_of(self.name)


@dataclass(frozen=True)
class FleshCone:
    """A round cone (the hull of two balls, optionally squashed along one axis) that moves with one bone."""

    bone: str
    """Name of the bone that the cone moves with."""
    start: Vec3
    """Centre of the first ball, metres."""
    end: Vec3
    """Centre of the second ball, metres."""
    start_radius: float
    """Radius of the first ball, metres."""
    end_radius: float
    """Radius of the second ball, metres."""
    squash: float = 1.0
    """Scale of the thickness along `squash_axis`; 1 is round."""
    squash_axis: Vec3 = (1.0, 0.0, 0.0)
    """Unit vector along which the cone is squashed."""
    blend: float = 0.0
    """Radius of the smooth union with the earlier cones of its group, metres."""
    group: str = BODY_GROUP
    """Group of flesh; cones of a group form one smooth union, which then grows out of the body."""
    colour: Colour | None = None
    """Colour of its own; None has the coat's colours."""
    skin_grip: float = 0.0
    """How far beyond its own surface it moves the skin (a shoulder blade below the hide), metres."""
    hard_edge: bool = False
    """Whether its colour has a sharp border (beak, hoof, nose, shoe)."""


@dataclass(frozen=True)
class Eye:
    """An eyeball: a closed ball of its own, partly sunk into the head."""

    bone: str
    """Name of the bone that the eye moves with."""
    centre: Vec3
    """Centre of the ball, metres."""
    radius: float
    """Radius of the ball, metres."""
    gaze: Vec3
    """Unit vector from the centre to the pupil."""
    iris: Colour
    """Colour of the iris."""
    white: Colour
    """Colour around the iris."""
    pupil_angle: float = 0.5
    """Angle of the pupil's edge from the gaze, radians."""
    iris_angle: float = 1.0
    """Angle of the iris's edge from the gaze, radians."""
    sink_depth: float = 0.4
    """Depth of the centre below the skin, in radii."""


@dataclass(frozen=True)
class LimbPlan:
    """A chain of bones by name (see `gambol.character.anatomy.anatomy.Limb`)."""

    part: BodyPart
    """What kind of limb it is."""
    bones: tuple[str, ...]
    """Names of the bones, from the trunk outwards."""
    pair: int = 0
    """Number of the pair of legs, from front to back."""
    contact: str | None = None
    """Name of the bone that stands on the ground; None for limbs that do not."""

    @property
    def side(self) -> Side:
        """Side of the body, from the suffix of its bones."""
        return side_of(self.bones[-1])


@dataclass(frozen=True)
class RefinedRegion:
    """A ball in which the mesh is finer: the grid is drawn together towards its centre."""

    centre: Vec3
    """Centre of the ball, metres."""
    radius: float
    """Radius in metres; the refinement fades as exp(-r^2 / radius^2)."""
    strength: float = 0.5
    """Grid spacing at the centre is 1 - strength of the normal one."""


@dataclass(frozen=True)
class CreatureBodyPlan:
    """Everything that is known about a creature before it has a surface."""

    name: str
    """Name of the creature."""
    joints: tuple[Joint, ...]
    """All bones in depth-first order, the root first."""
    flesh: tuple[FleshCone, ...]
    """All flesh; within a group the order matters, since smooth unions depend on it."""
    limbs: tuple[LimbPlan, ...]
    """Torso, head, neck, tail, legs, arms and wings as chains of bones."""
    eyes: tuple[Eye, ...]
    """All eyeballs."""
    coat: Coat
    """Colours and pattern of the skin."""
    group_blends: dict[str, float]
    """Radius of the smooth union of each group of flesh with the body, metres."""
    refined_regions: tuple[RefinedRegion, ...] = ()
    """Where the mesh is finer."""
    gap: float = 0.0
    """Distance that left and right limbs keep from the middle plane, metres."""

    def __post_init__(self) -> None:
        if [j.name for j in self.joints if j.parent is None] != [self.joints[0].name]:
            raise GambolError(f"{self.name}: a plan needs one root, and it must be the first joint.")
        known = set(self.names)
        lost = [b for b in [f.bone for f in self.flesh] + [e.bone for e in self.eyes] if b not in known]
        lost += [b for limb in self.limbs for b in limb.bones if b not in known]
        if lost or len(known) != len(self.joints):
            raise GambolError(f"{self.name}: the plan names bones that do not exist, or one twice: {', '.join(lost)}.")

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all bones, parents first."""
        return tuple(j.name for j in self.joints)

    @cached_property
    def index(self) -> dict[str, int]:
        """Index of each bone by name."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def parents(self) -> Int[ndarray, "bones"]:
        """Index of each bone's parent, -1 for the root."""
        return np.array([-1 if j.parent is None else self.index[j.parent] for j in self.joints])

    @cached_property
    def heads(self) -> Float[ndarray, "bones 3"]:
        """Joint positions at rest, metres."""
        return np.array([j.position for j in self.joints], dtype=float)


def side_of(name: str) -> Side:
    """Return the side of a bone or group from the suffix .L or .R of its name."""
    return {LEFT_SUFFIX: Side.LEFT, RIGHT_SUFFIX: Side.RIGHT}.get(name[-2:], Side.MIDDLE)


def other_side(name: str) -> str:
    """Exchange the suffixes .L and .R; other names stay as they are."""
    return (
        name[:-2] + {LEFT_SUFFIX: RIGHT_SUFFIX, RIGHT_SUFFIX: LEFT_SUFFIX}[name[-2:]]
        if side_of(name) != Side.MIDDLE
        else name
    )


def mirror_point(v: Vec3) -> Vec3:
    """Mirror a point at the middle plane x = 0."""
    return (-v[0], v[1], v[2])


def vector(values: ndarray | tuple[float, ...] | list[float]) -> Vec3:
    """Convert three numbers to a tuple of floats."""
    x, y, z = (float(value) for value in values)
    return (x, y, z)
