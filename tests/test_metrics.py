"""Metrics against closed forms, under changes that must not matter, and on clips with known damage."""

from dataclasses import asdict, replace

import numpy as np
import pytest
from creature_body import creature_body
from real_data import DATA, needs_data
from walker_made_by_code import person, treadmill

from gambol.character.anatomy.anatomy import Anatomy, BodyPart, Side
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.bone_cuboids import BoneCuboids
from gambol.character.character import Character, make_character
from gambol.character.scene import Part, Scene, Skin, translated_nodes
from gambol.character.segment_distances import segment_distance
from gambol.character.transforms import rigid_inverse
from gambol.creatures.gaits.make_motion import make_motion
from gambol.errors import AssetError
from gambol.evaluate import quality_metrics
from gambol.evaluate.gait_cycle import gait_cycle, stride_frequency
from gambol.evaluate.metrics import ClipMetrics, joint_distance, measure
from gambol.evaluate.observation import Observation, observe_clip, observe_node_clip
from gambol.files.asset import load
from gambol.motion.clip import Clip, clip_from_matrices, rest_clip
from gambol.motion.feet.travel import Travel, add_travel, restore_travel
from gambol.motion.kinematics import pose_clip
from gambol.motion.node_clip import NodeChannel, NodeClip
from gambol.motion.node_clip_conversion import clip_from_nodes

METRES = ("speed", "travel", "rise", "foot_skate", "mpjpe", "mpjpe_root_relative")
"""Numbers that scale with the character; all others do not."""


@pytest.fixture(scope="module")
def walker() -> tuple[Character, Anatomy, Clip]:
    """A person who walks at 0.8 m/s, one cycle a second, feet flat on the ground while they stand."""
    character, anatomy = person()
    clip = treadmill(character, anatomy, (0.8, 0.0), frames=61, cycles=2)
    return character, anatomy, travelled(clip, (0.8, 0.0))


@pytest.fixture(scope="module")
def fox() -> tuple[Character, Anatomy, Clip]:
    character, anatomy = creature_body("fox", 1, vertices=2500)
    return character, anatomy, make_motion(character, anatomy, "walk")


def travelled(clip: Clip, velocity: tuple[float, float], rate: float = 0.0) -> Clip:
    """The clip with a steady way."""
    return add_travel(clip, Travel(clip.times[:, None] * np.array(velocity), rate * clip.times))


def shifted(clip: Clip, *, up: float = 0.0, ahead: float = 0.0) -> Clip:
    root = clip.root.copy()
    root[:, :2] += [ahead, up]
    return replace(clip, root=root)


def block() -> tuple[Character, Anatomy]:
    """A cube of 1 m on one bone, without limbs."""
    nodes = translated_nodes(("root", "cube"), np.array([-1, -1]), np.zeros((2, 3)))
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (0.0, 1.0) for z in (-0.5, 0.5)])
    triangles = np.array([(0, 1, 3), (4, 6, 7), (0, 4, 5), (2, 3, 7), (0, 2, 6), (1, 5, 7)])
    part = Part(1, 0, corners, triangles, joints=np.zeros((8, 1), int), weights=np.ones((8, 1), np.float32))
    scene = Scene(nodes, (Skin("skin", np.array([0]), np.eye(4)[None]),), (part,))
    character = make_character("block", scene, scale=1.0, facing="+x")
    limits = np.tile([-1.0, 1.0], (1, 3, 1))
    return character, Anatomy((BodyPart.TORSO,), (Side.MIDDLE,), np.zeros(1, int), (), limits)


def numbers(metrics: ClipMetrics) -> dict[str, float | None]:
    """All numbers by name; phases one by one."""
    told = asdict(metrics)
    for k, phase in enumerate(told.pop("left_right_phase")):
        told[f"left_right_phase_{k}"] = phase
    return {k: v for k, v in told.items() if not isinstance(v, str)}


def assert_same(a: ClipMetrics, b: ClipMetrics, *, scale: float = 1.0, near: float = 1e-6) -> None:
    first, second = numbers(a), numbers(b)
    assert a.motion == b.motion
    assert first.keys() == second.keys()
    for name, value in first.items():
        if value is None:
            assert second[name] is None, name
            continue
        factor = scale if name in METRES else 1.0
        if "phase" in name:
            gap = (second[name] - value + 0.5) % 1.0 - 0.5
            assert abs(gap) < near, name
        else:
            assert second[name] == pytest.approx(factor * value, rel=near, abs=near * factor), name


