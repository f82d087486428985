"""The documentation is true: names, files, links and commands of all pages exist, and the reference is up to date."""

import ast
import importlib
import importlib.util
import re
import shlex
from pathlib import Path

import pytest

from gambol.cli.main import VERBS, main
from gambol.cli.pose import POSE_VERBS
from gambol.cli.prior import PRIOR_VERBS

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
QUICK_PAGES = (
    "README.md",
    "docs/priors.md",
    "docs/rendering.md",
    "docs/embedded-prior-text.md",
    "docs/develop/extend.md",
    "docs/reference/requests.md",
)
"""Pages whose first Python block is run; those of the others take long or need files of their own."""
GROUPS = {"pose": POSE_VERBS, "prior": PRIOR_VERBS}
COMMANDS = {name: verb for name, verb in VERBS.items() if name not in GROUPS} | {
    f"{group} {name}": verb for group, verbs in GROUPS.items() for name, verb in verbs.items()
}
OTHER_PROGRAMS = re.compile(r"^(?:#SBATCH|srun|ray|curl) .*$", re.MULTILINE)
"""Lines of code blocks that call other programs."""
ALL_OPTIONS = {"--help", "--debug", "--version"}
FILES = {str(path.relative_to(ROOT)) for path in ROOT.rglob("*.py") if not any(p[0] == "." for p in path.parts[1:])}


