"""Text to 3D: tiny random weights of Shap-E in diffusers' own classes, and any program as a generator."""

import json
import shlex
import sys
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch
from tiny_embedded_prior import tiny_prior
from tiny_video_models import clip_tokenizer

from gambol.app.animate import animate_file
from gambol.app.animate_request import AnimateFileRequest, AnimateOutputs, AnimateRequest
from gambol.app.generate import generated_file, subject_words
from gambol.app.new import write_creature
from gambol.creatures.catalogue import make_creature
from gambol.errors import ConfigError, GambolError
from gambol.files.asset import load
from gambol.files.meshes.write_ply import write_mesh_ply
from gambol.generators.find_generator import find_generator
from gambol.generators.shap_e import ShapEGenerator, load_shap_e, write_latent_mesh, y_up


@cache
def shap_e():
    """A pipeline of random weights."""
    from diffusers import HeunDiscreteScheduler, PriorTransformer, ShapEPipeline
    from diffusers.pipelines.shap_e import ShapERenderer
    from transformers import CLIPTextConfig, CLIPTextModelWithProjection

    torch.manual_seed(0)
    tokenizer = clip_tokenizer()
    text = CLIPTextConfig(
        bos_token_id=0, eos_token_id=2, pad_token_id=1, hidden_size=16, projection_dim=16, intermediate_size=37,
        num_attention_heads=4, num_hidden_layers=2, vocab_size=len(tokenizer) + 4,
    )  # fmt: skip
    prior = PriorTransformer(
        num_attention_heads=2, attention_head_dim=16, embedding_dim=16, num_embeddings=32, embedding_proj_dim=16,
        time_embed_dim=64, num_layers=1, clip_embed_dim=32, additional_embeddings=0, time_embed_act_fn="gelu",
        norm_in_type="layer", embedding_proj_norm_type=None, encoder_hid_proj_type=None, added_emb_type=None,
    )  # fmt: skip
    renderer = ShapERenderer(
        param_shapes=((8, 93), (8, 8), (8, 8), (8, 8)), d_latent=16, d_hidden=8, n_output=12, background=(0.1, 0.1, 0.1)
    )
    scheduler = HeunDiscreteScheduler(
        beta_schedule="exp", num_train_timesteps=1024, prediction_type="sample", use_karras_sigmas=True,
        clip_sample=True, clip_sample_range=1.0,
    )  # fmt: skip
    return ShapEPipeline(
        prior=prior.eval(), text_encoder=CLIPTextModelWithProjection(text).eval(), tokenizer=tokenizer,
        scheduler=scheduler, shap_e_renderer=renderer.eval(),
    )  # fmt: skip


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shap-e")
    shap_e().save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def mesh_of_a_dog(tmp_path_factory):
    """A bare mesh with vertex colours, as generators write them."""
    mesh = make_creature("dog", 5, vertices=1200).character().mesh
    colours = np.full((len(mesh.vertices), 3), 0.5)
    path = tmp_path_factory.mktemp("dog") / "dog.ply"
    return write_mesh_ply(mesh.vertices, mesh.triangles, colours, path)


def copying(path):
    """A generator that copies a mesh and writes down what it was told."""
    code = (
        "import sys, shutil, pathlib; source, prompt, output, seed = sys.argv[1:]; out = pathlib.Path(output);"
        "shutil.copy(source, out.with_suffix('.ply')); log = pathlib.Path(source).with_name('calls.txt');"
        "log.write_text((log.read_text() if log.exists() else '') + prompt + '|' + seed + chr(10))"
    )
    words = [sys.executable, "-c", code, str(path), "{prompt}", "{output}", "{seed}"]
    return "command:" + shlex.join(words)


