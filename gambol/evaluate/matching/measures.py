"""Measures of generated motions in the joint space of text and motion, as text-to-motion papers report them.

Rows of all arguments are unit vectors of the joint space. Guo et al. 2022 (T2M) define the measures; distances are
Euclidean, up to 2.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

POOL_SIZE = 32
"""Sentences that a motion chooses from: its own, and those of 31 other motions."""


def r_precision(
    motions: Float[ndarray, "pairs joint"],
    texts: Float[ndarray, "pairs joint"],
    groups: Sequence[str],
    *,
    rng: np.random.Generator,
    pool: int = POOL_SIZE,
    top: int = 3,
) -> Float[ndarray, "top"]:
    """Share of motions whose own sentence is among the nearest 1, 2, ... `top` of a pool of sentences.

    The pool of pair i holds its own sentence and one sentence of each of pool - 1 other groups (motion classes), drawn
    from `rng`; where there are fewer groups, all of them.
    """
    names = np.array(groups)
    members = {name: np.flatnonzero(names == name) for name in sorted(set(groups))}
    cosines = motions @ texts.T
    ranks: Int[ndarray, "pairs"] = np.zeros(len(names), int)
    for i, own in enumerate(names):
        others = [name for name in members if name != own]
        chosen = rng.choice(len(others), min(pool - 1, len(others)), replace=False)
        rivals = [int(rng.choice(members[others[k]])) for k in chosen]
        ranks[i] = int((cosines[i, rivals] >= cosines[i, i]).sum())
    return np.array([float((ranks < k).mean()) for k in range(1, top + 1)])


def matching_distance(motions: Float[ndarray, "pairs joint"], texts: Float[ndarray, "pairs joint"]) -> float:
    """Mean distance of motions from their own sentences: mean |m_i - s_i|."""
    return float(np.linalg.norm(motions - texts, axis=1).mean())


def frechet_distance(a: Float[ndarray, "first joint"], b: Float[ndarray, "second joint"]) -> float:
    """Frechet distance of two sets as Gaussians (FID): |m_a - m_b|^2 + tr(C_a + C_b - 2 (C_a C_b)^(1/2)).

    tr (C_a C_b)^(1/2) is the sum of the singular values of A B', with C_a = A' A, C_b = B' B and A, B the centred
    rows divided by the square root of their number less one.
    """
    centred = [(x - x.mean(0)) / np.sqrt(max(len(x) - 1, 1)) for x in (a, b)]
    roots = [np.asarray(np.linalg.qr(x, mode="r"), dtype=np.float64) for x in centred]
    common = np.linalg.svd(roots[0] @ roots[1].T, compute_uv=False).sum()
    spread = sum(float((root**2).sum()) for root in roots)
    return float(((a.mean(0) - b.mean(0)) ** 2).sum() + spread - 2.0 * common)


def diversity(motions: Float[ndarray, "motions joint"], *, rng: np.random.Generator, pairs: int = 300) -> float:
    """Mean distance of random pairs of motions."""
    first, second = rng.integers(len(motions), size=(2, pairs))
    second = np.where(second == first, (second + 1) % len(motions), second)
    return float(np.linalg.norm(motions[first] - motions[second], axis=1).mean())


def multimodality(motions: Float[ndarray, "motions joint"], groups: Sequence[str]) -> float:
    """Mean distance of two motions for the same sentence: over all pairs of a group, then over the groups."""
    names = np.array(groups)
    means = []
    for name in sorted(set(groups)):
        own = motions[names == name]
        if len(own) > 1:
            apart = np.linalg.norm(own[:, None] - own[None], axis=-1)
            means.append(float(apart.sum() / (len(own) * (len(own) - 1))))
    return float(np.mean(means)) if means else 0.0
