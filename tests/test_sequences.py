"""Sequences and loops: actions of a sentence, joined clips, exact cycles, lengths, and what engines are told."""

import json
from dataclasses import replace

import numpy as np
import pytest
from distillation_setup import subject_of
from scipy.spatial.transform import Rotation
from tiny_embedded_prior import text_of, tiny_knowledge, tiny_network, tiny_prior

import gambol
from gambol.app.animate import animate_file
from gambol.app.animate_character import animate_character
from gambol.app.animate_request import AnimateFileRequest, AnimateOutputs, AnimateRequest
from gambol.app.planned_segments import PlannedSegment, check_loop, share_seconds
from gambol.app.segment import Segment
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import make_motion
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.parameter_ranges import ranges_of
from gambol.diffusion.video_prior import MotionLength
from gambol.distill.problem import MotionConfig, loop_length, with_length
from gambol.distill.video_fit import VideoFit
from gambol.errors import ConfigError
from gambol.files.asset import export_scene, load
from gambol.files.gltf.append_clip import write_document
from gambol.files.gltf.container import read_document
from gambol.motion.blend_poses import blend_angles, nearest_angles
from gambol.motion.clip import Clip, joint_matrices
from gambol.motion.close_cycle import close_cycle, repeat_loop
from gambol.motion.feet.contacts import Stances
from gambol.motion.join_clips import Piece, hold_ends, join_pieces
from gambol.motion.node_clip_conversion import clip_from_nodes, nodes_from_clip, root_carrier
from gambol.motion.rotations import rotation_angle
from gambol.priors.embedded.prior import REPEATING_SECONDS, EmbeddedPrior
from gambol.priors.embedded.style import STYLE_NUMBER_AXES, TEMPO_HALF_RANGE, check_style_axes, style_deviations
from gambol.priors.embedded.text.sequence import bridge, read_sequence

WORDS = ("walk", "jump", "run", "sit down", "turn left")


def reading_prior():
    """A tiny prior that reads the motion from the last words of a sentence."""

    def read(sentence):
        return text_of(next((word for word in WORDS if sentence.endswith(word)), "walk"))

    return EmbeddedPrior(tiny_network(), tiny_knowledge(), read_text=read)


@pytest.fixture(scope="module")
def fox(tmp_path_factory):
    path = tmp_path_factory.mktemp("fox") / "fox.glb"
    return load(export_scene(make_creature("fox", 3, vertices=400).scene, (), path))


FAST = {"method": VideoFit(steps=3, calls=1), "splats": 200}
"""A fit of three steps."""


@pytest.mark.parametrize(
    ("sentence", "actions"),
    [
        ("a fox walks", ["a fox walks"]),
        (
            "a fox walks, then jumps, then turns left and walks away",
            ["a fox walks", "a fox jumps", "a fox turns left", "a fox walks away"],
        ),
        ("a fox walks and turns left", ["a fox walks and turns left"]),
        ("a horse trots and kicks", ["a horse trots and kicks"]),
        ("a man turns around and runs away", ["a man turns around", "a man runs away"]),
        ("a person waves, then bows", ["a person waves", "a person bows"]),
        ("a small red fox walks and then runs", ["a small red fox walks", "a small red fox runs"]),
        ("a woman walks slowly, then she bows deeply", ["a woman walks slowly", "a woman bows deeply"]),
        ("a wolf howls after running", ["a wolf is running", "a wolf howls"]),
        ("after running, a wolf howls", ["a wolf is running", "a wolf howls"]),
        ("before jumping, a horse trots", ["a horse trots", "a horse is jumping"]),
        ("a man walks before dancing", ["a man walks", "a man is dancing"]),
        ("a knight marches, swings his sword, and then dances", ["a knight marches", "a knight swings his sword",
                                                                  "a knight dances"]),
        ("a dog sits down and then barks", ["a dog sits down", "(a dog stands up)", "a dog barks"]),
        ("a dog lies down, afterwards it runs", ["a dog lies down", "(a dog gets up)", "a dog runs"]),
        ("a bird walks, then flies, then walks", ["a bird walks", "(a bird takes off)", "a bird flies",
                                                   "(a bird lands)", "a bird walks"]),
        ("a fox runs, fast and happy", ["a fox runs, fast and happy"]),
        ("a fox now and then jumps", ["a fox now and then jumps"]),
        ("a person walks to the door, then opens it", ["a person walks to the door, then opens it"]),
        ("an old man walks with a stick, tired and sad", ["an old man walks with a stick, tired and sad"]),
    ],
)  # fmt: skip
def test_a_sentence_is_read_as_its_actions(sentence, actions):
    read = read_sequence([sentence])
    assert [a.prompt if a.source is not None else f"({a.prompt})" for a in read] == actions


