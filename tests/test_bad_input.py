"""Broken references, sizes and arrays are refused in one sentence; damaged files load or are refused too."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable

import numpy as np
import pytest
from gltf_builder import GltfBuilder, skinned_tower
from mutations import LONGEST, MOST_BYTES, damage, load_each, load_fully, morphing_character, needs_limits
from refusals import refuse

from gambol.files.gltf.container import read_document

SEEDS = 200


def poke(*path: str | int, value: object) -> Callable[[GltfBuilder], None]:
    """A change deep in a builder's JSON."""

    def change(builder: GltfBuilder) -> None:
        place = builder.json
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value

    return change


PRIMITIVE = ("meshes", 0, "primitives", 0)
SAMPLER = ("animations", 0, "samplers", 0)
BROKEN = {
    "accessor of an attribute": (
        poke(*PRIMITIVE, "attributes", "POSITION", value=99),
        r"POSITION is 99; allowed is 0 to",
    ),
    "negative accessor": (poke(*PRIMITIVE, "attributes", "POSITION", value=-1), "POSITION is -1"),
    "accessor that is no number": (poke(*PRIMITIVE, "attributes", "POSITION", value="0"), "must be a whole number"),
    "accessor that is half": (poke(*PRIMITIVE, "attributes", "POSITION", value=0.5), "must be a whole number"),
    "accessor that is true": (poke(*PRIMITIVE, "attributes", "POSITION", value=True), "must be a whole number"),
    "accessor of the wrong type": (poke(*PRIMITIVE, "attributes", "POSITION", value=3), "allowed is VEC3"),
    "accessor of the indices": (poke(*PRIMITIVE, "indices", value=99), r"primitives\[0\]\.indices is 99"),
    "indices that are floats": (poke("accessors", 4, "componentType", value=5126), "view of|unsigned integers"),
    "attributes of different length": (poke("accessors", 3, "count", value=7), r"has 7 rows for 24 vertices"),
    "joints that are floats": (poke(*PRIMITIVE, "attributes", "JOINTS_0", value=2), "JOINTS_0 must be integers"),
    "mode": (poke(*PRIMITIVE, "mode", value=9), r"mode is 9; allowed is 0 to 6"),
    "material": (poke(*PRIMITIVE, "material", value=1), r"material is 1; allowed is 0 to 0"),
    "buffer view": (poke("accessors", 0, "bufferView", value=99), r"accessors\[0\]\.bufferView is 99"),
    "buffer view as a list": (poke("accessors", 0, "bufferView", value=[]), r"accessors\[0\]\.bufferView"),
    "buffer": (poke("bufferViews", 0, "buffer", value=1), r"bufferViews\[0\]\.buffer is 1; allowed is 0 to 0"),
    "no buffer": (poke("bufferViews", 0, value={"byteLength": 4}), r"bufferViews\[0\] names no buffer"),
    "view past its buffer": (poke("bufferViews", 0, "byteLength", value=10**6), r"bufferViews\[0\] reaches to byte"),
    "view far past its buffer": (
        poke("bufferViews", 0, "byteOffset", value=2**53),
        r"bufferViews\[0\] reaches to byte",
    ),
    "view before its buffer": (poke("bufferViews", 0, "byteOffset", value=-4), "byteOffset is -4"),
    "accessor past its view": (
        poke("accessors", 0, "count", value=25),
        r"accessors\[0\] needs 300 bytes of a view of 288",
    ),
    "accessor offset past its view": (poke("accessors", 0, "byteOffset", value=4), r"accessors\[0\] needs 292 bytes"),
    "count of 2^40": (poke("accessors", 0, "count", value=2**40), r"accessors\[0\] asks for \d+ bytes more"),
    "count of 2^63": (poke("accessors", 0, "count", value=2**63), r"accessors\[0\]\.count is 9223372036854775808"),
    "count below zero": (poke("accessors", 0, "count", value=-1), r"accessors\[0\]\.count is -1"),
    "huge count from nothing": (
        poke("accessors", 0, value={"componentType": 5126, "type": "VEC3", "count": 2**40}),
        r"accessors\[0\] asks for \d+ bytes more",
    ),
    "component type": (poke("accessors", 0, "componentType", value=5124), "componentType is 5124"),
    "type": (poke("accessors", 0, "type", value="VEC5"), "'VEC5'; allowed is VEC3"),
    "stride smaller than an element": (poke("bufferViews", 0, "byteStride", value=4), "byteStride is 4; allowed is 12"),
    "stride too large": (poke("bufferViews", 0, "byteStride", value=5000), "byteStride is 5000"),
    "sparse without anything": (poke("accessors", 0, "sparse", value={}), r"accessors\[0\]\.sparse\.count"),
    "sparse with more rows than there are": (poke("accessors", 0, "sparse", value={"count": 25}), "sparse.count is 25"),
    "sparse row out of range": (
        poke(
            "accessors",
            0,
            "sparse",
            value={"count": 4, "indices": {"bufferView": 0, "componentType": 5125}, "values": {"bufferView": 0}},
        ),
        r"accessors\[0\]\.sparse points at element \d+ of 24",
    ),
    "sparse indices that are signed": (
        poke("accessors", 0, "sparse", value={"count": 1, "indices": {"bufferView": 0, "componentType": 5122}}),
        "sparse.indices must be unsigned",
    ),
    "child": (poke("nodes", 0, "children", value=[9]), r"nodes\[0\]\.children\[0\] is 9; allowed is 0 to 3"),
    "its own child": (poke("nodes", 0, "children", value=[0]), r"nodes\[0\] has node 0 as a child"),
    "two parents": (
        poke("nodes", 3, "children", value=[2]),
        r"nodes\[3\] has node 2 as a child, which already has a parent",
    ),
    "twice the same child": (poke("nodes", 0, "children", value=[1, 1]), "already has a parent"),
    "circle of two": (poke("nodes", 1, "children", value=[0]), "contains a cycle"),
    "circle of three": (poke("nodes", 2, "children", value=[0]), "contains a cycle"),
    "mesh": (poke("nodes", 3, "mesh", value=1), r"nodes\[3\]\.mesh is 1; allowed is 0 to 0"),
    "skin": (poke("nodes", 3, "skin", value=7), r"nodes\[3\]\.skin is 7"),
    "joint of a skin": (poke("skins", 0, "joints", value=[0, 1, 4]), r"skins\[0\]\.joints\[2\] is 4"),
    "joint twice": (poke("skins", 0, "joints", value=[0, 1, 1]), r"skins\[0\] names the same joint twice"),
    "no joints": (poke("skins", 0, "joints", value=[]), r"skins\[0\] has no joints"),
    "too few joints for the vertices": (
        poke("skins", 0, "joints", value=[0, 1]),
        "binds vertices to joint 2 of a skin with 2",
    ),
    "too few matrices": (poke("accessors", 5, "count", value=2), "2 inverse bind matrices for 3 joints"),
    "inverse bind matrices elsewhere": (poke("skins", 0, "inverseBindMatrices", value=0), "allowed is MAT4"),
    "node of a scene": (poke("scenes", value=[{"nodes": [17]}]), r"scenes\[0\]\.nodes\[0\] is 17"),
    "target of a channel": (poke("animations", 0, "channels", 0, "target", "node", value=4), r"target\.node is 4"),
    "sampler of a channel": (poke("animations", 0, "channels", 0, "sampler", value=2), r"channels\[0\]\.sampler is 2"),
    "channel without a sampler": (
        poke("animations", 0, "channels", 0, value={"target": {"node": 0, "path": "scale"}}),
        r"channels\[0\] names no sampler",
    ),
    "times of a sampler": (poke(*SAMPLER, "input", value=None), r"samplers\[0\]\.input must be a whole number"),
    "values of a sampler": (poke(*SAMPLER, "output", value=8), r"samplers\[0\]\.output uses .* allowed is VEC4"),
    "interpolation": (poke(*SAMPLER, "interpolation", value="MAGIC"), r"interpolation is 'MAGIC'"),
    "cubic with too few values": (poke(*SAMPLER, "interpolation", value="CUBICSPLINE"), "12 values for 3 keys of 12"),
    "weights of a mesh": (poke(*PRIMITIVE, "targets", value=[{"POSITION": 2}]), "POSITION.*allowed is VEC3"),
    "morph target of another length": (
        poke(*PRIMITIVE, "targets", value=[{"POSITION": 8}]),
        r"targets\[0\] has 2 rows for 24 vertices",
    ),
    "factor of a material": (
        poke("materials", 0, "pbrMetallicRoughness", "baseColorFactor", value=[1, 2]),
        r"materials\[0\]\.factor must be a list of 4 numbers",
    ),
    "texture channel": (
        poke("materials", 0, "pbrMetallicRoughness", "baseColorTexture", value={"index": 0, "texCoord": -1}),
        "texCoord is -1",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_references_and_sizes(tmp_path, name):
    change, match = BROKEN[name]
    builder = skinned_tower(3)
    load_fully(builder.write_glb(tmp_path / "sound.glb"))
    change(builder)
    refuse(builder.write_glb(tmp_path / "broken.glb"), match)


class TestArrays:
    def tower_with(self, accessor: int, values: np.ndarray, dtype: str = "<f4") -> GltfBuilder:
        """A tower with the data of one accessor replaced."""
        builder = skinned_tower(3)
        view = builder.json["bufferViews"][builder.json["accessors"][accessor]["bufferView"]]
        data = np.asarray(values).astype(dtype).tobytes()
        builder.buffers[0][view["byteOffset"] : view["byteOffset"] + len(data)] = data
        return builder

    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e30, 3e38])
    def test_positions_that_are_not_finite(self, tmp_path, value):
        refuse(self.tower_with(0, [0.0, value]).write_glb(tmp_path / "a.glb"), r"primitives\[0\] has vertex positions")

    def test_a_triangle_beyond_the_vertices(self, tmp_path):
        path = self.tower_with(4, [0, 1, 24], "<u2").write_glb(tmp_path / "a.glb")
        refuse(path, r"primitives\[0\]\.indices points at vertex 24 of 24")

    def test_a_joint_beyond_the_skin(self, tmp_path):
        path = self.tower_with(1, [3, 0, 0, 0], "<u1").write_glb(tmp_path / "a.glb")
        refuse(path, r"primitives\[0\] binds vertices to joint 3 of a skin with 3 joints")

    @pytest.mark.parametrize("matrix", [np.zeros((4, 4)), np.diag([1.0, 0.0, 1.0, 1.0]), np.diag([1e-20] * 3 + [1.0])])
    def test_singular_inverse_bind_matrices(self, tmp_path, matrix):
        both = np.stack([np.eye(4), matrix])
        path = self.tower_with(5, both.transpose(0, 2, 1)).write_glb(tmp_path / "a.glb")
        refuse(path, r"skins\[0\]: the inverse bind matrix of joint 1 cannot be inverted")

    @pytest.mark.parametrize("value", [np.nan, np.inf, 1e20])
    def test_inverse_bind_matrices_that_are_not_finite(self, tmp_path, value):
        refuse(
            self.tower_with(5, [value]).write_glb(tmp_path / "a.glb"),
            r"skins\[0\] has inverse bind matrices that are not finite",
        )

    def test_small_and_uneven_inverse_bind_matrices_are_fine(self, tmp_path):
        matrix = np.diag([1e-4, 1e-4, 1e-6, 1.0])
        path = self.tower_with(5, np.stack([matrix] * 3)).write_glb(tmp_path / "a.glb")
        assert load_fully(path).startswith("1 parts")

    @pytest.mark.parametrize(
        ("times", "match"),
        [([0.0, 0.5, 0.25], "run backwards"), ([0.0, np.nan, 1.0], "not finite"), ([0.0, 1.0, np.inf], "not finite")],
    )
    def test_key_times(self, tmp_path, times, match):
        path = self.tower_with(7, times).write_glb(tmp_path / "a.glb")
        refuse(path, rf"animations\[0\]\.samplers\[0\] has key.* {match}|samplers\[0\] has keys that are {match}")

    @pytest.mark.parametrize("value", [np.nan, np.inf, 1e30])
    def test_keys_that_are_not_finite(self, tmp_path, value):
        path = self.tower_with(6, [0.0, value]).write_glb(tmp_path / "a.glb")
        refuse(path, r"animations\[0\]\.samplers\[0\] has keys that are not finite")

    def test_a_chain_of_large_scales_overflows(self, tmp_path):
        builder = GltfBuilder()
        for i in range(20):
            builder.node(scale=[1e20, 1e20, 1e20], children=[i + 1] if i < 19 else None)
        refuse(builder.write_glb(tmp_path / "a.glb"), r"nodes\[0\] has a transform that is not finite or beyond")

    def test_a_clip_of_large_scales_overflows(self, tmp_path):
        builder = GltfBuilder()
        for i in range(40):
            builder.node(children=[i + 1] if i < 39 else None)
        grow = ([0.0, 1.0], [[1.0] * 3, [1e11] * 3], "LINEAR")
        builder.animation("grow", *[(i, "scale", *grow) for i in range(40)])
        refuse(builder.write_glb(tmp_path / "a.glb"), r"a clip moves nodes\[1\] beyond 1e\+12 units")

    def test_morph_targets_of_different_number(self, tmp_path):
        builder = GltfBuilder()
        points = np.eye(3)
        primitives = [builder.primitive(points, targets=[points] * n) for n in (1, 2)]
        builder.node(mesh=builder.mesh(*primitives))
        refuse(
            builder.write_glb(tmp_path / "a.glb"),
            r"meshes\[0\]: its primitives must have the same number of morph targets",
        )


