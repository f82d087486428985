"""Procedural gaits and actions: planted feet, footfall order, speeds, flights, loops, styles, time."""

from functools import cache

import numpy as np
import pytest
from creature_body import creature_body

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.gaits import footfalls as patterns
from gambol.creatures.gaits import gait_measures as measures
from gambol.creatures.gaits.gait_motion import FrameTimes, gait_pace, plan_gait
from gambol.creatures.gaits.leg_geometry import bones_under
from gambol.creatures.gaits.make_motion import GAIT_MOTIONS, make_motion, motions_for, move_body, pose_motion
from gambol.creatures.gaits.motion_style import MotionStyle, draw_style
from gambol.creatures.gaits.moving_body import measure_body
from gambol.creatures.gaits.slither import body_length
from gambol.creatures.gaits.strides import natural_speed
from gambol.creatures.gaits.swim import Swimmer
from gambol.creatures.parameter_ranges import ranges_of
from gambol.errors import ConfigError
from gambol.motion.folding_limb_ik import (
    EXACT_REACH,
    EXACT_SHORT_REACH,
    folding_limb,
    limb_end,
    rotation_vector,
    solve_limb,
)
from gambol.motion.kinematics import pose_clip
from gambol.motion.vocabulary import find_entry

MANY_LEGS = ("spider", "daddy longlegs", "ant", "scorpion", "crab", "centipede")
LEGGED = ("fox", "horse", "cat", "giraffe", "dachshund", "lizard", "human", "ostrich", "songbird", "trex", *MANY_LEGS)
FINNED = ("fish", "eel", "shark", "dolphin")
UNUSUAL = ("dragon", "wyvern", "centaur", "monster", "sauropod", "kangaroo", "wasp", "weasel")
EVERY_MOTION = ("fox", "human", "songbird", *MANY_LEGS, "dragon", "centaur", "kangaroo", "wasp")
STEPS = 48
"""Frames per cycle that gaits are measured at, whatever the size of the animal."""
LYING_DEPTHS = {
    **dict.fromkeys(("sit down", "stand up", "lie down", "get up", "fall down"), (0.015, 0.035)),
    **dict.fromkeys(("drink", "shake"), (0.01, 0.055)),
}
"""How deep feet, and the rest of the body, may dip where a back or an abdomen rests on the ground, or feelers hang from
a low or shaken head; sizes."""


@cache
def known(family: str, seed: int = 0):
    character, anatomy = creature_body(family, seed)
    return character, anatomy, measure_body(character, anatomy)


def stepped(family: str, motion: str, style: MotionStyle = MotionStyle(), seed: int = 0, cycles: int = 2):  # noqa: B008
    """A gait of whole cycles: plan, clip, trace."""
    character, anatomy, body = known(family, seed)
    tempo = gait_pace(body, GAIT_MOTIONS[motion](body), style, FrameTimes(np.arange(2) / 30.0, False)).frequency
    times = FrameTimes(np.arange(cycles * STEPS + 1) / (STEPS * tempo), True)
    builder = pose_motion(body, motion, style, times)
    clip = builder.clip(motion, STEPS * tempo)
    plan = plan_gait(body, GAIT_MOTIONS[motion](body), style, times)
    return plan, clip, measures.trace_motion(character, anatomy, clip, builder.standing)


def assert_planted(plan, trace, cycles: int = 2) -> None:
    """The rules that hold for every gait."""
    assert measures.worst_slip(trace, cycles) <= 0.01 * plan.pace.stride
    assert measures.worst_depth(trace) <= 0.01
    assert trace.rest_low >= -0.003 * trace.size
    assert measures.worst_float(trace) <= 0.01
    assert measures.least_gap(trace) > 0
    assert trace.loop_error <= 1e-4 * trace.size


@pytest.mark.parametrize("family", [*LEGGED, *UNUSUAL])
def test_walk_and_run_are_planted_and_smooth(family):
    for motion in ("walk", "run"):
        plan, clip, trace = stepped(family, motion)
        assert_planted(plan, trace)
        assert measures.largest_jolt(clip) < 0.4
        _, anatomy, _ = known(family)
        assert measures.share_in_limits(clip, anatomy) > 0.95


