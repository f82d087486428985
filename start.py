"""Set everything up from a bare clone and run: the main job, or the tests. Needs only Python 3.10+ with venv.

python3 start.py                 the main job: a fox, a sentence, a file with a new clip, a film (files go to out/)
python3 start.py test [ARGS]     the tests (ARGS go to pytest, for example: -m slow)
python3 start.py check           formatting, lint, types
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
VALIDATOR = ROOT / "tests" / "validator"


def set_up(extras: str) -> None:
    """Create the virtual environment and install the package with `extras`; nothing is done twice."""
    if sys.version_info < (3, 10):  # noqa: UP036 - an older Python still gets a sentence
        sys.exit(f"Gambol needs Python 3.10 or newer; this is {sys.version.split()[0]}.")
    recipe = b"".join((ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt"))
    stamp = VENV / f".gambol-{extras}-{hashlib.sha256(recipe).hexdigest()[:12]}"
    if stamp.exists():
        return
    if not PYTHON.exists():
        print("Making a virtual environment in .venv ...", flush=True)
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    print(f"Installing gambol[{extras}] (a few minutes the first time) ...", flush=True)
    install = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-c", ROOT / "constraints.txt"]
    subprocess.run([*install, "-e", f"{ROOT}[{extras}]"], check=True)
    stamp.touch()


def set_up_validator() -> None:
    """Fetch the Khronos glTF validator where npm is there; the tests that need it skip elsewhere."""
    if shutil.which("npm") and not (VALIDATOR / "node_modules").exists():
        command = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--silent"]
        subprocess.run(command, cwd=VALIDATOR, check=False, shell=os.name == "nt")


def main(arguments: list[str]) -> int:
    """Run one of the three jobs; returns its exit code."""
    job = arguments[0] if arguments else "run"
    if job == "run":
        set_up("draco")
        return subprocess.run([PYTHON, ROOT / "examples" / "03_a_sentence_becomes_motion.py", ROOT / "out"]).returncode
    if job == "test":
        set_up("dev,draco,blender,prior,physics,studio,scale,mcp")
        set_up_validator()
        return subprocess.run([PYTHON, "-m", "pytest", "-n", "auto", *arguments[1:]], cwd=ROOT).returncode
    if job == "check":
        set_up("dev,draco,blender,prior,physics,studio,scale,mcp")
        site = ["mkdocs", "build", "--strict", "--quiet", "--site-dir", str(ROOT / "out" / "site")]
        checks = (["ruff", "format", "--check", "."], ["ruff", "check", "."], ["mypy"], site)
        return max(subprocess.run([PYTHON, "-m", *check], cwd=ROOT).returncode for check in checks)
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