@needs_limits
def test_damaged_files_load_or_are_refused():
    """The mutation proof: 200 damaged files from seeds 0 to 199; any other exception, a crash or a hang fails."""
    outcomes = list(load_each(range(SEEDS)))
    failures = [f"seed {o.job}: {o.detail}" for o in outcomes if o.kind == "failed"]
    assert not failures, "\n".join(failures)
    assert [o.job for o in outcomes] == list(range(SEEDS))
    assert max(o.seconds for o in outcomes) < LONGEST
    assert max(o.grown_bytes for o in outcomes) < MOST_BYTES
    # the proof is only one if the damage is of all kinds: many files get through, many are refused at many places
    kinds = {kind: [o.detail for o in outcomes if o.kind == kind] for kind in ("loaded", "refused")}
    assert len(kinds["loaded"]) > SEEDS // 10
    assert len({re.sub(r"\d+", "#", d) for d in kinds["refused"]}) > 40
    for sentence in kinds["refused"]:
        assert re.match(r"[\w/.-]+\.(glb|gltf|bin)\b", sentence), sentence
        assert "\n" not in sentence
        assert sentence.endswith(".")


def test_the_same_seed_gives_the_same_damage():
    base = [{"a.glb": morphing_character().glb_bytes()}]
    whole = base[0]["a.glb"]
    damaged = [damage(seed, base)["a.glb"] for seed in range(40)]
    assert damaged == [damage(seed, base)["a.glb"] for seed in range(40)]
    assert sum(d != whole for d in damaged) > 35
    assert len(set(damaged)) > 35


def test_the_sound_files_are_sound(tmp_path):
    for builder, parts in ((skinned_tower(3), 1), (morphing_character(), 3)):
        for path in (
            builder.write_glb(tmp_path / "a.glb"),
            builder.write_gltf(tmp_path / "b.gltf"),
            builder.write_gltf(tmp_path / "c.gltf", embed=True),
        ):
            assert load_fully(path).startswith(f"{parts} parts")
            assert load_fully(path).endswith("0 notes")
    document = read_document(tmp_path / "c.gltf")
    assert base64.b64decode(document.json["buffers"][0]["uri"].split(",")[1]) == document.buffers[0]
