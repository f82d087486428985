"""Writing without half-written files: a temporary name beside the target, a read-back, then the rename."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gambol.errors import AssetError, GambolError


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Yield a temporary path with the target's suffix; rename it to `target` if the block succeeds, else remove it."""
    if target.is_dir():
        raise AssetError(f"{target} is a folder; give a file name to write to.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.stem}-", suffix=target.suffix, dir=target.parent)
        os.close(handle)
        os.chmod(name, 0o666 & ~_umask())
    except OSError as error:
        raise AssetError(f"{target} cannot be written: {error.strerror or error}.") from error
    temporary = Path(name)
    try:
        yield temporary
        os.replace(temporary, target)
    except OSError as error:
        raise GambolError(f"{target} could not be written: {error.strerror or error}.") from error
    finally:
        temporary.unlink(missing_ok=True)


def write_text(target: Path, text: str) -> None:
    """Write a text file as UTF-8 with line feeds, all or nothing."""
    with replacing(target) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
