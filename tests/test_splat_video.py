"""A whole film from a motion: gradients through camera, ground and splats, the two looks, memory, the command line."""

from dataclasses import replace
from functools import partial

import creatures_made_by_code as made
import numpy as np
import pytest
import torch
from character_made_by_code import two_bone_scene
from real_data import characters, needs_data
from scipy.ndimage import binary_erosion

from gambol.character.anatomy.anatomy import BodyPart, Side
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.cli.main import main
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import make_motion
from gambol.errors import AssetError, ConfigError, MissingPart
from gambol.files.asset import export_clip, export_scene, load
from gambol.motion.clip import rest_clip
from gambol.motion.kinematics import pose_clip
from gambol.render import splat_video
from gambol.render.actor import Actor, make_actor, outline_points, splat_centres
from gambol.render.contact_sheet import caption_strips
from gambol.render.follow_camera import (
    DEFAULT_FOLLOW,
    View,
    eye_offset,
    follow_camera_list,
    follow_camera_path,
    follow_cameras,
)
from gambol.render.ground.checkerboard import Checkerboard
from gambol.render.looks import CONTROL_SKY, Look, control_look
from gambol.render.memory_budget import parse_bytes, plan_frames, show_bytes
from gambol.render.mesh.rasterise import draw_mesh, prepare_mesh
from gambol.render.part_palette import LIMB_COLOURS, TRUNK_COLOURS, bone_colours
from gambol.render.raster import torch_reference
from gambol.render.raster.rasterise import rasterise_skinned
from gambol.render.splat_video import render_poses
from gambol.render.splats_from_mesh import splats_from_mesh
from gambol.render.video_file import read_film, write_film
from gambol.splats.skinned_splats import SkinnedSplats, deform
from gambol.view.posed_asset import pose_asset, posed_vertices

SIDE = View("side", 0.5, 0.35)


@pytest.fixture(scope="module")
def fox():
    character = make_creature("fox", 1, vertices=2000).character()
    anatomy = find_anatomy(character)
    return character, anatomy, make_motion(character, anatomy, "walk")


def few_splats(character, count, dtype=torch.float32):
    splats = splats_from_mesh(character, count)
    names = ("centres", "covariances", "opacities", "harmonics", "weights")
    return replace(splats, **{name: getattr(splats, name).to(dtype) for name in names})


