"""Material, Texture and Video records: Phong materials with their pictures inside the file."""

from __future__ import annotations

from typing import Any

import numpy as np

from gambol.character.scene import Material, Scene
from gambol.errors import AssetError
from gambol.files.fbx.records import FbxValue
from gambol.files.fbx.scene_records import FbxBuilder, add_properties
from gambol.files.gltf.accessors import AccessorReader
from gambol.files.gltf.container import GltfDocument, read_uri
from gambol.files.images import decode_picture, encode_png

TEXTURE_SLOTS = {"normalTexture": "NormalMap", "emissiveTexture": "EmissiveColor"}
"""FBX property of each glTF texture besides the base colour."""


class MaterialWriter:
    """Adds the materials of a document, each once, and its pictures, each once."""

    def __init__(self, builder: FbxBuilder, scene: Scene, document: GltfDocument):
        self.builder, self.scene, self.document = builder, scene, document
        self.reader = AccessorReader(document)
        self._materials: dict[int | None, np.int64] = {}
        self._textures: dict[int, np.int64] = {}

    def material(self, index: int | None) -> np.int64:
        """Add a material and return its number; None is a plain grey one."""
        if index not in self._materials:
            material = Material("Default") if index is None else self.scene.materials[index]
            name = material.name or f"material{index}"
            number = self.builder.object("Material", name, "")
            self._materials[index] = number
            self._describe(self.builder.last, material)
            entries = self.document.json.get("materials", [])
            if index is not None and index < len(entries):
                self._link_textures(number, entries[index], material)
        return self._materials[index]

    def _describe(self, record: Any, material: Material) -> None:
        colour = [float(c) for c in material.base_colour[:3]]
        alpha = float(material.base_colour[3]) if material.alpha_mode == "BLEND" else 1.0
        record.add("Version", 102)
        record.add("ShadingModel", "Phong")
        record.add("MultiLayer", 0)
        properties: list[tuple[FbxValue, ...]] = [
            ("DiffuseColor", "Color", "", "A", *colour),
            ("DiffuseFactor", "Number", "", "A", 1.0),
            ("EmissiveColor", "Color", "", "A", 0.0, 0.0, 0.0),
            ("AmbientColor", "Color", "", "A", 0.0, 0.0, 0.0),
            ("SpecularColor", "Color", "", "A", 0.2, 0.2, 0.2),
            ("SpecularFactor", "Number", "", "A", 0.25),
            ("Shininess", "Number", "", "A", 1.0),
            ("ShininessExponent", "Number", "", "A", 1.0),
            ("TransparencyFactor", "Number", "", "A", 1.0 - alpha),
            ("Opacity", "double", "Number", "", alpha),
        ]
        add_properties(record, properties)

    def _link_textures(self, material: np.int64, entry: dict[str, Any], read: Material) -> None:
        pbr = entry.get("pbrMetallicRoughness", {})
        glossy = entry.get("extensions", {}).get("KHR_materials_pbrSpecularGlossiness", {})
        base = pbr.get("baseColorTexture", glossy.get("diffuseTexture"))
        wanted = [(base, "DiffuseColor")] if read.texture is not None else []
        if read.texture is not None and read.alpha_mode != "OPAQUE":
            wanted.append((base, "TransparencyFactor"))
        wanted += [(entry.get(key), slot) for key, slot in TEXTURE_SLOTS.items()]
        for info, slot in wanted:
            number = self._texture(info) if isinstance(info, dict) else None
            if number is not None:
                self.builder.connect(number, material, slot)

    def _texture(self, info: dict[str, Any]) -> np.int64 | None:
        """Add the texture; None where the picture cannot be read, which reading has warned of."""
        try:
            texture = self.document.json["textures"][info["index"]]
            image = texture.get("source", texture.get("extensions", {}).get("EXT_texture_webp", {}).get("source"))
            if image not in self._textures:
                self._textures[image] = self._add_picture(image)
        except (AssetError, KeyError, IndexError, TypeError):
            return None
        return self._textures[image]

    def _add_picture(self, image: int) -> np.int64:
        entry = self.document.json["images"][image]
        data = self._picture_bytes(entry, f"images[{image}]")
        name = str(entry.get("name") or f"texture{image}").replace("/", "_").replace("\\", "_").replace("\x00", "")
        suffix = ".jpg" if data.startswith(b"\xff\xd8") else ".png"
        file_name = name if name.lower().endswith((suffix, ".jpeg")) else name + suffix
        video = self.builder.object("Video", name, "Clip")
        record = self.builder.last
        record.add("Type", "Clip")
        add_properties(record, [("Path", "KString", "XRefUrl", "", file_name)])
        record.add("UseMipMap", 0)
        record.add("Filename", file_name)
        record.add("RelativeFilename", file_name)
        record.add("Content", data)
        number = self.builder.object("Texture", name, "")
        record = self.builder.last
        record.add("Type", "TextureVideoClip")
        record.add("Version", 202)
        record.add("TextureName", f"{name}\x00\x01Texture")
        add_properties(record, [("UVSet", "KString", "", "", "UVMap"), ("UseMaterial", "bool", "", "", 1)])
        record.add("Media", f"{name}\x00\x01Video")
        record.add("FileName", file_name)
        record.add("RelativeFilename", file_name)
        record.add("ModelUVTranslation", 0.0, 0.0)
        record.add("ModelUVScaling", 1.0, 1.0)
        record.add("Texture_Alpha_Source", "None")
        record.add("Cropping", 0, 0, 0, 0)
        self.builder.connect(video, number)
        return number

    def _picture_bytes(self, image: dict[str, Any], what: str) -> bytes:
        """PNG and JPEG as they are in the file; everything else as PNG."""
        if "bufferView" in image:
            data = bytes(self.reader.view_bytes(image["bufferView"], what))
        else:
            data = read_uri(image["uri"], self.document.path.parent, what)
        return data if data.startswith((b"\x89PNG", b"\xff\xd8\xff")) else encode_png(decode_picture(data, what))
