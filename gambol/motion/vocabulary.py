"""The vocabulary: every motion that a sentence can ask for, what must be seen of it, and the bodies that it suits."""

from __future__ import annotations

from dataclasses import dataclass

from gambol.errors import ConfigError

LEGGED = "legged"
"""Bodies that stand on two or more legs."""
PERSON = "person"
"""Upright bodies with two legs, two arms and no tail, wings or snout: people and robots."""
ARMED = "armed"
"""Bodies with two arms or claws, people and centaurs among them."""
ANIMAL = "animal"
"""Legged bodies with a head that reaches the ground or bites: four legs, or two legs and a tail."""
MANY_LEGGED = "many-legged"
"""Bodies with five and more legs."""
WINGED = "winged"
"""Legged bodies with wings."""
FINNED = "finned"
"""Bodies with fins and no legs."""
LEGLESS = "legless"
"""Bodies with neither legs nor fins."""


@dataclass(frozen=True)
class MotionEntry:
    """One motion of the vocabulary."""

    name: str
    """Its name, as clips and messages have it."""
    seen: str
    """What must be seen in joint space; lengths are leg lengths."""
    bodies: tuple[str, ...]
    """Kinds of bodies that it suits."""
    repeats: bool = False
    """Whether it goes on in cycles, like a gait; other motions have a start and an end."""
    recognised_as: str = ""
    """The class of the rule-based recogniser that it belongs to; empty where the recogniser has none."""
    ends_elsewhere: bool = False
    """Whether it happens once: it ends elsewhere than it began and stays there, so that it makes no loop."""


def _entry(
    name: str,
    seen: str,
    *bodies: str,
    repeats: bool = False,
    recognised_as: str = "",
    ends_elsewhere: bool = False,
) -> MotionEntry:
    return MotionEntry(name, seen, bodies, repeats, recognised_as, ends_elsewhere)


_RULED = (
    _entry("idle", "all feet stay, the body hardly moves", LEGGED, LEGLESS, FINNED, repeats=True),
    _entry("walk", "feet step in turn, always one on the ground", LEGGED, repeats=True),
    _entry("trot", "diagonal pairs of feet step together", LEGGED, repeats=True),
    _entry("run", "fast strides with short stances; gallops on four legs", LEGGED, repeats=True),
    _entry("jump", "the body crouches, all feet leave the ground, it lands", LEGGED, FINNED),
    _entry("turn left", "the heading changes to the left by 0.3 rad or more", LEGGED, LEGLESS, FINNED, repeats=True),
    _entry("turn right", "the heading changes to the right by 0.3 rad or more", LEGGED, LEGLESS, FINNED, repeats=True),
    _entry("sneak", "a slow walk with the body lowered by 0.15", LEGGED, repeats=True),
    _entry("march", "a walk with feet lifted high", LEGGED, repeats=True),
    _entry("limp", "a walk in which one leg's steps are shorter and quicker", LEGGED, repeats=True),
    _entry("dance", "lively motion of body and limbs in place, in a rhythm", LEGGED, repeats=True),
    _entry("kick", "one foot, or both hind feet, go far out and come back", LEGGED),
    _entry("punch", "one hand goes straight ahead fast and comes back", ARMED),
    _entry("wave", "one hand is raised and goes from side to side", ARMED, repeats=True),
    _entry("eat", "the head goes down to the ground and dips there", ANIMAL, repeats=True),
    _entry("bite", "the head darts ahead and back", ANIMAL, MANY_LEGGED, LEGLESS, FINNED),
    _entry("fly", "off the ground while the wings beat", WINGED, repeats=True),
    _entry("slither", "waves travel down the trunk while it goes ahead", LEGLESS, repeats=True),
    _entry("swim", "a wave travels down the trunk while the body goes ahead", FINNED, repeats=True),
)
"""Motions that the rule-based recogniser tells apart."""

