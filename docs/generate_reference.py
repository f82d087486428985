"""Write docs/reference: api.md and cli.md from the docstrings, motions.md, and the schema of requests.

Run: python docs/generate_reference.py

The API page is read from the source text alone, so nothing heavy is imported; the page of the command line from the
signatures and docstrings of the verbs.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

ROOT = Path(__file__).parents[1]
API_PAGE, CLI_PAGE, MOTIONS_PAGE = (ROOT / "docs/reference" / name for name in ("api.md", "cli.md", "motions.md"))
SCHEMA_FILE = ROOT / "docs/reference/request.schema.json"
NOTE = "<!-- Written by docs/generate_reference.py from the docstrings. Edit those, not this file. -->"
KINDS = {
    "Verbs": "Functions: each does what a verb of the command line does.",
    "Types": "Classes to pass in, to subclass, or that a function returns.",
    "Further types": "Classes and type aliases that the names above mention.",
}
METAVARS = {str: "TEXT", int: "INT", float: "FLOAT", Path: "PATH"}
Definition = ast.FunctionDef | ast.ClassDef | ast.AnnAssign | ast.Assign


class Found(NamedTuple):
    """A definition and where it is."""

    module: str
    node: Definition


@cache
def tree_of(module: str) -> ast.Module:
    """The parsed source of a module of the package."""
    path = ROOT.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(file.read_text(encoding="utf-8"))


def statements(module: str) -> Iterator[ast.stmt]:
    """Statements of a module, those under `if TYPE_CHECKING` among them."""
    for node in tree_of(module).body:
        yield from node.body if isinstance(node, ast.If) else [node]


def find(module: str, name: str) -> Found | None:
    """The definition behind a name of a module, through imports within the package."""
    for node in statements(module):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            return Found(module, node)
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return Found(module, node)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "gambol":
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return find(str(node.module), alias.name)
    return None


def docstrings(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, str]]:
    """Assignments and functions of a class or module, with their docstrings."""
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.FunctionDef):
            yield node, ast.get_docstring(node) or ""
        elif isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            yield node, inspect.cleandoc(str(after.value.value))
        else:
            yield node, ""


def source(node: ast.AST) -> str:
    """The source text of a node, its strings in double quotes."""
    text = ast.unparse(node)
    return text if '"' in text else text.replace("'", '"')


def is_data(node: ast.ClassDef) -> bool:
    """Whether a class is a dataclass."""
    return any("dataclass" in source(decorator) for decorator in node.decorator_list)


def signature(name: str, node: ast.FunctionDef) -> str:
    """The signature of a function, one parameter per line where it is long."""
    parts = parameters(node.args)
    line = f"{name}({', '.join(parts)}){returned(node)}"
    if len(line) <= 100:
        return line
    return f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){returned(node)}"


def parameters(arguments: ast.arguments) -> list[str]:
    """The parameters of a function as texts, with the marks / and *."""
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    parts = [_parameter(a, d) for a, d in zip(plain, defaults, strict=True)]
    if arguments.posonlyargs:
        parts.insert(len(arguments.posonlyargs), "/")
    if arguments.vararg:
        parts.append(f"*{_parameter(arguments.vararg, None)}")
    elif arguments.kwonlyargs:
        parts.append("*")
    parts += [_parameter(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    return parts + ([f"**{_parameter(arguments.kwarg, None)}"] if arguments.kwarg else [])


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    kind = f": {source(argument.annotation)}" if argument.annotation is not None else ""
    value = "" if default is None else f" = {source(default)}" if kind else f"={source(default)}"
    return f"{argument.arg}{kind}{value}"


def as_markdown(docstring: str) -> str:
    """A docstring with its `Args:` as a list."""
    text, _, arguments = docstring.partition("\nArgs:\n")
    lines = [text.rstrip()]
    for name, help_text in read_arguments(arguments).items():
        lines += ["\n" * (len(lines) == 1) + f"- `{name}`: {help_text}"]
    return "\n".join(lines)


def read_arguments(text: str) -> dict[str, str]:
    """Name and description of each argument of an `Args:` section; the section's own indentation does not matter."""
    found: dict[str, str] = {}
    name = ""
    for line in inspect.cleandoc("\n" + text).splitlines():
        start = re.match(r"(\w+): +(.*)", line)
        if start:
            name = start.group(1)
            found[name] = start.group(2)
        elif name and line.strip():
            found[name] += f" {line.strip()}"
    return found


