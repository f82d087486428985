"""Write the bodies and their controls as MJCF, and replay them in MuJoCo: an independent check of the simulation."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.spatial.transform import Rotation

from gambol.character.transforms import quaternion_from_matrix
from gambol.errors import GambolError, MissingExtra
from gambol.physics.articulated_body import ArticulatedBody
from gambol.physics.generalised_coordinates import joint_angles, states_from_transforms, transforms_from_states
from gambol.physics.hinge_targets import hinge_rates, knot_targets
from gambol.physics.simulated_motion import SimulatedMotion
from gambol.physics.soft_contacts import CONTACT_IMPEDANCE, contact_solref, friction_hardness
from gambol.physics.world import PhysicsWorld, gains

R_ZUP_YUP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""Rotation from Gambol's y-up world to MuJoCo's z-up world: (x, y, z) -> (x, -z, y)."""
CONTACT_SPHERE_RADIUS = 0.002
"""Radius of the sphere at a contact point, sizes; the ground plane lies lower by as much."""

RootFrame = Float[ndarray, "3 3"]
"""Orientation in MuJoCo's world at which yaw, pitch and roll of the root are zero."""


def root_frame(body: ArticulatedBody, R_start: Float[ndarray, "3 3"]) -> RootFrame:
    """Find the root frame: the root's first orientation (y-up world), turned upright by the smallest rotation."""
    R = R_ZUP_YUP @ R_start
    leaning = R @ body.up
    axis = np.cross(leaning, [0.0, 0.0, 1.0])
    sine, cosine = np.linalg.norm(axis), leaning[2]
    angle = np.arctan2(sine, cosine)
    turn = Rotation.from_rotvec(axis / max(sine, 1e-12) * angle).as_matrix()
    return turn @ R


def mujoco_qpos(
    body: ArticulatedBody, root: RootFrame, states: Float[ndarray, "frames bodies 7"]
) -> Float[ndarray, "frames n"]:
    """MuJoCo's qpos of every frame: position, yaw, pitch and roll of the root, then the joint angles."""
    T = transforms_from_states(states)
    place = T[:, 0, :3, 3] @ R_ZUP_YUP.T
    turns = Rotation.from_matrix(R_ZUP_YUP @ T[:, 0, :3, :3] @ root.T).as_euler("ZYX")
    turns[:, 0] = np.unwrap(turns[:, 0])
    return np.concatenate([place, turns, joint_angles(body, T[..., :3, :3]).reshape(len(T), -1)], 1)


def mujoco_qvel(
    body: ArticulatedBody, root: RootFrame, states: Float[ndarray, "bodies 7"], twists: Float[ndarray, "bodies 6"]
) -> Float[ndarray, "n"]:
    """MuJoCo's qvel of one state: the rates of `mujoco_qpos`."""
    T = transforms_from_states(states)
    arm = T[0, :3, :3] @ body.centres[0]
    place = R_ZUP_YUP @ (twists[0, :3] - np.cross(twists[0, 3:], arm))
    yaw, pitch, _ = mujoco_qpos(body, root, states[None])[0, 3:6]
    second = np.array([-np.sin(yaw), np.cos(yaw), 0.0])
    third = np.array([np.cos(pitch) * np.cos(yaw), np.cos(pitch) * np.sin(yaw), -np.sin(pitch)])
    axes = np.stack([[0.0, 0.0, 1.0], second, third], 1)
    turns = np.linalg.solve(axes, R_ZUP_YUP @ twists[0, 3:])
    return np.concatenate([place, turns, hinge_rates(body, states, twists).ravel()])


