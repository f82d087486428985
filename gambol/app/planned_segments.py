"""The segments of a request as a prior reads them: sentences, lengths, styles, seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gambol.app.animate_request import AnimateRequest
from gambol.app.segment import MAX_SECONDS, MAX_SEGMENTS, Segment
from gambol.diffusion.video_prior import MotionLength, VideoPrior
from gambol.errors import ConfigError
from gambol.motion.vocabulary import TURNING_MOTIONS, VOCABULARY_NAMES, find_entry

SHORTEST_SHARE = 0.5
"""Length that a segment gets at least where a whole length is shared, seconds."""


@dataclass(frozen=True)
class PlannedSegment:
    """One action as it is made."""

    prompt: str
    """The sentence, with who moves."""
    seconds: float | None = None
    """Length; None takes the motion's own."""
    style: Mapping[str, float] = field(default_factory=dict)
    """Numbers of the style by axis."""
    seed: int | None = None
    """Seed of its own; None takes the variant's."""
    added: bool = False
    """Whether it was added between two actions that were asked for, such as standing up."""
    loop: bool = False
    """A seamless cycle that is written beside the clip."""


def plan_segments(request: AnimateRequest, prior: VideoPrior[Any]) -> tuple[PlannedSegment, ...]:
    """The actions that are made one after the other."""
    given = request.segments or (Segment(request.prompt),)
    if request.video is not None or request.start_clip is not None:
        return (PlannedSegment(request.prompt, style=request.style),)
    actions = prior.read_sequence([segment.prompt for segment in given])
    if len(actions) > MAX_SEGMENTS:
        raise ConfigError(f"The sentence asks for {len(actions)} actions; at most {MAX_SEGMENTS} are made in one clip.")
    several = len(actions) > 1
    if several and (request.loop or "loop" in request.exports):
        raise ConfigError(
            f"'{request.title}' asks for {len(actions)} actions one after the other; a sequence ends elsewhere than it"
            " begins, so it cannot loop. Ask for one of them."
        )
    planned = []
    for action in actions:
        source = given[action.source or 0]
        own = action.source is not None and len(given) > 1
        seconds = source.seconds if own or not several else None
        style = {**request.style, **source.style} if action.source is not None else request.style
        planned.append(PlannedSegment(action.prompt, seconds, style, source.seed, action.source is None))
    if not several:
        planned = [replace(planned[0], seconds=single_length(request, given[0]))]
    return tuple(planned)


def single_length(request: AnimateRequest, segment: Segment) -> float | None:
    """The length of a clip of one action, which the request or its only segment gives."""
    if None not in (request.seconds, segment.seconds) and request.seconds != segment.seconds:
        raise ConfigError(f"seconds is {request.seconds:g} and segments[0].seconds is {segment.seconds:g}; give one.")
    return request.seconds if segment.seconds is None else segment.seconds


def whole_length(request: AnimateRequest) -> float | None:
    """The length that is asked for the whole clip: the request's, or that of the one sentence that was given."""
    if request.seconds is None and len(request.segments) == 1:
        return request.segments[0].seconds
    return request.seconds


def share_seconds(
    segments: Sequence[PlannedSegment],
    lengths: Sequence[MotionLength],
    usual: float,
    whole: float | None,
) -> tuple[float, ...]:
    """Seconds of each segment: its own, or the motion's, or a share of what is left of the whole length.

    Actions that happen once keep their length; those that repeat share the rest evenly. Where nothing repeats, all are
    stretched alike. `usual` is the length of a motion whose own is not known.
    """
    natural = [length.seconds or usual for length in lengths]
    seconds = [n if s.seconds is None else s.seconds for n, s in zip(natural, segments, strict=True)]
    if whole is not None and len(segments) > 1:
        free = [i for i, s in enumerate(segments) if s.seconds is None]
        flexible = [i for i in free if lengths[i].repeats] or free
        left = whole - sum(x for i, x in enumerate(seconds) if i not in flexible)
        if not flexible or left < SHORTEST_SHARE * len(flexible):
            least = whole - left + SHORTEST_SHARE * len(flexible)
            raise ConfigError(
                f"seconds is {whole:g}, and the actions take {least:.1f} s at least; ask for that length or more, or"
                " give segments their own seconds."
            )
        weight = sum(natural[i] for i in flexible)
        for i in flexible:
            even = all(lengths[k].repeats for k in flexible)
            seconds[i] = left / len(flexible) if even else left * natural[i] / weight
    if sum(seconds) > MAX_SECONDS + 1e-6:
        raise ConfigError(f"The actions last {sum(seconds):.1f} s together; a clip lasts at most {MAX_SECONDS:g} s.")
    return tuple(seconds)


def check_loop(request: AnimateRequest, motion: str | None) -> None:
    """Refuse a loop of a motion that ends with another heading or in another posture than it starts with."""
    if not (request.loop or "loop" in request.exports) or motion not in VOCABULARY_NAMES:
        return
    asked, entry = f"'{request.title}' asks for ", find_entry(motion)
    if motion in TURNING_MOTIONS:
        raise ConfigError(
            f"{asked}a turn, which ends with another heading than it starts with, so it cannot loop. Leave out the"
            " loop, or ask for a motion that goes straight ahead."
        )
    if entry.ends_elsewhere:
        raise ConfigError(
            f"{asked}'{motion}', which ends in another posture than it starts with, so it cannot loop. Leave out the"
            " loop, or ask for a motion that repeats, such as a walk."
        )
    if not entry.repeats:
        raise ConfigError(
            f"{asked}'{motion}', which happens once, from a start to an end, so it cannot loop. Leave out the loop, or"
            " ask for a motion that repeats, such as a walk."
        )
