"""OBJ, PLY, STL and OFF: geometry, colours, textures, and files that are broken or want too much."""

from __future__ import annotations

import struct
import warnings
from pathlib import Path

import numpy as np
import pytest
import trimesh

from gambol.character.character import make_character
from gambol.errors import AssetError
from gambol.files.images import encode_png
from gambol.files.meshes.read import linear_vertex_colours, read_plain_mesh

SQUARE = """# a square of two materials
mtllib square.mtl
o Square
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 2 0 0
v 2 1 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
vn 0 0 1
vn 0 1 0
usemtl red paint
f 1/1/1 2/2/1 3/3/1 4/4/1
usemtl picture
f 2/1/2 5/2/2 6/3/2
f 2/1/1 6/3/1 3/4/1
"""
PAINT = """newmtl red paint
Kd 0.9 0.1 0.2
d 0.5

newmtl picture
Kd 0 0 0
map_Kd -s 1 1 1 -blendu on tex/my picture.png
"""
PICTURE = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)


def put(folder: Path, name: str, data: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def painted_square(folder: Path, paint: str = PAINT, text: str = SQUARE) -> Path:
    put(folder, "square.mtl", paint)
    put(folder, "tex/my picture.png", encode_png(PICTURE))
    return put(folder, "square.obj", text)


def soup(scene) -> np.ndarray:
    """Corner positions of all triangles, part after part: what the file draws, however it shares vertices."""
    return np.concatenate([p.positions[p.triangles].reshape(-1, 9) for p in scene.parts])


def sorted_soup(triangles: np.ndarray) -> np.ndarray:
    """The same with each triangle turned to start at its smallest corner, and in order."""
    corners = triangles.reshape(-1, 3, 3).astype(np.float64).round(5)
    turned = [np.roll(t, -min(range(3), key=lambda i, t=t: tuple(t[i])), axis=0).ravel() for t in corners]
    return np.array(sorted(map(tuple, turned)))


def test_obj_parts_materials_and_textures(tmp_path):
    scene, clips, notes = read_plain_mesh(painted_square(tmp_path))
    assert clips == ()
    assert notes == ()
    assert scene.nodes.names == ("square",)
    red, picture = scene.parts
    assert [m.name for m in scene.materials] == ["red paint", "picture"]
    assert (red.material, picture.material) == (0, 1)
    np.testing.assert_array_equal(red.positions, [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    np.testing.assert_array_equal(red.triangles, [[0, 1, 2], [0, 2, 3]])
    np.testing.assert_array_equal(red.uvs, [[0, 1], [1, 1], [1, 0], [0, 0]])
    assert scene.materials[0].base_colour == pytest.approx((0.9, 0.1, 0.2, 0.5))
    assert scene.materials[0].alpha_mode == "BLEND"
    assert scene.materials[1].base_colour == (1.0, 1.0, 1.0, 1.0)
    np.testing.assert_array_equal(scene.materials[1].texture.pixels[..., :3], PICTURE)
    # one vertex for each pair of position and texture coordinate; normals split nothing
    assert len(picture.positions) == 4
    assert red.positions.dtype == np.float32
    assert red.triangles.dtype == np.int32
    character = make_character("square", scene)
    assert character.mesh is not None
    assert character.skeleton is None


def test_obj_relative_indices_count_from_their_own_line(tmp_path):
    text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 5\nv 1 0 5\nv 0 1 5\nf -3 -2 -1\n"
    scene, _, _ = read_plain_mesh(put(tmp_path, "a.obj", text))
    np.testing.assert_array_equal(scene.parts[0].triangles, [[0, 1, 2], [3, 4, 5]])


@pytest.mark.parametrize(
    "change",
    [("\n", "\r\n"), ("v 1 0 0", "v 1 \\\n0 0"), ("v 1 0 0", "v  1\t0 0 # right"), ("v 1 0 0", "v 1e0 0.0 -0")],
)
def test_obj_ways_of_writing_the_same(tmp_path, change):
    expected, _, _ = read_plain_mesh(painted_square(tmp_path))
    scene, _, _ = read_plain_mesh(painted_square(tmp_path, text=SQUARE.replace(*change)))
    np.testing.assert_array_equal(soup(scene), soup(expected))


def test_obj_polygons_and_vertex_colours(tmp_path):
    corners = [(np.cos(a), np.sin(a)) for a in np.arange(5) * 2 * np.pi / 5]
    lines = [f"v {x} {y} 0 0.5 0.25 {i / 4}" for i, (x, y) in enumerate(corners)]
    scene, _, _ = read_plain_mesh(put(tmp_path, "a.obj", "\n".join([*lines, "f 1 2 3 4 5"])))
    (part,) = scene.parts
    np.testing.assert_array_equal(part.triangles, [[0, 1, 2], [0, 2, 3], [0, 3, 4]])
    assert part.uvs is None
    assert part.material is None
    stored = np.array([[0.5, 0.25, i / 4, 1.0] for i in range(5)])
    np.testing.assert_allclose(part.colours, linear_vertex_colours(stored), atol=1e-6)
    assert part.colours[0, 0] == pytest.approx(0.214041, abs=1e-5)


def test_obj_without_its_materials_is_grey_and_says_so(tmp_path):
    scene, _, notes = read_plain_mesh(put(tmp_path, "square.obj", SQUARE))
    assert len(notes) == 1
    assert "square.mtl" in notes[0]
    assert [m.name for m in scene.materials] == ["red paint", "picture"]
    assert scene.materials[1].texture is None


@pytest.mark.parametrize(
    "name",
    [
        "../secret.png",
        "tex/../../secret.png",
        "..\\secret.png",
        "/{outside}/secret.png",
        "file:///{outside}/secret.png",
    ],
)
def test_textures_outside_the_folder_are_never_opened(tmp_path, name, monkeypatch):
    put(tmp_path, "secret.png", encode_png(PICTURE))
    inside = tmp_path / "inside"
    paint = PAINT.replace("tex/my picture.png", name.replace("{outside}", str(tmp_path).strip("/")))
    opened = []
    original = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda self: opened.append(self.resolve()) or original(self))
    scene, _, notes = read_plain_mesh(painted_square(inside, paint))
    assert scene.materials[1].texture is None
    assert any("texture is left out" in note for note in notes)
    assert opened
    assert all(path.is_relative_to(inside.resolve()) for path in opened)


def test_a_material_library_outside_the_folder_is_never_opened(tmp_path):
    put(tmp_path, "square.mtl", PAINT)
    scene, _, notes = read_plain_mesh(put(tmp_path / "inside", "a.obj", SQUARE.replace("square.mtl", "../other.mtl")))
    assert scene.materials[0].base_colour == (0.8, 0.8, 0.8, 1.0)
    assert "grey" in notes[0]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    secret = put(tmp_path, "secret.png", encode_png(PICTURE))
    path = painted_square(tmp_path / "inside")
    link = tmp_path / "inside/tex/my picture.png"
    link.unlink()
    link.symlink_to(secret)
    scene, _, notes = read_plain_mesh(path)
    assert scene.materials[1].texture is None
    assert "outside" in notes[0]


def test_a_texture_by_its_path_on_another_machine_is_found_beside_the_file(tmp_path):
    path = painted_square(tmp_path, PAINT.replace("tex/my picture.png", "C:\\Users\\me\\my picture.png"))
    put(tmp_path, "my picture.png", encode_png(PICTURE))
    scene, _, notes = read_plain_mesh(path)
    assert scene.materials[1].texture is not None
    assert notes == ()


def test_a_broken_texture_costs_a_note(tmp_path):
    path = painted_square(tmp_path)
    put(tmp_path, "tex/my picture.png", b"\x89PNG not really")
    scene, _, notes = read_plain_mesh(path)
    assert scene.materials[1].texture is None
    assert "texture is left out" in notes[0]


def ply(encoding: str, colours: str = "uchar", texture: str | None = None) -> bytes:
    """A square of a quad and a triangle with colours and texture coordinates, in any of PLY's three encodings."""
    vertices = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (2, 0, 0)]
    faces = [(0, 1, 2, 3), (1, 4, 2)]
    comment = f"comment TextureFile {texture}\n" if texture else ""
    header = f"ply\nformat {encoding} 1.0\n{comment}element vertex 5\n"
    header += "property float x\nproperty float y\nproperty double z\n"
    header += "".join(f"property {colours} {name}\n" for name in ("red", "green", "blue"))
    header += "property float s\nproperty float t\n"
    header += "element face 2\nproperty uchar flag\nproperty list uchar int vertex_indices\nproperty short extra\n"
    header += "end_header\n"
    full = {"uchar": 255, "float": 1.0, "ushort": 65535}[colours]
    rows = [(*p, full, 0, full if i == 0 else 0, p[0] / 2, p[1]) for i, p in enumerate(vertices)]
    if encoding == "ascii":
        lines = [" ".join(map(str, row)) for row in rows]
        lines += [" ".join(map(str, (7, len(f), *f, -3))) for f in faces]
        return (header + "\n".join(lines) + "\n").encode()
    order = "<" if "little" in encoding else ">"
    kind = {"uchar": "B", "float": "f", "ushort": "H"}[colours]
    body = b"".join(struct.pack(f"{order}ffd{kind}{kind}{kind}ff", *row) for row in rows)
    body += b"".join(struct.pack(f"{order}BB{len(f)}ih", 7, len(f), *f, -3) for f in faces)
    return header.encode() + body


@pytest.mark.parametrize("encoding", ["ascii", "binary_little_endian", "binary_big_endian"])
@pytest.mark.parametrize("colours", ["uchar", "float", "ushort"])
def test_ply_with_polygons_of_two_sizes(tmp_path, encoding, colours):
    scene, clips, notes = read_plain_mesh(put(tmp_path, "a.ply", ply(encoding, colours)))
    assert (clips, notes) == ((), ())
    (part,) = scene.parts
    np.testing.assert_array_equal(part.positions, [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0, 0]])
    np.testing.assert_array_equal(part.triangles, [[0, 1, 2], [0, 2, 3], [1, 4, 2]])
    np.testing.assert_array_equal(part.colours, [[1, 0, 1, 1]] + [[1, 0, 0, 1]] * 4)
    np.testing.assert_array_equal(part.uvs, [[0, 1], [0.5, 1], [0.5, 0], [0, 0], [1, 1]])
    assert scene.materials == ()


