"""Constraints: losses that are also met exactly, by a last projection of the finished clip."""

from gambol.distill.constraints.check import check_constraints
from gambol.distill.constraints.constraint import Constraint, MotionConstraint, project_clip
from gambol.distill.constraints.constraint_data import constraint_data, read_constraint
from gambol.distill.constraints.freeze import Freeze
from gambol.distill.constraints.hold import Hold
from gambol.distill.constraints.look_at import LookAt
from gambol.distill.constraints.meet import meet_constraints
from gambol.distill.constraints.path_over_ground import GroundPath
from gambol.distill.constraints.pin import Pin
from gambol.distill.constraints.pose_key import PoseKey
from gambol.distill.constraints.report import ConstraintReport, report_constraints
from gambol.distill.constraints.speed import Speed

__all__ = [
    "Constraint",
    "ConstraintReport",
    "Freeze",
    "GroundPath",
    "Hold",
    "LookAt",
    "MotionConstraint",
    "Pin",
    "PoseKey",
    "Speed",
    "check_constraints",
    "constraint_data",
    "meet_constraints",
    "project_clip",
    "read_constraint",
    "report_constraints",
]
"""All kinds of constraints, and what is done with a list of them."""
