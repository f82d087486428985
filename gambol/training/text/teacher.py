"""Sentence embeddings of the teacher that the text encoder is distilled from; needed for training only."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from jaxtyping import Float

from gambol.errors import MissingExtra
from gambol.progress import Progress

Embeddings = Float[np.ndarray, "sentences dimensions"]
"""One row per sentence."""


def teacher_embeddings(
    folder: Path, texts: Sequence[str], *, batch: int = 256, progress: Progress = lambda done, total, what: None
) -> Embeddings:
    """Compute unit sentence embeddings of a BERT encoder: the mean of its last hidden states over a text's pieces.

    `folder` holds all-MiniLM-L6-v2 (model.safetensors, config.json, vocab.txt).
    """
    try:
        import torch
        from transformers import AutoModel, AutoTokenizer
    except ImportError as error:
        raise MissingExtra("Training the text encoder", "prior") from error
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder).eval()
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    found = np.zeros((len(texts), model.config.hidden_size), np.float16)
    for at in range(0, len(order), batch):
        rows = order[at : at + batch]
        pieces = tokenizer([texts[i] for i in rows], padding=True, truncation=True, max_length=32, return_tensors="pt")
        with torch.inference_mode():
            hidden = model(**pieces).last_hidden_state
        mask = pieces["attention_mask"][..., None].float()
        mean = (hidden * mask).sum(1) / mask.sum(1)
        progress(at, len(order), "teacher")
        found[rows] = torch.nn.functional.normalize(mean, dim=-1).numpy()
    return found