def test_several_sentences_carry_the_subject_over():
    read = read_sequence(["a fox walks", "jumps", "the wolf runs"])
    assert [(a.prompt, a.source) for a in read] == [("a fox walks", 0), ("a fox jumps", 1), ("the wolf runs", 2)]


def test_who_lies_gets_up_and_who_stands_up_needs_nothing_in_between():
    assert bridge("lie down", "walk") == "gets up"
    assert bridge("lie down", "get up") == bridge("sit down", "lie down") == bridge("walk", "run") == ""
    assert bridge("fly", "walk") == "lands"
    assert bridge("fly", "land") == bridge("glide", "fly") == ""


def test_a_blend_of_rotations_goes_the_shortest_way_and_keeps_its_branch():
    generator = np.random.default_rng(0)
    first, second = generator.uniform(-1.2, 1.2, (2, 7, 4, 3))
    share = np.linspace(0.0, 1.0, 7)
    blended = blend_angles(first, second, share)
    R, S, T = (matrices(x) for x in (first, second, blended))
    whole = rotation_angle(np.swapaxes(R, -1, -2) @ S)
    assert rotation_angle(np.swapaxes(R, -1, -2) @ T) == pytest.approx(share[:, None] * whole, abs=1e-9)
    assert rotation_angle(np.swapaxes(T, -1, -2) @ S) == pytest.approx((1 - share[:, None]) * whole, abs=1e-9)
    assert blended[0] == pytest.approx(first[0])
    assert blended[-1] == pytest.approx(second[-1])
    turned = first + 2 * np.pi * np.array([1, 0, -2])
    assert nearest_angles(R, turned) == pytest.approx(turned)


def matrices(angles):
    return Rotation.from_euler("XYZ", angles.reshape(-1, 3)).as_matrix().reshape(*angles.shape[:-1], 3, 3)


def circling(frames, fps=30.0, phase=0.0):
    """A body that goes round a circle and swings two joints."""
    t = np.arange(frames) / fps + phase
    root = np.zeros((frames, 6))
    root[:, 3] = 0.8 * t
    root[:, 0], root[:, 2] = np.sin(0.8 * t), np.cos(0.8 * t) - 1.0
    angles = np.stack([0.5 * np.sin(6.0 * t + k)[:, None] * np.array([1.0, 0.4, -0.7]) for k in range(2)], axis=1)
    return Clip("circle", fps, root, angles)


def test_pieces_of_one_motion_are_joined_to_that_motion():
    """Two parts of a steady motion, the later one begun elsewhere: joined they are the whole motion again."""
    whole = circling(150)
    standing = np.arange(149)[None] // 10 % 2 == 0
    first = Piece(circling(100), Stances(standing[:, :99], np.zeros(1)), 0, 75)
    later = circling(90, phase=2.0)
    turned = later.root.copy()
    turned[:, 3] += 2.0 + 2 * np.pi
    c, s = np.cos(2.0), np.sin(2.0)
    turned[:, 0], turned[:, 2] = (
        c * later.root[:, 0] + s * later.root[:, 2] + 5,
        c * later.root[:, 2] - s * later.root[:, 0],
    )
    second = Piece(replace(later, root=turned), Stances(standing[:, 60:149], np.zeros(1)), 15, 89)
    joined = join_pieces([first, second], "both")
    assert len(joined.clip) == 150
    assert joined.clip.root == pytest.approx(whole.root, abs=1e-6)
    assert joined.clip.angles == pytest.approx(whole.angles, abs=1e-6)
    assert (joined.stances.standing == standing).all()
    assert abs(joined.cuts[0] - 75) <= 8


def test_clips_that_do_not_match_are_blended_without_a_jump():
    first, second = circling(90), circling(90, phase=0.37)
    second = replace(second, angles=second.angles + 0.4)
    joined = join_pieces([Piece(first, None, 0, 60), Piece(second, None, 25, 80)], "both").clip
    steps = rotation_angle(np.swapaxes(joint_matrices(joined)[:-1], -1, -2) @ joint_matrices(joined)[1:])
    own = rotation_angle(np.swapaxes(joint_matrices(first)[:-1], -1, -2) @ joint_matrices(first)[1:])
    assert steps.max() < 1.8 * own.max()
    assert np.linalg.norm(np.diff(joined.root[:, [0, 2]], axis=0), axis=1).max() < 1.5 * 0.8 / 30


