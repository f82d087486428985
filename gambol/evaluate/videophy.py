"""VideoPhy's automatic evaluator: whether a film shows what the text says and follows the physical laws.

Bansal et al. 2024 ask mPLUG-Owl-Video, fine-tuned on human judgements, two questions about 32 frames of a film, and
take the probability of Yes against No as the score. This adapter asks the same questions with the same tokens. It reads
a local model folder and never uses the network.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from jaxtyping import Float, Int, UInt8
from numpy import ndarray
from torch import Tensor

from gambol.errors import AssetError, ConfigError, GambolError, MissingExtra

VIDEOPHY_FRAMES = 32
"""Number of frames of a film that the model sees."""
VIDEOPHY_PIXELS = 224
"""Width and height that every frame is resized to, pixels."""
VIDEO_TOKEN, VIDEO_TOKENS = -2, 65
"""The model's placeholder token for a film, and their number for one film: 64 queries and an end."""
QUESTION_TOKENS = 256
"""Largest number of tokens of a question; shorter ones are padded."""
CONVERSATION_OPENING = (
    "The following is a conversation between a curious human and AI assistant. "
    "The assistant gives helpful, detailed, and polite answers to the user's questions."
)
"""Text before every question."""
CLIP_MEAN, CLIP_STD = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)
"""Mean and standard deviation of CLIP's input channels, where the model folder does not give its own."""
VIDEOPHY_PACKAGE = "mplug_owl_video"
"""The Python package of the model, as VideoPhy's repository ships it."""


class Tokeniser(Protocol):
    """The part of a transformers tokeniser that is used."""

    bos_token_id: int
    """Token at the beginning of a text; 0 or less: none."""
    pad_token_id: int
    """Token that fills short texts."""

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]:
        """Token numbers of a text."""
        ...


class VideoModel(Protocol):
    """The part of MplugOwlForConditionalGeneration that is used: a call with tensors that returns `logits`."""

    def __call__(self, **tensors: Any) -> Any:
        """Logits [1, tokens, vocabulary] of the token after each token."""
        ...


@dataclass(frozen=True)
class VideoPhy:
    """A loaded VideoPhy model."""

    model: VideoModel
    """The video-language model."""
    tokeniser: Tokeniser
    """Its tokeniser."""
    mean: tuple[float, float, float] = CLIP_MEAN
    """Mean that is subtracted from each colour channel."""
    std: tuple[float, float, float] = CLIP_STD
    """Standard deviation that each colour channel is divided by."""
    dtype: torch.dtype = torch.float32
    """Data type of the film that the model is given."""
    device: str = "cpu"
    """Device of the model."""


@dataclass(frozen=True)
class VideoPhyScores:
    """Scores of a film, both probabilities from 0 to 1."""

    semantic_adherence: float
    """Probability of Yes to: Does this video entail the description?"""
    physical_commonsense: float
    """Probability of Yes to: Does this video follow the physical laws?"""


def score_film(videophy: VideoPhy, frames: UInt8[ndarray, "frames height width 3"], prompt: str) -> VideoPhyScores:
    """Score a film against a prompt. AKD renders the character without a ground for it (6.1.1)."""
    if not prompt.strip():
        raise ConfigError("VideoPhy needs the prompt that the film should show: --prompt TEXT.")
    pictures = film_tensor(frames, videophy.mean, videophy.std)
    return VideoPhyScores(
        probability_of_yes(videophy, pictures, f'Does this video entail the description: "{prompt}"?'),
        probability_of_yes(videophy, pictures, "Does this video follow the physical laws?"),
    )


def probability_of_yes(videophy: VideoPhy, pictures: Float[Tensor, "1 3 frames side side"], question: str) -> float:
    """Probability of Yes against No, p(Yes) / (p(Yes) + p(No)), for the token after the question."""
    tokens = question_tokens(videophy.tokeniser, question)
    count = len(tokens)
    padded = torch.full((1, QUESTION_TOKENS + 1), videophy.tokeniser.pad_token_id, dtype=torch.long)
    padded[0, :count] = torch.as_tensor(tokens)
    places = torch.arange(QUESTION_TOKENS)
    inputs = {
        "pixel_values": None,
        "video_pixel_values": pictures.to(videophy.dtype),
        "labels": None,
        "num_images": torch.zeros(1, dtype=torch.long),
        "num_videos": torch.ones(1, dtype=torch.long),
        "input_ids": padded.clone(),  # the model overwrites its placeholders
        "non_padding_mask": (places < count - 1).long()[None],
        "non_media_mask": (padded[:, 1:] >= 0).long(),
        "prompt_mask": torch.zeros(1, QUESTION_TOKENS, dtype=torch.long),
    }
    moved = {name: value.to(videophy.device) if torch.is_tensor(value) else value for name, value in inputs.items()}
    with torch.no_grad():
        logits = videophy.model(**moved)["logits"]
    yes, no = (videophy.tokeniser.encode(word, add_special_tokens=False)[0] for word in ("Yes", "No"))
    last = logits[0, count - 1].float()
    probability = float(torch.sigmoid(last[yes] - last[no]))
    if not np.isfinite(probability):
        raise GambolError("VideoPhy answered with numbers that are not finite; its weights or its dtype are broken.")
    return probability


