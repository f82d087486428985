"""A film's camera as a user writes it; no heavy library is needed to check it."""

from __future__ import annotations

import math

from gambol.errors import ConfigError


def parse_camera(text: str) -> tuple[float, float, float | None]:
    """Azimuth, elevation and vertical field of view in radians, from 'AZIMUTH,ELEVATION[,FOV]' in degrees."""
    try:
        numbers = [float(x) for x in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 3) or not abs(numbers[1]) < 90 or (len(numbers) == 3 and not 0 < numbers[2] < 170):
        raise ConfigError(
            f"The film's camera is {text!r}; it takes azimuth and elevation, and the vertical field of view where it is"
            " known, in degrees: '30,15' or '30,15,40'. Azimuth 0 sees the right side of the body, 90 its face."
        )
    return math.radians(numbers[0]), math.radians(numbers[1]), math.radians(numbers[2]) if numbers[2:] else None
