"""Build the wheel, install it into a fresh environment outside the checkout, and animate a file from there.

Run with the Python of the development environment, whose libraries the fresh one borrows through a .pth file; the
package itself comes from the wheel alone. Fails if the wheel lacks a file of the package, or if animating a file loads
a module of `gambol.creatures` or `gambol.training`.
"""

import os
import subprocess
import sys
import sysconfig
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LARGEST_WHEEL = 45_000_000
"""Largest size of the wheel, bytes."""
ANIMATE = """
import sys
import gambol
from gambol.cli.main import main

assert main(["animate", "fox.glb", "a fox is running", "-o", "run", "--no-film", "--steps", "10"]) == 0
print(gambol.__file__)
print(*[name for name in sys.modules if name.startswith(("gambol.creatures", "gambol.training"))])
"""


def build_wheel(folder: Path) -> Path:
    """Build the wheel of the checkout and check that it holds every file of the package."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*command, "--wheel-dir", folder, ROOT], check=True)
    (wheel,) = folder.glob("gambol-*.whl")
    tracked = subprocess.run(["git", "ls-files", "gambol"], cwd=ROOT, capture_output=True, text=True, check=True)
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("gambol/")}
    different = set(tracked.stdout.splitlines()) ^ packed
    if different or "gambol/py.typed" not in packed:
        sys.exit(f"The wheel and the checkout differ in {', '.join(sorted(different)) or 'py.typed'}.")
    size = wheel.stat().st_size
    if size > LARGEST_WHEEL:
        sys.exit(f"The wheel has {size / 1e6:.1f} MB; allowed are {LARGEST_WHEEL / 1e6:.0f} MB.")
    sys.stdout.write(f"The wheel has {size / 1e6:.1f} MB.\n")
    return wheel


def make_environment(folder: Path, wheel: Path) -> Path:
    """Make an environment with the wheel in it that borrows all other libraries; returns its bin folder."""
    venv.create(folder, with_pip=True)
    binaries = folder / ("Scripts" if os.name == "nt" else "bin")
    python = binaries / "python"
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", wheel]
    subprocess.run(install, check=True)
    where = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    own = subprocess.run(where, capture_output=True, text=True, check=True).stdout.strip()
    # after the environment's own packages, and without running the .pth files that are in there
    (Path(own) / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return binaries


def main() -> None:
    """Do it all in a temporary folder."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    with tempfile.TemporaryDirectory(prefix="gambol-wheel-") as name:
        folder = Path(name)
        binaries = make_environment(folder / "environment", build_wheel(folder))
        work = folder / "work"
        work.mkdir()
        options = {"cwd": work, "env": environment, "check": True}
        subprocess.run([binaries / "gambol", "new", "fox", "-o", "fox.glb"], **options)
        animated = subprocess.run(
            [binaries / "python", "-c", ANIMATE], stdout=subprocess.PIPE, text=True, **options
        ).stdout
        *_, package, forbidden = animated.split("\n")[:-1]
        if not Path(package).is_relative_to(folder):
            sys.exit(f"The package came from {package}, not from the wheel.")
        if forbidden:
            sys.exit(f"Animating a file loaded {forbidden}.")
        if not [*(work / "run").glob("*.glb")]:
            sys.exit("No .glb file was written.")
    sys.stdout.write("The wheel animates a file.\n")


if __name__ == "__main__":
    main()
