"""Clips of simulated motions on hard ground: feet neither sink nor creep, and what slides or flies is left alone."""

import numpy as np
from creature_body import creature_body
from walker_made_by_code import person

from gambol.motion.clip import rest_clip
from gambol.motion.feet.soles import find_soles, pose_sole
from gambol.motion.kinematics import pose_clip
from gambol.physics.articulated_body import make_articulated_body
from gambol.physics.collision_boxes import bone_boxes
from gambol.physics.generalised_coordinates import body_transforms, states_from_transforms
from gambol.physics.hard_ground import (
    feet_held_by_friction,
    lift_out_of_ground,
    move_feet_to_simulated,
    put_on_hard_ground,
)
from gambol.physics.simulated_motion import SimulatedMotion, clip_from_simulation
from gambol.physics.tracking_problem import lowest_points
from gambol.physics.world import PhysicsWorld, gains


def bent_knees(skeleton, frames):
    """The rest pose with knees slightly bent."""
    clip = rest_clip(skeleton, frames, 30.0)
    for name in ("thigh", "shin"):
        for side in "lr":
            clip.angles[:, skeleton.names.index(f"{name}.{side}") - 1, 0] = 0.3 if name == "shin" else -0.15
    return clip


def test_feet_of_the_clip_stand_where_the_simulated_ones_do():
    """The simulation's feet are 2 cm nearer to the hips than its bones are long; the legs bend by as much."""
    character, anatomy = person()
    skeleton = character.require_skeleton()
    clip = bent_knees(skeleton, 4)
    body = make_articulated_body(skeleton, bone_boxes(character), (clip,))
    feet = [body.names.index(f"foot.{side}") for side in "lr"]
    T = body_transforms(body, skeleton, clip)
    T[:, feet, 1, 3] += 0.02 * body.scale
    states = states_from_transforms(T)
    motion = SimulatedMotion(
        30.0, 1, states, np.zeros((4, len(body), 6)), np.zeros((3, 1, 3)), np.zeros(6), 1.0, "newton"
    )
    made = clip_from_simulation(body, skeleton, clip, motion)
    moved = move_feet_to_simulated(character, anatomy, body, made, motion)
    heads = pose_clip(skeleton, moved)[..., :3, 3]
    for foot in feet:
        np.testing.assert_allclose(heads[:, body.top_bones[foot]] * body.scale, T[:, foot, :3, 3], atol=2e-3)
    assert np.abs(pose_clip(skeleton, made)[..., :3, 3] - heads)[:, body.top_bones[feet], 1].max() > 0.015


def test_feet_are_lifted_out_of_the_ground_one_by_one_and_flight_is_left_alone():
    """One foot sinks by 1 cm, then both by 2 cm, then the body flies: soles end at 0, hips stay."""
    character, anatomy = person()
    skeleton = character.require_skeleton()
    clip = bent_knees(skeleton, 3)
    soles = find_soles(character, anatomy)

    def lows(of):
        T = pose_clip(skeleton, of)
        return np.stack([pose_sole(skeleton, sole, T)[..., 1].min(1) for sole in soles], 1)

    clip.root[:, 1] -= lows(clip).min(1) + np.array([0.01, 0.02, -0.3])
    clip.angles[0, skeleton.names.index("thigh.l") - 1, 0] -= 0.3
    before = lows(clip)
    assert (np.sign(before[0]).min(), np.sign(before[0]).max()) == (-1, 1)
    moved = lift_out_of_ground(
        character, anatomy, make_articulated_body(skeleton, bone_boxes(character), (clip,)), clip
    )
    np.testing.assert_allclose(lows(moved), np.maximum(before, 0.0), atol=1e-3)
    np.testing.assert_allclose(moved.root, clip.root, atol=1e-3)
    np.testing.assert_allclose(moved.angles[2], clip.angles[2], atol=1e-6)
    assert np.abs(moved.angles[1] - clip.angles[1]).max() > 0.02


