"""A tiny embedded prior with random weights: it knows nothing, and everything else is as in the real one."""

import torch

from gambol.priors.embedded.latents import MOTION_NUMBERS, REST_NUMBERS, VideoLatents
from gambol.priors.embedded.network import MotionNetwork, NetworkShape
from gambol.priors.embedded.picture_basis import Basis
from gambol.priors.embedded.prior import EmbeddedPrior, save_embedded
from gambol.priors.embedded.stage import SIDE, WIDTH


def network_and_latents():
    torch.manual_seed(0)
    network = MotionNetwork(NetworkShape(width=16, depth=1, heads=2, widening=1, frequencies=8))
    for parameter in network.parameters():  # output layers that start at zero would hide mistakes
        if not parameter.any():
            parameter.data.normal_(0.0, 0.1)
    pixels = 3 * SIDE * WIDTH
    bases = [
        Basis(torch.randn(pixels, n) / pixels**0.5, torch.full((n,), 0.3), torch.zeros(pixels))
        for n in (MOTION_NUMBERS, REST_NUMBERS)
    ]
    return network.requires_grad_(False), VideoLatents(*bases)


def tiny_prior():
    """In memory; every sentence is a walk."""
    return EmbeddedPrior(*network_and_latents(), probabilities=lambda sentence: {"walk": 1.0})


def write_tiny_prior(path):
    """As a file for --prior; sentences are understood by the shipped text encoder."""
    save_embedded(path, *network_and_latents(), {"steps": "0"})
    return path
