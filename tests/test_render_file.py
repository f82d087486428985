"""One Python call renders what the command line does: a file, a loaded asset, or a clip that was never saved."""

import numpy as np
import pytest
from character_made_by_code import two_bone_scene

from gambol.app.render import render_file
from gambol.errors import ConfigError, MissingPart
from gambol.files.asset import export_scene, load
from gambol.motion.clip import rest_clip
from gambol.render.video_file import read_film

SMALL = {"width": 32, "height": 48, "views": "side"}


@pytest.fixture
def asset(tmp_path):
    return load(export_scene(two_bone_scene(), (), tmp_path / "column.glb"))


@pytest.fixture
def bend(asset):
    clip = rest_clip(asset.character.skeleton, 5, 10.0)
    clip.angles[:, 0, 0] = np.linspace(0.0, 1.0, 5)
    return clip


def test_a_file_an_asset_and_a_new_clip_can_be_rendered(asset, bend, tmp_path):
    announced = []
    film = render_file(asset, tmp_path / "new" / "bend.mp4", clips=bend, fps=10.0, announce=announced.append, **SMALL)
    frames, fps = read_film(film)
    assert frames.shape == (5, 48, 32, 3)
    assert fps == pytest.approx(10.0)
    assert np.abs(frames[0].astype(int) - frames[-1]).max() > 60, "it bends"
    assert len(announced) == 1
    sheets = [render_file(source, tmp_path / f"{i}.png", **SMALL) for i, source in enumerate((asset.path, asset))]
    assert sheets[0].read_bytes() == sheets[1].read_bytes()
    assert render_file(asset, str(tmp_path / "pair.png"), clips=[bend, bend], columns=2, **SMALL).is_file()


def test_what_cannot_be_rendered_is_refused(asset, bend, tmp_path):
    for output, options, error, says in (
        ("x.avi", {"clips": bend}, ConfigError, "films"),
        ("x.mp4", {}, MissingPart, "needs a clip"),
        ("x.mp4", {"clips": 3}, MissingPart, "no clips"),
        ("x.png", {"style": "clay"}, ConfigError, "The style is clay"),
        ("x.png", {"views": "below"}, ConfigError, "three-quarter"),
        ("x.png", {"memory": "much"}, ConfigError, "2GB"),
        ("x.png", {"scale": 2.0}, ConfigError, "gambol.load"),
    ):
        with pytest.raises(error, match=says):
            render_file(asset, tmp_path / output, **{"width": 32, "height": 48, **options})
    assert sorted(p.name for p in tmp_path.iterdir()) == ["column.glb"]
