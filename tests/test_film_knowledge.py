"""What is known of the embedded prior's films: precision, amplitude, natural rates."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from tiny_embedded_prior import tiny_knowledge

from gambol.motion.vocabulary import VOCABULARY_NAMES
from gambol.priors.embedded.knowledge import (
    PART_NUMBER_KINDS,
    PRECISION_BAND,
    RATE_FEATURES,
    ProposalConstants,
    rate_features,
    unknown_knowledge,
)
from gambol.priors.embedded.part_film import FILM_NUMBERS, FRAMES, NUMBERS_PER_UNIT, PART_NUMBERS
from gambol.priors.embedded.part_labels import PART_LABELS

LABELS = len(PART_LABELS)


def test_precision_is_that_of_a_mean_film_and_its_scale_that_of_places_at_low_frequencies():
    plain = unknown_knowledge(len(VOCABULARY_NAMES))
    constants = ProposalConstants(scale=7.0, mean_pose_precision=0.5, spread_precision=0.25, precision_floor=0.1)
    explained, energy = plain.explained.clone(), plain.energy.clone()
    explained[4, 11], explained[5, 12] = 0.8, -2.0
    energy[6] = 4.0
    known = replace(plain, explained=explained, energy=energy, constants=constants)
    found = known.precision()
    assert found.shape == (FRAMES, FILM_NUMBERS)
    weights = found.unflatten(1, (LABELS, PART_NUMBERS))
    assert float(weights[PRECISION_BAND][..., :3].mean()) == pytest.approx(7.0, rel=1e-5)
    usual = float(weights[3, 0, 0])  # R^2 = 0.5, E = 1: precision 1, before it is scaled

    def relative(frequency, label, number=0):
        return float(weights[frequency, label, number]) / usual

    assert relative(4, 11) == pytest.approx(0.8 / 0.2, rel=1e-4)
    assert relative(5, 12) == pytest.approx(0.1 / 0.9, rel=1e-4), "what is not known counts as the floor"
    assert relative(6, 0) == pytest.approx(1 / 4, rel=1e-4), "what moves more is known less precisely"
    assert relative(0, 0) == pytest.approx(0.5, rel=1e-4)
    assert relative(3, 0, 5) == pytest.approx(0.25, rel=1e-4)
    assert relative(0, 0, 8) == pytest.approx(0.125, rel=1e-4)


def test_parts_that_no_film_shows_leave_the_others_precision_as_it_is():
    known = tiny_knowledge()
    energy = known.energy.clone()
    energy[:, 30:] = 0.0
    few = replace(known, energy=energy).precision().unflatten(1, (LABELS, PART_NUMBERS))
    assert float(few[PRECISION_BAND][:, :30, :3].mean()) == pytest.approx(known.constants.scale, rel=1e-5)
    assert torch.isfinite(few).all()


def test_amplitudes_of_what_is_known_are_restored_and_of_nothing_else():
    constants = ProposalConstants(amplitude_exponent=0.8, least_explained=0.4)
    known = replace(tiny_knowledge(), constants=constants)
    found = known.amplitude().unflatten(1, (LABELS, PART_NUMBERS))
    assert bool((found[0] == 1).all()), "the mean pose stays"
    for kind in (0, 1):
        shares = known.explained[1:, :, kind]
        wanted = torch.where(shares < 0.4, torch.ones(()), shares**-0.4)
        for number in (kind == PART_NUMBER_KINDS).nonzero()[:, 0].tolist():
            assert torch.allclose(found[1:, :, number], wanted)
    assert float(found.min()) >= 1.0
    assert float(found.max()) > 1.3


def test_a_motion_s_own_gains_come_on_top_within_their_bound():
    known, names = tiny_knowledge(), torch.eye(len(VOCABULARY_NAMES))
    gains, part_gains = known.gains.clone(), torch.ones(known.part_gains.shape)
    gains[4, 7:10], part_gains[4, 11] = torch.tensor([1.5, 5.0, 0.0]), torch.tensor([1.2, 0.5])
    known = replace(known, gains=gains, part_gains=part_gains, constants=ProposalConstants(largest_gain=2.0))
    usual = known.amplitude()
    assert torch.equal(known.amplitude(names[4])[0], usual[0]), "the mean pose stays"
    ratio = (known.amplitude(names[4]) / usual).unflatten(1, (LABELS, PART_NUMBERS))
    assert torch.allclose(ratio[7:10, 10], torch.tensor([1.5, 2.0, 0.0])[:, None].expand(3, PART_NUMBERS))
    assert torch.allclose(ratio[7:10, 11, :3], torch.tensor([1.8, 2.0, 0.0])[:, None].expand(3, 3))
    assert torch.allclose(ratio[7:10, 11, 3:], torch.tensor([0.75, 2.0, 0.0])[:, None].expand(3, 6))
    both = (known.amplitude(0.3 * names[4] + 0.1 * names[5]) / usual).unflatten(1, (LABELS, PART_NUMBERS))
    assert float(both[7, 2, 0]) == pytest.approx(0.75 * 1.5 + 0.25 * float(gains[5, 7]))
    assert torch.equal(known.amplitude(0.0 * names[4]), usual), "no motion is likely: as motions usually are"


def test_the_natural_rate_of_a_body_comes_from_its_extent_and_the_motions_likely():
    known, start = unknown_knowledge(len(VOCABULARY_NAMES)), torch.zeros(LABELS, PART_NUMBERS)
    start[4, :3] = torch.tensor([0.0, 2.0, -3.0])
    start[9, :3] = NUMBERS_PER_UNIT * torch.tensor([2.0, 1.0, 0.2])
    features = rate_features(start[None])[0]
    assert features.shape == (RATE_FEATURES,)
    assert features.tolist() == pytest.approx([1.0, np.log(2.0), np.log(0.8), np.log(0.5)], abs=1e-5)
    walk = torch.eye(len(VOCABULARY_NAMES))[VOCABULARY_NAMES.index("walk")]
    assert known.natural_rate(walk, start) == pytest.approx(0.065, rel=1e-4)
    rates = known.rates.clone()
    rates[VOCABULARY_NAMES.index("run")] = torch.tensor([np.log(0.1), 0.5, 0.0, -0.2]).float()
    known = replace(known, rates=rates)
    run = torch.eye(len(VOCABULARY_NAMES))[VOCABULARY_NAMES.index("run")]
    wanted = 0.1 * 2.0**0.5 * 0.5**-0.2
    assert known.natural_rate(run, start) == pytest.approx(wanted, rel=1e-4)
    assert known.natural_rate(0.5 * run + 0.5 * walk, start) == pytest.approx((wanted * 0.065) ** 0.5, rel=1e-4)
    assert known.natural_rate(0.3 * run, start) == pytest.approx(wanted, rel=1e-4), "probabilities need not sum to 1"
