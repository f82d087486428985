"""The video models that Gambol knows by name: hub repository, family, and network configuration.

A configuration lists only what differs from the defaults of the diffusers class, so that memory estimates need no
download. Imports no heavy library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gambol.errors import AssetError, ConfigError


@dataclass(frozen=True)
class Family:
    """A family of video models and the diffusers classes that implement it."""

    name: str
    """Name of the family for people."""
    pipelines: tuple[str, ...]
    """Pipeline classes in model_index.json that belong to this family."""
    denoiser: str
    """Diffusers class of the transformer or U-Net."""
    vae: str
    """Diffusers class of the autoencoder."""
    scheduler: str
    """Diffusers class of the noise scheduler."""
    tokens: int
    """Tokens that a prompt is padded to."""
    text_width: str
    """Entry of the denoiser's configuration that holds the channels of a text token."""
    mask_padding: bool = False
    """Whether padding tokens are masked in the text encoder and set to zero."""


@dataclass(frozen=True)
class KnownModel:
    """One published model."""

    repository: str
    """Repository on the Hugging Face hub, as owner/model."""
    family: Family
    """The family that its networks belong to."""
    denoiser: Mapping[str, Any] = field(default_factory=dict)
    """Configuration of the denoiser where it differs from diffusers' defaults."""
    vae: Mapping[str, Any] = field(default_factory=dict)
    """Configuration of the autoencoder where it differs from diffusers' defaults."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the model's pipeline (boundary_ratio, expand_timesteps)."""
    denoisers: int = 1
    """Number of denoisers of equal shape."""


COGVIDEOX = Family(
    "CogVideoX",
    ("CogVideoXPipeline", "CogVideoXVideoToVideoPipeline"),
    "CogVideoXTransformer3DModel",
    "AutoencoderKLCogVideoX",
    "CogVideoXDDIMScheduler",
    226,
    "text_embed_dim",
)
"""CogVideoX 2B, 5B and 1.5."""
WAN = Family(
    "Wan",
    ("WanPipeline", "WanVideoToVideoPipeline"),
    "WanTransformer3DModel",
    "AutoencoderKLWan",
    "FlowMatchEulerDiscreteScheduler",
    512,
    "text_dim",
    mask_padding=True,
)
"""Wan 2.1 and 2.2."""
LTX = Family(
    "LTX",
    ("LTXPipeline", "LTXConditionPipeline", "LTXImageToVideoPipeline"),
    "LTXVideoTransformer3DModel",
    "AutoencoderKLLTXVideo",
    "FlowMatchEulerDiscreteScheduler",
    128,
    "caption_channels",
)
"""LTX-Video."""
UNET3D = Family(
    "3D U-Net",
    ("TextToVideoSDPipeline", "VideoToVideoSDPipeline"),
    "UNet3DConditionModel",
    "AutoencoderKL",
    "DDIMScheduler",
    77,
    "cross_attention_dim",
)
"""3D U-Nets such as ModelScope."""
FAMILIES = (COGVIDEOX, WAN, LTX, UNET3D)
"""All families that can serve as a prior."""

_COG_5B = {"num_attention_heads": 48, "num_layers": 42, "use_rotary_positional_embeddings": True}
_COG_15 = {"patch_size_t": 2, "patch_bias": False, "sample_frames": 81, "sample_height": 96, "sample_width": 170}
_WAN_5B = {"num_attention_heads": 24, "num_layers": 30, "ffn_dim": 14336, "in_channels": 48, "out_channels": 48}
_WAN_5B_VAE = {
    "base_dim": 160,
    "decoder_base_dim": 256,
    "z_dim": 48,
    "is_residual": True,
    "in_channels": 12,
    "out_channels": 12,
    "patch_size": 2,
    "scale_factor_spatial": 16,
    "latents_mean": [0.0] * 48,
    "latents_std": [1.0] * 48,
}
_SD_VAE = {
    "down_block_types": ("DownEncoderBlock2D",) * 4,
    "up_block_types": ("UpDecoderBlock2D",) * 4,
    "block_out_channels": (128, 256, 512, 512),
    "layers_per_block": 2,
}

KNOWN_MODELS: dict[str, KnownModel] = {
    "cogvideox-2b": KnownModel("THUDM/CogVideoX-2b", COGVIDEOX),
    "cogvideox-5b": KnownModel("THUDM/CogVideoX-5b", COGVIDEOX, _COG_5B),
    "cogvideox1.5-5b": KnownModel("THUDM/CogVideoX1.5-5B", COGVIDEOX, {**_COG_5B, **_COG_15}),
    "wan2.1-1.3b": KnownModel(
        "Wan-AI/Wan2.1-T2V-1.3B-Diffusers", WAN, {"num_attention_heads": 12, "num_layers": 30, "ffn_dim": 8960}
    ),
    "wan2.1-14b": KnownModel("Wan-AI/Wan2.1-T2V-14B-Diffusers", WAN),
    "wan2.2-14b": KnownModel("Wan-AI/Wan2.2-T2V-A14B-Diffusers", WAN, options={"boundary_ratio": 0.875}, denoisers=2),
    "wan2.2-5b": KnownModel(
        "Wan-AI/Wan2.2-TI2V-5B-Diffusers", WAN, _WAN_5B, _WAN_5B_VAE, options={"expand_timesteps": True}
    ),
    "ltx-video": KnownModel("Lightricks/LTX-Video", LTX),
    "modelscope-1.7b": KnownModel("ali-vilab/text-to-video-ms-1.7b", UNET3D, {"sample_size": 32}, _SD_VAE),
}
"""Published models by the name that --prior takes."""


def check_model_source(source: str | Path, *, hub: bool = False) -> None:
    """Raise unless `source` is a known model's name or an existing folder; `hub` allows any owner/model too."""
    name = str(source)
    if name.lower() in KNOWN_MODELS or Path(source).is_dir() or (hub and name.count("/") == 1):
        return
    others = "'owner/model' of the hub, or a folder that diffusers wrote" if hub else "the folder of another model"
    raise ConfigError(
        f"There is no folder and no known model '{source}'. Known are {', '.join(KNOWN_MODELS)}; or give {others}."
    )


def family_of(index: Mapping[str, Any]) -> Family:
    """Return the family of the model whose parsed model_index.json is given."""
    pipeline = index.get("_class_name")
    for family in FAMILIES:
        if pipeline in family.pipelines:
            return family
    raise AssetError(
        f"A '{pipeline}' is not among the models that can serve as a prior: "
        f"{', '.join(name for family in FAMILIES for name in family.pipelines)}."
    )
