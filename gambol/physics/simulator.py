"""Differentiable simulation with Newton's SemiImplicit solver: chunks of substeps as captured graphs (eq. 11)."""

from __future__ import annotations

from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from gambol.physics.articulated_body import ArticulatedBody
from gambol.physics.newton_model import FREE_ROOT_SLOTS, build_model, check_device, load_newton, load_warp
from gambol.physics.world import Gains, PhysicsWorld, gains


class _Rollout:
    """Static buffers of one chunk: the states around its substeps, and its joint targets."""

    def __init__(
        self,
        body: ArticulatedBody,
        g: Gains,
        world: PhysicsWorld,
        substeps: int,
        dt: float,
        copies: int,
        device: str,
        grad: bool,
    ):
        wp, newton = load_warp(), load_newton()
        self.model = build_model(body, g, world, copies, device, False)
        self.solver = newton.solvers.SolverSemiImplicit(
            self.model, angular_damping=0.0, joint_attach_ke=g.attach_ke, joint_attach_kd=g.attach_kd
        )
        self.dt, self.copies, self.gains = dt, copies, g
        self.states = [self.model.state(requires_grad=grad) for _ in range(substeps + 1)]
        slots = self.model.joint_target_q.shape[0]
        self.targets = wp.zeros((substeps, slots), dtype=float, device=device, requires_grad=grad)
        self.controls = []
        for k in range(substeps):
            control = self.model.control(clone_variables=False)
            control.joint_target_q = self.targets[k]
            self.controls.append(control)
        offsets = np.arange(copies).repeat(len(body.points)) * len(body)
        self.points = wp.array(np.tile(body.points, (copies, 1)).astype(np.float32), dtype=wp.vec3, device=device)
        self.point_bodies = wp.array(np.tile(body.point_bodies, copies) + offsets, dtype=int, device=device)
        self.grips = wp.array(np.tile(g.grips, copies).astype(np.float32), dtype=float, device=device)
        self.roots = wp.array(np.arange(copies) * len(body), dtype=int, device=device)
        self.ups = wp.array(np.tile(body.up, (copies, 1)).astype(np.float32), dtype=wp.vec3, device=device)
        self.upright = wp.array(np.array([g.upright_ke, g.upright_kd], np.float32), dtype=float, device=device)

    def forward(self) -> None:
        """Launch all substeps: states[k + 1] = S(states[k], dt, targets[k])."""
        from gambol.physics.warp_kernels import ground_kernel, upright_kernel

        wp, g = load_warp(), self.gains
        for k, control in enumerate(self.controls):
            here, there = self.states[k], self.states[k + 1]
            here.body_f.zero_()
            wp.launch(
                upright_kernel,
                self.copies,
                inputs=[here.body_q, here.body_qd, self.roots, self.ups, self.upright],
                outputs=[here.body_f],
                device=self.model.device,
            )
            wp.launch(
                ground_kernel,
                len(self.points),
                inputs=[
                    here.body_q,
                    here.body_qd,
                    self.model.body_com,
                    self.points,
                    self.point_bodies,
                    g.ground_ke,
                    g.ground_kd,
                    g.friction,
                    g.slip_speed,
                    g.ramp,
                    self.grips,
                ],
                outputs=[here.body_f],
                device=self.model.device,
            )
            self.solver.step(here, there, control, None, self.dt)