def write_mjcf(
    body: ArticulatedBody,
    world: PhysicsWorld,
    motion: SimulatedMotion,
    *,
    name: str,
    targets: Float[ndarray, "frames joints 3"] | None = None,
    torque_limit: float | None = None,
    step: float | None = None,
) -> str:
    """Describe the bodies as an MJCF text, z up, with one keyframe per frame: pose, velocity, joint targets.

    Inertias include the floors. The ground touches spheres at the contact points; boxes are for display only. The root
    has three slide joints and three hinges; the upright torque is the stiffness of its pitch and roll.

    Args:
        body: The bodies; their lengths are written as they are, so scale body, world and motion (`scale_lengths`) first
            for other units.
        world: Gravity, ground and gains.
        motion: The simulated motion.
        name: Name of the model.
        targets: Joint targets at the frames, as `hinge_targets` gives them; those of the motion where not given.
        torque_limit: Largest torque of every actuator, newton metres.
        step: Time step, seconds; that of the motion where not given.
    """
    g = gains(body, world)
    frame = root_frame(body, transforms_from_states(motion.states[0])[0, :3, :3])
    children = _children(body)
    limit = "" if torque_limit is None else f' forcerange="{-torque_limit:g} {torque_limit:g}"'
    actuators = "\n".join(
        f"    <position name={quoteattr(f'{body.names[i]}/{axis}')} joint={quoteattr(f'{body.names[i]}/{axis}')} "
        f'kp="{g.joint_ke:.9g}" kv="{g.joint_kd:.9g}"{limit}/>'
        for i in range(1, len(body))
        for axis in "xyz"
    )
    sprung = f'stiffness="{g.upright_ke * motion.upright:.9g}" damping="{g.upright_kd * motion.upright:.9g}"'
    hardness, radius = friction_hardness(body, g, motion), CONTACT_SPHERE_RADIUS * body.size
    dt = step or 1.0 / (motion.fps * motion.per_frame)
    impedance = f"{CONTACT_IMPEDANCE:g}"
    return f"""<mujoco model={quoteattr(name)}>
  <!-- {body.scale:.9g} m for each metre of the character; gravity is scaled with it.
       Keyframes hold the joint targets over time. -->
  <compiler angle="radian" autolimits="true"/>
  <option timestep="{dt:.12g}" integrator="implicitfast" cone="elliptic" impratio="{hardness:.6g}"
          gravity="0 0 {-world.gravity:g}"/>
  <size nkey="{len(motion.frame_states)}"/>
  <default>
    <geom contype="0" conaffinity="0" group="1" rgba="0.75 0.7 0.6 1"/>
    <default class="contact">
      <geom type="sphere" size="{radius:.9g}" contype="1" conaffinity="0" group="3" condim="3"
            friction="{world.friction:g} 0.005 0.0001" priority="1" solimp="{impedance} {impedance} 0.001"/>
    </default>
  </default>
  <worldbody>
    <light pos="0 0 4" directional="true"/>
    <geom name="ground" type="plane" size="0 0 1" pos="0 0 {-radius:.9g}" contype="0" conaffinity="1"
          rgba="0.6 0.65 0.6 1" friction="{world.friction:g} 0.005 0.0001" condim="3"/>
{_body_xml(body, 0, children, frame, contact_solref(body, g), sprung)}
  </worldbody>
  <actuator>
{actuators}
  </actuator>
  <keyframe>
{_keyframes(body, frame, motion, knot_targets(motion) if targets is None else targets)}
  </keyframe>
</mujoco>
"""