def test_held_ends_come_to_rest():
    clip = circling(30)
    held, stances = hold_ends(clip, Stances(np.ones((1, 29), bool), np.zeros(1)), before=10, after=20)
    assert len(held) == 60
    assert stances.standing.shape == (1, 59)
    assert (held.angles[10:40] == clip.angles).all()
    speed = np.abs(np.diff(held.angles, axis=0)).max((1, 2))
    assert speed[-1] < 0.01 * speed.max()
    assert np.abs(np.diff(held.angles, 2, axis=0)).max() < 3.0 * np.abs(np.diff(clip.angles, 2, axis=0)).max()


def test_a_cycle_is_closed_with_its_velocities():
    """A periodic motion stays as it is; one whose cycles differ a little continues itself exactly."""
    period, frames = 24, np.arange(24 * 4 + 1)
    phase = 2 * np.pi * frames / period
    root = np.zeros((len(frames), 6))
    root[:, 0], root[:, 1] = 0.05 * frames, 0.1 * np.cos(2 * phase)
    angles = np.stack([np.sin(phase), np.cos(phase), 0.2 * np.sin(3 * phase)], axis=1)[:, None]
    clip = Clip("cycle", 30.0, root, angles)
    exact = close_cycle(clip, 2 * period, period)
    assert exact.angles == pytest.approx(angles[: period + 1], abs=1e-12)
    drifting = replace(clip, angles=angles * (1.0 + 0.002 * frames)[:, None, None])
    closed = close_cycle(drifting, 2 * period, period)
    assert (closed.angles[-1] == closed.angles[0]).all()
    twice = repeat_loop(closed, 2)
    around = slice(period - 3, period + 4)
    jumps = np.abs(np.diff(twice.angles, 3, axis=0)).max((1, 2))
    assert jumps[around].max() <= 1.2 * np.abs(np.diff(drifting.angles, 3, axis=0)).max()
    assert np.diff(twice.root[:, 0]) == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("motion", "cycle_share"), [("walk", None), ("jump", 1.0), ("sit down", 1.0)], ids=["walk", "jump", "sit down"]
)
def test_a_motion_has_its_own_length(fox, motion, cycle_share):
    """What repeats lasts 4 s, an action from the phase at which it starts to the end of its cycle."""
    found = animate_character(fox, reading_prior(), AnimateRequest(motion, **FAST))
    style, fps = found.problem.conditions[0].style, found.problem.observer.fps
    wanted = REPEATING_SECONDS if cycle_share is None else (1.0 - style.phase) / style.rate / fps
    assert found.clip.duration == pytest.approx(wanted, abs=0.5 / 30)
    assert gambol.animate(fox, motion, prior=reading_prior(), **FAST).duration == found.clip.duration


def test_the_length_of_a_window_is_that_of_priors_that_know_no_motion():
    config = MotionConfig(natural_length=True)
    assert with_length(config, MotionLength()).seconds is None
    assert with_length(config, MotionLength(2.0)).seconds == 2.0
    assert with_length(replace(config, seconds=9.0), MotionLength(2.0, repeats=False)).seconds == 9.0
    once = MotionLength(2.0, repeats=False, ends_elsewhere=True)
    assert with_length(replace(config, seconds=9.0), once).seconds == 2.0


def test_a_posture_is_taken_once_and_held(fox):
    clip = animate_character(fox, reading_prior(), AnimateRequest("sit down", seconds=4.0, **FAST)).clip
    assert clip.duration == pytest.approx(4.0, abs=0.5 / 30)
    assert np.abs(np.diff(clip.angles[-20:], axis=0)).max() < 1e-3


@pytest.mark.parametrize(
    ("seconds", "cycle", "frames"), [(None, 0.6, 45), (None, None, 48), (0.6, 0.6, 15), (2.0, 0.6, 50)]
)
def test_a_loop_has_whole_cycles(seconds, cycle, frames):
    config = MotionConfig(loop=True, seconds=seconds)
    assert loop_length(config, MotionLength(4.0, cycle), 48, 25.0) == frames


