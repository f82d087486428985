"""Bodies from bones: masses and inertias of boxes, welds and floors, contact points, bad input."""

from dataclasses import replace

import numpy as np
import pytest
from person_rig import PERSON, make_scene
from physics_bodies import AS_IT_IS, block, body_of, rig, walker
from real_data import DATA, needs_data
from walker_made_by_code import person

from gambol.character.character import make_character
from gambol.character.skeleton import Skeleton
from gambol.errors import AssetError
from gambol.files.asset import load
from gambol.motion.clip import Clip, rest_clip
from gambol.physics.articulated_body import BodyConfig, make_articulated_body
from gambol.physics.collision_boxes import bone_boxes, cape_vertices
from gambol.physics.generalised_coordinates import body_transforms, joint_angles, joint_rotations
from gambol.physics.tracking_problem import divide_frames, make_tracking_problem
from gambol.physics.world import PhysicsWorld, gains


def test_a_box_has_the_mass_and_inertia_of_a_box():
    body = body_of(*block())
    assert body.mass == pytest.approx(1000.0 * 0.4 * 0.2 * 0.2)
    # the root's frame: x up, y forwards (the long side), z left
    long, short = body.mass / 12.0 * (0.4**2 + 0.2**2), body.mass / 12.0 * (2 * 0.2**2)
    np.testing.assert_allclose(body.inertias[0], np.diag([long, short, long]), atol=1e-12)
    assert sorted(np.round(np.ptp(body.points, axis=0), 9)) == [0.2, 0.2, 0.4]


def test_welded_boxes_have_the_inertia_of_their_points():
    """Two boxes that become one body, against a cloud of small cubes."""
    skeleton, boxes = rig([("a", None, (0, 1, 0), (1, 1, 0), 0.3), ("b", "a", (1, 1, 0), (1, 0.6, 0), 0.2)])
    body = body_of(skeleton, boxes, config=replace(AS_IT_IS, weld=0.5))
    assert body.names == ("a",)
    cells = (np.arange(20) + 0.5) / 20 * 2 - 1
    unit = np.stack(np.meshgrid(cells, cells, cells), -1).reshape(-1, 3)
    clouds = [unit * h @ T[:3, :3].T + T[:3, 3] for T, h in zip(body.T_body_box, body.box_half_sides, strict=True)]
    weights = np.repeat(1000.0 * 8.0 * body.box_half_sides.prod(1) / len(unit), len(unit))
    cloud = np.concatenate(clouds)
    centre = (weights[:, None] * cloud).sum(0) / weights.sum()
    d = cloud - centre
    inertia = np.einsum("n,nij->ij", weights, (d**2).sum(1)[:, None, None] * np.eye(3) - d[:, :, None] * d[:, None])
    np.testing.assert_allclose(body.centres[0], centre, atol=1e-9)
    np.testing.assert_allclose(body.inertias[0], inertia, rtol=0.01, atol=0.05)


def test_floors_only_raise_and_can_be_switched_off():
    skeleton, boxes, clip = walker()
    bare = body_of(skeleton, boxes, clip=clip)
    floored = body_of(skeleton, boxes, config=BodyConfig(size=None, weld=0.0), clip=clip)
    assert (floored.masses >= bare.masses - 1e-12).all()
    low = np.linalg.eigvalsh(floored.inertias)
    assert (low[:, 0] >= 0.5 * low[:, 2] - 1e-9).all()
    assert (low[:, 0] >= 1.5e-4 * bare.mass * bare.size**2).all()
    thin = np.linalg.eigvalsh(bare.inertias)
    assert (thin[:, 0] < 0.2 * thin[:, 2]).any()


def test_any_size_becomes_the_same_body():
    character, _ = person()
    clip = rest_clip(character.require_skeleton(), 3, 30.0)
    body = make_articulated_body(character.require_skeleton(), bone_boxes(character), (clip,))
    for size in (0.02, 18.0):
        other, _ = person(size=size)
        again = make_articulated_body(other.require_skeleton(), bone_boxes(other), (clip,))
        np.testing.assert_allclose(again.masses, body.masses, rtol=1e-6)
        np.testing.assert_allclose(again.inertias, body.inertias, rtol=1e-5, atol=1e-9)
        np.testing.assert_allclose(again.points, body.points, atol=1e-5)
        assert gains(again, PhysicsWorld()).joint_ke == pytest.approx(gains(body, PhysicsWorld()).joint_ke)
        assert again.scale == pytest.approx(body.scale / size)


