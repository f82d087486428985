"""The rules of the house: import direction, what each room may know, light imports, names and docstrings."""

import ast
import builtins
import importlib
import json
import re
import subprocess
import symtable
import sys
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "gambol"
MODULES = sorted(PACKAGE.rglob("*.py"))
ORDER = re.search(r"^character < .*$", (ROOT / "docs/architecture.md").read_text(), re.MULTILINE).group().split(" < ")
BESIDE = {"errors", "progress", "client"}
HEAVY = (
    "fastapi",
    "uvicorn",
    "numpy",
    "torch",
    "scipy",
    "numba",
    "trimesh",
    "av",
    "bpy",
    "jaxtyping",
    "rich",
    "igl",
    "matplotlib",
)
CONSTANT = re.compile(r"[A-Z][A-Z0-9_]*")
ROOMS = sorted({str(p.relative_to(PACKAGE).parent) for p in MODULES})
UNDOCUMENTED: set[str] = set()
"""Folders in which some public names have no docstring yet."""


def unfinished(name: str, names: set[str], reason: str) -> object:
    """A test's parameter, expected to fail where it is among the names."""
    return pytest.param(name, marks=[pytest.mark.xfail(strict=False, reason=reason)] if name in names else [])


def short(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def room_of_file(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path, *, typing: bool = True) -> list[tuple[str, str]]:
    """(module, name) of all imports of the package's own modules; without those that are for type checkers only."""
    tree = ast.parse(path.read_text())
    blocks = [n for n in ast.walk(tree) if isinstance(n, ast.If) and "TYPE_CHECKING" in ast.dump(n.test)]
    left_out = set() if typing else {id(n) for block in blocks for n in ast.walk(block)}
    found = []
    for node in ast.walk(tree):
        if id(node) in left_out:
            continue
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "gambol":
            found += [(node.module, a.name) for a in node.names]
        elif isinstance(node, ast.Import):
            found += [(a.name, "") for a in node.names if a.name.split(".")[0] == "gambol"]
    return found


def loaded_modules(code: str) -> list[str]:
    """Modules that are loaded in a fresh process after it ran the code."""
    attempt = f"import sys, json\ntry:\n    exec({code!r})\nexcept SystemExit:\n    pass\n"
    command = [sys.executable, "-c", attempt + "print(json.dumps(sorted(sys.modules)))"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1])


@pytest.mark.parametrize("path", MODULES, ids=short)
def test_a_room_imports_only_rooms_to_its_left(path):
    here = room_of_file(path)
    names = [f"gambol.{name}" if module == "gambol" else module for module, name in imports(path)]
    imported = {room_of(name) for name in names} - {"", "__version__", here, *BESIDE}
    if here in ("cli", "__init__"):  # the public doors; what `cli` may import is a test of its own
        return
    assert here in ORDER or not imported, f"{here} stands beside the rooms and must not import {imported}"
    for room in imported:
        assert ORDER.index(room) < ORDER.index(here), f"{here} must not import {room}"


def test_the_optimisation_knows_no_concrete_prior():
    found = [(short(p), m) for p in MODULES if room_of_file(p) == "distill" for m, _ in imports(p)]
    assert [(path, module) for path, module in found if room_of(module) == "priors"] == []


def test_only_training_app_and_the_creatures_themselves_know_creatures():
    """Besides training, and the two verbs of `app` that make a creature from words."""
    found = {(room_of_file(p), room_of(m)) for p in MODULES for m, _ in imports(p)}
    assert {here for here, room in found if room == "creatures"} <= {"creatures", "training", "app"}
    assert {here for here, room in found if room == "training"} <= {"training", "app"}


def test_animating_a_file_loads_no_creatures_and_no_training():
    loaded = loaded_modules("import gambol.app.animate, gambol.cli.main")
    assert [m for m in loaded if m.startswith(("gambol.creatures", "gambol.training"))] == []


def test_only_app_and_training_read_and_write_character_files():
    """Orchestration (load, run, write, report) is in `app`; the trainings read their own data."""
    used = {
        short(p): {
            name
            for module, name in imports(p)
            if module == "gambol.files.asset" and name.startswith(("load", "export"))
        }
        for p in MODULES
        if room_of_file(p) not in ("app", "training", "files", "__init__")
    }
    assert {path: names for path, names in used.items() if names} == {}