class TestClosedForms:
    def test_a_block_that_slides_at_1_m_per_s_skates_1_and_has_no_motion_of_its_own(self):
        character, anatomy = block()
        still = rest_clip(character.skeleton, 31, 30.0)
        m = measure(observe_clip(character, anatomy, travelled(still, (0.6, -0.8))), cuboids=character.cuboids)
        assert m.foot_skate == pytest.approx(1.0, abs=1e-9)
        assert m.foot_skate_sizes == pytest.approx(1.0, abs=1e-9)
        assert m.speed == pytest.approx(1.0, abs=1e-9)
        assert m.travel == pytest.approx(1.0, abs=1e-9)
        for zero in ("motion_amount", "rise", "penetration_max", "float_mean", "jerk", "bone_stretch", "edge_stretch"):
            assert getattr(m, zero) == pytest.approx(0.0, abs=1e-6), zero
        assert m.stride_hz == 0.0
        assert m.left_right_phase == ()
        assert m.self_intersection == 0.0

    def test_a_lifted_clip_floats_by_what_it_was_lifted_and_has_no_skate(self, walker):
        character, anatomy, clip = walker
        ground = observe_clip(character, anatomy, clip)
        assert quality_metrics.penetration(ground)[0] == pytest.approx(0.0, abs=1e-5)
        lifted = observe_clip(character, anatomy, shifted(clip, up=0.1))
        assert quality_metrics.float_mean(lifted) - quality_metrics.float_mean(ground) == pytest.approx(
            0.1 / character.size, abs=1e-5
        )
        assert quality_metrics.foot_skate(lifted) is None
        assert quality_metrics.penetration(lifted) == (0.0, 0.0)

    def test_a_lowered_clip_sinks_by_what_it_was_lowered(self, walker):
        character, anatomy, clip = walker
        lowered = observe_clip(character, anatomy, shifted(clip, up=-0.07))
        deepest, mean = quality_metrics.penetration(lowered)
        assert deepest == pytest.approx(0.07 / character.size, abs=1e-5)
        assert mean == pytest.approx(0.07 / character.size, abs=1e-4)  # one foot stands in every frame
        assert quality_metrics.float_mean(lowered) == 0.0

    @pytest.mark.parametrize("velocity", [0.4, 0.7])
    def test_standing_feet_do_not_skate_and_on_the_spot_they_skate_at_the_speed_of_the_belt(self, velocity):
        character, anatomy = person()
        clip = treadmill(character, anatomy, (velocity, 0.0), frames=61, cycles=2, duty=0.75)
        going = observe_clip(character, anatomy, travelled(clip, (velocity, 0.0)))
        assert quality_metrics.foot_skate(going) < 0.05 * velocity
        staying = observe_clip(character, anatomy, clip)
        assert quality_metrics.foot_skate(staying) == pytest.approx(velocity, rel=0.05)

    def test_a_turn_on_the_spot_about_a_point_of_the_foot_is_no_skate(self):
        character, anatomy = block()
        clip = rest_clip(character.skeleton, 31, 30.0)
        corner = np.array([0.5, 0.5])
        angle = np.linspace(0.0, 1.0, 31)
        c, s = np.cos(angle), np.sin(angle)
        turned = np.stack([c * corner[0] + s * corner[1], c * corner[1] - s * corner[0]], 1)
        pivoted = add_travel(clip, Travel(corner - turned, angle))
        seen = observe_clip(character, anatomy, pivoted)
        assert quality_metrics.foot_skate(seen) == pytest.approx(0.0, abs=1e-9)
        assert seen.heading[-1] == pytest.approx(1.0)

    @pytest.mark.parametrize(("cycles", "frames"), [(1, 31), (2, 61), (3, 73)])
    def test_a_synthetic_walker_has_its_stride_and_alternates(self, cycles, frames):
        character, anatomy = person()
        clip = treadmill(character, anatomy, (0.8, 0.0), frames=frames, cycles=cycles, duty=0.6)
        m = measure(observe_clip(character, anatomy, travelled(clip, (0.8, 0.0))))
        assert m.stride_hz == pytest.approx(1.0, abs=1e-9)
        assert m.left_right_phase == pytest.approx((0.5,), abs=1e-3)
        assert m.fore_hind_phase is None
        assert m.airborne == 0.0
        assert 0.6 <= m.duty_factor < 0.8  # low feet in swing count a little
        assert m.speed == pytest.approx(0.8, rel=1e-3)

    @pytest.mark.parametrize("hz", [0.7, 1.3, 2.9])
    @pytest.mark.parametrize("loop", [False, True])
    def test_frequency_and_phases_of_sines(self, hz, loop):
        seconds = 4.0 if not loop else round(4.0 * hz) / hz
        frames = round(seconds * 60.0) + 1
        t = np.arange(frames) / ((frames - 1) / seconds)
        wanted = np.array([0.0, 0.3, 0.55])
        waves = np.stack([np.cos(2 * np.pi * (hz * t - p)) + 0.3 * np.cos(4 * np.pi * (hz * t - p)) for p in wanted])
        signals = np.stack([waves, np.zeros_like(waves)], -1)
        found, share, first = stride_frequency(signals, (frames - 1) / seconds, loop=loop)
        assert found == pytest.approx(hz, rel=1e-9 if loop else 0.02)
        assert share > 0.97
        phases = (-np.angle(first) / (2 * np.pi)) % 1.0
        gaps = (phases - phases[0] - wanted + 0.5) % 1.0 - 0.5
        assert np.abs(gaps).max() < (1e-6 if loop else 0.03)

    def test_distance_to_a_clip_shifted_by_a_tenth(self, walker):
        character, anatomy, clip = walker
        seen = observe_clip(character, anatomy, clip)
        other = observe_clip(character, anatomy, shifted(clip, ahead=0.06, up=0.08))
        m = measure(other, reference=seen)
        assert m.mpjpe == pytest.approx(0.1, abs=1e-9)
        assert m.mpjpe_root_relative == pytest.approx(0.0, abs=1e-9)
        assert joint_distance(seen, seen) == (0.0, 0.0)

    def test_distance_needs_the_same_character(self, walker, fox):
        with pytest.raises(AssetError, match="same character"):
            joint_distance(observe_clip(*walker), observe_clip(*fox))

    def test_loops_close(self, walker, fox):
        for character, anatomy, clip in (walker, fox):
            seen = observe_clip(character, anatomy, clip)
            assert quality_metrics.loop_error(seen) < 1e-4
            cut = replace(clip, root=clip.root[:-8], angles=clip.angles[:-8])
            assert quality_metrics.loop_error(observe_clip(character, anatomy, cut)) > 0.01

    def test_jerk_is_the_third_derivative(self, walker):
        character, anatomy, clip = walker
        seen = observe_clip(character, anatomy, clip)
        t = np.arange(len(seen)) / seen.fps
        generator = np.random.default_rng(0)
        a, b, c = generator.normal(size=(3, *seen.joints.shape[1:]))
        falling = a + b * t[:, None, None] + c * t[:, None, None] ** 2
        assert quality_metrics.jerk(replace(seen, joints=falling, tips=falling)) == pytest.approx(0.0, abs=1e-7)
        cubic = np.broadcast_to(0.5 * t[:, None, None] ** 3 * [1.0, 0.0, 0.0], seen.joints.shape)
        assert quality_metrics.jerk(replace(seen, joints=cubic, tips=cubic)) == pytest.approx(3.0 / seen.size, rel=1e-6)

    def test_a_trembling_root_is_seen(self, walker):
        character, anatomy, clip = walker
        root = clip.root.copy()
        root[:, 0] += 0.01 * np.random.default_rng(0).normal(size=len(root))
        shaky = observe_clip(character, anatomy, replace(clip, root=root))
        assert quality_metrics.jerk(shaky) > 3.0 * quality_metrics.jerk(observe_clip(character, anatomy, clip))

    def test_scaled_bones_stretch_by_the_scale(self, walker):
        character, anatomy, _ = walker
        node = character.scene.nodes.names.index("shin.l")
        times = np.linspace(0.0, 1.0, 3)
        scales = np.array([[1.0, 1, 1], [1.25, 1.25, 1.25], [1.0, 1, 1]])
        clip = NodeClip("stretch", (NodeChannel(node, "scale", times, scales),))
        seen = observe_node_clip(character, anatomy, clip, fps=30.0)
        assert quality_metrics.bone_stretch(seen) == pytest.approx(0.25, abs=1e-6)
        edges = np.abs(np.log(1.25))
        assert 0.0 < quality_metrics.edge_stretch(seen) <= edges + 1e-6
        assert quality_metrics.bone_stretch(observe_clip(*walker)) == pytest.approx(0.0, abs=1e-9)
        assert quality_metrics.edge_stretch(observe_clip(*walker)) == pytest.approx(0.0, abs=1e-6)  # rigid boxes

    def test_angles_beyond_the_limits(self, walker):
        character, anatomy, _ = walker
        clip = rest_clip(character.skeleton, 10, 30.0)
        assert quality_metrics.joint_limit_violation(observe_clip(character, anatomy, clip)) == 0.0
        joint = character.skeleton.names.index("shin.l") - 1
        clip.angles[:, joint, 0] = anatomy.limits[joint + 1, 0, 1] + quality_metrics.LIMIT_SLACK + 0.3
        expected = 0.3 / (len(character.skeleton) - 1)
        seen = observe_clip(character, anatomy, clip)
        assert quality_metrics.joint_limit_violation(seen) == pytest.approx(expected)
        # the same rotations, written the other way round
        other = seen.angles * [1.0, -1.0, 1.0] + np.pi
        assert quality_metrics.joint_limit_violation(replace(seen, angles=other)) == pytest.approx(expected)

    def test_capsules_that_cross_overlap_by_radii_less_distance(self, walker):
        character, anatomy, clip = walker
        seen = observe_clip(character, anatomy, clip)
        bones = len(character.skeleton)
        thin = BoneCuboids(np.zeros((bones, 3)), np.full((bones, 3), 1e-6))
        assert quality_metrics.self_intersection(seen, thin) == pytest.approx(0.0, abs=1e-6)
        left, right = (character.skeleton.names.index(f"hand.{side}") for side in "lr")
        half = thin.half_sides.copy()
        half[[left, right]] = [0.06, 0.05, 0.02]  # the middle one is the radius
        joints, tips = (np.broadcast_to(rest, (4, bones, 3)).copy() for rest in (seen.rest_joints, seen.rest_tips))
        joints[:, left], tips[:, left] = [-0.2, 3.0, 0.0], [0.2, 3.0, 0.0]
        joints[:, right], tips[:, right] = [0.0, 3.03, -0.2], [0.0, 3.03, 0.2]
        crossed = replace(seen, joints=joints, tips=tips)
        depth = quality_metrics.self_intersection(crossed, BoneCuboids(thin.centres_bone, half))
        assert depth == pytest.approx((0.05 + 0.05 - 0.03) / seen.size, abs=1e-6)

    def test_segment_distance_agrees_with_dense_search(self):
        generator = np.random.default_rng(2)
        p0, p1, q0, q1 = generator.normal(size=(4, 40, 3))
        q0[:5], q1[:5] = p0[:5] + 0.3, p1[:5] + 0.3  # parallel
        p1[5:8] = p0[5:8]  # points
        s = np.linspace(0.0, 1.0, 201)
        a = p0[:, None] + s[:, None] * (p1 - p0)[:, None]
        b = q0[:, None] + s[:, None] * (q1 - q0)[:, None]
        slow = np.linalg.norm(a[:, :, None] - b[:, None], axis=-1).min((1, 2))
        for scale in (1e-3, 1.0, 1e3):
            fast = segment_distance(*(scale * x for x in (p0, p1, q0, q1))) / scale
            assert (fast <= slow + 1e-9).all()
            np.testing.assert_allclose(fast, slow, atol=2e-2)

    def test_stillness_is_shown_as_no_motion(self, walker):
        character, anatomy, clip = walker
        still = measure(observe_clip(character, anatomy, rest_clip(character.skeleton, 61, 30.0)))
        assert still.motion_amount == 0.0
        assert still.motion == "idle"
        assert measure(observe_clip(character, anatomy, clip)).motion_amount > 0.1

    def test_a_clip_of_two_frames_is_refused(self, walker):
        character, anatomy, _ = walker
        with pytest.raises(AssetError, match="2 frames; 3 are the least"):
            observe_clip(character, anatomy, rest_clip(character.skeleton, 2, 30.0))


