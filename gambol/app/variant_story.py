"""What the report of a run shows of its variants: all of them in the player, their measures and strips."""

from __future__ import annotations

import tempfile
from dataclasses import asdict, replace
from pathlib import Path

from gambol.app.animate_character import Animated, Variant
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.evaluate.metrics import measure
from gambol.evaluate.observation import observe_node_clip
from gambol.files.asset import Asset, export_clips, load
from gambol.view.player_page import player_page
from gambol.view.run_film import iteration_strips
from gambol.view.run_page import VariantRow


def variant_story(
    asset: Asset, result: Asset, animated: Animated, *, character: str | None = None
) -> tuple[tuple[VariantRow, ...], str]:
    """The rows of the report's table, the best first, and the player page with a clip for each variant.

    A single variant has no row, and the player shows `result`, the written file, from its last clip. `character` is
    the one of several in the file that moves.
    """
    if len(animated.variants) < 2:
        return (), player_page(result, clip=result.clips[-1].name)
    names = [f"seed {variant.seed}" for variant in animated.variants]
    clips = tuple(replace(v.clip, name=name) for v, name in zip(animated.variants, names, strict=True))
    placement = asset.character.placement
    with tempfile.TemporaryDirectory(prefix="gambol-") as folder:
        path = export_clips(asset, clips, Path(folder) / f"{asset.path.stem}.glb")
        every = load(path, scale=placement.scale, facing=placement.facing, character=character)
        page = player_page(every, clip=names[0])
    rows = [_row(every, v, name) for v, name in zip(animated.variants, names, strict=True)]
    return tuple(rows), page


def _row(every: Asset, variant: Variant, name: str) -> VariantRow:
    seen = observe_node_clip(every.character, find_anatomy(every.character), every.clip(name))
    metrics = {"loss": variant.loss, **asdict(measure(seen, cuboids=every.character.cuboids))}
    strip = iteration_strips(variant.runs[0].problem, [(name, variant.state.coefficients)])
    return VariantRow(name, metrics, strip)