def test_what_has_no_feet_is_raised_as_a_whole():
    character, anatomy = creature_body("snake", 1, vertices=1500)
    clip = rest_clip(character.require_skeleton(), 3, 30.0)
    body = make_articulated_body(character.require_skeleton(), bone_boxes(character), (clip,))
    clip.root[:, 1] -= lowest_points(body, body_transforms(body, character.require_skeleton(), clip)) / body.scale
    sunk = np.array([0.0, 0.01, -0.2])
    clip.root[:, 1] -= sunk
    moved = lift_out_of_ground(character, anatomy, body, clip)
    np.testing.assert_allclose(moved.root[:, 1] - clip.root[:, 1], np.maximum(sunk, 0.0), atol=1e-9)
    assert (moved.angles == clip.angles).all()


def slides_then_flies(character, speeds, heights):
    """A person with bent knees that moves as one piece, by a simulation of two steps per frame; and its clip."""
    skeleton = character.require_skeleton()
    frames = len(speeds) + 1
    clip = bent_knees(skeleton, frames)
    body = make_articulated_body(skeleton, bone_boxes(character), (clip,))
    low = lowest_points(body, body_transforms(body, skeleton, clip))[0] / body.scale
    clip.root[:, 0] = np.concatenate([[0.0], np.cumsum(speeds)]) / clip.fps
    clip.root[:, 1] += np.array(heights) - low
    states = np.repeat(states_from_transforms(body_transforms(body, skeleton, clip)), 2, axis=0)[1:]
    twists = np.zeros((len(states), len(body), 6))
    twists[1:, :, 0] = np.repeat(speeds, 2)[:, None] * body.scale
    return (
        clip,
        body,
        SimulatedMotion(30.0, 2, states, twists, np.zeros((2 * frames - 2, 1, 3)), np.zeros(6), 1.0, "newton"),
    )


def test_feet_that_creep_are_brought_to_rest_and_feet_that_slide_or_fly_go_on():
    """Friction of smooth law mu f v / sqrt(v^2 + s^2) holds at 0.3 s and is all used up at 20 s."""
    character, anatomy = person()
    skeleton, soles = character.require_skeleton(), find_soles(character, anatomy)
    s = PhysicsWorld().slip_speed
    speeds = np.array([0.3 * s] * 8 + [20 * s] * 6 + [0.3 * s] * 4)
    clip, body, motion = slides_then_flies(character, speeds, [-0.003] * 16 + [0.2] * 3)
    held = feet_held_by_friction(body, gains(body, PhysicsWorld()), soles, motion)
    slides, flies = slice(9, 13), slice(16, None)  # the first and last interval of a slide are not counted as one
    assert held[:, :9].all()
    assert not held[:, slides].any()
    assert held[:, 13:15].all()
    assert not held[:, flies].any()
    hard = lift_out_of_ground(character, anatomy, body, clip)
    moved = put_on_hard_ground(character, anatomy, body, gains(body, PhysicsWorld()), clip, motion)
    for sole in soles:
        before, after = (pose_sole(skeleton, sole, pose_clip(skeleton, c)) for c in (hard, moved))
        ways = np.linalg.norm(np.diff(after[..., [0, 2]], axis=0), axis=-1).min(1)
        crept = np.linalg.norm(np.diff(before[..., [0, 2]], axis=0), axis=-1).min(1)
        assert ways[:8].max() < 0.1 * crept[:8].min()
        assert (ways[slides] > 0.5 * crept[slides]).all()
    np.testing.assert_allclose(moved.root[:, [0, 2, 3, 4, 5]], hard.root[:, [0, 2, 3, 4, 5]], atol=1e-12)


def test_a_body_without_feet_creeps_as_it_was_simulated():
    character, anatomy = creature_body("snake", 1, vertices=1500)
    clip = rest_clip(character.require_skeleton(), 3, 30.0)
    body = make_articulated_body(character.require_skeleton(), bone_boxes(character), (clip,))
    states = states_from_transforms(body_transforms(body, character.require_skeleton(), clip))
    motion = SimulatedMotion(
        30.0, 1, states, np.zeros((3, len(body), 6)), np.zeros((2, 1, 3)), np.zeros(6), 1.0, "newton"
    )
    moved = put_on_hard_ground(character, anatomy, body, gains(body, PhysicsWorld()), clip, motion)
    assert (moved.angles == clip.angles).all()
    assert (moved.root[:, [0, 2]] == clip.root[:, [0, 2]]).all()
