"""Losses: small objects in a list, each with a name, a weight and a scalar function of the motion."""

from gambol.distill.losses.field import AKDFieldGround, AKDFieldSmoothness, FieldRigidity, FieldSmoothness
from gambol.distill.losses.ground import AKDGround, Ground, Skate
from gambol.distill.losses.joint_limits import JointLimits
from gambol.distill.losses.loss import Loss, Motion, bind_losses, weighted_losses
from gambol.distill.losses.pose_prior import PosePrior
from gambol.distill.losses.smoothness import AKDSmoothness, Smoothness
from gambol.distill.losses.stance import Stance
from gambol.distill.losses.start_heading import StartHeading

__all__ = [
    "AKDFieldGround",
    "AKDFieldSmoothness",
    "AKDGround",
    "AKDSmoothness",
    "FieldRigidity",
    "FieldSmoothness",
    "Ground",
    "JointLimits",
    "Loss",
    "Motion",
    "PosePrior",
    "Skate",
    "Smoothness",
    "Stance",
    "StartHeading",
    "bind_losses",
    "weighted_losses",
]