@pytest.mark.parametrize("family", EVERY_MOTION)
def test_every_motion_keeps_its_standing_feet_and_stays_above_the_ground(family):
    character, anatomy, body = known(family)
    for motion in motions_for(anatomy):
        if motion in GAIT_MOTIONS:
            plan, _, trace = stepped(family, motion)
            assert_planted(plan, trace)
            continue
        clip = move_body(body, motion, MotionStyle(), seconds=2.0, fps=30.0)
        trace = measures.trace_motion(character, anatomy, clip)
        deepest_foot, deepest = LYING_DEPTHS.get(motion, (0.01, 0.01))
        assert measures.worst_depth(trace) <= deepest_foot, motion
        assert trace.rest_low >= -deepest * trace.size, motion
        if not find_entry(motion).ends_elsewhere:
            assert trace.loop_error <= 1e-4 * trace.size, motion
        moved = np.abs(clip.angles - clip.angles.mean(0)).max()
        assert moved > 0.03, f"{motion} hardly moves"


@pytest.mark.parametrize("family", ["human", "ostrich", "songbird", "trex"])
def test_two_legs_alternate_and_a_run_has_flights(family):
    for motion in ("walk", "run"):
        _, _, trace = stepped(family, motion, cycles=3)
        left, right = (measures.landing_phase(foot, STEPS) for foot in trace.feet)
        assert (right - left) % 1.0 == pytest.approx(0.5, abs=0.04)
        in_air = np.all([~foot.touching for foot in trace.feet], axis=0).mean()
        assert in_air > 0.1 if motion == "run" else in_air < 0.02


@pytest.mark.parametrize("family", ["fox", "horse", "giraffe", "dachshund"])
def test_four_legs_walk_in_lateral_sequence_trot_diagonally_and_gallop_with_a_suspension(family):
    def phases(motion: str) -> tuple[dict, object]:
        _, _, trace = stepped(family, motion, cycles=3)
        return {(f.pair, f.left): measures.landing_phase(f, STEPS) for f in trace.feet}, trace

    walk, trace = phases("walk")
    start = walk[1, True]
    after = [(walk[key] - start) % 1.0 for key in ((0, True), (1, False), (0, False))]
    np.testing.assert_allclose(after, [0.25, 0.5, 0.75], atol=0.05)
    assert all(measures.duty(foot) > 0.5 for foot in trace.feet)
    trot, _ = phases("trot")
    assert abs((trot[0, True] - trot[1, False] + 0.5) % 1.0 - 0.5) < 0.04
    assert (trot[0, False] - trot[0, True]) % 1.0 == pytest.approx(0.5, abs=0.04)
    gallop, trace = phases("gallop")
    assert np.all([~foot.touching for foot in trace.feet], axis=0).mean() > 0.08
    hind = (gallop[1, False] - gallop[1, True]) % 1.0
    assert 0.03 < hind < 0.3, "the hind feet land one soon after the other"


def test_the_body_falls_freely_while_a_human_runs():
    plan, clip, _ = stepped("human", "run")
    airborne = ~(plan.stance(0, True) | plan.stance(0, False))
    assert airborne.mean() > 0.15
    assert measures.fall_error(clip, airborne) < 0.05


@pytest.mark.parametrize("family", LEGGED)
def test_speed_is_stride_times_frequency(family):
    plan, clip, trace = stepped(family, "walk", cycles=3)
    frequency = 3 / clip.duration
    steps = measures.measure_steps(trace, clip.fps)
    assert steps.frequency == pytest.approx(frequency, rel=0.01)
    assert trace.travel[0] / clip.duration == pytest.approx(steps.stride * steps.frequency, rel=0.01)
    assert steps.turn == pytest.approx(0.0, abs=0.01)
    assert plan.pace.speed == pytest.approx(trace.travel[0] / clip.duration, rel=0.01)


def test_small_animals_step_faster_at_equal_froude_number():
    free = FrameTimes(np.arange(2) / 30.0, False)
    rates = []
    for family in ("cat", "horse"):
        _, _, body = known(family)
        tempo = gait_pace(body, GAIT_MOTIONS["walk"](body), MotionStyle(), free)
        rates.append(tempo.frequency * np.sqrt(body.leg_length))
        assert tempo.speed <= 1.05 * natural_speed(0.2, body.leg_length)
    assert rates[0] == pytest.approx(rates[1], rel=1e-6)