def _body_xml(
    body: ArticulatedBody, i: int, children: list[list[int]], root: RootFrame, solref: list[str], sprung: str
) -> str:
    name = body.names[i]
    pad = "    "
    if i == 0:
        place, R = np.zeros(3), root
        slides = [(f"root/t{a}", "slide", v, "") for a, v in zip("xyz", np.eye(3), strict=True)]
        hinges = [("root/yaw", "hinge", np.eye(3)[2], ""), ("root/pitch", "hinge", np.eye(3)[1], sprung)]
        hinges.append(("root/roll", "hinge", np.eye(3)[0], sprung))
        joints = [(n, kind, R.T @ axis, extra) for n, kind, axis, extra in slides + hinges]
    else:
        place, R = body.T_parent_joint[i, :3, 3], body.T_parent_joint[i, :3, :3]
        joints = [(f"{name}/{a}", "hinge", v, "") for a, v in zip("xyz", np.eye(3), strict=True)]
    full = body.inertias[i][[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    lines = [f'{pad}<body name={quoteattr(name)} pos="{_row(place)}" quat="{_row(quaternion_from_matrix(R))}">']
    mass = f'mass="{body.masses[i]:.9g}" fullinertia="{_row(full)}"'
    lines.append(f'{pad}  <inertial pos="{_row(body.centres[i])}" {mass}/>')
    for n, kind, axis, extra in joints:
        lines.append(f'{pad}  <joint name={quoteattr(n)} type="{kind}" axis="{_row(axis)}" {extra}/>')
    for b in np.flatnonzero((body.box_bodies == i) & body.has_box):
        T = body.T_body_box[b]
        at = f'pos="{_row(T[:3, 3])}" quat="{_row(quaternion_from_matrix(T[:3, :3]))}"'
        lines.append(f'{pad}  <geom type="box" {at} size="{_row(body.box_half_sides[b])}"/>')
    for p in np.flatnonzero(body.point_bodies == i):
        at = f'pos="{_row(body.points[p])}" solref="{solref[i]}"'
        lines.append(f'{pad}  <geom name="point {p}" class="contact" {at}/>')
    lines += [_body_xml(body, child, children, root, solref, sprung) for child in children[i]]
    return "\n".join([*lines, f"{pad}</body>"])


def _keyframes(
    body: ArticulatedBody, root: RootFrame, motion: SimulatedMotion, targets: Float[ndarray, "frames joints 3"]
) -> str:
    """Pose, velocity and targets of every frame. Joints are in depth-first order, as the bodies are."""
    at = np.arange(0, len(motion.states), motion.per_frame)
    order = _depth_first(body)
    places = mujoco_qpos(body, root, motion.states[at])
    joints = np.concatenate([np.arange(6), *(np.arange(3) + 3 + 3 * i for i in order[1:])]).astype(int)
    lines = []
    for frame, moment in enumerate(at):
        speed = mujoco_qvel(body, root, motion.states[moment], motion.twists[moment])
        time = f'name="frame_{frame:04d}" time="{frame / motion.fps:.9g}"'
        state = f'qpos="{_row(places[frame][joints])}" qvel="{_row(speed[joints])}"'
        lines.append(f'    <key {time} {state} ctrl="{_row(targets[frame])}"/>')
    return "\n".join(lines)


def _children(body: ArticulatedBody) -> list[list[int]]:
    """Numbers of the bodies whose parent is each body."""
    return [np.flatnonzero(body.parents == i).tolist() for i in range(len(body))]


def _depth_first(body: ArticulatedBody) -> list[int]:
    children = _children(body)
    order: list[int] = []

    def visit(i: int) -> None:
        order.append(i)
        for child in children[i]:
            visit(child)

    visit(0)
    return order


def _row(values: Any) -> str:
    return " ".join(f"{v:.9g}" for v in np.asarray(values, dtype=float).ravel())


def body_transforms_yup(data: Any, ids: list[int]) -> Float[ndarray, "bodies 4 4"]:
    """Transforms of MuJoCo's bodies in Gambol's world; its kinematics must be up to date."""
    T = np.tile(np.eye(4), (len(ids), 1, 1))
    T[:, :3, :3] = R_ZUP_YUP.T @ data.xmat[ids].reshape(-1, 3, 3)
    T[:, :3, 3] = data.xpos[ids] @ R_ZUP_YUP
    return T


def load_mujoco() -> Any:
    """Import MuJoCo; raises MissingExtra where it is not installed."""
    try:
        import mujoco
    except ImportError as error:
        raise MissingExtra("Replay in MuJoCo", "physics") from error
    return mujoco


def replay_mjcf(
    text: str, body: ArticulatedBody, *, targets: Float[ndarray, "steps controls"] | None = None
) -> Float[ndarray, "frames bodies 7"]:
    """Simulate an MJCF text from its first keyframe, open loop; returns the bodies' states at the keyframes, y up.

    Joint targets are those of the keyframes, linear in between, or `targets` for every step.
    """
    mujoco = load_mujoco()
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    per_frame = round((model.key_time[1] - model.key_time[0]) / model.opt.timestep)
    ids = [model.body(name).id for name in body.names]
    frames = []
    for frame in range(model.nkey):
        mujoco.mj_kinematics(model, data)
        frames.append(body_transforms_yup(data, ids))
        if frame == model.nkey - 1:
            break
        left, right = model.key_ctrl[frame], model.key_ctrl[frame + 1]
        for k in range(per_frame):
            share = (k + 1.0) / per_frame
            data.ctrl[:] = (1 - share) * left + share * right if targets is None else targets[frame * per_frame + k]
            mujoco.mj_step(model, data)
    states = np.stack(frames)
    if not np.isfinite(states).all():
        raise GambolError("The replay in MuJoCo is unstable: the controls do not hold the body there.")
    return states_from_transforms(states)


def save_mjcf(path: Path, text: str) -> None:
    """Write an MJCF text, after MuJoCo (where it is installed) has parsed it."""
    from gambol.files.atomic_write import write_text

    with contextlib.suppress(MissingExtra):
        load_mujoco().MjModel.from_xml_string(text)
    write_text(path, text)