class TestWhatMustNotMatter:
    @pytest.mark.parametrize("scale", [100.0, 0.01])
    def test_scale(self, scale, walker):
        character, anatomy, clip = walker
        large = make_character("person", character.scene, scale=scale, facing="+x")
        root = clip.root.copy()
        root[:, :3] *= scale
        reference = observe_clip(character, anatomy, shifted(clip, ahead=0.1))
        first = measure(observe_clip(character, anatomy, clip), cuboids=character.cuboids, reference=reference)
        other = replace(clip, root=root)
        reference = observe_clip(large, anatomy, shifted(other, ahead=0.1 * scale))
        second = measure(observe_clip(large, anatomy, other), cuboids=large.cuboids, reference=reference)
        assert second.mpjpe == pytest.approx(0.1 * scale)
        assert_same(first, second, scale=scale, near=1e-4)

    def test_scale_of_a_creature(self, fox):
        character, anatomy, clip = fox
        large = make_character("fox", character.scene, scale=100.0, facing="+z")
        root = clip.root.copy()
        root[:, :3] *= 100.0
        first = measure(observe_clip(character, anatomy, clip), cuboids=character.cuboids)
        second = measure(observe_clip(large, anatomy, replace(clip, root=root)), cuboids=large.cuboids)
        assert_same(first, second, scale=100.0, near=1e-3)

    @pytest.mark.parametrize("angle", [0.7, np.pi / 2, -2.5])
    def test_heading_of_the_world(self, angle, walker, fox):
        for character, anatomy, clip in (walker, fox):
            frames = len(clip)
            turned = add_travel(clip, Travel(np.full((frames, 2), 3.0), np.full(frames, angle)))
            assert_same(
                measure(observe_clip(character, anatomy, clip), cuboids=character.cuboids),
                measure(observe_clip(character, anatomy, turned), cuboids=character.cuboids),
                near=1e-5,
            )

    @pytest.mark.parametrize("motion", ["turn left", "gallop", "walk"])
    def test_a_mirrored_clip_has_mirrored_turns_and_phases(self, motion, fox):
        character, anatomy, _ = fox
        clip = make_motion(character, anatomy, motion)
        first = measure(observe_clip(character, anatomy, clip))
        second = measure(observe_clip(character, anatomy, mirrored(character, clip)))
        assert second.heading_change == pytest.approx(-first.heading_change, abs=1e-5)
        for a, b in zip(first.left_right_phase, second.left_right_phase, strict=True):
            assert ((a + b + 0.5) % 1.0) - 0.5 == pytest.approx(0.0, abs=0.01)
        for name in ("motion_amount", "speed", "jerk", "stride_hz", "duty_factor", "loop_error"):
            assert getattr(second, name) == pytest.approx(getattr(first, name), rel=0.01, abs=1e-3), name
        said = {"turn left": "turn right"}.get(first.motion, first.motion)
        assert second.motion == said
        if motion == "turn left":
            assert first.heading_change > 0.3


