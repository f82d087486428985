"""Records that every FBX file has: header, settings, definitions, and the lists of objects and their connections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from gambol import __version__
from gambol.files.fbx.records import CREATION_TIME, FBX_VERSION, FILE_ID, FbxRecord, FbxValue

TIME_MODES = {24: 11, 25: 10, 30: 6, 48: 5, 50: 4, 60: 3, 100: 2, 120: 1}
"""FBX code of each frame rate; others are written as 14, a custom rate."""
CENTIMETRES_PER_UNIT = 100.0
"""FBX measures its unit in centimetres; Gambol's is the metre, as in glTF."""


class FbxBuilder:
    """Collects objects, each with a number of its own, and the connections between them."""

    def __init__(self) -> None:
        self.objects, self.connections = FbxRecord("Objects"), FbxRecord("Connections")
        self._next = 1_000_000

    @property
    def last(self) -> FbxRecord:
        """The record of the object that was added last."""
        return self.objects.children[-1]

    def number(self) -> np.int64:
        """Return a number that no object has yet."""
        self._next += 1
        return np.int64(self._next)

    def object(self, kind: str, name: str, subtype: str, *, label: str | None = None) -> np.int64:
        """Add an object and return its number; `label` is the class in its name where that is another one."""
        number = self.number()
        self.objects.add(kind, number, f"{clean_name(name)}\x00\x01{label or kind}", subtype)
        return number

    def connect(self, child: np.int64, parent: np.int64 | int, prop: str | None = None) -> None:
        """Connect an object to another one (0 is the scene), or to one of its properties."""
        if prop is None:
            self.connections.add("C", "OO", child, np.int64(parent))
        else:
            self.connections.add("C", "OP", child, np.int64(parent), prop)


def clean_name(name: str) -> str:
    """Return a name without the bytes that separate it from its class."""
    return name.replace("\x00", "").replace("\x01", "")


def add_properties(record: FbxRecord, properties: Iterable[tuple[FbxValue, ...]]) -> None:
    """Add a Properties70 record: (name, type, label, flags, values ...) each."""
    block = record.add("Properties70")
    for values in properties:
        block.add("P", *values)


def opening_records(fps: int, stop_ticks: int) -> list[FbxRecord]:
    """Make the records before the objects: header, global settings (y up, metres), document."""
    header = FbxRecord("FBXHeaderExtension")
    header.add("FBXHeaderVersion", 1003)
    header.add("FBXVersion", FBX_VERSION)
    header.add("EncryptionType", 0)
    header.add("Creator", f"Gambol {__version__}")
    settings = FbxRecord("GlobalSettings")
    settings.add("Version", 1000)
    properties: list[tuple[FbxValue, ...]] = [
        (name, "int", "Integer", "", value)
        for name, value in (
            ("UpAxis", 1),
            ("UpAxisSign", 1),
            ("FrontAxis", 2),
            ("FrontAxisSign", 1),
            ("CoordAxis", 0),
            ("CoordAxisSign", 1),
            ("OriginalUpAxis", 1),
            ("OriginalUpAxisSign", 1),
        )
    ]
    properties += [
        ("UnitScaleFactor", "double", "Number", "", CENTIMETRES_PER_UNIT),
        ("OriginalUnitScaleFactor", "double", "Number", "", CENTIMETRES_PER_UNIT),
        ("TimeMode", "enum", "", "", TIME_MODES.get(fps, 14)),
        ("TimeSpanStart", "KTime", "Time", "", np.int64(0)),
        ("TimeSpanStop", "KTime", "Time", "", np.int64(stop_ticks)),
        ("CustomFrameRate", "double", "Number", "", float(fps)),
    ]
    add_properties(settings, properties)
    documents = FbxRecord("Documents")
    documents.add("Count", 1)
    document = documents.add("Document", np.int64(999_999), "Scene", "Scene")
    add_properties(document, [("SourceObject", "object", "", ""), ("ActiveAnimStackName", "KString", "", "", "")])
    document.add("RootNode", np.int64(0))
    opening = [header, FbxRecord("FileId", [FILE_ID]), FbxRecord("CreationTime", [CREATION_TIME.decode()])]
    opening += [FbxRecord("Creator", [f"Gambol {__version__}"]), settings, documents, FbxRecord("References")]
    return opening


def definitions_record(objects: FbxRecord) -> FbxRecord:
    """Count the objects of each class."""
    counts = Counter(record.name for record in objects.children)
    definitions = FbxRecord("Definitions")
    definitions.add("Version", 100)
    definitions.add("Count", 1 + sum(counts.values()))
    for kind, count in [("GlobalSettings", 1), *sorted(counts.items())]:
        definitions.add("ObjectType", kind).add("Count", count)
    return definitions
