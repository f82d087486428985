"""A clip as files store it: keyframes per node and property, sampled as glTF 2.0 (appendix C) prescribes."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.scene import NodeTree, Scene, pose_parts
from gambol.character.transforms import compose_trs
from gambol.errors import AssetError, ConfigError

NodeProperty = Literal["translation", "rotation", "scale", "weights"]
"""What a channel animates."""
Interpolation = Literal["STEP", "LINEAR", "CUBICSPLINE"]
"""How a channel is interpolated between its keys, as in glTF."""
MAX_SAMPLED_FRAMES = 100_000
"""Most frames that a clip is sampled at; more means a broken file or an absurd frame rate."""


@dataclass(frozen=True)
class NodeChannel:
    """Keys of one property of one node."""

    node: int
    """Index of the node in the file."""
    path: NodeProperty
    """The property that is animated."""
    times: Float[ndarray, "keys"]
    """Times of the keys, seconds, increasing."""
    values: Float[ndarray, "keys width"] | Float[ndarray, "keys 3 width"]
    """Values at the keys in the file's unit; rotations are wxyz; CUBICSPLINE: (in-tangent, value, out-tangent)."""
    interpolation: Interpolation = "LINEAR"
    """How values between keys are found."""

    def sample(self, times: Float[ndarray, "samples"]) -> Float[ndarray, "samples width"]:
        """Values at `times`, held constant before the first and after the last key."""
        last = len(self.times) - 1
        after = np.clip(np.searchsorted(self.times, times, side="right"), 1, max(last, 1))
        left, right = after - 1, np.minimum(after, last)
        span = self.times[right] - self.times[left]
        u = np.clip((times - self.times[left]) / np.where(span > 0, span, 1.0), 0.0, 1.0)
        if self.interpolation == "CUBICSPLINE":
            result = _hermite(self.values, left, right, u[:, None], span[:, None])
        elif self.interpolation == "STEP":
            result = np.where((u >= 1.0)[:, None], self.values[right], self.values[left])
        elif self.path == "rotation":
            return _slerp(self.values[left], self.values[right], u)
        else:
            result = self.values[left] + u[:, None] * (self.values[right] - self.values[left])
        if self.path == "rotation":
            norm = np.linalg.norm(result, axis=-1, keepdims=True)
            result = np.where(norm > 1e-12, result / np.maximum(norm, 1e-12), [1.0, 0.0, 0.0, 0.0])
        return result


@dataclass(frozen=True)
class NodeClip:
    """A named animation of a file's nodes."""

    name: str
    """Name in the file."""
    channels: tuple[NodeChannel, ...] = field(repr=False)
    """One channel per animated property of a node."""

    @cached_property
    def start(self) -> float:
        """Time of the first key, seconds."""
        return float(min((c.times[0] for c in self.channels), default=0.0))

    @cached_property
    def end(self) -> float:
        """Time of the last key, seconds."""
        return float(max((c.times[-1] for c in self.channels), default=0.0))

    @property
    def duration(self) -> float:
        """Length from the first to the last key, seconds."""
        return self.end - self.start

    def key_times(self) -> Float[ndarray, "times"]:
        """All distinct key times."""
        return np.unique(np.concatenate([c.times for c in self.channels])) if self.channels else np.zeros(1)

    def frame_times(self, fps: float) -> Float[ndarray, "frames"]:
        """Times of whole frames at `fps` from the first key to the last."""
        if not (isinstance(fps, int | float) and np.isfinite(fps) and fps > 0):
            raise ConfigError(f"fps is {fps!r}; it takes a number of frames per second above 0, such as 30.")
        count = round(self.duration * fps) + 1
        if count > MAX_SAMPLED_FRAMES:
            told = f"Clip '{self.name}' has {count} frames at {fps:g} per second"
            raise AssetError(f"{told}; at most {MAX_SAMPLED_FRAMES} are sampled. Choose a lower rate.")
        return self.start + np.arange(count) / fps

    def sample(self, nodes: NodeTree, times: Float[ndarray, "frames"]) -> Float[ndarray, "frames nodes 4 4"]:
        """T_world_node of every node at `times`."""
        shape = (len(times), len(nodes))
        trs = {
            "translation": np.broadcast_to(nodes.translations, (*shape, 3)).copy(),
            "rotation": np.broadcast_to(nodes.rotations_wxyz, (*shape, 4)).copy(),
            "scale": np.broadcast_to(nodes.scales, (*shape, 3)).copy(),
        }
        local = np.broadcast_to(nodes.T_parent_node, (*shape, 4, 4)).copy()
        moved = set()
        for channel in self.channels:
            if channel.path != "weights":
                trs[channel.path][:, channel.node] = channel.sample(times)
                moved.add(channel.node)
        indices = sorted(moved - set(nodes.matrices))
        local[:, indices] = compose_trs(*(trs[k][:, indices] for k in ("translation", "rotation", "scale")))
        return nodes.chain(local)

    def sample_morphs(self, time: float) -> dict[int, Float[ndarray, "_targets"]]:
        """Morph weights of the nodes that this clip animates."""
        return {c.node: c.sample(np.array([time]))[0] for c in self.channels if c.path == "weights"}


def pose_scene(scene: Scene, clip: NodeClip, time: float) -> list[Float[ndarray, "_vertices 3"]]:
    """World vertices of every part of a file at one time of one of its own clips."""
    T_world_node = clip.sample(scene.nodes, np.array([time]))[0]
    return pose_parts(scene, T_world_node, clip.sample_morphs(time))


def _hermite(keys: ndarray, left: ndarray, right: ndarray, u: ndarray, span: ndarray) -> ndarray:
    """p(u) = (2u^3-3u^2+1) v_k + d (u^3-2u^2+u) b_k + (-2u^3+3u^2) v_k+1 + d (u^3-u^2) a_k+1."""
    v0, b0 = keys[left, 1], keys[left, 2]
    a1, v1 = keys[right, 0], keys[right, 1]
    u2, u3 = u * u, u * u * u
    return (2 * u3 - 3 * u2 + 1) * v0 + span * (u3 - 2 * u2 + u) * b0 + (3 * u2 - 2 * u3) * v1 + span * (u3 - u2) * a1


def _slerp(a: ndarray, b: ndarray, u: ndarray) -> ndarray:
    """Shortest-arc spherical interpolation sin((1-u) h)/sin h a + sin(u h)/sin h b, h the angle between a and b."""
    a = a / np.maximum(np.linalg.norm(a, axis=-1, keepdims=True), 1e-12)
    b = b / np.maximum(np.linalg.norm(b, axis=-1, keepdims=True), 1e-12)
    dot = (a * b).sum(-1, keepdims=True)
    b = np.where(dot < 0, -b, b)
    angle = np.arccos(np.clip(np.abs(dot), 0.0, 1.0))
    sine = np.sin(angle)
    near = sine < 1e-6
    safe = np.where(near, 1.0, sine)
    u = u[:, None]
    weight_a = np.where(near, 1 - u, np.sin((1 - u) * angle) / safe)
    weight_b = np.where(near, u, np.sin(u * angle) / safe)
    result = weight_a * a + weight_b * b
    return result / np.linalg.norm(result, axis=-1, keepdims=True).clip(1e-12)
