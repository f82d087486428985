"""Gravity on Earth."""

EARTH_GRAVITY = 9.81
"""Acceleration of gravity, m/s^2."""
