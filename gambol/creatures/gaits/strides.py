"""Stride lengths and footholds: as far as legs reach, without one leg in another's way."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.foot_paths import (
    FootRoll,
    foot_rotation,
    roll_displacement,
    roll_pitch,
    swing_progress,
    toe_bend,
)
from gambol.creatures.gaits.footfalls import Footfall, flights, leg_phase
from gambol.creatures.gaits.gait import Gait
from gambol.creatures.gaits.leg_geometry import ROLL_ANGLES, Leg
from gambol.creatures.gaits.leg_motion import (
    MAX_LANDING_STRETCH,
    MAX_STANCE_REACH,
    MAX_STANCE_STRETCH,
    required_lowering,
)
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import UP_AXIS
from gambol.creatures.gaits.trunk_motion import BodyWaves
from gambol.motion.folding_limb_ik import EXACT_SHORT_REACH, turn
from gambol.motion.gravity import EARTH_GRAVITY

PASSING_CLEARANCE = 1.5
"""Distance between the middles of feet that pass each other, in sums of their half widths."""
SPRAWLED_CLEARANCE = 0.4
"""Least distance of sprawled legs of one side, as a share of their distance at rest."""
NECK_SHARE = 0.5
"""Angle by which the neck rises, as a share of the style's pitch of the head."""
HEADLESS_TILT = 0.35
"""Pitch of a trunk without a head, as a share of the style's pitch of the head."""
SPARED_LIFT = 0.45
"""By how much of its height a fully spared leg is lifted less."""
SPARED_STEP = 0.08
"""How far a fully spared leg lands short of its usual place, in strides."""
CYCLE_PHASES = np.linspace(0.0, 1.0, 48, endpoint=False)
"""Phases of the cycle at which distances between feet are checked."""


def natural_stride(froude: float, leg_length: float) -> float:
    """Return the natural stride, metres (Alexander 1976): stride / leg = 2.3 Fr^0.3, from mouse to elephant."""
    return 2.3 * froude**0.3 * leg_length


def natural_speed(froude: float, leg_length: float) -> float:
    """Return the speed at a Froude number, v = sqrt(Fr g L), m/s; equal numbers are dynamically similar motions."""
    return float(np.sqrt(froude * EARTH_GRAVITY * leg_length))


def reachable_share(body: MovingBody, gait: Gait, wanted: float, style: MotionStyle) -> float:
    """Return the largest share of a wanted stride and turn that legs reach and that keeps sprawled neighbours apart.

    No hip has to sink further than `gait.max_sinking` leg lengths (nor lay the belly on the ground), and no foot is
    further aside of its hip than `MAX_STANCE_REACH`.
    """
    shares = np.linspace(1.0, 0.2, 26)
    treads = gait_treads(body, gait, style, wanted)
    if body.sprawling:
        clear = (k for k, share in enumerate(shares) if _is_clear(body, gait, treads, share * wanted))
        shares = shares[next(clear, len(shares) - 1) :]
    low, stretch = gait.crouch + style.crouch, landing_stretch(body, gait)
    ahead = float(np.cos(gait.course))
    shares = shares[np.minimum(np.searchsorted(-shares, -turning_share(body, gait, treads)), len(shares) - 1) :]
    swing = abs(scaled_waves(body, gait, style).yaw) * (0.5 * body.trunk_length if not body.long_wave else 0.0)
    deepest = min(gait.max_sinking * body.leg_length, 0.4 * body.clearance)
    first = 0
    for leg, tread in zip(body.legs, treads, strict=True):
        duty = gait.footfall.duty_of(leg.limb.pair, leg.left)
        phase = np.linspace(0.0, duty, 12)
        room = folding_room(body, leg, low)
        hip = leg.hip - lowering(body, gait, style) * UP_AXIS
        while first < len(shares) - 1:
            step = shares[first] * gait.travel * wanted
            place = seen_from_body(body, tread, 0.5 * duty - phase, step, shares[first] * gait.yaw, gait.course)
            place[:, 2] += np.sign(leg.sole[2]) * swing  # the hip may have swung to the other side
            ankle = _ankle(leg, place, roll_pitch(phase, duty, leg_roll(leg, gait.roll, ahead * step * duty, room)))
            far = np.hypot(*(ankle - hip)[:, [0, 2]].T).max()
            if (
                required_lowering(leg, hip, ankle, stretch).max() <= deepest
                and far <= MAX_STANCE_REACH * leg.chain.longest
            ):
                break
            first += 1
    return float(shares[first])


