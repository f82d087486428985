"""Runs inside Blender's Python: imports files and writes down what Blender shows. Started by `blender_oracle.py`.

The first argument is a JSON file with a list of requests, the second the .npz file for the answers:
  {"kind": "gltf", "path": ..., "samples": [[clip index, seconds], ...]} -> "<request>/<sample>/<node index>"
  {"kind": "bvh", "path": ..., "frames": [whole frame numbers from 0]}   -> "<request>/heads" and "<request>/names"
"""

import json
import math
import sys

import bpy
import numpy as np

from gambol.files.blender.fbx_blend_job import play, remember_rest, restore_rest, shown_vertices, start_empty
from gambol.motion.frame_rate import baking_frame_rate


def main(request_path, answer_path):
    answers = {}
    with open(request_path) as file:
        requests = json.load(file)
    for number, request in enumerate(requests):
        ask = {"gltf": ask_gltf, "bvh": ask_bvh}[request["kind"]]
        for key, array in ask(request).items():
            answers[f"{number}/{key}"] = array
    np.savez(answer_path, **answers)


def ask_gltf(request):
    """World vertices of every mesh node at every sample, in glTF axes and in the order of the file."""
    start_empty(baking_frame_rate(np.array([time for _, time in request["samples"]])))
    imported = import_gltf_at_rest(request["path"], request["bones"])
    rest = remember_rest()
    meshes = [(v.mesh_node_idx, v.blender_object) for v in imported.vnodes.values() if v.mesh_node_idx is not None]
    scene, answers = bpy.context.scene, {}
    for number, (clip, time) in enumerate(request["samples"]):
        restore_rest(rest)
        play(imported.data.animations[clip].track_name)
        frame = time * scene.render.fps
        whole = math.floor(frame + 1e-4)
        scene.frame_set(whole, subframe=min(max(frame - whole, 0.0), 0.999999))
        for node, obj in meshes:
            answers[f"{number}/{node}"] = to_gltf_axes(shown_vertices(obj))
    return answers


def import_gltf_at_rest(path, bones):
    """Blender's picture of the document, without a clip playing: a clip moves only what it has channels for."""
    from io_scene_gltf2.blender.imp.animation import BlenderAnimation

    caught = []
    BlenderAnimation.restore_animation = staticmethod(lambda gltf, _name: caught.append(gltf))
    bpy.ops.import_scene.gltf(filepath=path, merge_vertices=False, disable_bone_shape=True, bone_heuristic=bones)
    return caught[0]


def to_gltf_axes(points):
    """(x, y, z)_gltf = (x, z, -y)_blender."""
    return np.stack([points[..., 0], points[..., 2], -points[..., 1]], axis=-1)


def ask_bvh(request):
    """Where Blender's own BVH importer puts the joints."""
    start_empty()
    bpy.ops.import_anim.bvh(filepath=request["path"], axis_forward="-Z", axis_up="Y", frame_start=1)
    armature = bpy.context.object
    bones = list(armature.pose.bones)
    heads = []
    for frame in request["frames"]:
        bpy.context.scene.frame_set(1 + frame)
        heads.append([list(armature.matrix_world @ bone.head) for bone in bones])
    return {"names": np.array([bone.name for bone in bones]), "heads": to_gltf_axes(np.array(heads))}


if __name__ == "__main__":
    main(*sys.argv[1:])
