"""Tracking without gradients, where Warp is not installed: cross-entropy method on MuJoCo, window by window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray

from gambol.errors import ConfigError
from gambol.physics.generalised_coordinates import states_from_transforms
from gambol.physics.gradient_tracking import TrackConfig
from gambol.physics.mjcf import R_ZUP_YUP, body_transforms_yup, load_mujoco, write_mjcf
from gambol.physics.simulated_motion import SimulatedMotion
from gambol.physics.track_windows import Window, WindowedSearch, WindowMethod, add_window, windows_in_seconds
from gambol.physics.tracking_problem import TrackingProblem
from gambol.progress import Progress


@dataclass(frozen=True)
class SamplingConfig:
    """Settings of the cross-entropy method."""

    step: float = 1.0 / 480.0
    """Longest simulation step at 9.81 m/s^2, seconds; MuJoCo's implicit integrator allows longer ones than Newton."""
    window: int = 8
    """Frames of the window that controls are searched for at once."""
    stride: int = 4
    """Frames of each window that are kept at most before the next window starts."""
    samples: int = 40
    """Controls that are drawn and simulated in each round."""
    elites: int = 6
    """Best samples of a round; the next round is drawn from their mean and standard deviation."""
    rounds: int = 5
    """Rounds of sampling in each window."""
    spread: float = 0.12
    """Standard deviation of the first samples, radians."""


DEFAULT_SAMPLING = SamplingConfig()
"""40 samples, 5 rounds, windows of 8 frames."""
MujocoState = tuple[Float[ndarray, "n"], ...]
"""Positions, velocities, and the accelerations that MuJoCo's solver starts from: all that decides its next step."""
STATE_NAMES = ("qpos", "qvel", "qacc_warmstart")
"""MuJoCo's names of these three, in this order."""


class SamplingWindows(WindowMethod):
    """Searches the joint targets of every copy in turn by the cross-entropy method, in short windows.

    The start and its velocity are those of the clip. What is carried is MuJoCo's own state, to the bit.
    """

    def __init__(self, problem: TrackingProblem, config: TrackConfig, search: SamplingConfig = DEFAULT_SAMPLING):
        if config.anneal:
            raise ConfigError(
                "The search on MuJoCo cannot anneal the upright torque; give a scale, as in --upright 0.1."
            )
        self.problem, self.config, self.search = problem, config, search
        fps, share = problem.time.fps, 1.0 - search.stride / search.window
        seconds = search.window / fps if config.window is None else config.window
        self.windows = windows_in_seconds(problem.frames, fps, seconds, config.look_ahead, look_ahead_share=share)
        self._searches = [_CrossEntropySearch(problem, config, search, copy) for copy in range(problem.copies)]

    def track(
        self,
        number: int,
        before: WindowedSearch | None,
        *,
        progress: Progress | None,
        resume: dict[str, Any] | None,
        checkpoint: Callable[[dict[str, Any]], None] | None,
    ) -> WindowedSearch:
        """Search one window of every copy, and simulate its kept part to carry the last state."""
        window = self.windows[number]
        kept = window.handover - window.first
        controls, states, costs = [], [], []
        for copy, search in enumerate(self._searches):
            if progress is not None:
                progress(copy, len(self._searches), "searching controls in MuJoCo")
            state = None if before is None else tuple(before.carried[name][copy].numpy() for name in STATE_NAMES)
            guess = None if before is None else before.carried["guess"][:, copy].flatten(1).numpy()
            found, after, cost = search.run(window, state, guess)
            controls.append(found)
            states.append(after)
            costs.append(cost)
        knots = torch.from_numpy(np.stack(controls, 1)).unflatten(2, (-1, 3))
        carried = {
            name: torch.from_numpy(np.stack([state[i] for state in states])) for i, name in enumerate(STATE_NAMES)
        }
        steps = sum(search.per_frame for search in self._searches) * (window.last - window.first)
        result = WindowedSearch(
            knots[: kept + 1].contiguous(),
            self.problem.rates,
            carried | {"guess": knots[kept:].contiguous()},
            torch.tensor(costs, dtype=torch.float32),
            self.config.upright,
            (self.search.rounds,),
            (steps * self.search.rounds * self.search.samples,),
            (float(np.mean(costs)),),
        )
        return add_window(before, result, shared_knots=1)

    def replay(self, found: WindowedSearch) -> list[SimulatedMotion]:
        """Simulate all controls of every copy from the clip's start, open loop."""
        controls = found.controls.flatten(2).numpy()
        return [search.replay(controls[:, copy]) for copy, search in enumerate(self._searches)]


