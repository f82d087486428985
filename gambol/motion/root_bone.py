"""Names of the node that carries a clip's root motion."""

from typing import Literal

RootBone = Literal["hips", "root"]
"""hips: the bone at the pelvis carries all of its motion. root: the file's root above it carries travel and heading."""
