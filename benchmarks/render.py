"""The CPU rasteriser, forward and backward, on 16 frames of a ten-boned character: one thread, process CPU time.

Run: python benchmarks/render.py [--quick]
Candidates run in turns, so that whatever else the machine does hits them alike; the least time of each counts. The
bound is what the fused multiply-adds of the work would take at the machine's measured peak.
"""

import os
import sys
import time
from collections.abc import Callable

import gambol  # noqa: F401  # isort: skip  before torch, because it says how torch's threads wait
import torch
from measure import Scoreboard
from numba import njit

from gambol.motion.skinning import skin_covariances, skin_points
from gambol.render.camera_batch import PinholeCameras
from gambol.render.raster.cpu import camera_intrinsics
from gambol.render.raster.draw_frame import draw_world_frame
from gambol.render.raster.rasterise import blend_bone_transforms, rasterise, rasterise_skinned
from gambol.render.raster.simd_lanes import LANE_COUNT, load_vector, store_vector

FRAMES, BONES, INFLUENCES = 16, 10, 4
PAIR_FLOP, SPLAT_FLOP = 135, 533
"""Per pixel of a 4 x 4 tile and splat that may reach it, and per splat's projection; forward and backward."""
IDLE = 0.3
"""Load per core above which two threads say nothing."""


class Character:
    """Ten capsules of flat splats, four bones per splat, moving bones, a camera that sees all of it."""

    def __init__(self, splats: int, size: int) -> None:
        g = torch.Generator().manual_seed(0)

        def uniform(*shape: int) -> torch.Tensor:
            return torch.rand(*shape, generator=g)

        start = 1.2 * uniform(BONES, 3) - 0.6
        axis = 0.8 * uniform(BONES, 3) - 0.4
        of = torch.randint(0, BONES, (splats,), generator=g)
        along = torch.nn.functional.normalize(axis[of], dim=-1)
        side = torch.linalg.cross(along, torch.tensor([0.31, 0.91, 0.27]).expand_as(along), dim=-1)
        side = torch.nn.functional.normalize(side, dim=-1)
        angle = 6.2832 * uniform(splats, 1)
        normal = angle.cos() * side + angle.sin() * torch.linalg.cross(along, side, dim=-1)
        sigma = 1.2 * (0.6 + 0.8 * uniform(splats, 1)) / splats**0.5
        stretch = sigma * (0.5 + uniform(splats, 1))
        axes = torch.stack([along * sigma, torch.linalg.cross(normal, along, dim=-1) * stretch, 0 * normal], -1)
        self.centres = start[of] + uniform(splats, 1) * axis[of] + 0.12 * normal
        self.covariances = axes @ axes.mT
        self.colours, self.opacities = uniform(splats, 3), 0.5 + 0.5 * uniform(splats)
        self.index = (of[:, None] + torch.arange(INFLUENCES)) % BONES
        weight = uniform(splats, INFLUENCES) * torch.tensor([1.0, 0.1, 0.1, 0.05])
        self.weight = weight / weight.sum(1, keepdim=True)
        self.bones = torch.eye(4).repeat(FRAMES, BONES, 1, 1)
        self.bones[:, :, :3] += 0.03 * torch.randn(FRAMES, BONES, 3, 4, generator=g)
        T = torch.eye(4).repeat(FRAMES, 1, 1)
        T[:, 2, 3] = 3.0
        self.cameras = PinholeCameras(T, torch.full((FRAMES,), 1.6 * size), size, size)
        self.factors = [torch.randn(FRAMES, *s, size, size, generator=g) for s in ((3,), (), ())]
        blended = blend_bone_transforms(self.index, self.weight, self.bones)
        self.placed = (skin_points(blended, self.centres), skin_covariances(blended, self.covariances))

    def draw_world_splats(self, backend: str) -> None:
        """Forward, and backward to centres, covariances, colours and opacities."""
        own = (*self.placed, self.colours[None], self.opacities[None])
        leaves = [x.detach().requires_grad_() for x in own]
        picture = rasterise(*leaves, self.cameras, backend=backend)
        torch.autograd.backward([picture.rgb, picture.alpha, picture.depth], self.factors)

    def draw_fused(self) -> None:
        """Skinning and drawing in one, backward to the bones."""
        bones = self.bones.detach().requires_grad_()
        own = (self.centres, self.covariances, self.colours, self.opacities)
        picture = rasterise_skinned(*own, self.index, self.weight, bones, self.cameras)
        torch.autograd.backward([picture.rgb, picture.alpha], self.factors[:2])

    def draw_separate(self) -> None:
        """The same in two steps: skinning by torch, then the same rasteriser."""
        bones = self.bones.detach().requires_grad_()
        blended = blend_bone_transforms(self.index, self.weight, bones)
        placed = skin_points(blended, self.centres), skin_covariances(blended, self.covariances)
        picture = rasterise(*placed, self.colours[None], self.opacities[None], self.cameras)
        torch.autograd.backward([picture.rgb, picture.alpha], self.factors[:2])

    def work(self) -> float:
        """Floating-point operations of `draw_world_frame`: splat-tile pairs up to each tile's last, and projection."""
        pairs, views, T = (
            0,
            camera_intrinsics(self.cameras).numpy(),
            self.cameras.T_camera_world[:, :3].reshape(-1, 12).numpy(),
        )
        centres, covariances = (x.reshape(FRAMES, len(self.centres), -1).numpy() for x in self.placed)
        look = self.colours.numpy(), self.opacities.log2().numpy()
        side = self.cameras.width
        for f in range(FRAMES):
            canvas = (torch.empty(3, side, side), torch.empty(side, side), torch.empty(side, side))
            drawn = draw_world_frame(T[f], centres[f], covariances[f], views[f], *look, *(x.numpy() for x in canvas))
            pairs += drawn[-1]
        return pairs * 16 * PAIR_FLOP + FRAMES * len(self.centres) * SPLAT_FLOP


