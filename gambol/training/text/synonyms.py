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
    "jump": ("jump.1",),
    "turn": ("turn.1", "turn.9"),
    "sneak": ("sneak.1",),
    "march": ("march.1", "march.3"),
    "limp": ("limp.1",),
    "dance": ("dance.1", "dance.2"),
    "kick": ("kick.1", "kick.2", "kick.3"),
    "punch": ("punch.1",),
    "wave": ("wave.1",),
    "eat": ("eat.1", "eat.2", "eat.3"),
    "bite": ("bite.1", "attack.4"),
    "fly": ("fly.1",),
    "slither": ("slither.1",),
    "swim": ("swim.1",),
    "hop": ("hop.1", "hop.6"),
    "look around": ("scan.3", "look.4", "look.1"),
    "walk backwards": ("back.2", "retreat.1", "retreat.3"),
    "crawl": ("crawl.1",),
    "sit down": ("sit.1", "sit.3"),
    "stand up": ("rise.3",),
    "lie down": ("lie.2", "lie.7", "sleep.1", "stretch.6"),
    "get up": ("arise.7", "awaken.2"),
    "stretch": ("stretch.2",),
    "shake": ("shake.2", "shiver.1", "shiver.2", "tremble.1"),
    "rear up": ("rear.1",),
    "roar": ("roar.3", "howl.2", "bark.4", "growl.1", "scream.1", "scream.2", "roar.5"),
    "sniff": ("sniff.1", "sniff.2", "smell.1"),
    "drink": ("drink.1", "drink.2"),
    "stomp": ("trample.1", "trample.3"),
    "charge": ("charge.1",),
    "get hit": ("flinch.1",),
    "fall down": ("fall.7", "collapse.2", "die.1", "faint.1", "topple.1"),
    "point": ("point.1", "point.3", "aim.1"),
    "clap": ("clap.3", "clap.4"),
    "bow": ("bow.3", "curtsy.1"),
    "nod": ("nod.1", "nod.2"),
    "box": ("box.3", "spar.3"),
    "throw": ("throw.1", "hurl.1"),
    "catch": ("catch.4",),
    "push": ("push.1", "push.5", "shove.2", "shove.3"),
    "pull": ("pull.1", "pull.4", "drag.1", "drag.2", "tug.1", "tug.6"),
    "pick up": ("gather.1", "gather.8"),
    "carry": ("carry.1",),
    "climb": ("climb.1", "climb.2", "ascend.1"),
    "roll": ("somersault.1", "roll.1"),
    "squat": ("squat.1", "kneel.1"),
    "swing sword": ("slash.1", "chop.5", "stab.1", "stab.2", "slash.2"),
    "swing golf club": ("golf.1", "putt.1"),
    "dribble": ("dribble.3",),
    "laugh": ("laugh.1", "giggle.1"),
    "salute": ("salute.6",),
    "talk": ("talk.1", "chat.1", "gesticulate.1", "talk.6", "speak.4"),
    "old walk": ("hobble.1", "totter.2"),
    "drunk walk": ("stagger.1", "totter.3"),
    "proud walk": ("strut.1",),
    "heavy walk": ("trudge.1", "lumber.1", "stomp.1"),
    "glide": ("glide.2", "soar.3", "soar.2"),
    "land": ("land.1", "alight.1", "alight.2"),
    "peck": ("peck.1", "peck.2"),
    "flap": ("flap.3", "flap.4"),
    "coil": ("coil.1", "coil.3"),
    "strike": ("lunge.1",),
}
"""Senses of the templates' own verbs that mean each motion; `turn` needs a side."""
NOUN_SEEDS: dict[str, tuple[str, ...]] = {
    "walk": ("walk.1", "walk.4"),
    "trot": ("trot.4",),
    "run": ("run.7", "gallop.1"),
    "jump": ("jump.6",),
    "turn": ("turn.2", "turn.7"),
    "march": ("march.2",),
    "limp": ("limp.1",),
    "dance": ("dance.3",),
    "kick": ("kick.1",),
    "punch": ("punch.1",),
    "wave": ("wave.5",),
    "bite": ("bite.8",),
    "fly": ("flight.2",),
    "hop": ("hop.1",),
}
"""Senses of the templates' own nouns that mean each motion: 'a leisurely walk'."""
ADJECTIVE_SEEDS: dict[str, tuple[str, ...]] = {"idle": ("still.1", "idle.1"), "limp": ("hurt.1",)}
"""Senses of the templates' own adjectives that mean each motion; WordNet's similar ones are included."""
OTHER_SENSES = (
    "ride.1", "drive.1", "cry.2", "think.1", "cook.1", "write.1", "sing.1", "read.1", "buy.1", "rain.1", "build.1",
    "paint.1", "study.1", "wash.1", "dig.1", "pray.1",
)  # fmt: skip
"""Senses that mean none of the motions."""
MANNER_MOTIONS = ("sneak",)
"""Motions that an adverb alone defines: 'walks stealthily'."""
VAGUE_VERBS = frozenset(("strike", "land", "catch", "shake", "roll", "point", "coil", "carry", "charge", "throw"))
"""The templates' verbs that define other things than their motion: 'strike with the foot' is a kick."""
BODILY_VERB_FILES = (29, 33, 34, 35, 38, 42)
"""Numbers of WordNet's files of verbs of the body, contests, consumption, contact, motion and states."""
MAX_WIDER_WORDS = 30
"""Most words below a wider meaning that is included."""
_GENUS = {"turn": "turn"} | {
    verb.base: motion
    for motion, wording in WORDINGS.items()
    for verb in wording.verbs
    if not verb.rest and verb.base not in VAGUE_VERBS
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
    for motion in MANNER_MOTIONS:
        for text in (definition(part.synsets[part.offset(sense)]) for sense in VERB_SEEDS[motion]):
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
