"""What the embedded prior is shown: the stage from several pairs of mirrored views."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float
from torch import Tensor

from gambol.errors import ConfigError
from gambol.motion.dynamic_similarity import natural_frame_rate
from gambol.motion.feet.soles import typical_leg_length
from gambol.priors.embedded.stage import SPLATS, Stage, StageView, make_stage, stage_splats
from gambol.render.actor import make_actor
from gambol.render.cameras import Camera
from gambol.render.follow_camera import View
from gambol.render.observer import Observer, ObserverConfig, Poses, Subject, start_transforms

MAX_VIEWS = 8
"""Most views of a stage."""
VIEW_OFFSETS = ((1.0, 0.0), (-1.0, 3.0), (0.33, -3.0), (-0.42, 4.0))
"""For each pair of mirrored views: factor of the first azimuth, and degrees added to the elevation."""


class StageObserver(Observer):
    """The embedded prior's stage: the body stays on the spot; a target is fitted from each view.

    What the prior gets wrong differs from view to view, so several views are better than one.
    """

    travels = False
    style = "control"

    def __init__(self, subject: Subject, config: ObserverConfig) -> None:
        views = MAX_VIEWS if config.views is None else config.views
        if views > MAX_VIEWS:
            raise ConfigError(f"views is {views}; a stage has {MAX_VIEWS} at most.")
        character, anatomy = subject.character, subject.anatomy
        self.actor = make_actor(character, stage_splats(character, anatomy, config.splats or SPLATS))
        self.fps = config.fps or natural_frame_rate(typical_leg_length(character, anatomy))
        self.first_view = View("the prior's view", config.azimuth, config.elevation)
        seen = stage_views(StageView(config.azimuth, config.elevation), views)
        self.stages: list[Stage] = [make_stage(self.actor, anatomy, view) for view in seen]
        self.views = len(self.stages)
        start = start_transforms(self.actor, subject)
        self.start_frames = [stage.render_poses(start)[0].detach() for stage in self.stages]

    def render(self, T_world_rest: Poses, view: int) -> Float[Tensor, "frames 3 height width"]:
        """Both pictures of this view's stage, side by side."""
        return self.stages[view].render_poses(T_world_rest)

    def start_frame(self, view: int) -> Float[Tensor, "3 height width"]:
        """The start pose on this view's stage."""
        return self.start_frames[view]

    def camera(self, view: int) -> Camera:
        """The camera of the left picture."""
        return self.stages[view].first_camera


def stage_views(view: StageView, count: int) -> tuple[StageView, ...]:
    """The view, its mirror image, and both again from slightly different directions: at most `MAX_VIEWS`."""
    firsts = [
        replace(view, azimuth=share * view.azimuth, elevation=view.elevation + float(np.radians(higher)))
        for share, higher in VIEW_OFFSETS
    ]
    return tuple(seen for first in firsts for seen in (first, first.mirrored()))[:count]
