"""Two synthetic walks that float 10 cm above the ground and slide: a 13-bone quadruped and a 15-bone humanoid."""

import numpy as np

from gambol.character.skeleton import Skeleton, rest_frames
from gambol.motion.clip import Clip
from gambol.physics.articulated_body import BodyConfig, make_articulated_body
from gambol.physics.collision_boxes import BoneBoxes, boxes_from_segments
from gambol.physics.generalised_coordinates import body_transforms

FPS = 24.0
SPEED = 0.5
FLOAT = 0.1
Row = tuple[str, str | None, tuple[float, float, float], tuple[float, float, float], float]

QUADRUPED: list[Row] = [
    ("pelvis", None, (-0.30, 0.50, 0), (0, 0.50, 0), 0.18),
    ("chest", "pelvis", (0, 0.50, 0), (0.30, 0.50, 0), 0.18),
    ("neck", "chest", (0.30, 0.52, 0), (0.42, 0.64, 0), 0.09),
    ("head", "neck", (0.42, 0.64, 0), (0.60, 0.62, 0), 0.10),
    ("tail", "pelvis", (-0.30, 0.52, 0), (-0.52, 0.44, 0), 0.04),
]
HUMANOID: list[Row] = [
    ("pelvis", None, (0, 0.92, 0), (0, 1.06, 0), 0.22),
    ("spine", "pelvis", (0, 1.06, 0), (0, 1.22, 0), 0.20),
    ("chest", "spine", (0, 1.22, 0), (0, 1.42, 0), 0.24),
    ("neck", "chest", (0, 1.42, 0), (0, 1.52, 0), 0.09),
    ("head", "neck", (0, 1.52, 0), (0, 1.74, 0), 0.16),
]
for side, s in (("L", -1), ("R", 1)):
    QUADRUPED += [
        (f"hind_upper_{side}", "pelvis", (-0.26, 0.46, 0.09 * s), (-0.26, 0.24, 0.09 * s), 0.07),
        (f"hind_lower_{side}", f"hind_upper_{side}", (-0.26, 0.24, 0.09 * s), (-0.26, 0.0, 0.09 * s), 0.05),
        (f"fore_upper_{side}", "chest", (0.26, 0.46, 0.09 * s), (0.26, 0.24, 0.09 * s), 0.07),
        (f"fore_lower_{side}", f"fore_upper_{side}", (0.26, 0.24, 0.09 * s), (0.26, 0.0, 0.09 * s), 0.05),
    ]
    HUMANOID += [
        (f"arm_{side}", "chest", (0, 1.40, 0.20 * s), (0, 1.12, 0.22 * s), 0.08),
        (f"forearm_{side}", f"arm_{side}", (0, 1.12, 0.22 * s), (0, 0.86, 0.23 * s), 0.07),
        (f"thigh_{side}", "pelvis", (0, 0.92, 0.10 * s), (0, 0.50, 0.10 * s), 0.13),
        (f"shin_{side}", f"thigh_{side}", (0, 0.50, 0.10 * s), (0, 0.08, 0.10 * s), 0.09),
        (f"foot_{side}", f"shin_{side}", (-0.05, 0.04, 0.10 * s), (0.18, 0.04, 0.10 * s), 0.08),
    ]


def _skeleton(rows: list[Row]) -> tuple[Skeleton, BoneBoxes]:
    names = [row[0] for row in rows]
    parents = np.array([-1 if row[1] is None else names.index(row[1]) for row in rows])
    heads, tails = (np.array([row[k] for row in rows], float) for k in (2, 3))
    skeleton = Skeleton(tuple(names), parents, rest_frames(heads, tails, parents), tails)
    return skeleton, boxes_from_segments(skeleton, thickness=np.array([row[4] for row in rows]))


def quadruped_walk(frames: int = 48) -> tuple[Skeleton, BoneBoxes, Clip]:
    """Diagonal pairs of legs swing as sines; 30 kg."""
    skeleton, boxes = _skeleton(QUADRUPED)
    phase = 2.0 * np.pi * np.arange(frames) / FPS
    angles = np.zeros((frames, len(skeleton), 3))
    at = skeleton.names.index
    for leg, shift in (("hind_%s_L", 0.0), ("fore_%s_R", 0.2), ("hind_%s_R", np.pi), ("fore_%s_L", np.pi + 0.2)):
        angles[:, at(leg % "upper"), 0] = -0.35 * np.sin(phase + shift)
        angles[:, at(leg % "lower"), 0] = 0.5 * np.maximum(np.cos(phase + shift), 0.0)
    angles[:, at("neck"), 0] = 0.1 * np.sin(2.0 * phase)
    angles[:, at("tail"), 2] = -0.3 * np.sin(phase)
    angles[:, at("chest"), 2] = -0.05 * np.sin(phase)
    return skeleton, boxes, _clip("quadruped", skeleton, boxes, angles)


def humanoid_walk(frames: int = 48) -> tuple[Skeleton, BoneBoxes, Clip]:
    """Legs and arms swing as sines; 60 kg."""
    skeleton, boxes = _skeleton(HUMANOID)
    phase = 2.0 * np.pi * np.arange(frames) / FPS
    angles = np.zeros((frames, len(skeleton), 3))
    at = skeleton.names.index
    for side, shift in (("L", 0.0), ("R", np.pi)):
        knee = 0.7 * np.maximum(np.cos(phase + shift), 0.0)
        angles[:, at(f"thigh_{side}"), 0] = -0.45 * np.sin(phase + shift)
        angles[:, at(f"shin_{side}"), 0] = knee
        angles[:, at(f"foot_{side}"), 0] = -0.5 * knee + 0.18 * np.sin(phase + shift)
        angles[:, at(f"arm_{side}"), 0] = 0.4 * np.sin(phase + shift)
        angles[:, at(f"forearm_{side}"), 0] = -0.3
    angles[:, at("chest"), 1] = 0.08 * np.sin(phase)
    return skeleton, boxes, _clip("humanoid", skeleton, boxes, angles)


def _clip(name: str, skeleton: Skeleton, boxes: BoneBoxes, angles: np.ndarray) -> Clip:
    """The angles on a root that goes ahead steadily, bounces a little and starts FLOAT above the ground."""
    times = np.arange(len(angles)) / FPS
    root = np.zeros((len(angles), 6))
    root[:, 0], root[:, 1] = SPEED * times, 0.015 * np.sin(4.0 * np.pi * times)
    clip = Clip(name, FPS, root, angles[:, 1:])
    body = make_articulated_body(skeleton, boxes, (clip,), config=BodyConfig(size=None))
    T = body_transforms(body, skeleton, clip)[0, body.point_bodies]
    root[:, 1] += FLOAT - (np.einsum("pj,pj->p", T[:, 1, :3], body.points) + T[:, 1, 3]).min()
    return Clip(name, FPS, root, angles[:, 1:])
