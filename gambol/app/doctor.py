"""Checks what this machine can run, what is missing, and which command installs it."""

from __future__ import annotations

import ctypes
import functools
import importlib.metadata
import importlib.util
import os
import platform
import sys
from dataclasses import dataclass
from typing import Literal

from gambol.priors.diffusers.check_gpu_fit import check_prior as check_prior

CORE_PACKAGES = (
    "numpy", "scipy", "torch", "numba", "trimesh", "libigl", "jaxtyping", "rich", "tyro", "av", "pillow", "safetensors",
    "filelock",
)  # fmt: skip
"""Packages that every installation of Gambol needs."""


@dataclass(frozen=True)
class Extra:
    """An optional part of Gambol: what `pip install 'gambol[NAME]'` brings."""

    name: str
    """Name of the extra."""
    purpose: str
    """What it is good for."""
    packages: tuple[str, ...]
    """The packages that it installs."""
    module: str
    """The module of Gambol that uses them; the extra is reported only where this version of Gambol has it."""


EXTRAS = (
    Extra(
        "prior",
        "video priors from diffusers (CogVideoX, Wan, LTX)",
        ("diffusers", "transformers", "accelerate", "sentencepiece", "protobuf"),
        "gambol.priors.diffusers",
    ),
    Extra(
        "physics",
        "physics tracking on Newton, replay in MuJoCo, USD files",
        ("warp-lang", "newton", "mujoco", "usd-core"),
        "gambol.physics",
    ),
    Extra("cuda", "splat rendering on an NVIDIA GPU", ("gsplat",), "gambol.render.raster.gsplat"),
    Extra(
        "studio",
        "the studio in the browser and the HTTP server",
        ("fastapi", "uvicorn", "websockets"),
        "gambol.service",
    ),
    Extra("blender", "FBX files in, .blend files in and out", ("bpy",), "gambol.files.blender"),
    Extra("draco", "Draco-compressed glTF files", ("DracoPy",), "gambol.files.gltf"),
    Extra("scale", "many jobs on many machines", ("ray",), "gambol.scale"),
    Extra("mcp", "the MCP server for agents", ("mcp",), "gambol.service.mcp_server"),
)
"""The extras of pyproject.toml; a test compares both."""


@dataclass(frozen=True)
class Check:
    """One line of the report."""

    name: str
    """What was checked; extras are in brackets."""
    status: Literal["ok", "missing", "unusable"]
    """unusable: not installed, and not of use on this machine."""
    detail: str
    """Versions found, or what is missing."""
    fix: str = ""
    """The command that installs it; empty where there is nothing to do."""


@dataclass(frozen=True)
class Diagnosis:
    """The report of `gambol doctor`."""

    checks: tuple[Check, ...]
    """All checks, in the order of the report."""
    command: str
    """One command that installs everything that is missing and can be used here; empty if nothing is."""


def diagnose() -> Diagnosis:
    """Check Python, the packages, the extras and the machine."""
    python = Check("python", "ok", platform.python_version())  # pip installs Gambol on no Python that is too old
    core = [_package(name) for name in CORE_PACKAGES]
    extras = {extra.name: _extra(extra) for extra in EXTRAS if _has_module(extra.module)}
    machine = Check("machine", "ok", f"{os.cpu_count()} cores, {_memory()} of memory, {platform.system()}")
    missing = [name for name, check in extras.items() if check.status == "missing"]
    command = f"pip install 'gambol[{','.join(missing)}]'" if missing else ""
    if any(check.status == "missing" for check in core):
        command = command or "pip install gambol"
    return Diagnosis((python, *core, _h264(), _gpu(), *extras.values(), machine), command)


def _package(name: str) -> Check:
    version = _version(name)
    return Check(name, "ok", version) if version else Check(name, "missing", "not installed", "pip install gambol")


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _has_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _h264() -> Check:
    name = "film (H.264)"
    if _version("av") is None:
        return Check(name, "missing", "PyAV is not installed", "pip install gambol")
    import av

    if "libx264" in av.codecs_available or "h264" in av.codecs_available:
        return Check(name, "ok", "PyAV can write mp4")
    return Check(name, "missing", "this PyAV has no H.264", "pip install --force-reinstall av")


def _gpu() -> Check:
    if not _has_cuda():
        return Check("GPU", "ok", "none; everything but large video models runs on the CPU")
    import torch

    device = torch.cuda.get_device_properties(0)
    return Check("GPU", "ok", f"{device.name}, {device.total_memory / 2**30:.0f} GB")


@functools.cache
def _has_cuda() -> bool:
    """Whether torch can use an NVIDIA GPU; torch is imported only where there is a driver and a build with CUDA."""
    version = _version("torch")
    if version is None or version.endswith("+cpu") or not _has_driver():
        return False
    import torch

    return torch.cuda.is_available()


def _has_driver() -> bool:
    try:
        ctypes.CDLL("nvcuda.dll" if os.name == "nt" else "libcuda.so.1")
    except OSError:
        return False
    return True


def _extra(extra: Extra) -> Check:
    name, versions = f"[{extra.name}]", {package: _version(package) for package in extra.packages}
    absent = [package for package, version in versions.items() if version is None]
    if not absent:
        found = ", ".join(f"{package} {version}" for package, version in versions.items())
        return Check(name, "ok", f"{extra.purpose}: {found}")
    if extra.name == "blender" and sys.version_info[:2] != (3, 11):
        detail = f"{extra.purpose}: bpy needs Python 3.11 exactly, this is {platform.python_version()}"
        return Check(name, "unusable", detail, "use Python 3.11")
    if extra.name == "cuda" and not _has_cuda():
        return Check(name, "unusable", f"{extra.purpose}: there is no NVIDIA GPU here")
    detail = f"{extra.purpose}: without {', '.join(absent)}"
    return Check(name, "missing", detail, f"pip install 'gambol[{extra.name}]'")


def _memory() -> str:
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GB"
    except (ValueError, OSError, AttributeError):
        return "unknown amount"