class Simulator:
    """Simulates a chunk of substeps as a differentiable function of state and targets.

    Memory does not grow with the length of the clip: buffers and tape are made once. With `captured` the launches are
    replayed as one graph (CPU or CUDA), which holds the buffers' addresses, so they live as long as this object.
    """

    def __init__(
        self,
        body: ArticulatedBody,
        world: PhysicsWorld,
        *,
        substeps: int,
        dt: float,
        copies: int = 1,
        captured: bool = True,
        device: str = "cpu",
    ):
        check_device(device)
        wp = load_warp()
        self.body, self.world, self.substeps, self.dt, self.copies = body, world, substeps, dt, copies
        self.gains = gains(body, world)
        self.bodies = copies * len(body)
        self.slots = copies * (FREE_ROOT_SLOTS + 3 * (len(body) - 1))
        with wp.ScopedDevice(device):
            shape = (body, self.gains, world, substeps, dt, copies, device)
            self._plain, self._taped = _Rollout(*shape, False), _Rollout(*shape, True)
            self._gq = wp.zeros(self.bodies, dtype=wp.transform)
            self._gqd = wp.zeros(self.bodies, dtype=wp.spatial_vector)
            self._oq, self._oqd = wp.zeros_like(self._gq), wp.zeros_like(self._gqd)
            self._ot = wp.zeros((substeps, self.slots), dtype=float)
            self._tapes: list[Any] = []
            self._graphs = self._capture() if captured else None
        last = self._plain.states[substeps]
        first, taped = self._plain.states[0], self._taped
        self._in = [_tensor(x) for x in (first.body_q, first.body_qd, self._plain.targets)]
        self._out = [_tensor(x) for x in (last.body_q, last.body_qd)]
        start = taped.states[0]
        given = (start.body_q, start.body_qd, taped.targets, self._gq, self._gqd)
        self._back_in = [_tensor(x) for x in given]
        self._back_out = [_tensor(x) for x in (self._oq, self._oqd, self._ot)]

    def _capture(self) -> tuple[Any, Any]:
        wp = load_warp()
        self._plain.forward()  # loads (and the first time compiles) the kernels before the capture
        self._forward_backward()
        with wp.ScopedCapture() as plain:
            self._plain.forward()
        with wp.ScopedCapture() as taped:
            self._forward_backward()
        return plain.graph, taped.graph

    def _forward_backward(self) -> None:
        wp = load_warp()
        rollout, tape = self._taped, wp.Tape()
        last = rollout.states[self.substeps]
        with tape:
            rollout.forward()
        wp.copy(last.body_q.grad, self._gq)
        wp.copy(last.body_qd.grad, self._gqd)
        tape.backward()
        wp.copy(self._oq, rollout.states[0].body_q.grad)
        wp.copy(self._oqd, rollout.states[0].body_qd.grad)
        wp.copy(self._ot, rollout.targets.grad)
        # only now: a tape knows the arrays to zero after its backward pass, and gradients would add up otherwise
        tape.zero()
        rollout.targets.grad.zero_()
        self._tapes.append(tape)

    def set_upright(self, scale: float) -> None:
        """Set the scale of the upright torque for the following calls."""
        values = np.array([self.gains.upright_ke, self.gains.upright_kd], np.float32) * np.float32(scale)
        for rollout in (self._plain, self._taped):
            rollout.upright.assign(values)

    def forward(
        self, q: Float[Tensor, "bodies 7"], qd: Float[Tensor, "bodies 6"], targets: Float[Tensor, "substeps slots"]
    ) -> tuple[Float[Tensor, "bodies 7"], Float[Tensor, "bodies 6"]]:
        """Simulate a chunk; returns positions with quaternions (xyzw) and twists after it."""
        self._launch(self._in, (q, qd, targets), 0)
        a, b = (x.to(q.device, copy=True) for x in self._out)
        return a, b

    def states(self) -> tuple[Float[ndarray, "substeps bodies 7"], Float[ndarray, "substeps bodies 6"]]:
        """States after each substep of the last `forward`."""
        passed = self._plain.states[1:]
        return np.stack([s.body_q.numpy() for s in passed]), np.stack([s.body_qd.numpy() for s in passed])

    def backward(
        self,
        q: Float[Tensor, "bodies 7"],
        qd: Float[Tensor, "bodies 6"],
        targets: Float[Tensor, "substeps slots"],
        gq: Float[Tensor, "bodies 7"],
        gqd: Float[Tensor, "bodies 6"],
    ) -> tuple[Float[Tensor, "bodies 7"], Float[Tensor, "bodies 6"], Float[Tensor, "substeps slots"]]:
        """Gradients of the state before the chunk and of the targets, from those of the state after it.

        The chunk is computed again.
        """
        self._launch(self._back_in, (q, qd, targets, gq, gqd), 1)
        a, b, c = (x.to(q.device, copy=True) for x in self._back_out)
        return a, b, c

    def _launch(self, buffers: list[Tensor], given: tuple[Tensor, ...], which: int) -> None:
        for buffer, value in zip(buffers, given, strict=True):
            buffer.copy_(value)
        if self._graphs is not None:
            wp = load_warp()
            # on a GPU, Warp must wait for torch's copies, and torch for Warp
            stream = wp.stream_from_torch() if buffers[0].is_cuda else None
            wp.capture_launch(self._graphs[which], stream=stream)
        elif which == 0:
            self._plain.forward()
        else:
            self._forward_backward()
            self._tapes.clear()


def _tensor(array: Any) -> Tensor:
    return load_warp().to_torch(array, requires_grad=False).detach()