def test_joint_angles_of_the_mean_pose_rebuild_the_clip():
    skeleton, boxes, clip = walker()
    body = body_of(skeleton, boxes, clip=clip)
    R = body_transforms(body, skeleton, clip)[..., :3, :3]
    angles = joint_angles(body, R)
    assert np.abs(angles.mean(0)).max() < 0.02, "zero is the mean pose"
    a, b, c = np.moveaxis(angles, -1, 0)
    np.testing.assert_allclose(joint_rotations(body, R)[..., 0, 2], np.sin(b), atol=1e-12)
    np.testing.assert_allclose(joint_rotations(body, R)[..., 1, 2], -np.sin(a) * np.cos(b), atol=1e-12)
    np.testing.assert_allclose(joint_rotations(body, R)[..., 0, 1], -np.cos(b) * np.sin(c), atol=1e-12)


def test_contact_points_lie_on_the_skin_and_reach_the_ground_with_it():
    character, _ = person()
    boxes = bone_boxes(character)
    T = character.require_skeleton().T_world_rest
    places = np.einsum("bij,bkj->bki", T[:, :3, :3], boxes.points) + T[:, None, :3, 3]
    distances = np.linalg.norm(places.reshape(-1, 1, 3) - character.mesh.vertices, axis=-1).min(1)
    assert distances.max() < 1e-6
    assert places[..., 1].min() == pytest.approx(character.mesh.vertices[:, 1].min(), abs=1e-6)


def test_a_floating_clip_is_lowered_and_starts_on_the_ground():
    skeleton, boxes, clip = walker()
    body = body_of(skeleton, boxes, clip=clip)
    problem = make_tracking_problem(body, skeleton, (clip,), PhysicsWorld())
    assert problem.drops[0] == pytest.approx(0.05, abs=0.02)
    first = make_tracking_problem(body, skeleton, (clip,), PhysicsWorld(), project_first=True)
    heights = first.states[0, 0, :, 1] - first.start[0, :, 1]
    assert float(heights.abs().max()) < 1e-6


def test_frames_are_divided_into_whole_chunks_of_short_enough_steps():
    for fps in (8.0, 24.0, 29.97, 30.0, 60.0, 1000.0, 4000.0):
        time = divide_frames(fps, PhysicsWorld(), 40)
        assert time.dt <= PhysicsWorld().step * (1 + 1e-9)
        assert time.dt * time.per_frame * fps == pytest.approx(1.0)


class TestBadInput:
    def test_a_pose_is_no_motion(self):
        skeleton, boxes, _ = walker()
        body = body_of(skeleton, boxes)
        with pytest.raises(AssetError, match=r"has 1 frame; tracking needs 3 or more"):
            make_tracking_problem(body, skeleton, (rest_clip(skeleton, 1, 24.0),), PhysicsWorld())

    def test_numbers_that_are_not_finite(self):
        skeleton, *_ = walker()
        root = np.zeros((4, 6))
        root[2, 1] = np.nan
        with pytest.raises(AssetError, match="not finite"):
            Clip("broken", 24.0, root, np.zeros((4, len(skeleton) - 1, 3)))

    def test_bones_without_length_ride_on_their_parent(self):
        skeleton, boxes = rig([("a", None, (0, 1, 0), (1, 1, 0), 0.3), ("none", "a", (1, 1, 0), (1, 1, 0), 0.0)])
        assert body_of(skeleton, boxes).names == ("a",)

    @pytest.mark.parametrize("tail", [0.0, 5e-11])
    def test_a_skeleton_without_any_length(self, tail):
        character, _ = person()
        place = np.eye(4)
        flat = Skeleton(
            ("a", "b"), np.array([-1, 0]), np.stack([place, place]), np.array([[0.0] * 3, [0.0, tail, 0.0]])
        )
        bare = replace(character, name="dot.bvh", skeleton=flat, mesh=None, weights=None)
        with pytest.raises(AssetError, match=r"No bone of dot.bvh has a length"):
            bone_boxes(bare)

    def test_two_bodies_in_one_file(self):
        rows = dict(PERSON)
        for name, (parent, place, width) in PERSON.items():
            other = None if parent is None else f"{parent}2"
            rows[f"{name}2"] = (other, (place[0] + 4.0, *place[1:]), width)
        character = make_character("two.glb", make_scene(rows))
        with pytest.raises(AssetError, match=r"two.glb holds two bodies that do not touch"):
            bone_boxes(character)


@needs_data
def test_no_body_stands_on_its_cape():
    character = load(DATA / "characters" / "kaykit" / "Knight.glb").character
    mesh, skeleton, weights = character.require_skin()
    chest = skeleton.names.index("chest")
    own = weights.dominant() == chest
    cape = cape_vertices(character, weights.dominant())
    assert cape.any()
    assert (own | ~cape).all(), "the cape hangs on the chest, and nothing else is one"
    at_rest = bone_boxes(character).points[chest] @ skeleton.T_world_rest[chest, :3, :3].T + skeleton.heads[chest]
    assert at_rest[:, 1].min() > mesh.vertices[cape, 1].max()
    wolf = load(DATA / "characters" / "quaternius" / "Wolf.glb").character
    assert not cape_vertices(wolf, wolf.require_skin()[2].dominant()).any()
