"""What the embedded prior is shown of a character: the film of its parts, while the body stays on the spot."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from gambol.character.anatomy.anatomy import FIRST_FINGER_BONE, Anatomy, BodyPart
from gambol.character.character import Character
from gambol.errors import ConfigError
from gambol.motion.dynamic_similarity import natural_frame_rate
from gambol.motion.feet.soles import typical_leg_length
from gambol.priors.embedded.part_film import PART_NUMBERS, PartFrame, body_unit, part_frame
from gambol.priors.embedded.part_labels import PART_LABELS, bone_labels, splat_labels
from gambol.priors.embedded.part_moments import part_tables
from gambol.priors.embedded.part_pictures import draw_parts
from gambol.priors.embedded.root_reading import make_root_reader, read_root
from gambol.render.actor import make_actor
from gambol.render.follow_camera import View
from gambol.render.free_splats import free_actor, still_transforms
from gambol.render.observer import Observer, ObserverConfig, Poses, Subject, start_transforms
from gambol.render.splats_from_mesh import splats_from_mesh
from gambol.splats.skinned_splats import SkinnedSplats

FILM_SPLATS = 600
"""Splats of a body whose parts are measured."""
FILM_ROWS = PART_NUMBERS + 1
"""Rows of a film's frame: the numbers of a part, then its share of the surface."""


class PartObserver(Observer):
    """The film of a body's parts [frames, labels, rows, 1]: one view, the root's steady travel left out."""

    travels = False
    views = 1
    style = "control"

    def __init__(self, subject: Subject, config: ObserverConfig) -> None:
        if config.views not in (None, 1):
            raise ConfigError(f"views is {config.views}; the embedded prior sees a body from all sides in one view.")
        character, anatomy = subject.character, subject.anatomy
        leg = typical_leg_length(character, anatomy)
        splats = bare_splats(character, anatomy, config.splats or FILM_SPLATS)
        self.actor = make_actor(character, splats)
        self.fps = config.fps or natural_frame_rate(leg)
        self.first_view = View("the prior's view", config.azimuth, config.elevation)
        self._labels = bone_labels(character.require_skeleton(), anatomy)
        tables = part_tables(splats, self._labels)
        self._start_pose = start = start_transforms(self.actor, subject)
        self.parts: PartFrame = part_frame(tables, body_unit(leg, character.size), start)
        self._root_reader = make_root_reader(character.require_skeleton(), self.parts)
        self._start = self._rows(self.parts.start[None])[0]

    def render(self, T_world_rest: Poses, view: int) -> Float[Tensor, "frames labels rows 1"]:
        """Numbers of all labels in every frame; differentiable. Labels that the body does not have are zero."""
        return self._rows(self.parts.numbers(T_world_rest))

    def start_frame(self, view: int) -> Float[Tensor, "labels rows 1"]:
        """The parts in the start pose."""
        return self._start

    def with_free_splats(self) -> PartObserver:
        """The observer whose splats, in the start pose, each have a transform of their own."""
        free = copy(self)
        free.actor = free_actor(self.actor, self._start_pose)
        free._labels = splat_labels(self.actor.splats, self._labels)
        free._start_pose = still_transforms(free.actor)
        free.parts = replace(self.parts, tables=part_tables(free.actor.splats, free._labels))
        return free

    def picture(self, video: Float[Tensor, "frames labels rows 1"]) -> Float[Tensor, "frames 3 height width"]:
        """The parts as ellipses from the side and from the front."""
        return draw_parts(video[..., :PART_NUMBERS, 0])

    def read_root(self, latent: Float[Tensor, "frames numbers"]) -> Float[Tensor, "frames 6"]:
        """Displacement (m) and angles (rad) of the root in a latent's frames (`root_reading`)."""
        numbers = latent.unflatten(1, (len(PART_LABELS), PART_NUMBERS))[:, self.parts.tables.labels]
        return torch.as_tensor(read_root(self._root_reader, numbers.double().numpy())).float()

    def _rows(self, numbers: Float[Tensor, "frames parts 9"]) -> Float[Tensor, "frames labels rows 1"]:
        tables = self.parts.tables
        mass = tables.mass[:, None].expand(len(numbers), -1, 1)
        rows = torch.zeros(len(numbers), len(PART_LABELS), FILM_ROWS)
        return rows.index_copy(1, tables.labels, torch.cat([numbers, mass], -1))[..., None]


def bare_splats(character: Character, anatomy: Anatomy, count: int) -> SkinnedSplats:
    """About `count` splats of the body without what its hands hold."""
    order = torch.as_tensor(np.array(anatomy.orders))
    held = torch.tensor([part == BodyPart.ARM for part in anatomy.parts]) & (order >= FIRST_FINGER_BONE)

    def bare(splats: SkinnedSplats) -> Bool[Tensor, "splats"]:
        return (splats.weights * held[splats.bones]).sum(1) < 0.5

    splats = splats_from_mesh(character, count)
    share = float(bare(splats).float().mean())
    if share in (0.0, 1.0):
        return splats
    splats = splats_from_mesh(character, round(count / max(share, 0.1)))
    return splats.subset(bare(splats))
