"""Keep limbs of an existing clip as they are, key for key."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.distill.constraints import check_values as check
from gambol.distill.constraints.constraint import MotionConstraint
from gambol.distill.constraints.limb_names import LIMB_NAMES, chosen_joints
from gambol.distill.losses.loss import Motion
from gambol.errors import ConfigError
from gambol.motion.clip import Clip
from gambol.motion.joint_rotations import matrix_from_angles
from gambol.motion.node_clip import NodeClip


@dataclass(frozen=True)
class FrozenSource:
    """The clip that limbs are taken from."""

    clip: Clip
    """Its joint angles."""
    node_clip: NodeClip
    """Its keys as the file has them."""


@dataclass(frozen=True)
class Freeze(MotionConstraint):
    """Limbs of a clip of the file over spans of time; their keys are copied as they are, the rest is made anew."""

    clip: str
    """Name of the clip."""
    limbs: tuple[str, ...] = ("upper body",)
    """Limbs by their words (arms, left arm, tail, upper body ...) or joints by name, with everything below them."""
    spans: tuple[tuple[float, float], ...] | None = field(default=None, kw_only=True)
    """First and last time of each span, seconds, the same in both clips; None: as long as the clip lasts."""
    source: FrozenSource | None = field(default=None, kw_only=True)
    """The clip itself; found from the character's file."""
    weight: float = field(default=1.0, kw_only=True)
    """Factor of the loss."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "clip", check.checked_text(self.clip, "clip", "the name of a clip of the file"))
        object.__setattr__(self, "limbs", check.checked_names(self.limbs, "limbs", LIMB_NAMES))
        if self.spans is not None:
            takes = "spans of two times in seconds, one after the other"
            if not isinstance(self.spans, list | tuple) or not self.spans:
                raise ConfigError(f"spans is {self.spans!r}; it takes {takes}.")
            spans = tuple(check.checked_interval(span, f"spans[{k}]") for k, span in enumerate(self.spans))
            if any(b[0] <= a[1] for a, b in pairwise(spans)):
                raise ConfigError(f"spans is {self.spans!r}; it takes {takes}: these overlap.")
            object.__setattr__(self, "spans", spans)
        object.__setattr__(self, "weight", check.checked_weight(self.weight, "weight"))

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name in logs and reports."""
        return f"freeze {', '.join(self.limbs)} of {self.clip}"

    @property
    def found(self) -> FrozenSource:
        """The clip; raises where its name has not been looked up."""
        if self.source is None:
            raise ConfigError(f"The clip '{self.clip}' of freeze is a name; it needs the character's file.")
        return self.source

    def frozen_spans(self, duration: float) -> tuple[tuple[float, float], ...]:
        """The spans within a clip of this length; none where it has none."""
        last = min(duration, self.found.clip.duration)
        spans = ((0.0, last),) if self.spans is None else self.spans
        return tuple((first, min(end, last)) for first, end in spans if first < last)

    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """Mean over frozen frames and joints of |R - R_source|^2."""
        skeleton = motion.body.character.require_skeleton()
        chosen = chosen_joints(skeleton, motion.body.anatomy, self.limbs)[1:]
        source, frames = self.found.clip, len(motion.angles)
        nearest = np.minimum((np.arange(frames) / motion.fps * source.fps).round().astype(int), len(source) - 1)
        times, total = np.arange(frames) / motion.fps, motion.angles.new_zeros(())
        wanted = torch.as_tensor(source.angles[nearest][:, chosen]).to(motion.angles)
        R = (matrix_from_angles(motion.angles[:, torch.from_numpy(chosen)]) - matrix_from_angles(wanted)).square()
        for first, last in self.frozen_spans(float(times[-1])):
            inside = torch.from_numpy((times >= first) & (times <= last))
            total = total + R[inside].sum((-1, -2)).mean() if bool(inside.any()) else total
        return total
