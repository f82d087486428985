"""The actions of a sentence, one after the other: 'a fox walks, then jumps, then turns left and walks away'."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from gambol.diffusion.video_prior import ActionText
from gambol.motion.vocabulary import AIRBORNE_MOTIONS, TURNING_MOTIONS, find_entry
from gambol.priors.embedded.text.encoder import SentenceClassification, classify_sentence
from gambol.priors.embedded.text.reading import find_subject_tokens, find_used_tokens, is_now_and_then
from gambol.priors.embedded.text.sentence_check import check_sentence
from gambol.priors.embedded.text.style_reading import ARTICLES
from gambol.priors.embedded.text.tokens import Token, split_tokens

PRONOUNS = frozenset(("he", "she", "it", "they"))
"""Words that stand for the subject of the first action."""
JOINING_WORDS = frozenset(("and", "but", "then", "afterwards", "afterward", "finally", "next"))
"""Words between two actions that belong to neither."""
LOW_POSTURES = {"sit down": "stands up", "lie down": "gets up", "fall down": "gets up"}
"""Motions that end near the ground, and what leads up again."""
RISING_MOTIONS = ("stand up", "get up")
"""Motions that lead up from the ground."""
MAX_SUBJECT_START = 4
"""A subject starts within this many words from its sentence's start."""
ALOFT_MOTIONS = ("fly", "glide", "take off")
"""Motions that end in the air."""


def read_sequence(prompts: Sequence[str]) -> tuple[ActionText, ...]:
    """The actions of one sentence or of several sentences, each with who moves, and what must come in between.

    One sentence is split where a further action follows 'then', 'after that', 'before', a comma ..., and behind a
    turn; 'after' exchanges two actions. A body that sits or lies gets up before it goes on, and what flies takes off
    and lands.
    """
    for prompt in prompts:
        check_sentence(prompt)
    if len(prompts) == 1:
        clauses = split_actions(prompts[0])
        actions = [(clause, 0) for clause in clauses]
    else:
        actions = [(split_tokens(prompt), i) for i, prompt in enumerate(prompts)]
    if len(actions) < 2:
        return tuple(ActionText(prompt, i) for i, prompt in enumerate(prompts))
    subject = next((found for found in map(subject_of, (tokens for tokens, _ in actions)) if found), "")
    sentences = [(with_subject(tokens, subject), source) for tokens, source in actions]
    read: list[ActionText] = []
    for (sentence, source), before in zip(sentences, [None, *sentences], strict=False):
        between = "" if before is None else bridge(motion_of(before[0]), motion_of(sentence))
        if between:
            read.append(ActionText(f"{subject} {between}".strip(), None))
        read.append(ActionText(sentence, source))
    return tuple(read)


def split_actions(sentence: str) -> list[list[Token]]:
    """The tokens of each action, in the order in which they are done."""
    tokens = split_tokens(sentence)
    actions: list[list[Token]] = []
    clauses = find_clauses(sentence, tokens)
    for first, end, order in clauses:
        clause = strip_joining(tokens[first:end])
        if actions and not (clause and is_action(clause)):
            actions[-1] = actions[-1] + tokens[first:end]
        elif order == "after" and actions:
            actions.insert(len(actions) - 1, clause)
        else:
            actions.append(clause)
    if len(actions) > 1 and not is_action(actions[0]):
        return [tokens]
    ordered = reorder_leading(clauses, [strip_joining(action) for action in actions])
    return [part for action in ordered for part in split_behind_turn(action)]


def split_behind_turn(action: list[Token]) -> list[list[Token]]:
    """'Turns left and walks away' is a turn, then a walk: a turn is over before the body goes its new way."""
    for i, token in enumerate(action):
        turn, rest = action[:i], strip_joining(action[i:])
        if token.words == ("and",) and turn and rest and is_action(turn) and is_action(rest):
            motion = motion_of(plain_text(rest))
            if motion_of(plain_text(turn)) in TURNING_MOTIONS and find_entry(motion).repeats:
                return [turn, rest]
    return [action]