_LEGGED = (
    _entry("hop", "both feet of each pair leave the ground and land together, again and again", LEGGED, repeats=True,
           recognised_as="jump"),
    _entry("look around", "the head turns far to one side, then to the other; feet stay", LEGGED),
    _entry("walk backwards", "feet step in turn, the body goes backwards", LEGGED, repeats=True),
    _entry("sidestep left", "feet step to the left, the heading stays", LEGGED, repeats=True),
    _entry("sidestep right", "feet step to the right, the heading stays", LEGGED, repeats=True),
    _entry("turn around", "the heading changes by half a turn", LEGGED, ends_elsewhere=True),
    _entry("crawl", "the trunk goes ahead close to the ground, people on hands and knees", LEGGED, repeats=True),
    _entry("sit down", "the pelvis sinks by 0.3 or more and stays low; fore feet stay", LEGGED, ends_elsewhere=True),
    _entry("stand up", "the pelvis rises from a seat to its standing height", LEGGED, ends_elsewhere=True),
    _entry("lie down", "trunk and head sink to the ground and stay there", LEGGED, ends_elsewhere=True),
    _entry("get up", "the trunk rises from the ground to its standing height", LEGGED, ends_elsewhere=True),
    _entry("stretch", "the limbs or the trunk extend slowly to their limits and come back", LEGGED),
    _entry("shake", "the trunk or the head turns quickly to and fro about its length", LEGGED, repeats=True),
    _entry("rear up", "the trunk pitches up by 0.5 rad or more on the hind legs", LEGGED),
    _entry("roar", "the head goes up and ahead and stays there trembling, howls point it to the sky", LEGGED),
    _entry("sniff", "the head goes low and ahead and moves in small quick nods", LEGGED, repeats=True),
    _entry("drink", "the head goes down and stays with small sips; people lead a hand to the mouth", LEGGED),
    _entry("stomp", "one foot is lifted high and driven to the ground", LEGGED, repeats=True),
    _entry("charge", "a fast run with the head low and ahead", LEGGED, repeats=True, recognised_as="run"),
    _entry("get hit", "the trunk jerks back at once and recovers slowly", LEGGED),
    _entry("fall down", "the body tips over, ends on the ground and stays still", LEGGED, ends_elsewhere=True),
)  # fmt: skip
"""Motions of all bodies with legs."""

_PEOPLE = (
    _entry("point", "one arm is stretched out ahead and held", ARMED),
    _entry("clap", "both hands meet in front of the chest, again and again", ARMED, repeats=True),
    _entry("raise hands", "both hands go above the head and stay", ARMED, ends_elsewhere=True),
    _entry("bow", "the trunk bends ahead by 0.5 rad or more and comes back; feet stay", PERSON),
    _entry("nod", "the head pitches down and up, again and again; the trunk stays", PERSON, repeats=True),
    _entry("box", "both hands punch in turn from a guard", ARMED, repeats=True, recognised_as="punch"),
    _entry("throw", "one hand goes back behind the head and swings ahead over the shoulder", ARMED),
    _entry("catch", "both hands go out together and come in to the chest", ARMED),
    _entry("push", "both hands go ahead slowly with the weight behind them", ARMED),
    _entry("pull", "both hands come in from ahead while the weight goes back", ARMED),
    _entry("pick up", "the body bends down, a hand reaches the ground and comes up", PERSON),
    _entry("carry", "a walk with both hands held in front of the body", PERSON, repeats=True, recognised_as="walk"),
    _entry("climb", "hands and feet reach up in turn while the body rises", PERSON, repeats=True),
    _entry("cartwheel", "the body rolls sideways over its hands by a full turn", PERSON),
    _entry("roll", "the body rolls ahead over its back by a full turn", PERSON),
    _entry("squat", "the knees bend deep and stretch again, the trunk stays upright", PERSON, repeats=True),
    _entry("jumping jacks", "arms and legs open and close while the body hops", PERSON, repeats=True),
    _entry("swing sword", "one hand swings from behind the shoulder down across the body", ARMED),
    _entry("swing golf club", "both hands together swing from low to behind one shoulder and through to the other",
           PERSON),
    _entry("dribble", "one hand pats down at hip height, again and again", PERSON, repeats=True),
    _entry("laugh", "shoulders and trunk shake in quick small bends", PERSON, repeats=True),
    _entry("salute", "one hand goes to the forehead and is held there", PERSON),
    _entry("talk", "the forearms gesture in changing strokes while the feet stay", PERSON, repeats=True),
    _entry("zombie walk", "a slow uneven walk with both arms stretched out ahead", PERSON, repeats=True,
           recognised_as="walk"),
    _entry("old walk", "a slow walk with short steps and a bent back", PERSON, repeats=True, recognised_as="walk"),
    _entry("drunk walk", "a walk that sways and staggers from side to side", PERSON, repeats=True,
           recognised_as="walk"),
    _entry("proud walk", "a walk with the chest out, the head up and swinging arms", PERSON, repeats=True,
           recognised_as="walk"),
    _entry("heavy walk", "a slow walk with wide feet that stamps and sinks at each step", PERSON, repeats=True,
           recognised_as="walk"),
)  # fmt: skip
"""Motions of people."""

