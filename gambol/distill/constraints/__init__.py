"""Constraints: losses that are also met exactly, by a last projection of the finished clip."""

from gambol.distill.constraints.constraint import Constraint, project_clip

__all__ = ["Constraint", "project_clip"]