@pytest.mark.parametrize(("motion", "sign"), [("turn left", 1.0), ("turn right", -1.0)])
@pytest.mark.parametrize("family", ["human", "spider", "ant", "crab", "lizard"])
def test_turning_feet_stay_planted_while_the_body_yaws(family, motion, sign):
    plan, _, trace = stepped(family, motion)
    assert_planted(plan, trace)
    turned = sign * (trace.heading[-1] - trace.heading[0])
    least = {"lizard": 0.4, "crab": 0.25}.get(family, 0.5)
    assert turned > least, "a long body on short legs turns less, and one whose legs stand close together"
    if family != "lizard":  # a lizard turns about its middle; its hips, the root, swing the other way
        assert sign * trace.travel[2] < 0, "the left is -z"


@pytest.mark.parametrize("family", ["fox", "human", "ostrich", "spider", "scorpion", "centipede"])
def test_styles_vary_the_motion_and_stay_valid(family):
    generator = np.random.default_rng(5)
    _, anatomy, _ = known(family)
    gaits = [motion for motion in motions_for(anatomy) if motion in GAIT_MOTIONS]
    for k in range(6):
        plan, clip, trace = stepped(family, gaits[k % len(gaits)], draw_style(generator))
        assert_planted(plan, trace)
        assert measures.largest_jolt(clip) < 0.6
    ends = ranges_of(MotionStyle)
    for side in ("low", "high"):
        style = MotionStyle(**{name: getattr(allowed, side) for name, allowed in ends.items()})
        plan, _, trace = stepped(family, "walk", style)
        assert_planted(plan, trace)


def test_a_style_is_drawn_from_its_seed_and_mirrors():
    a, b = (draw_style(np.random.default_rng(3)) for _ in range(2))
    assert a == b
    assert a != draw_style(np.random.default_rng(4))
    with pytest.raises(ConfigError, match="tempo is 9"):
        MotionStyle(tempo=9.0)
    plan, _, _ = stepped("fox", "gallop")
    mirrored, _, _ = stepped("fox", "gallop", MotionStyle(mirrored=True))
    assert plan.gait.footfall.left == mirrored.gait.footfall.right


def test_a_loop_has_the_asked_frames_and_without_one_the_tempo_is_natural():
    character, anatomy, body = known("horse")
    clip = make_motion(character, anatomy, "walk", seconds=1.5, fps=24.0)
    assert len(clip) == 37
    natural = gait_pace(body, GAIT_MOTIONS["walk"](body), MotionStyle(), FrameTimes(np.arange(2) / 30.0, False))
    free = move_body(body, "walk", MotionStyle(), seconds=1.5, fps=24.0, loop=False)
    assert free.root[-1, 0] / free.duration == pytest.approx(natural.speed, rel=0.03)


def test_a_snake_slides_along_its_own_track():
    character, _, body = known("snake")
    clip = move_body(body, "slither", MotionStyle(), seconds=2.0, fps=60.0)
    chain = [*body.tails[0][::-1], 0, *body.spine, body.head]
    joints = pose_clip(character.skeleton, clip)[:, chain][..., :3, 3]
    heights = character.skeleton.heads[chain, 1]
    assert measures.side_slip(joints, heights) < 0.005 * character.size
    assert clip.root[-1, 0] > 0.3 * body_length(body)
    bent = np.ptp(joints[0, :, 2])
    assert bent > 0.05 * character.size, "the body lies in curves"
    trace = measures.trace_motion(character, known("snake")[1], clip)
    assert trace.rest_low > -0.003 * character.size
    assert trace.loop_error < 0.003 * character.size


def line_of(body):
    """Bones from the head to the end of the tail."""
    return [body.head, *body.spine[::-1], *body.tails[0]]


def across_body(character, body, clip, axis):
    """Positions of the middle line across the body over time, without their means, sizes."""
    joints = pose_clip(character.skeleton, clip)[:-1, line_of(body)][..., axis, 3]
    return (joints - joints.mean(0)) / character.size


