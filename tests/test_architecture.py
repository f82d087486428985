"""The shape of the house: import direction, light imports, documented functions, small modules."""

import ast
import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "gambol"
MODULES = sorted(PACKAGE.rglob("*.py"))
ORDER = re.search(r"^character < .*$", (ROOT / "docs/architecture.md").read_text(), re.MULTILINE).group().split(" < ")
BESIDE = {"errors", "progress"}
HEAVY = ("numpy", "torch", "scipy", "numba", "trimesh", "av", "bpy", "jaxtyping", "rich", "igl", "matplotlib")


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_room_imports_only_rooms_to_its_left(path):
    here = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    imported = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("gambol"):
            names = [node.module] if node.module != "gambol" else [f"gambol.{a.name}" for a in node.names]
            imported |= {room_of(name) for name in names}
        elif isinstance(node, ast.Import):
            imported |= {room_of(a.name) for a in node.names if a.name.startswith("gambol")}
    imported -= {"", "__version__", here, *BESIDE}
    if here.startswith("cli") or here == "__init__":  # the doors may lead to every room
        return
    assert here in ORDER or not imported, f"{here} stands beside the rooms and must not import {imported}"
    for room in imported:
        assert ORDER.index(room) < ORDER.index(here), f"{here} must not import {room}"


@pytest.mark.parametrize("command", ["import gambol", "from gambol.cli.main import main; main(['--help'])"])
def test_importing_and_help_load_no_heavy_library(command):
    attempt = f"try:\n    exec({command!r})\nexcept SystemExit:\n    pass"
    code = f"import sys, json\n{attempt}\nprint(json.dumps(sorted(sys.modules)))"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = json.loads(output.splitlines()[-1])
    assert "gambol" in loaded
    assert [m for m in loaded if m in HEAVY and m != ("rich" if "help" in command else "")] == []


def test_every_function_of_the_method_page_exists():
    names = re.findall(r"`(gambol\.[\w.]+)`", (ROOT / "docs/method.md").read_text())
    assert len(names) >= 10
    for name in names:
        parts = name.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            try:
                found = importlib.import_module(".".join(parts[:cut]))
            except ModuleNotFoundError:
                continue
            for attribute in parts[cut:]:
                found = getattr(found, attribute)
            assert found.__doc__, f"{name} needs a docstring"
            break
        else:
            pytest.fail(f"{name} does not exist")


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_modules_are_small_documented_and_silent(path):
    text = path.read_text()
    assert len(text.splitlines()) <= 400
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "a module says in its first line what is in it"
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    assert not [c for c in calls if c.func.id == "print"], "the library never prints"


def test_docs_and_code_name_no_folder_of_a_developer_machine():
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *MODULES]:
        assert not re.search(r"/(work|home|Users|root)/", path.read_text()), path
