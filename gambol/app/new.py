"""Make a creature from a description and write it as a file, optionally with procedural motions (`gambol new`)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gambol.errors import ConfigError
from gambol.files.asset import export_scene
from gambol.files.formats import check_target
from gambol.motion.node_clip_conversion import nodes_from_clip


def write_creature(
    words: str,
    target: str | Path,
    *,
    seed: int = 0,
    motions: tuple[str, ...] = (),
    vary: bool = False,
    seconds: float = 2.0,
    generator: str | None = None,
) -> Path:
    """Make a creature by code, write it with clips of some motions, and return the file.

    With a generator a text-to-3D model makes the mesh of the words instead, and it gets a skeleton and skin weights.

    Args:
        words: What to make: fox, horse, human, spider, ... or a sentence such as "a small long-legged fox"; for a
            generator anything.
        target: File to write: .glb, .gltf, .fbx or .blend.
        seed: Seed of the individual.
        motions: Clips to add: walk, gallop, idle, ..., or all for every motion that its body can do.
        vary: Draw the style of each motion from the seed too.
        seconds: Length of each clip.
        generator: shap-e, shap-e:FOLDER (its weights), or command:"PROGRAM {prompt} {output}" for any program that
            writes a mesh; such a character has no procedural motions.
    """
    if generator is not None:
        from gambol.app.generate import write_generated

        if motions or vary:
            raise ConfigError("Procedural motions are for creatures made by code; leave out motions and vary.")
        return write_generated(words, generator, check_target(target), seed=seed)[0]
    from gambol.creatures.catalogue import make_creature
    from gambol.creatures.gaits.make_motion import make_motion, motions_for
    from gambol.creatures.gaits.motion_style import MotionStyle, draw_style

    target = check_target(target)
    if not isinstance(seed, int) or seed < 0:
        raise ConfigError(f"seed is {seed!r}; it takes a whole number of 0 or more.")
    motions = (motions,) if isinstance(motions, str) else tuple(motions)
    creature = make_creature(words, seed)
    character = creature.character()
    anatomy = creature.anatomy(character)
    possible = motions_for(anatomy)
    names = possible if motions == ("all",) else motions
    unknown = [name for name in names if name not in possible]
    if unknown:
        raise ConfigError(f"A {creature.name} cannot {', '.join(unknown)}; it can {', '.join(possible)}.")
    rng = np.random.default_rng((seed, 1))
    clips = []
    for name in names:
        style = draw_style(rng) if vary else MotionStyle()
        clips.append(nodes_from_clip(character, make_motion(character, anatomy, name, style, seconds=seconds)))
    return export_scene(creature.scene, tuple(clips), target)
