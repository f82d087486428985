"""Write the bodies with their controls as USD (UsdPhysics); needs usd-core."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from gambol.character.transforms import quaternion_from_matrix
from gambol.errors import GambolError
from gambol.files.atomic_write import replacing
from gambol.physics.articulated_body import ArticulatedBody
from gambol.physics.generalised_coordinates import transforms_from_states
from gambol.physics.simulated_motion import SimulatedMotion
from gambol.physics.world import PhysicsWorld, gains

ROTATION_AXES = ("rotX", "rotY", "rotZ")
"""Names of the rotation axes of a D6 joint in UsdPhysics."""


def write_usd(target: Path, body: ArticulatedBody, world: PhysicsWorld, motion: SimulatedMotion) -> None:
    """Write rigid bodies, D6 joints and drives whose targets are time samples; y up, simulated metres, degrees.

    The boxes collide with the ground only. The upright torque has no counterpart in UsdPhysics and is left out.
    """
    from pxr import Gf, Usd, UsdGeom, UsdPhysics

    with replacing(target) as temporary:
        stage = Usd.Stage.CreateNew(str(temporary))
        UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
        UsdGeom.SetStageMetersPerUnit(stage, 1.0)
        UsdPhysics.SetStageKilogramsPerUnit(stage, 1.0)
        stage.SetFramesPerSecond(motion.fps)
        stage.SetTimeCodesPerSecond(motion.fps)
        stage.SetStartTimeCode(0)
        stage.SetEndTimeCode(len(motion.frame_states) - 1)
        world_prim = UsdGeom.Xform.Define(stage, "/World")
        stage.SetDefaultPrim(world_prim.GetPrim())
        scene = UsdPhysics.Scene.Define(stage, "/World/Physics")
        scene.CreateGravityDirectionAttr(Gf.Vec3f(0, -1, 0))
        scene.CreateGravityMagnitudeAttr(world.gravity)
        ground = UsdGeom.Plane.Define(stage, "/World/Ground")
        ground.CreateAxisAttr(UsdGeom.Tokens.y)
        UsdPhysics.CollisionAPI.Apply(ground.GetPrim())
        group = UsdPhysics.CollisionGroup.Define(stage, "/World/BodyGroup")
        group.CreateFilteredGroupsRel().AddTarget(group.GetPath())
        paths = [f"/World/ArticulatedBody/{name}" for name in _prim_names(body.names)]
        UsdPhysics.ArticulationRootAPI.Apply(UsdGeom.Xform.Define(stage, "/World/ArticulatedBody").GetPrim())
        start = transforms_from_states(motion.states[0])
        for i, path in enumerate(paths):
            _add_body(stage, path, body, i, start[i])
            group.GetCollidersCollectionAPI().CreateIncludesRel().AddTarget(path)
        for i in range(1, len(body)):
            _add_joint(stage, paths, body, world, motion, i)
        stage.GetRootLayer().Save()
        again = Usd.Stage.Open(str(temporary))
        if len([p for p in again.Traverse() if p.HasAPI(UsdPhysics.RigidBodyAPI)]) != len(body):
            raise GambolError(f"{target.name}: not all bodies came back from the USD file.")


def _add_body(stage: Any, path: str, body: ArticulatedBody, i: int, T: np.ndarray) -> None:
    from pxr import Gf, UsdGeom, UsdPhysics

    prim = UsdGeom.Xform.Define(stage, path)
    _place(prim, T)
    UsdPhysics.RigidBodyAPI.Apply(prim.GetPrim())
    mass = UsdPhysics.MassAPI.Apply(prim.GetPrim())
    values, axes = np.linalg.eigh(body.inertias[i])
    axes = axes * np.sign(np.linalg.det(axes))
    mass.CreateMassAttr(float(body.masses[i]))
    mass.CreateCenterOfMassAttr(Gf.Vec3f(*map(float, body.centres[i])))
    mass.CreateDiagonalInertiaAttr(Gf.Vec3f(*map(float, values)))
    mass.CreatePrincipalAxesAttr(_quaternion(axes))
    for k, box in enumerate(np.flatnonzero((body.box_bodies == i) & body.has_box)):
        cube = UsdGeom.Cube.Define(stage, f"{path}/box{k}")
        cube.CreateSizeAttr(2.0)
        _place(cube, body.T_body_box[box], body.box_half_sides[box])
        UsdPhysics.CollisionAPI.Apply(cube.GetPrim())


def _add_joint(
    stage: Any, paths: list[str], body: ArticulatedBody, world: PhysicsWorld, motion: SimulatedMotion, i: int
) -> None:
    from pxr import Gf, UsdPhysics

    g = gains(body, world)
    joint = UsdPhysics.Joint.Define(stage, f"{paths[i]}_joint")
    joint.CreateBody0Rel().SetTargets([paths[int(body.parents[i])]])
    joint.CreateBody1Rel().SetTargets([paths[i]])
    joint.CreateLocalPos0Attr(Gf.Vec3f(*map(float, body.T_parent_joint[i, :3, 3])))
    joint.CreateLocalRot0Attr(_quaternion(body.T_parent_joint[i, :3, :3]))
    for axis in ("transX", "transY", "transZ"):
        limit = UsdPhysics.LimitAPI.Apply(joint.GetPrim(), axis)
        limit.CreateLowAttr(1.0)  # low above high: locked
        limit.CreateHighAttr(-1.0)
    knots = [max(frame * motion.per_frame - 1, 0) for frame in range(len(motion.frame_states))]
    for axis, angles in zip(ROTATION_AXES, np.degrees(motion.targets[knots, i - 1]).T, strict=True):
        drive = UsdPhysics.DriveAPI.Apply(joint.GetPrim(), axis)
        drive.CreateTypeAttr("force")
        drive.CreateStiffnessAttr(float(np.radians(g.joint_ke)))
        drive.CreateDampingAttr(float(np.radians(g.joint_kd)))
        target = drive.CreateTargetPositionAttr()
        for frame, angle in enumerate(angles):
            target.Set(float(angle), frame)


def _place(prim: Any, T: np.ndarray, scale: np.ndarray | None = None) -> None:
    from pxr import Gf

    prim.AddTranslateOp().Set(Gf.Vec3d(*map(float, T[:3, 3])))
    prim.AddOrientOp().Set(_quaternion(T[:3, :3]))
    if scale is not None:
        prim.AddScaleOp().Set(Gf.Vec3f(*map(float, scale)))


def _quaternion(R: np.ndarray) -> Any:
    from pxr import Gf

    return Gf.Quatf(*map(float, quaternion_from_matrix(R)))


def _prim_names(names: tuple[str, ...]) -> list[str]:
    """Turn names into unique ones that USD allows."""
    result: list[str] = []
    for name in names:
        plain = re.sub(r"\W", "_", name, flags=re.ASCII)
        plain = plain if plain[:1].isalpha() or plain[:1] == "_" else f"_{plain}"
        while plain in result:
            plain += "_"
        result.append(plain)
    return result