class Tetrahedron(torch.nn.Module):
    """In place of marching cubes, whose tables are among the trained weights: one surface for every field."""

    def forward(self, field, low, size):
        from diffusers.pipelines.shap_e.renderer import MeshDecoderOutput

        assert field.shape == (12, 12, 12)
        corners = low + size * torch.tensor([[0.0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 0]]) * float(field[6, 6, 6])
        faces = torch.tensor([[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])
        return MeshDecoderOutput(verts=corners, faces=faces, vertex_channels=None)


def test_shap_e_is_loaded_from_a_folder_and_makes_the_same_mesh_twice(weights, tmp_path, monkeypatch):
    generator = find_generator(f"shap-e:{weights}")
    assert isinstance(generator, ShapEGenerator)
    pipeline = load_shap_e(weights)
    assert type(pipeline).__name__ == "ShapEPipeline"
    assert torch.equal(next(pipeline.prior.parameters()), next(shap_e().prior.parameters()))
    small = ShapEGenerator(weights, steps=2, grid=10, device="cpu")
    with pytest.raises(GambolError, match="empty shape"):
        small.generate("a fox", tmp_path, seed=3)
    pipeline.shap_e_renderer.mesh_decoder = Tetrahedron()
    monkeypatch.setattr("gambol.generators.shap_e.load_shap_e", lambda folder: pipeline)
    same = [small.generate("a fox", tmp_path, seed=seed).read_bytes() for seed in (3, 3, 4)]
    assert same[0] == same[1] != same[2]
    assert len(load(tmp_path / "mesh.ply").character.mesh.triangles) == 4


class Ball:
    """A renderer whose surface is a tetrahedron, one corner up, as Shap-E's renderer gives meshes."""

    def decode_to_mesh(self, latent, device, grid_size):
        assert grid_size == 7
        self.verts = torch.tensor([[0.0, 0, 1], [1, 0, 0], [0, 1, 0], [-1, -1, 0]])
        self.faces = torch.tensor([[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])
        self.vertex_channels = {c: torch.tensor([0.0, 0.5, 1.0, 2.0]) for c in "RGB"}
        return self


def test_a_surface_is_written_upright_with_its_colours(tmp_path):
    target = write_latent_mesh(Ball(), torch.zeros(1, 4, 4), tmp_path / "mesh.ply", grid=7)
    mesh = load(target, scale=1.0, facing="+x").character.mesh
    assert int(mesh.vertices[:, 1].argmax()) == 0
    assert mesh.colours[:, 0] == pytest.approx([0.0, ((0.502 + 0.055) / 1.055) ** 2.4, 1.0, 1.0], abs=2e-3)
    a, b, c = (mesh.vertices[mesh.triangles[:, k]] for k in range(3))
    assert np.einsum("ij,ij->", np.cross(a, b), c) > 0  # outward: not mirrored
    assert np.array_equal(y_up(np.array([[1.0, 2.0, 3.0]])), [[1.0, 3.0, -2.0]])


def test_any_program_is_a_generator(mesh_of_a_dog, tmp_path):
    target = write_creature("a dog", tmp_path / "dog.glb", seed=7, generator=copying(mesh_of_a_dog))
    character = load(target).character
    character.require_skin()
    assert len(character.require_skeleton()) > 10
    assert mesh_of_a_dog.with_name("calls.txt").read_text().splitlines()[-1] == "a dog|7"


def test_a_sentence_becomes_a_character_and_a_motion(mesh_of_a_dog, tmp_path):
    calls = mesh_of_a_dog.with_name("calls.txt")
    before = len(calls.read_text().splitlines()) if calls.exists() else 0
    request = AnimateRequest("an old dog is walking", steps=2)
    generator = copying(mesh_of_a_dog)
    asked = AnimateFileRequest(request, generator=generator, outputs=AnimateOutputs(film=False))
    for _ in range(2):
        report = animate_file(asked, tmp_path / "run", prior=tiny_prior())
    made = generated_file(tmp_path / "run", "an old dog", generator, 0)
    assert made.parent == tmp_path
    assert made.is_file()
    assert json.loads((tmp_path / "run/settings.json").read_text())["character"] == made.name
    assert calls.read_text().splitlines()[before:] == ["an old dog|0"]  # made once
    assert [clip.name for clip in load(report.model).clips] == ["an old dog is walking"]
    with pytest.raises(ConfigError, match="leave out the generator"):
        animate_file(replace(asked, file=made), tmp_path / "other", prior=tiny_prior())


def test_who_moves_in_a_sentence():
    assert subject_words("an astronaut is walking on the moon") == "an astronaut"
    assert subject_words("A red fox runs fast") == "A red fox"
    assert subject_words("an astronaut") == "an astronaut"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("dream", "There is no generator 'dream'"),
        ("shap-e:/nowhere", "no model_index.json"),
        ("command:make {prompt}", "has no {output}"),
        ("command:make '{prompt} {output}", "cannot be split"),
    ],
)
def test_generators_that_there_are_not(name, message):
    with pytest.raises(ConfigError, match=message):
        find_generator(name)


def test_a_program_that_fails_is_quoted(tmp_path):
    failing = "command:" + shlex.join([sys.executable, "-c", "raise SystemExit('no GPU')", "{prompt}", "{output}"])
    with pytest.raises(GambolError, match="no GPU"):
        write_creature("a dog", tmp_path / "dog.glb", generator=failing)
    silent = "command:" + shlex.join([sys.executable, "-c", "", "{prompt}", "{output}"])
    with pytest.raises(GambolError, match="ended without writing"):
        write_creature("a dog", tmp_path / "dog.glb", generator=silent)
    with pytest.raises(GambolError, match="could not be run"):
        write_creature("a dog", tmp_path / "dog.glb", generator="command:no-such-program {prompt} {output}")
    assert list(tmp_path.iterdir()) == []
