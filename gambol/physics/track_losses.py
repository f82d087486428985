"""Losses of tracking, one function each; every one returns a number per copy (clip)."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

TOUCHING_HEIGHT = 0.007
"""Height at which a point counts as touching the ground with weight 1/2, sizes."""
TOUCHING_BAND = 0.002
"""Width of the transition around that height, sizes: the weight falls from 73 to 27 % over twice this."""
SWING_CLEARANCE = 0.012
"""Height above the ground that a swinging point should have, sizes."""
SWING_SPEED = 0.3
"""Least speed over the ground of a swinging point, sizes per second; it also overtakes the body."""
SWING_SPEED_BAND = 0.1
"""Width of the transition around that speed, sizes per second: the weight rises from 27 to 73 % over twice this."""


def loss_track(
    states: Float[Tensor, "frames copies bodies 7"],
    targets: Float[Tensor, "frames copies bodies 7"],
    valid: Bool[Tensor, "frames copies"],
) -> Float[Tensor, "copies"]:
    """L1 distance to the target (eq. 13): 1 / (F - 1) sum over frames 1 .. F - 1 of |q - q^|_1.

    q holds all bodies' positions and quaternions. Quaternions q and -q are one rotation: the nearer counts.
    """
    turns, meant = states[1:, ..., 3:], targets[1:, ..., 3:]
    sign = torch.where((turns * meant).sum(-1, keepdim=True).detach() < 0, -1.0, 1.0)
    away = (states[1:, ..., :3] - targets[1:, ..., :3]).abs().sum((-1, -2)) + (turns * sign - meant).abs().sum((-1, -2))
    return _mean(away, valid[1:])


def loss_smooth(controls: Float[Tensor, "knots copies joints 3"]) -> Float[Tensor, "copies"]:
    """Mean absolute second difference of the controls over time (the regulariser of eq. 13, as in eq. 9)."""
    if len(controls) < 3:
        return controls.new_zeros(controls.shape[1])
    return (controls[2:] - 2.0 * controls[1:-1] + controls[:-2]).abs().mean((0, 2, 3))


def loss_jerk(
    states: Float[Tensor, "frames copies bodies 7"],
    targets: Float[Tensor, "frames copies bodies 7"],
    valid: Bool[Tensor, "frames copies"],
) -> Float[Tensor, "copies"]:
    """Mean |third difference| of the bodies' positions relative to the target's (not in the paper): no trembling.

    In metres per frame^3, summed over bodies as in `loss_track`.
    """
    if len(states) < 4:
        return states.new_zeros(states.shape[1])
    jerk = (states[..., :3] - targets[..., :3]).diff(n=3, dim=0)
    return _mean((jerk**2).sum(-1).add(1e-12).sqrt().sum(-1), valid[3:])


def point_places(
    states: Float[Tensor, "frames copies bodies 7"], points: Float[Tensor, "points 3"], bodies: Int[Tensor, "points"]
) -> Float[Tensor, "frames copies points 3"]:
    """World positions of the contact points: x + p + 2 u x (u x p + w p) with the quaternion (u, w)."""
    of = states[:, :, bodies]
    u, w = of[..., 3:6], of[..., 6:7]
    p = points.expand_as(u)
    return of[..., :3] + p + 2.0 * torch.cross(u, torch.cross(u, p, dim=-1) + w * p, dim=-1)


def loss_skate(
    places: Float[Tensor, "frames copies points 3"], valid: Bool[Tensor, "frames copies"], size: float
) -> Float[Tensor, "copies"]:
    """Mean distance that touching points slide over the ground, metres per frame, summed (not in the paper).

    Touching weighs sigmoid((TOUCHING_HEIGHT - h) / TOUCHING_BAND) at the lower end of the step, without gradient:
    sliding is avoided by standing still, not by hovering.
    """
    low = torch.minimum(places[1:, ..., 1], places[:-1, ..., 1])
    touching = torch.sigmoid((TOUCHING_HEIGHT * size - low) / (TOUCHING_BAND * size)).detach()
    slide = (places[1:] - places[:-1])[..., [0, 2]]
    return _mean((touching * (slide**2).sum(-1).add(1e-10).sqrt()).sum(-1), valid[1:])


def swinging_points(
    places: Float[Tensor, "frames copies points 3"], roots: Float[Tensor, "frames copies 3"], fps: float, size: float
) -> Float[Tensor, "frames copies points"]:
    """Weight with which each point of a target swings: sigmoid((v - max(v_root, SWING_SPEED)) / SWING_SPEED_BAND).

    v is the speed over the ground: standing points fall behind the body, swinging ones overtake it. A frame counts as
    its slower neighbouring step, so that feet may land and take off.
    """
    v, v_root = (x.diff(dim=0)[..., [0, 2]].norm(dim=-1) * fps / size for x in (places, roots))
    swings = torch.sigmoid((v - v_root.clamp(min=SWING_SPEED)[..., None]) / SWING_SPEED_BAND)
    return torch.minimum(torch.cat([swings[:1], swings]), torch.cat([swings, swings[-1:]]))


def loss_clear(
    places: Float[Tensor, "frames copies points 3"],
    swinging: Float[Tensor, "frames copies points"],
    valid: Bool[Tensor, "frames copies"],
    size: float,
) -> Float[Tensor, "copies"]:
    """Mean height that swinging points lack to SWING_CLEARANCE, metres, summed (not in the paper): no foot drags."""
    lacking = torch.relu(SWING_CLEARANCE * size - places[..., 1])
    return _mean((swinging * lacking).sum(-1), valid)


def loss_hover(
    places: Float[Tensor, "frames copies points 3"],
    targets: Float[Tensor, "frames copies points 3"],
    valid: Bool[Tensor, "frames copies"],
) -> Float[Tensor, "copies"]:
    """Mean height of the lowest point above the target's lowest point, metres (not in the paper).

    A foot that hops does not slide: without this term the body bounces to avoid skating. The target's own flight costs
    nothing.
    """
    low, meant = places[..., 1].amin(-1), targets[..., 1].amin(-1).clamp_min(0.0)
    return _mean(torch.relu(low - meant), valid)


def _mean(values: Float[Tensor, "frames copies"], valid: Bool[Tensor, "frames copies"]) -> Float[Tensor, "copies"]:
    return (values * valid).sum(0) / valid.sum(0).clamp_min(1)  # a window may lie beyond the end of a shorter clip
