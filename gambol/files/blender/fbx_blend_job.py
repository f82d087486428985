"""Conversion job that runs in a Blender process of its own: `python -m gambol.files.blender.fbx_blend_job JOB ANSWER`.

JOB is a JSON file, {"kind": "read", "source", "target"} or {"kind": "write", "source", "target", "fps"}; the
answer is {"meant", "found"}: summaries of what was to be written and of what reading it back gave. `convert.py` starts
it. It uses internals of Blender 5.0.1's add-ons; the extra pins that version.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from gambol.motion.frame_rate import baking_frame_rate


def main(job_path: str, answer_path: str) -> None:
    """Run the job in a JSON file and write its answer to another one."""
    job = json.loads(Path(job_path).read_text(encoding="utf-8"))
    answer = {"read": read_job, "write": write_job}[job["kind"]](job)
    Path(answer_path).write_text(json.dumps(answer), encoding="utf-8")


def read_job(job: dict[str, Any]) -> dict[str, Any]:
    """Open an .fbx or .blend and export it as .glb: every action an animation, nodes at rest where they are bound."""
    open_file(job["source"])
    meant = summarise()
    bpy.ops.export_scene.gltf(
        filepath=job["target"],
        export_format="GLB",
        use_active_scene=True,
        export_apply=not any(mesh.shape_keys for mesh in bpy.data.meshes),
        export_animation_mode="ACTIONS",
        export_force_sampling=True,
        export_rest_position_armature=True,
        export_all_influences=True,
        export_skins=True,
        export_morph=True,
    )
    return {"meant": meant, "found": None}


def write_job(job: dict[str, Any]) -> dict[str, Any]:
    """Import a .glb and write it as .blend; every clip keeps its name."""
    start_empty(job["fps"])
    clips = import_gltf(job["source"])
    snap_keys()
    scene, actions = bpy.context.scene, [action_of(name) for name in clips]
    scene.frame_start = 0
    scene.frame_end = max([1, *(math.ceil(a.frame_range[1]) for a in actions if a is not None)])
    key_still_bones()
    if clips and not moves_objects():
        play(clips[-1])
    scene.frame_set(0)
    meant = summarise()
    bpy.ops.wm.save_as_mainfile(filepath=job["target"], compress=True, check_existing=False)
    open_file(job["target"])
    return {"meant": meant, "found": summarise()}


def start_empty(fps: int = 24) -> None:
    """Start with an empty scene and factory settings, and never run scripts that a file brings."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.preferences.filepaths.use_scripts_auto_execute = False
    bpy.context.preferences.filepaths.save_version = 0
    bpy.context.scene.render.fps = fps


def open_file(path: str) -> None:
    """Open a .blend, or import an .fbx without the weightless ends of skinned chains."""
    start_empty()
    if path.lower().endswith(".blend"):
        bpy.ops.wm.open_mainfile(filepath=path, load_ui=False, use_scripts=False)
        return
    bpy.ops.wm.fbx_import(filepath=path, anim_offset=0.0)
    skinned = any(m.type == "ARMATURE" for o in bpy.data.objects if o.type == "MESH" for m in o.modifiers)
    # keys between frames would be lost on the way out: import again at a rate that has them on whole frames
    render = bpy.context.scene.render
    rate = baking_frame_rate(key_frames() * render.fps_base / render.fps)
    start_empty(rate)
    bpy.ops.wm.fbx_import(filepath=path, anim_offset=0.0, ignore_leaf_bones=skinned)
    snap_keys()
    stash_actions()


def curves() -> list[Any]:
    """List every curve of every action."""
    bags = [b for action in bpy.data.actions for layer in action.layers for s in layer.strips for b in s.channelbags]
    return [curve for bag in bags for curve in bag.fcurves]


def snap_keys() -> None:
    """Move keys onto whole frames that they miss by rounding errors: the glTF exporter cuts off parts of a frame."""
    for curve in curves():
        points = np.empty(2 * len(curve.keyframe_points), np.float32)
        curve.keyframe_points.foreach_get("co", points)
        whole = np.round(points[::2])
        points[::2] = np.where(np.abs(points[::2] - whole) < 1e-2, whole, points[::2])
        curve.keyframe_points.foreach_set("co", points)
        curve.update()


def moves_objects() -> bool:
    """Tell whether a clip moves more than bones and shape keys; playing it would leave those objects out of place."""
    return not all(curve.data_path.startswith(("pose.bones", "key_blocks")) for curve in curves())


def key_frames() -> np.ndarray:
    """List the frames at which any curve has a key."""
    frames: list[np.ndarray] = [np.zeros(1)]
    for curve in curves():
        points = np.empty(2 * len(curve.keyframe_points), np.float32)
        curve.keyframe_points.foreach_get("co", points)
        frames.append(points[::2])
    return np.unique(np.concatenate(frames)).astype(np.float64)


def stash_actions() -> None:
    """Hang every action on what it moves, as a muted track: an FBX import leaves all but the first on nothing."""
    owners = {"OBJECT": bpy.data.objects, "KEY": bpy.data.shape_keys}
    for action in bpy.data.actions:
        for slot in action.slots:
            owner = owners[slot.target_id_type].get(slot.name_display) if slot.target_id_type in owners else None
            if owner is None:
                continue
            data = owner.animation_data or owner.animation_data_create()
            data.action = None
            track = data.nla_tracks.new()
            track.name, track.mute = action.name, True
            track.strips.new(action.name, int(action.frame_range[0]), action).action_slot = slot