@njit
def multiply_add(x, y, steps):  # noqa: D103
    a, b, c, d, e, f = (
        load_vector(x, 0),
        load_vector(x, 16),
        load_vector(x, 32),
        load_vector(x, 48),
        load_vector(x, 64),
        load_vector(x, 80),
    )
    u, v = load_vector(y, 0), load_vector(y, 16)
    for _ in range(steps):
        a, b, c, d, e, f = a * u + v, b * u + v, c * u + v, d * u + v, e * u + v, f * u + v
    store_vector(x, 0, a + b + c + d + e + f)


def peak() -> float:
    """Floating-point operations per second of fused multiply-adds, six independent chains of sixteen lanes."""
    x, y, steps = torch.rand(96).numpy(), 0.5 * torch.rand(32).numpy(), 1_000_000
    start = time.process_time()
    multiply_add(x, y, steps)
    return 6 * LANE_COUNT * 2 * steps / (time.process_time() - start)


def race(candidates: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Least CPU seconds of each, in turns."""
    best = dict.fromkeys(candidates, float("inf"))
    for work in candidates.values():
        work()
    for _ in range(rounds):
        for name, work in candidates.items():
            start = time.process_time()
            work()
            best[name] = min(best[name], time.process_time() - start)
    return best


def wall(work: Callable[[], object], threads: int, rounds: int) -> float:
    """Least wall seconds with this many threads."""
    torch.set_num_threads(threads)
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    torch.set_num_threads(1)
    return best


def main() -> None:
    """Measure, in turns, and compare with the targets."""
    torch.set_num_threads(1)
    quick = "--quick" in sys.argv
    busy = os.getloadavg()[0] / (os.cpu_count() or 1)
    board, rounds = Scoreboard(), 5 if quick else 25
    large, small = Character(10_000, 128), Character(2_000, 64)
    peak()
    fastest = max(peak() for _ in range(5))
    times = race(
        {
            "drawing": lambda: large.draw_world_splats("cpu"),
            "fused": large.draw_fused,
            "separate": large.draw_separate,
            "small": small.draw_fused,
            "small, all gradients": lambda: small.draw_world_splats("cpu"),
        },
        rounds,
    )
    twin = race({"twin": lambda: large.draw_world_splats("torch")}, 1 if quick else 3)["twin"]
    fastest = max(fastest, *(peak() for _ in range(5)))
    for name, seconds in {**times, "twin": twin}.items():
        print(f"# {name} {1e3 * seconds:.1f} ms")
    print(f"# peak {fastest / 1e9:.1f} GFLOP/s, work {large.work() / 1e9:.2f} GFLOP")
    board.at_least("render.over_torch_twin", twin / times["drawing"], 15, "x")
    board.at_least("render.share_of_peak", 100 * large.work() / fastest / times["drawing"], 18, "%")
    board.at_least("render.fused_over_separate", times["separate"] / times["fused"], 1.8, "x")
    board.at_most("render.small_2k_64px", 1e3 * times["small, all gradients"], 20, "ms")
    one, two = (wall(large.draw_fused, threads, rounds) for threads in (1, 2))
    if busy < IDLE:
        board.at_least("render.two_threads", one / two, 1.7, "x")
    else:
        print(f"# two threads {one / two:.2f} x, not judged: the machine was busy before the start")
    board.finish()


if __name__ == "__main__":
    main()
