"""Words that mean a motion, found by mechanical rules on WordNet around the templates' own words."""

from __future__ import annotations

import re
from collections.abc import Callable

from gambol.training.text.phrases import WORDINGS, phrase_subjects
from gambol.training.text.wordnet import PartOfSpeech, Synset, WordNet

VERB_SEEDS: dict[str, tuple[str, ...]] = {
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
    "swim": ("swim.1",),
}
"""Senses of the templates' own verbs that mean each motion; `turn` needs a side."""
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
"""Senses of the templates' own nouns that mean each motion: 'a leisurely walk'."""
ADJECTIVE_SEEDS: dict[str, tuple[str, ...]] = {"idle": ("still.1", "idle.1"), "limp": ("hurt.1",)}
"""Senses of the templates' own adjectives that mean each motion; WordNet's similar ones are included."""
OTHER_SENSES = (
    "climb.1", "sit.1", "lie.1", "sleep.1", "ride.1", "drive.1", "fall.1", "push.1", "pull.1", "cry.2",
    "laugh.1", "talk.1", "think.1", "cook.1", "write.1", "sing.1", "read.1", "buy.1", "rain.1", "build.1", "paint.1",
    "speak.1", "study.1", "wash.1", "dig.1", "pray.1",
)  # fmt: skip
"""Senses that mean none of the motions."""
BODILY_VERB_FILES = (29, 33, 34, 35, 38, 42)
"""Numbers of WordNet's files of verbs of the body, contests, consumption, contact, motion and states."""
MAX_WIDER_WORDS = 30
"""Most words below a wider meaning that is included."""
_GENUS = {
    verb.base: motion.split()[0]
    for motion, wording in WORDINGS.items()
    for verb in wording.verbs
    if not verb.rest or verb.base == motion.split()[0]
}
"""Motion of each of the templates' verbs; 'turn' has no side."""


def definition(synset: Synset) -> str:
    """Return the definition in a gloss, without examples and remarks."""
    return re.split('[;("]', synset.gloss)[0].strip()


def meanings_below(part: PartOfSpeech, seeds: dict[str, tuple[str, ...]]) -> dict[str, str]:
    """Map the offsets of all meanings below the seeds to motions; the narrowest wins ('limp' is below 'walk')."""
    below = {m: set().union(*(part.below(part.offset(s)) for s in senses)) for m, senses in seeds.items()}
    found: dict[str, str] = {}
    for motion in sorted(below, key=lambda m: -len(below[m])):
        found |= dict.fromkeys(below[motion], motion)
    return found


def defined_motion(synset: Synset) -> str | None:
    """Return the motion of the first template verb among the first five words of a bodily verb's definition."""
    words = re.findall("[a-z]+", definition(synset).lower())[:5] if synset.file in BODILY_VERB_FILES else []
    return next((_GENUS[word] for word in words if word in _GENUS), None)


def manner_adverbs(part: PartOfSpeech) -> dict[str, str]:
    """Return adverbs that define a motion as a way to go or move: 'stealthily' is how one sneaks."""
    found: dict[str, str] = {}
    for motion, senses in VERB_SEEDS.items():
        for text in (definition(part.synsets[part.offset(sense)]) for sense in senses):
            if re.search(r"\b(go|move)\b", text):
                found |= dict.fromkeys(re.findall(r"\w+ly\b", text), motion)
    return found


def wider_meanings(part: PartOfSpeech, owned: dict[str, str]) -> dict[str, str]:
    """Map the next wider meaning of each seed, and all below it, to its motion if it is small and of no other."""
    found: dict[str, str] = {}
    for motion, senses in VERB_SEEDS.items():
        own = set().union(*(part.below(part.offset(sense)) for sense in senses))
        for up in (up for sense in senses for up in part.synsets[part.offset(sense)].wider):
            more = part.below(up)
            if len(part.words(more)) <= MAX_WIDER_WORDS and {owned.get(o, motion) for o in more - own} <= {motion}:
                found |= dict.fromkeys(more, motion)
    return found


def motion_meanings(part: PartOfSpeech) -> dict[str, str]:
    """Map the offsets of verb meanings that a rule finds to motions, surest rule first, none below `OTHER_SENSES`."""
    found = meanings_below(part, VERB_SEEDS)
    adverbs = manner_adverbs(part)
    other = meanings_below(part, {"other": OTHER_SENSES})
    more = {o: m for o, m in wider_meanings(part, found).items() if o not in other}
    for offset, synset in part.synsets.items():
        how = [adverbs[w] for w in re.findall("[a-z]+", definition(synset)) if w in adverbs]
        if how and synset.file in BODILY_VERB_FILES and found.get(offset, "walk") == "walk":
            found[offset] = how[0]
        genus = defined_motion(synset)
        if genus and offset not in other:
            more.setdefault(offset, genus)
    return {**more, **found}


def motion_words(part: PartOfSpeech, meanings: dict[str, str], zipf: Callable[[str], float]) -> dict[str, str]:
    """Return single words in use, each with the motion of its commonest meaning (of its first two) that has one.

    Who moves does not say how: names of creatures ('wolf', also a way to eat) are left out.
    """
    who = {word for subject in phrase_subjects() for word in subject.split()}
    found = {}
    for word, senses in part.senses.items():
        motion = next((meanings[o] for o in senses[:2] if o in meanings), None)
        if motion and re.fullmatch("[a-z]+", word) and zipf(word) > 1.3 and word not in who:
            found[word] = motion
    return found


def motion_verbs(wordnet: WordNet, meanings: dict[str, str], zipf: Callable[[str], float]) -> dict[str, str]:
    """Return verbs of motions that are used as a noun at most five times as often (not 'foot' or 'corner')."""
    verbs = motion_words(wordnet.verbs, meanings, zipf)
    return {w: m for w, m in verbs.items() if wordnet.uses(w, "noun") <= 5 * wordnet.uses(w, "verb") + 1}
