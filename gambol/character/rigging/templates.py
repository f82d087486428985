"""The skeletons that bare bodies get: their bones, and where the joints lie in a body."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.polyline import arc_lengths, points_along
from gambol.character.rigging.choose_template import BodyType
from gambol.character.rigging.fish_template import build_fish
from gambol.character.rigging.landmarks import Landmarks, LimbPair
from gambol.character.rigging.template_joints import JointBuilder, TemplateJoints
from gambol.character.rigging.template_placement import (
    body_anchors,
    combine_anchors,
    limb_anchors,
    placement_coefficients,
)

TAIL_BONES = 5
"""Bones of a tail."""
SNAKE_BONES = 16
"""Bones of a snake, head and tail included."""
LATEST_HEAD = 0.9
"""The head starts no later than this share of the centre line from the neck to the front."""
SHORTEST_TAIL = 0.05
"""A tail shorter than this share of the size gets no bones."""
TAIL_THICKNESS = 0.75
"""The tail starts where the body behind the hips is thinner than this share of the hips."""
ABDOMEN_START = 0.3
"""A spider's abdomen starts at this share from the middle of its legs to its rear end."""
WING_JOINTS = (0.0, 0.33, 0.67)
"""Shares of a dragon's wing, from the body to the tip, at which shoulder, elbow and wrist lie."""

SPINES: dict[str, tuple[str, ...]] = {
    "quadruped": ("Hips", "Spine1", "Spine2", "Chest", "Neck1", "Neck2", "Head"),
    "biped": ("Hips", "Spine1", "Spine2", "Chest", "Neck1", "Head"),
    "bird": ("Hips", "Spine1", "Chest", "Neck1", "Neck2", "Head"),
    "theropod": ("Hips", "Spine1", "Chest", "Neck1", "Neck2", "Head"),
}
"""Bones of each template's spine, from the root to the head."""
LIMBS: dict[str, dict[str, tuple[str, tuple[str, ...]]]] = {
    "quadruped": {
        "front": ("Chest", ("Shoulder", "UpperArm", "Forearm", "Paw")),
        "hind": ("Hips", ("Thigh", "Shin", "Hock", "Foot")),
    },
    "biped": {
        "hind": ("Hips", ("Thigh", "Shin", "Foot", "Toes")),
        "hand": ("Chest", ("Clavicle", "UpperArm", "Forearm", "Hand")),
    },
    "bird": {
        "hind": ("Hips", ("Thigh", "Shin", "Tarsus", "Foot")),
        "hand": ("Chest", ("Wing1", "Wing2", "Wing3")),
    },
    "theropod": {
        "hind": ("Hips", ("Thigh", "Shin", "Tarsus", "Foot")),
        "hand": ("Chest", ("UpperArm", "Forearm", "Hand")),
    },
    "spider": {"legs": ("Hips", ("Coxa", "Femur", "Tibia", "Tarsus"))},
}
"""Per template, the role of each pair of limbs with the bone that it hangs on and its own bones."""
WING_BONES = ("Wing1", "Wing2", "Wing3")
"""Bones of a dragon's wing, on its chest."""


def limb_roles(landmarks: Landmarks, kind: BodyType) -> dict[str, LimbPair]:
    """The pair of limbs that plays each role of a template, where the body has one."""
    found: dict[str, LimbPair] = {}
    if landmarks.feet:
        found["hind"] = landmarks.feet[-1]
    if kind == "quadruped":
        found["front"] = landmarks.feet[0]
    elif kind == "theropod":  # its small arms hang before its legs; horns and crests stand up
        arms = [p for p in landmarks.hands if p.base[0] > found["hind"].base[0] and p.tip[1] < p.base[1]]
        found |= {"hand": arms[0]} if arms else {}
    elif kind in ("biped", "bird") and landmarks.hands:
        found["hand"] = landmarks.hands[0]
    return found


def place_template(landmarks: Landmarks, kind: BodyType) -> TemplateJoints:
    """The joints of a template in a body, symmetric about its middle plane and moved inside where they are not."""
    builder = JointBuilder(landmarks.solid)
    if kind == "snake":
        _build_snake(builder, landmarks)
    elif kind == "spider":
        _build_spider(builder, landmarks)
    elif kind == "fish":
        build_fish(builder, landmarks)
    else:
        plan: BodyType = "quadruped" if kind == "dragon" else kind
        _build_spine(builder, landmarks, plan)
        _build_limbs(builder, landmarks, plan)
        if kind == "dragon" and landmarks.wings is not None:
            wings = landmarks.wings
            builder.add_pair(WING_BONES, "Chest", list(wings.at(np.array(WING_JOINTS))), wings.tip)
        if kind != "biped":
            _build_tail(builder, landmarks)
    return builder.joints()