def class_markdown(name: str, node: ast.ClassDef) -> list[str]:
    """A class: signature, docstring, fields or attributes, public methods."""
    bases = [source(base) for base in node.bases]
    kind = "dataclass " if is_data(node) else "class "
    after = f"({', '.join(bases)})" if bases else ""
    lines = [f"```python\n{kind}{name}{after}\n```", ""]
    lines += [as_markdown(ast.get_docstring(node) or ""), ""]
    rows, methods = [], []
    for member, text in docstrings(node.body):
        if isinstance(member, ast.AnnAssign) and not source(member.target).startswith("_"):
            rows.append(field_row(member, text))
        elif isinstance(member, ast.Assign) and text:
            rows.append(f"| `{source(member.targets[0])}` | | `{source(member.value)}` | {cell(text)} |")
        elif isinstance(member, ast.FunctionDef) and (member.name[0] != "_" or member.name == "__call__"):
            methods.append(method_item(member, text))
    if rows:
        lines += ["| field | type | default | what |", "|---|---|---|---|", *rows, ""]
    return lines + ([*methods, ""] if methods else [])


def field_row(member: ast.AnnAssign, text: str) -> str:
    """The row of a field: name, type, default, docstring."""
    default = "" if member.value is None else f"`{cell(source(member.value))}`"
    return f"| `{source(member.target)}` | `{cell(source(member.annotation))}` | {default} | {cell(text)} |"