@pytest.mark.parametrize("seconds", [None, 0.7])
@pytest.mark.parametrize("method", [FAST["method"], "sds"], ids=["fit", "sds"])
def test_a_loop_goes_on_at_its_seam(fox, seconds, method):
    """Of one stride and of several; played twice, the seam is as smooth as the rest."""
    asked = AnimateRequest("walk", loop=True, seconds=seconds, method=method, steps=4, splats=200)
    found = animate_character(fox, reading_prior(), asked)
    clip, period = found.clip, len(found.clip) - 1
    assert (clip.angles[-1] == clip.angles[0]).all()
    assert (clip.root[-1, [1, 3, 4, 5]] == clip.root[0, [1, 3, 4, 5]]).all()
    twice = repeat_loop(clip, 2)
    bends = np.abs(np.diff(twice.angles, 2, axis=0)).mean((1, 2))
    assert bends[period - 1] <= bends[: period - 2].max() + 1e-9
    (told,) = [made.extras(1.0) for made in found.clips]
    strides = clip.duration / told["stride"]["seconds"]
    assert strides == pytest.approx(round(strides), abs=1e-3)


@pytest.mark.parametrize(
    ("motion", "why"),
    [("turn left", "another heading"), ("sit down", "another posture"), ("jump", "happens once"), ("walk", "")],
)
@pytest.mark.parametrize("asked", [{"loop": True}, {"exports": ("loop",)}], ids=["loop", "export"])
def test_what_cannot_loop_says_why(motion, why, asked):
    request = AnimateRequest("a fox moves", **asked)
    if not why:
        return check_loop(request, motion)
    with pytest.raises(ConfigError, match=why):
        check_loop(request, motion)


def test_a_sequence_shares_the_whole_length():
    segments = [PlannedSegment(name) for name in ("walk", "jump", "run")]
    gait, once = MotionLength(4.0), MotionLength(1.5, repeats=False)
    assert share_seconds(segments, [gait, once, gait], 2.0, None) == (4.0, 1.5, 4.0)
    assert share_seconds(segments, [gait, once, gait], 2.0, 10.0) == (4.25, 1.5, 4.25)
    own = [replace(segments[0], seconds=1.0), *segments[1:]]
    assert share_seconds(own, [gait, once, MotionLength()], 2.0, 10.0) == (1.0, 1.5, 7.5)
    assert share_seconds(segments[:2], [once, once], 2.0, 6.0) == (3.0, 3.0)
    with pytest.raises(ConfigError, match=r"the actions take 2\.5 s at least"):
        share_seconds(segments, [gait, once, gait], 2.0, 2.0)
    with pytest.raises(ConfigError, match="at most 60 s"):
        share_seconds(segments * 6, [gait] * 18, 2.0, None)


def test_style_numbers_are_those_of_the_procedural_motions():
    ranges = ranges_of(MotionStyle)
    for name, axis in STYLE_NUMBER_AXES.items():
        if name != "tempo":  # the prior's tempo is a factor of the natural rate
            assert (axis.low, axis.high, axis.natural) == (ranges[name].low, ranges[name].high, ranges[name].typical)
    assert STYLE_NUMBER_AXES["tempo"].deviation(1.0 + TEMPO_HALF_RANGE) == 1.0
    assert style_deviations({"head": -0.2}) == {"head": -0.5}


def test_style_numbers_change_what_the_prior_is_told(fox):
    plain, styled = (
        animate_character(fox, tiny_prior(), AnimateRequest("walk", seconds=1.0, style=style, **FAST)).problem
        for style in ({}, {"tempo": 0.8, "head": -0.2})
    )
    before, after = plain.conditions[0].style, styled.conditions[0].style
    assert after.rate == pytest.approx(0.8 * before.rate)
    changed = np.array(after.axes) - before.axes
    assert changed[6] == pytest.approx(-0.5)
    assert np.abs(np.delete(changed, 6)).max() < 1e-9


@pytest.mark.parametrize(
    ("style", "sentence"),
    [({"temp": 1.0}, "no axis 'temp'. Did you mean tempo?"), ({"head": 2.0}, "takes a number from -0.4 to 0.4")],
)
def test_a_style_that_there_is_not_is_refused(style, sentence):
    with pytest.raises(ConfigError) as told:
        check_style_axes(style)
    assert sentence in str(told.value)
    with pytest.raises(ConfigError, match="has no axes of style"):
        gambol.VideoPrior.check_style(style)


SEQUENCE = AnimateRequest(
    segments=(Segment("walk", 1.5), Segment("jump"), Segment("run", 1.0, {"head": 0.2}, 5)),
    method=VideoFit(steps=12, calls=1),
    splats=200,
)


