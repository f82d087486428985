"""The player page as a file: whole, offline, safe against any name, and true to the document."""

import hashlib
import json
import re
from base64 import b64encode
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from character_made_by_code import two_bone_scene
from gltf_builder import skinned_tower
from real_data import character_ids, characters

from gambol.character.character import make_character
from gambol.errors import AssetError, ConfigError, GambolError, MissingPart
from gambol.files.asset import Asset, load
from gambol.files.gltf.container import read_document
from gambol.files.gltf.encode import encode_glb
from gambol.files.gltf.read import read_scene
from gambol.files.images import encode_png
from gambol.motion.node_clip import NodeChannel, NodeClip
from gambol.motion.node_clip_conversion import bone_displacements
from gambol.view import open_player as shows
from gambol.view import player_page as pages
from gambol.view.player_facts import chain_colours, clip_frame_rate, page_facts
from gambol.view.player_model import embedded_model

PLAYER = Path(pages.__file__).parent / "player"
NASTY = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "\"quotes\" and 'quotes' & <b>tags</b>",
    "{{model}} {{script}}",
    "line\u2028separators\u2029",
    "Füchslein 狐 🦊",
    "\\u003c/script\\u003e",
]


class Elements(HTMLParser):
    """The elements of a page as a browser would see them."""

    def __init__(self, text: str):
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.texts: dict[str, str] = {}
        self._open: str | None = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        key = dict(attributes).get("id", tag)
        self._open = key if tag in ("script", "style", "title") else None
        if self._open:
            assert self._open not in self.texts, f"two elements {self._open}"
            self.texts[self._open] = ""

    def handle_endtag(self, tag):
        self._open = None

    def handle_data(self, data):
        if self._open:
            self.texts[self._open] += data


def code_asset(**names) -> Asset:
    """The column of two bones with a clip that bends it, under any names."""
    scene = two_bone_scene()
    half = np.sqrt(0.5)
    bend = NodeChannel(1, "rotation", np.array([0.0, 1.0]), np.array([[1.0, 0, 0, 0], [half, half, 0, 0]]))
    scene = replace(scene, nodes=replace(scene.nodes, names=names.get("nodes", scene.nodes.names)))
    clips = tuple(NodeClip(name, (bend,)) for name in names.get("clips", ("bend",)))
    name = names.get("file", "column.obj")
    return Asset(Path(name), make_character(name, scene), clips, None, ())


@pytest.fixture
def tower(tmp_path) -> Asset:
    return load(skinned_tower().write_glb(tmp_path / "tower.glb"))


def test_the_page_is_whole_and_loads_nothing(tower):
    text = pages.player_page(tower)
    page = Elements(text)
    assert [tag for tag, _ in page.tags].count("script") == 3
    for tag, attributes in page.tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "video", "audio", "source", "base", "a")
        assert not {"src", "href", "srcset", "action", "style", "ping", "background"} & attributes.keys()
        assert not [a for a in attributes if a.startswith("on")]
    assert not re.search(r"url\(|@import|image-set", page.texts["style"])
    addresses = set(re.findall(r"https?://[^\"'` )]*", text))
    assert addresses <= {"http://www.w3.org/1999/xhtml"}, "the namespace of HTML is a name, not an address"


