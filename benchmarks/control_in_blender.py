"""Runs inside Blender's Python: plays a clip of a .glb three times in a row and writes down where the surface is.

    python benchmarks/control_in_blender.py FILE.glb CLIP PLACES.npy

PLACES is [frames, vertices, 3]: vertices of all meshes in the world at every frame of 30 per second.
"""

import sys

import bpy
import numpy as np

from gambol.files.blender.fbx_blend_job import action_of, import_gltf, play, shown_vertices, start_empty

REPEATS = 3
FPS = 30
MOST_VERTICES = 400


def main(path: str, clip: str, answer: str) -> None:
    """Import, repeat the clip's strips, write down."""
    start_empty(FPS)
    import_gltf(path)
    last = round(float(action_of(clip).frame_range[1]))
    play(clip)
    for owner in (*bpy.data.objects, *bpy.data.shape_keys):
        data = owner.animation_data
        for track in data.nla_tracks if data is not None else ():
            track.mute = track.name != clip
            for strip in track.strips if track.name == clip else ():
                strip.repeat, strip.extrapolation = REPEATS, "HOLD"
        if data is not None:
            data.action = None  # the strips play
    meshes = [obj for obj in bpy.context.scene.objects if obj.type == "MESH" and not obj.hide_viewport]
    places = []
    for frame in range(REPEATS * last + 1):
        bpy.context.scene.frame_set(frame)
        places.append(np.concatenate([shown_vertices(mesh) for mesh in meshes]))
    found = np.stack(places)
    np.save(answer, found[:, :: max(found.shape[1] // MOST_VERTICES, 1)])


if __name__ == "__main__":
    main(*sys.argv[1:])