@pytest.mark.parametrize("family", FINNED)
def test_a_wave_travels_from_the_head_to_the_tail_of_a_swimmer(family):
    character, anatomy, body = known(family)
    beat = Swimmer(body).beat
    clip = move_body(body, "swim", MotionStyle(wander=0.0), seconds=2.0 / beat, fps=24.0 * beat)
    sideways, upwards = (across_body(character, body, clip, axis) for axis in (2, 1))
    wave, other = (upwards, sideways) if family == "dolphin" else (sideways, upwards)
    assert np.ptp(wave[:, -1]) > 0.1
    assert np.ptp(wave[:, -1]) > 8.0 * np.ptp(other[:, -1])
    assert np.ptp(wave[:, -1]) > 1.4 * np.ptp(wave[:, 1]), "the tail swings farther than the neck"
    phases = np.unwrap(np.angle(np.fft.rfft(wave, axis=0)[2]))
    assert (np.diff(phases[1:]) < 0).all(), "every joint swings later than the one before it"
    assert phases[1] - phases[-1] > (4.0 if family == "eel" else 1.2)
    assert clip.root[-1, 0] > 0.5 * character.size, "one length in two beats or so"
    assert abs(clip.root[:, 2]).max() < 0.1 * character.size
    trace = measures.trace_motion(character, anatomy, clip)
    assert trace.loop_error <= 1e-4 * character.size


@pytest.mark.parametrize("family", FINNED)
def test_swimmers_stay_near_their_rest_height_and_above_the_ground(family):
    character, anatomy, body = known(family)
    generator = np.random.default_rng(2)
    for motion in motions_for(anatomy):
        for style in (MotionStyle(), draw_style(generator)):
            clip = move_body(body, motion, style, seconds=1.0)
            trace = measures.trace_motion(character, anatomy, clip)
            assert trace.rest_low >= -0.005 * character.size, motion
            assert trace.loop_error <= 1e-4 * character.size, motion
            if motion not in ("jump", "breach"):
                assert np.abs(clip.root[:, 1]).max() < 0.1 * character.size, motion
            moved = np.abs(clip.angles - clip.angles.mean(0)).max()
            assert moved > 0.03, f"{motion} hardly moves"


@pytest.mark.parametrize("family", ["fish", "dolphin"])
def test_swimmers_turn_hover_and_leap(family):
    character, anatomy, body = known(family)
    seconds = 2.0 / Swimmer(body).beat
    for motion, sign in (("turn left", 1.0), ("turn right", -1.0)):
        trace = measures.trace_motion(character, anatomy, move_body(body, motion, MotionStyle(), seconds=seconds))
        assert sign * (trace.heading[-1] - trace.heading[0]) > 0.8
        assert sign * trace.travel[2] < 0, "the left is -z"
    idle = move_body(body, "idle", MotionStyle(), seconds=seconds)
    assert np.abs(idle.root[:, :3]).max() < 0.06 * character.size
    fins = [b - 1 for wing in body.wings for b in wing.bones]
    assert (np.ptp(idle.angles[:, fins], axis=0).max(-1) > 0.2).all(), "all fins scull"
    leap = move_body(body, "jump", MotionStyle(), seconds=2.0 * seconds, fps=60.0)
    assert leap.root[:, 1].max() > 0.3 * character.size


def test_every_axis_of_style_changes_a_swim():
    _, _, body = known("fish")

    def swims(**axes):
        clip = move_body(body, "swim", MotionStyle(**axes), seconds=1.0, loop=False)
        return np.concatenate([clip.root.ravel(), clip.angles.ravel()])

    plain = swims()
    axes = {name: allowed.high for name, allowed in ranges_of(MotionStyle).items()}
    for name in ("tempo", "stride", "bounce", "exaggeration", "lift", "width", "head", "wander"):
        assert np.abs(swims(**{name: axes[name]}) - plain).max() > 0.003, name
    np.testing.assert_allclose(swims(phase=0.5), swims(mirrored=True), atol=1e-9)
    assert np.abs(swims(mirrored=True) - plain).max() > 0.2


def test_flying_leaves_the_ground_and_flapping_does_not():
    character, anatomy, body = known("songbird")
    fly = measures.trace_motion(character, anatomy, move_body(body, "fly", MotionStyle(), seconds=1.0))
    assert min(float(foot.low.min()) for foot in fly.feet) > 0.1 * character.size
    assert fly.travel[0] > character.size
    flap = measures.trace_motion(character, anatomy, move_body(body, "flap", MotionStyle(), seconds=1.0))
    assert max(float(foot.low.max()) for foot in flap.feet) < 0.01 * character.size


