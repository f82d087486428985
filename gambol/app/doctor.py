"""What this machine can run, what is missing, and the one command that fixes it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import sys
from dataclasses import dataclass

EXTRAS = {
    "prior": (
        ("diffusers", "transformers", "accelerate", "sentencepiece"),
        "video priors from diffusers (CogVideoX, Wan, LTX)",
    ),
    "physics": (("warp", "newton", "mujoco"), "physics tracking on Newton, replay in MuJoCo"),
    "cuda": (("gsplat",), "splat rendering on an NVIDIA GPU"),
    "studio": (("viser",), "live view in the browser"),
    "blender": (("bpy",), "FBX and .blend in and out"),
    "draco": (("DracoPy",), "Draco-compressed glTF"),
    "scale": (("ray",), "many jobs on many machines"),
}
CORE = ("numpy", "scipy", "torch", "numba", "trimesh", "av", "pillow", "jaxtyping", "rich", "tyro")


@dataclass(frozen=True)
class Check:
    """One line of the report."""

    name: str
    ok: bool
    detail: str
    fix: str = ""
    """The command that mends it, empty where nothing is to be done."""


@dataclass(frozen=True)
class Diagnosis:
    """All lines, and one command for everything that can be installed here."""

    checks: tuple[Check, ...]
    command: str


def diagnose() -> Diagnosis:
    """Look at Python, the libraries, the extras, the machine."""
    checks = [_python(), *map(_library, CORE), _film(), _gpu()]
    missing = []
    for extra in EXTRAS:
        check, installable = _extra(extra)
        checks.append(check)
        missing += [extra] if not check.ok and installable else []
    checks.append(Check("machine", True, f"{os.cpu_count()} cores, {_memory()} of memory, {platform.system()}"))
    broken = [c for c in checks if not c.ok and c.name in CORE]
    command = "pip install gambol" if broken else f"pip install 'gambol[{','.join(missing)}]'" if missing else ""
    return Diagnosis(tuple(checks), command)


def _python() -> Check:
    version = platform.python_version()
    ok = sys.version_info >= (3, 10)
    return Check("python", ok, version, "" if ok else "install Python 3.10 or newer")


def _library(name: str) -> Check:
    version = _version(name)
    return Check(name, version is not None, version or "missing", "" if version else "pip install gambol")


def _version(name: str) -> str | None:
    if importlib.util.find_spec(name) is None:
        return None
    distribution = importlib.metadata.packages_distributions().get(name, [name])[0]
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "of unknown version"


def _film() -> Check:
    if _version("av") is None:
        return Check("film (H.264)", False, "PyAV is missing", "pip install gambol")
    import av

    ok = "libx264" in av.codecs_available or "h264" in av.codecs_available
    return Check(
        "film (H.264)",
        ok,
        "PyAV can write mp4" if ok else "this PyAV has no H.264",
        "" if ok else "pip install --force-reinstall av",
    )


def _gpu() -> Check:
    if _version("torch") is None:
        return Check("GPU", False, "torch is missing", "pip install gambol")
    import torch

    if torch.cuda.is_available():
        device = torch.cuda.get_device_properties(0)
        return Check("GPU", True, f"{device.name}, {device.total_memory / 2**30:.0f} GB")
    return Check("GPU", True, "none; everything runs on the CPU, large video models excepted")


def _extra(extra: str) -> tuple[Check, bool]:
    modules, purpose = EXTRAS[extra]
    absent = [m for m in modules if importlib.util.find_spec(m) is None]
    if not absent:
        return Check(f"[{extra}]", True, purpose), True
    if extra == "blender" and sys.version_info[:2] != (3, 11):
        return Check(
            "[blender]",
            False,
            f"{purpose}: bpy needs Python 3.11 exactly, this is {platform.python_version()}",
            "use Python 3.11",
        ), False
    if extra == "cuda" and not _has_cuda():
        return Check("[cuda]", False, f"{purpose}: no NVIDIA GPU here"), False
    return Check(f"[{extra}]", False, f"{purpose}: {', '.join(absent)} missing", f"pip install 'gambol[{extra}]'"), True


def _has_cuda() -> bool:
    if _version("torch") is None:
        return False
    import torch

    return torch.cuda.is_available()


def _memory() -> str:
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GB"
    except (ValueError, OSError, AttributeError):
        return "unknown amount"