def import_gltf(path: str) -> list[str]:
    """Import at rest, without a clip playing; returns the clips' names, which are also those of their NLA tracks.

    Bones get Blender's "temperance" shape: with the default one, Blender 5.0.1 moves meshes that hang on a bone of a
    scaled armature, because it divides the bone's length by the scale (imp/node.py, create_bones) but not the
    correction for that length (create_object).
    """
    from io_scene_gltf2.blender.imp.animation import BlenderAnimation

    imported: list[Any] = []
    BlenderAnimation.restore_animation = staticmethod(lambda gltf, _: imported.append(gltf))
    bpy.ops.import_scene.gltf(filepath=path, bone_heuristic="TEMPERANCE", disable_bone_shape=True)
    return [animation.track_name for animation in imported[0].data.animations] if imported else []


def owners_of_animation() -> list[Any]:
    """Everything that a clip can move: objects with their poses, and shape keys."""
    return [owner for owner in (*bpy.data.objects, *bpy.data.shape_keys) if owner.animation_data is not None]


def action_of(clip: str) -> Any:
    """Find the action of the NLA track of that name; none for a clip that moves nothing Blender knows."""
    tracks = (track for owner in owners_of_animation() for track in owner.animation_data.nla_tracks)
    return next((track.strips[0].action for track in tracks if track.name == clip and track.strips), None)


def play(clip: str) -> None:
    """Make the clip's action the active one of everything that has a track of that name, and of nothing else."""
    for owner in owners_of_animation():
        owner.animation_data.action = None
        for track in owner.animation_data.nla_tracks:
            if track.name == clip and track.strips:
                owner.animation_data.action = track.strips[0].action
                owner.animation_data.action_slot = track.strips[0].action_slot


def remember_rest() -> list[tuple[Any, str, Any]]:
    """Note where everything stands that a clip could move."""
    movable = [*bpy.data.objects, *(bone for o in bpy.data.objects if o.pose for bone in o.pose.bones)]
    names = ("location", "rotation_quaternion", "scale")
    rest = [(owner, name, getattr(owner, name).copy()) for owner in movable for name in names]
    return rest + [(block, "value", block.value) for key in bpy.data.shape_keys for block in key.key_blocks]


def restore_rest(rest: list[tuple[Any, str, Any]]) -> None:
    """Put everything back, since a clip leaves alone what it has no channel for."""
    for owner, name, value in rest:
        setattr(owner, name, value)


def key_still_bones() -> None:
    """Give every clip a key for each bone that it does not move but that rests away from where it is bound.

    Blender leaves such a bone where the last clip put it, and its exporters reset it to the bind pose.
    """
    bound = {"location": (0.0, 0.0, 0.0), "rotation_quaternion": (1.0, 0.0, 0.0, 0.0), "scale": (1.0, 1.0, 1.0)}
    for armature in (owner for owner in owners_of_animation() if getattr(owner, "pose", None)):
        for track in armature.animation_data.nla_tracks:
            action, slot = track.strips[0].action, track.strips[0].action_slot
            bag = action.layers[0].strips[0].channelbag(slot)
            keyed = {curve.data_path for curve in bag.fcurves}
            for bone, name in ((bone, name) for bone in armature.pose.bones for name in bound):
                path, values = bone.path_from_id(name), tuple(getattr(bone, name))
                if path not in keyed and not np.allclose(values, bound[name], rtol=0.0, atol=1e-6):
                    for index, value in enumerate(values):
                        bag.fcurves.new(path, index=index).keyframe_points.insert(action.frame_range[0], value)


def summarise() -> dict[str, Any]:
    """Sum up what the file holds, to be compared: bones, clips in use, and the surface where it is bound."""
    armatures = [o for o in bpy.context.scene.objects if o.type == "ARMATURE"]
    meshes = [o for o in bpy.context.scene.objects if o.type == "MESH"]
    moved = [owner.animation_data for owner in owners_of_animation()]
    actions = [data.action for data in moved] + [s.action for data in moved for t in data.nla_tracks for s in t.strips]
    second = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    for armature in armatures:
        armature.data.pose_position = "REST"
    bpy.context.view_layer.update()
    corners = np.concatenate([np.zeros((0, 3)), *(shown_vertices(mesh) for mesh in meshes)])
    for armature in armatures:
        armature.data.pose_position = "POSE"
    return {
        "bones": sorted(bone.name for armature in armatures for bone in armature.data.bones),
        "clips": {a.name: [float(frame) / second for frame in a.frame_range] for a in actions if a is not None},
        "vertices": sum(len(mesh.data.vertices) for mesh in meshes),
        "low": corners.min(0).tolist() if len(corners) else None,
        "high": corners.max(0).tolist() if len(corners) else None,
    }


def shown_vertices(obj: Any) -> np.ndarray:
    """World vertices of an object as Blender shows it at the current frame, in Blender's axes, in the mesh's order."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    points = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", points)
    evaluated.to_mesh_clear()
    T = np.array(evaluated.matrix_world, dtype=np.float64)
    return points.reshape(-1, 3).astype(np.float64) @ T[:3, :3].T + T[:3, 3]


if __name__ == "__main__":
    main(*sys.argv[1:])
