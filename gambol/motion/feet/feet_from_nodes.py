"""A file's clip as joint angles, with the feet where the file has them.

In most rigs of animals the feet are bones of their own, moved by translation, and the legs stretch a little to reach
them. Angles alone (`clip_from_nodes`) keep every bone's direction and lose the feet by up to a third of a leg.
"""

from __future__ import annotations

import numpy as np

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.motion.clip import Clip
from gambol.motion.feet.leg_ik import leg_chain, solve_leg_ik
from gambol.motion.feet.soles import find_soles
from gambol.motion.node_clip import NodeClip
from gambol.motion.node_clip_conversion import bone_displacements, clip_from_nodes


def clip_with_feet(character: Character, node_clip: NodeClip, anatomy: Anatomy, *, fps: float = 30.0) -> Clip:
    """Convert a file's clip to joint angles, with leg IK that puts the feet where the file's nodes have them."""
    clip, _ = clip_from_nodes(character, node_clip, fps=fps)
    if not any(limb.contact is not None for limb in anatomy.limbs):
        return clip
    skeleton = character.require_skeleton()
    displaced = bone_displacements(character, node_clip, node_clip.frame_times(fps))
    chains = [leg_chain(skeleton, sole) for sole in find_soles(character, anatomy)]
    goals = []
    for chain in chains:
        carrier = chain.foot if chain.foot is not None else chain.joints[-1]
        T = skeleton.T_world_rest[chain.joints[-1]]
        rest = np.append(T[:3, :3] @ chain.end + T[:3, 3], 1.0)
        goals.append((displaced[:, carrier] @ rest)[:, :3])
    return solve_leg_ik(skeleton, clip, chains, goals)
