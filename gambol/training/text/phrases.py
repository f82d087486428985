"""Template phrases that ask for a motion: sentences, commands and clip names.

Each motion has a few plain words; everything else (stroll, sprint, leap ...) is left to the text encoder, which is
tested on words that no template contains.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gambol.creatures.description import NOUNS
from gambol.motion.motion_names import canonical_motion

GENERIC_SUBJECTS = (
    "animal",
    "creature",
    "character",
    "figure",
    "monster",
    "robot",
    "beast",
    "alien",
    "zombie",
    "knight",
    "hero",
)
"""Subjects of any body, besides the nouns of built-in creatures."""


@dataclass(frozen=True)
class Verb:
    """Forms of a verb."""

    base: str
    """Base form: 'walk'."""
    third: str
    """Third person: 'walks'."""
    ing: str
    """Present participle: 'walking'."""
    rest: str = ""
    """Words that follow the verb: 'to the left' after 'turn'."""


@dataclass(frozen=True)
class Wording:
    """The words of one motion."""

    verbs: tuple[Verb, ...]
    """Verbs that mean the motion."""
    names: tuple[str, ...]
    """Clip names, spoken with an article in sentences: 'a walk', 'a left turn'."""
    how: tuple[str, ...]
    """Adverbs and adverbials that may follow a verb."""
    style: tuple[str, ...]
    """Adjectives that may precede a name."""


def _verbs(*entries: str) -> tuple[Verb, ...]:
    """Verbs from 'walk walks walking', with what follows after a colon."""
    made = []
    for entry in entries:
        forms, _, rest = entry.partition(":")
        base, third, ing = forms.split()
        made.append(Verb(base, third, ing, rest.strip()))
    return tuple(made)


_PACES = ("slow", "fast", "quick", "happy", "sad", "angry", "tired", "heavy", "light", "natural", "proud")
_GOING = (
    "slowly", "fast", "quickly", "happily", "sadly", "angrily", "heavily", "lightly", "forward", "straight ahead",
    "along", "on the ground", "on flat ground", "with heavy steps", "with long steps", "at a natural speed",
    "in place", "from side view", "in a straight line",
)  # fmt: skip
_DOING = ("slowly", "fast", "quickly", "happily", "angrily", "strongly", "again and again", "in place", "once", "twice")
_ACTS = ("slow", "fast", "quick", "strong", "angry", "light", "heavy")


def _turning(side: str) -> Wording:
    """Return the words of a turn to one side."""
    verbs = _verbs(
        f"turn turns turning: {side}",
        f"turn turns turning: to the {side}",
        f"turn turns turning: to its {side} side",
        f"turn turns turning: around to the {side}",
        f"walk walks walking: while turning {side}",
        f"rotate rotates rotating: to the {side}",
        f"make makes making: a turn to the {side}",
    )
    names = (f"turn {side}", f"{side} turn", f"turn {side} 90", f"turn to the {side}")
    return Wording(verbs, names, ("slowly", "fast", "quickly", "in place", "lightly"), ("slow", "fast", "quick"))


WORDINGS: dict[str, Wording] = {
    "idle": Wording(
        _verbs(
            "idle idles idling",
            "stand stands standing",
            "stand stands standing: still",
            "stand stands standing: idle",
            "breathe breathes breathing",
            "stand stands standing: while breathing",
        ),
        ("idle", "idle pose", "stand", "standing idle", "stand still", "breathing idle"),
        ("calmly", "happily", "tired", "in place", "on the ground", "for a time"),
        ("calm", "happy", "sad", "tired", "natural"),
    ),
    "walk": Wording(
        _verbs(
            "walk walks walking",
            "walk walks walking",
            "go goes going: for a walk",
            "go goes going: at a walk",
            "take takes taking: steps",
            "step steps stepping: forward",
        ),
        ("walk", "walk cycle", "walking", "walk forward"),
        _GOING,
        _PACES,
    ),
    "trot": Wording(
        _verbs("trot trots trotting", "go goes going: at a trot", "move moves moving: at a trot"),
        ("trot", "trot cycle", "trotting"),
        _GOING,
        _PACES,
    ),
    "run": Wording(
        _verbs(
            "run runs running",
            "run runs running",
            "gallop gallops galloping",
            "jog jogs jogging",
            "go goes going: at a gallop",
            "go goes going: for a run",
        ),
        ("run", "run cycle", "gallop", "running", "gallop cycle", "run forward"),
        (*_GOING, "very fast", "at full gallop", "as fast as it can"),
        _PACES,
    ),
    "jump": Wording(
        _verbs(
            "jump jumps jumping",
            "jump jumps jumping: up",
            "hop hops hopping",
            "jump jumps jumping: up and down",
            "make makes making: a jump",
        ),
        ("jump", "hop", "jump up", "jumping", "jump loop", "hop cycle"),
        (*_DOING, "high", "forward", "on two legs", "very high"),
        (*_ACTS, "high", "long"),
    ),
    "turn left": _turning("left"),
    "turn right": _turning("right"),
    "sneak": Wording(
        _verbs("sneak sneaks sneaking", "sneak sneaks sneaking: up", "walk walks walking: like a sneaking thief"),
        ("sneak", "sneak walk", "sneaking", "sneak cycle"),
        ("slowly", "forward", "along", "low on the ground", "with light steps", "in the dark"),
        ("slow", "quick", "low", "light"),
    ),
    "march": Wording(
        _verbs("march marches marching", "march marches marching: like a soldier", "go goes going: on a march"),
        ("march", "march cycle", "marching", "soldier march"),
        ("proudly", "forward", "along", "in place", "with high knees", "in a straight line", "fast", "slowly"),
        ("proud", "slow", "fast", "heavy"),
    ),
    "limp": Wording(
        _verbs(
            "limp limps limping",
            "walk walks walking: with a limp",
            "walk walks walking: with a hurt leg",
            "walk walks walking: on three legs",
        ),
        ("limp", "limp walk", "limping", "hurt walk"),
        ("slowly", "sadly", "forward", "along", "heavily", "with pain"),
        ("slow", "sad", "heavy", "tired"),
    ),
    "dance": Wording(
        _verbs("dance dances dancing", "dance dances dancing: to music", "do does doing: a dance"),
        ("dance", "dancing", "dance loop", "happy dance"),
        ("happily", "slowly", "fast", "in place", "to music", "from side to side"),
        ("happy", "slow", "fast", "funny"),
    ),
    "kick": Wording(
        _verbs("kick kicks kicking", "kick kicks kicking: with one leg", "give gives giving: a kick"),
        ("kick", "kicking", "front kick", "high kick"),
        (*_DOING, "high", "to the front"),
        _ACTS,
    ),
    "punch": Wording(
        _verbs("punch punches punching", "throw throws throwing: a punch", "punch punches punching: with one hand"),
        ("punch", "punching", "punch combo"),
        (*_DOING, "to the front"),
        _ACTS,
    ),
    "wave": Wording(
        _verbs("wave waves waving", "wave waves waving: with one arm", "wave waves waving: one hand"),
        ("wave", "waving", "wave hand", "hand wave"),
        ("slowly", "fast", "happily", "again and again", "to the camera"),
        ("happy", "slow", "fast"),
    ),
    "eat": Wording(
        _verbs(
            "eat eats eating",
            "peck pecks pecking",
            "eat eats eating: food",
            "eat eats eating: from the ground",
            "peck pecks pecking: at the ground",
        ),
        ("eat", "eating", "peck", "eat loop"),
        ("slowly", "fast", "happily", "again and again", "calmly"),
        ("slow", "fast", "happy"),
    ),
    "bite": Wording(
        _verbs("bite bites biting", "attack attacks attacking", "attack attacks attacking: with a bite"),
        ("bite", "attack", "biting", "bite attack"),
        (*_DOING, "to the front", "with its mouth"),
        _ACTS,
    ),
    "fly": Wording(
        _verbs(
            "fly flies flying",
            "flap flaps flapping: its wings",
            "flap flaps flapping",
            "fly flies flying: up",
        ),
        ("fly", "flying", "flap", "flap wings", "flying idle", "fly cycle"),
        ("slowly", "fast", "happily", "forward", "in place", "high", "straight ahead"),
        ("slow", "fast", "light", "heavy"),
    ),
    "slither": Wording(
        _verbs("slither slithers slithering", "slither slithers slithering: on its belly"),
        ("slither", "slithering", "slither cycle"),
        ("slowly", "fast", "quickly", "forward", "along", "on the ground"),
        ("slow", "fast", "smooth"),
    ),
    "swim": Wording(
        _verbs("swim swims swimming", "swim swims swimming: through the water", "swim swims swimming: around"),
        ("swim", "swimming", "swim cycle", "swim loop"),
        ("slowly", "fast", "quickly", "forward", "along", "calmly", "straight ahead"),
        ("slow", "fast", "smooth", "calm"),
    ),
}
"""The words of every motion class of `MOTIONS`; the names in `MOTION_ALIASES` share them."""

SUBJECT_TEMPLATES = (
    "{a} is {ing}{how}", "{the} is {ing}{how}", "{a} {third}{how}", "{the} {third}{how}", "{a} {ing}{how}",
    "{a} that {third}{how}", "{a} that is {ing}{how}", "{bare} {ing}{how}", "{bare} {name}", "make {the} {base}{how}",
    "let {the} {base}{how}", "{the} keeps {ing}{how}", "{the} starts {ing}{how}", "{style}{name} of {a}",
    "{a} doing {an_name}", "{a}, {ing}{how}", "an animation of {a} {ing}{how}", "a video of {a} {ing}{how}",
    "i want {the} to {base}{how}", "{third}{how}: {a}",
)  # fmt: skip
"""Templates of sentences with a subject."""
BARE_TEMPLATES = (
    "{base}{how}", "{base}", "{ing}{how}", "it {third}{how}", "it is {ing}{how}", "{style}{name}", "{style}{name}",
    "{name}", "{name} animation", "{an_name}", "it should {base}{how}", "someone {third}{how}", "{ing}",
)  # fmt: skip
"""Templates without a subject."""
CLIP_NAME_TEMPLATES = (
    "{bare}_{name}",
    "{name}",
    "{name}_{style}",
    "{style}_{name}",
    "{name}_01",
    "Armature|{name}",
    "{name}_A",
)
"""Templates of clip names."""


_PLURAL = re.compile(r"[^u]s$|^(mice|cattle|people)$")


def phrase_subjects() -> tuple[str, ...]:
    """Return all subjects of phrases: the singular nouns of built-in creatures, then `GENERIC_SUBJECTS`.

    The text encoder ships them as `subjects.txt`, so that it does not import the creatures.
    """
    return (*(word for noun in NOUNS for word in noun.words if not _PLURAL.search(word)), *GENERIC_SUBJECTS)


def phrase(motion: str, subject: str, rng: np.random.Generator) -> str:
    """Draw a phrase that asks for a motion of `WORDINGS` or `MOTION_ALIASES`.

    `subject` is a noun ('fox', 'polar bear'), or empty. One phrase in three leaves it out, one in seven is a
    clip name.
    """
    wording = WORDINGS[canonical_motion(motion)]
    kind = rng.random()
    if kind < 1 / 7:
        return _clip_name(wording, subject, rng)
    templates = BARE_TEMPLATES if not subject or kind < 10 / 21 else SUBJECT_TEMPLATES
    verb = _draw(wording.verbs, rng)
    name = _draw(wording.names, rng)
    text = _draw(templates, rng).format(
        a=f"{_article(subject)} {subject}",
        the=f"the {subject}",
        bare=subject,
        base=_joined(verb.base, verb.rest),
        third=_joined(verb.third, verb.rest),
        ing=_joined(verb.ing, verb.rest),
        how=" " + _draw(wording.how, rng) if rng.random() < 0.5 else "",
        name=name,
        an_name=f"{_article(name)} {name}",
        style=_draw(wording.style, rng) + " " if rng.random() < 0.5 else "",
    )
    return _finished(text, rng)


def words_of_templates() -> frozenset[str]:
    """Return every word that a phrase can contain besides its subject, in lower case."""
    return frozenset(word for text in _texts() for word in re.findall(r"[a-z]+", re.sub(r"{\w+}", " ", text.lower())))


def _texts() -> Iterator[str]:
    yield from (*SUBJECT_TEMPLATES, *BARE_TEMPLATES, *CLIP_NAME_TEMPLATES)
    for wording in WORDINGS.values():
        yield from (*wording.names, *wording.how, *wording.style)
        yield from (f"{verb.base} {verb.third} {verb.ing} {verb.rest}" for verb in wording.verbs)


def _clip_name(wording: Wording, subject: str, rng: np.random.Generator) -> str:
    """Draw a name as in animation files: Run_Fast, walkCycle, FOX_IDLE."""
    name, style = _draw(wording.names, rng), _draw(wording.style, rng)
    text = _draw(CLIP_NAME_TEMPLATES, rng).format(name=name, style=style, bare=subject).strip("_")
    case = rng.integers(4)
    if case == 0:
        return "".join(word[:1].upper() + word[1:] for word in re.split(r"[ _]", text))
    if case == 1:
        return text.replace(" ", "_").upper()
    return text.title().replace(" ", "_") if case == 2 else text.replace(" ", "_")


def _draw(options: tuple, rng: np.random.Generator):  # type: ignore[no-untyped-def]
    return options[int(rng.integers(len(options)))]


def _joined(verb: str, rest: str) -> str:
    return f"{verb} {rest}" if rest else verb


def _article(noun: str) -> str:
    return "an" if noun[:1] in "aeiou" and noun else "a"


def _finished(text: str, rng: np.random.Generator) -> str:
    """Give some phrases a capital letter and a full stop."""
    kind = rng.random()
    text = text[:1].upper() + text[1:] if kind < 0.3 else text
    return text + "." if kind < 0.15 else text