def test_a_sequence_that_is_stopped_goes_on_to_the_same_bytes(fox, tmp_path):
    calm, stopped = tmp_path / "calm", tmp_path / "stopped"
    request = AnimateFileRequest(SEQUENCE, fox.path, outputs=AnimateOutputs(film=False))
    report = animate_file(request, calm, prior=reading_prior())
    assert report.animated.tasks == 3
    metrics = json.loads((calm / "metrics.json").read_text())
    spans = metrics["clips"][-1]["segments"]
    assert [span["name"] for span in spans] == ["walk", "jump", "run"]
    assert [run.problem.seed for run in report.animated.variants[0].runs] == [0, 0, 5]
    assert report.animated.clip.duration == pytest.approx(
        sum(run.segment.seconds for run in report.animated.variants[0].runs), abs=1.2
    )

    def stop(done, total, what):
        assert total == 36
        if done == 17:
            raise KeyboardInterrupt

    first = animate_file(request, stopped, prior=reading_prior(), progress=stop)
    assert first.animated.stopped
    assert load(stopped / "fox.glb").clips[-1].duration < report.animated.clip.duration
    animate_file(request, stopped, prior=reading_prior())
    for name in ("fox.glb", "log.jsonl", "metrics.json"):
        assert (stopped / name).read_bytes() == (calm / name).read_bytes()


def test_a_sequence_cannot_loop(fox):
    with pytest.raises(ConfigError, match="ends elsewhere than it begins"):
        replace(SEQUENCE, loop=True)


def test_variants_are_clips_of_one_file_with_speed_and_stride(fox, tmp_path):
    asked = AnimateRequest("walk", seconds=1.5, exports=("loop", "root-motion", "in-place"), **FAST)
    request = AnimateFileRequest(asked, fox.path, outputs=AnimateOutputs(film=False))
    report = animate_file(request, tmp_path, prior=reading_prior())
    written = load(report.model)
    assert [clip.name for clip in written.clips] == ["walk loop", "walk in place", "walk"]
    animations = written.document.json["animations"]
    told = [animation["extras"]["gambol"] for animation in animations]
    assert [one["variant"] for one in told] == ["loop", "in-place", "root-motion"]
    assert told[1]["speed"] == told[2]["speed"]
    for one in told:
        assert one["stride"]["metres"] == pytest.approx(one["speed"] * one["stride"]["seconds"], abs=1e-4)
    moving, still = (made.clip for made in reversed(report.animated.clips[1:]))
    assert (moving.angles == still.angles).all()
    gone, stayed = (np.linalg.norm(clip.root[-1, [0, 2]] - clip.root[0, [0, 2]]) for clip in (moving, still))
    assert stayed < min(1e-4, gone), "what is in place ends where it began"


def in_armature(fox, path):
    """The fox below an armature node that is turned and scaled, as exporters write it."""
    document = read_document(fox.path)
    grown = json.loads(json.dumps(document.json))
    scene = grown["scenes"][grown.get("scene", 0)]
    turn = [0.0, float(np.sin(0.4)), 0.0, float(np.cos(0.4))]
    grown["nodes"].append({"name": "Armature", "children": scene["nodes"], "rotation": turn, "scale": [2.0, 2.0, 2.0]})
    scene["nodes"] = [len(grown["nodes"]) - 1]
    write_document(replace(document, json=grown), path, beside=path)
    return load(path)


def test_the_root_carries_travel_and_heading_and_no_bone_moves(fox, tmp_path):
    """The hips keep height, roll and pitch; what the armature does is the smooth path over the ground alone."""
    asset = in_armature(fox, tmp_path / "armature.glb")
    character = asset.character
    nodes, armature = character.scene.nodes, root_carrier(character)
    assert nodes.names[armature] == "Armature"
    clip = replace(circling(60), angles=np.zeros((60, len(character.require_skeleton()) - 1, 3)))
    clip.root[:, 1], clip.root[:, 4] = 0.1 * np.sin(clip.times * 9), 0.2 * np.sin(clip.times * 7)
    on_hips, on_root = (nodes_from_clip(character, clip, root_bone=bone) for bone in ("hips", "root"))
    moved = [made.sample(nodes, clip.times) for made in (on_hips, on_root)]
    bones = character.binding.bone_nodes
    assert moved[1][:, bones] == pytest.approx(moved[0][:, bones], abs=1e-9)
    assert (moved[0][:, armature] == moved[0][0, armature]).all()
    travel = character.placement.T_world_file @ moved[1][:, armature] @ np.linalg.inv(moved[1][0, armature])
    assert np.ptp(moved[1][:, armature, 1, 3]) == pytest.approx(0.0, abs=1e-12)
    assert np.ptp(travel[:, 0, 3]) > 0.5
    local = {c.path: c for c in on_root.channels if c.node == int(bones[0])}["translation"].sample(clip.times)
    assert np.ptp(local, axis=0)[[0, 2]].max() < 0.2 * np.ptp(travel[:, 0, 3])
    saved = load(gambol.save(asset, clip, tmp_path / "saved.glb", root_bone="root"))
    assert clip_from_nodes(saved.character, saved.clips[-1])[0].root == pytest.approx(clip.root, abs=1e-4)
    assert root_carrier(fox.character) is None  # its hips are the file's root