def question_tokens(tokeniser: Tokeniser, question: str) -> Int[ndarray, "tokens"]:
    """Tokens of a question: opening, film, question, 'AI: ', encoded one by one as in VideoPhy's own data set."""
    pieces: Sequence[str | None] = (CONVERSATION_OPENING, "\nHuman: ", None, "\nHuman: ", f"{question}\n", "AI: ")
    tokens = [tokeniser.bos_token_id] if tokeniser.bos_token_id > 0 else []
    for piece in pieces:
        encoded = [VIDEO_TOKEN] * VIDEO_TOKENS if piece is None else tokeniser.encode(piece, add_special_tokens=False)
        tokens += encoded
    if len(tokens) > QUESTION_TOKENS:
        raise ConfigError(
            f"The prompt has {len(tokens) - QUESTION_TOKENS} tokens too many for VideoPhy; say it shorter."
        )
    return np.array(tokens)


def sampled_frames(count: int) -> Int[ndarray, "chosen"]:
    """Indices of 32 evenly spaced frames, each a little after the start of its part, as VideoPhy takes them."""
    part = (count - 1) / VIDEOPHY_FRAMES
    return int(part / 2) + np.round(part * np.arange(VIDEOPHY_FRAMES)).astype(int)


def film_tensor(
    frames: UInt8[ndarray, "frames height width 3"], mean: Sequence[float], std: Sequence[float]
) -> Float[Tensor, "1 3 32 224 224"]:
    """The sampled frames, resized to 224 x 224 (not cropped) and normalised: (x / 255 - mean) / std."""
    if frames.ndim != 4 or frames.shape[-1] != 3 or frames.dtype != np.uint8 or not len(frames):
        raise ConfigError(f"VideoPhy needs uint8 frames [frames, height, width, 3], not {frames.dtype} {frames.shape}.")
    chosen = torch.from_numpy(np.ascontiguousarray(frames[sampled_frames(len(frames))])).permute(0, 3, 1, 2)
    resized = torch.nn.functional.interpolate(
        chosen.float(), (VIDEOPHY_PIXELS, VIDEOPHY_PIXELS), mode="bicubic", align_corners=False, antialias=True
    )
    scaled = resized.clamp(0.0, 255.0) / 255.0
    centre, spread = (torch.tensor(list(v), dtype=torch.float32).view(3, 1, 1) for v in (mean, std))
    return ((scaled - centre) / spread).permute(1, 0, 2, 3)[None]


def load_videophy(folder: str | Path, *, device: str | None = None) -> VideoPhy:
    """Load VideoPhy from a folder with the published weights and tokeniser and the package `mplug_owl_video`.

    The package is Python code in that folder (or an installed one), and it is run: use folders that you trust.
    """
    folder = Path(folder)
    if not (folder / "config.json").is_file():
        raise AssetError(
            f"{folder} is no VideoPhy model: it has no config.json. Download the weights 'videocon_physics' of the "
            "VideoPhy authors into a folder and give that."
        )
    try:
        from transformers import LlamaTokenizer
    except ImportError as error:
        raise MissingExtra("VideoPhy", "prior") from error
    architecture = _model_class(folder)
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    dtype = torch.bfloat16 if device != "cpu" else torch.float32
    try:
        tokeniser: Any = LlamaTokenizer.from_pretrained(str(folder), local_files_only=True)
        model = architecture.from_pretrained(str(folder), torch_dtype=dtype, local_files_only=True).to(device).eval()
    except Exception as error:  # whatever a foreign model does
        said = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise GambolError(f"The VideoPhy model in {folder} does not load: {said}") from error
    return VideoPhy(model, tokeniser, *_normalisation(folder), dtype=dtype, device=device)


def _model_class(folder: Path) -> Any:
    """Import MplugOwlForConditionalGeneration from a package inside the folder, or from an installed one."""
    inside = (folder / VIDEOPHY_PACKAGE).is_dir()
    if inside:
        sys.path.insert(0, str(folder))
    try:
        module = importlib.import_module(f"{VIDEOPHY_PACKAGE}.modeling_mplug_owl")
        return module.MplugOwlForConditionalGeneration
    except ModuleNotFoundError as error:
        if error.name != VIDEOPHY_PACKAGE:
            raise GambolError(
                f"The package {VIDEOPHY_PACKAGE} of VideoPhy needs {error.name}: pip install it."
            ) from error
        raise AssetError(
            f"The code of the model is missing: copy the folder {VIDEOPHY_PACKAGE} of VideoPhy's repository "
            f"(videocon/training/pipeline_video) into {folder}."
        ) from error
    except (ImportError, AttributeError) as error:
        from transformers import __version__ as version

        raise GambolError(
            f"The package {VIDEOPHY_PACKAGE} fails with transformers {version} ({error}); "
            "it was written for 4.28 to 4.44."
        ) from error
    finally:
        if inside:
            sys.path.remove(str(folder))


def _normalisation(folder: Path) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    path = folder / "preprocessor_config.json"
    if not path.is_file():
        return CLIP_MEAN, CLIP_STD
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        mean, std = (tuple(map(float, data[name])) for name in ("image_mean", "image_std"))
    except (ValueError, KeyError, TypeError) as error:
        raise AssetError(f"{path} does not hold image_mean and image_std of three numbers each.") from error
    if len(mean) != 3 or len(std) != 3:
        raise AssetError(f"{path} does not hold image_mean and image_std of three numbers each.")
    return mean, std  # type: ignore[return-value]