def test_the_policy_allows_this_script_and_no_network(tower):
    page = Elements(pages.player_page(tower))
    policy = next(a["content"] for t, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    digests = {k: b64encode(hashlib.sha256(page.texts[k].encode()).digest()).decode() for k in ("script", "style")}
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == f"'sha256-{digests['script']}'"
    assert rules["style-src"] == f"'sha256-{digests['style']}'"
    assert rules["img-src"] == "blob: data:"
    assert set(rules) == {"default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"}


def test_the_model_in_the_page_is_the_document(tower, tmp_path):
    path = pages.write_player(tower, tmp_path / "deep" / "tower.html")
    facts, model = pages.read_player(path)
    assert model == encode_glb(tower.document.json, tower.document.binary_chunk)
    assert facts["name"] == "tower.glb"
    assert [c["name"] for c in facts["clips"]] == ["bend"]
    assert sorted(p.name for p in path.parent.iterdir()) == ["tower.html"]


@pytest.mark.parametrize("embed", [True, False], ids=["data", "beside"])
def test_a_gltf_is_packed_with_all_that_lies_beside_it(tmp_path, embed):
    asset = load(skinned_tower().write_gltf(tmp_path / "tower.gltf", embed=embed))
    model = embedded_model(asset)
    assert not model.rewritten
    assert same_scene(model.glb, asset, tmp_path)
    document = read_document(tmp_path / "model.glb")
    assert "uri" not in document.json["buffers"][0]


def test_a_glb_with_buffers_and_pictures_beside_it_is_packed(tmp_path):
    builder = skinned_tower()
    image = builder.add("images", {"uri": "red.png"})
    texture = builder.add("textures", {"source": image})
    builder.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": texture}
    (tmp_path / "red.png").write_bytes(encode_png(np.full((2, 2, 4), 255, np.uint8)))
    document = builder.document()
    (tmp_path / "body.bin").write_bytes(bytes(builder.buffers[0]))
    document["buffers"][0]["uri"] = "body.bin"
    (tmp_path / "tower.glb").write_bytes(encode_glb(document, None))
    asset = load(tmp_path / "tower.glb")
    model = embedded_model(asset)
    assert not model.rewritten
    alone = tmp_path / "alone"
    alone.mkdir()
    assert same_scene(model.glb, asset, alone)
    packed = read_document(alone / "model.glb").json
    assert not [e for e in [*packed["buffers"], *packed["images"]] if "uri" in e]


@pytest.mark.parametrize("extension", ["KHR_draco_mesh_compression", "KHR_materials_pbrSpecularGlossiness"])
def test_what_three_cannot_read_is_encoded_anew(tower, tmp_path, extension):
    marked = replace(tower.document, json={**tower.document.json, "extensionsUsed": [extension]})
    model = embedded_model(replace(tower, document=marked))
    assert model.rewritten
    assert same_scene(model.glb, tower, tmp_path)


def test_unknown_required_extensions_are_encoded_anew_and_known_ones_are_not(tower):
    for extension, anew in {"ACME_secret": True, "KHR_texture_basisu": True, "KHR_mesh_quantization": False}.items():
        lists = {"extensionsUsed": [extension], "extensionsRequired": [extension]}
        marked = replace(tower.document, json={**tower.document.json, **lists})
        assert embedded_model(replace(tower, document=marked)).rewritten == anew


def test_vertices_whose_weights_were_repaired_are_shown_repaired(tower):
    scene = replace(tower.character.scene, repaired_rows=(np.array([3]),))
    assert embedded_model(replace(tower, character=replace(tower.character, scene=scene))).rewritten


def test_a_missing_picture_costs_the_texture_not_the_page(tmp_path):
    builder = skinned_tower()
    image = builder.add("images", {"uri": "gone.png"})
    texture = builder.add("textures", {"source": image})
    builder.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": texture}
    model = embedded_model(load(builder.write_glb(tmp_path / "tower.glb")))
    assert model.rewritten
    assert b"gone.png" not in model.glb


def test_a_scene_without_a_document_is_embedded_too(tmp_path):
    asset = code_asset()
    model = embedded_model(asset)
    assert model.rewritten
    assert same_scene(model.glb, asset, tmp_path)


def test_no_name_can_break_out_of_the_page(tmp_path):
    for file in NASTY:
        asset = code_asset(file=file.replace("/", "_"), nodes=(NASTY[0], NASTY[1], NASTY[3]), clips=tuple(NASTY))
        path = pages.write_player(asset, tmp_path / "page.html")
        page = Elements(path.read_text(encoding="utf-8"))
        assert [tag for tag, _ in page.tags].count("script") == 3
        assert page.texts["title"] == f"{asset.character.name} · Gambol"
        facts = json.loads(page.texts["facts"])
        assert [c["name"] for c in facts["clips"]] == NASTY
        assert [b["name"] for b in facts["bones"]] == NASTY[:2]
        assert not set("<>&\u2028\u2029") & set(page.texts["facts"])
        assert page.texts["script"] == (PLAYER / "player.js").read_text(encoding="utf-8")


def test_a_file_name_that_is_no_text_does_not_stop_the_page(tmp_path):
    asset = code_asset(file="fox\udcff.glb")
    facts, _ = pages.read_player(pages.write_player(asset, tmp_path / "page.html"))
    assert facts["name"] == "fox\udcff.glb"


def test_the_same_input_gives_the_same_bytes(tmp_path):
    path = skinned_tower().write_glb(tmp_path / "tower.glb")
    written = [pages.write_player(load(path), tmp_path / f"{i}.html").read_bytes() for i in range(2)]
    assert written[0] == written[1]


def test_the_facts_put_the_motion_skeleton_where_gambol_has_it(tower):
    """The page draws joints at node * (0, 0, 0) and a leaf's end at node * tail, below T_world_file."""
    character, clip = tower.character, tower.clips[0]
    facts = page_facts(tower, embedded_model(tower))
    times = np.array([0.0, 0.3, 0.5, 0.9])
    T_world_file = np.array(facts["T_world_file"]).reshape(4, 4)
    T_world_node = T_world_file @ clip.sample(character.scene.nodes, times)
    moved = bone_displacements(character, clip, times)
    skeleton = character.skeleton
    for i, bone in enumerate(facts["bones"]):
        assert (bone["name"], bone["parent"]) == (skeleton.names[i], skeleton.parents[i])
        assert (bone["tail"] is None) == bool(skeleton.children[i])
        wanted = moved[:, i] @ np.append(skeleton.heads[i], 1.0)
        assert np.allclose(T_world_node[:, bone["node"], :, 3], wanted, atol=1e-9)
        if bone["tail"]:
            wanted = moved[:, i] @ np.append(skeleton.tails[i], 1.0)
            assert np.allclose(T_world_node[:, bone["node"]] @ [*bone["tail"], 1.0], wanted, atol=1e-9)
    for node, *rows in facts["rest"]:
        bone = next(i for i, b in enumerate(facts["bones"]) if b["node"] == node)
        head = T_world_file @ np.array([*rows, 0, 0, 0, 1]).reshape(4, 4)[:, 3]
        assert np.allclose(head[:3], skeleton.heads[bone])
    assert np.allclose(facts["low"], character.mesh.vertices.min(0))
    assert np.allclose(facts["high"], character.mesh.vertices.max(0))


def test_every_node_knows_the_bone_that_carries_it(tower):
    facts = page_facts(tower, embedded_model(tower))
    names = tower.character.scene.nodes.names
    of = {names[node]: bone for node, bone in enumerate(facts["bone_of_node"])}
    bones = {b["name"]: i for i, b in enumerate(facts["bones"])}
    assert of == {**bones, "body": -1}


def test_bare_meshes_and_bare_rigs_have_a_page(tmp_path):
    scene = two_bone_scene()
    bare = replace(scene, skins=(), parts=tuple(replace(p, skin=None, joints=None, weights=None) for p in scene.parts))
    asset = Asset(Path("m.obj"), make_character("m.obj", bare), (), None, ())
    facts, model = pages.read_player(pages.write_player(asset, tmp_path / "mesh.html"))
    assert (facts["bones"], facts["first_clip"], facts["triangles"]) == ([], -1, 64)
    assert model[:4] == b"glTF"
    rig = replace(scene, parts=())
    asset = Asset(Path("r.bvh"), make_character("r.bvh", rig), (), None, ())
    facts, model = pages.read_player(pages.write_player(asset, tmp_path / "rig.html"))
    assert (len(facts["bones"]), facts["triangles"]) == (2, 0)
    assert facts["size"] > 0


def test_the_first_clip_can_be_chosen_even_among_equal_names():
    asset = code_asset(clips=("walk", "walk", "run"))
    model = embedded_model(asset)
    assert page_facts(asset, model)["first_clip"] == 0
    assert page_facts(asset, model, clip="run")["first_clip"] == 2
    with pytest.raises(MissingPart, match="no clip 'fly'"):
        page_facts(asset, model, clip="fly")


def test_colours_are_checked_and_used(tower):
    model = embedded_model(tower)
    colours = np.linspace(0, 1, 9).reshape(3, 3)
    facts = page_facts(tower, model, bone_colours=colours)
    assert np.allclose([b["colour"] for b in facts["bones"]], colours, atol=1e-4)
    for bad in (colours[:2], colours * 2, colours[:, :2], colours * np.nan):
        with pytest.raises(ConfigError, match="3 colours of 3 numbers"):
            page_facts(tower, model, bone_colours=bad)


def test_chain_colours_differ_between_chains_and_stay_in_range(tower):
    colours = chain_colours(tower.character.skeleton)
    assert colours.shape == (3, 3)
    assert ((colours >= 0) & (colours <= 1)).all()
    assert np.abs(colours[0] - colours[1]).max() > 0.05  # neighbours on one chain: two shades
    assert np.allclose(colours[0], colours[2])


@pytest.mark.parametrize(
    ("times", "rate"),
    [
        (np.arange(20) / 24, 24.0),
        (1.0 / 24 + np.arange(20) / 24, 24.0),
        (np.arange(20) / 30, 30.0),
        (np.arange(61) / 60, 60.0),
        (np.array([0.0, 1.0]), 30.0),
        (np.append(np.arange(28) / 24, 1.1583), 24.0),  # cut between two frames
        (np.append(0.0, 0.2 + np.arange(24) / 24), 24.0),  # one odd gap shifts all that follow
        (np.array([0.5]), 30.0),
        (np.array([0.0, 0.111, 0.2345, 0.4]), 30.0),
    ],
)
def test_the_frame_rate_is_read_off_the_keys(times, rate):
    channel = NodeChannel(0, "translation", times, np.zeros((len(times), 3)))
    assert clip_frame_rate(NodeClip("c", (channel,))) == rate


def test_only_html_is_written_and_nothing_is_left_when_the_read_back_fails(tower, tmp_path, monkeypatch):
    with pytest.raises(ConfigError, match=r"\.html or \.htm"):
        pages.write_player(tower, tmp_path / "page.txt")
    monkeypatch.setattr(pages, "read_player", lambda path: ({}, b"other bytes"))
    with pytest.raises(GambolError, match="did not read back"):
        pages.write_player(tower, tmp_path / "page.html")
    assert [p.name for p in tmp_path.iterdir()] == ["tower.glb"]


def test_another_page_is_not_taken_for_ours(tmp_path):
    path = tmp_path / "other.html"
    path.write_text("<p>hello</p>")
    with pytest.raises(AssetError, match="not a page that Gambol wrote"):
        pages.read_player(path)


def test_show_writes_where_it_is_told_and_opens_nothing(tower, tmp_path, monkeypatch):
    monkeypatch.setattr(shows.webbrowser, "open", lambda url: pytest.fail("no browser was asked for"))
    assert shows.show_player(tower, tmp_path / "page.html") == tmp_path / "page.html"
    assert (tmp_path / "page.html").is_file()


def test_show_opens_a_temporary_page_in_the_browser(tower, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(shows.tempfile, "mkdtemp", lambda prefix: str(tmp_path))
    monkeypatch.setattr(shows.webbrowser, "open", lambda url: opened.append(url) or True)
    page = shows.show_player(tower)
    assert opened == [page.as_uri()]
    assert pages.read_player(page)[1][:4] == b"glTF"
    monkeypatch.setattr(shows.webbrowser, "open", lambda url: False)
    with pytest.raises(GambolError, match=r"tower\.html, but no browser"):
        shows.show_player(tower)


def test_the_bundle_is_built_from_these_sources_and_keeps_the_licence():
    script = (PLAYER / "player.js").read_text(encoding="utf-8")
    digest = hashlib.sha256()
    for path in [*sorted((PLAYER / "src").iterdir()), PLAYER / "package.json"]:
        digest.update(path.read_bytes())
    found = re.search(r"sources sha256: ([0-9a-f]{64})", script)
    assert found is not None
    assert found.group(1) == digest.hexdigest(), "run npm run build in gambol/view/player"
    assert "Permission is hereby granted, free of charge" in script
    assert "three.js authors" in script
    assert len(script.encode()) < 900_000
    assert not re.search(r"</script|<!--", script, re.IGNORECASE)


def test_the_player_folder_names_no_machine_and_no_registry():
    for path in [p for p in PLAYER.rglob("*") if p.is_file() and "node_modules" not in p.parts]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"/(work|home|Users|root)/|registry\.npmjs|resolved\"", text), path
    assert not (PLAYER / "package-lock.json").exists()


@pytest.mark.parametrize("path", characters(), ids=character_ids(characters()))
def test_real_characters_have_a_page(path, tmp_path):
    asset = load(path)
    facts, model = pages.read_player(pages.write_player(asset, tmp_path / "page.html"))
    assert same_scene(model, asset, tmp_path)
    assert len(facts["clips"]) == len(asset.clips)
    assert len(facts["bone_of_node"]) == len(asset.character.scene.nodes)
    held = {bone for bone in facts["bone_of_node"] if bone >= 0}
    assert held == set(range(len(facts["bones"])))


def same_scene(glb: bytes, asset: Asset, folder: Path) -> bool:
    """Whether a .glb holds the asset's nodes, vertices, weights and clips."""
    (folder / "model.glb").write_bytes(glb)
    scene, clips, _ = read_scene(read_document(folder / "model.glb"))
    meant = asset.character.scene
    assert scene.nodes.names == meant.nodes.names
    assert np.allclose(scene.nodes.T_world_node, meant.nodes.T_world_node)
    assert len(scene.parts) == len(meant.parts)
    for part, wanted in zip(scene.parts, sorted(meant.parts, key=lambda p: p.node), strict=True):
        assert part.node == wanted.node
        assert np.allclose(part.positions, wanted.positions, rtol=1e-6)
        assert np.array_equal(part.triangles, wanted.triangles)
    assert [c.name for c in clips] == [c.name for c in asset.clips]
    for clip, wanted in zip(clips, asset.clips, strict=True):
        moment = np.array([wanted.start, 0.5 * (wanted.start + wanted.end)])
        assert np.allclose(clip.sample(scene.nodes, moment), wanted.sample(meant.nodes, moment), atol=1e-4)
    return True