def _build_spine(builder: JointBuilder, landmarks: Landmarks, kind: BodyType) -> None:
    """Add hips to head: joints with fitted coefficients, those between them on straight lines."""
    names, coefficients = SPINES[kind], placement_coefficients()[kind]
    anchors = body_anchors(landmarks, kind)
    known = {
        name: combine_anchors(anchors, coefficients[name]) * [1.0, 1.0, 0.0] for name in names if name in coefficients
    }
    known["Head"] = _on_centre_line(builder, landmarks, known["Neck1"], known["Head"])
    order = [i for i, name in enumerate(names) if name in known]
    places = []
    for i in range(len(names)):
        before = max(k for k in order if k <= i)
        after = min((k for k in order if k >= i), default=before)
        share = (i - before) / max(after - before, 1)
        places.append(known[names[before]] + share * (known[names[after]] - known[names[before]]))
    builder.add_chain(names, None, places, landmarks.front * [1.0, 1.0, 0.0])


def _on_centre_line(builder: JointBuilder, landmarks: Landmarks, neck: ndarray, head: ndarray) -> Float[ndarray, "3"]:
    """The point of the centre line from the neck to the front of the body that is nearest to the fitted head joint."""
    line = builder.solid.centre_line(neck, landmarks.front) * [1.0, 1.0, 0.0]
    gaps = np.linalg.norm(line - head, axis=1)
    return line[int(gaps[: max(int(LATEST_HEAD * len(line)), 1)].argmin())]


def _build_limbs(builder: JointBuilder, landmarks: Landmarks, kind: BodyType) -> None:
    """Add the pairs of limbs with fitted coefficients."""
    coefficients = placement_coefficients()[kind]
    for role, pair in limb_roles(landmarks, kind).items():
        parent, chain = LIMBS[kind][role]
        anchors = limb_anchors(builder.solid, pair)
        builder.add_pair(chain, parent, [combine_anchors(anchors, coefficients[name]) for name in chain], pair.tip)


def _build_tail(builder: JointBuilder, landmarks: Landmarks) -> None:
    """Add a tail along the centre line from the hips to its tip, where the body has one."""
    if landmarks.back is None:
        return
    hips, tip = builder.places[0], landmarks.back * [1.0, 1.0, 0.0]
    line = builder.solid.centre_line(hips, tip) * [1.0, 1.0, 0.0]
    radii = builder.solid.depth_at(line)
    thin = np.flatnonzero(radii < TAIL_THICKNESS * radii[: max(len(radii) // 3, 1)].max())
    start = int(thin[0]) if len(thin) else len(line) // 3
    length = arc_lengths(line[start:])[-1]
    if length >= SHORTEST_TAIL:
        places = points_along(line[start:], np.arange(TAIL_BONES) / TAIL_BONES * length)
        builder.add_chain([f"Tail{k + 1}" for k in range(TAIL_BONES)], "Hips", places, tip, reach=0.01)


def _build_spider(builder: JointBuilder, landmarks: Landmarks) -> None:
    """Add a root in the middle of the legs, an abdomen behind it, and every pair of legs, numbered front to back."""
    coefficients, feet, solid = placement_coefficients()["spider"], landmarks.feet, builder.solid
    middle = np.mean([pair.base for pair in feet], axis=0) * [1.0, 1.0, 0.0]
    builder.add("Hips", None, middle)
    rear = landmarks.rear
    place = middle + ABDOMEN_START * (rear - middle)
    builder.add_chain(["Abdomen"], "Hips", [place], rear * [1.0, 1.0, 0.0], reach=0.02)
    chain = LIMBS["spider"]["legs"][1]
    for number, pair in enumerate(feet, start=1):
        anchors = limb_anchors(solid, pair)
        anchors[-1] = middle
        places = [combine_anchors(anchors, coefficients[name]) for name in chain]
        builder.add_pair(tuple(f"{name}{number}" for name in chain), "Hips", places, pair.tip)


def _build_snake(builder: JointBuilder, landmarks: Landmarks) -> None:
    """Add bones of one length from the middle to the head and to the tail, wherever the body curves."""
    tips = sorted((b.tip for b in landmarks.ends), key=lambda t: t[0])
    centres = builder.solid.centres
    rear = tips[0] if tips else centres[int(centres[:, 0].argmin())]
    front = tips[-1] if len(tips) > 1 else centres[int(centres[:, 0].argmax())]
    line = builder.solid.centre_line(front, rear)
    points = points_along(line, np.linspace(0.0, arc_lengths(line)[-1], SNAKE_BONES + 1))
    middle = SNAKE_BONES // 2 + 1
    spine = ["Hips", *(f"Spine{k}" for k in range(1, middle - 1)), "Head"]
    tail = [f"Tail{k}" for k in range(1, SNAKE_BONES - middle)]
    builder.add_chain(spine, None, points[middle:0:-1], points[0], reach=0.01, flat=False)
    builder.add_chain(tail, "Hips", points[middle + 1 : -1], points[-1], reach=0.01, flat=False)