def test_ply_texture(tmp_path):
    put(tmp_path, "skin.png", encode_png(PICTURE))
    scene, _, _ = read_plain_mesh(put(tmp_path, "a.ply", ply("binary_little_endian", texture="skin.png")))
    np.testing.assert_array_equal(scene.materials[scene.parts[0].material].texture.pixels[..., :3], PICTURE)
    scene, _, notes = read_plain_mesh(put(tmp_path, "a.ply", ply("ascii", texture="../skin2.png")))
    assert scene.materials == ()
    assert "texture is left out" in notes[0]


@pytest.mark.parametrize("suffix", ["obj", "ply", "stl", "off"])
def test_what_trimesh_writes_reads_the_same(tmp_path, suffix):
    mesh = trimesh.creation.icosphere(subdivisions=2)
    mesh.vertices *= [1.0, 2.0, 0.5]
    mesh.export(tmp_path / f"ball.{suffix}")
    scene, _, _ = read_plain_mesh(tmp_path / f"ball.{suffix}")
    (part,) = scene.parts
    assert len(part.positions) == len(mesh.vertices)
    np.testing.assert_allclose(sorted_soup(soup(scene)), sorted_soup(mesh.triangles), atol=2e-5)
    if suffix != "stl":
        np.testing.assert_allclose(part.positions, mesh.vertices, atol=1e-6)
        np.testing.assert_array_equal(part.triangles, mesh.faces)