def mirrored(character: Character, clip: Clip) -> Clip:
    """The clip with left and right exchanged: every bone does what its twin did, D' = S D S with S = diag(1, 1, -1)."""
    skeleton = character.require_skeleton()
    S = np.diag([1.0, 1.0, -1.0])
    twins = np.linalg.norm(skeleton.heads[:, None] @ S - skeleton.heads, axis=-1)
    twins += np.linalg.norm(skeleton.tails[:, None] @ S - skeleton.tails, axis=-1)
    twin = twins.argmin(1)
    assert twins.min(1).max() < 1e-3 * character.size
    displaced = pose_clip(skeleton, clip) @ rigid_inverse(skeleton.T_world_rest)
    flipped = S @ displaced[:, twin, :3, :3] @ S @ skeleton.T_world_rest[:, :3, :3]
    joint = np.swapaxes(skeleton.T_parent_rest[:, :3, :3], -1, -2) @ skeleton.local_rotations(flipped)
    return clip_from_matrices(clip.name, clip.fps, clip.root[:, :3] @ S, joint)[0]


class Damage:
    """Ways to spoil a clip, each with the metric that must tell."""

    @staticmethod
    def shuffled(clip: Clip) -> Clip:
        order = np.arange(len(clip))
        order[1:-1] = np.random.default_rng(0).permutation(order[1:-1])
        return replace(clip, root=clip.root[order], angles=clip.angles[order])

    @staticmethod
    def frozen(clip: Clip, anatomy: Anatomy) -> Clip:
        angles = clip.angles.copy()
        bones = np.array([b for b in anatomy.legs[0].bones if b > 0])
        angles[:, bones - 1] = angles[:1, bones - 1]
        return replace(clip, angles=angles)

    @staticmethod
    def hurried(clip: Clip) -> Clip:
        """Twice as many steps in the same time over the same way."""
        frames = len(clip) - 1
        twice = (2 * np.arange(len(clip))) % frames
        root = clip.root[twice]
        root[:, [0, 2, 3]] = clip.root[:, [0, 2, 3]]
        return replace(clip, root=root, angles=clip.angles[twice])


