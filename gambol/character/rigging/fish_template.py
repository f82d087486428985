"""The skeleton of a fish or whale, placed by its own shape: snout, narrow tail, fins.

No built-in creature is a fish, so nothing is fitted here: the joints lie at fixed shares of the trunk from the snout to
the start of the tail fin, as anatomy has them, in the middle of the flesh.
"""

from __future__ import annotations

import numpy as np

from gambol.character.rigging.fins import find_dorsal_fin
from gambol.character.rigging.landmarks import Landmarks, LimbPair
from gambol.character.rigging.template_joints import JointBuilder

FRONT_JOINTS = {"Hips": 0.5, "Spine1": 0.36, "Head": 0.22}
"""Joints from the root to the head, as shares of the trunk from the snout; the head starts behind the gills."""
TAIL_JOINTS = {"Tail1": 0.62, "Tail2": 0.75, "Tail3": 0.88, "TailFin": 1.0}
"""Joints from the root to the tail fin, as shares of the trunk from the snout."""
NO_FIN_PEDUNCLE = 0.8
"""Share of the length at which the tail starts to be fin on a body without a clear tail fin."""
FLUKE_SHARE = 0.75
"""Pairs that start behind this share of the trunk are flukes if the tail fin lies flat, as a whale's."""
PECTORAL_SHARE = 0.55
"""The longest pair that starts ahead of this share of the trunk is the pair of pectoral fins."""
TRUNK_THICKNESS, LATEST_FIN_START = 2.0, 0.6
"""A fin starts where its line has left flesh this many times as thick as the fin, but no later than this share."""
DORSAL_REGION = (0.25, 0.85)
"""Shares of the trunk between which a dorsal fin is sought."""


def build_fish(builder: JointBuilder, landmarks: Landmarks) -> None:
    """Add a fish's joints: spine and tail, then the fins that the body has."""
    solid = landmarks.solid
    x = solid.middle_centres[:, 0]
    snout, rear = float(x.max()), float(x.min())
    fin = landmarks.tail_fin
    peduncle = fin.peduncle if fin is not None else snout - NO_FIN_PEDUNCLE * (snout - rear)
    at = {name: snout - share * (snout - peduncle) for name, share in {**FRONT_JOINTS, **TAIL_JOINTS}.items()}
    for chain, parent, end in ((FRONT_JOINTS, None, snout), (TAIL_JOINTS, "Hips", rear)):
        places = (solid.trunk_at(at[name]) for name in chain)
        builder.add_chain(chain, parent, places, solid.trunk_at(end), reach=0.0)
    pairs = [*landmarks.feet, *landmarks.hands]
    behind = [p for p in pairs if snout - p.base[0] > FLUKE_SHARE * (snout - peduncle)]
    flukes = behind if fin is not None and not fin.upright else []
    _add_paired_fins(builder, [p for p in pairs if all(p is not f for f in flukes)], snout, peduncle)
    if flukes:
        fluke = max(flukes, key=lambda p: p.length)
        builder.add_pair(("Fluke",), "TailFin", [fluke.at(np.array([0.25]))[0]], fluke.tip)
    front, rear = (snout - share * (snout - peduncle) for share in DORSAL_REGION)
    dorsal = find_dorsal_fin(solid, front, rear)
    if dorsal is not None:
        base, tip = dorsal
        builder.add_chain(["DorsalFin"], _bone_at(builder, base[0]), [base], tip, reach=0.0)


def _add_paired_fins(builder: JointBuilder, pairs: list[LimbPair], snout: float, peduncle: float) -> None:
    """Add pectoral fins with two bones and pelvic fins with one, on the bones of the spine next to them."""
    others = sorted(pairs, key=lambda p: -p.length)
    pectoral = next((p for p in others if snout - p.base[0] < PECTORAL_SHARE * (snout - peduncle)), None)
    pelvic = next((p for p in others if p is not pectoral and (pectoral is None or p.base[0] < pectoral.base[0])), None)
    for pair, names in ((pectoral, ("PectoralFin1", "PectoralFin2")), (pelvic, ("PelvicFin",))):
        if pair is not None:
            start = _start_of_fin(pair)
            places = pair.at(start + (1.0 - start) * np.arange(len(names)) / len(names))
            builder.add_pair(names, _bone_at(builder, pair.base[0]), list(places), pair.tip)


def _start_of_fin(pair: LimbPair) -> float:
    """Share of a fin's centre line at which it leaves the trunk: where the flesh around the line becomes thin."""
    thickness = float(np.median(pair.radii[len(pair.radii) // 2 :]))
    thick = np.flatnonzero(pair.radii > TRUNK_THICKNESS * thickness)
    first = int(thick[-1]) + 1 if len(thick) else 0
    inner = float(np.linalg.norm(np.diff(pair.line[: first + 1], axis=0), axis=1).sum())
    return min(inner / max(pair.length, 1e-9), LATEST_FIN_START)


def _bone_at(builder: JointBuilder, x: float) -> str:
    """The bone of the spine or tail next to x, towards the root; the root in the middle."""
    chain = {name: builder.places[builder.names.index(name)][0] for name in (*FRONT_JOINTS, *TAIL_JOINTS)}
    if x >= chain["Hips"]:
        return min((name for name in FRONT_JOINTS if chain[name] <= x), key=lambda name: x - chain[name])
    behind = [name for name in TAIL_JOINTS if chain[name] >= x]
    return min(behind, key=lambda name: chain[name] - x) if behind else "Hips"
