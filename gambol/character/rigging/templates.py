"""The skeletons that bare bodies get: their joints, and which limb each one belongs to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.rigging.choose_template import BodyType
from gambol.character.rigging.landmarks import Landmarks, Pair
from gambol.character.rigging.template_placement import body_anchors, combine, fitted, limb_anchors

LEFT, RIGHT = ".L", ".R"
MIRROR = np.array([1.0, 1.0, -1.0])
TAIL_BONES = 5
SNAKE_BONES = 16
HEAD = 0.9
"""The head starts no later than this share of the way from the neck to the front."""
SHORT_TAIL = 0.05
"""A tail shorter than this share of the size gets no bones."""

SPINES = {
    "quadruped": ("Hips", "Spine1", "Spine2", "Chest", "Neck1", "Neck2", "Head"),
    "biped": ("Hips", "Spine1", "Spine2", "Chest", "Neck1", "Head"),
    "bird": ("Hips", "Spine1", "Chest", "Neck1", "Neck2", "Head"),
    "theropod": ("Hips", "Spine1", "Chest", "Neck1", "Neck2", "Head"),
}
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
"""Of each template: which pair of limbs hangs on which bone, and its bones."""


@dataclass(frozen=True)
class Joints:
    """A skeleton to be: parents first; `ends` are where bones without children end."""

    names: tuple[str, ...]
    parents: tuple[int, ...]
    places: Float[ndarray, "joints 3"]
    ends: dict[int, Float[ndarray, "3"]]


def limb_pairs(landmarks: Landmarks, kind: BodyType) -> dict[str, Pair]:
    """The pair of limbs that plays each part of a template, where the body has it."""
    found: dict[str, Pair] = {}
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


def embed(landmarks: Landmarks, kind: BodyType) -> Joints:
    """The joints of a template in a body, symmetric about its middle plane, each moved inside where it is not."""
    builder = _Builder(landmarks)
    if kind == "snake":
        builder.snake()
    elif kind == "spider":
        builder.spider()
    else:
        builder.spine(kind)
        builder.limbs(kind)
        if kind != "biped":
            builder.tail()
    return builder.joints()


class _Builder:
    """Joints as they are put together; sided ones are built on the left and mirrored."""

    def __init__(self, landmarks: Landmarks):
        self.landmarks, self.solid = landmarks, landmarks.solid
        self.names: list[str] = []
        self.parents: list[int] = []
        self.places: list[ndarray] = []
        self.ends: dict[int, ndarray] = {}

    def joints(self) -> Joints:
        return Joints(tuple(self.names), tuple(self.parents), np.array(self.places), self.ends)

    def add(self, name: str, parent: str | None, place: ndarray, *, reach: float = 0.04) -> int:
        """One joint, a step deeper into the body where it lies shallow; a middle one stays in the middle plane."""
        middle = not name.endswith((LEFT, RIGHT))
        moved = self.solid.inwards(place, reach, middle=middle) if reach > 0 else place
        if middle:
            moved = moved * [1.0, 1.0, 0.0]
        self.names.append(name)
        self.parents.append(self.names.index(parent) if parent is not None else -1)
        self.places.append(moved)
        return len(self.names) - 1

    def add_pair(self, chain: tuple[str, ...], parent: str, places: list[ndarray], end: ndarray) -> None:
        """A chain of joints on the left and its mirror image."""
        inside = [self.solid.inwards(place, 0.03) for place in places]
        for side, turn in ((LEFT, np.ones(3)), (RIGHT, MIRROR)):
            above = parent
            for name, place in zip(chain, inside, strict=True):
                last = self.add(name + side, above, place * turn, reach=0.0)
                above = name + side
            self.ends[last] = end * turn

    def spine(self, kind: BodyType) -> None:
        """Hips to head: fitted joints, those between them on straight lines."""
        names, numbers = SPINES[kind], fitted()[kind]
        anchors = body_anchors(self.landmarks, kind)
        known = {name: combine(anchors, numbers[name]) * [1.0, 1.0, 0.0] for name in names if name in numbers}
        known["Head"] = self._on_the_way(known["Neck1"], known["Head"])
        order = [i for i, name in enumerate(names) if name in known]
        above: str | None = None
        for i, name in enumerate(names):
            before = max(k for k in order if k <= i)
            after = min((k for k in order if k >= i), default=before)
            share = (i - before) / max(after - before, 1)
            place = known[names[before]] + share * (known[names[after]] - known[names[before]])
            last, above = self.add(name, above, place), name
        self.ends[last] = self.landmarks.front * [1.0, 1.0, 0.0]

    def _on_the_way(self, neck: ndarray, head: ndarray) -> ndarray:
        """The point nearest to where the head should be on the centre line from the neck to the front of the body."""
        line = self.solid.centre_line(neck, self.landmarks.front) * [1.0, 1.0, 0.0]
        gaps = np.linalg.norm(line - head, axis=1)
        return line[int(gaps[: max(int(HEAD * len(line)), 1)].argmin())]

    def limbs(self, kind: BodyType) -> None:
        """The pairs of limbs: fitted joints on the left, mirrored to the right."""
        numbers = fitted()[kind]
        for role, pair in limb_pairs(self.landmarks, kind).items():
            parent, chain = LIMBS[kind][role]
            anchors = limb_anchors(self.solid, pair)
            self.add_pair(chain, parent, [combine(anchors, numbers[name]) for name in chain], pair.tip)

    def tail(self) -> None:
        """Along the centre line from the hips to the tip, where the body has one."""
        if self.landmarks.back is None:
            return
        hips, tip = self.places[0], self.landmarks.back * [1.0, 1.0, 0.0]
        line = self.solid.centre_line(hips, tip) * [1.0, 1.0, 0.0]
        radii = self.solid.depth_at(line)
        thin = np.flatnonzero(radii < 0.75 * radii[: max(len(radii) // 3, 1)].max())
        start = int(thin[0]) if len(thin) else len(line) // 3
        along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line[start:], axis=0), axis=1))])
        if along[-1] < SHORT_TAIL:
            return
        above = "Hips"
        for k in range(TAIL_BONES):
            place = np.array([np.interp(k / TAIL_BONES * along[-1], along, line[start:, d]) for d in range(3)])
            last, above = self.add(f"Tail{k + 1}", above, place, reach=0.01), f"Tail{k + 1}"
        self.ends[last] = tip

    def spider(self) -> None:
        numbers, feet = fitted()["spider"], self.landmarks.feet
        middle = np.mean([pair.base for pair in feet], axis=0) * [1.0, 1.0, 0.0]
        self.add("Hips", None, middle)
        back = self.landmarks.back
        plane = self.solid.centres[np.abs(self.solid.centres[:, 2]) < 0.03]
        rear = back if back is not None else plane[int(plane[:, 0].argmin())]
        last = self.add("Abdomen", "Hips", middle + 0.3 * (rear - middle), reach=0.02)
        self.ends[last] = rear * [1.0, 1.0, 0.0]
        for number, pair in enumerate(feet, start=1):
            chain = LIMBS["spider"]["legs"][1]
            anchors = limb_anchors(self.solid, pair)
            anchors[-1] = middle
            places = [combine(anchors, numbers[name]) for name in chain]
            self.add_pair(tuple(f"{name}{number}" for name in chain), "Hips", places, pair.tip)

    def snake(self) -> None:
        """Bones of one length from the middle to the head and to the tail."""
        tips = sorted((b.tip for b in self.landmarks.ends), key=lambda t: t[0])
        plane = self.solid.centres
        rear = tips[0] if tips else plane[int(plane[:, 0].argmin())]
        front = tips[-1] if len(tips) > 1 else plane[int(plane[:, 0].argmax())]
        line = self.solid.centre_line(front, rear)
        along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
        knots = np.linspace(0.0, along[-1], SNAKE_BONES + 1)
        points = np.stack([np.interp(knots, along, line[:, d]) for d in range(3)], 1)
        middle = SNAKE_BONES // 2 + 1
        chain = [f"Spine{k}" for k in range(1, middle - 1)] + ["Head"]
        above: str | None = None
        for name, place in zip(["Hips", *chain], points[middle:0:-1], strict=True):
            last, above = self._sided(name, above, place), name
        self.ends[last] = points[0]
        above = "Hips"
        for k, place in enumerate(points[middle + 1 : -1], start=1):
            last, above = self._sided(f"Tail{k}", above, place), f"Tail{k}"
        self.ends[last] = points[-1]

    def _sided(self, name: str, parent: str | None, place: ndarray) -> int:
        """A joint of a body that need not lie in its middle plane."""
        self.names.append(name)
        self.parents.append(self.names.index(parent) if parent is not None else -1)
        self.places.append(self.solid.inwards(place, 0.01))
        return len(self.names) - 1
