"""The studio's page without a server: its bundle, and the logic of store, document and timeline in a browser."""

import hashlib
import json
import re
from pathlib import Path

import pytest
from headless_browser import browser_page, needs_browser

VIEW = Path(__file__).parents[1] / "gambol/view"
STUDIO, PLAYER = VIEW / "studio", VIEW / "player"


def files_in(folder: Path) -> list[Path]:
    """All files below a folder, as the build goes through them."""
    return [f for path in sorted(folder.iterdir()) for f in (files_in(path) if path.is_dir() else [path])]


def test_the_bundle_is_built_from_these_sources_and_keeps_the_licence():
    script = (STUDIO / "studio.js").read_text(encoding="utf-8")
    digest = hashlib.sha256()
    for path in [*files_in(PLAYER / "src"), *files_in(STUDIO / "src"), PLAYER / "package.json"]:
        digest.update(path.read_bytes())
    found = re.search(r"sources sha256: ([0-9a-f]{64})", script)
    assert found is not None
    assert found.group(1) == digest.hexdigest(), "run npm run build in gambol/view/player"
    assert "three.js authors" in script
    assert len(script.encode()) < 1_000_000


def test_the_page_asks_for_its_own_files_only_and_names_no_machine():
    page = (STUDIO / "page.html").read_text(encoding="utf-8")
    asked = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert [address for address in asked if not address.startswith("data:")] == [
        "/assets/studio.css",
        "/assets/studio.js",
    ]
    assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|<style", page), "the policy allows no inline script"
    for path in [STUDIO / "page.html", STUDIO / "README.md", *files_in(STUDIO / "src")]:
        assert not re.search(r"/(work|home|Users|root)/|registry\.npmjs", path.read_text(encoding="utf-8")), path


def test_every_icon_that_is_used_exists():
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (STUDIO / "src").glob("*.js"))
    shapes = set(re.findall(r"^  (\w+): '<", (STUDIO / "src/icons.js").read_text(encoding="utf-8"), re.MULTILINE))
    used = re.findall(r"(?:icon|iconButton|emptyState|tiny)\('(\w+)'|\bicon: '(\w+)'", sources)
    assert {a or b for a, b in used} <= shapes


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The page opened from a file: there is no server, but the parts can be tried."""
    folder = tmp_path_factory.mktemp("page")
    text = (STUDIO / "page.html").read_text(encoding="utf-8").replace("/assets/", f"{STUDIO.as_uri()}/")
    (folder / "page.html").write_text(text, encoding="utf-8")
    with browser_page(size=(1280, 720)) as browser:
        browser.open(folder / "page.html")
        yield browser


def run(page, body: str):
    """What a function body gives that has the page's own parts by name."""
    names = "const { Store, TimeScale, documents: d } = gambol.parts;"
    return json.loads(page.run(f"JSON.stringify((() => {{ {names} {body} }})() ?? null)"))


@needs_browser
def test_without_a_token_the_page_says_what_to_do(page):
    assert page.run("document.body.dataset.state") == "error"
    said = page.run("document.getElementById('fatal').innerText")
    assert "token" in said
    assert "gambol studio" in said


@needs_browser
def test_changes_are_undone_and_done_again_one_by_one(page):
    found = run(
        page,
        """
        const store = new Store({ n: 0, list: [] });
        const seen = [];
        store.listen((s, what) => seen.push([what, s.document.n]));
        store.change('one', (draft) => { draft.n = 1; });
        store.change('two', (draft) => { draft.n = 2; draft.list.push('x'); });
        const nothing = store.change('nothing', (draft) => { draft.n = 2; });
        const labels = [store.undo(), store.document.n, store.undo(), store.document.n, store.undo()];
        const again = [store.redo(), store.document.n, store.redoLabel];
        store.change('three', (draft) => { draft.n = 3; });
        return { nothing, labels, again, lost: store.redo(), end: store.document, seen: seen.length,
                 frozen: Object.isFrozen(store.document.list) };
        """,
    )
    assert found["nothing"] is False
    assert found["labels"] == ["two", 1, "one", 0, None]
    assert found["again"] == ["one", 1, "two"]
    assert found["lost"] is None
    assert found["end"] == {"n": 3, "list": []}
    assert found["frozen"]
    assert found["seen"] == 6  # five that changed the document, one that did it again; none for what changed nothing


@needs_browser
def test_a_drag_is_one_step_and_the_next_drag_another(page):
    found = run(
        page,
        """
        const store = new Store({ x: 0 });
        for (const x of [1, 2, 3]) store.change('drag', (draft) => { draft.x = x; }, { merge: 'a' });
        store.endMerge();
        for (const x of [4, 5]) store.change('drag', (draft) => { draft.x = x; }, { merge: 'a' });
        const steps = store.past.length;
        store.undo();
        const middle = store.document.x;
        store.undo();
        return [steps, middle, store.document.x];
        """,
    )
    assert found == [2, 3, 0]


