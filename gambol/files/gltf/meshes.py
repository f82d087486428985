"""Read the drawable parts of a glTF file: primitives, morph targets, weights, materials, textures, Draco."""

from __future__ import annotations

from typing import Any

import numpy as np

from gambol.character.scene import Material, Part, Texture
from gambol.character.weights import repair_weight_rows
from gambol.errors import AssetError, MissingExtra
from gambol.files.gltf.accessors import COMPONENT_COUNTS, AccessorReader, normalise_integers
from gambol.files.gltf.container import read_uri
from gambol.files.gltf.json_fields import (
    check_index,
    field_index,
    field_integer,
    field_list,
    field_name,
    field_number,
    field_numbers,
    field_object,
    field_objects,
    field_text,
)
from gambol.files.images import MAX_PICTURE_PIXELS, decode_picture

MAX_COORDINATE = 1e9
"""Largest vertex coordinate that is read, file units."""
MAX_UV = 1e6
"""Largest texture coordinate that is kept; larger ones become 0."""
BYTES_PER_FREE_VERTEX = 96
"""Memory that is counted for a vertex without bytes in the file: of a mesh that a further node draws, or all zero."""
BYTES_PER_FREE_PART = 2048
"""Memory that is counted for a part without bytes in the file."""
WRAP_MODES = {33071: "clamp", 33648: "mirror", 10497: "repeat"}
"""Wrapping rule of each glTF sampler code."""


