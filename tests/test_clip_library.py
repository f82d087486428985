"""The paper's whole path with a prior whose score is exact: the known motion comes back from rest pose and drift."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from distillation_setup import subject_of

from gambol.app.animate_plan import resolve
from gambol.app.animate_request import AnimateRequest
from gambol.creatures.gaits.make_motion import make_motion
from gambol.diffusion.video_prior import VideoFormat
from gambol.distill.losses import AKDGround, AKDSmoothness
from gambol.distill.presets import akd_losses
from gambol.distill.problem import clip_of, make_problem
from gambol.distill.run_methods import run_methods
from gambol.distill.sds import SDS
from gambol.errors import ConfigError, PriorError
from gambol.motion.kinematics import pose_clip
from gambol.priors.library.clip_library import clip_library_prior
from gambol.render.observer import FollowCameraObserver, ObserverConfig

FORMAT = VideoFormat(frames=12, height=48, width=72, fps=12.0)
VIEW = ObserverConfig(splats=1500, azimuth=float(np.radians(60.0)), elevation=float(np.radians(18.0)))
"""From the front: seen from the side, a standing body's left and right legs are one."""
SLOWER = 1.6
"""The walk is played slower by this factor: on a checkerboard a speed is known only up to whole squares."""


@pytest.fixture(scope="module")
def subject():
    return subject_of("fox")


@pytest.fixture(scope="module")
def clips(subject):
    found = {}
    for motion in ("walk", "jump"):
        seconds, fps = FORMAT.frames / FORMAT.fps / SLOWER, FORMAT.fps * SLOWER
        clip = make_motion(subject.character, subject.anatomy, motion, seconds=seconds, fps=fps, loop=False)
        root = clip.root.copy()
        root[:, [0, 2]] -= root[0, [0, 2]]
        found[motion] = replace(clip, fps=FORMAT.fps, root=root)
    return found


@pytest.fixture(scope="module")
def prior(subject, clips):
    return clip_library_prior(subject, clips, FORMAT, observer=VIEW)


def joints(subject, clip):
    return pose_clip(subject.character.require_skeleton(), clip)[: FORMAT.frames, :, :3, 3]


def explained(found, true, start):
    """Share of the squared distance from start to truth that is covered."""
    return 1.0 - ((found - true) ** 2).sum() / ((start - true) ** 2).sum()


def test_a_known_motion_is_recovered_by_the_papers_method(subject, prior, clips):
    plan = resolve(AnimateRequest("a fox is walking"), prior)
    assert plan.preset == "paper"
    assert plan.motion.basis == "free"
    assert plan.motion.start_speed > 0
    (method,) = plan.methods
    assert method == SDS()
    assert [type(loss) for loss in plan.losses] == [AKDSmoothness, AKDGround]
    losses = akd_losses(prior.mixture.means[0].numel())
    problem = make_problem(prior, subject, "a fox is walking", losses=losses, config=plan.motion, observer=VIEW)
    assert isinstance(problem.observer, FollowCameraObserver)
    short = replace(method, learning_rate=0.01).with_steps(350)
    state = run_methods(problem, (short,))
    assert state.evaluations == 2 * 350
    found = joints(subject, clip_of(problem, state.coefficients, "found"))
    start = joints(subject, clip_of(problem, problem.parameters.zeros(), "start"))
    walk, jump = joints(subject, clips["walk"]), joints(subject, clips["jump"])
    assert explained(found, walk, start) > 0.75
    legs = [limb.bones[-1] for limb in subject.anatomy.legs]
    own = [x[:, legs] - x[:, :1] for x in (found, walk, start)]
    assert explained(*own) > 0.5  # the feet about the root, without the travel
    assert explained(found, jump, start) < 0.5


def test_the_score_is_exact_at_the_clip_itself(subject, prior, clips):
    """At the library's own video the clean estimate is that video, whatever the noise of a low level."""
    observer = prior.observer(subject, VIEW)
    with torch.no_grad():
        z = prior.encode(observer.render(observer.actor.pose_clip(clips["walk"])[: FORMAT.frames], 0))
    assert torch.allclose(z, prior.mixture.means[0], atol=1e-5)
    clean = prior.predict_clean(prior.signal(0.5).a * z, 0.5, prior.condition("a fox walks"), 100.0)
    assert torch.allclose(clean, z, atol=1e-4)


def test_the_sentence_picks_the_clips(prior):
    assert prior.named_clips("a fox is walking") == ("walk",)
    assert prior.named_clips("the fox hops") == ("jump",)
    assert prior.named_clips("walk, then jump") == ("walk", "jump")
    assert prior.named_clips("") == ("walk", "jump")
    assert prior.condition("walk")[0].tolist() == [0.5, 0.0]
    with pytest.raises(PriorError, match="knows walk, jump"):
        prior.condition("a fox swims")
    assert "walk" in prior.read_prompt("walks").notes[0]


def test_clips_must_fit_the_format(subject, clips):
    with pytest.raises(ConfigError, match="needs 99 or more"):
        clip_library_prior(subject, clips, replace(FORMAT, frames=99), observer=VIEW)
    with pytest.raises(ConfigError, match="one clip or more"):
        clip_library_prior(subject, {}, FORMAT)
