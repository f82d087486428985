"""Bring your own loss and your own constraint: a person who walks with the head low and one hand kept where it was.

Run: python examples/06_your_own_loss.py [OUT_FOLDER]
"""

import sys
from dataclasses import dataclass, replace
from pathlib import Path

import torch

import gambol
from gambol.app.new import write_creature
from gambol.character.skeleton import find_joint


@dataclass(frozen=True)
class LowHead(gambol.Loss):
    """The head stays below a share of its height in the rest pose."""

    weight: float = 200.0
    share: float = 0.9
    name = "low head"

    def __call__(self, motion):
        """Squared excess height of the head, in leg lengths."""
        skeleton = motion.body.character.require_skeleton()
        head = find_joint(skeleton, "Head")
        rest = torch.tensor([*skeleton.heads[head], 1.0]).float()
        height = motion.T_world_rest[:, head, 1] @ rest
        return ((height - self.share * rest[1]) / motion.body.leg).clamp_min(0.0).square().mean()


@dataclass(frozen=True)
class StillJoint(gambol.Constraint):
    """A joint keeps its start angles: softly while optimising, exactly in the finished clip."""

    joint: str = "Forearm.L"
    weight: float = 10.0
    name = "still joint"

    def __call__(self, motion):
        """Squared deviation from the start, rad^2."""
        joint = find_joint(motion.body.character.require_skeleton(), self.joint) - 1
        return (motion.angles - motion.start_angles)[:, joint].square().mean()

    def project(self, clip, body):
        """The clip with the joint's start angles in every frame."""
        joint, angles = find_joint(body.character.require_skeleton(), self.joint) - 1, clip.angles.copy()
        angles[:, joint] = body.start_angles[joint].numpy()
        return replace(clip, angles=angles)


def main(folder: Path) -> None:
    """The embedded prior's walk, with two more terms in the list of losses."""
    person = gambol.load(write_creature("person", folder / "person.glb"))
    clip = gambol.animate(person, "a person is walking", constraints=[LowHead(), StillJoint()])
    path = gambol.save(person, clip, folder / "person-stoops.glb")
    print(path, path.stat().st_size, "bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out"))