@needs_browser
def test_segments_are_split_deleted_and_dragged(page):
    found = run(
        page,
        """
        const scene = d.emptyScene();
        d.setPrompt(scene, 1, 'walks');
        const second = d.splitSegment(scene, 1.5);
        const split = d.layout(scene).map(({ start, end }) => [start, end]);
        d.setPrompt(scene, second, 'jumps');
        d.moveEdge(scene, 1, 2);
        const pushed = d.layout(scene).map(({ start, end }) => [start, end]);
        d.moveEdge(scene, 1, 1, { roll: true });
        const rolled = d.layout(scene).map(({ start, end }) => [start, end]);
        d.moveEdge(scene, 1, -5);
        const least = scene.segments[0].seconds;
        d.moveEdge(scene, second, 500);
        const most = d.duration(scene);
        const request = d.requestOf(scene);
        d.deleteSegment(scene, 1);
        d.deleteSegment(scene, second);
        return { split, pushed, rolled, least, most, request, left: scene.segments, edge: d.splitSegment(scene, 0.05) };
        """,
    )
    assert found["split"] == [[0, 1.5], [1.5, 4]]
    assert found["pushed"] == [[0, 2], [2, 4.5]]
    assert found["rolled"] == [[0, 1], [1, 4.5]]
    assert (found["least"], found["most"]) == (0.2, 60)
    assert [s["prompt"] for s in found["request"]["segments"]] == ["walks", "jumps"]
    assert found["left"] == [{"id": 2, "prompt": "", "seconds": None, "style": {}}]
    assert found["edge"] is None  # too near to an end


@needs_browser
def test_constraints_move_stretch_and_take_the_place_of_the_same(page):
    found = run(
        page,
        """
        const scene = d.emptyScene();
        const pin = d.putConstraint(scene, { kind: 'pin', joint: 'hand', position: [0, 1, 0], time: 1 });
        const same = d.putConstraint(scene, { kind: 'pin', joint: 'hand', position: [0, 2, 0], time: 1.005 });
        const other = d.putConstraint(scene, { kind: 'pin', joint: 'foot', position: [0, 0, 0], time: 1 });
        d.moveConstraint(scene, pin, 2.00049);
        d.stretchConstraint(scene, other, 1, 1.8);
        d.stretchConstraint(scene, other, 0, 3);
        const freeze = d.addConstraint(scene, { kind: 'freeze', clip: 'Walk', limbs: ['arms'], spans: [[0.5, 1]] });
        d.moveConstraint(scene, freeze, 1);
        const spans = scene.constraints.map((c) => d.span(c, 4));
        const request = d.requestOf(scene);
        d.deleteConstraint(scene, pin);
        return { ids: [pin, same, other, freeze], spans, request, left: scene.constraints.length };
        """,
    )
    assert found["ids"] == [2, 2, 3, 4]
    assert found["spans"] == [[2, 2], [1.8, 1.8], [1, 1.5]]
    assert found["left"] == 2
    assert found["request"]["constraints"] == [
        {"kind": "pin", "joint": "hand", "position": [0, 2, 0], "time": 2},
        {"kind": "pin", "joint": "foot", "position": [0, 0, 0], "interval": [1.8, 1.8]},
        {"kind": "freeze", "clip": "Walk", "limbs": ["arms"], "spans": [[1, 1.5]]},
    ]


@needs_browser
def test_a_request_has_only_what_was_decided(page):
    found = run(
        page,
        """
        const scene = d.emptyScene();
        d.setPrompt(scene, 1, '  a fox runs ');
        const plain = d.requestOf(scene);
        Object.assign(scene, { loop: true, steps: 20, seed: 7, style: { tempo: 1.2 } });
        scene.segments[0].seconds = 2.5;
        return [plain, d.requestOf(scene)];
        """,
    )
    assert found[0] == {"seed": 0, "prompt": "a fox runs"}
    assert found[1] == {
        "seed": 7, "prompt": "a fox runs", "seconds": 2.5, "style": {"tempo": 1.2}, "loop": True, "steps": 20,
    }  # fmt: skip
    from gambol.app.request_json import request_from_data

    assert request_from_data(found[1]).steps == 20


@needs_browser
def test_the_time_scale_goes_there_and_back_and_snaps(page):
    found = run(
        page,
        """
        const scale = new TimeScale();
        scale.fit(4, 864);
        const back = scale.time(scale.x(1.234));
        scale.held = true;
        scale.fit(8, 864);
        const held = scale.length;
        scale.held = false;
        scale.fit(4, 864);
        const labels = scale.marks().filter(({ label }) => label !== null).map(({ label }) => label);
        const [snapped, free] = [scale.snap(1.01, [1, 2]), scale.snap(1.2, [1, 2])];
        return { back, held, end: scale.x(4), snapped, free, labels };
        """,
    )
    assert abs(found["back"] - 1.234) < 1e-12
    assert abs(found["held"] - 4.32) < 1e-12
    assert abs(found["end"] - 800) < 1e-9
    assert (found["snapped"], found["free"]) == (1, 1.2)
    assert found["labels"][:3] == ["0", "0.5", "1"]


@needs_browser
def test_documents_from_elsewhere_are_brought_to_shape_or_refused(page):
    found = run(
        page,
        """
        const segments = [{ id: 1, prompt: 'x', seconds: null, style: {} }];
        const { c } = d.checkedDocument({ schema: 1, character: 'c', scenes: { c: { segments } } }).scenes;
        return [c.constraints, c.variants, d.checkedDocument({ schema: 9 }), d.checkedDocument(null)];
        """,
    )
    assert found == [[], 1, None, None]