@pytest.mark.parametrize("path", sorted((PACKAGE / "cli").glob("*.py")), ids=short)
def test_the_command_line_calls_only_app(path):
    """Parse, call one function of `app` (or start the server), report: the rest is decided there, for every door."""
    allowed = {"", "app", "cli", "service", *BESIDE}
    assert {m for m, _ in imports(path, typing=False) if room_of(m) not in allowed} == set()


@pytest.mark.parametrize("code", ["import gambol", "from gambol.cli.main import main; main(['--help'])"])
def test_importing_and_help_load_no_heavy_library(code):
    loaded = loaded_modules(code)
    assert "gambol" in loaded
    assert [m for m in loaded if m in HEAVY and m != ("rich" if "help" in code else "")] == []


def test_every_public_name_is_there_and_stays_what_it_is():
    """Importing a room of the same name must not take a function's place."""
    import gambol

    for path in MODULES:
        if "blender" not in path.parts:
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    kinds = {name: type(getattr(gambol, name)).__name__ for name in gambol.__all__}
    assert [name for name, kind in kinds.items() if kind == "module"] == []
    assert all(getattr(gambol, name).__doc__ for name in gambol.__all__)


@pytest.mark.parametrize("path", MODULES, ids=short)
def test_modules_are_small_documented_and_silent(path):
    text = path.read_text()
    assert len(text.splitlines()) <= 400
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "a module says in its first line what is in it"
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    assert not [c for c in calls if c.func.id == "print"], "the library never prints"


@pytest.mark.parametrize("room", [unfinished(r, UNDOCUMENTED, "docstrings are being written") for r in ROOMS])
def test_everything_public_has_a_docstring(room):
    here = [p for p in MODULES if str(p.relative_to(PACKAGE).parent) == room]
    missing = {short(p): undocumented(ast.parse(p.read_text()).body) for p in here}
    assert {path: names for path, names in missing.items() if names} == {}


def undocumented(body: list[ast.stmt], owner: ast.ClassDef | None = None) -> list[str]:
    """Names of public functions, classes, methods, dataclass fields and constants without a docstring."""
    missing = []
    fields = owner is not None and any("dataclass" in ast.dump(d) for d in owner.decorator_list)
    body = [node for node in body if not isinstance(node, ast.AugAssign)]
    for node, after in zip(body, [*body[1:], None], strict=True):
        documented = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            missing += [node.name] * (ast.get_docstring(node) is None)
            missing += undocumented(node.body, node) if isinstance(node, ast.ClassDef) else []
        elif isinstance(node, ast.AnnAssign) and fields:
            missing += [f"{owner.name}.{ast.unparse(node.target)}"] * (not documented)
        elif owner is None:
            names = [name for name in assigned_names(node) if CONSTANT.fullmatch(name)]
            missing += names if not documented else []
    return missing


def assigned_names(node: ast.stmt) -> list[str]:
    """Names that a statement of a module assigns to."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    parts = [part for t in targets for part in (t.elts if isinstance(t, ast.Tuple) else [t])]
    return [part.id for part in parts if isinstance(part, ast.Name)]


def test_no_constant_and_no_class_has_two_homes():
    homes = defaultdict(set)
    for path in MODULES:
        for node in ast.parse(path.read_text()).body:
            names = [node.name] if isinstance(node, ast.ClassDef) else assigned_names(node)
            for name in names:
                if isinstance(node, ast.ClassDef) or CONSTANT.fullmatch(name):
                    homes[name].add(short(path))
    assert {name: sorted(found) for name, found in homes.items() if len(found) > 1 and name[0] != "_"} == {}


def test_every_name_is_defined():
    """Linters cannot see it: jaxtyping's shapes look like undefined names to them."""
    undefined = {}
    for path in [*MODULES, *(p for folder in ("tests", "benchmarks", "examples") for p in ROOT.glob(f"{folder}/*.py"))]:
        table = symtable.symtable(path.read_text(), str(path), "exec")
        known = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}
        undefined[path.name] = unknown_names(table, known | {*dir(builtins), "__file__"})
    assert {path: names for path, names in undefined.items() if names} == {}


def unknown_names(scope: symtable.SymbolTable, known: set[str]) -> set[str]:
    """Global names that a scope or one within it uses and nobody defines."""
    here = {s.get_name() for s in scope.get_symbols() if s.is_global() and s.is_referenced()} - known
    return here.union(*(unknown_names(child, known) for child in scope.get_children()))


def test_docs_and_code_name_no_folder_of_a_developer_machine():
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *MODULES]:
        assert not re.search(r"/(work|home|Users|root)/", path.read_text()), path
