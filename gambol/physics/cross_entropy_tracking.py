"""Tracking without gradients, where Warp is not installed: cross-entropy method on MuJoCo, window by window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray

from gambol.errors import ConfigError
from gambol.physics.generalised_coordinates import states_from_transforms
from gambol.physics.gradient_tracking import TrackConfig, TrackingSolution, total_loss
from gambol.physics.mjcf import R_ZUP_YUP, body_transforms_yup, load_mujoco, write_mjcf
from gambol.physics.simulated_motion import SimulatedMotion
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
    """Frames of each window that are kept before the next window starts."""
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


def track_by_sampling(
    problem: TrackingProblem,
    config: TrackConfig,
    *,
    search: SamplingConfig = DEFAULT_SAMPLING,
    progress: Progress | None = None,
) -> tuple[TrackingSolution, list[SimulatedMotion]]:
    """Search the joint targets of every copy in turn; the start and its velocity are those of the clip."""
    if config.anneal:
        raise ConfigError("The search on MuJoCo cannot anneal the upright torque; give a scale, as in --upright 0.1.")
    motions = []
    for copy in range(problem.copies):
        motions.append(_CrossEntropySearch(problem, config, search, copy).run(progress))
    states = torch.as_tensor(np.stack([m.frame_states for m in motions], 1), dtype=torch.float32)
    knots = [np.concatenate([m.targets[:1], m.targets[m.per_frame - 1 :: m.per_frame]]) for m in motions]
    controls = torch.as_tensor(np.stack(knots, 1), dtype=torch.float32)
    losses = total_loss(states, controls, problem, config)
    return TrackingSolution(
        controls, problem.rates, losses, config.upright, search.rounds, (float(losses.mean()),)
    ), motions


class _CrossEntropySearch:
    """The state of one copy's search."""

    def __init__(self, problem: TrackingProblem, config: TrackConfig, search: SamplingConfig, copy: int):
        self.problem, self.search, self.upright, self.mujoco = problem, search, config.upright, load_mujoco()
        self.generator = np.random.default_rng(config.seed + copy)
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
        self.mujoco.mj_resetDataKeyframe(self.model, self.data, 0)
        self.ids = [self.model.body(name).id for name in problem.body.names]
        points = range(len(problem.body.points))
        self.point_of = {self.model.geom(f"point {point}").id: point for point in points}

    def run(self, progress: Progress | None) -> SimulatedMotion:
        controls = self.angles.copy()
        states, twists, forces = [self._state()], [self._twist()], [self._forces()]
        frame = 0
        while frame < self.frames - 1:
            if progress is not None:
                progress(frame, self.frames - 1, "searching controls in MuJoCo, frames")
            ahead = min(self.search.window, self.frames - 1 - frame)
            controls[frame : frame + ahead + 1] += self._best_offset(controls, frame, ahead)
            kept = ahead if frame + ahead == self.frames - 1 else min(self.search.stride, ahead)
            for k in range(kept):
                for _ in self._steps(controls[frame + k], controls[frame + k + 1]):
                    states.append(self._state())
                    twists.append(self._twist())
                forces.append(self._forces())
            frame += kept
        for _ in range(self.problem.frames - self.frames):  # a shorter clip of a batch holds its last frame
            states += [states[-1]] * self.per_frame
            twists += [twists[-1]] * self.per_frame
            forces.append(forces[-1])
        share = (np.arange(len(states) - 1) + 1.0) / self.per_frame
        left = np.minimum(share.astype(int), self.problem.frames - 2)
        share = (share - left)[:, None]
        targets = (1 - share) * controls[left] + share * controls[left + 1]
        targets = targets.reshape(len(targets), -1, 3)
        shape = (self.fps, self.per_frame, states_from_transforms(np.stack(states)), np.stack(twists))
        return SimulatedMotion(*shape, targets, self.rates, self.upright, "mujoco", np.stack(forces))

    def _best_offset(self, controls: ndarray, frame: int, ahead: int) -> Float[ndarray, "knots controls"]:
        """Cross-entropy method: draw, keep the elites, narrow down. Offsets have a knot every second frame."""
        knots = ahead // 2 + 2
        mean, spread = np.zeros((knots, controls.shape[1])), np.full((knots, controls.shape[1]), self.search.spread)
        at = np.linspace(0, knots - 1, ahead + 1)
        left = np.minimum(at.astype(int), knots - 2)
        share = (at - left)[:, None]
        before = self._snapshot()
        best, least = mean, np.inf
        for _ in range(self.search.rounds):
            drawn = mean + spread * self.generator.normal(size=(self.search.samples, *mean.shape))
            drawn[0] = best
            costs = np.empty(len(drawn))
            for i, offset in enumerate(drawn):
                moved = (1 - share) * offset[left] + share * offset[left + 1]
                costs[i] = self._cost(controls[frame : frame + ahead + 1] + moved, frame)
                self._restore(before)
            order = np.argsort(costs)[: self.search.elites]
            mean, spread = drawn[order].mean(0), drawn[order].std(0) + 0.005
            if costs[order[0]] < least:
                best, least = drawn[order[0]], costs[order[0]]
        return (1 - share) * best[left] + share * best[left + 1]

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

    def _snapshot(self) -> tuple[Any, ...]:
        d = self.data
        return d.qpos.copy(), d.qvel.copy(), d.qacc_warmstart.copy(), d.time

    def _restore(self, saved: tuple[Any, ...]) -> None:
        d = self.data
        d.qpos[:], d.qvel[:], d.qacc_warmstart[:], d.time = saved
