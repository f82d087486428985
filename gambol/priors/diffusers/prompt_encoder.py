"""Embeds prompts with a model's text encoder, which is loaded, used once, and freed."""

from __future__ import annotations

import gc
import html
from dataclasses import dataclass
from pathlib import Path

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from gambol.diffusion.out_of_memory import explain_out_of_memory


@dataclass(frozen=True)
class TextEmbedding:
    """One embedded prompt."""

    tokens: Float[Tensor, "1 tokens channels"]
    """The last hidden state of the text encoder."""
    mask: Bool[Tensor, "1 tokens"]
    """True for tokens of the prompt, False for padding."""


def clean_prompt(prompt: str) -> str:
    """Return the prompt without HTML escapes and repeated spaces."""
    return " ".join(html.unescape(html.unescape(prompt)).split())


class PromptEncoder:
    """Embeds prompts with the text encoder of a model folder; embeddings are cached.

    The text encoder is often larger than the rest of the model (T5-XXL: 9.5 GB in bfloat16), so it is in memory only
    while prompts are embedded.
    """

    def __init__(
        self,
        folder: Path,
        encoder_class: str,
        tokens: int,
        *,
        mask_padding: bool,
        dtype: torch.dtype,
        device: torch.device,
    ):
        self.folder, self.encoder_class, self.tokens, self.mask_padding = folder, encoder_class, tokens, mask_padding
        self.dtype, self.device = dtype, device
        self._known: dict[str, TextEmbedding] = {}

    def embed(self, *prompts: str) -> list[TextEmbedding]:
        """Return one embedding per prompt; the text encoder is loaded only if a prompt is new."""
        new = [prompt for prompt in dict.fromkeys(prompts) if prompt not in self._known]
        if new:
            with explain_out_of_memory("the text encoder"):
                self._known.update(zip(new, self._encode(new), strict=True))
        return [self._known[prompt] for prompt in prompts]

    @torch.no_grad()
    def _encode(self, prompts: list[str]) -> list[TextEmbedding]:
        import transformers

        tokenizer = transformers.AutoTokenizer.from_pretrained(self.folder / "tokenizer", local_files_only=True)
        encoder = getattr(transformers, self.encoder_class).from_pretrained(
            self.folder / "text_encoder", dtype=self.dtype, local_files_only=True
        )
        encoder.requires_grad_(False).eval().to(self.device)
        embeddings = []
        for prompt in prompts:
            words = tokenizer(
                clean_prompt(prompt),
                padding="max_length",
                max_length=self.tokens,
                truncation=True,
                return_attention_mask=True,
                return_tensors="pt",
            ).to(self.device)
            embeddings.append(self._embedding(encoder, words.input_ids, words.attention_mask))
        del encoder
        gc.collect()
        if self.device.type == "cuda":
            torch.cuda.empty_cache()
        return embeddings

    def _embedding(self, encoder: torch.nn.Module, words: Tensor, mask: Tensor) -> TextEmbedding:
        """Embed as in training: padding is read like words, or (Wan) masked in the text encoder and set to zero."""
        if not self.mask_padding:
            return TextEmbedding(encoder(words).last_hidden_state, mask.bool())
        tokens = encoder(words, attention_mask=mask).last_hidden_state
        return TextEmbedding(tokens * mask[..., None].to(tokens), mask.bool())
