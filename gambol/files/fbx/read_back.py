"""Read a written FBX file back: its surface must be where the scene's is, at rest and over every clip."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.scene import Scene, apply_matrix
from gambol.errors import GambolError
from gambol.files.fbx.animation import CURVE_TARGETS, unique_clip_names
from gambol.files.fbx.curves import FBX_TICKS
from gambol.files.fbx.records import FbxRecord, parse_fbx
from gambol.motion.node_clip import NodeClip, pose_scene

FBX_TOLERANCE = 1e-4
"""Largest distance of a vertex that is read back, as a share of the size."""
CHECKED_TIMES = 3
"""Times of each clip at which the surface is compared: the first and last key and one between."""


class FbxFile:
    """A parsed FBX file: its objects by number, and what hangs on what."""

    def __init__(self, data: bytes):
        self.root = parse_fbx(data)
        self.objects: dict[int, FbxRecord] = {int(o.values[0]): o for o in self.root.first("Objects").children}  # type: ignore[arg-type]
        self.above: dict[int, list[tuple[int, str]]] = defaultdict(list)
        self.below: dict[int, list[tuple[int, str]]] = defaultdict(list)
        for connection in self.root.first("Connections").children:
            _, child, parent, *prop = connection.values
            self.above[int(child)].append((int(parent), str(prop[0]) if prop else ""))  # type: ignore[arg-type]
            self.below[int(parent)].append((int(child), str(prop[0]) if prop else ""))  # type: ignore[arg-type]

    def of_class(self, kind: str, subtype: str | None = None) -> dict[int, FbxRecord]:
        """Return the objects of a class."""
        return {n: o for n, o in self.objects.items() if o.name == kind and subtype in (None, o.values[2])}

    def children(self, number: int, kind: str, subtype: str | None = None) -> list[int]:
        """Return the objects of a class that hang on an object, in the file's order."""
        hanging = [(n, self.objects.get(n)) for n, _ in self.below[number]]
        return [n for n, o in hanging if o is not None and o.name == kind and subtype in (None, o.values[2])]

    def name(self, number: int) -> str:
        """Return an object's name without its class."""
        return str(self.objects[number].values[1]).split("\x00\x01")[0]

    def properties(self, number: int) -> dict[str, list[float]]:
        """Return the properties of an object that are numbers."""
        block = self.objects[number].first("Properties70")
        return {str(p.values[0]): p.values[4:] for p in block.children}  # type: ignore[misc]

    def stacks(self) -> dict[str, int]:
        """Return the animation stacks by name."""
        return {self.name(n): n for n in self.of_class("AnimationStack")}

    def animated(self, stack: int, time: float) -> dict[tuple[int, str], ndarray]:
        """Values of all properties that a stack moves, at one time: linear between keys."""
        values: dict[tuple[int, str], ndarray] = {}
        for layer in self.children(stack, "AnimationLayer"):
            for curve_node in self.children(layer, "AnimationCurveNode"):
                curves = [n for n, axis in self.below[curve_node] if axis.startswith("d|")]
                target = next((n, prop) for n, prop in self.above[curve_node] if prop)
                values[target] = np.array([_evaluate(self.objects[c], time) for c in curves])
        return values

    def pose(self, moved: dict[tuple[int, str], ndarray]) -> dict[int, Float[ndarray, "4 4"]]:
        """T_world of every model, T R S of each and the transforms above it."""
        from scipy.spatial.transform import Rotation

        world: dict[int, ndarray] = {0: np.eye(4)}
        pending = [0]
        while pending:
            above = pending.pop()
            for model in self.children(above, "Model"):
                props, local = self.properties(model), np.eye(4)
                t, r, s = (moved.get((model, key), props[key]) for key in CURVE_TARGETS.values())
                local[:3, :3] = Rotation.from_euler("xyz", np.asarray(r, float), degrees=True).as_matrix() * np.array(s)
                local[:3, 3] = t
                world[model] = world[above] @ local
                pending.append(model)
        return world

    def vertices(self, geometry: int, moved: dict[tuple[int, str], ndarray], world: dict[int, ndarray]) -> ndarray:
        """World vertices of a mesh: morph targets, then v = sum_j w_j T_world_joint(j) Transform(j) p."""
        points = np.array(self.objects[geometry].first("Vertices").values[0]).reshape(-1, 3)
        for blend in self.children(geometry, "Deformer", "BlendShape"):
            for channel in self.children(blend, "Deformer", "BlendShapeChannel"):
                percent = moved.get((channel, "DeformPercent"), self.properties(channel)["DeformPercent"])[0]
                shape = self.objects[self.children(channel, "Geometry")[0]]
                offsets = np.asarray(shape.first("Vertices").values[0]).reshape(-1, 3)
                points[np.asarray(shape.first("Indexes").values[0])] += percent / 100.0 * offsets
        skins = self.children(geometry, "Deformer", "Skin")
        if not skins:
            return apply_matrix(world[self.above[geometry][0][0]], points)
        result = np.zeros(points.shape)
        for number in self.children(skins[0], "Deformer", "Cluster"):
            cluster = self.objects[number]
            held = [np.asarray(r.values[0]) for name in ("Indexes", "Weights") for r in cluster.all(name)]
            if held:
                T = np.asarray(cluster.first("Transform").values[0]).reshape(4, 4).T
                T = world[self.children(number, "Model")[0]] @ T
                result[held[0]] += held[1][:, None] * apply_matrix(T, points[held[0]])
        return result


