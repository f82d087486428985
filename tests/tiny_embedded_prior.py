"""A tiny embedded prior with random weights: it knows nothing, and everything else is as in the real one."""

import torch

from gambol.motion.motion_names import MOTIONS
from gambol.priors.embedded.knowledge import FilmKnowledge, unknown_knowledge
from gambol.priors.embedded.network import MotionNetwork, NetworkShape
from gambol.priors.embedded.prior import EmbeddedPrior, save_embedded

TINY = NetworkShape(width=16, depth=1, heads=2, widening=1, patch=4, text=len(MOTIONS))
"""Shape of the tiny network."""


def tiny_network(shape: NetworkShape = TINY) -> MotionNetwork:
    """A network with random weights, also where training starts at zero, and random statistics."""
    torch.manual_seed(0)
    network = MotionNetwork(shape)
    for parameter in network.parameters():  # output layers that start at zero would hide mistakes
        if not parameter.any():
            parameter.data.normal_(0.0, 0.1)
    network.mean.normal_(0.0, 0.1)
    network.deviation.uniform_(0.2, 1.5)
    return network.requires_grad_(False)


def tiny_knowledge() -> FilmKnowledge:
    """Knowledge that differs from number to number."""
    generator, plain = torch.Generator().manual_seed(1), unknown_knowledge(len(MOTIONS))
    explained = torch.rand(plain.explained.shape, generator=generator)
    energy = torch.rand(plain.energy.shape, generator=generator) + 0.5
    return FilmKnowledge(explained, energy, plain.rates)


def tiny_prior(knowledge: FilmKnowledge | None = None) -> EmbeddedPrior:
    """In memory; every sentence is a walk."""
    return EmbeddedPrior(tiny_network(), knowledge or tiny_knowledge(), probabilities=lambda sentence: {"walk": 1.0})


def write_tiny_prior(path):
    """As a file for --prior; sentences are understood by the shipped text encoder."""
    save_embedded(path, tiny_network(), tiny_knowledge(), {"steps": "0"})
    return path