def test_a_head_reaches_the_ground_to_eat():
    for family in ("fox", "horse", "giraffe", "ostrich"):
        character, _, body = known(family)
        clip = move_body(body, "eat", MotionStyle(), seconds=3.0)
        T = pose_clip(character.skeleton, clip)
        rest = character.skeleton.T_world_rest
        lowest = np.inf
        for bone in bones_under(character.skeleton, body.head):
            points = body.hull[body.hull_bones == bone]
            local = (points - rest[bone, :3, 3]) @ rest[bone, :3, :3]
            lowest = min(lowest, float((T[:, bone, 1, :3] @ local.T + T[:, bone, 1, 3:]).min(initial=np.inf)))
        assert -0.003 * character.size < lowest < 0.06 * character.size, family


def test_hopping_bodies_leap_on_both_feet_and_stay_planted():
    for family in ("kangaroo", "frog"):
        plan, _, trace = stepped(family, "hop")
        assert_planted(plan, trace)
        airborne = np.all([~foot.touching for foot in trace.feet], axis=0)
        assert airborne.mean() > 0.3, family
        phases = [measures.landing_phase(foot, STEPS) for foot in trace.feet if foot.pair == trace.feet[-1].pair]
        assert abs((phases[0] - phases[1] + 0.5) % 1.0 - 0.5) < 0.04, "left and right land together"
    kangaroo, human = (
        stepped(family, "hop")[0].pace.stride / known(family)[2].leg_length for family in ("kangaroo", "human")
    )
    assert kangaroo > 1.3 * human, "long feet make long leaps"


def test_a_frog_leaps_higher_than_other_bodies_of_its_legs():
    frog, lizard = (known(family)[2] for family in ("frog", "lizard"))
    assert frog.sits_folded
    assert frog.sprawling
    assert not lizard.sits_folded
    rises = [np.ptp(move_body(b, "jump", MotionStyle(), seconds=1.0).root[:, 1]) / b.leg_length for b in (frog, lizard)]
    assert rises[0] > 1.5 * rises[1]


def test_an_insect_flies_level_with_its_legs_below():
    character, _, body = known("wasp")
    assert not body.upright
    clip = move_body(body, "fly", MotionStyle(), seconds=1.0)
    posed = pose_clip(character.skeleton, clip)
    tips = [posed[:, leg.limb.contact, 1, 3] for leg in body.legs]
    assert all((tip < posed[:, 0, 1, 3]).all() for tip in tips)
    ahead = posed[:, body.head, :3, 3] - posed[:, 0, :3, 3]
    assert np.abs(np.arctan2(ahead[:, 1], ahead[:, 0])).max() < 0.5
    assert {"fly", "flap", "gallop", "eat"} <= set(motions_for(known("dragon")[1]))


def test_motions_follow_from_anatomy():
    offers = {family: set(motions_for(known(family)[1])) for family in (*LEGGED, "snake", "centaur", *FINNED)}
    assert {"punch", "wave", "gallop"} <= offers["centaur"]
    assert not {"eat", "bite"} & offers["centaur"]
    assert offers["snake"] == {"slither", "idle", "turn left", "turn right", "bite", "coil", "strike"}
    assert all(offers[f] == {"swim", "idle", "turn left", "turn right", "jump", "bite", "breach"} for f in FINNED)
    assert {"trot", "gallop", "eat"} <= offers["fox"]
    assert "run" not in offers["fox"]
    assert {"punch", "wave", "run"} <= offers["human"]
    assert not {"eat", "bite", "fly"} & offers["human"]
    assert {"fly", "flap", "peck"} <= offers["songbird"]
    assert "kick" not in offers["spider"]
    with pytest.raises(ConfigError, match="cannot be made"):
        make_motion(*known("fox")[:2], "walk", seconds=0.0)


def test_footfall_tables():
    assert patterns.flights(patterns.LATERAL_WALK) == []
    assert len(patterns.flights(patterns.ROTARY_GALLOP)) == 2
    assert len(patterns.flights(patterns.TRANSVERSE_GALLOP)) == 1
    assert len(patterns.flights(patterns.TROT)) == 2
    tetrapod = patterns.walk_footfall(4)
    sets = [round(2 * tetrapod.touchdown(p, left)) % 2 for p in range(4) for left in (True, False)]
    assert sets == [0, 1, 1, 0, 0, 1, 1, 0], "neighbours and opposites step in turn"
    with pytest.raises(ConfigError):
        patterns.Footfall((0.0,), (0.5,), (1.4,))


