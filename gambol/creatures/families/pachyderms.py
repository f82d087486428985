"""Families of elephants, rhinos and hippos."""

from __future__ import annotations

from dataclasses import replace

from gambol.creatures.bodies.coat import hex_coat
from gambol.creatures.bodies.quadruped import plan_quadruped
from gambol.creatures.bodies.quadruped_shape import QuadrupedShape
from gambol.creatures.family import CreatureFamily

ELEPHANT = CreatureFamily(
    "elephant",
    QuadrupedShape(
        height=2.9,
        body=0.72,
        leg=0.42,
        rump=0.93,
        chest_width=0.72,
        belly=1.02,
        limb=0.085,
        bend=0.22,
        wrist=0.3,
        hock=0.24,
        foot=0.13,
        neck=0.14,
        neck_angle=0.25,
        neck_width=0.17,
        head=0.36,
        head_width=0.9,
        head_pitch=0.5,
        muzzle=0.3,
        muzzle_width=0.45,
        ear=1.05,
        ear_width=1.05,
        ear_angle=1.7,
        tail=0.42,
        tail_width=0.022,
        tail_bush=0.7,
        tail_angle=-1.2,
        tail_curl=-0.2,
        tuft=0.5,
        trunk=0.66,
        horn=0.6,
        eye=0.035,
        cheek=0.0,
        ear_round=1.0,
        eye_front=0.15,
    ),
    (
        hex_coat("76706a", "827b74", "6a645e", "3a3632", countershade=0.3, eye="3a2a18"),
        hex_coat("8a7a6c", "94867a", "7c6e62", "3a3632", countershade=0.3, eye="3a2a18"),
    ),
    plan_quadruped,
    0.1,
)
"""The elephant family."""

RHINO = CreatureFamily(
    "rhino",
    QuadrupedShape(
        height=1.65,
        body=0.98,
        leg=0.36,
        rump=0.97,
        chest_width=0.76,
        belly=1.0,
        limb=0.085,
        bend=0.35,
        wrist=0.35,
        hock=0.28,
        foot=0.11,
        neck=0.24,
        neck_angle=0.0,
        neck_width=0.155,
        head=0.5,
        head_width=0.46,
        head_pitch=0.6,
        muzzle=0.45,
        muzzle_width=0.66,
        cheek=0.0,
        ear=0.26,
        ear_width=0.55,
        ear_angle=0.5,
        ear_round=0.4,
        tail=0.35,
        tail_width=0.025,
        tail_bush=0.8,
        tail_angle=-1.2,
        tail_curl=0.0,
        tuft=0.5,
        nose_horn=0.6,
        eye=0.03,
        eye_front=0.0,
    ),
    (hex_coat("7c7770", "88837b", "706b64", "3a3632", horn="5a544c", countershade=0.3),),
    plan_quadruped,
    0.08,
)
"""The rhino family."""

HIPPO = CreatureFamily(
    "hippo",
    replace(
        RHINO.shape,
        nose_horn=0.0,
        leg=0.28,
        limb=0.08,
        fat=1.08,
        head=0.52,
        head_width=0.6,
        muzzle_width=0.95,
        head_pitch=0.35,
        neck_width=0.19,
        ear=0.18,
        ear_round=0.9,
        tuft=0.0,
        tail=0.2,
    ),
    (hex_coat("776a6c", "b08a86", "6c6062", "3a3632", countershade=0.9, horn="4a3e3e"),),
    plan_quadruped,
    0.08,
)
"""The hippo family."""

PACHYDERMS = (ELEPHANT, RHINO, HIPPO)
"""All families of this module."""
