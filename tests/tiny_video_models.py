"""Tiny random-weight video models, built with diffusers' and transformers' own classes, and saved as they save."""

import string
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

TEXT_WIDTH = 32


def t5_tokenizer():
    """A unigram vocabulary of letters and a few words."""
    from transformers import T5Tokenizer

    words = ["▁a", "▁fox", "▁is", "▁running", "▁walking", "▁blurry", "▁"]
    pieces = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", -5.0)]
    pieces += [(word, -1.0) for word in words] + [(letter, -4.0) for letter in string.ascii_lowercase]
    return T5Tokenizer(vocab=pieces, extra_ids=0)


def clip_tokenizer():
    from transformers import CLIPTokenizer

    letters = list(string.ascii_lowercase)
    pieces = [*letters, *(letter + "</w>" for letter in letters), "fo", "fox</w>", "<|startoftext|>", "<|endoftext|>"]
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    return CLIPTokenizer(vocab=vocabulary, merges=[("f", "o"), ("fo", "x</w>")], model_max_length=77)


def t5_encoder(umt5=False):
    from transformers import T5Config, T5EncoderModel, UMT5Config, UMT5EncoderModel

    shape = {"vocab_size": 64, "d_model": TEXT_WIDTH, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": 4}
    shape |= {"feed_forward_proj": "gated-gelu"}
    return UMT5EncoderModel(UMT5Config(**shape)) if umt5 else T5EncoderModel(T5Config(**shape))


def cogvideox(*, rotary=True, patch_size_t=None):
    """2B (fixed positions), 5B (rotary) or 1.5 (patches in time)."""
    from diffusers import (
        AutoencoderKLCogVideoX,
        CogVideoXDDIMScheduler,
        CogVideoXPipeline,
        CogVideoXTransformer3DModel,
    )

    transformer = CogVideoXTransformer3DModel(
        num_attention_heads=2,
        attention_head_dim=16,
        in_channels=4,
        out_channels=4,
        time_embed_dim=8,
        text_embed_dim=TEXT_WIDTH,
        num_layers=2,
        sample_width=4,
        sample_height=4,
        sample_frames=9,
        patch_size_t=patch_size_t,
        patch_bias=patch_size_t is None,
        max_text_seq_length=226,
        use_rotary_positional_embeddings=rotary,
    )
    vae = AutoencoderKLCogVideoX(
        block_out_channels=(8, 8, 8, 8),
        latent_channels=4,
        layers_per_block=1,
        norm_num_groups=2,
        scaling_factor=0.7 if rotary else 1.15258426,
        sample_height=32,
        sample_width=32,
    )
    scheduler = CogVideoXDDIMScheduler(
        beta_start=0.00085,
        beta_end=0.012,
        beta_schedule="scaled_linear",
        clip_sample=False,
        prediction_type="v_prediction",
        rescale_betas_zero_snr=True,
        timestep_spacing="trailing",
        snr_shift_scale=1.0 if rotary else 3.0,
    )
    return CogVideoXPipeline(t5_tokenizer(), t5_encoder(), vae, transformer, scheduler)


def wan(*, second=False, five_b=False):
    """2.1, 2.2 14B (two transformers) or 2.2 5B (a residual autoencoder with patches, a timestep for each token)."""
    from diffusers import AutoencoderKLWan, FlowMatchEulerDiscreteScheduler, WanPipeline, WanTransformer3DModel

    channels = 6 if five_b else 4

    def transformer():
        return WanTransformer3DModel(
            num_attention_heads=2,
            attention_head_dim=12,
            in_channels=channels,
            out_channels=channels,
            text_dim=TEXT_WIDTH,
            freq_dim=32,
            ffn_dim=32,
            num_layers=2,
            rope_max_seq_len=32,
        )

    spread = {
        "latents_mean": [0.1 * i - 0.2 for i in range(channels)],
        "latents_std": [1.0 + 0.3 * i for i in range(channels)],
    }
    residual = {"is_residual": True, "in_channels": 12, "out_channels": 12, "patch_size": 2, "scale_factor_spatial": 16}
    vae = AutoencoderKLWan(base_dim=6, z_dim=channels, num_res_blocks=1, **spread, **(residual if five_b else {}))
    return WanPipeline(
        tokenizer=t5_tokenizer(),
        text_encoder=t5_encoder(umt5=True),
        vae=vae,
        scheduler=FlowMatchEulerDiscreteScheduler(shift=3.0),
        transformer=transformer(),
        transformer_2=transformer() if second else None,
        boundary_ratio=0.875 if second else None,
        expand_timesteps=five_b,
    )


def ltx():
    from diffusers import (
        AutoencoderKLLTXVideo,
        FlowMatchEulerDiscreteScheduler,
        LTXPipeline,
        LTXVideoTransformer3DModel,
    )

    transformer = LTXVideoTransformer3DModel(
        in_channels=8,
        out_channels=8,
        num_attention_heads=4,
        attention_head_dim=8,
        cross_attention_dim=32,
        num_layers=2,
        caption_channels=TEXT_WIDTH,
    )
    vae = AutoencoderKLLTXVideo(
        latent_channels=8,
        block_out_channels=(8, 8, 8, 8),
        decoder_block_out_channels=(8, 8, 8, 8),
        layers_per_block=(1, 1, 1, 1, 1),
        decoder_layers_per_block=(1, 1, 1, 1, 1),
    )
    vae.latents_mean.uniform_(-0.3, 0.3)
    vae.latents_std.uniform_(0.5, 1.5)
    return LTXPipeline(FlowMatchEulerDiscreteScheduler(), vae, t5_encoder(), t5_tokenizer(), transformer)


def unet3d():
    from diffusers import AutoencoderKL, DDIMScheduler, TextToVideoSDPipeline, UNet3DConditionModel
    from transformers import CLIPTextConfig, CLIPTextModel

    unet = UNet3DConditionModel(
        sample_size=8,
        block_out_channels=(8, 8),
        layers_per_block=1,
        down_block_types=("CrossAttnDownBlock3D", "DownBlock3D"),
        up_block_types=("UpBlock3D", "CrossAttnUpBlock3D"),
        cross_attention_dim=TEXT_WIDTH,
        attention_head_dim=4,
        norm_num_groups=2,
    )
    vae = AutoencoderKL(
        block_out_channels=(8, 8),
        down_block_types=("DownEncoderBlock2D",) * 2,
        up_block_types=("UpDecoderBlock2D",) * 2,
        norm_num_groups=2,
        latent_channels=4,
        scaling_factor=0.18215,
    )
    scheduler = DDIMScheduler(beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear", clip_sample=False)
    shape = {"vocab_size": 64, "hidden_size": TEXT_WIDTH, "intermediate_size": 48, "num_hidden_layers": 2}
    text = CLIPTextModel(CLIPTextConfig(**shape, num_attention_heads=4, bos_token_id=54, eos_token_id=55))
    return TextToVideoSDPipeline(vae, text, clip_tokenizer(), unet, scheduler)


MODELS = {
    "cogvideox-2b": lambda: cogvideox(rotary=False),
    "cogvideox-5b": cogvideox,
    "cogvideox-1.5": lambda: cogvideox(patch_size_t=2),
    "wan-2.1": wan,
    "wan-2.2-14b": lambda: wan(second=True),
    "wan-2.2-5b": lambda: wan(five_b=True),
    "ltx": ltx,
    "unet3d": unet3d,
}


FOLDERS = []
"""Removed when the process ends."""


@cache
def saved(name):
    """(pipeline, the folder it was saved to), once per test process; the weights are the same in every run."""
    torch.manual_seed(0)
    pipeline = MODELS[name]()
    for part in pipeline.components.values():
        if isinstance(part, torch.nn.Module):
            part.requires_grad_(False).eval()
            for parameter in part.parameters():  # zero-initialised output layers would hide mistakes
                if not parameter.any():
                    parameter.uniform_(-0.1, 0.1)
    folder = TemporaryDirectory(prefix=f"gambol-{name}-")
    FOLDERS.append(folder)
    pipeline.save_pretrained(folder.name)
    return pipeline, Path(folder.name)
