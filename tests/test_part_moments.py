"""Part moments of pictures: area, place and spread in closed form, hidden parts, gradients by finite differences."""

import numpy as np
import pytest
import torch

from gambol.priors.embedded.part_moments import (
    AREA_SCALE,
    MIN_PART_AREA,
    MOMENT_NUMBERS,
    MOMENTS_PER_PART,
    PARTS,
    PLACE_SCALE,
    SPREAD_SCALE,
    part_moments,
)
from gambol.priors.embedded.stage import SIDE, WIDTH
from gambol.render.looks import CONTROL_SKY

LEG = PARTS.index((0.86, 0.18, 0.16))
HEAD = PARTS.index((0.26, 0.66, 0.20))


def picture(*boxes):
    """Sky with boxes (part, left, top, width, height) of part colours."""
    frame = torch.tensor(CONTROL_SKY, dtype=torch.float64)[:, None, None].repeat(1, SIDE, WIDTH)
    for part, left, top, width, height in boxes:
        colour = torch.tensor(PARTS[part], dtype=torch.float64)
        frame[:, top : top + height, left : left + width] = colour[:, None, None]
    return frame


def moments(frames):
    """[frames, parts, pictures, numbers]"""
    return part_moments(frames).unflatten(1, (len(PARTS), 2, MOMENTS_PER_PART))


@pytest.mark.parametrize(("picture_number", "left"), [(0, 10), (1, SIDE + 30)])
def test_a_box_has_its_area_place_and_spread(picture_number, left):
    width, height, top = 6, 12, 20
    got = moments(picture((LEG, left, top, width, height))[None])[0, LEG, picture_number].numpy()
    area = width * height
    share = area / (area + MIN_PART_AREA)
    x = left - SIDE * picture_number + 0.5 * width - 0.5 * SIDE
    y = top + 0.5 * height - 0.5 * SIDE
    spread = [share * ((n * n - 1) / 12 + p * p) - (share * p) ** 2 for n, p in ((width, x), (height, y))]
    crossed = share * x * y - share * share * x * y
    expected = [AREA_SCALE * (area + MIN_PART_AREA) ** 0.5, PLACE_SCALE * share * x, PLACE_SCALE * share * y]
    expected += [SPREAD_SCALE * value for value in (spread[0], crossed, spread[1])]
    np.testing.assert_allclose(got, expected, atol=0.02 * max(map(abs, expected)))


def test_a_part_that_moves_by_a_pixel_moves_its_mean_by_one_and_no_other_part_by_much():
    frames = torch.stack([picture((LEG, 10 + k, 20, 8, 12), (HEAD, 30, 8, 8, 8)) for k in range(3)])
    steps = moments(frames).diff(dim=0)
    share = 8 * 12 / (8 * 12 + MIN_PART_AREA)
    np.testing.assert_allclose(steps[:, LEG, 0, 1], PLACE_SCALE * share, rtol=0.02)
    others = [part for part in range(len(PARTS)) if part != LEG]
    assert steps[:, others].abs().max() < 0.02
    assert steps[:, :, 1].abs().max() == 0


def test_a_frame_has_the_same_moments_alone_and_in_a_film():
    """Pixels that only other frames show a body in are sky in this one, and count nothing."""
    still = picture((LEG, 10, 20, 8, 12))
    film = torch.stack([still, picture((LEG, 30, 5, 8, 12), (HEAD, 20, 40, 8, 8))])
    assert torch.allclose(part_moments(film)[0], part_moments(still[None])[0], atol=1e-4)


def test_what_is_not_there_rests_in_the_middle():
    got = moments(picture()[None])
    assert got.shape == (1, len(PARTS), 2, MOMENTS_PER_PART)
    assert part_moments(picture()[None]).shape == (1, MOMENT_NUMBERS)
    assert got[..., 1:].abs().max() == 0
    assert torch.allclose(got[..., 0], torch.tensor(AREA_SCALE * MIN_PART_AREA**0.5, dtype=got.dtype))


def test_gradients_are_those_of_finite_differences():
    generator = torch.Generator().manual_seed(0)
    frames = torch.stack([picture((LEG, 12, 20, 5, 9), (HEAD, 20, 10, 6, 6))] * 2)
    body = (frames != picture()).any(1, keepdim=True)
    frames = frames + 0.03 * body * torch.randn(frames.shape, generator=generator, dtype=torch.float64)
    weights = torch.randn(MOMENT_NUMBERS, generator=generator, dtype=torch.float64)
    frames.requires_grad_()
    (part_moments(frames) @ weights).sum().backward()
    way = 1e-5 * body * torch.randn(frames.shape, generator=generator, dtype=torch.float64)
    with torch.no_grad():
        ahead, behind = ((part_moments(frames + sign * way) @ weights).sum() for sign in (1, -1))
    assert float((frames.grad * way).sum()) == pytest.approx(float(ahead - behind) / 2, rel=1e-4)