def test_segments_have_their_own_conditions_under_score_distillation(fox):
    """A long clip, a loop and segments with a prior whose score is exact, in front of the checkerboard."""
    from gambol.diffusion.video_prior import VideoFormat
    from gambol.priors.library.clip_library import clip_library_prior

    subject = subject_of()
    fps = 8.0
    clips = {
        motion: replace(
            make_motion(subject.character, subject.anatomy, motion, seconds=5 / fps, fps=fps, loop=False), name=motion
        )
        for motion in ("walk", "jump")
    }
    prior = clip_library_prior(subject, clips, VideoFormat(5, 16, 16, fps), observer=gambol.ObserverConfig(splats=200))
    asked = AnimateRequest(
        segments=(Segment("walk", 1.0), Segment("jump", 1.0)), method="sds", steps=2, splats=200, preset="draft"
    )
    found = animate_character(fox, prior, asked)
    runs = found.variants[0].runs
    assert [run.problem.conditions[0][0].count_nonzero().item() for run in runs] == [1, 1]
    assert not (runs[0].problem.conditions[0][0] == runs[1].problem.conditions[0][0]).all()
    assert found.clip.duration == pytest.approx(2.0, abs=0.6)
    loop = animate_character(
        fox, prior, AnimateRequest("walk", loop=True, seconds=0.75, method="sds", steps=2, preset="draft")
    )
    assert loop.problem.parameters.frames == 6
    assert (loop.clip.angles[0] == loop.clip.angles[-1]).all()


def test_constraints_go_with_score_distillation_long_clips_and_loops(fox):
    """A prior whose score is exact: a clip of three windows and a periodic one, each with a pinned head.

    While optimising the pin is a loss, which goes down; the finished clip meets it.
    """
    from gambol.diffusion.video_prior import VideoFormat
    from gambol.motion.kinematics import pose_clip
    from gambol.priors.library.clip_library import clip_library_prior

    subject, fps = subject_of(), 8.0
    walk = make_motion(subject.character, subject.anatomy, "walk", seconds=5 / fps, fps=fps, loop=False)
    prior = clip_library_prior(
        subject, {"walk": walk}, VideoFormat(5, 16, 16, fps), observer=gambol.ObserverConfig(splats=200)
    )
    skeleton, size = fox.character.require_skeleton(), fox.character.size
    head = skeleton.names.index("Head")
    place = tuple((skeleton.heads[head] + (0.0, -0.05 * size, 0.05 * size)).tolist())
    pin = gambol.Pin("Head", place, interval=(0.1, 0.4))
    common = {"method": "sds", "preset": "draft", "splats": 200, "constraints": (pin,)}
    for asked in (
        AnimateRequest("walk", seconds=1.5, steps=12, **common),
        AnimateRequest("walk", loop=True, seconds=0.75, steps=12, in_place=True, **common),
    ):
        lines = []
        found = animate_character(fox, prior, asked, progress=lambda done, total, what, told=lines: told.append(what))
        assert found.problem.parameters.frames > prior.format.frames
        (loss,) = [one for one in found.problem.losses if one.name == pin.name]
        start, end = (
            float(loss(found.problem.loss_motion(motion, found.problem.body.actor.pose(*motion))))
            for motion in (
                found.problem.parameters.motion(found.problem.parameters.zeros()),
                found.problem.parameters.motion(found.variants[0].state.coefficients),
            )
        )
        assert end < start
        T = pose_clip(skeleton, found.clip)
        off = np.linalg.norm(T[3:13, head, :3, 3] - place, axis=1)
        assert off.max() < 0.01 * size
        if asked.loop:
            assert (found.clip.angles[0] == found.clip.angles[-1]).all()
