"""Figures and gaits with known answers: a person of boxes in any rest pose, walking on a treadmill of known speed."""

from __future__ import annotations

import numpy as np

from gambol.character.anatomy.anatomy import Anatomy, BodyPart, Limb, Side
from gambol.character.character import Character, make_character
from gambol.character.scene import Part, Scene, Skin, translated_nodes
from gambol.motion.clip import Clip, clip_from_matrices
from gambol.motion.feet.leg_ik import leg_chain, solve_leg_ik
from gambol.motion.feet.soles import find_soles
from gambol.motion.kinematics import pose_clip

SIDES = ((Side.LEFT, "l", -1.0), (Side.RIGHT, "r", 1.0))


def person(*, arms: float = 0.0, size: float = 1.0, spine: int = 2, splay: float = 0.0) -> tuple[Character, Anatomy]:
    """A person facing +x, 1.7 m high at size 1: arms hang down by `arms` from the T-pose, legs are splayed, radians."""
    joints: list[tuple[str, int, np.ndarray, np.ndarray, BodyPart, Side]] = []

    def add(
        name: str, parent: int, head: list[float], tail: list[float], part: BodyPart, side: Side = Side.MIDDLE
    ) -> int:
        joints.append((name, parent, size * np.array(head), size * np.array(tail), part, side))
        return len(joints) - 1

    limbs = []
    heights = np.linspace(1.0, 1.4, spine + 1)
    trunk = [add("pelvis", -1, [0, 0.95, 0], [0, 1.0, 0], BodyPart.TORSO)]
    for k in range(spine):
        trunk.append(add(f"spine{k}", trunk[-1], [0, heights[k], 0], [0, heights[k + 1], 0], BodyPart.TORSO))
    limbs.append(Limb(BodyPart.TORSO, Side.MIDDLE, 0, tuple(trunk), None))
    head = add("head", trunk[-1], [0, 1.45, 0], [0, 1.7, 0], BodyPart.HEAD)
    limbs.append(Limb(BodyPart.HEAD, Side.MIDDLE, 0, (head,), None))
    for side, letter, z in SIDES:
        out = np.array([0.0, -np.sin(arms), z * np.cos(arms)])
        place, chain, above = np.array([0.0, 1.4, 0.18 * z]), [], trunk[-1]
        for name, length in (("upperarm", 0.28), ("forearm", 0.25), ("hand", 0.12)):
            above = add(f"{name}.{letter}", above, list(place), list(place + length * out), BodyPart.ARM, side)
            chain.append(above)
            place = place + length * out
        limbs.append(Limb(BodyPart.ARM, side, 0, tuple(chain), None))
        hip, knee = np.array([0.0, 0.92, 0.1 * z]), np.array([0.03, 0.5, (0.1 + 0.42 * np.tan(splay)) * z])
        ankle = np.array([0.0, 0.08, (0.1 + 0.84 * np.tan(splay)) * z])
        thigh = add(f"thigh.{letter}", trunk[0], list(hip), list(knee), BodyPart.LEG, side)
        shin = add(f"shin.{letter}", thigh, list(knee), list(ankle), BodyPart.LEG, side)
        foot = add(f"foot.{letter}", shin, list(ankle), list(ankle + np.array([0.18, -0.06, 0.0])), BodyPart.LEG, side)
        limbs.append(Limb(BodyPart.LEG, side, 0, (thigh, shin, foot), foot))
    character = make_character("person", _scene(joints, size), scale=1.0, facing="+x")
    order = {name: i for i, name in enumerate(character.require_skeleton().names)}
    where = {i: order[joint[0]] for i, joint in enumerate(joints)}
    parts, sides = [BodyPart.TORSO] * len(joints), [Side.MIDDLE] * len(joints)
    for i, joint in enumerate(joints):
        parts[where[i]], sides[where[i]] = joint[4], joint[5]
    moved = [
        Limb(m.part, m.side, m.pair, tuple(where[b] for b in m.bones), None if m.contact is None else where[m.contact])
        for m in limbs
    ]
    limits = np.stack([np.full((len(joints), 3), -2.0), np.full((len(joints), 3), 2.0)], -1)
    return character, Anatomy(tuple(parts), tuple(sides), np.zeros(len(joints), int), tuple(moved), limits)


