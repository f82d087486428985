"""A tiny embedded prior with random weights: it knows nothing, and everything else is as in the real one."""

import torch

from gambol.motion.vocabulary import VOCABULARY_NAMES
from gambol.priors.embedded.knowledge import FilmKnowledge, unknown_knowledge
from gambol.priors.embedded.network import MotionNetwork, NetworkShape
from gambol.priors.embedded.prior import EmbeddedPrior, PromptText, save_embedded

TINY = NetworkShape(width=16, depth=1, heads=2, widening=1, patch=4, text=192)
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
    generator, plain = torch.Generator().manual_seed(1), unknown_knowledge(len(VOCABULARY_NAMES))
    explained = torch.rand(plain.explained.shape, generator=generator)
    energy = torch.rand(plain.energy.shape, generator=generator) + 0.5
    gains = 0.7 + 0.8 * torch.rand(plain.gains.shape, generator=generator)
    part_gains = 0.5 + torch.rand(plain.part_gains.shape, generator=generator)
    return FilmKnowledge(explained, energy, plain.rates, gains, part_gains)


def text_of(motion: str, **style: float) -> PromptText:
    """What a sentence that asks for a motion could be read as; its vector is the motion's unit vector."""
    return PromptText(torch.eye(TINY.text)[VOCABULARY_NAMES.index(motion)], {motion: 1.0}, style)


def tiny_bank() -> torch.Tensor:
    """Phrases of every motion: two random unit vectors each."""
    vectors = torch.randn(len(VOCABULARY_NAMES), 2, TINY.text, generator=torch.Generator().manual_seed(2))
    return torch.nn.functional.normalize(vectors, dim=-1)


def tiny_prior(knowledge: FilmKnowledge | None = None) -> EmbeddedPrior:
    """In memory; every sentence is a walk."""
    return EmbeddedPrior(tiny_network(), knowledge or tiny_knowledge(), read_text=lambda sentence: text_of("walk"))


def write_tiny_prior(path):
    """As a file for --prior; sentences are understood by the shipped text encoder."""
    save_embedded(path, tiny_network(), tiny_knowledge(), {"steps": "0"})
    return path
