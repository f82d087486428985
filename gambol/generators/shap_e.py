"""Shap-E as a generator, by diffusers' ShapEPipeline: words to a coloured mesh."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray

from gambol.errors import GambolError, MissingExtra
from gambol.files.meshes.write_ply import write_mesh_ply
from gambol.generators.generator_name import SHAP_E, SHAP_E_REPOSITORY
from gambol.generators.mesh_generator import MeshGenerator


@dataclass(frozen=True)
class ShapEGenerator(MeshGenerator):
    """Shap-E with its weights from a folder, or fetched from the hub once."""

    folder: Path | None = None
    """Folder that diffusers wrote; None fetches `SHAP_E_REPOSITORY` into the hub's cache."""
    steps: int = 64
    """Denoising steps."""
    guidance: float = 15.0
    """How strongly the words count."""
    grid: int = 128
    """Cells along each side of the grid on which the surface is found."""
    device: str | None = None
    """Device of the model; None takes a GPU where there is one."""

    @property
    def identity(self) -> str:
        """The name, the folder's name, and what decides the mesh."""
        source = SHAP_E if self.folder is None else f"{SHAP_E}:{self.folder.resolve()}"
        return f"{source} {self.steps} {self.guidance:g} {self.grid}"

    def generate(self, words: str, folder: Path, *, seed: int) -> Path:
        """Sample a latent, find its surface, and write it with vertex colours as a .ply, y up."""
        pipeline = load_shap_e(self.folder)
        device = self.device or ("cuda" if torch.cuda.is_available() else "cpu")
        pipeline = pipeline.to(device)
        # drawn on the CPU, so that a seed means the same on every device
        latents = torch.randn(
            (1, pipeline.prior.config.num_embeddings * pipeline.prior.config.embedding_dim),
            generator=torch.Generator().manual_seed(seed),
        )
        sample = pipeline(
            words,
            num_inference_steps=self.steps,
            guidance_scale=self.guidance,
            latents=latents.to(device),
            output_type="latent",
        ).images
        return write_latent_mesh(pipeline.shap_e_renderer, sample[:1], folder / "mesh.ply", grid=self.grid)


def load_shap_e(folder: Path | None) -> Any:
    """The pipeline of a folder, read without any network call, or of the hub."""
    try:
        from diffusers import ShapEPipeline
    except ImportError as error:
        raise MissingExtra("The generator shap-e", "prior") from error
    try:
        source = SHAP_E_REPOSITORY if folder is None else str(folder)
        pipeline = ShapEPipeline.from_pretrained(source, local_files_only=folder is not None)
    except Exception as error:
        where = f"the hub's {SHAP_E_REPOSITORY}" if folder is None else str(folder)
        raise GambolError(
            f"Shap-E could not be loaded from {where} ({str(error).splitlines()[0][:120]}). Download it where there is"
            f" a network (hf download {SHAP_E_REPOSITORY} --local-dir FOLDER), and give --generator {SHAP_E}:FOLDER."
        ) from error
    pipeline.set_progress_bar_config(disable=True)
    return pipeline


@torch.no_grad()
def write_latent_mesh(renderer: Any, latent: torch.Tensor, target: Path, *, grid: int) -> Path:
    """The surface of a latent as a .ply with vertex colours; Shap-E's z is up, the file's y."""
    try:
        mesh = renderer.decode_to_mesh(latent, latent.device, grid_size=grid)
    except (ValueError, RuntimeError) as error:
        if "non-empty list" not in str(error):  # colours of no vertices at all
            raise
        raise GambolError("Shap-E made an empty shape of these words; try another --seed or other words.") from error
    positions, faces = mesh.verts.float().cpu().numpy(), mesh.faces.cpu().numpy()
    colours = np.stack([mesh.vertex_channels[c].float().cpu().numpy().reshape(-1) for c in "RGB"], 1)
    return write_mesh_ply(y_up(positions), faces, colours[: len(positions)].clip(0.0, 1.0), target)


def y_up(positions: Float[ndarray, "vertices 3"]) -> Float[ndarray, "vertices 3"]:
    """Turn z-up positions about x by -90 degrees: (x, y, z) becomes (x, z, -y)."""
    return positions[:, [0, 2, 1]] * np.array([1.0, 1.0, -1.0], positions.dtype)