def check_damage(character: Character, anatomy: Anatomy, clip: Clip) -> None:
    def see(damaged: Clip) -> Observation:
        return observe_clip(character, anatomy, damaged)

    whole = measure(see(clip))
    assert measure(see(Damage.shuffled(clip))).jerk > 3.0 * whole.jerk
    sunk = measure(see(shifted(clip, up=-0.05 * character.size)))
    assert sunk.penetration_max > whole.penetration_max + 0.03
    assert sunk.penetration_mean > whole.penetration_mean + 0.02
    hurried = measure(see(Damage.hurried(clip)))
    assert hurried.foot_skate > 1.5 * whole.foot_skate
    assert hurried.foot_skate > whole.foot_skate + 0.3 * whole.speed
    assert whole.left_right_phase[0] is not None
    frozen = measure(see(Damage.frozen(clip, anatomy)))
    assert frozen.left_right_phase[0] is None
    assert gait_cycle(see(Damage.frozen(clip, anatomy))).swing.min() < 0.5 * gait_cycle(see(clip)).swing.min()


@pytest.mark.parametrize(("name", "motion"), [("fox", "walk"), ("horse", "trot"), ("human", "walk"), ("human", "run")])
def test_damage_shows_on_the_metric_that_names_it(name, motion):
    character, anatomy = creature_body(name, 3, vertices=2500)
    check_damage(character, anatomy, make_motion(character, anatomy, motion))


