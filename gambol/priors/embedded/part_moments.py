"""The film of parts: where each part of a body is in every frame and how far it spreads, without a rasteriser.

A part is drawn alone (as in an x-ray), seen by three orthographic cameras: from the side, the front and above. Its
splats, moved by linear blend skinning, have the mass-weighted mean and covariance

    m = 1/M sum_i m_i y_i,   y_i = sum_b w_ib T_b (x_i, 1),
    C = 1/M sum_i m_i (y_i y_i^T + J_i S_i J_i^T) - m m^T,   J_i = sum_b w_ib R_b.

Both are sums over bones of tables that do not change with the pose: m = sum_b T_b q_b with q_b = 1/M sum_i m_i w_ib
(x_i, 1), and C + m m^T = sum_bc T_b Q_bc T_c^T with Q_bc = 1/M sum_i m_i w_ib w_ic ((x_i, 1)(x_i, 1)^T + S_i).
So a pose costs the same for any number of splats.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor

from gambol.priors.embedded.part_labels import splat_labels
from gambol.splats.skinned_splats import SkinnedSplats, deform

LEAST_PAIR_SHARE = 1e-6
"""Least share of a part's mass that two bones move together; smaller entries of the table are left out."""
SPREAD_AXES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""Order of the six numbers of a spread."""


@dataclass(frozen=True)
class PartTables:
    """The tables of a body's parts, of those labels that have splats."""

    labels: Int[Tensor, "parts"]
    """Index in `PART_LABELS` of each part, ascending."""
    mass: Float[Tensor, "parts"]
    """Share of the body's surface."""
    first: Float[Tensor, "parts bone_columns"]
    """q_b of each part, for all bones: four columns each."""
    pair_part: Int[Tensor, "pairs"]
    """Part of each entry of the table of pairs of bones."""
    pair_bones: Int[Tensor, "2 pairs"]
    """The two bones b <= c of each entry."""
    second: Float[Tensor, "pairs 4 4"]
    """Q_bc of each entry, doubled where b < c."""

    def __len__(self) -> int:
        return len(self.labels)


def part_tables(splats: SkinnedSplats, labels: Int[ndarray, "bones"]) -> PartTables:
    """Sum up the splats of each part; a splat's mass is its opacity times its area."""
    of_splat = splat_labels(splats, labels)
    used, part = np.unique(of_splat, return_inverse=True)
    S = splats.covariances.double().numpy()
    areas = np.sqrt(np.linalg.eigvalsh(S)[:, 1:].clip(1e-18)).prod(1)
    mass = splats.opacities.double().numpy() * areas
    total = np.bincount(part, mass)
    share = mass / total[part]
    bones, weights = splats.bones.numpy(), splats.weights.double().numpy()
    x = np.concatenate([splats.centres.double().numpy(), np.ones((len(splats), 1))], 1)
    first = np.zeros((len(used), splats.bone_count, 4))
    for k in range(bones.shape[1]):
        np.add.at(first, (part, bones[:, k]), (share * weights[:, k])[:, None] * x)
    moments = x[:, :, None] * x[:, None]
    moments[:, :3, :3] += S
    keys, values, sizes = [], [], []
    for j in range(bones.shape[1]):
        for k in range(bones.shape[1]):
            keys.append((part * splats.bone_count + bones[:, j]) * splats.bone_count + bones[:, k])
            both = share * weights[:, j] * weights[:, k]
            values.append(both[:, None, None] * moments)
            sizes.append(both)
    key, place = np.unique(np.concatenate(keys), return_inverse=True)
    table = np.zeros((len(key), 4, 4))
    np.add.at(table, place, np.concatenate(values))
    size = np.bincount(place, np.concatenate(sizes))
    c, rest = key % splats.bone_count, key // splats.bone_count
    b, of = rest % splats.bone_count, rest // splats.bone_count
    kept = (b <= c) & (size > LEAST_PAIR_SHARE)
    table[b < c] *= 2.0
    return PartTables(
        torch.as_tensor(used),
        torch.as_tensor(total / total.sum()).float(),
        torch.as_tensor(first.reshape(len(used), -1)).float(),
        torch.as_tensor(of[kept]),
        torch.as_tensor(np.stack([b[kept], c[kept]])),
        torch.as_tensor(table[kept]).float(),
    )


def part_moments(
    tables: PartTables, T_world_rest: Float[Tensor, "frames bones 4 4"]
) -> tuple[Float[Tensor, "frames parts 3"], Float[Tensor, "frames parts 6"]]:
    """Places m, metres, and spreads C (`SPREAD_AXES`), square metres, of all parts; differentiable."""
    T = T_world_rest[:, :, :3].to(tables.first)
    frames = len(T)
    columns = T.permute(1, 3, 0, 2).reshape(-1, 3 * frames)
    place = (tables.first @ columns).reshape(-1, frames, 3).transpose(0, 1)
    b, c = tables.pair_bones
    products = T[:, b] @ tables.second @ T[:, c].transpose(-1, -2)
    sums = torch.zeros(frames, len(tables), 3, 3).index_add(1, tables.pair_part, products)
    i, j = torch.tensor(SPREAD_AXES).T
    spread = 0.5 * (sums[..., i, j] + sums[..., j, i]) - place[..., i] * place[..., j]
    return place, spread


def part_moments_reference(
    splats: SkinnedSplats, labels: Int[ndarray, "bones"], T_world_rest: Float[Tensor, "frames bones 4 4"]
) -> tuple[Float[Tensor, "frames parts 3"], Float[Tensor, "frames parts 6"]]:
    """The same numbers from every splat's own centre and covariance: the slow twin of `part_moments`."""
    part = torch.as_tensor(np.unique(splat_labels(splats, labels), return_inverse=True)[1])
    areas = torch.linalg.eigvalsh(splats.covariances.double())[:, 1:].clamp_min(1e-18).sqrt().prod(1)
    mass = splats.opacities.double() * areas
    centres, covariances = (x.double() for x in deform(splats, T_world_rest))
    parts = torch.nn.functional.one_hot(part).double() * mass[:, None]
    parts = parts / parts.sum(0)
    place = torch.einsum("fni,np->fpi", centres, parts)
    second = torch.einsum("fnij,np->fpij", centres[..., :, None] * centres[..., None, :] + covariances, parts)
    i, j = torch.tensor(SPREAD_AXES).T
    return place.float(), (second[..., i, j] - place[..., i] * place[..., j]).float()
