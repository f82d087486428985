"""A fox made by code gallops: a creature from words, a procedural gait, a file, a sheet, a film, a page to play with.

Run: python examples/02_a_fox_gallops.py [OUT_FOLDER]
"""

import sys
from pathlib import Path

from gambol.app.new import write_creature
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.files.asset import load
from gambol.render.part_palette import bone_colours
from gambol.view.open_player import show_player
from gambol.view.picture_settings import PictureSettings
from gambol.view.pictures import render_asset


def main(folder: Path) -> None:
    """Everything from two words."""
    asset = load(write_creature("fox", folder / "fox.glb", seed=7, motions=("gallop", "walk", "idle")))
    settings = PictureSettings(views=("three-quarter", "side"), width=360, height=270, columns=5)
    render_asset(asset, ["gallop"], folder / "sheet.png", settings)
    render_asset(asset, ["gallop"], folder / "film.mp4", settings)
    colours = bone_colours(find_anatomy(asset.character), asset.character.skeleton)
    show_player(asset, folder / "fox.html", clip="gallop", bone_colours=colours)
    for name in ("fox.glb", "sheet.png", "film.mp4", "fox.html"):
        print(folder / name, (folder / name).stat().st_size, "bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out"))