def test_ascii_stl_with_two_solids(tmp_path):
    text = ""
    for name, z in (("one", 0), ("two", 3)):
        facets = [((0, 0), (1, 0), (0, 1)), ((1, 0), (1, 1), (0, 1))]
        text += f"solid {name}\n"
        for facet in facets:
            corners = "".join(f"vertex {x} {y} {z}\n" for x, y in facet)
            text += f"facet normal 0 0 1\nouter loop\n{corners}endloop\nendfacet\n"
        text += f"endsolid {name}\n"
    scene, _, _ = read_plain_mesh(put(tmp_path, "a.stl", text))
    assert [len(p.positions) for p in scene.parts] == [4, 4]
    np.testing.assert_array_equal(scene.parts[0].positions, [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]])
    np.testing.assert_array_equal(scene.parts[1].triangles, [[0, 1, 2], [1, 3, 2]])


def test_off_with_a_quad(tmp_path):
    scene, _, _ = read_plain_mesh(put(tmp_path, "a.off", "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n"))
    assert len(scene.parts[0].triangles) == 2
    assert (
        np.linalg.norm(np.cross(*np.diff(soup(scene).reshape(-1, 3, 3), axis=1).transpose(1, 0, 2)), axis=-1).sum()
        == 2.0
    )


TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
LITTLE = ply("binary_little_endian")
ASCII = ply("ascii").decode()
STL = struct.pack("<80xI", 1) + struct.pack("<12fH", 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)
FACET = """solid a
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 1 0
endloop
endfacet
endsolid a
"""
OFF = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
DAMAGED = {
    "empty.obj": "",
    "garbage.obj": bytes(range(256)) * 9,
    "points.obj": "v 0 0 0\nv 1 1 1\n",
    "faces.obj": "f 1 2 3\n",
    "beyond.obj": TRIANGLE + "f 1 2 4\n",
    "before.obj": TRIANGLE + "f -1 -2 -4\n",
    "zero.obj": TRIANGLE + "f 0 1 2\n",
    "word.obj": TRIANGLE + "f a b c\n",
    "words.obj": "v a b c\n" + TRIANGLE,
    "short.obj": TRIANGLE + "v 1\n",
    "flat.obj": "v 0 0\nv 1 0\nv 0 1\nf 1 2 3\n",
    "nan.obj": TRIANGLE.replace("v 1 0 0", "v nan 0 0"),
    "huge.obj": TRIANGLE.replace("v 1 0 0", "v 1e30 0 0"),
    "lines.obj": "v 0 0 0\nv 1 0 0\nf 1 2\n",
    "uv.obj": TRIANGLE + "f 1/1 2/2 3/3\n",
    "uvs.obj": TRIANGLE + "vt x y\nf 1/1 2/1 3/1\n",
    "giant.obj": TRIANGLE + f"f 1 2 {10**400}\n",
    "empty.ply": b"",
    "garbage.ply": bytes(range(256)) * 9,
    "headless.ply": b"ply\nformat ascii 1.0\nelement vertex 5\n",
    "encoding.ply": ASCII.replace("ascii", "morse"),
    "formless.ply": ASCII.replace("format ascii 1.0\n", ""),
    "single.ply": ASCII.replace("list uchar int vertex_indices", "int vertex_indices"),
    "nothing.ply": "ply\nformat ascii 1.0\nend_header\n",
    "points.ply": ASCII.split("element face")[0] + "end_header\n" + "0 0 0 0 0 0 0 0\n" * 5,
    "count.ply": LITTLE.replace(b"vertex 5", b"vertex 999999999999999"),
    "faces.ply": LITTLE.replace(b"face 2", b"face 99999999999"),
    "negative.ply": LITTLE.replace(b"face 2", b"face -2"),
    "counts.ply": ASCII.replace("vertex 5", "vertex 999999999999999"),
    "property.ply": ASCII.replace("property float x", "property quux x"),
    "orphan.ply": "ply\nformat ascii 1.0\nproperty float x\nend_header\n",
    "truncated.ply": LITTLE[:-20],
    "truncated-ascii.ply": ASCII[:-12],
    "index.ply": ASCII.replace("7 3 1 4 2", "7 3 1 9 2"),
    "minus.ply": ASCII.replace("7 3 1 4 2", "7 3 1 -4 2"),
    "fraction.ply": ASCII.replace("7 3 1 4 2", "7 nan 1 4 2"),
    "list.ply": ASCII.replace("7 3 1 4 2", "7 300000000 1 4 2"),
    "backwards.ply": ASCII.replace("7 3 1 4 2", "7 -3 1 4 2"),
    "word.ply": ASCII.replace("7 3 1 4 2", "7 three 1 4 2"),
    "nan.ply": ASCII.replace("2 0 0 255", "nan 0 0 255"),
    "empty.stl": b"",
    "garbage.stl": bytes(range(256)) * 9,
    "truncated.stl": STL[:-3],
    "count.stl": struct.pack("<80xI", 2**32 - 1) + STL[84:],
    "none.stl": struct.pack("<80xI", 0),
    "nan.stl": STL.replace(struct.pack("<f", 1.0), struct.pack("<f", np.nan)),
    "half.stl": FACET.replace("vertex 1 0 0", "vertex 1 0"),
    "word.stl": FACET.replace("vertex 1 0 0", "vertex 1 b 0"),
    "empty.off": "",
    "garbage.off": bytes(range(256)) * 9,
    "count.off": OFF.replace("3 1 0", "999999999999 1 0"),
    "word.off": OFF.replace("1 0 0", "one 0 0"),
    "index.off": OFF.replace("3 0 1 2", "3 0 1 7"),
    "nan.off": OFF.replace("0 1 0", "nan 1 0"),
    "none.off": "OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n",
    "wrong.xyz": "0 0 0\n",
    "pickle.pkl": b"\x80\x04K\x01.",
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_files_are_refused_with_a_sentence(tmp_path, name):
    path = put(tmp_path, name, DAMAGED[name])
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        with pytest.raises(AssetError) as caught:
            read_plain_mesh(path)
    message = str(caught.value)
    assert name in message or name.split(".")[1] in message
    assert message.endswith(".")
    assert "\n" not in message
    assert len(message) < 300


def test_nothing_is_logged_or_printed_about_a_damaged_file(tmp_path, capfd, caplog):
    text = FACET.replace("normal 0 0 1", "normal 0 x 1")
    read_plain_mesh(put(tmp_path, "a.stl", text))
    assert capfd.readouterr() == ("", "")
    assert caplog.records == []


def test_a_missing_file_is_refused_with_a_sentence(tmp_path):
    with pytest.raises(AssetError, match="cannot be read"):
        read_plain_mesh(tmp_path / "absent.obj")


@pytest.mark.parametrize(
    ("name", "data"), [("a.ply", LITTLE), ("a.stl", STL), ("b.ply", ply("ascii")), ("a.off", OFF.encode())]
)
def test_a_file_cut_anywhere_is_refused_or_sound(tmp_path, name, data):
    for end in range(len(data)):
        try:
            scene, _, _ = read_plain_mesh(put(tmp_path, name, data[:end]))
        except AssetError:
            continue
        check_sound(scene)
        # only the last number, or what stands behind the last face, may be missing
        assert end > len(data) - 8


def test_random_damage_gives_a_sound_scene_or_a_sentence(tmp_path):
    bases = {"a.obj": SQUARE.encode(), "a.ply": LITTLE, "b.ply": ply("ascii"), "a.stl": STL, "a.off": OFF.encode()}
    put(tmp_path, "square.mtl", PAINT)
    outcomes = {name: [0, 0] for name in bases}
    for seed in range(500):
        rng = np.random.default_rng(seed)
        name = list(bases)[seed % len(bases)]
        data = bytearray(bases[name])
        for _ in range(rng.integers(1, 5)):
            printable = b"0123456789 .-/vfe\n"
            data[rng.integers(len(data))] = (
                int(rng.integers(256)) if rng.random() < 0.5 else printable[rng.integers(18)]
            )
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            try:
                scene, _, _ = read_plain_mesh(put(tmp_path, name, bytes(data)))
            except AssetError:
                outcomes[name][1] += 1
                continue
        check_sound(scene)
        outcomes[name][0] += 1
    assert all(loaded > 0 for loaded, _ in outcomes.values()), outcomes
    assert all(refused > 0 for _, refused in outcomes.values()), outcomes


def check_sound(scene) -> None:
    assert scene.parts
    for part in scene.parts:
        assert np.isfinite(part.positions).all()
        assert part.triangles.shape[1] == 3
        assert 0 <= part.triangles.min() <= part.triangles.max() < len(part.positions)
        assert part.uvs is None or (np.isfinite(part.uvs).all() and len(part.uvs) == len(part.positions))
        assert part.colours is None or ((part.colours >= 0) & (part.colours <= 1)).all()
        assert part.material is None or part.material < len(scene.materials)
    assert len(scene.repaired_rows) == len(scene.parts)
