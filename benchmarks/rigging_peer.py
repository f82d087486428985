"""Runs inside Blender's Python: bone heat ("Automatic Weights") for one mesh and armature. Started by `rigging.py`.

The first argument is an .npz with vertices V, triangles T, joint nodes, their heads, which deform, and the file's
path; the second takes the answers: W_<bones>_<merged> and t_<bones>_<merged>.
"""

import sys
import time

import bpy
import numpy as np


def imported_bones(path, nodes, heuristic):
    """Heads and tails of the joints as Blender's importer makes them, in glTF axes."""
    from io_scene_gltf2.blender.imp.scene import BlenderScene

    caught = []
    bpy.ops.wm.read_factory_settings(use_empty=True)
    BlenderScene.create_animations = staticmethod(caught.append)
    bpy.ops.import_scene.gltf(filepath=path, merge_vertices=False, disable_bone_shape=True, bone_heuristic=heuristic)
    ends = []
    for node in nodes:
        vnode = caught[0].vnodes[int(node)]
        armature = caught[0].vnodes[vnode.bone_arma].blender_object
        bone, T = armature.data.bones[vnode.blender_bone_name], np.array(armature.matrix_world)
        for place in (bone.head_local, bone.tail_local):
            x, y, z = T[:3, :3] @ np.array(place) + T[:3, 3]
            ends.append((x, z, -y))
    ends = np.array(ends).reshape(-1, 2, 3)
    return ends[:, 0], ends[:, 1]


def moved_onto(heads, tails, places):
    """Tails after the similarity that takes the imported heads closest to where the joints were bound."""
    a, b = heads.mean(0), places.mean(0)
    U, S, Vt = np.linalg.svd((places - b).T @ (heads - a))
    signs = np.array([1.0, 1.0, np.sign(np.linalg.det(U @ Vt))])
    R, scale = U @ np.diag(signs) @ Vt, (S * signs).sum() / max(((heads - a) ** 2).sum(), 1e-30)
    return places + scale * (tails - heads) @ R.T


def bone_heat(vertices, triangles, heads, tails, deform):
    """Blender's weights and the CPU seconds that they took."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    mesh = bpy.data.meshes.new("mesh")
    mesh.from_pydata(vertices.tolist(), [], triangles.tolist())
    body = bpy.data.objects.new("mesh", mesh)
    armature = bpy.data.objects.new("rig", bpy.data.armatures.new("rig"))
    for item in (body, armature):
        bpy.context.collection.objects.link(item)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for i, (head, tail, deforms) in enumerate(zip(heads, tails, deform, strict=True)):
        bone = armature.data.edit_bones.new(f"b{i}")
        bone.head, bone.tail, bone.use_deform = head, tail, bool(deforms)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.object.select_all(action="DESELECT")
    body.select_set(True)
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    started = time.process_time()
    bpy.ops.object.parent_set(type="ARMATURE_AUTO")
    seconds = time.process_time() - started
    weights = np.zeros((len(vertices), len(heads)), np.float32)
    number = {group.index: int(group.name[1:]) for group in body.vertex_groups}
    for i, vertex in enumerate(mesh.vertices):
        for group in vertex.groups:
            weights[i, number[group.group]] = group.weight
    return weights, seconds


def main(task_path, answer_path):
    """Compute Blender's weights with both bone heuristics, with merged and with separate vertices."""
    task, answers = np.load(task_path), {}
    vertices, triangles, places = task["V"], task["T"], task["heads"]
    size = np.ptp(vertices, axis=0).max()
    for heuristic in ("BLENDER", "TEMPERANCE"):
        heads, tails = imported_bones(str(task["path"]), task["nodes"], heuristic)
        tails = moved_onto(heads, tails, places)
        for merged in (0, 1):
            points, faces, back = vertices, triangles, np.arange(len(vertices))
            if merged:
                cells = np.round(vertices / size * 1e5).astype(np.int64)
                _, first, back = np.unique(cells, axis=0, return_index=True, return_inverse=True)
                back = back.ravel()
                points, faces = vertices[first], back[triangles]
                a, b, c = faces.T
                faces = faces[(a != b) & (b != c) & (c != a)]
            weights, seconds = bone_heat(points, faces, places, tails, task["deform"])
            answers[f"W_{heuristic}_{merged}"], answers[f"t_{heuristic}_{merged}"] = weights[back], seconds
    np.savez_compressed(answer_path, **answers)


if __name__ == "__main__":
    main(*sys.argv[1:])