_OTHERS = (
    _entry("glide", "off the ground with wings spread and still", WINGED, repeats=True, recognised_as="fly"),
    _entry("take off", "the feet leave the ground under beating wings and stay off", WINGED, ends_elsewhere=True),
    _entry("land", "the body comes down under beating wings until the feet stand", WINGED, ends_elsewhere=True),
    _entry("peck", "the head darts to the ground and back, again and again", WINGED, repeats=True,
           recognised_as="eat"),
    _entry("flap", "the wings beat while the feet stand", WINGED, repeats=True, recognised_as="fly"),
    _entry("breach", "the body leaps up out of its plane and falls back", FINNED, recognised_as="jump"),
    _entry("coil", "the trunk winds into a coil and stays", LEGLESS, ends_elsewhere=True),
    _entry("strike", "the raised front end darts ahead and comes back", LEGLESS, recognised_as="bite"),
)  # fmt: skip
"""Motions of birds, fish and snakes."""

VOCABULARY: tuple[MotionEntry, ...] = (*_RULED, *_LEGGED, *_PEOPLE, *_OTHERS)
"""All motions, in the order of the weights' class axes; new ones are added at the end."""
VOCABULARY_NAMES: tuple[str, ...] = tuple(entry.name for entry in VOCABULARY)
"""Their names."""
AIRBORNE_MOTIONS = ("fly", "glide", "take off", "land")
"""Motions in the air, for which no feet are drawn to the ground."""
TURNING_MOTIONS = ("turn left", "turn right", "turn around")
"""Motions that end with another heading than they start with."""
SYNONYMS = {"gallop": "run", "attack": "bite"}
"""Names that procedural motions have beside those of the vocabulary."""


def vocabulary_motion(name: str) -> str:
    """The vocabulary's name of a procedural motion."""
    return SYNONYMS.get(name, name)


def find_entry(name: str) -> MotionEntry:
    """The entry of a motion; raises `ConfigError` for a name that is not in the vocabulary."""
    motion = vocabulary_motion(name)
    if motion not in VOCABULARY_NAMES:
        raise ConfigError(f"There is no motion {name!r}; the vocabulary has {', '.join(VOCABULARY_NAMES)}.")
    return VOCABULARY[VOCABULARY_NAMES.index(motion)]


def mirrored_motion(name: str) -> str:
    """The motion that is seen in a mirror: left and right exchanged."""
    if name.endswith(" left"):
        return name.removesuffix("left") + "right"
    return name.removesuffix("right") + "left" if name.endswith(" right") else name
