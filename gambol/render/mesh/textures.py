"""Materials and textures as arrays: wrapping, mip levels, alpha cut-offs, sRGB bytes."""

from __future__ import annotations

from math import floor
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int, UInt8
from numpy import ndarray

from gambol.character.colour import linear_to_srgb, srgb_to_linear
from gambol.character.compile_kernel import kernel
from gambol.character.scene import Material, Texture
from gambol.errors import AssetError

TEXTURE_WRAP_CODES = {"repeat": 0, "clamp": 1, "mirror": 2}
"""Codes of the texture wrap modes, as the kernels read them."""
BLEND_CUTOFF = 0.3
"""Least alpha at which a BLEND material is drawn; the z-buffer has no half-transparent surfaces."""


class TexturePack(NamedTuple):
    """All textures with their mip pyramids in flat arrays (a named tuple, because Numba's kernels read those)."""

    texels: UInt8[ndarray, "texels 4"]
    """sRGB and alpha bytes of all levels of all textures."""
    levels: Int[ndarray, "levels 3"]
    """Per level: its first texel, its height, its width."""
    level_starts: Int[ndarray, "starts"]
    """Texture t has the levels from level_starts[t] to level_starts[t + 1] - 1, finest first."""
    wraps: Int[ndarray, "textures 2"]
    """Wrap codes of each texture along u and v."""


class MaterialPack(NamedTuple):
    """All materials as arrays."""

    base_colours: Float[ndarray, "materials 4"]
    """Linear base colour and alpha."""
    textures: Int[ndarray, "materials"]
    """Index of the texture, -1 for none."""
    cutoffs: Float[ndarray, "materials"]
    """Least alpha that is drawn; negative for opaque materials, whose alpha does not count."""


LINEAR_OF_SRGB_BYTE = srgb_to_linear(np.arange(256) / 255.0)
"""Linear light of each sRGB byte."""
SRGB_BYTE_OF_LINEAR = np.round(linear_to_srgb(np.arange(65536) / 65535.0) * 255.0).astype(np.uint8)
"""sRGB byte of linear light in steps of 1/65535: fine enough that no byte is skipped, and far faster than a power."""


def linear_to_srgb_bytes(linear: Float[ndarray, "*shape"]) -> UInt8[ndarray, "*shape"]:
    """Linear light in [0, 1] (clipped) as sRGB bytes."""
    return SRGB_BYTE_OF_LINEAR[(np.clip(linear, 0.0, 1.0) * 65535.0 + 0.5).astype(np.uint16)]


def pack_materials(materials: tuple[Material, ...]) -> tuple[MaterialPack, TexturePack]:
    """Pack materials and their textures into arrays; a texture shared by several materials is stored once."""
    textures: list[Texture] = []
    index_of: dict[int, int] = {}
    indices = []
    for material in materials:
        texture = material.texture
        if texture is None or not texture.pixels.size:
            indices.append(-1)
            continue
        if id(texture) not in index_of:
            index_of[id(texture)] = len(textures)
            textures.append(texture)
        indices.append(index_of[id(texture)])
    cutoffs = [_cutoff(material) for material in materials]
    base_colours = np.array([material.base_colour for material in materials], np.float64).reshape(-1, 4)
    return MaterialPack(base_colours, np.array(indices, np.int64), np.array(cutoffs)), _pack_textures(textures)