@pytest.mark.parametrize("pairs", range(3, 16))
def test_many_legs_always_stand_on_enough_of_them(pairs):
    """In a walk at least three legs stand, on both sides; in a run no moment is without a foot on the ground."""
    phase = np.linspace(0.0, 1.0, 200, endpoint=False)
    for footfall, least in ((patterns.walk_footfall(pairs), 3), (patterns.run_footfall(pairs), 1)):
        stands = {
            left: sum(
                (patterns.leg_phase(phase, footfall.touchdown(p, left)) < footfall.duty_of(p, left)).astype(int)
                for p in range(pairs)
            )
            for left in (True, False)
        }
        assert (stands[True] + stands[False]).min() >= least
        assert patterns.flights(footfall) == []
        if least == 3:
            assert min(stands[True].min(), stands[False].min()) >= 1
            assert 0.6 <= footfall.duty[0] <= 0.75


def test_a_centipede_walks_in_a_wave_from_tail_to_head():
    plan, _, trace = stepped("centipede", "walk", cycles=3)
    count = plan.gait.footfall.pairs
    phases = {(foot.pair, foot.left): measures.landing_phase(foot, STEPS) for foot in trace.feet}
    for left in (True, False):
        lags = [(phases[p, left] - phases[p + 1, left]) % 1.0 for p in range(count - 1)]
        np.testing.assert_allclose(lags, patterns.wave_lag(count), atol=0.05)
    for pair in range(count):
        assert (phases[pair, False] - phases[pair, True]) % 1.0 == pytest.approx(0.5, abs=0.05)


def test_claws_are_held_up_while_a_crab_walks_and_reach_out_when_it_strikes():
    character, anatomy, body = known("crab")
    assert {"punch", "wave", "bite", "run"} <= set(motions_for(anatomy))
    reaches = {}
    for motion in ("walk", "punch"):
        clip = move_body(body, motion, MotionStyle(), seconds=2.0, fps=30.0)
        T = pose_clip(character.skeleton, clip)
        spans = []
        for arm in anatomy.of(BodyPart.ARM):
            shoulder, tip = T[:, arm.bones[0], :3, 3], T[:, arm.bones[-1], :3, 3]
            spans.append(float(np.ptp(np.linalg.norm(tip - shoulder, axis=1))))
            assert tip[:, 1].min() > 0.04 * character.size
        reaches[motion] = max(spans) / body.leg_length
    assert reaches["walk"] < 0.02
    assert reaches["punch"] > 0.1


def test_limbs_reach_exactly_and_never_bend_backwards():
    generator = np.random.default_rng(0)
    for family in ("fox", "human", "spider", "trex"):
        for leg in known(family)[2].legs:
            limb = leg.chain
            directions = limb.joints[-1] - limb.joints[0] + 0.3 * limb.rest * generator.normal(size=(200, 3))
            directions /= np.linalg.norm(directions, axis=1, keepdims=True)
            low, high = EXACT_SHORT_REACH * limb.shortest, EXACT_REACH * limb.longest
            reach = directions * generator.uniform(low, high, (200, 1))
            turns = solve_limb(limb, reach)
            end = (turns[:, 0] @ limb_end(limb, turns[:, 1:])[..., None])[..., 0]
            np.testing.assert_allclose(end, reach, atol=2e-4 * limb.rest)
            bent = np.einsum("fkij,kj->fki", turns[:, 1:], limb.hinges) - limb.hinges
            assert np.abs(bent).max(initial=0.0) < 1e-9, "inner joints turn about their hinges only"
            angle = (rotation_vector(turns[:, 1:]) * limb.hinges).sum(-1)
            assert (angle >= -limb.bends - 1e-6).all(), "and never past straight"


def test_a_straight_leg_folds_its_knee_forwards():
    joints = np.array([[0.0, 1.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.0]])
    limb = folding_limb(joints, np.array([0.0, 0.0, -1.0]))
    turns = solve_limb(limb, np.array([[0.0, -0.7, 0.0]]))
    knee = turns[0, 0] @ (joints[1] - joints[0])
    assert knee[0] > 0.2