def scaled_waves(body: MovingBody, gait: Gait, style: MotionStyle, aside: float = 1.0) -> BodyWaves:
    """Return the gait's body waves scaled by the style; long and big bodies tilt and arch less.

    Low bodies roll no further than their bellies allow, long ones on short legs swing their hips no further than those
    legs reach. `aside` is the share of all sideways movement that is kept.
    """
    e, w = style.exaggeration, gait.waves
    uneven = abs(gait.uneven)
    headless = body.head is None and not body.neck
    w = replace(
        w,
        lean=w.lean - (HEADLESS_TILT if headless else 0.0) * style.head,
        neck_low=w.neck_low - NECK_SHARE * style.head,
        roll=(1.0 + 1.2 * uneven) * w.roll,
        sway=(1.0 + uneven) * w.sway,
        nod_once=w.nod_once + (0.2 if body.pairs == 2 else 0.06) * uneven,
    )
    names = ("sway", "roll", "yaw", "counter", "nod", "nod_once", "tail_sway", "tail_wag")
    tilt = e * float(np.clip(1.2 * body.leg_length / max(body.trunk_length, 1e-9), 0.3, 1.0))
    stiff = float(np.clip(1.3 - 0.3 * body.size, 0.35, 1.0))
    roll = 0.5 * body.clearance / max(body.torso_half_width, 1e-9)
    yaw = 0.5 * body.leg_length / max(body.trunk_length, 1e-9) if not body.long_wave else 0.3
    scaled = replace(
        w, rock=tilt * w.rock, flex=tilt * stiff * w.flex, **{name: e * getattr(w, name) for name in names}
    )
    return replace(
        scaled,
        sway=aside * scaled.sway,
        roll=aside * float(np.clip(scaled.roll, -roll, roll)),
        yaw=aside * float(np.clip(scaled.yaw, -yaw, yaw)),
    )


def landing_stretch(body: MovingBody, gait: Gait) -> float:
    """Return how far legs may be stretched; several pairs that land from a flight have to bend at once."""
    return MAX_LANDING_STRETCH if body.pairs > 1 and flights(gait.footfall) else MAX_STANCE_STRETCH


def lowering(body: MovingBody, gait: Gait, style: MotionStyle) -> float:
    """Return by how much a body is lowered all along, metres: its crouch, as far as its belly has room."""
    return min((gait.crouch + style.crouch) * body.leg_length, gait.belly_room * body.clearance)


def spared_share(gait: Gait, leg: Leg, size: float) -> float:
    """Return the factor 1 - size u of a leg that an uneven gait spares by u, and 1 for the other side's legs."""
    spared = gait.uneven < 0 if leg.left else gait.uneven > 0
    return 1.0 - size * abs(gait.uneven) if spared else 1.0


def seen_from_body(
    body: MovingBody,
    tread: Float[ndarray, "3"],
    lead: Float[ndarray, "frames"],
    stride: float,
    yaw: float,
    course: float = 0.0,
) -> Float[ndarray, "frames 3"]:
    """Return a foot's position in the body's axes, `lead` cycles before the body is over it.

    c + R(yaw lead) (tread - c + lead stride u), c the body's centre and u the direction of its course.
    """
    centre = body.centre * [1.0, 0.0, 1.0]
    ahead = tread - centre + lead[:, None] * np.array([stride * np.cos(course), 0.0, -stride * np.sin(course)])
    return centre + (turn(UP_AXIS, yaw * lead) @ ahead[..., None])[..., 0]


def turning_share(body: MovingBody, gait: Gait, treads: list[Float[ndarray, "3"]]) -> float:
    """Return the share of a turn at which no foot gets in its partner's way: half a cycle moves it aside by w x / 2."""
    share = 1.0
    for leg, tread in zip(body.legs, treads, strict=True) if gait.yaw else ():
        drift = 0.5 * abs(gait.yaw) * abs(float(tread[0] - body.centre[0]))
        room = 2.0 * (abs(float(tread[2])) - own_width(leg, 0.0))
        share = min(share, max(room, 0.0) / max(drift, 1e-9))
    return share


