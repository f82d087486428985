"""A sentence becomes motion: a fox, one line, a file with a new clip, a film, a report.

Run: python examples/03_a_sentence_becomes_motion.py [OUT_FOLDER] [FILM_SIZE]
"""

import sys
from pathlib import Path

from gambol.app.animate import animate_file
from gambol.app.animate_request import AnimateFileRequest, AnimateOutputs, AnimateRequest, parse_film_size
from gambol.cli.console import print_phase
from gambol.progress import progress_bar


def main(folder: Path, size: str) -> None:
    """What `gambol animate "a fox is walking" -o FOLDER` does."""
    with progress_bar() as progress:
        request = AnimateFileRequest(
            AnimateRequest("a fox is walking"), outputs=AnimateOutputs(film_size=parse_film_size(size))
        )
        report = animate_file(request, folder / "a-fox-is-walking", announce=print_phase, progress=progress)
    for path in report.written:
        if path.suffix in (".glb", ".mp4", ".html"):
            print(path, path.stat().st_size, "bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out"), sys.argv[2] if len(sys.argv) > 2 else "1280x720")