def _scene(joints: list, size: float) -> Scene:
    heads, parents = np.array([j[2] for j in joints]), np.array([j[1] for j in joints])
    local = np.where(parents[:, None] >= 0, heads - heads[parents], heads)
    count = len(joints)
    names = (*(j[0] for j in joints), "body")
    nodes = translated_nodes(names, np.array([*parents, -1]), np.concatenate([local, np.zeros((1, 3))]))
    points, triangles, bones = [], [], []
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    faces = [
        (0, 1, 3),
        (0, 3, 2),
        (4, 6, 7),
        (4, 7, 5),
        (0, 4, 5),
        (0, 5, 1),
        (2, 3, 7),
        (2, 7, 6),
        (0, 2, 6),
        (0, 6, 4),
        (1, 5, 7),
        (1, 7, 3),
    ]
    for bone, (name, _, head, tail, _, _) in enumerate(joints):
        low, high = np.minimum(head, tail) - 0.03 * size, np.maximum(head, tail) + 0.03 * size
        if name.startswith("foot"):
            low, high = (
                np.array([head[0] - 0.06 * size, 0.0, head[2] - 0.04 * size]),
                np.array([tail[0], 0.08 * size, head[2] + 0.04 * size]),
            )
        triangles += [tuple(len(points) + np.array(face)) for face in faces]
        points += list(0.5 * (low + high) + 0.5 * corners * (high - low))
        bones += [bone] * 8
    skin = Skin("skin", np.arange(count), np.linalg.inv(nodes.T_world_node[:count]))
    part = Part(
        count,
        0,
        np.array(points),
        np.array(triangles),
        joints=np.array(bones)[:, None],
        weights=np.ones((len(points), 1), np.float32),
    )
    return Scene(nodes, (skin,), (part,))


def treadmill(
    character: Character,
    anatomy: Anatomy,
    velocity: tuple[float, float],
    *,
    rate: float = 0.0,
    duty: float = 0.6,
    frames: int = 31,
    cycles: int = 1,
    uneven: float = 0.0,
    lower: float = 0.06,
    lift: float = 0.12,
) -> Clip:
    """Walk on the spot over a belt that goes by at -velocity (x, z, m/s) and turns at -rate (rad/s); closes as a loop.

    Feet stand for `duty` of a cycle, half a cycle apart, then swing `lift` m high; `uneven` speeds a stance up in its
    middle by that share and slows its ends down, as artists do. One cycle lasts 1 s.
    """
    skeleton, fps = character.require_skeleton(), (frames - 1) / cycles
    chains = [leg_chain(skeleton, sole) for sole in find_soles(character, anatomy)]
    root = np.zeros((frames, 3))
    root[:, 1] = -lower * character.size / 1.7
    joints = np.tile(np.eye(3), (frames, len(skeleton), 1, 1))
    goals = []
    for k, chain in enumerate(chains):
        phase = (np.linspace(0.0, cycles, frames) + 0.5 * k) % 1.0
        phase = np.where(np.isclose(phase, 1.0), 0.0, phase)
        stance = phase <= duty
        along = np.where(stance, phase / duty, 0.0)
        eased = along - uneven * np.sin(2.0 * np.pi * along) / (2.0 * np.pi)
        swing = np.where(stance, 0.0, (phase - duty) / (1.0 - duty))
        back = np.where(stance, eased - 0.5, 0.5 - (3 * swing**2 - 2 * swing**3)) * duty
        angle, ankle = -rate * back, skeleton.heads[chain.foot]
        # the belt under a body that goes at v and turns at w: the arc x -> R(-w t) x - W v t
        c, s = np.cos(angle), np.sin(angle)
        mean = np.where(np.abs(angle) > 1e-9, angle, 1.0)
        sine, cosine = (
            np.where(np.abs(angle) > 1e-9, s / mean, 1.0),
            np.where(np.abs(angle) > 1e-9, (1.0 - c) / mean, 0.0),
        )
        vx, vz = -back * velocity[0], -back * velocity[1]
        x = c * ankle[0] + s * ankle[2] + sine * vx + cosine * vz
        z = c * ankle[2] - s * ankle[0] - cosine * vx + sine * vz
        y = ankle[1] + lift * np.sin(np.pi * swing) ** 2
        goals.append(np.stack([x, y, z], axis=1))
        R = skeleton.T_world_rest[chain.foot, :3, :3]
        turn = np.stack(
            [np.stack([c, 0 * c, s], 1), np.stack([0 * c, 1 + 0 * c, 0 * c], 1), np.stack([-s, 0 * c, c], 1)], 1
        )
        joints[:, chain.foot] = R.T @ turn @ R
    clip, _ = clip_from_matrices("walk", fps, root, joints)
    clip = solve_leg_ik(skeleton, clip, chains, goals)
    ends = pose_clip(skeleton, clip)
    for chain, goal in zip(chains, goals, strict=True):  # the gait must be within the legs' reach to be known
        np.testing.assert_allclose(ends[:, chain.foot, :3, 3], goal, atol=2e-4 * character.size)
    return clip