def _ankle(leg: Leg, place: Float[ndarray, "frames 3"], pitch: Float[ndarray, "frames"]) -> Float[ndarray, "frames 3"]:
    """Return where the end of a leg's chain is while its foot stands at a place and rolls."""
    shift, rise = roll_displacement(leg, pitch, toe_bend(leg, pitch, 0.0))
    sole = place + shift[:, None] * leg.ahead + rise[:, None] * UP_AXIS
    offset = leg.chain.joints[-1] - leg.sole
    return sole + (foot_rotation(leg, np.zeros(len(pitch)), pitch) @ offset if leg.foot is not None else offset)


def foot_offset(footfall: Footfall, leg: Leg) -> Float[ndarray, "phases"]:
    """Return how far a foot is ahead of its foothold over the cycle, in strides: d / 2 - t, plus p(s) in the swing."""
    duty = footfall.duty_of(leg.limb.pair, leg.left)
    phase = leg_phase(CYCLE_PHASES, footfall.touchdown(leg.limb.pair, leg.left))
    swing = np.clip((phase - duty) / (1.0 - duty), 0.0, 1.0)
    return 0.5 * duty - phase + swing_progress(swing)


def neighbours(body: MovingBody) -> list[tuple[int, int]]:
    """Return pairs of indices into `body.legs` of neighbouring legs of one side, the front one first."""
    sides = ([k for k, leg in enumerate(body.legs) if leg.left == left] for left in (True, False))
    return [pair for side in sides for pair in pairwise(sorted(side, key=lambda k: body.legs[k].limb.pair))]


def _is_clear(body: MovingBody, gait: Gait, treads: list[Float[ndarray, "3"]], stride: float) -> bool:
    """Return whether all feet stay away from neighbouring legs, taken as lines from hip to foot seen from above."""
    for a, b in neighbours(body):
        hips = [body.legs[k].hip[[0, 2]] for k in (a, b)]
        leads = [foot_offset(gait.footfall, body.legs[k]) for k in (a, b)]
        feet = [
            seen_from_body(body, treads[k], lead, gait.travel * stride, gait.yaw, gait.course)[:, [0, 2]]
            for k, lead in zip((a, b), leads, strict=True)
        ]
        apart = float(np.linalg.norm((treads[a] - treads[b])[[0, 2]]))
        gaps = [_gap(feet[0], hips[1], feet[1]), _gap(feet[1], hips[0], feet[0])]
        if min(float(gap.min()) for gap in gaps) < SPRAWLED_CLEARANCE * apart:
            return False
    return True


def _gap(
    point: Float[ndarray, "frames 2"], start: Float[ndarray, "2"], end: Float[ndarray, "frames 2"]
) -> Float[ndarray, "frames"]:
    """Return the signed distance of a foot from another leg, positive on the side where it mostly is."""
    along = end - start
    share = np.clip(((point - start) * along).sum(-1) / np.maximum((along**2).sum(-1), 1e-12), 0.0, 1.0)
    away = point - start - share[:, None] * along
    side = along[:, 0] * away[:, 1] - along[:, 1] * away[:, 0]
    return np.linalg.norm(away, axis=-1) * np.where(side * np.median(side) >= 0, 1.0, -1.0)