class MeshReader:
    """Turns glTF meshes into parts; one instance per document, so that shared meshes are decoded once."""

    def __init__(self, reader: AccessorReader, joint_counts: list[int], warnings: list[str]):
        self.reader, self.joint_counts, self.warnings = reader, joint_counts, warnings
        self.json, self.name = reader.document.json, reader.name
        self.meshes = field_objects(self.json, "meshes", self.name)
        self.material_entries = field_objects(self.json, "materials", self.name)
        self.repaired: list[np.ndarray] = []
        self._decoded: dict[tuple[int, int], dict[str, Any]] = {}
        self._repairs: dict[tuple[int, int, int], tuple] = {}
        self._pictures: dict[int, np.ndarray | AssetError] = {}

    def parts_of(self, node: int, mesh: int, skin: int | None, node_weights: list[Any] | None) -> list[Part]:
        """Read all triangle primitives of a mesh as parts of `node`."""
        entry, where = self.meshes[mesh], f"{self.name}: meshes[{mesh}]"
        parts: list[Part] = []
        morph_counts: set[int] = set()
        for p, primitive in enumerate(field_objects(entry, "primitives", where)):
            again = (mesh, p) in self._decoded
            if not again:
                self._decoded[mesh, p] = self._decode(primitive, f"{where}.primitives[{p}]")
            arrays = dict(self._decoded[mesh, p])
            if not arrays:
                continue
            if again or self._has_no_bytes(primitive):
                cost = BYTES_PER_FREE_PART + len(arrays["positions"]) * BYTES_PER_FREE_VERTEX
                self.reader.spend(cost, f"{self.name}: nodes[{node}]")
            morphs = arrays.get("morph_targets")
            if morphs is not None:
                morph_counts.add(len(morphs))
                if len(morph_counts) > 1:
                    raise AssetError(f"{where}: its primitives must have the same number of morph targets.")
                raw = node_weights if node_weights is not None else field_list(entry, "weights", where)
                arrays["morph_weights"] = _morph_weights(raw, len(morphs), where)
            joints, weights, broken = arrays.pop("joints"), arrays.pop("weights"), np.zeros(0, int)
            if skin is not None and joints is not None:
                joints, weights, broken = self._skin_rows(mesh, p, skin, joints, weights, arrays["positions"])
            elif skin is not None:
                self.warnings.append(
                    f"{where}.primitives[{p}] is drawn with a skin but has no weights; it follows its node."
                )
            skinned = skin is not None and joints is not None
            parts.append(
                Part(
                    node,
                    skin if skinned else None,
                    joints=joints if skinned else None,
                    weights=weights if skinned else None,
                    **arrays,
                )
            )
            self.repaired.append(broken)
        return parts

    def materials(self) -> tuple[Material, ...]:
        """Read all materials; a texture that cannot be decoded is left out with a warning."""
        return tuple(
            self._material(entry, f"{self.name}: materials[{i}]") for i, entry in enumerate(self.material_entries)
        )

    def _skin_rows(self, mesh: int, p: int, skin: int, joints: Any, weights: Any, positions: Any) -> tuple:
        if (mesh, p, skin) in self._repairs:
            return self._repairs[mesh, p, skin]
        where, count = f"{self.name}: meshes[{mesh}].primitives[{p}]", self.joint_counts[skin]
        out_of_range = (joints >= count) | (joints < 0)
        if (out_of_range & (weights > 0)).any():
            raise AssetError(f"{where} binds vertices to joint {int(joints.max())} of a skin with {count} joints.")
        joints, weights, broken, bad_sum = repair_weight_rows(np.where(out_of_range, 0, joints), weights, positions)
        if len(broken):
            those = f"{len(broken)} of {len(weights)} vertices had no valid weight (NaN or 0)"
            self.warnings.append(f"{where}: {those}; they take their nearest neighbour's.")
        if bad_sum:
            self.warnings.append(
                f"{where}: the weights of {bad_sum} of {len(weights)} vertices did not sum to 1; they were scaled."
            )
        self._repairs[mesh, p, skin] = (joints, weights, broken)
        return self._repairs[mesh, p, skin]

    def _decode(self, primitive: dict[str, Any], where: str) -> dict[str, Any]:
        mode = field_integer(primitive, "mode", where, default=4, high=6)
        if mode < 4:
            self.warnings.append(f"{where} draws points or lines, which Gambol leaves out.")
            return {}
        attributes = field_object(primitive, "attributes", where)
        if "POSITION" not in attributes:
            self.warnings.append(f"{where} has no POSITION, so it is left out.")
            return {}
        draco = field_object(field_object(primitive, "extensions", where), "KHR_draco_mesh_compression", where)
        source = _DracoSource(self.reader, primitive, draco, where) if draco else self.reader
        read = source.attribute if isinstance(source, _DracoSource) else self._attribute
        stored = read(attributes, "POSITION", ("VEC3",), where)
        if stored is None:
            raise AssetError(f"{where}: the Draco data holds no positions.")
        positions = stored.astype(np.float32)
        if not (np.abs(positions) <= MAX_COORDINATE).all():
            raise AssetError(f"{where} has vertex positions that are not finite or beyond {MAX_COORDINATE:g} units.")
        count = len(positions)
        if isinstance(source, _DracoSource):
            triangles = source.triangles
        else:
            triangles = self._triangles(primitive, mode, count, where)
        arrays: dict[str, Any] = {"positions": positions, "triangles": triangles}
        arrays["material"] = field_index(primitive, "material", len(self.material_entries), where)
        arrays["uvs"] = self._uvs(arrays["material"], attributes, read, where)
        arrays["colours"] = _colours(read(attributes, "COLOR_0", ("VEC3", "VEC4"), where))
        arrays["normals"] = _normals(read(attributes, "NORMAL", ("VEC3",), where))
        arrays["joints"], arrays["weights"] = _influences(attributes, read, where)
        for key in ("uvs", "colours", "joints", "normals"):
            if arrays[key] is not None and len(arrays[key]) != count:
                raise AssetError(f"{where}: {key} has {len(arrays[key])} rows for {count} vertices.")
        arrays["morph_targets"] = self._morph_targets(primitive, count, where)
        return arrays

    def _attribute(self, attributes: dict[str, Any], key: str, kinds: tuple[str, ...], where: str) -> np.ndarray | None:
        return self.reader.read(attributes[key], f"{where}.{key}", kinds=kinds) if key in attributes else None

    def _has_no_bytes(self, primitive: dict[str, Any]) -> bool:
        accessor = self.reader.accessors[int(primitive["attributes"]["POSITION"])]
        return "bufferView" not in accessor and "KHR_draco_mesh_compression" not in primitive.get("extensions", {})

    def _triangles(self, primitive: dict[str, Any], mode: int, count: int, where: str) -> np.ndarray:
        if "indices" in primitive:
            indices = self.reader.read(primitive["indices"], f"{where}.indices", kinds=("SCALAR",))[:, 0]
            if indices.dtype.kind != "u":
                raise AssetError(f"{where}.indices must be unsigned integers.")
            if len(indices) and int(indices.max()) >= count:
                raise AssetError(
                    f"{where}.indices points at vertex {int(indices.max())} of {count}; the index is out of range."
                )
            indices = indices.astype(np.int32)
        else:
            indices = np.arange(count, dtype=np.int32)
        if mode == 4:
            return indices[: len(indices) // 3 * 3].reshape(-1, 3)
        return strip_triangles(indices) if mode == 5 else fan_triangles(indices)

    def _morph_targets(self, primitive: dict[str, Any], count: int, where: str) -> np.ndarray | None:
        targets = field_objects(primitive, "targets", where)
        if not targets:
            return None
        self.reader.spend(len(targets) * count * 12, f"{where}.targets")
        result = np.zeros((len(targets), count, 3), np.float32)
        for i, target in enumerate(targets):
            offsets = self._attribute(target, "POSITION", ("VEC3",), f"{where}.targets[{i}]")
            if offsets is not None:
                if len(offsets) != count:
                    raise AssetError(f"{where}.targets[{i}] has {len(offsets)} rows for {count} vertices.")
                if not (np.abs(offsets) <= MAX_COORDINATE).all():
                    raise AssetError(f"{where}.targets[{i}] is not finite or beyond {MAX_COORDINATE:g} units.")
                result[i] = offsets
        return result

    def _uvs(self, material: int | None, attributes: dict[str, Any], read: Any, where: str) -> np.ndarray | None:
        """Texture coordinates of the base colour, KHR_texture_transform applied: uv' = T R S uv."""
        info = self._texture_info(self.material_entries[material], where)[0] if material is not None else {}
        transform = field_object(field_object(info, "extensions", where), "KHR_texture_transform", where)
        channel = field_integer(transform if "texCoord" in transform else info, "texCoord", where, default=0, high=63)
        uvs = read(attributes, f"TEXCOORD_{channel}", ("VEC2",), where)
        if uvs is None:
            return None
        uvs = np.where(np.abs(uvs) <= MAX_UV, uvs, 0.0).astype(np.float32)
        if transform:
            offset = field_numbers(transform, "offset", 2, where, default=[0.0, 0.0])
            angle = field_number(transform, "rotation", where, default=0.0)
            c, s = np.cos(angle), np.sin(angle)
            linear = np.array([[c, s], [-s, c]]) * field_numbers(transform, "scale", 2, where, default=[1.0, 1.0])
            uvs = np.clip(uvs @ linear.T + offset, -MAX_UV, MAX_UV).astype(np.float32)
        return uvs

    def _texture_info(self, material: dict[str, Any], where: str) -> tuple[dict[str, Any], list[float] | None]:
        """The base colour's texture reference and factor, metallic-roughness or specular-glossiness."""
        pbr = field_object(material, "pbrMetallicRoughness", where)
        extensions = field_object(material, "extensions", where)
        glossy = field_object(extensions, "KHR_materials_pbrSpecularGlossiness", where)
        if glossy and not pbr:
            return field_object(glossy, "diffuseTexture", where), glossy.get("diffuseFactor")
        return field_object(pbr, "baseColorTexture", where), pbr.get("baseColorFactor")

    def _material(self, entry: dict[str, Any], where: str) -> Material:
        info, factor = self._texture_info(entry, where)
        colour = field_numbers({"factor": factor} if factor is not None else {}, "factor", 4, where, default=[1.0] * 4)
        texture = None
        if "index" in info:
            try:
                texture = self._texture(info, where)
            except AssetError as error:
                self.warnings.append(f"{where}: its texture is left out: {error}")
        return Material(
            name=field_name(entry, ""),
            base_colour=tuple(np.clip(colour, 0.0, 1.0).tolist()),  # type: ignore[arg-type]
            texture=texture,
            alpha_mode=str(entry.get("alphaMode", "OPAQUE")),
            alpha_cutoff=field_number(entry, "alphaCutoff", where, default=0.5),
            double_sided=bool(entry.get("doubleSided", False)),
        )

    def _texture(self, info: dict[str, Any], where: str) -> Texture:
        textures = field_objects(self.json, "textures", self.name)
        images = field_objects(self.json, "images", self.name)
        samplers = field_objects(self.json, "samplers", self.name)
        texture = textures[check_index(info["index"], len(textures), f"{where}: texture")]
        webp = field_object(field_object(texture, "extensions", where), "EXT_texture_webp", where)
        source = texture.get("source", webp.get("source"))
        image_index = check_index(source, len(images), f"{where}: image")
        sampler_index = field_index(texture, "sampler", len(samplers), where)
        sampler = samplers[sampler_index] if sampler_index is not None else {}
        if image_index not in self._pictures:
            self._pictures[image_index] = self._picture(images[image_index], f"{self.name}: images[{image_index}]")
        pixels = self._pictures[image_index]
        if isinstance(pixels, AssetError):
            raise pixels
        modes = (field_integer(sampler, key, where, default=10497) for key in ("wrapS", "wrapT"))
        wrap = tuple(WRAP_MODES.get(mode, "repeat") for mode in modes)
        return Texture(pixels, wrap)  # type: ignore[arg-type]

    def _picture(self, image: dict[str, Any], what: str) -> np.ndarray | AssetError:
        """Decode a picture; returns the error for a broken one, so that it is decoded only once too."""
        try:
            if "bufferView" in image:
                data = bytes(self.reader.view_bytes(image["bufferView"], what))
            else:
                data = read_uri(field_text(image, "uri", what), self.reader.document.path.parent, what)
            taken = sum(p.shape[0] * p.shape[1] for p in self._pictures.values() if isinstance(p, np.ndarray))
            return decode_picture(data, what, max_pixels=min(2 * MAX_PICTURE_PIXELS - taken, MAX_PICTURE_PIXELS))
        except AssetError as error:
            return error


class _DracoSource:
    """A primitive compressed with KHR_draco_mesh_compression, decoded by DracoPy."""

    def __init__(self, reader: AccessorReader, primitive: dict[str, Any], draco: dict[str, Any], where: str):
        try:
            import DracoPy
        except ImportError as error:
            raise MissingExtra(f"{reader.name} is Draco-compressed; reading it", "draco") from error
        data = bytes(reader.view_bytes(draco.get("bufferView"), f"{where}: draco"))
        self.ids = field_object(draco, "attributes", where)
        position = check_index(primitive["attributes"]["POSITION"], len(reader.accessors), f"{where}.POSITION")
        expected = field_integer(reader.accessors[position], "count", f"{reader.name}: accessors[{position}]")
        try:
            self.mesh = DracoPy.decode(data)
        except Exception as error:
            raise AssetError(f"{where}: the Draco data cannot be decoded ({str(error)[:80]}).") from error
        faces = getattr(self.mesh, "faces", None)
        count = len(self.mesh.points)
        if expected != count:
            raise AssetError(f"{where}: the Draco data has {count} vertices, the file promises {expected}.")
        indices = np.arange(count // 3 * 3) if faces is None else np.asarray(faces)
        self.triangles = indices.astype(np.int32).reshape(-1, 3)
        if len(self.triangles) and not 0 <= self.triangles.min() <= self.triangles.max() < count:
            raise AssetError(f"{where}: the Draco data has a triangle index out of range.")
        self.reader = reader

    def attribute(self, attributes: dict[str, Any], key: str, kinds: tuple[str, ...], where: str) -> np.ndarray | None:
        if key not in attributes:
            return None
        if key not in self.ids:  # an attribute may also stay outside the compressed data
            return self.reader.read(attributes[key], f"{where}.{key}", kinds=kinds)
        wanted = field_integer(self.ids, key, where)
        for attribute in self.mesh.attributes:
            if attribute["unique_id"] == wanted:
                accessor = self.reader.accessors[check_index(attributes[key], len(self.reader.accessors), where)]
                data, width = np.asarray(attribute["data"]), COMPONENT_COUNTS.get(str(accessor.get("type")))
                if accessor.get("type") not in kinds or data.size != len(self.mesh.points) * (width or 0):
                    raise AssetError(f"{where}: the Draco data of {key} is not {' or '.join(kinds)}.")
                data = data.reshape(len(self.mesh.points), -1)
                return normalise_integers(data) if accessor.get("normalized") is True else data
        raise AssetError(f"{where}: the Draco data has no attribute {wanted} for {key}.")


def strip_triangles(indices: np.ndarray) -> np.ndarray:
    """List the triangles of a strip, every second one turned over (glTF 2.0, 3.7.2.1)."""
    if len(indices) < 3:
        return np.zeros((0, 3), np.int32)
    triangles = np.stack([indices[:-2], indices[1:-1], indices[2:]], axis=1)
    triangles[1::2] = triangles[1::2][:, [0, 2, 1]]
    return triangles


def fan_triangles(indices: np.ndarray) -> np.ndarray:
    """List the triangles of a fan around its first vertex."""
    if len(indices) < 3:
        return np.zeros((0, 3), np.int32)
    return np.stack([indices[1:-1], indices[2:], np.full(len(indices) - 2, indices[0])], axis=1).astype(np.int32)


def _influences(attributes: dict[str, Any], read: Any, where: str) -> tuple[np.ndarray | None, np.ndarray | None]:
    """JOINTS_n and WEIGHTS_n, n = 0, 1, ..., side by side."""
    joints, weights = [], []
    for n in range(16):
        j = read(attributes, f"JOINTS_{n}", ("VEC4",), where)
        w = read(attributes, f"WEIGHTS_{n}", ("VEC4",), where)
        if j is None or w is None:
            break
        if j.dtype.kind not in "ui" or j.shape != w.shape:
            raise AssetError(f"{where}: JOINTS_{n} must be integers, one for each of WEIGHTS_{n}.")
        joints.append(j.astype(np.int32))
        weights.append(normalise_integers(w).astype(np.float32))
    if not joints:
        return None, None
    return np.concatenate(joints, axis=1), np.concatenate(weights, axis=1)


def _colours(values: np.ndarray | None) -> np.ndarray | None:
    if values is None:
        return None
    values = np.clip(np.nan_to_num(normalise_integers(values).astype(np.float32)), 0.0, 1.0)
    return values if values.shape[1] == 4 else np.concatenate([values, np.ones((len(values), 1), np.float32)], 1)


def _normals(values: np.ndarray | None) -> np.ndarray | None:
    """Normals of length 1; None where one of them is none, so that they are computed from the triangles."""
    if values is None:
        return None
    values = normalise_integers(values).astype(np.float64)
    length = np.linalg.norm(values, axis=1, keepdims=True)
    return (values / length).astype(np.float32) if ((length > 1e-6) & (length < 1e6)).all() else None


def _morph_weights(raw: list[Any], count: int, where: str) -> np.ndarray:
    if not raw:
        return np.zeros(count)
    return field_numbers({"weights": raw[:count] + [0.0] * (count - len(raw))}, "weights", count, where)
