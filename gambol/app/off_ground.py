"""Which motions are no matter of ground contact (flight, swimming), so that tracking on the ground makes no sense."""

from __future__ import annotations

import re

import numpy as np

from gambol.app.find_runs import Run
from gambol.character.anatomy.anatomy import Anatomy, BodyPart
from gambol.character.character import Character
from gambol.errors import AssetError, PriorError
from gambol.evaluate.observation import Observation, observe_clip
from gambol.evaluate.recognise import recognise
from gambol.motion.clip import Clip
from gambol.physics.tracking_problem import GROUNDED_FRAMES

OFF_GROUND_MOTIONS = ("fly", "glide", "swim", "breach")
"""Motions of the vocabulary whose bodies are carried by air or water, or leap out of it."""
OFF_GROUND_WORDS = {
    "fly": "fly flies flying flight",
    "glide": "glide glides gliding soar soars soaring",
    "hover": "hover hovers hovering levitate levitates levitating",
    "swim": "swim swims swimming swum",
    "breach": "breach breaches breaching",
}
"""Words in the name of a clip that say so."""
RECOGNISED_OFF_GROUND = ("fly", "swim")
"""Motions that the rule-based recogniser finds in the joints alone."""
ALOFT_HEIGHT = 0.15
"""Height of the lowest foot above the level on which the clip stands, from which a frame is off the ground, sizes.

Chosen with the clips of artists' files: at 0.05 and 0.1 falls, seats and capes that reach into the ground count too."""
STANDING_FOOT = 0.05
"""A foot that moves by less than this in the whole clip stands, sizes."""
ALOFT_SHARE = 0.5
"""A clip that is off the ground in more than this share of its frames is no motion on the ground."""


def refuse_off_ground(character: Character, anatomy: Anatomy, clip: Clip, *, motions: tuple[str, ...] = ()) -> None:
    """Raise AssetError for a motion that is no matter of ground contact.

    Args:
        character: The character.
        anatomy: Its anatomy.
        clip: The clip.
        motions: Names of the motions that the clip was made to show, where they are known.
    """
    reason = off_ground_reason(character, anatomy, clip, motions=motions)
    if reason is not None:
        raise AssetError(
            f"'{clip.name}' is no motion on the ground: {reason}. Tracking lets gravity pull the body onto the "
            "ground, where this one would fall. Give a clip that stands or goes on the ground, or --anyway."
        )


def off_ground_reason(
    character: Character, anatomy: Anatomy, clip: Clip, *, motions: tuple[str, ...] = ()
) -> str | None:
    """Say why a clip is no matter of ground contact; None where it is one.

    What is known of the clip counts in this order: the motions that it was made to show, a word in its name, how long
    its lowest point is off the ground, the kind of the body, and what the recogniser finds.
    """
    for motion in motions:
        if motion in OFF_GROUND_MOTIONS:
            return f"it was made to show '{motion}'"
    words = set(re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", clip.name).lower()))
    for meant, said in OFF_GROUND_WORDS.items():
        if not motions and words & set(said.split()):
            return f"its name says '{meant}'"
    seen = observe_clip(character, anatomy, clip)
    if (share := aloft_share(seen)) > ALOFT_SHARE:
        return f"nothing touches the ground in {share:.0%} of its frames"
    if motions:
        return None
    if not seen.feet and anatomy.of(BodyPart.WING):
        return "its body has fins or wings and no feet"
    if (found := recognise(seen).motion) in RECOGNISED_OFF_GROUND and not _stands(seen):
        return f"it looks like '{found}'"
    return None


def motions_of_run(run: Run) -> tuple[str, ...]:
    """The motions that a run was made to show, as the embedded prior reads its sentence; empty where none is known."""
    if run.settings.motion:
        return (run.settings.motion,)
    if not (run.settings.prompt and run.settings.prior.startswith("embedded")):
        return ()
    from gambol.priors.embedded.describe import read_prompt
    from gambol.priors.embedded.text.sequence import read_sequence

    try:
        found = [read_prompt(action.prompt).motion for action in read_sequence([run.settings.prompt])]
    except PriorError:
        return ()
    return tuple(motion for motion in found if motion is not None)


def aloft_share(seen: Observation) -> float:
    """Share of the frames whose lowest foot is more than ALOFT_HEIGHT above the level on which the clip stands.

    That level is the quantile GROUNDED_FRAMES of the lowest points, as where tracking lowers a clip onto the ground: so
    a walk that floats as a whole is on the ground. Bodies without feet count by their whole surface.
    """
    low = np.min([foot.low for foot in seen.feet], axis=0) if seen.feet else seen.surface[..., 1].min(1)
    level = np.quantile(low, GROUNDED_FRAMES, method="lower")
    return float((low - level > ALOFT_HEIGHT * seen.size).mean())


def _stands(seen: Observation) -> bool:
    """Whether some foot of a body that beats its wings stays where it is: it flaps, and does not fly."""
    places = [foot.points.mean(1) for foot in seen.feet]
    return any(float(np.ptp(place, axis=0).max()) < STANDING_FOOT * seen.size for place in places)
