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


def remembered_embeddings(
    folder: Path, texts: Sequence[str], cache: Path | None, *, progress: Progress = lambda done, total, what: None
) -> Embeddings:
    """The teacher's embeddings of texts; those of a former call are read from the file `cache` (.npz)."""
    known: dict[str, np.ndarray] = {}
    if cache is not None and cache.exists():
        with np.load(cache) as former:
            known = dict(zip(former["texts"].tolist(), former["vectors"], strict=True))
    missing = [text for text in dict.fromkeys(texts) if text not in known]
    if missing:
        known |= dict(zip(missing, teacher_embeddings(folder, missing, progress=progress), strict=True))
    if missing and cache is not None:
        np.savez(cache, texts=np.array(list(known)), vectors=np.stack(list(known.values())))
    return np.stack([known[text] for text in texts])
