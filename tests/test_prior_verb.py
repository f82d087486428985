"""`gambol prior`: info about sentences, samples as films, and a training from nothing to weights."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from tiny_embedded_prior import TINY, write_tiny_prior

from gambol.app.new import write_creature
from gambol.app.sample_prior import write_prior_sample
from gambol.cli.main import main
from gambol.motion.motion_names import MOTIONS
from gambol.priors.embedded.part_film import FRAMES
from gambol.priors.embedded.part_labels import PART_LABELS
from gambol.priors.embedded.part_pictures import PICTURE_SIDE
from gambol.priors.embedded.prior import WEIGHTS, load_embedded, read_facts
from gambol.priors.embedded.text.word_pieces import TEXT_WEIGHTS
from gambol.render.video_file import read_film
from gambol.training.embedded.file_clips import labelled_clips
from gambol.training.embedded.recipe import PriorRecipe, train_embedded_prior
from gambol.training.embedded.train import FilmTraining

needs_text_encoder = pytest.mark.skipif(not TEXT_WEIGHTS.is_file(), reason="there is no text encoder")
needs_prior_weights = pytest.mark.skipif(not WEIGHTS.is_file(), reason="there are no shipped weights")


@needs_text_encoder
def test_info_says_which_words_were_used(capsys):
    assert main(["prior", "info", "the knight sprints across a field"]) == 0
    said = capsys.readouterr().out
    assert said.startswith('Understood as run (99 %) from "sprints"; ignored: "across a field".')
    assert "knight" in said


@needs_text_encoder
def test_for_an_unknown_request_info_names_the_motion_that_is_used(capsys):
    assert main(["prior", "info", "the stock market is open on monday"]) == 0
    assert "none of the motions" in capsys.readouterr().out
    assert main(["prior", "info", "   "]) == 0
    assert "empty" in capsys.readouterr().out


@needs_prior_weights
def test_the_card_says_what_the_prior_is_not(capsys):
    assert main(["prior", "info"]) == 0
    said = capsys.readouterr().out
    assert "not an open-domain video model" in said
    assert f"{FRAMES} frames of up to {len(PART_LABELS)} parts" in said
    assert all(motion in said for motion in MOTIONS)


@needs_prior_weights
def test_a_sample_is_a_film_of_the_body_s_parts(tmp_path, capsys):
    assert main(["prior", "sample", "a fox is running", "-o", str(tmp_path / "fox.mp4")]) == 0
    assert f"wrote {tmp_path / 'fox.mp4'}" in capsys.readouterr().out.replace("\n", "")
    frames, rate = read_film(tmp_path / "fox.mp4")
    assert frames.shape == (FRAMES, PICTURE_SIDE, 2 * PICTURE_SIDE, 3)
    assert 15 < rate < 40
    assert np.abs(np.diff(frames.astype(int), axis=0)).mean() > 0.5, "it moves"


def test_a_sample_of_a_character_s_own_weights_is_a_sheet(tmp_path):
    fox = write_creature("fox", tmp_path / "fox.glb", seed=3)
    weights = write_tiny_prior(tmp_path / "tiny.safetensors")
    sheet = tmp_path / "fox.png"
    written = write_prior_sample("walk", sheet, character=fox, weights=weights)
    assert written == sheet
    with Image.open(sheet) as picture:
        assert picture.width >= 3 * 2 * PICTURE_SIDE


def test_bad_requests_get_a_sentence(tmp_path, capsys):
    assert main(["prior", "train", "-o", str(tmp_path), "--files", str(tmp_path / "nowhere")]) == 2
    assert "is no folder" in capsys.readouterr().err
    assert main(["prior", "sample", "a fox", "--weights", "none.safetensors", "-o", str(tmp_path / "a.mp4")]) == 2
    assert "none.safetensors" in capsys.readouterr().err
    assert main(["prior", "sample", "a fox", "-o", str(tmp_path / "a.mov")]) == 2
    assert "allowed are .mp4, .gif, .webp, .png" in capsys.readouterr().err
    assert main(["prior", "sample", "a fox", "--guidance", "-1", "-o", str(tmp_path / "a.mp4")]) == 2
    assert "guidance is -1" in capsys.readouterr().err


@needs_text_encoder
def test_clips_of_a_folder_are_labelled_and_what_shares_tracks_with_the_left_out_is_left_out(tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    write_creature("fox", folder / "one.glb", seed=3, motions=("walk", "jump"))
    write_creature("fox", folder / "two.glb", seed=3, motions=("walk", "idle"))
    found = labelled_clips(folder)
    assert {(c.path.name, c.motion) for c in found} == {
        ("one.glb", "walk"),
        ("one.glb", "jump"),
        ("two.glb", "walk"),
        ("two.glb", "idle"),
    }
    kept = labelled_clips(folder, leave_out=("one.glb",))
    assert {(c.path.name, c.motion) for c in kept} == {("two.glb", "idle")}


@pytest.mark.slow
@needs_text_encoder
def test_a_prior_is_trained_from_nothing_and_then_on_a_user_s_files(tmp_path):
    training = FilmTraining(steps=3, batch=8, checkpoint_every=2, warmup_steps=1)
    recipe = PriorRecipe(individuals=2, held_out=1, many_motions=1, processes=1, network=TINY, training=training)
    path = train_embedded_prior(recipe, tmp_path / "made")
    assert read_facts(path)["films"] == "32"
    assert load_embedded(path).network.shape == TINY
    before = path.read_bytes()
    assert train_embedded_prior(recipe, tmp_path / "made").read_bytes() == before
    folder = tmp_path / "files"
    folder.mkdir()
    write_creature("fox", folder / "one.glb", motions=("walk", "jump"))
    shards = {"retargeted_shards": 1, "own_shards": 1, "body_shards": 1}
    more = replace(recipe, files=folder, start_from=path, individuals=1, **shards)
    assert load_embedded(train_embedded_prior(more, tmp_path / "more")).network.shape == TINY
    written = {p.name for p in (tmp_path / "more" / "shards").iterdir()}
    assert written == {f"{name}-00000.safetensors" for name in ("made", "retargeted", "own", "body")}
