"""What labelled clips show: by their names and descriptions, and where these are wrong or say two things at once."""

import re

HELD_OUT = frozenset(
    {
        "kaykit/Knight",
        "kaykit/Rogue",
        "khronos/Fox",
        "khronos/RiggedFigure",
        "quaternius/Trex",
        "quaternius/Velociraptor",
        "quaternius/Triceratops",
        "quaternius/Stegosaurus",
        "quaternius/Rat",
        "quaternius-more/Farm_Animals_Animated___Pig",
        "quaternius-more/Farm_Animals_Animated___Zebra",
        "mesh2motion/horse-animated",
    }
)
"""Characters of the test split; rules were not fitted to them."""

NAMES: tuple[tuple[str, str | None], ...] = (
    (r"strafe|backwards|crawl|runningjump|walkjump|run_shoot|run_swordattack", None),
    (r"gallop_jump|jump_toidle|jump_full|(^|_)jump$", "jump"),
    (r"jump|hit|sit|lie|shoot|swim|crouch_idle|spell|driving|rest_?pose|death|aim", None),
    (r"idle|survey", "idle"),
    (r"gallop|run|sprint|jog", "run"),
    (r"trot", "trot"),
    (r"walk", "walk"),
    (r"turn_left", "turn left"),
    (r"turn_right", "turn right"),
    (r"sneak|crouch_fwd", "sneak"),
    (r"kick", "kick"),
    (r"punch_(cross|jab)|(^|_)punch(_[ab])?$", "punch"),
    (r"wave|hello", "wave"),
    (r"eating", "eat"),
    (r"bite|headbutt|head_but|^attack$", "bite"),
    (r"dance", "dance"),
    (r"flap|flying", "fly"),
)
"""Patterns of characters' clip names, first match wins; None: the name says no motion that the judge knows."""

DESCRIPTIONS: dict[str, tuple[tuple[str, str | None], ...]] = {
    "run": ((r"stop|jump|dive|leap|duck|over|scramble|careful|wide leg|turn|circle", None), (r"", "run")),
    "walk": (
        (r"90", "turn"),
        (
            r"stair|sideway|stop|backward|crouched|bent|chicken|wounded|random|pick|search|turn|start|terrain|balanc",
            None,
        ),
        (r"figure ?8", "turn"),
        (r"", "walk"),
    ),
    "jump": ((r"grab|football|backflip|ledge|kick|hop on left|jacks|twist|hop turn", None), (r"", "jump")),
    "turn": ((r"turn in place|turn 90|90 degree|and turn", "turn"), (r"", None)),
    "march": ((r"zombie", None), (r"", "march")),
    "sneak": ((r"sideways|run|pause", None), (r"", "sneak")),
    "limp": ((r"limp", "limp"), (r"", None)),
    "dance": ((r"static", None), (r"", "dance")),
    "kick": ((r"jump|flip|punch", None), (r"", "kick")),
    "punch": ((r"punch|boxing", "punch"), (r"", None)),
    "wave": ((r"wave", "wave"), (r"", None)),
}
"""The same for the descriptions of CMU clips, by category."""

WRONG: dict[str, str] = {
    "cmu/111_24": "called Run: walks at 1.3 leg lengths per second, feet always on the ground, in a curve",
    "cmu/113_07": "called Run: two walked and two quick steps, then stands",
    "cmu/111_34": "called Walk: walks in a circle, 300 degrees",
    "cmu/113_26": "called Walk and carry: walks in a circle, 350 degrees",
    "cmu/29_01": "called walk: walks up, turns round and comes back",
    "cmu/82_10": "called sad walk forward: turns right by 90 degrees first",
    "cmu/90_26": "called fwd ball walk: walks on a large ball, which is not in the file",
    "cmu/104_10": "called JogStop: stands for half of the time",
    "mesh2motion/human-animated: Walk": "called Walk: nothing moves",
}
"""Clips whose label does not say what they show."""


def label_of_name(name: str) -> str | None:
    """The motion that a character's clip is called by."""
    plain = name.split("|")[-1].lower().replace(" ", "_")
    plain = re.sub(
        r"^(man|female|robot|zombie|frog|rat|trex|velociraptor|triceratops|stegosaurus|skeleton|wasp)_", "", plain
    )
    return next((motion for pattern, motion in NAMES if re.search(pattern, plain)), None)


def label_of_description(category: str, description: str) -> str | None:
    """The motion that a CMU clip is said to show."""
    rules = DESCRIPTIONS.get(category, ())
    return next((motion for pattern, motion in rules if re.search(pattern, description.lower())), None)