def mip_pyramid(pixels: UInt8[ndarray, "height width 4"]) -> list[UInt8[ndarray, "_height _width 4"]]:
    """Mip levels down to one texel, finest first: means of 2 x 2 texels in linear light, odd edges repeated."""
    levels = [np.ascontiguousarray(pixels)]
    while levels[-1].shape[0] > 1 or levels[-1].shape[1] > 1:
        fine = levels[-1]
        fine = np.pad(fine, ((0, fine.shape[0] % 2), (0, fine.shape[1] % 2), (0, 0)), mode="edge")
        blocks = fine.reshape(fine.shape[0] // 2, 2, fine.shape[1] // 2, 2, 4)
        colour = linear_to_srgb_bytes(LINEAR_OF_SRGB_BYTE.astype(np.float32)[blocks[..., :3]].mean((1, 3)))
        alpha = np.round(blocks[..., 3:].mean((1, 3), dtype=np.float32)).astype(np.uint8)
        levels.append(np.concatenate([colour, alpha], axis=-1))
    return levels


def _cutoff(material: Material) -> float:
    return {"MASK": material.alpha_cutoff, "BLEND": BLEND_CUTOFF}.get(material.alpha_mode, -1.0)


def _pack_textures(textures: list[Texture]) -> TexturePack:
    texels, levels, starts, wraps, first = [np.zeros((0, 4), np.uint8)], [], [0], [], 0
    for texture in textures:
        unknown = set(texture.wrap) - set(TEXTURE_WRAP_CODES)
        if unknown:
            raise AssetError(f"A texture wraps by {sorted(unknown)[0]!r}; allowed is {', '.join(TEXTURE_WRAP_CODES)}.")
        for level in mip_pyramid(texture.pixels):
            levels.append((first, level.shape[0], level.shape[1]))
            texels.append(level.reshape(-1, 4))
            first += len(texels[-1])
        starts.append(len(levels))
        wraps.append([TEXTURE_WRAP_CODES[mode] for mode in texture.wrap])
    return TexturePack(
        np.concatenate(texels),
        np.array(levels, np.int64).reshape(-1, 3),
        np.array(starts, np.int64),
        np.array(wraps, np.int64).reshape(-1, 2),
    )


@kernel(forceinline=True)
def sample_texture(pack, texture, u, v, footprint):
    """Linear r, g, b and alpha of a texture at (u, v): bilinear within a level, linear between two.

    (0, 0) is the picture's top left corner. `footprint` is the area that a pixel covers in (u, v). With F its number
    of texels, the level is log2(F) / 2; below one texel per pixel it is 0, so magnified textures are plainly bilinear.
    """
    first, last = pack.level_starts[texture], pack.level_starts[texture + 1] - 1
    texels = footprint * pack.levels[first, 1] * pack.levels[first, 2]
    level = 0.5 * np.log2(texels) if texels > 1.0 else 0.0
    level = min(level, float(last - first))
    lower = int(level)
    r, g, b, a = _sample_level(pack, texture, first + lower, u, v)
    part = level - lower
    if part > 0.0:
        r1, g1, b1, a1 = _sample_level(pack, texture, first + lower + 1, u, v)
        r, g, b, a = r + part * (r1 - r), g + part * (g1 - g), b + part * (b1 - b), a + part * (a1 - a)
    return r, g, b, a


@kernel(forceinline=True)
def _sample_level(pack, texture, level, u, v):
    """Bilinear: texel (i, j) has its centre at ((j + 1/2) / width, (i + 1/2) / height)."""
    start, height, width = pack.levels[level, 0], pack.levels[level, 1], pack.levels[level, 2]
    wrap_u, wrap_v = pack.wraps[texture, 0], pack.wraps[texture, 1]
    texels = pack.texels
    x, y = _fold(u, wrap_u) * width - 0.5, _fold(v, wrap_v) * height - 0.5
    column, row = floor(x), floor(y)
    fx, fy = x - column, y - row
    r = g = b = a = 0.0
    for dy in range(2):
        line = start + _wrap_index(row + dy, height, wrap_v) * width
        weight_y = fy if dy else 1.0 - fy
        for dx in range(2):
            weight = weight_y * (fx if dx else 1.0 - fx)
            at = line + _wrap_index(column + dx, width, wrap_u)
            r += weight * LINEAR_OF_SRGB_BYTE[texels[at, 0]]
            g += weight * LINEAR_OF_SRGB_BYTE[texels[at, 1]]
            b += weight * LINEAR_OF_SRGB_BYTE[texels[at, 2]]
            a += weight * texels[at, 3] / 255.0
    return r, g, b, a


@kernel(forceinline=True)
def _fold(u, wrap):
    """Move the coordinate into its first period, so that huge ones do not overflow an integer."""
    if wrap == 1:
        return min(max(u, -1.0), 2.0)
    period = 2.0 if wrap == 2 else 1.0
    return u - period * np.floor(u / period)


@kernel(forceinline=True)
def _wrap_index(i, count, wrap):
    """Repeat: i mod n. Clamp: to [0, n - 1]. Mirror: m = i mod 2n, then m or 2n - 1 - m."""
    if 0 <= i < count:
        return i
    if wrap == 1:
        return min(max(i, 0), count - 1)
    if wrap == 2:
        i = i % (2 * count)
        return i if i < count else 2 * count - 1 - i
    return i % count
