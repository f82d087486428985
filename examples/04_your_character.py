"""Three lines of Python: load a character, give it a clip from a sentence, save it.

Run: python examples/04_your_character.py [OUT_FOLDER]
"""

import sys
from pathlib import Path

import gambol
from gambol.app.new import write_creature


def main(folder: Path) -> None:
    """A horse stands for your own file."""
    horse = gambol.load(write_creature("horse", folder / "horse.glb"))
    clip = gambol.animate(horse, "a horse is trotting", seed=1)
    path = gambol.save(horse, clip, folder / "horse-trots.glb")
    print(path, path.stat().st_size, "bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out"))
