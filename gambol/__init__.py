"""Gambol gives any rigged 3D character motion from a sentence."""

import os

# Torch's threads wait asleep instead of spinning, because kernels that are not torch's share the cores with them.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

__version__ = "0.1.0"