def cell(text: str) -> str:
    """Text for one cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def method_item(node: ast.FunctionDef, text: str) -> str:
    """The list entry of a method or property."""
    names = {source(decorator) for decorator in node.decorator_list}
    parts = [part for part in parameters(node.args) if part not in ("self", "cls")]
    inside = "" if names & {"property", "cached_property"} else f"({', '.join(parts)})"
    abstract = " (abstract)" if "abstractmethod" in names else ""
    return f"- `{node.name}{inside}{returned(node)}`{abstract}: {' '.join(text.split())}"


def returned(node: ast.FunctionDef) -> str:
    """What a function returns, as in its signature."""
    return f" -> {source(node.returns)}" if node.returns is not None else ""


def entry(name: str, found: Found) -> str:
    """The section of one name."""
    node, lines = found.node, [f"### {name}", ""]
    if isinstance(node, ast.FunctionDef):
        lines += [f"```python\n{signature(name, node)}\n```", "", as_markdown(ast.get_docstring(node) or ""), ""]
    elif isinstance(node, ast.ClassDef):
        lines += class_markdown(name, node)
    else:
        text = next(text for member, text in docstrings(tree_of(found.module).body) if member is node)
        lines += [f"```python\n{source(node)}\n```", "", text, ""]
    own = getattr(node, "name", name)
    return "\n".join([*lines, f"Defined in `{found.module}{'' if own == name else f'.{own}'}`.", ""])


def mentioned(found: Found) -> Iterator[tuple[str, Found]]:
    """Public classes and aliases of the package that the annotations of a definition name."""
    node = found.node
    if isinstance(node, ast.ClassDef):
        notes = [m.annotation for m in node.body if isinstance(m, ast.AnnAssign)]
        functions = [m for m in node.body if isinstance(m, ast.FunctionDef) and not m.name.startswith("_")]
    else:
        notes, functions = [], [node] if isinstance(node, ast.FunctionDef) else []
    for function in functions:
        every = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        notes += [a.annotation for a in every if a.annotation is not None]
        notes += [function.returns] if function.returns is not None else []
    for note in notes:
        for part in ast.walk(note):
            if isinstance(part, ast.Name) and not part.id.startswith("_"):
                target = find(found.module, part.id)
                if target is not None and not isinstance(target.node, ast.FunctionDef):
                    yield part.id, target


def api_page() -> str:
    """The text of docs/reference/api.md."""
    import gambol

    found = {name: find("gambol", name) for name in gambol.__all__ if name[0] != "_"}
    missing = [name for name, where in found.items() if where is None]
    if missing:
        raise SystemExit(f"No definition was found for {', '.join(missing)}.")
    sections: dict[str, dict[str, Found]] = {kind: {} for kind in KINDS}
    for name, where in found.items():
        sections["Verbs" if isinstance(where.node, ast.FunctionDef) else "Types"][name] = where
    known = {(where.module, getattr(where.node, "name", name)) for name, where in found.items()}
    further = sections["Further types"]
    for where in found.values():
        for name, other in mentioned(where):
            further.setdefault(name, other)
    for where in list(further.values()):  # what reports hold
        if where.module.startswith("gambol.app."):
            further.update({name: other for name, other in mentioned(where) if name not in further})
    variables = {name for name, where in further.items() if "TypeVar(" in source(where.node)[:100]}
    for name in [n for n, where in further.items() if (where.module, n) in known or n in variables]:
        del further[name]
    lines = [NOTE, "", "# Python API", ""]
    lines += [
        "`import gambol` gives the names of the first two sections; [conventions](../conventions.md) has units.",
        "",
    ]
    for kind, entries in sections.items():
        lines += [f"## {kind}", "", KINDS[kind], ""]
        order = entries if kind == "Verbs" else sorted(entries)
        lines += [" · ".join(f"[{name}](#{name.lower()})" for name in order), ""]
        lines += [entry(name, entries[name]) for name in order]
    return tidy("\n".join(lines))


class Option(NamedTuple):
    """One argument of a verb."""

    name: str
    values: str
    default: str
    text: str
    positional: bool


def options(verb: Any) -> Iterator[Option]:
    """Arguments of a verb, in order."""
    from gambol.cli.arguments import complete

    verb = complete(verb)
    kinds = get_type_hints(verb, include_extras=True)
    texts = read_arguments((inspect.getdoc(verb) or "").partition("\nArgs:\n")[2])
    for parameter in inspect.signature(verb).parameters.values():
        yield option(parameter.name, kinds[parameter.name], parameter.default, texts[parameter.name])


def unwrap(kind: Any) -> Any:
    """A type without its annotations and without None."""
    kind = get_args(kind)[0] if hasattr(kind, "__metadata__") else kind
    inner = [part for part in get_args(kind) if part is not NoneType]
    return inner[0] if NoneType in get_args(kind) and len(inner) == 1 else kind


def option(name: str, kind: Any, default: Any, text: str) -> Option:
    """An argument as the help shows it."""
    marks = getattr(kind, "__metadata__", ())
    settings = [mark for mark in marks if hasattr(mark, "metavar")]
    metavar = next((mark.metavar for mark in settings if mark.metavar), None)
    named = next((mark.name for mark in settings if mark.name), None)
    aliases = [alias for mark in settings for alias in (mark.aliases or ())]
    plain = unwrap(kind)
    positional = any("ositional" in str(mark) for mark in marks if not hasattr(mark, "metavar"))
    long = f"--{(named or name).replace('_', '-')}"
    shown = ", ".join([*aliases, long])
    if plain is bool:
        shown = f"{long}, --no-{long[2:]}"
    values = "" if plain is bool else metavar or values_of(plain)
    return Option(
        metavar or name.upper() if positional else shown, values, default_text(default, plain), text, positional
    )


def values_of(kind: Any) -> str:
    """What an option takes, in capitals, or its choices."""
    if get_origin(kind) is tuple:
        inner = [part for part in get_args(kind) if part is not Ellipsis]
        return f"{values_of(inner[0])} ..."
    if get_origin(kind) is Literal:
        return "|".join(map(str, get_args(kind)))
    return METAVARS.get(kind, "VALUE")


def default_text(default: Any, kind: Any) -> str:
    """A default value as one would type it."""
    if default is inspect.Parameter.empty:
        return "required"
    if default is None or default in ("", ()):
        return ""
    if kind is bool:
        return "on" if default else "off"
    return " ".join(map(str, default)) if isinstance(default, tuple) else str(default)


def verb_section(name: str, verb: Any, level: int) -> str:
    """The section of one verb: usage, description, table of options."""
    every = list(options(verb))
    places = [o.name if o.default == "required" else f"[{o.name}]" for o in every if o.positional]
    needed = [f"{o.name.split(', ')[0]} {o.values}" for o in every if not o.positional and o.default == "required"]
    lines = [
        f"{'#' * level} gambol {name}",
        "",
        f"```\n{' '.join(['gambol', name, *places, *needed, '[OPTIONS]'])}\n```",
        "",
    ]
    lines += [(inspect.getdoc(verb) or "").partition("\nArgs:\n")[0].strip(), ""]
    if every:
        lines += ["| option | takes | default | what |", "|---|---|---|---|"]
    for o in every:
        shown = o.name if o.positional else "`, `".join(o.name.split(", "))
        takes = f"`{cell(o.values)}`" if o.values and not o.positional else ""
        lines += [f"| `{cell(shown)}` | {takes} | {cell(o.default)} | {cell(o.text)} |"]
    return "\n".join([*lines, ""])


def cli_page() -> str:
    """The text of docs/reference/cli.md."""
    from gambol.cli.main import DESCRIPTION, VERBS
    from gambol.cli.pose import POSE_VERBS
    from gambol.cli.prior import PRIOR_VERBS

    groups = {"pose": POSE_VERBS, "prior": PRIOR_VERBS}
    lines = [NOTE, "", "# Command line", "", DESCRIPTION, ""]
    lines += [
        "`gambol --version` prints the version. Exit codes: 0 = the output was written and read back, 1 = failed while"
    ]
    lines += ["running, 2 = bad input.", ""]
    for name, verb in VERBS.items():
        if name not in groups:
            lines.append(verb_section(name, verb, 2))
            continue
        lines += [f"## gambol {name}", "", inspect.getdoc(verb) or "", ""]
        lines += [verb_section(f"{name} {inner}", function, 3) for inner, function in groups[name].items()]
    return tidy("\n".join(lines))


def motions_page() -> str:
    """The page of the vocabulary: every motion, what must be seen of it, and the bodies that it suits."""
    from gambol.evaluate.motion_definitions import MOTION_DEFINITIONS
    from gambol.motion.vocabulary import VOCABULARY

    lines = [
        "# Motions",
        "",
        NOTE.replace("the docstrings", "gambol/motion/vocabulary.py").replace("Edit those", "Edit that"),
        "",
        f"The {len(VOCABULARY)} motions that a sentence can ask for. A sentence need not use these words; other verbs",
        "land on the nearest motion, and a run says which. Lengths are leg lengths. The last column says how a clip is",
        "checked: by the rule-based [recogniser](../judge.md), or by a definition of its own",
        "(`gambol.evaluate.motion_definitions`).",
        "",
        "| motion | what must be seen | bodies | goes on | checked by |",
        "|---|---|---|---|---|",
    ]
    for entry in VOCABULARY:
        goes_on = "in cycles" if entry.repeats else "once, and stays" if entry.ends_elsewhere else "once"
        checked = "definition" if entry.name in MOTION_DEFINITIONS else "recogniser"
        lines.append(f"| {entry.name} | {entry.seen} | {', '.join(entry.bodies)} | {goes_on} | {checked} |")
    return tidy("\n".join(lines) + "\n")


def tidy(text: str) -> str:
    """The text without blank lines in a row, ending with one line end."""
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def schema_file() -> str:
    """The JSON schema of requests."""
    from gambol.app.request_schema import request_schema

    return json.dumps(request_schema(), indent=1) + "\n"


def main() -> None:
    """Write all pages."""
    API_PAGE.parent.mkdir(exist_ok=True)
    API_PAGE.write_text(api_page(), encoding="utf-8")
    CLI_PAGE.write_text(cli_page(), encoding="utf-8")
    MOTIONS_PAGE.write_text(motions_page(), encoding="utf-8")
    SCHEMA_FILE.write_text(schema_file(), encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
