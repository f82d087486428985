"""The losses of tracking, one function each; every one gives a number per copy (clip)."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

TOUCH = 0.007
"""A point counts as touching with weight 1/2 at this height, sizes,"""
TOUCH_BAND = 0.002
"""and the weight falls from 73 to 27 % over twice this height, sizes."""


CLEAR = 0.012
"""A swinging point is to be this high above the ground, sizes."""
SWING = 0.3
"""A point swings that moves faster than the body and faster than this, sizes per second;"""
SWING_BAND = 0.1
"""the weight rises from 27 to 73 % over twice this speed, sizes per second."""


def loss_track(
    states: Float[Tensor, "frames copies bodies 7"],
    targets: Float[Tensor, "frames copies bodies 7"],
    lasting: Bool[Tensor, "frames copies"],
) -> Float[Tensor, "copies"]:
    """Eq. 13: 1 / (F - 1) sum over frames 1 .. F - 1 of |q - q^|_1 over all bodies' positions and quaternions.

    Quaternions q and -q are one rotation: the nearer counts.
    """
    turns, meant = states[1:, ..., 3:], targets[1:, ..., 3:]
    sign = torch.where((turns * meant).sum(-1, keepdim=True).detach() < 0, -1.0, 1.0)
    away = (states[1:, ..., :3] - targets[1:, ..., :3]).abs().sum((-1, -2)) + (turns * sign - meant).abs().sum((-1, -2))
    return _mean(away, lasting[1:])


def loss_smooth(controls: Float[Tensor, "knots copies joints 3"]) -> Float[Tensor, "copies"]:
    """MAE of the second difference of the controls over time (the regulariser of eq. 13, as in eq. 9)."""
    if len(controls) < 3:
        return controls.new_zeros(controls.shape[1])
    return (controls[2:] - 2.0 * controls[1:-1] + controls[:-2]).abs().mean((0, 2, 3))


def loss_jerk(
    states: Float[Tensor, "frames copies bodies 7"],
    targets: Float[Tensor, "frames copies bodies 7"],
    lasting: Bool[Tensor, "frames copies"],
) -> Float[Tensor, "copies"]:
    """Mean |third difference| of the bodies' places beyond the target's own (ours): what trembles costs.

    In metres per frame^3, summed over bodies: the same measure as `loss_track`'s.
    """
    if len(states) < 4:
        return states.new_zeros(states.shape[1])
    jerk = (states[..., :3] - targets[..., :3]).diff(n=3, dim=0)
    return _mean((jerk**2).sum(-1).add(1e-12).sqrt().sum(-1), lasting[3:])


def point_places(
    states: Float[Tensor, "frames copies bodies 7"], points: Float[Tensor, "points 3"], bodies: Int[Tensor, "points"]
) -> Float[Tensor, "frames copies points 3"]:
    """World places of the contact points: x + p + 2 u x (u x p + w p) with the quaternion (u, w)."""
    of = states[:, :, bodies]
    u, w = of[..., 3:6], of[..., 6:7]
    p = points.expand_as(u)
    return of[..., :3] + p + 2.0 * torch.cross(u, torch.cross(u, p, dim=-1) + w * p, dim=-1)


def loss_skate(
    places: Float[Tensor, "frames copies points 3"], lasting: Bool[Tensor, "frames copies"], size: float
) -> Float[Tensor, "copies"]:
    """Mean over steps of the way that touching points go over the ground, metres per frame, summed (ours).

    Touching weighs sigmoid((TOUCH - h) / TOUCH_BAND) at the lower end of the step, without gradient: sliding is
    avoided by standing still, not by hovering.
    """
    low = torch.minimum(places[1:, ..., 1], places[:-1, ..., 1])
    touching = torch.sigmoid((TOUCH * size - low) / (TOUCH_BAND * size)).detach()
    way = (places[1:] - places[:-1])[..., [0, 2]]
    return _mean((touching * (way**2).sum(-1).add(1e-10).sqrt()).sum(-1), lasting[1:])


def swinging_points(
    places: Float[Tensor, "frames copies points 3"], roots: Float[Tensor, "frames copies 3"], fps: float, size: float
) -> Float[Tensor, "frames copies points"]:
    """How surely each point swings in a target: sigmoid((v - max(v_root, SWING)) / SWING_BAND), v over the ground.

    What stands stays behind the body, what swings overtakes it. A frame counts as its slower neighbouring step, so that
    feet may land and leave.
    """
    v, v_root = (x.diff(dim=0)[..., [0, 2]].norm(dim=-1) * fps / size for x in (places, roots))
    swings = torch.sigmoid((v - v_root.clamp(min=SWING)[..., None]) / SWING_BAND)
    return torch.minimum(torch.cat([swings[:1], swings]), torch.cat([swings, swings[-1:]]))


def loss_clear(
    places: Float[Tensor, "frames copies points 3"],
    swinging: Float[Tensor, "frames copies points"],
    lasting: Bool[Tensor, "frames copies"],
    size: float,
) -> Float[Tensor, "copies"]:
    """Mean over frames of what swinging points lack to the height CLEAR, metres, summed (ours): no foot drags."""
    lacking = torch.relu(CLEAR * size - places[..., 1])
    return _mean((swinging * lacking).sum(-1), lasting)


def loss_hover(
    places: Float[Tensor, "frames copies points 3"],
    targets: Float[Tensor, "frames copies points 3"],
    lasting: Bool[Tensor, "frames copies"],
) -> Float[Tensor, "copies"]:
    """Mean over frames of how much higher the lowest point is than the target's, metres (ours).

    A foot that hops does not slide: without this term skate is paid for by bouncing. A target's own flight is free.
    """
    low, meant = places[..., 1].amin(-1), targets[..., 1].amin(-1).clamp_min(0.0)
    return _mean(torch.relu(low - meant), lasting)


def _mean(values: Float[Tensor, "frames copies"], lasting: Bool[Tensor, "frames copies"]) -> Float[Tensor, "copies"]:
    return (values * lasting).sum(0) / lasting.sum(0)
