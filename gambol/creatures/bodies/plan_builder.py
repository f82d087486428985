"""Builds a body plan from its left half."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart, Side
from gambol.character.colour import Colour
from gambol.creatures.bodies.body_plan import (
    BODY_GROUP,
    X_LEFT,
    CreatureBodyPlan,
    Eye,
    FleshCone,
    Joint,
    LimbPlan,
    RefinedRegion,
    Vec3,
    mirror_point,
    other_side,
    side_of,
    vector,
)
from gambol.creatures.bodies.coat import Coat

Point = ndarray | Vec3
"""Three coordinates in file space, metres."""
ConeOptions = dict[str, Any]
"""Keyword arguments of `PlanBuilder.cone` that several cones share."""


@dataclass
class PlanBuilder:
    """Collects the left half of a body; `build` mirrors every bone, cone and limb whose name ends in .L."""

    joints: list[Joint] = field(default_factory=list)
    """Bones so far."""
    flesh: list[FleshCone] = field(default_factory=list)
    """Cones so far."""
    limbs: list[LimbPlan] = field(default_factory=list)
    """Limbs so far."""
    eyes: list[Eye] = field(default_factory=list)
    """Eyes so far, both sides."""
    refined_regions: list[RefinedRegion] = field(default_factory=list)
    """Refined regions so far, both sides."""
    group_blends: dict[str, float] = field(default_factory=dict)
    """Radius of the smooth union of each group with the body, metres."""

    def chain(self, names: list[str], parent: str | None, points: Sequence[Point], part: BodyPart) -> None:
        """Add a chain of bones, each from one point to the next."""
        for i, name in enumerate(names):
            end = vector(points[i + 1]) if i == len(names) - 1 else None
            self.joints.append(Joint(name, parent, vector(points[i]), part, end))
            parent = name

    def tube(self, names: list[str], points: Sequence[Point], radii: Sequence[float], **options: Any) -> None:
        """Add cones along a chain: bone i from point i to point i + 1, with a radius at every point."""
        for i, name in enumerate(names):
            self.cone(name, points[i], points[i + 1], radii[i], radii[i + 1], **options)

    def cone(
        self,
        bone: str,
        start: Point,
        end: Point,
        start_radius: float,
        end_radius: float,
        *,
        both: bool = False,
        squash_axis: Point = X_LEFT,
        **options: Any,
    ) -> None:
        """Add a cone; `options` are other fields of `FleshCone`, `both` adds its mirror image on the same bone too."""
        ends = vector(start), vector(end), float(start_radius), float(end_radius)
        piece = FleshCone(bone, *ends, squash_axis=vector(squash_axis), **options)
        self.flesh.append(piece)
        if both:
            self.flesh.append(_mirror_flesh(piece))

    def ball(self, bone: str, centre: Point, radius: float, **options: Any) -> None:
        """Add a ball, or a disc if it is squashed."""
        self.cone(bone, centre, centre, radius, radius, **options)

    def group(self, name: str, blend: float) -> str:
        """Declare a group of flesh and the radius of its smooth union with the body; returns its name."""
        self.group_blends[name] = float(blend)
        return name

    def limb(self, part: BodyPart, bones: list[str], *, pair: int = 0, contact: str | None = None) -> None:
        """Declare that a chain of bones is a limb."""
        self.limbs.append(LimbPlan(part, tuple(bones), pair, contact))

    def eye(
        self, bone: str, centre: Point, radius: float, gaze: Point, iris: Colour, white: Colour, **options: Any
    ) -> None:
        """Add a pair of eyes, given the left one."""
        left = Eye(
            bone, vector(centre), float(radius), vector(np.array(gaze) / np.linalg.norm(gaze)), iris, white, **options
        )
        self.eyes += [left, replace(left, centre=mirror_point(left.centre), gaze=mirror_point(left.gaze))]

    def refine(self, centre: Point, radius: float, strength: float = 0.5) -> None:
        """Refine the mesh around a point, and around its mirror image if it is off the middle plane."""
        here = RefinedRegion(vector(centre), float(radius), strength)
        self.refined_regions.append(here)
        if abs(here.centre[0]) > 1e-9:
            self.refined_regions.append(replace(here, centre=mirror_point(here.centre)))

    def graft(
        self, donor: PlanBuilder, names: Mapping[str, str], parent: str, *, scale: float, shift: ndarray, prefix: str
    ) -> None:
        """Add the bones of another body that `names` lists, under new names, with flesh, eyes and limbs of theirs.

        Points move to scale x + shift. Bones whose parent is left behind hang on `parent`; `prefix` keeps the donor's
        groups of flesh apart.
        """

        def place(v: Vec3) -> Vec3:
            return vector(scale * np.array(v) + shift)

        def group(name: str) -> str:
            return BODY_GROUP if name == BODY_GROUP else prefix + name

        for j in donor.joints:
            if j.name in names:
                above = names.get(j.parent or "", parent)
                end = None if j.end is None else place(j.end)
                self.joints.append(replace(j, name=names[j.name], parent=above, position=place(j.position), end=end))
        for f in donor.flesh:
            if f.bone in names:
                lengths = {k: scale * getattr(f, k) for k in ("start_radius", "end_radius", "blend", "skin_grip")}
                moved = replace(f, start=place(f.start), end=place(f.end), **lengths)
                self.flesh.append(replace(moved, bone=names[f.bone], group=group(f.group)))
        for limb in donor.limbs:
            if all(b in names for b in limb.bones):
                self.limbs.append(replace(limb, bones=tuple(names[b] for b in limb.bones)))
        for eye in donor.eyes:
            self.eyes.append(replace(eye, bone=names[eye.bone], centre=place(eye.centre), radius=scale * eye.radius))
        self.refined_regions += [
            replace(r, centre=place(r.centre), radius=scale * r.radius) for r in donor.refined_regions
        ]
        self.group_blends |= {group(name): scale * blend for name, blend in donor.group_blends.items()}

    def build(self, name: str, coat: Coat, *, gap: float) -> CreatureBodyPlan:
        """Mirror the left half and return the whole plan; limbs keep `gap` metres from the middle plane."""
        joints = list(self.joints)
        joints += [_mirror_joint(j) for j in self.joints if j.side == Side.LEFT]
        flesh = list(self.flesh)
        flesh += [_mirror_flesh(f) for f in self.flesh if side_of(f.bone) == Side.LEFT]
        limbs = [LimbPlan(part, bones) for part, bones in self._trunk().items() if bones] + self.limbs
        limbs += [_mirror_limb(limb) for limb in self.limbs if limb.side == Side.LEFT]
        groups = {BODY_GROUP: 0.0, **self.group_blends}
        groups |= {other_side(group): blend for group, blend in self.group_blends.items()}
        used = {f.group for f in flesh}
        groups = {group: blend for group, blend in groups.items() if group in used}
        ordered = _depth_first(joints)
        return CreatureBodyPlan(
            name, ordered, tuple(flesh), tuple(limbs), tuple(self.eyes), coat, groups, tuple(self.refined_regions), gap
        )

    def _trunk(self) -> dict[BodyPart, tuple[str, ...]]:
        """Return the chains that every body has: the torso, and the head with an elephant's trunk."""
        held = {j.parent for j in self.joints}  # what holds nothing is a fin on the back
        torso = tuple(j.name for j in self.joints if j.part == BodyPart.TORSO and (j.parent is None or j.name in held))
        head = tuple(j.name for j in self.joints if j.name == "Head" or j.name.startswith("Trunk"))
        return {BodyPart.TORSO: torso, BodyPart.HEAD: head}


def _mirror_joint(joint: Joint) -> Joint:
    end = None if joint.end is None else mirror_point(joint.end)
    parent = None if joint.parent is None else other_side(joint.parent)
    return replace(joint, name=other_side(joint.name), parent=parent, position=mirror_point(joint.position), end=end)


def _mirror_flesh(piece: FleshCone) -> FleshCone:
    return replace(
        piece,
        bone=other_side(piece.bone),
        start=mirror_point(piece.start),
        end=mirror_point(piece.end),
        squash_axis=mirror_point(piece.squash_axis),
        group=other_side(piece.group),
    )


def _mirror_limb(limb: LimbPlan) -> LimbPlan:
    contact = None if limb.contact is None else other_side(limb.contact)
    return replace(limb, bones=tuple(other_side(b) for b in limb.bones), contact=contact)


def _depth_first(joints: list[Joint]) -> tuple[Joint, ...]:
    below: dict[str | None, list[Joint]] = {}
    for joint in joints:
        below.setdefault(joint.parent, []).append(joint)
    order: list[Joint] = []
    pending = list(reversed(below.get(None, [])))
    while pending:
        joint = pending.pop()
        order.append(joint)
        pending.extend(reversed(below.get(joint.name, [])))
    return tuple(order)
