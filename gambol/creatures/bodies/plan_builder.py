"""Building a plan from its left half."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart, Side
from gambol.character.colour import Colour
from gambol.creatures.bodies.body_plan import (
    BODY,
    Coat,
    CreaturePlan,
    Eye,
    Flesh,
    Joint,
    Lens,
    LimbPlan,
    Vector,
    mirrored,
    other_side,
    side_of,
    vector,
)

Point = ndarray | Vector
"""Three numbers, metres, file space."""
Looks = dict[str, Any]
"""Fields of `Flesh` that several pieces share."""


@dataclass
class PlanBuilder:
    """Collects a plan from its left half: whatever is named .L (or marked `both`) is mirrored by `build`."""

    joints: list[Joint] = field(default_factory=list)
    flesh: list[Flesh] = field(default_factory=list)
    limbs: list[LimbPlan] = field(default_factory=list)
    eyes: list[Eye] = field(default_factory=list)
    lenses: list[Lens] = field(default_factory=list)
    group_blends: dict[str, float] = field(default_factory=dict)

    def chain(self, names: list[str], parent: str | None, points: Sequence[Point], part: BodyPart) -> None:
        """Bones one below the other, from each point to the next."""
        for i, name in enumerate(names):
            end = vector(points[i + 1]) if i == len(names) - 1 else None
            self.joints.append(Joint(name, parent, vector(points[i]), part, end))
            parent = name

    def tube(self, names: list[str], points: Sequence[Point], radii: Sequence[float], **looks: Any) -> None:
        """Flesh along a chain: bone i from point i to point i + 1, with a radius at every point."""
        for i, name in enumerate(names):
            self.cone(name, points[i], points[i + 1], radii[i], radii[i + 1], **looks)

    def cone(
        self,
        bone: str,
        start: Point,
        end: Point,
        start_radius: float,
        end_radius: float,
        *,
        both: bool = False,
        **looks: Any,
    ) -> None:
        """One piece of flesh, `looks` being fields of `Flesh`; with `both` also its mirror image on the same bone."""
        piece = Flesh(bone, vector(start), vector(end), float(start_radius), float(end_radius), **looks)
        self.flesh.append(piece)
        if both:
            self.flesh.append(_mirror_flesh(piece))

    def ball(self, bone: str, centre: Point, radius: float, **looks: Any) -> None:
        """A ball, or a disc where it is thin."""
        self.cone(bone, centre, centre, radius, radius, **looks)

    def group(self, name: str, blend: float) -> str:
        """A group of flesh that grows out of the body with this smoothness; left groups get a mirror image."""
        self.group_blends[name] = float(blend)
        return name

    def limb(self, part: BodyPart, bones: list[str], *, pair: int = 0, contact: str | None = None) -> None:
        """A chain of bones that belongs together."""
        self.limbs.append(LimbPlan(part, tuple(bones), pair, contact))

    def eye(
        self, bone: str, centre: Point, radius: float, gaze: Point, iris: Colour, white: Colour, **looks: Any
    ) -> None:
        """A pair of eyes, given the left one."""
        left = Eye(
            bone, vector(centre), float(radius), vector(np.array(gaze) / np.linalg.norm(gaze)), iris, white, **looks
        )
        self.eyes += [left, replace(left, centre=mirrored(left.centre), gaze=mirrored(left.gaze))]

    def lens(self, centre: Point, radius: float, strength: float = 0.5) -> None:
        """A finer place of the mesh; one off the middle is mirrored."""
        here = Lens(vector(centre), float(radius), strength)
        self.lenses.append(here)
        if abs(here.centre[0]) > 1e-9:
            self.lenses.append(replace(here, centre=mirrored(here.centre)))

    def build(self, name: str, coat: Coat, *, gap: float) -> CreaturePlan:
        """The whole creature: the left half mirrored, joints depth first."""
        joints = list(self.joints)
        joints += [_mirror_joint(j) for j in self.joints if j.side == Side.LEFT]
        flesh = list(self.flesh)
        flesh += [_mirror_flesh(f) for f in self.flesh if side_of(f.bone) == Side.LEFT]
        limbs = [LimbPlan(part, bones) for part, bones in self._trunk().items() if bones] + self.limbs
        limbs += [_mirror_limb(limb) for limb in self.limbs if limb.side == Side.LEFT]
        groups = {BODY: 0.0, **self.group_blends}
        groups |= {other_side(group): blend for group, blend in self.group_blends.items()}
        used = {f.group for f in flesh}
        groups = {group: blend for group, blend in groups.items() if group in used}
        ordered = _depth_first(joints)
        return CreaturePlan(
            name, ordered, tuple(flesh), tuple(limbs), tuple(self.eyes), coat, groups, tuple(self.lenses), gap
        )

    def _trunk(self) -> dict[BodyPart, tuple[str, ...]]:
        """The chains that every body has: the torso, and the head with a trunk where there is one."""
        torso = tuple(j.name for j in self.joints if j.part == BodyPart.TORSO)
        head = tuple(j.name for j in self.joints if j.name == "Head" or j.name.startswith("Trunk"))
        return {BodyPart.TORSO: torso, BodyPart.HEAD: head}


def _mirror_joint(joint: Joint) -> Joint:
    end = None if joint.end is None else mirrored(joint.end)
    parent = None if joint.parent is None else other_side(joint.parent)
    return replace(joint, name=other_side(joint.name), parent=parent, position=mirrored(joint.position), end=end)


def _mirror_flesh(piece: Flesh) -> Flesh:
    return replace(
        piece,
        bone=other_side(piece.bone),
        start=mirrored(piece.start),
        end=mirrored(piece.end),
        across=mirrored(piece.across),
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