def load_generator():
    spec = importlib.util.spec_from_file_location("generate_reference", ROOT / "docs/generate_reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


generator = load_generator()


def short(path: Path) -> str:
    return str(path.relative_to(ROOT))


def find_object(name: str) -> object:
    """The module, class, function, method, field or constant of this name."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for attribute in parts[cut:]:
            fields = getattr(found, "__dataclass_fields__", {}) | getattr(found, "__annotations__", {})
            found = fields[attribute] if attribute in fields else getattr(found, attribute)
        return found
    raise AttributeError(name)


def code_blocks(text: str, language: str = "") -> list[str]:
    """Blocks of a page that are marked with the language; marks behind it, such as no-run, do not matter."""
    return re.findall(rf"^```{language}\b[^\n]*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=short)
def test_every_name_of_the_package_exists(page):
    text = page.read_text()
    for name in sorted(set(re.findall(r"`(gambol(?:\.\w+)+)(?=[`(])", text))):
        try:
            find_object(name)
        except (AttributeError, KeyError):
            pytest.fail(f"{name} does not exist")


def test_every_function_of_the_method_page_has_a_docstring():
    names = re.findall(r"`(gambol\.[\w.]+)`", (ROOT / "docs/method.md").read_text())
    assert len(names) >= 10
    assert [name for name in names if not find_object(name).__doc__] == []


@pytest.mark.parametrize("page", PAGES, ids=short)
def test_python_blocks_use_names_that_exist(page):
    if page.name == "api.md":
        return
    for block in code_blocks(page.read_text(), "python"):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "gambol":
                for alias in node.names:
                    find_object(f"{node.module}.{alias.name}")
            elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "gambol":
                find_object(f"gambol.{node.attr}")


@pytest.fixture(scope="module")
def wolf_and_fox(tmp_path_factory):
    """A folder with the files that the examples of the pages name."""
    from gambol.app.new import write_creature

    folder = tmp_path_factory.mktemp("pages")
    for name in ("wolf", "fox"):
        write_creature(name, folder / f"{name}.glb")
    return folder


@pytest.mark.parametrize("name", QUICK_PAGES)
def test_code_on_pages_runs(name, wolf_and_fox, monkeypatch):
    monkeypatch.chdir(wolf_and_fox)
    marked = re.findall(r"^```python(.*)\n((?:.*\n)*?)^```", (ROOT / name).read_text(), re.MULTILINE)
    blocks = [text for mark, text in marked if "no-run" not in mark]
    assert blocks
    exec(compile(blocks[0], name, "exec"), {"__name__": name})


def test_the_site_has_every_page():
    """Whoever adds a page names it in the `nav` of mkdocs.yml; `python3 start.py check` builds the site strictly."""
    named = re.findall(r"([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert len(named) == len(set(named))
    assert set(named) == {str(path.relative_to(ROOT / "docs")) for path in ROOT.glob("docs/**/*.md")}


def test_the_version_has_one_home():
    import gambol

    assert f"version: {gambol.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"## {gambol.__version__}" in (ROOT / "CHANGELOG.md").read_text()
    assert len((ROOT / "README.md").read_text().splitlines()) <= 150


@pytest.mark.parametrize("page", PAGES, ids=short)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        if anchor and file.suffix == ".md":
            titles = re.findall(r"^#+ (.*)$", file.read_text(), re.MULTILINE)
            slugs = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
            assert anchor in slugs, target


@pytest.mark.parametrize("page", PAGES, ids=short)
def test_source_files_exist(page):
    for name in set(re.findall(r"`([\w/]+\.py)`", page.read_text())):
        assert any(file == name or file.endswith(f"/{name}") for file in FILES), name


def commands(text: str) -> list[list[str]]:
    """Commands of a page, in code blocks and in backticks, as lists of words."""
    lines = [line for block in code_blocks(text, r"(?:sh)?") for line in block.splitlines()]
    inline = [" ".join(part.split()) for part in re.findall(r"`(gambol [^`]+)`", text)]
    found = []
    for line in [*(line for line in lines if line.startswith("gambol ")), *inline]:
        try:
            words = shlex.split(line, comments=True)
        except ValueError:  # an apostrophe in a remark behind the command
            words = line.split()
        found.append(words[1:])
    return found


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "api.md"], ids=short)
def test_commands_name_verbs_and_options_that_exist(page):
    for words in commands(page.read_text()):
        if words[0].startswith("-") or words[0] in ("VERB", "..."):
            continue
        group = words[0] in GROUPS and len(words) > 1 and words[1] in GROUPS[words[0]]
        verb = " ".join(words[: 2 if group else 1])
        if words[0] in GROUPS and not group:  # `gambol pose` alone
            assert len(words) == 1 or words[1] == "...", words
            continue
        assert verb in COMMANDS, verb
        known = {part for o in generator.options(COMMANDS[verb]) for part in o.name.split(", ")} | ALL_OPTIONS
        used = {word.split("=")[0] for word in words if re.match(r"--?[a-z]", word) and word not in ("-x", "-z")}
        if "," not in "".join(used):
            assert used <= known, f"{verb}: {used - known}"


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "CHANGELOG.md"], ids=short)
def test_options_exist_in_some_verb_or_benchmark(page):
    scripts = [
        path.read_text() for folder in ("benchmarks", "gambol/training") for path in ROOT.glob(f"{folder}/**/*.py")
    ]
    known = {part for verb in COMMANDS.values() for o in generator.options(verb) for part in o.name.split(", ")}
    known |= ALL_OPTIONS | {name for text in scripts for name in re.findall(r"(?<![\w-])--[a-z][\w-]*", text)}
    text = OTHER_PROGRAMS.sub("", page.read_text())
    named = set(re.findall(r"(?<![\w-])--[a-z][\w-]*", text))
    assert named <= known, named - known


@pytest.mark.parametrize("verb", COMMANDS)
def test_the_reference_has_the_options_of_the_help(verb, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    with pytest.raises(SystemExit):
        main([*verb.split(), "--help"])
    help_text, section = capsys.readouterr().out, generator.verb_section(verb, COMMANDS[verb], 2)
    named, shown = (set(re.findall(r"(?<![\w-])--[a-z][\w-]*", text)) for text in (help_text, section))
    assert named - {"--help"} == shown


def test_the_reference_pages_are_up_to_date():
    """If this fails: python docs/generate_reference.py."""
    assert generator.API_PAGE.read_text() == generator.api_page()
    assert generator.CLI_PAGE.read_text() == generator.cli_page()
    assert generator.MOTIONS_PAGE.read_text() == generator.motions_page()


def test_every_entry_of_the_reference_says_something():
    sections = re.split(r"^### ", generator.api_page(), flags=re.MULTILINE)[1:]
    silent = [s.splitlines()[0] for s in sections if re.search(r"^```\n\nDefined in", s, re.MULTILINE)]
    assert silent == []
    assert [line for line in generator.api_page().splitlines() if re.search(r"\|  \|$|: $", line)] == []


def test_the_glossary_is_in_order_and_has_each_term_once():
    terms = re.findall(r"^\| \*\*(.+?)\*\* \|", (ROOT / "docs/concepts/glossary.md").read_text(), re.MULTILINE)
    assert terms == sorted(terms, key=str.lower)
    assert len(terms) == len(set(terms)) >= 80
