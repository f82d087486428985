"""Which words mean a motion: mechanical rules on WordNet around the templates' own words, no list of synonyms."""

from __future__ import annotations

import re
from collections.abc import Callable

from gambol.training.text.phrases import WORDINGS, subjects
from gambol.training.text.wordnet import Part, Synset, WordNet

SEEDS: dict[str, tuple[str, ...]] = {
    "idle": ("stand.1", "stand.7", "idle.2", "breathe.7"),
    "walk": ("walk.1", "walk.10"),
    "trot": ("trot.1",),
    "run": ("run.1", "run.2", "gallop.2", "jog.3"),
    "jump": ("jump.1", "hop.1", "hop.6"),
    "turn": ("turn.1", "turn.9"),
    "sneak": ("sneak.1",),
    "march": ("march.1", "march.3"),
    "limp": ("limp.1",),
    "dance": ("dance.1", "dance.2"),
    "kick": ("kick.1", "kick.2", "kick.3"),
    "punch": ("punch.1",),
    "wave": ("wave.1",),
    "eat": ("eat.1", "eat.2", "eat.3", "peck.2"),
    "bite": ("bite.1", "attack.4"),
    "fly": ("fly.1", "flap.3"),
    "slither": ("slither.1",),
}
"""Senses of the templates' own verbs that mean the motion; `turn` goes with a side."""
NOUN_SEEDS: dict[str, tuple[str, ...]] = {
    "walk": ("walk.1", "walk.4"),
    "trot": ("trot.4",),
    "run": ("run.7", "gallop.1"),
    "jump": ("jump.6", "hop.1"),
    "turn": ("turn.2", "turn.7"),
    "march": ("march.2",),
    "limp": ("limp.1",),
    "dance": ("dance.3",),
    "kick": ("kick.1",),
    "punch": ("punch.1",),
    "wave": ("wave.5",),
    "bite": ("bite.8",),
    "fly": ("flight.2",),
}
"""The same of their nouns: 'a leisurely walk'."""
ADJECTIVE_SEEDS: dict[str, tuple[str, ...]] = {"idle": ("still.1", "idle.1"), "limp": ("hurt.1",)}
"""The same of their adjectives, with those that WordNet calls similar."""
OTHER = ("swim.1", "climb.1", "sit.1", "lie.1", "sleep.1", "ride.1", "drive.1", "fall.1", "push.1", "pull.1", "cry.2",
         "laugh.1", "talk.1", "think.1", "cook.1", "write.1", "sing.1", "read.1", "buy.1", "rain.1", "build.1",
         "paint.1", "speak.1", "study.1", "wash.1", "dig.1", "pray.1")  # fmt: skip
"""Senses that mean none of the motions."""
BODILY = (29, 33, 34, 35, 38, 42)
"""WordNet's files of verbs of the body, contests, consumption, contact, motion and states: these get more sentences."""
WIDER_WORDS = 30
"""A wider meaning is taken in if no more words than this stand below it."""
_GENUS = {
    verb.base: motion.split()[0]
    for motion, wording in WORDINGS.items()
    for verb in wording.verbs
    if not verb.rest or verb.base == motion.split()[0]
}
"""The templates' verbs and their motions; 'turn' has no side."""


def definition(synset: Synset) -> str:
    """What stands before the examples and remarks."""
    return re.split('[;("]', synset.gloss)[0].strip()


def meanings_below(part: Part, seeds: dict[str, tuple[str, ...]]) -> dict[str, str]:
    """Offset to motion for all below the seeds; the narrowest motion wins ('limp' is below 'walk' too)."""
    below = {m: set().union(*(part.below(part.offset(s)) for s in senses)) for m, senses in seeds.items()}
    found: dict[str, str] = {}
    for motion in sorted(below, key=lambda m: -len(below[m])):
        found |= dict.fromkeys(below[motion], motion)
    return found


def defined_motion(synset: Synset) -> str | None:
    """The first template verb among the first five words of a definition of a bodily verb ('run or move quickly')."""
    words = re.findall("[a-z]+", definition(synset).lower())[:5] if synset.file in BODILY else []
    return next((_GENUS[word] for word in words if word in _GENUS), None)


def manners(part: Part) -> dict[str, str]:
    """Adverbs that define a motion as a way to go or move: 'stealthily' is how one sneaks."""
    found: dict[str, str] = {}
    for motion, senses in SEEDS.items():
        for text in (definition(part.synsets[part.offset(sense)]) for sense in senses):
            if re.search(r"\b(go|move)\b", text):
                found |= dict.fromkeys(re.findall(r"\w+ly\b", text), motion)
    return found


def wider_meanings(part: Part, owned: dict[str, str]) -> dict[str, str]:
    """The next wider meaning of a seed and all below it, if that is little and none of it is another motion's."""
    found: dict[str, str] = {}
    for motion, senses in SEEDS.items():
        own = set().union(*(part.below(part.offset(sense)) for sense in senses))
        for up in (up for sense in senses for up in part.synsets[part.offset(sense)].wider):
            more = part.below(up)
            if len(part.words(more)) <= WIDER_WORDS and {owned.get(o, motion) for o in more - own} <= {motion}:
                found |= dict.fromkeys(more, motion)
    return found


def motion_meanings(part: Part) -> dict[str, str]:
    """Offset to motion for every verb meaning that a rule finds, the surest rule first; nothing below `OTHER`."""
    found = meanings_below(part, SEEDS)
    adverbs = manners(part)
    other = meanings_below(part, {"other": OTHER})
    more = {o: m for o, m in wider_meanings(part, found).items() if o not in other}
    for offset, synset in part.synsets.items():
        how = [adverbs[w] for w in re.findall("[a-z]+", definition(synset)) if w in adverbs]
        if how and synset.file in BODILY and found.get(offset, "walk") == "walk":
            found[offset] = how[0]
        genus = defined_motion(synset)
        if genus and offset not in other:
            more.setdefault(offset, genus)
    return {**more, **found}


def motion_words(part: Part, meanings: dict[str, str], zipf: Callable[[str], float]) -> dict[str, str]:
    """Single words in use, each with the motion of its commonest meaning (of its first two) that has one.

    Who moves does not say how: names of creatures ('wolf', also a way to eat) are left out.
    """
    who = {word for subject in subjects() for word in subject.split()}
    found = {}
    for word, senses in part.senses.items():
        motion = next((meanings[o] for o in senses[:2] if o in meanings), None)
        if motion and re.fullmatch("[a-z]+", word) and zipf(word) > 1.3 and word not in who:
            found[word] = motion
    return found


def motion_verbs(wordnet: WordNet, meanings: dict[str, str], zipf: Callable[[str], float]) -> dict[str, str]:
    """Verbs of a motion that are not mainly nouns ('foot', 'corner'): used as a noun at most five times as often."""
    verbs = motion_words(wordnet.verbs, meanings, zipf)
    return {w: m for w, m in verbs.items() if wordnet.uses(w, "noun") <= 5 * wordnet.uses(w, "verb") + 1}
