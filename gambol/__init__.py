"""Gambol gives any rigged 3D character motion from a sentence."""

__version__ = "0.1.0"