class _CrossEntropySearch:
    """The search of one copy."""

    def __init__(self, problem: TrackingProblem, config: TrackConfig, search: SamplingConfig, copy: int):
        self.problem, self.search, self.upright, self.mujoco = problem, search, config.upright, load_mujoco()
        self.seed = config.seed + copy
        self.fps, self.frames = problem.time.fps, int(problem.valid[:, copy].sum())
        self.per_frame = int(np.ceil(problem.world.pace / (self.fps * search.step) - 1e-9))
        self.goal = problem.states[:, copy].double().numpy()
        self.angles = problem.angles[:, copy].double().numpy().reshape(problem.frames, -1)
        self.rates = problem.rates[copy].double().numpy()
        start = np.concatenate([problem.start[copy].double().numpy()[None], self.goal[1:]])
        twist = np.einsum("bir,r->bi", problem.velocity_maps[copy].double().numpy(), self.rates)
        twists = np.concatenate([twist[None], np.zeros((problem.frames - 1, *twist.shape))])
        targets = self.angles[1:].reshape(problem.frames - 1, -1, 3)
        meant = SimulatedMotion(self.fps, 1, start, twists, targets, self.rates, self.upright, "mujoco")
        text = write_mjcf(problem.body, problem.world, meant, name="search", step=1.0 / (self.fps * self.per_frame))
        self.model = self.mujoco.MjModel.from_xml_string(text)
        self.data = self.mujoco.MjData(self.model)
        self.ids = [self.model.body(name).id for name in problem.body.names]
        points = range(len(problem.body.points))
        self.point_of = {self.model.geom(f"point {point}").id: point for point in points}

    def run(
        self, window: Window, state: MujocoState | None, guess: Float[ndarray, "knots controls"] | None
    ) -> tuple[Float[ndarray, "knots controls"], MujocoState, float]:
        """Search one window; returns its controls, the state at its handover, and its cost.

        It begins with `guess`, what the window before found for its first knots; the first of them stays.
        """
        self._restore(self._start() if state is None else state)
        controls = self.angles[window.first : window.last + 1].copy()
        if guess is not None:
            controls[: len(guess)] = guess
        cost = 0.0
        if window.first < self.frames - 1:  # beyond the end of a shorter clip of a batch nothing is searched
            generator = np.random.default_rng([self.seed, window.first])
            offset, cost = self._best_offset(controls, window.first, generator, hold_first=guess is not None)
            controls += offset
        for k in range(window.handover - window.first):
            for _ in self._steps(controls[k], controls[k + 1]):
                pass
        return controls, self._snapshot(), cost

    def replay(self, controls: Float[ndarray, "frames controls"]) -> SimulatedMotion:
        """Simulate controls from the clip's start, open loop, and record every step."""
        self._restore(self._start())
        states, twists, forces = [self._state()], [self._twist()], [self._forces()]
        for left, right in pairwise(controls):
            for _ in self._steps(left, right):
                states.append(self._state())
                twists.append(self._twist())
            forces.append(self._forces())
        share = (np.arange(self.per_frame) + 1.0)[:, None] / self.per_frame
        targets = (1 - share) * controls[:-1, None] + share * controls[1:, None]
        shape = (self.fps, self.per_frame, states_from_transforms(np.stack(states)), np.stack(twists))
        return SimulatedMotion(
            *shape, targets.reshape(len(states) - 1, -1, 3), self.rates, self.upright, "mujoco", np.stack(forces)
        )

    def _start(self) -> MujocoState:
        """The clip's own start."""
        self.mujoco.mj_resetDataKeyframe(self.model, self.data, 0)
        return self._snapshot()

    def _best_offset(
        self, controls: ndarray, frame: int, generator: np.random.Generator, *, hold_first: bool
    ) -> tuple[Float[ndarray, "knots controls"], float]:
        """Cross-entropy method: draw, keep the elites, narrow down. Offsets have a knot every second frame.

        `hold_first` leaves the first control as it is: the simulation has reached it already.
        """
        ahead = len(controls) - 1
        knots = ahead // 2 + 2
        mean, spread = np.zeros((knots, controls.shape[1])), np.full((knots, controls.shape[1]), self.search.spread)
        at = np.linspace(0, knots - 1, ahead + 1)
        left = np.minimum(at.astype(int), knots - 2)
        share = (at - left)[:, None]

        def expand(offset: ndarray) -> ndarray:
            moved = (1 - share) * offset[left] + share * offset[left + 1]
            moved[0] *= not hold_first
            return moved

        before = self._snapshot()
        best, least = mean, np.inf
        for _ in range(self.search.rounds):
            drawn = mean + spread * generator.normal(size=(self.search.samples, *mean.shape))
            drawn[0] = best
            costs = np.empty(len(drawn))
            for i, offset in enumerate(drawn):
                costs[i] = self._cost(controls + expand(offset), frame)
                self._restore(before)
            order = np.argsort(costs)[: self.search.elites]
            mean, spread = drawn[order].mean(0), drawn[order].std(0) + 0.005
            if costs[order[0]] < least:
                best, least = drawn[order[0]], costs[order[0]]
        return expand(best), float(least)

    def _cost(self, controls: ndarray, frame: int) -> float:
        """Distance of eq. 13 over the window."""
        total = 0.0
        for k in range(len(controls) - 1):
            for _ in self._steps(controls[k], controls[k + 1]):
                pass
            self.mujoco.mj_kinematics(self.model, self.data)
            goal = self.goal[frame + k + 1]
            T = body_transforms_yup(self.data, self.ids)
            total += np.abs(T[:, :3, 3] - goal[:, :3]).sum()
            turn = states_from_transforms(T[None])[0, :, 3:]
            sign = np.where((turn * goal[:, 3:]).sum(-1, keepdims=True) < 0, -1.0, 1.0)
            total += np.abs(turn * sign - goal[:, 3:]).sum()
        return total if np.isfinite(total) else np.inf

    def _steps(self, left: ndarray, right: ndarray) -> Iterator[None]:
        """Simulate one frame with controls from left to right; pauses after every step."""
        for k in range(self.per_frame):
            share = (k + 1.0) / self.per_frame
            self.data.ctrl[:] = (1 - share) * left + share * right
            self.mujoco.mj_step(self.model, self.data)
            yield

    def _state(self) -> Float[ndarray, "bodies 4 4"]:
        self.mujoco.mj_kinematics(self.model, self.data)
        return body_transforms_yup(self.data, self.ids)

    def _twist(self) -> Float[ndarray, "bodies 6"]:
        """Velocity of the centres of mass and angular velocity, y-up world axes."""
        self.mujoco.mj_comPos(self.model, self.data)
        self.mujoco.mj_comVel(self.model, self.data)
        result, six = np.zeros((len(self.ids), 6)), np.zeros(6)
        for i, body in enumerate(self.ids):
            self.mujoco.mj_objectVelocity(self.model, self.data, self.mujoco.mjtObj.mjOBJ_BODY, body, six, 0)
            result[i, :3], result[i, 3:] = R_ZUP_YUP.T @ six[3:], R_ZUP_YUP.T @ six[:3]
        return result

    def _forces(self) -> Float[ndarray, "points 3"]:
        """Force of the ground on every contact point in the last step, newtons, y-up world axes."""
        forces, six = np.zeros((len(self.point_of), 3)), np.zeros(6)
        for i in range(self.data.ncon):
            contact = self.data.contact[i]
            self.mujoco.mj_contactForce(self.model, self.data, i, six)
            # the contact's frame has its normal first, from the first shape to the second; the ground is either
            pushes = contact.frame.reshape(3, 3).T @ six[:3]
            first, second = map(int, contact.geom)
            point, sign = (self.point_of[second], 1.0) if second in self.point_of else (self.point_of[first], -1.0)
            forces[point] += sign * R_ZUP_YUP.T @ pushes
        return forces

    def _snapshot(self) -> MujocoState:
        d = self.data
        return d.qpos.copy(), d.qvel.copy(), d.qacc_warmstart.copy()

    def _restore(self, saved: MujocoState) -> None:
        d = self.data
        d.qpos[:], d.qvel[:], d.qacc_warmstart[:] = saved