def gait_treads(body: MovingBody, gait: Gait, style: MotionStyle, stride: float) -> list[Float[ndarray, "3"]]:
    """Return every foot's foothold beside the body: nearer to the middle as the gait asks, hind feet outside forefeet.

    Where a hind foot passes a forefoot (gallop, long trot), a third of what both need comes from the forefoot, as far
    as its own width stays on its side of the middle.
    """
    if body.sprawling:  # their legs cannot reach much further aside
        return [leg.tread * [1.0, 1.0, min(gait.narrow * style.width, 1.0)] for leg in body.legs]
    treads = [leg.tread * [1.0, 1.0, tread_width(leg, gait.narrow, style.width, gait.yaw)] for leg in body.legs]
    aside, along = (gait.travel * stride * float(f(gait.course)) for f in (np.sin, np.cos))
    if gait.course:  # feet half a cycle apart near each other by half a stride
        rooms = [own_width(leg, 0.0) + 0.25 * abs(aside) for leg in body.legs]
        treads = [
            tread * [1.0, 1.0, max(1.0, room / max(abs(float(tread[2])), 1e-9))]
            for tread, room in zip(treads, rooms, strict=True)
        ]
    if gait.uneven:
        back = SPARED_STEP * np.array([along, 0.0, -aside])
        treads = [t - (1.0 - spared_share(gait, g, 1.0)) * back for t, g in zip(treads, body.legs, strict=True)]
    for a, b in neighbours(body):
        fore, hind = body.legs[a], body.legs[b]
        ahead = along * (foot_offset(gait.footfall, fore) - foot_offset(gait.footfall, hind))
        room = float((treads[a] - treads[b])[0] + ahead.min()) - (fore.heel + hind.heel)
        need = PASSING_CLEARANCE * (fore.half_width + hind.half_width) - (abs(treads[b][2]) - abs(treads[a][2]))
        least = own_width(fore, gait.yaw) * max(style.width, 1.0)
        if room < 0 and need > 0:
            inwards = min(need / 3.0, max(abs(float(treads[a][2])) - least, 0.0))
            treads[a] = treads[a] - [0.0, 0.0, np.sign(fore.sole[2]) * inwards]
            treads[b] = treads[b] + [0.0, 0.0, np.sign(hind.sole[2]) * (need - inwards)]
    return treads


def lunge_share(body: MovingBody, back: float, ahead: float) -> float:
    """Return the largest share of a lunge (metres back and ahead over planted feet) that all legs reach."""
    for share in np.linspace(1.0, 0.2, 17):
        hips = np.stack([leg.hip + share * x * np.array([1.0, 0.0, 0.0]) for leg in body.legs for x in (-back, ahead)])
        ends = np.stack([leg.chain.joints[-1] for leg in body.legs for _ in range(2)])
        longest = np.array([leg.chain.longest for leg in body.legs for _ in range(2)])
        if (np.hypot(*(ends - hips)[:, [0, 2]].T) <= 0.9 * longest).all():
            break
    return float(share)


def tread_width(leg: Leg, narrow: float, width: float, yaw: float = 0.0) -> float:
    """Return the factor of a foot's distance from the middle plane that keeps its own width on its side.

    A style's `width` above 1 also widens a tread that the foot's own width decides.
    """
    aside = max(abs(float(leg.sole[2])), 1e-9)
    least = min(own_width(leg, yaw) / aside, 1.4 if yaw else 1.0)
    return max(narrow * width, least * max(width, 1.0))


def own_width(leg: Leg, yaw: float) -> float:
    """Return half the room a foot needs, metres; more if it turns by `yaw` radians in a cycle."""
    return 1.15 * leg.half_width + 0.6 * abs(yaw) * max(leg.heel, leg.ball)


def leg_roll(leg: Leg, roll: FootRoll, stance_travel: float, room: float) -> FootRoll:
    """Return a foot's own roll: a long stiff one (cannon, hoof) rocks with its leg; `room` bounds the ankle's rise."""
    half_angle = float(np.arctan2(0.5 * stance_travel, max(leg.height, 1e-9)))
    stiff = leg.long_foot
    push = roll.push * (1.0 - 0.6 * stiff)
    rock = stiff * 0.8 * half_angle * leg.rolls
    return FootRoll(
        roll.strike * (1.0 - 0.7 * stiff),
        heel_limit(leg, push, 0.5 * room),
        heel_limit(leg, roll.droop, 0.45 * room),
        rock,
    )


def heel_limit(leg: Leg, pitch: float, room: float) -> float:
    """Return the angle nearest to a negative `pitch` that raises the sole's middle by at most `room` metres."""
    fits = (leg.roll.rise <= max(room, 0.0)) & (ROLL_ANGLES <= 0) & (pitch <= ROLL_ANGLES)
    return float(ROLL_ANGLES[fits].min(initial=0.0))


def folding_room(body: MovingBody, leg: Leg, crouch: float) -> float:
    """Return how far a foot can be drawn up under the hip, metres, for a crouch in leg lengths."""
    return max(leg.chain.rest - crouch * body.leg_length - EXACT_SHORT_REACH * leg.chain.shortest, 0.06 * leg.length)
