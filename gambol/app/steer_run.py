"""Other constraints for a run that is under way: the motion so far is kept as where it goes on from."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from gambol.app.run_folder import CHECKPOINTS, LOCK, SETTINGS, deciding_settings, fingerprint, known_settings, locked
from gambol.distill.lbfgs import init_lbfgs
from gambol.distill.state import State, load_state, save_state
from gambol.errors import ConfigError, GambolError
from gambol.files.atomic_write import write_text

STEERED = "steered"
"""Key of the settings of a run whose constraints were changed while it was under way."""
CONSTRAINT_KEYS = {("request", "constraints"), ("plan", "losses")}
"""Settings that other constraints change."""


def steer_run(path: Path, settings: dict[str, Any]) -> dict[str, Any]:
    """Give the run in a folder the constraints of `settings`; returns the settings with which it is to be opened.

    Its checkpoints stay, and L-BFGS forgets the curvature that belongs to the old losses. What was asked for before is
    kept under `steered`: no single request repeats such a run. The same call again changes nothing more.
    """
    if not (path / SETTINGS).is_file():
        return settings
    with locked(path / LOCK):
        known = known_settings(path)
        if known is None:
            return settings
        wanted, earlier = json.loads(json.dumps(settings)), known.get(STEERED, [])
        same = {key: value for key, value in deciding_settings(known).items() if key != STEERED}
        if same == deciding_settings(wanted):
            return settings | ({STEERED: earlier} if earlier else {})
        _refuse_other_changes(same, deciding_settings(wanted))
        steered = wanted | {STEERED: [*earlier, {"constraints": known["request"]["constraints"]}]}
        before, after = fingerprint(known), fingerprint(steered)
        for file in sorted((path / CHECKPOINTS).glob("*.safetensors")):
            save_state(file, with_new_losses(_load(file, before, after)), after)
        write_text(path / SETTINGS, json.dumps(steered, indent=1, ensure_ascii=False) + "\n")
    return steered


def with_new_losses(state: State) -> State:
    """The state to go on from when the losses have changed: the same motion, no memory of gradients of the old ones."""
    return state if state.lbfgs is None else replace(state, lbfgs=init_lbfgs(state.lbfgs.point))


def _load(file: Path, before: str, after: str) -> State:
    """A checkpoint; one that was changed already, before the process was killed, has the new fingerprint."""
    try:
        state = load_state(file, before)
    except GambolError:
        state = load_state(file, after)
    assert state is not None
    return state


def _refuse_other_changes(before: dict[str, Any], after: dict[str, Any]) -> None:
    for key in before.keys() | after.keys():
        old, new = before.get(key), after.get(key)
        if old == new:
            continue
        if not (isinstance(old, dict) and isinstance(new, dict)):
            raise ConfigError(f"A run that is under way takes other constraints; its {key} cannot change.")
        for inner in old.keys() | new.keys():
            if old.get(inner) != new.get(inner) and (key, inner) not in CONSTRAINT_KEYS:
                raise ConfigError(f"A run that is under way takes other constraints; its {inner} cannot change.")
