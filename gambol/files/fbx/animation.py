"""Animation records: one stack with one layer per clip, one curve per number."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from gambol.character.scene import Scene
from gambol.files.fbx.curves import FBX_TICKS, FbxCurves, clip_curves, still_values
from gambol.files.fbx.layout import FbxLayout
from gambol.files.fbx.records import FbxRecord
from gambol.files.fbx.scene_records import FbxBuilder, add_properties, clean_name
from gambol.motion.node_clip import NodeClip

CURVE_TARGETS = {"translation": "Lcl Translation", "rotation": "Lcl Rotation", "scale": "Lcl Scaling"}
"""FBX property that each animated property of a node is."""
KEY_FLAGS = 0x6104
"""Flags of a key: linear."""
KEY_TANGENTS = np.array([0.0, 0.0, 9.419963346924634e-30, 0.0], np.float32)
"""Tangent data of a key without tangents: slopes 0, weights and velocities at their defaults."""


def add_clips(
    builder: FbxBuilder,
    scene: Scene,
    layout: FbxLayout,
    clips: tuple[NodeClip, ...],
    numbers: list[np.int64],
    morphs: dict[int, list[list[np.int64]]],
) -> FbxRecord:
    """Add a stack per clip; `morphs` are the blend shape channels of each node's meshes. Returns the Takes record."""
    takes = FbxRecord("Takes")
    takes.add("Current", "")
    bones = {i for i, model in enumerate(layout.models) if model.kind == "LimbNode"} - set(scene.nodes.matrices)
    rest_weights = {p.node: p.morph_weights for p in scene.parts if p.morph_weights is not None}
    still = still_values(scene.nodes, clips, bones, rest_weights)
    for clip, name in zip(clips, unique_clip_names(clips), strict=True):
        start, stop = (np.int64(round(t * FBX_TICKS)) for t in (clip.start, clip.end))
        stack = builder.object("AnimationStack", name, "", label="AnimStack")
        spans = (("LocalStart", start), ("LocalStop", stop), ("ReferenceStart", start), ("ReferenceStop", stop))
        add_properties(builder.last, [(key, "KTime", "Time", "", value) for key, value in spans])
        layer = builder.object("AnimationLayer", name, "", label="AnimLayer")
        builder.connect(layer, stack)
        for curves in clip_curves(scene.nodes, clip, still):
            if curves.path != "weights" and layout.models[curves.node].node is not None:
                _add_curves(builder, layer, numbers[curves.node], CURVE_TARGETS[curves.path], curves)
            for channels in morphs.get(curves.node, []) if curves.path == "weights" else []:
                for k, channel in enumerate(channels):
                    percent = FbxCurves(curves.node, "weights", curves.times, 100.0 * curves.values[:, [k]])
                    _add_curves(builder, layer, channel, "DeformPercent", percent)
        take = takes.add("Take", name)
        take.add("FileName", f"{name}.tak")
        take.add("LocalTime", start, stop)
        take.add("ReferenceTime", start, stop)
    return takes


def unique_clip_names(clips: tuple[NodeClip, ...]) -> list[str]:
    """Names of the clips; the second of a name becomes name.2."""
    names: list[str] = []
    for clip in clips:
        name = candidate = clean_name(clip.name)
        number = 1
        while candidate in names:
            number += 1
            candidate = f"{name}.{number}"
        names.append(candidate)
    return names


def _add_curves(builder: FbxBuilder, layer: np.int64, target: np.int64, prop: str, curves: FbxCurves) -> None:
    axes = ("d|X", "d|Y", "d|Z") if curves.values.shape[1] == 3 else ("d|DeformPercent",)
    short = {"Lcl Translation": "T", "Lcl Rotation": "R", "Lcl Scaling": "S"}.get(prop, prop)
    node = builder.object("AnimationCurveNode", short, "", label="AnimCurveNode")
    first = zip(axes, curves.values[0], strict=True)
    add_properties(builder.last, [(axis, "Number", "", "A", float(value)) for axis, value in first])
    builder.connect(node, layer)
    builder.connect(node, target, prop)
    ticks = np.round(curves.times * FBX_TICKS).astype(np.int64)
    for axis, values in zip(axes, curves.values.T, strict=True):
        builder.connect(_add_curve(builder, ticks, values), node, axis)


def _add_curve(builder: FbxBuilder, ticks: ndarray, values: ndarray) -> np.int64:
    curve = builder.object("AnimationCurve", "", "", label="AnimCurve")
    record = builder.last
    record.add("Default", float(values[0]))
    record.add("KeyVer", 4008)
    record.add("KeyTime", ticks)
    record.add("KeyValueFloat", values.astype(np.float32))
    record.add("KeyAttrFlags", np.array([KEY_FLAGS], np.int32))
    record.add("KeyAttrDataFloat", KEY_TANGENTS)
    record.add("KeyAttrRefCount", np.array([len(ticks)], np.int32))
    return curve