@needs_data
@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("mesh2motion/fox-animated.glb", "Walk"),
        ("mesh2motion/human-animated.glb", "Walk_Loop"),
        ("quaternius/Wolf.glb", "Walk"),
        ("quaternius/Deer.glb", "Walk"),
    ],
)
def test_damage_shows_on_real_clips(file, name):

    asset = load(DATA / "characters" / file)
    anatomy = find_anatomy(asset.character)
    clip, _ = clip_from_nodes(asset.character, asset.clip(name))
    check_damage(asset.character, anatomy, restore_travel(asset.character, clip, anatomy, ground=True))


@needs_data
@pytest.mark.parametrize("file", ["mesh2motion/fox-animated.glb", "quaternius/Wolf.glb"])
def test_scaled_bones_of_real_clips_stretch(file):

    asset = load(DATA / "characters" / file)
    character, anatomy = asset.character, find_anatomy(asset.character)
    clip = asset.clip("Walk")
    node = int(character.binding.bone_nodes[anatomy.legs[0].bones[1]])
    rest = character.scene.nodes.scales[node]
    damaged = NodeClip(
        clip.name,
        (
            *(c for c in clip.channels if (c.node, c.path) != (node, "scale")),
            NodeChannel(node, "scale", np.array([clip.start, clip.end]), np.stack([rest, 1.6 * rest])),
        ),
    )
    whole, broken = (measure(observe_node_clip(character, anatomy, c)) for c in (clip, damaged))
    assert broken.bone_stretch > max(0.5, 2.0 * whole.bone_stretch)
    assert broken.edge_stretch > whole.edge_stretch


def test_the_stride_of_a_slow_giant_is_no_fast_tremble_between_few_frames():
    fps, hz = 10.64, 0.6
    t = np.arange(24) / fps
    foot = np.stack([np.sin(2 * np.pi * hz * t + 1.0), 0.3 * np.cos(4 * np.pi * hz * t)], axis=1)
    noise = 0.05 * np.random.default_rng(0).standard_normal((2, 24, 2))
    found = stride_frequency(np.stack([foot, -foot]) + noise, fps, loop=False)[0]
    assert found == pytest.approx(hz, rel=0.05)  # fps - hz explains the frames just as well
