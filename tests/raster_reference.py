"""Every splat at every pixel, in float64, differentiated by autograd: what the rasterisers are held against.

`decided` is false in pixels where a rounding error may switch something on or off: an alpha at 1/255 or 0.999, a
transmittance at 1e-4, two splats of equal depth. No float32 rasteriser can be right there, so losses leave them out.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from gambol.render.camera_batch import PinholeCameras
from gambol.render.raster.picture import Picture


@dataclass(frozen=True)
class Scene:
    centres: Tensor
    covariances: Tensor
    colours: Tensor
    opacities: Tensor
    cameras: PinholeCameras

    def leaves(self, dtype):
        """The same numbers as tensors that collect gradients, and cameras that use them."""
        own = (self.centres, self.covariances, self.colours, self.opacities, self.cameras.T_camera_world)
        *splats, T = (x.detach().to(dtype).clone().requires_grad_() for x in own)
        cameras = PinholeCameras(T, self.cameras.focal.to(dtype), self.cameras.width, self.cameras.height)
        return [*splats, T], cameras


def brute_force(centres, covariances, colours, opacities, cameras, *, rows_at_once=8):
    """The picture, and in which pixels it is decided."""
    width, height = cameras.width, cameras.height
    pictures, decided = [], []
    for f in range(len(cameras)):
        R, t, focal = cameras.T_camera_world[f, :3, :3], cameras.T_camera_world[f, :3, 3], cameras.focal[f]
        at = centres[f] @ R.T + t
        order = torch.argsort(at[:, 2].detach(), stable=True)
        order = order[at[order, 2] >= 0.01]
        x, y, z = at[order].unbind(-1)
        S = R @ covariances[f][order] @ R.T
        S = (S + S.mT) / 2
        a = (x / z).clamp(-1.3 * width / 2 / focal, 1.3 * width / 2 / focal)
        b = (y / z).clamp(-1.3 * height / 2 / focal, 1.3 * height / 2 / focal)
        scale = (focal / z) ** 2
        xx = scale * (S[:, 0, 0] - 2 * a * S[:, 0, 2] + a * a * S[:, 2, 2]) + 0.3
        yy = scale * (S[:, 1, 1] - 2 * b * S[:, 1, 2] + b * b * S[:, 2, 2]) + 0.3
        xy = scale * (S[:, 0, 1] - b * S[:, 0, 2] - a * S[:, 1, 2] + a * b * S[:, 2, 2])
        determinant = xx * yy - xy * xy
        u, v = focal * x / z + width / 2, focal * y / z + height / 2
        o = opacities[min(f, len(opacities) - 1)][order]
        features = torch.cat([colours[min(f, len(colours) - 1)][order], torch.ones_like(z)[:, None], z[:, None]], -1)
        tied = torch.zeros(len(z), dtype=torch.bool)
        if len(z) > 1:
            tied[1:] = (z[1:] - z[:-1]).detach() < 2e-6 * z[1:].detach()
        strips, sure = [], []
        for top in range(0, height, rows_at_once):
            ys, xs = torch.meshgrid(
                torch.arange(top, min(height, top + rows_at_once)), torch.arange(width), indexing="ij"
            )
            dx, dy = xs.reshape(-1, 1).to(z) + 0.5 - u, ys.reshape(-1, 1).to(z) + 0.5 - v
            form = (yy * dx * dx - 2 * xy * dx * dy + xx * dy * dy) / determinant
            raw = o * torch.exp(-form / 2)
            alpha = torch.where(raw >= 1 / 255, raw.clamp(max=0.999), 0.0)
            after = torch.cumprod(1 - alpha, 1)
            before = torch.cat([torch.ones_like(after[:, :1]), after[:, :-1]], 1)
            w = torch.where(after > 1e-4, alpha * before, 0.0)
            strips.append(w @ features)
            alpha, raw, after = alpha.detach(), raw.detach(), after.detach()
            doubt = ((raw - 1 / 255).abs() < 2e-8) | ((raw - 0.999).abs() < 2e-6) | ((after - 1e-4).abs() < 2e-9)
            doubt[:, 1:] |= tied[1:] & (alpha[:, 1:] > 0) & (alpha[:, :-1] > 0)
            sure.append(~doubt.any(1))
        pictures.append(torch.cat(strips).T.reshape(5, height, width))
        decided.append(torch.cat(sure).reshape(height, width))
    image = torch.stack(pictures)
    return Picture(image[:, :3], image[:, 3], image[:, 4]), torch.stack(decided)


def blob(frames, splats, width, height, *, seed=0, spread=0.5, size=0.03, distance=3.0, opaque=0.5):
    """Splats of all shapes in a cloud before cameras that differ from frame to frame, in float32 numbers."""
    g = torch.Generator().manual_seed(seed)

    def normal(*shape):
        return torch.randn(*shape, generator=g, dtype=torch.float64)

    centres = spread * normal(1, splats, 3) + 0.05 * normal(frames, splats, 3)
    axes = size * normal(frames, splats, 3, 3) * torch.rand(frames, splats, 1, 3, generator=g, dtype=torch.float64)
    covariances = axes @ axes.mT
    colours = torch.rand(1, splats, 3, generator=g, dtype=torch.float64)
    opacities = opaque + (1 - opaque) * torch.rand(1, splats, generator=g, dtype=torch.float64)
    T = torch.eye(4, dtype=torch.float64).repeat(frames, 1, 1)
    turn = torch.linalg.qr(torch.eye(3, dtype=torch.float64) + 0.2 * normal(frames, 3, 3))
    T[:, :3, :3] = turn.Q * turn.R.diagonal(dim1=-2, dim2=-1).sign()[:, None]
    T[:, :3, 3] = 0.1 * normal(frames, 3)
    T[:, 2, 3] += distance
    focal = width * (1.4 + 0.1 * torch.arange(frames, dtype=torch.float64))
    splats = (x.float() for x in (centres, covariances, colours, opacities))
    return Scene(*splats, PinholeCameras(T.float(), focal.float(), width, height))


def gradients(picture, leaves, decided, seed=1):
    """Gradients of a random linear loss over all of rgb, alpha and depth in the decided pixels."""
    g = torch.Generator().manual_seed(seed)
    parts = (picture.rgb, picture.alpha, picture.depth)
    factors = [torch.randn(x.shape, generator=g, dtype=torch.float64) for x in parts]
    factors = [f * (decided[:, None] if f.dim() == 4 else decided) for f in factors]
    loss = sum((x * f.to(x.dtype)).sum() for x, f in zip(parts, factors, strict=True))
    return torch.autograd.grad(loss, leaves, materialize_grads=True)


def relative(found, true):
    """|found - true| / |true|; where the truth is zero, |found|."""
    found, true = found.double(), true.double()
    return float((found - true).norm() / (true.norm() if true.norm() > 0 else 1.0))
