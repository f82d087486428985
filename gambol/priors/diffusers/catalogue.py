"""Facts about well-known models: where they are, and their shapes, so that estimates need no download.

A shape lists only what differs from the default of diffusers' class.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gambol.diffusion.video_prior import PriorError


@dataclass(frozen=True)
class Family:
    """A kind of model, with the classes that diffusers has for it."""

    name: str
    pipelines: tuple[str, ...]
    """Names of pipelines in model_index.json that mean this family."""
    denoiser: str
    vae: str
    scheduler: str
    tokens: int
    """Length of the prompt, padded."""
    text_width: str
    """The denoiser's config entry that says how wide a token is."""
    mask_padding: bool = False


@dataclass(frozen=True)
class KnownModel:
    """One published model."""

    repository: str
    family: Family
    denoiser: Mapping[str, Any] = field(default_factory=dict)
    vae: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    denoisers: int = 1


COGVIDEOX = Family(
    "CogVideoX",
    ("CogVideoXPipeline", "CogVideoXVideoToVideoPipeline"),
    "CogVideoXTransformer3DModel",
    "AutoencoderKLCogVideoX",
    "CogVideoXDDIMScheduler",
    226,
    "text_embed_dim",
)
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
LTX = Family(
    "LTX",
    ("LTXPipeline", "LTXConditionPipeline", "LTXImageToVideoPipeline"),
    "LTXVideoTransformer3DModel",
    "AutoencoderKLLTXVideo",
    "FlowMatchEulerDiscreteScheduler",
    128,
    "caption_channels",
)
UNET3D = Family(
    "3D U-Net",
    ("TextToVideoSDPipeline", "VideoToVideoSDPipeline"),
    "UNet3DConditionModel",
    "AutoencoderKL",
    "DDIMScheduler",
    77,
    "cross_attention_dim",
)
FAMILIES = (COGVIDEOX, WAN, LTX, UNET3D)

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

KNOWN_MODELS = {
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


def family_of(index: Mapping[str, Any]) -> Family:
    """The family of a model_index.json."""
    pipeline = index.get("_class_name")
    for family in FAMILIES:
        if pipeline in family.pipelines:
            return family
    raise PriorError(
        f"A '{pipeline}' is not among the models that can serve as a prior: "
        f"{', '.join(name for family in FAMILIES for name in family.pipelines)}."
    )
