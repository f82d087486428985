"""Frozen limbs in the keys that are written: inside the spans the source's own keys, as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.character.scene import NodeTree
from gambol.distill.constraints.freeze import Freeze
from gambol.distill.constraints.limb_names import chosen_joints
from gambol.motion.node_clip import NodeChannel, NodeClip

SAME_TIME = 1e-5
"""Keys closer than this are at the same time, seconds."""
Spans = Sequence[tuple[float, float]]
"""First and last times of spans, seconds."""


def frozen_nodes(character: Character, anatomy: Anatomy, freeze: Freeze) -> set[int]:
    """The file's nodes whose local keys are frozen."""
    assert character.binding is not None, "a character with a skeleton has a binding"
    chosen = chosen_joints(character.require_skeleton(), anatomy, freeze.limbs)
    return {int(node) for node in np.asarray(character.binding.bone_nodes)[chosen]}


def copy_frozen_keys(character: Character, anatomy: Anatomy, clip: NodeClip, freezes: Sequence[Freeze]) -> NodeClip:
    """A clip whose frozen nodes have the source's keys inside the spans, times and values as they are in the file."""
    for freeze in freezes:
        nodes, spans = frozen_nodes(character, anatomy, freeze), freeze.frozen_spans(clip.end)
        if not spans:
            continue
        source: dict[tuple[int, str], NodeChannel] = {
            (c.node, c.path): c for c in freeze.found.node_clip.channels if c.node in nodes and c.path != "weights"
        }
        made: dict[tuple[int, str], NodeChannel] = {(c.node, c.path): c for c in clip.channels}
        channels = [c for c in clip.channels if c.node not in nodes]
        for key in sorted(source.keys() | {key for key in made if key[0] in nodes}):
            channel = _merged(character.scene.nodes, made.get(key), source.get(key), spans, clip.end)
            channels += [channel] if channel is not None else []
        clip = replace(clip, channels=tuple(channels))
    return clip


def inside_spans(times: Float[ndarray, "keys"], spans: Spans) -> Bool[ndarray, "keys"]:
    """Whether each time lies in one of the spans."""
    within = np.zeros(len(times), bool)
    for first, last in spans:
        within |= (times >= first - SAME_TIME) & (times <= last + SAME_TIME)
    return within


def _merged(
    nodes: NodeTree, made: NodeChannel | None, source: NodeChannel | None, spans: Spans, end: float
) -> NodeChannel | None:
    """One channel: the source's keys inside the spans, the new ones outside."""
    covers = len(spans) == 1 and spans[0][0] <= SAME_TIME and spans[0][1] >= end - SAME_TIME
    if covers and (source is None or source.times[-1] <= end + SAME_TIME):
        return source
    some = made or source
    assert some is not None
    rests = {"translation": nodes.translations, "rotation": nodes.rotations_wxyz, "scale": nodes.scales}
    rest = rests[str(some.path)]
    still = NodeChannel(some.node, some.path, np.zeros(1), rest[some.node][None])
    made, source = made or still, source or still
    outside = made.times[~inside_spans(made.times, spans)] if len(made.times) > 1 else made.times[:0]
    if len(made.times) == 1:  # one key for all times
        outside = np.array([t for span in spans for t in _beside(span, end)])
    kept = inside_spans(source.times, spans)
    edges = np.array([t for span in spans for t in span if np.abs(source.times - t).min() > SAME_TIME])
    cubic = source.interpolation == "CUBICSPLINE"
    pieces = [(source.times[kept], source.values[kept])]
    for times, channel in ((edges, source), (outside, made)):
        values = channel.sample(times) if len(times) else np.zeros((0, rest.shape[1]))
        if some.path == "rotation" and channel is made and kept.any():
            near = np.abs(times[:, None] - source.times[kept]).argmin(1)
            own = source.values[kept][near, 1] if cubic else source.values[kept][near]
            values = values * np.where((values * own).sum(1, keepdims=True) < 0, -1.0, 1.0)
        pieces.append((times, _with_tangents(times, values) if cubic else values))
    times, values = (np.concatenate(part) for part in zip(*pieces, strict=True))
    order = np.argsort(times, kind="stable")
    return replace(source, times=times[order], values=values[order])


def _beside(span: tuple[float, float], end: float) -> list[float]:
    """Times just before and behind a span, and the ends of the clip."""
    before = [0.0, span[0] - 0.2] if span[0] > 0.2 else []
    return [*before, *([span[1] + 0.2, end] if span[1] + 0.2 < end else [])]


def _with_tangents(times: Float[ndarray, "keys"], values: Float[ndarray, "keys width"]) -> ndarray:
    """Keys of a cubic spline with the slopes of the line through their neighbours."""
    slopes = np.gradient(values, times, axis=0) if len(times) > 1 else np.zeros_like(values)
    return np.stack([slopes, values, slopes], axis=1)
