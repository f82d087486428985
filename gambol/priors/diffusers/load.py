"""Loads a diffusers model from its name or folder as a video prior."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch

from gambol.errors import AssetError, MissingExtra, PriorError
from gambol.priors.diffusers.base import DiffusersPrior, ModelParts
from gambol.priors.diffusers.catalogue import KNOWN_MODELS, Family, check_model_source, family_of
from gambol.priors.diffusers.prompt_encoder import PromptEncoder
from gambol.priors.diffusers.settings import PriorSettings
from gambol.priors.diffusers.tiny_autoencoder import load_tiny_encoder


def load_prior(source: str | Path, settings: PriorSettings | None = None) -> DiffusersPrior:
    """Load a model from a folder that diffusers wrote, or by name: a known one, or any 'owner/model' of the hub.

    A folder is read without any network call. A name is fetched once, into the hub's cache.
    """
    settings = settings or PriorSettings()
    check_model_source(source, hub=True)
    require_diffusers(f"The prior {source}")
    folder = Path(source) if Path(source).is_dir() else _fetch(str(source))
    index = read_index(folder)
    family = family_of(index)
    parts = ModelParts(
        denoisers=tuple(
            _network(index, folder, name, settings.dtype)
            for name in ("transformer", "transformer_2", "unet")
            if _has(index, name)
        ),
        vae=_network(index, folder, "vae", settings.dtype),
        scheduler=_component(index, "scheduler").from_pretrained(folder / "scheduler", local_files_only=True),
        prompts=PromptEncoder(
            folder,
            index["text_encoder"][1],
            family.tokens,
            mask_padding=family.mask_padding,
            dtype=settings.dtype,
            device=torch.device(settings.text_device),
        ),
        options={key: value for key, value in index.items() if not isinstance(value, list)},
        tiny=None
        if settings.tiny_autoencoder is None
        else load_tiny_encoder(settings.tiny_autoencoder).to(settings.dtype),
    )
    return make_prior(family, parts, settings)


def make_prior(family: Family, parts: ModelParts, settings: PriorSettings) -> DiffusersPrior:
    """Wrap networks in the prior class of their family."""
    from gambol.priors.diffusers.cogvideox import CogVideoXPrior
    from gambol.priors.diffusers.ltx import LTXPrior
    from gambol.priors.diffusers.unet3d import UNet3DPrior
    from gambol.priors.diffusers.wan import WanPrior

    classes: dict[str, type[DiffusersPrior]] = {
        "CogVideoX": CogVideoXPrior,
        "Wan": WanPrior,
        "LTX": LTXPrior,
        "3D U-Net": UNet3DPrior,
    }
    return classes[family.name](parts, settings)


def require_diffusers(what: str) -> None:
    """Raise MissingExtra for `what` unless diffusers and transformers are installed; silence their logs."""
    try:
        import diffusers
        import transformers
    except ImportError as error:
        raise MissingExtra(what, "prior") from error
    for library in (diffusers, transformers):
        library.utils.logging.set_verbosity_error()
        library.utils.logging.disable_progress_bar()


def read_index(folder: Path) -> dict[str, Any]:
    """Read a model folder's model_index.json, which names the class of every subfolder."""
    path = folder / "model_index.json"
    if not path.is_file():
        raise AssetError(
            f"{folder} has no model_index.json. Give a folder that diffusers' save_pretrained wrote, or a model's "
            f"name: {', '.join(KNOWN_MODELS)}, or 'owner/model' of the hub."
        )
    return json.loads(path.read_text(encoding="utf-8"))


def _fetch(name: str) -> Path:
    from huggingface_hub import snapshot_download

    model = KNOWN_MODELS.get(name.lower())
    repository = model.repository if model else name
    try:
        return Path(snapshot_download(repository, allow_patterns=["*.json", "*.safetensors", "*.model", "*.txt"]))
    except Exception as error:
        raise PriorError(
            f"The model {repository} could not be fetched from the hub. Download it where there is a network "
            f"(hf download {repository} --local-dir FOLDER), and give the folder: --prior FOLDER."
        ) from error


def _has(index: dict[str, Any], name: str) -> bool:
    return name in index and index[name][0] is not None


def _component(index: dict[str, Any], name: str) -> Any:
    import diffusers

    return getattr(diffusers, index[name][1])


def _network(index: dict[str, Any], folder: Path, name: str, dtype: torch.dtype) -> Any:
    return _component(index, name).from_pretrained(folder / name, torch_dtype=dtype, local_files_only=True)
