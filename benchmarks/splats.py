"""Splats beside the mesh: PSNR in held-out views, inside the silhouette dilated by 2 px, 256 x 256.

Run: python benchmarks/splats.py [--quick] [--vertices]
The built-in fox always; the real fox and horse too where GAMBOL_DATA is set. `--quick` fits 300 steps and has no
targets; `--vertices` starts the fit at the vertices, as the paper does, in place of the surface.
"""

import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from measure import Scoreboard

from gambol.character.character import Character
from gambol.creatures.catalogue import make_creature
from gambol.files.asset import load
from gambol.render.mesh.shading import Light
from gambol.render.splat_fitting.fit import SplatFitConfig, fit_splats
from gambol.render.splat_fitting.views import measure_splats, random_cameras, view_mesh
from gambol.render.splats_from_mesh import splats_from_mesh

HELD_OUT = 40
MOST_SPLATS, MOST_SECONDS = 20_000, 300.0


def characters() -> dict[str, tuple[Character, float]]:
    """Name, character and the PSNR that its fit must reach."""
    found = {"built_in_fox": (make_creature("fox").character(), 30.0)}
    root = os.environ.get("GAMBOL_DATA")
    for name in ("fox", "horse") if root else ():
        path = Path(root) / "characters" / "mesh2motion" / f"{name}-animated.glb"
        found[f"{name}_animated"] = (load(path).character, 28.0)
    return found


def main() -> None:
    """Fit every character and compare."""
    board, quick = Scoreboard(), "--quick" in sys.argv
    config = SplatFitConfig(start="vertices") if "--vertices" in sys.argv else SplatFitConfig()
    config = replace(config, steps=300, views=60) if quick else config
    for name, (character, target) in characters().items():
        mesh = character.mesh
        cameras = random_cameras(mesh.vertices, HELD_OUT, 256, np.random.default_rng(12345))
        views = view_mesh(mesh, cameras, Light())
        started = time.process_time()
        made = splats_from_mesh(character, config.count)
        seconds = time.process_time() - started
        print(f"splats.{name}.made {measure_splats(made, views):.4g}dB {len(made)} splats {seconds:.3g}s", flush=True)
        started = time.process_time()
        fitted = fit_splats(character, config)
        seconds = time.process_time() - started
        board.at_least(f"splats.{name}.fitted", measure_splats(fitted, views), 0.0 if quick else target, "dB")
        board.at_most(f"splats.{name}.count", len(fitted), MOST_SPLATS, "")
        board.at_most(f"splats.{name}.seconds", seconds, MOST_SECONDS, "s")
    board.finish()


if __name__ == "__main__":
    main()
