"""The ground and the sky behind a character: a checkerboard at y = 0, filtered up to the horizon."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.colour import Colour
from gambol.errors import ConfigError
from gambol.render.cameras import Camera
from gambol.render.ground.kernels import NO_SHADOW, GroundTable, Shadow, cast_ground


@dataclass(frozen=True)
class Checkerboard:
    """Colours and shadow of ground and sky; colours are linear light, `size` is the character's longest side."""

    cell: float | None = None
    """Side of a square of the checkerboard, metres; None takes a round number near 0.25 size."""
    light_colour: Colour = (0.62, 0.62, 0.61)
    """Colour of the light squares."""
    dark_colour: Colour = (0.44, 0.45, 0.46)
    """Colour of the dark squares."""
    horizon_colour: Colour = (0.74, 0.78, 0.83)
    """Colour of the sky at the horizon, and of the haze into which the ground fades."""
    zenith_colour: Colour = (0.33, 0.46, 0.66)
    """Colour of the sky straight above."""
    haze: float = 14.0
    """Distance r, in `size`, at which the haze takes 61 % of the ground: 1 - (1 + (d / r)^2 / 8)^-8; 0 is clear air."""
    shadow_strength: float = 0.7
    """s_max: share of the light that is missing right below a surface that touches the ground, 0 to 1."""
    shadow_falloff: float = 4.0
    """beta, in 1 / `size`: the shadow of a surface at the height 1 / beta is 1/e as strong."""
    shadow_blur: float = 0.02
    """Standard deviation of the shadow's soft edge, in `size`."""

    def __post_init__(self) -> None:
        if self.cell is not None and not self.cell > 0:
            raise ConfigError(f"The checkerboard's cell is {self.cell} m; it must be positive.")
        if not 0 <= self.shadow_strength <= 1:
            raise ConfigError(f"The ground's shadow_strength is {self.shadow_strength}; allowed is 0 to 1.")
        if not min(self.haze, self.shadow_falloff, self.shadow_blur) >= 0:
            raise ConfigError("The ground's haze, shadow_falloff and shadow_blur must not be negative.")

    def table(self, size: float) -> GroundTable:
        """The numbers that the kernels read, for a character of this size in metres."""
        colours = (self.light_colour, self.dark_colour, self.horizon_colour, self.zenith_colour)
        light, dark, horizon, zenith = np.array(colours, np.float64)
        cell = self.cell if self.cell is not None else round_cell(size)
        return GroundTable(light, dark, horizon, zenith, float(cell), float(self.haze * size))


def round_cell(size: float) -> float:
    """A quarter of the size, rounded to the series 1, 2, 5, 10, ... (nearest by ratio); metres."""
    wanted = 0.25 * max(size, 1e-6)
    base = 10.0 ** np.floor(np.log10(wanted))
    candidates = base * np.array([1.0, 2.0, 5.0, 10.0])
    return float(candidates[np.abs(np.log(candidates / wanted)).argmin()])


def draw_ground(
    ground: Checkerboard, camera: Camera, size: float, shadow: Shadow = NO_SHADOW
) -> Float[ndarray, "height width 3"]:
    """Draw what `camera` sees of ground and sky, linear light; from below the ground it sees only sky.

    The ray through a pixel, d = d_0 + u g_u + v g_v (linear in the pixel position), meets the ground at
    p = eye + t d with t = -eye_y / d_y. A step of one pixel moves that by p_u = t (g_u - d g_u,y / d_y), likewise p_v.
    The pixel's footprint is taken as a box of the same variance: w_x = sqrt(p_u,x^2 + p_v,x^2), likewise w_z.
    """
    R, eye = camera.T_camera_world[:3, :3], camera.eye
    g_u, g_v = R[0] / camera.fx, R[1] / camera.fy
    d_0 = R[2] - camera.cx * g_u - camera.cy * g_v
    image = np.empty((3, camera.height, camera.width))
    cast_ground(image, eye, d_0, g_u, g_v, ground.table(size), shadow)
    return image.transpose(1, 2, 0)