def _evaluate(curve: FbxRecord, time: float) -> float:
    times = np.asarray(curve.first("KeyTime").values[0]) / FBX_TICKS
    values = np.asarray(curve.first("KeyValueFloat").values[0], dtype=np.float64)
    return float(np.interp(time, times, values))


def check_fbx(data: bytes, scene: Scene, clips: tuple[NodeClip, ...], name: str) -> None:
    """Raise `GambolError` where the file's clips or vertices are not the scene's."""
    file = FbxFile(data)
    stacks = file.stacks()
    if list(stacks) != unique_clip_names(clips):
        raise GambolError(f"{name} does not read back: its clips are {list(stacks)[:4]}; it was not kept.")
    rest = NodeClip("rest", ())
    for clip, stack in [(rest, None), *zip(clips, stacks.values(), strict=True)]:
        keys = clip.key_times()
        for time in np.unique(keys[np.linspace(0, len(keys) - 1, CHECKED_TIMES).astype(int)]):
            moved = file.animated(stack, float(time)) if stack is not None else {}
            world = file.pose(moved)
            found = [file.vertices(g, moved, world) for g in file.of_class("Geometry", "Mesh")]
            meant = pose_scene(scene, clip, float(time))
            meant = [meant[p] for p in sorted(range(len(meant)), key=lambda p: _order(scene, p))]
            _compare(np.concatenate([np.zeros((0, 3)), *meant]), np.concatenate([np.zeros((0, 3)), *found]), name, clip)


def _order(scene: Scene, part: int) -> tuple[int, int, int]:
    """The order of parts in the file: by node, the unskinned before the skinned."""
    skin = scene.parts[part].skin
    return scene.parts[part].node, -1 if skin is None else skin, part


def _compare(meant: ndarray, found: ndarray, name: str, clip: NodeClip) -> None:
    if len(meant) != len(found):
        raise GambolError(f"{name} reads back with {len(found)} of {len(meant)} vertices; it was not kept.")
    if not len(meant):
        return
    size = max(float(np.ptp(meant, axis=0).max()), 1e-12)
    gap = float(np.abs(meant - found).max()) / size
    if not gap <= FBX_TOLERANCE:
        raise GambolError(
            f"{name} does not read back: in '{clip.name}' vertices are off by {gap:.2e} of the size; it was not kept."
        )
