"""The .glb inside the player page: the file's own document where three.js can read it offline."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from gambol.character.scene import Scene
from gambol.errors import AssetError
from gambol.files.asset import Asset
from gambol.files.gltf.append_clip import write_document
from gambol.files.gltf.container import GltfDocument
from gambol.files.gltf.encode import encode_glb
from gambol.files.gltf.write import new_document

MAX_MODEL_BYTES = 300 << 20
"""Largest .glb in a page: browsers refuse texts of more than 512 MiB, and base64 adds a third."""
SUPPORTED_EXTENSIONS = {
    "EXT_materials_bump",
    "EXT_mesh_gpu_instancing",
    "EXT_texture_avif",
    "EXT_texture_webp",
    "KHR_lights_punctual",
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_dispersion",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_iridescence",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_materials_volume",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
}
"""glTF extensions that three.js reads without further files."""
UNSUPPORTED_EXTENSIONS = {"KHR_draco_mesh_compression", "KHR_materials_pbrSpecularGlossiness"}
"""glTF extensions that three.js fails on even where they are optional: Draco without decoder, a retired material."""


@dataclass(frozen=True)
class PlayerModel:
    """A character as one .glb that three.js reads offline."""

    glb: bytes
    """The .glb file."""
    rewritten: bool
    """Whether it was written from Gambol's scene, which has no normals, instead of the file's own document."""


def embedded_model(asset: Asset) -> PlayerModel:
    """The asset as a .glb: the file's own document where three.js can read it, else one written from the scene.

    Of a file with several characters, the page shows the loaded one alone.
    """
    model, alone = None, len(asset.characters) <= 1
    if asset.document is not None and alone and not _must_rewrite(asset.document, asset.character.scene):
        try:
            model = PlayerModel(_one_glb(asset.document), rewritten=False)
        except AssetError:  # a picture beside the file is missing, which its reader forgives
            model = None
    if model is None:
        document = new_document(asset.character.scene, asset.clips, asset.path)
        model = PlayerModel(_one_glb(document), rewritten=True)
    if len(model.glb) > MAX_MODEL_BYTES:
        most = f"a page holds at most {MAX_MODEL_BYTES >> 20} MiB"
        size = f"{asset.path.name} takes {len(model.glb) >> 20} MiB as .glb"
        raise AssetError(f"{size}; {most}. Make its textures smaller.")
    return model


def _must_rewrite(document: GltfDocument, scene: Scene) -> bool:
    """Whether three.js would fail on the file, or misplace vertices whose weights Gambol had to repair."""
    used = {e for e in document.json.get("extensionsUsed", []) if isinstance(e, str)}
    required = {e for e in document.json.get("extensionsRequired", []) if isinstance(e, str)}
    repaired = any(len(rows) for rows in scene.repaired_rows)
    return repaired or bool(used & UNSUPPORTED_EXTENSIONS) or not required <= SUPPORTED_EXTENSIONS


def _one_glb(document: GltfDocument) -> bytes:
    """The document as .glb bytes with all buffers in the BIN chunk and no picture beside it."""
    buffers, images = (document.json.get(key, []) for key in ("buffers", "images"))
    beside = any("uri" in b for b in buffers) or not all(i.get("uri", "data:").startswith("data:") for i in images)
    if document.is_glb and not beside:
        return encode_glb(document.json, document.binary_chunk)
    # written as .glb, a .gltf takes everything in
    loose = replace(document, path=document.path.with_suffix(".gltf"))
    with tempfile.TemporaryDirectory(prefix="gambol-") as folder:
        target = Path(folder) / "model.glb"
        write_document(loose, target, beside=target)
        return target.read_bytes()