def find_clauses(sentence: str, tokens: Sequence[Token]) -> list[tuple[int, int, str]]:
    """Spans of tokens between the words that join actions, and how each is joined: then, after or nothing."""
    clauses, first, order = [], 0, ""
    i = 0
    while i < len(tokens):
        joint, skip = joint_at(sentence, tokens, i)
        if joint and (i > first or joint.startswith("leading")):
            if i > first:
                clauses.append((first, i, order))
            first, order = i + skip, joint
            i += max(skip, 1)
            continue
        i += 1
    clauses.append((first, len(tokens), order))
    return [clause for clause in clauses if clause[1] > clause[0]]


def joint_at(sentence: str, tokens: Sequence[Token], i: int) -> tuple[str, int]:
    """How the action that starts at token i is joined to the one before it, and the number of joining tokens."""
    word = " ".join(tokens[i].words)
    after = " ".join(tokens[i + 1].words) if i + 1 < len(tokens) else ""
    gerund = after.endswith("ing")
    if word == "then" and not is_now_and_then(tokens, i):
        return "then", 1
    if word in ("afterwards", "afterward", "finally"):
        return "then", 1
    if f"{word} {after}" in ("after that", "followed by"):
        return "then", 2
    pronoun = after in PRONOUNS
    if word in ("before", "after") and (gerund or pronoun):
        leading = "leading " if i == 0 else ""
        return f"{leading}{'then' if word == 'before' else 'after'}", 1
    comma = i > 0 and "," in sentence[tokens[i - 1].end : tokens[i].start]
    leads = tokens[0].words in (("after",), ("before",))
    if comma and (word.endswith("s") or word in JOINING_WORDS | PRONOUNS or leads):
        return "then", 0
    return "", 0


def reorder_leading(clauses: Sequence[tuple[int, int, str]], actions: list[list[Token]]) -> list[list[Token]]:
    """'Before jumping, a fox walks' has its first two actions in the other order."""
    if len(actions) > 1 and clauses[0][2] == "leading then":
        return [actions[1], actions[0], *actions[2:]]
    return actions


def strip_joining(tokens: Sequence[Token]) -> list[Token]:
    """Tokens without joining words at both ends."""
    found = list(tokens)
    while found and set(found[0].words) <= JOINING_WORDS and found[0].words:
        found.pop(0)
    while found and set(found[-1].words) <= JOINING_WORDS and found[-1].words:
        found.pop()
    return found


def is_action(tokens: Sequence[Token]) -> bool:
    """Whether words ask for a motion that is known, with confidence."""
    return classified(plain_text([t for t in tokens if not set(t.words) & PRONOUNS])).is_confident


def subject_of(tokens: Sequence[Token]) -> str:
    """The words that name who moves, with what stands in front of them: 'a small fox'; empty where nobody is named."""
    found = classified(plain_text(tokens))
    subjects = find_subject_tokens(tokens, find_used_tokens(tokens, found))
    named = {i for i in subjects if not set(tokens[i].words) & PRONOUNS}
    return plain_text(tokens[: max(named) + 1]) if named and min(named) <= MAX_SUBJECT_START else ""


def with_subject(tokens: Sequence[Token], subject: str) -> str:
    """The sentence of an action: its own words where they name who moves, else with the subject in front."""
    if not subject or subject_of(tokens) or set(tokens[0].words) & ARTICLES:
        return plain_text(tokens)
    own = list(tokens)
    while own and set(own[0].words) & (PRONOUNS | JOINING_WORDS):
        own.pop(0)
    verb = f"is {plain_text(own)}" if own and own[0].text.endswith("ing") else plain_text(own)
    return f"{subject} {verb}"


def bridge(before: str, after: str) -> str:
    """The verb of what has to come between two motions; empty where one can follow the other."""
    if before in LOW_POSTURES and after not in (*LOW_POSTURES, *RISING_MOTIONS):
        return LOW_POSTURES[before]
    if before in ALOFT_MOTIONS and after not in AIRBORNE_MOTIONS:
        return "lands"
    return "takes off" if before not in AIRBORNE_MOTIONS and after in ("fly", "glide") else ""


def motion_of(sentence: str) -> str:
    """The motion that the sentence of one action asks for."""
    return classified(sentence).motion


@cache
def classified(text: str) -> SentenceClassification:
    """The motion of a text; texts are asked for several times while a sequence is read."""
    return classify_sentence(text)


def plain_text(tokens: Sequence[Token]) -> str:
    """Words with blanks between them."""
    return " ".join(token.text for token in tokens)
