"""Facts about a character that the player page needs besides its .glb: placement, motion skeleton, clips, colours."""

from __future__ import annotations

from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol import __version__
from gambol.character.bind_pose import nearest_joints
from gambol.character.character import Character
from gambol.character.colour import linear_to_srgb
from gambol.character.skeleton import Skeleton
from gambol.errors import ConfigError
from gambol.files.asset import Asset
from gambol.motion.node_clip import NodeClip
from gambol.view.player_model import PlayerModel

KNOWN_FRAME_RATES = (30.0, 24.0, 25.0, 60.0, 50.0, 48.0, 120.0)
"""Frame rates that are tried for a clip, in order of preference; the first one where none fits."""
GOLDEN_ANGLE = np.pi * (3.0 - np.sqrt(5.0))
"""Angle between the hues of successive chains, radians."""


def page_facts(
    asset: Asset,
    model: PlayerModel,
    *,
    bone_colours: Float[ndarray, "bones 3"] | None = None,
    clip: str | None = None,
) -> dict[str, Any]:
    """JSON values that the page cannot find in the .glb: placement, motion skeleton, rest pose, clips, colours.

    Matrices are rows; `rest` lists file nodes and the first three rows of their bind transform in file space; a bone's
    `tail` is the end of a leaf in its node's frame; `bone_of_node` is -1 for nodes that no bone moves.
    """
    character = asset.character
    points = _rest_points(character)
    return {
        "schema": 1,
        "generator": f"Gambol {__version__}",
        "name": character.name,
        "size": max(character.size, 1e-9),
        "low": points.min(0).tolist(),
        "high": points.max(0).tolist(),
        "triangles": len(character.mesh.triangles) if character.mesh is not None else 0,
        "T_world_file": character.placement.T_world_file.ravel().tolist(),
        "normals_lost": model.rewritten,
        "clips": [_clip_facts(c) for c in asset.clips],
        "first_clip": _first_clip(asset, clip),
        **_bone_facts(character, bone_colours),
    }


def chain_colours(skeleton: Skeleton) -> Float[ndarray, "bones 3"]:
    """sRGB colours of the bones: one hue per chain, a golden angle apart, with two alternating shades along it."""
    chains, places = _chains(skeleton)
    hue = 0.9 + chains * GOLDEN_ANGLE
    lightness = np.where(places % 2 == 0, 0.74, 0.66)
    return _srgb_from_oklch(lightness, np.full(len(skeleton), 0.125), hue)


def clip_frame_rate(clip: NodeClip) -> float:
    """Frame rate at which at least 9 of 10 intervals between a clip's keys are whole frames, frames per second."""
    gaps = np.diff(clip.key_times())
    for rate in KNOWN_FRAME_RATES:
        if len(gaps) and (np.abs(gaps * rate - np.round(gaps * rate)) < 0.02).mean() >= 0.9:
            return rate
    return KNOWN_FRAME_RATES[0]


def _rest_points(character: Character) -> Float[ndarray, "points 3"]:
    if character.mesh is not None:
        return character.mesh.vertices
    skeleton = character.require_skeleton()
    return np.concatenate([skeleton.heads, skeleton.tails])


def _first_clip(asset: Asset, clip: str | None) -> int:
    """Index of the clip that is shown first, -1 for the rest pose."""
    if clip is None:
        return 0 if asset.clips else -1
    wanted = asset.clip(clip)
    return next(i for i, c in enumerate(asset.clips) if c is wanted)


def _clip_facts(clip: NodeClip) -> dict[str, Any]:
    return {"name": clip.name, "start": clip.start, "end": clip.end, "fps": clip_frame_rate(clip)}


def _bone_facts(character: Character, bone_colours: ndarray | None) -> dict[str, Any]:
    skeleton, binding, nodes = character.skeleton, character.binding, character.scene.nodes
    if skeleton is None or binding is None:
        return {"bones": [], "rest": [], "bone_of_node": [-1] * len(nodes)}
    colours = _checked_colours(bone_colours, skeleton)
    T_bind_world = np.linalg.inv(binding.T_file_bind) @ character.placement.T_file_world
    tails = np.einsum("bij,bj->bi", T_bind_world[:, :3, :3], skeleton.tails) + T_bind_world[:, :3, 3]
    bones = [
        {
            "name": name,
            "node": int(binding.bone_nodes[i]),
            "parent": int(skeleton.parents[i]),
            "tail": None if skeleton.children[i] else tails[i].tolist(),
            "colour": np.round(colours[i], 4).tolist(),
        }
        for i, name in enumerate(skeleton.names)
    ]
    binds = dict(zip(map(int, binding.bone_nodes), binding.T_file_bind, strict=True)) | binding.riders
    rest = [[node, *bind[:3].ravel().tolist()] for node, bind in sorted(binds.items())]
    bone_of = dict.fromkeys(binding.riders, 0) | {int(node): i for i, node in enumerate(binding.bone_nodes)}
    holders = nearest_joints(nodes, bone_of)
    return {"bones": bones, "rest": rest, "bone_of_node": [bone_of.get(int(node), -1) for node in holders]}


def _checked_colours(bone_colours: ndarray | None, skeleton: Skeleton) -> Float[ndarray, "bones 3"]:
    if bone_colours is None:
        return chain_colours(skeleton)
    colours = np.asarray(bone_colours, dtype=np.float64)
    if colours.shape != (len(skeleton), 3) or not ((colours >= 0) & (colours <= 1)).all():
        wanted = f"wanted are {len(skeleton)} colours of 3 numbers from 0 to 1"
        raise ConfigError(f"The bone colours have the shape {colours.shape}; {wanted}.")
    return colours


def _chains(skeleton: Skeleton) -> tuple[Int[ndarray, "bones"], Int[ndarray, "bones"]]:
    """Index of each bone's chain and its position in it; a chain continues into the child with most bones below it."""
    depth_below = np.zeros(len(skeleton), int)
    for bone in range(len(skeleton) - 1, 0, -1):
        parent = skeleton.parents[bone]
        depth_below[parent] = max(depth_below[parent], depth_below[bone] + 1)
    chains, places, count = np.zeros(len(skeleton), int), np.zeros(len(skeleton), int), 1
    for bone, children in enumerate(skeleton.children):
        heir = max(children, key=lambda c: (depth_below[c], -c), default=None)
        for child in children:
            if child == heir:
                chains[child], places[child] = chains[bone], places[bone] + 1
            else:
                chains[child], count = count, count + 1
    return chains, places


def _srgb_from_oklch(
    lightness: Float[ndarray, "n"], chroma: Float[ndarray, "n"], hue: Float[ndarray, "n"]
) -> Float[ndarray, "n 3"]:
    """Oklab's polar form to sRGB (Ottosson 2020): equal steps look equally different."""
    a, b = chroma * np.cos(hue), chroma * np.sin(hue)
    cubes = np.stack(
        [
            lightness + 0.3963377774 * a + 0.2158037573 * b,
            lightness - 0.1055613458 * a - 0.0638541728 * b,
            lightness - 0.0894841775 * a - 1.2914855480 * b,
        ],
        axis=-1,
    )
    to_linear = np.array(
        [
            [4.0767416621, -3.3077115913, 0.2309699292],
            [-1.2684380046, 2.6097574011, -0.3413193965],
            [-0.0041960863, -0.7034186147, 1.7076147010],
        ]
    )
    return linear_to_srgb(cubes**3 @ to_linear.T)