# --- gradients -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("look", ["none", "real", "control"])
def test_root_travel_and_heading_have_the_gradients_of_finite_differences(fox, look, monkeypatch):
    """d(picture)/d(root x, z, yaw) through forward kinematics, camera, ground and splats; the goal is 2 %.

    The rasteriser leaves out alphas below 1/255 and sorts by depth: steps that no gradient can know of. So it runs as
    its twin in float64 without the threshold, and the step is too small for two splats to change places.
    """
    monkeypatch.setattr(torch_reference, "ALPHA_MIN", 1e-12)
    monkeypatch.setattr(torch_reference, "TRANSMITTANCE_MIN", 0.0)
    monkeypatch.setattr(splat_video, "rasterise_skinned", partial(rasterise_skinned, backend="torch"))
    character, anatomy, clip = fox
    actor = make_actor(character, few_splats(character, 60, torch.float64))
    root, angles = (torch.from_numpy(x[:12:4]).clone() for x in (clip.root, clip.angles))
    root[:, 1] += 0.3  # nothing below the ground: what is hidden is no part of the gradient either
    shown = {
        "none": Look(None, background=(0.2, 0.5, 0.9)),
        "real": Look(Checkerboard(shadow_strength=0.0)),
        "control": control_look(actor.splats, character.skeleton, anatomy, actor.size),
    }[look]
    offset = eye_offset(outline_points(actor, actor.pose(root, angles)), SIDE, 36, 36, config=DEFAULT_FOLLOW)
    weights = torch.randn(3, 3, 4, 4, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    weights = torch.nn.functional.interpolate(weights, size=(36, 36), mode="bicubic")

    def measure(moved):
        T = actor.pose(moved, angles)
        cameras = follow_cameras(outline_points(actor, T), SIDE, 36, 36, offset=offset)
        return (render_poses(actor, T, cameras, shown).rgb * weights).sum()

    tracked = root.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(measure(tracked), tracked)
    step = 1e-6
    with torch.no_grad():
        for axis in (0, 2, 3):
            slopes = []
            for frame in range(3):
                moved = torch.zeros_like(root)
                moved[frame, axis] = step
                slopes.append((measure(root + moved) - measure(root - moved)) / (2 * step))
            error = (gradient[:, axis] - torch.stack(slopes)).norm() / gradient[:, axis].norm()
            assert error < 0.005, f"axis {axis}"
            assert gradient[:, axis].norm() > 1.0


def test_the_film_has_the_gradient_of_its_twin(fox, monkeypatch):
    """What runs by default against the readable path, down to all numbers of the motion, shadow and all."""
    character, _, clip = fox
    actor = make_actor(character, few_splats(character, 300))
    numbers = [torch.tensor(x[:12:4], dtype=torch.float32, requires_grad=True) for x in (clip.root, clip.angles)]
    weights = torch.randn(3, 3, 33, 41, generator=torch.Generator().manual_seed(3))

    def gradients():
        T = actor.pose(*numbers)
        film = render_poses(actor, T, follow_cameras(outline_points(actor, T), SIDE, 41, 33), Look())
        return film.rgb.detach(), torch.autograd.grad((film.rgb * weights).sum(), numbers)

    rgb, found = gradients()
    monkeypatch.setattr(splat_video, "rasterise_skinned", partial(rasterise_skinned, backend="torch"))
    exact, wanted = gradients()
    assert (rgb - exact).abs().max() < 2e-5
    for a, b in zip(found, wanted, strict=True):
        assert (a - b).norm() < 1e-3 * b.norm()


# --- what is in the picture ----------------------------------------------------------------------------------------


def one_splat(place, *, radius=0.1):
    return SkinnedSplats(
        torch.tensor([place]),
        radius**2 * torch.eye(3)[None],
        torch.tensor([0.9]),
        torch.zeros(1, 1, 3),
        torch.zeros(1, 1, dtype=torch.int64),
        torch.ones(1, 1),
        1,
    )


def test_splats_stand_before_the_ground_and_hide_below_it():
    still = torch.eye(4)[None, None]
    pictures = {}
    for height in (0.3, -0.05):
        actor = Actor(one_splat((0.0, height, 0.0)), None, 1.0)
        cameras = follow_cameras(torch.tensor([[[-1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]]), SIDE, 32, 32)
        pictures[height] = render_poses(actor, still, cameras, Look(Checkerboard(shadow_strength=0.0)))
    ground = pictures[-0.05].rgb
    assert pictures[-0.05].alpha.max() == 0
    seen = pictures[0.3]
    cover = seen.alpha[:, None]
    assert cover.max() > 0.8
    torch.testing.assert_close(seen.rgb, cover * 0.5 + (1 - cover) * ground)  # harmonics of 0 are mid-grey
    bare = render_poses(
        Actor(one_splat((0.0, -0.05, 0.0)), None, 1.0), still, cameras, Look(None, background=(1, 0, 0))
    )
    assert bare.alpha.max() > 0.8, "without a ground nothing is below it"
    assert bare.rgb[0, :, 0, 0].tolist() == [1, 0, 0]


def test_a_shadow_lies_under_the_splats_and_nowhere_else():
    cameras = follow_cameras(torch.tensor([[[-1.0, 0.0, -1.0], [1.0, 1.0, 1.0]]]), View("", 0.0, 1.2), 48, 48)
    actor = Actor(one_splat((0.0, 0.02, 0.0), radius=0.05), None, 1.0)
    plain, shaded = (
        render_poses(actor, torch.eye(4)[None, None], cameras, Look(Checkerboard(haze=0.0, shadow_strength=s))).rgb[0]
        for s in (0.0, 0.7)
    )
    darker = (plain - shaded).mean(0)
    assert darker.max() > 0.05
    assert darker.min() >= -1e-6
    assert (darker > 1e-3).float().mean() < 0.1


def test_the_outline_reaches_as_far_as_the_splats(fox):
    character, _, clip = fox
    actor = make_actor(character, few_splats(character, 3000))
    T = actor.pose_clip(clip)
    few, all_of_them = outline_points(actor, T), splat_centres(actor.splats, T)
    assert len(actor.outline) < 600
    for reach in (torch.amin, torch.amax):
        assert (reach(few, 1) - reach(all_of_them, 1)).abs().max() < 0.02 * actor.size
    torch.testing.assert_close(all_of_them, deform(actor.splats, T)[0], atol=1e-5, rtol=1e-5)
    exact = pose_clip(character.skeleton, clip) @ np.linalg.inv(character.skeleton.T_world_rest)
    np.testing.assert_allclose(T, exact, atol=1e-5)


def test_a_film_does_not_depend_on_the_memory_it_may_use(fox):
    character, _, clip = fox
    actor = make_actor(character, few_splats(character, 200))
    T = actor.pose_clip(replace(clip, root=clip.root[:7], angles=clip.angles[:7]))
    cameras = follow_cameras(outline_points(actor, T), SIDE, 24, 20)
    whole = render_poses(actor, T, cameras, Look())
    each = plan_frames(7, 24, 20, 200, 10**9).frame_bytes
    parts = plan_frames(7, 24, 20, 200, 2 * each).chunks()
    pieces = [render_poses(actor, T[part], cameras.subset(part), Look()) for part in parts]
    assert whole.rgb.shape == (7, 3, 20, 24)
    for name in ("rgb", "alpha", "depth"):
        joined = torch.cat([getattr(piece, name) for piece in pieces])
        torch.testing.assert_close(getattr(whole, name), joined, rtol=0, atol=1e-6)
    with pytest.raises(ConfigError, match="Give more"):
        plan_frames(7, 24, 20, 200, each - 1)


def test_splats_of_another_skeleton_are_refused(fox):
    character, _, clip = fox
    with pytest.raises(AssetError, match="1 bones, but the skeleton has"):
        Actor(one_splat((0.0, 0.0, 0.0)), character.skeleton, 1.0)
    with pytest.raises(MissingPart, match="no skeleton"):
        Actor(one_splat((0.0, 0.0, 0.0)), None, 1.0).pose_clip(clip)
    with pytest.raises(AssetError, match="no splats"):
        Actor(few_splats(character, 10).subset(torch.zeros(0, dtype=torch.int64)), character.skeleton, 1.0)


# --- looks ---------------------------------------------------------------------------------------------------------


def test_no_two_colours_of_the_palette_are_alike():
    hind = [colour for pairs in LIMB_COLOURS.values() for colour in pairs[0]]
    fore = [*LIMB_COLOURS[BodyPart.LEG][1]]
    colours = np.array([*TRUNK_COLOURS.values(), *hind, *fore])
    gaps = np.linalg.norm(colours[:, None] - colours[None], axis=-1)
    assert gaps[~np.eye(len(colours), dtype=bool)].min() > 0.2
    for pairs in LIMB_COLOURS.values():
        for left, right in pairs:
            assert np.linalg.norm(np.subtract(left, right)) > 0.3


@pytest.mark.parametrize("plan", [made.quadruped, made.human])
def test_bones_are_coloured_by_part_side_and_pair(plan):
    character, _ = made.build(plan(), boxes=True)
    anatomy = find_anatomy(character)
    colours = bone_colours(anatomy, character.skeleton)
    for limb in anatomy.legs:
        hind = limb.pair == max(leg.pair for leg in anatomy.legs)
        wanted = LIMB_COLOURS[BodyPart.LEG][0 if hind else 1][0 if limb.side == Side.LEFT else 1]
        np.testing.assert_allclose(colours[list(limb.bones)], np.tile(wanted, (len(limb.bones), 1)))


def test_the_control_render_knows_parts_and_no_appearance(fox):
    character, anatomy, _ = fox
    splats = few_splats(character, 400)
    look = control_look(splats, character.skeleton, anatomy, character.size)
    palette = bone_colours(anatomy, character.skeleton)
    np.testing.assert_allclose(look.colours, splats.skin.dense() @ palette, atol=1e-6)
    repainted = replace(splats, harmonics=torch.rand_like(splats.harmonics))
    films = []
    for own in (splats, repainted):
        actor = make_actor(character, own)
        T = actor.pose_clip(rest_clip(character.skeleton, 1, 24.0))
        cameras = follow_cameras(outline_points(actor, T), View("", 0.5, 0.1), 40, 30)
        films.append(render_poses(actor, T, cameras, control_look(own, character.skeleton, anatomy, actor.size)).rgb)
    assert torch.equal(*films)
    assert films[0][0, :, 0, 0].tolist() == pytest.approx(CONTROL_SKY, abs=1e-4)


# --- memory and files ----------------------------------------------------------------------------------------------


def test_amounts_of_memory_are_read_and_shown():
    assert [parse_bytes(t) for t in ("2GB", "500 mb", "1.5G", "64KiB", "1000")] == [
        2 * 10**9,
        500 * 10**6,
        1_500_000_000,
        64_000,
        1000,
    ]
    assert [show_bytes(n) for n in (2 * 10**9, 1_230_000, 5000)] == ["2 GB", "1.23 MB", "5 KB"]
    for wrong in ("", "lots", "-1GB", "0", "2 PB"):
        with pytest.raises(ConfigError, match="2GB or 500MB"):
            parse_bytes(wrong)


def test_plans_cover_every_frame_once_within_the_budget():
    plan = plan_frames(103, 64, 48, 1000, 10**7, resident=10**6)
    frames = [i for part in plan.chunks() for i in range(part.start, part.stop)]
    assert frames == list(range(103))
    assert plan.peak_bytes <= 10**7 < plan.peak_bytes + plan.frame_bytes
    assert plan.with_max_chunk(2).chunk == 2


def test_films_are_written_piece_by_piece(tmp_path):
    frames = np.zeros((7, 33, 47, 3), np.uint8)
    frames[:, :, :, 0] = 30 * np.arange(7)[:, None, None]
    for name in ("a.mp4", "a.gif"):
        write_film(tmp_path / name, iter([frames[:3], frames[3:4], frames[4:]]), 20.0)
        back, _ = read_film(tmp_path / name)
        assert len(back) == 7
        assert np.abs(back[:, :33, :47].astype(int) - frames).mean() < 6
    with pytest.raises(ConfigError, match="at least one frame"):
        write_film(tmp_path / "none.mp4", iter([]), 20.0)
    with pytest.raises(ConfigError, match="one size"):
        write_film(tmp_path / "none.mp4", iter([frames, frames[:, :20]]), 20.0)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.gif", "a.mp4"]


@needs_data
def test_the_wolf_walks_on_the_ground_without_holes_before_a_steady_camera():
    asset = load(characters("quaternius/Wolf.glb")[0])
    poses = pose_asset(asset, "Walk", 30.0, restore_travel=True)
    actor = make_actor(asset.character, splats_from_mesh(asset.character, 20_000))
    T = torch.as_tensor(poses.T_world_rest, dtype=torch.float32)
    lowest = splat_centres(actor.splats, T, (1,)).amin((1, 2)) / actor.size
    assert lowest.abs().max() < 0.002, "some foot stands on the ground in every frame"
    points = outline_points(actor, T)
    along = follow_camera_path(points, DEFAULT_FOLLOW)[:, 0].numpy() / actor.size
    steady = np.polyval(np.polyfit(poses.times, along, 1), poses.times)
    assert along[-1] - along[0] > 0.4, "it gets on"
    assert np.abs(along - steady).max() < 0.001
    vertices, surface = posed_vertices(asset.character, poses), prepare_mesh(asset.character.mesh)
    view = View("", 0.6, 0.2)
    meshes, cameras = (
        follow_camera_list(vertices, view, 128, 96),
        follow_cameras(torch.from_numpy(vertices).float(), view, 128, 96),
    )
    for frame in range(0, len(poses), 8):
        inside = binary_erosion(draw_mesh(surface, vertices[frame], meshes[frame]).alpha > 0.99, iterations=2)
        seen = render_poses(actor, T[frame : frame + 1], cameras.subset(slice(frame, frame + 1)), Look(None))
        assert inside.sum() > 300
        assert (seen.alpha[0].numpy()[inside] < 0.9).mean() < 0.003, "no holes"


@pytest.fixture
def column(tmp_path):
    """A small character with two clips, one longer than the other."""
    asset = load(export_scene(two_bone_scene(), (), tmp_path / "plain.glb"))
    for name, frames in (("Bend", 6), ("Nod", 3)):
        clip = rest_clip(asset.character.skeleton, frames, 30.0, name=name)
        clip.angles[:, 0, 0] = np.linspace(0.0, 0.9, frames)
        asset = load(export_clip(asset, clip, tmp_path / f"column-{name}.glb"))
    return asset.path.rename(tmp_path / "column.glb")


SMALL = ("--width", "33", "--height", "47", "--splats", "150", "--views", "side")


@pytest.mark.parametrize("style", ["mesh", "splats", "control", "skeleton"])
def test_every_style_makes_sheets_and_films(column, tmp_path, style, capsys):
    for name in ("sheet.png", "film.mp4"):
        words = ["render", str(column), "--clip", "Bend", "--style", style, "-o", str(tmp_path / name), *SMALL]
        assert main(words) == 0
        assert "of memory" in capsys.readouterr().err
    frames, _ = read_film(tmp_path / "film.mp4")
    assert frames.shape == (6, 48, 34, 3), "odd sides are padded"
    assert np.abs(frames[0].astype(int) - frames[-1]).max() > 60, "it bends"


def test_clips_stand_side_by_side_with_labels(column, tmp_path):
    words = ["render", str(column), "--clip", "Bend", "Nod", "--style", "splats", "-o", str(tmp_path / "x.mp4"), *SMALL]
    assert main(words) == 0
    frames, _ = read_film(tmp_path / "x.mp4")
    strip = len(caption_strips(("Bend", "Nod"), 33)[0])
    even = (47 + strip + 8 + 1) // 2 * 2
    assert frames.shape[:3] == (6, even, 78), "two panes of 33 x 47 with captions and gaps of 4"
    right = frames[:, 4:51, 41:74].astype(int)
    assert np.abs(right[2] - right[5]).mean() < 2, "the shorter clip holds its last frame"
    assert np.abs(right[0] - right[2]).mean() > 5
    assert frames[:, 52 : 51 + strip, 4:37].min() < 100, "the caption is there"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--clip", "Bend", "Fly", "-o", "x.mp4"], "no clip 'Fly'"),
        (["--style", "splats", "-o", "x.mp4"], "needs a clip"),
        (["--style", "splats", "--splats", "0", "-o", "x.png"], "0 splats"),
        (["--memory", "much", "-o", "x.png"], "2GB or 500MB"),
        (["--memory", "1KB", "-o", "x.png"], "Give more"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_a_sentence(column, words, told, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert main(["render", str(column), *words]) == 2
    assert told in " ".join(capsys.readouterr().err.split())


def test_a_bare_rig_is_drawn_as_bones_and_a_bare_mesh_as_splats(tmp_path, capsys):
    bvh = tmp_path / "rig.bvh"
    asset = load(export_scene(two_bone_scene(), (), tmp_path / "plain.glb"))
    export_clip(asset, rest_clip(asset.character.skeleton, 3, 30.0, name="Still"), bvh)
    out = ["-o", str(tmp_path / "x.png"), *SMALL]
    assert main(["render", str(bvh), "--style", "skeleton", *out]) == 0
    assert main(["render", str(bvh), "--style", "splats", *out]) == 2
    mesh = tmp_path / "mesh.obj"
    mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    assert main(["render", str(mesh), "--style", "splats", *out]) == 0
    assert main(["render", str(mesh), "--style", "control", *out]) == 2
    assert "no skeleton" in capsys.readouterr().err
