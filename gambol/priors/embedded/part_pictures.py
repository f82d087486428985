"""Films of parts as people see them: every part a soft ellipse in its colour, from the side and from the front."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.character.anatomy.anatomy import Side
from gambol.priors.embedded.part_film import LEAST_DEVIATION, NUMBERS_PER_UNIT
from gambol.priors.embedded.part_labels import PART_LABELS
from gambol.render.looks import CONTROL_GROUND, CONTROL_SKY
from gambol.render.part_palette import LIMB_COLOURS, TRUNK_COLOURS

PICTURE_SIDE = 192
"""Height and width of one of the two pictures, pixels."""
PICTURE_MARGIN = 1.3
"""Half height of a picture, as a multiple of what the whole film needs."""
ELLIPSE_SIZE = 1.5
"""Size of an ellipse, in standard deviations of the part."""
LEAST_PRESENT_NUMBER = 1e-3
"""A label whose numbers are all smaller is absent: samples leave rounding errors."""
EDGE_SHARPNESS = 6.0
"""How sharp the edge of an ellipse is."""
PICTURE_VIEWS = ((0, (3, 4, 6)), (2, (5, 4, 8)))
"""Of the pictures from the right side and from the front: the coordinate across, and where its spread, the spread
upwards and their product are among a part's numbers."""


def label_colours() -> Float[Tensor, "labels 3"]:
    """The sRGB colour of every label, as the other part colours of the project."""
    colours = []
    for label in PART_LABELS:
        if label.part in TRUNK_COLOURS:
            colours.append(TRUNK_COLOURS[label.part])
        else:
            left, right = LIMB_COLOURS[label.part][label.pair % 2]
            colours.append(left if label.side == Side.LEFT else right)
    return torch.tensor(colours)


@torch.no_grad()
def draw_parts(film: Float[Tensor, "frames labels 9"]) -> Float[Tensor, "frames 3 side 2*side"]:
    """sRGB pictures in [0, 1] of a film of parts, the whole film at one scale; labels that are zero are absent."""
    present = film.abs().amax((0, 2)) > LEAST_PRESENT_NUMBER
    numbers, colours = film[:, present] / NUMBERS_PER_UNIT, label_colours()[present]
    place = numbers[..., :3]
    deviation = (2.0 * numbers[:1, :, 3:6].mean(-1)).clamp_min(LEAST_DEVIATION)  # C / (2 d) = d / 2 at the start
    spread = 2.0 * deviation[..., None] * numbers
    reach = deviation.amax()
    low, high = place.amin((0, 1)) - reach, place.amax((0, 1)) + reach
    middle, half = 0.5 * (low + high), 0.5 * PICTURE_MARGIN * float((high - low).max())
    steps = (torch.arange(PICTURE_SIDE) + 0.5) / PICTURE_SIDE * 2.0 - 1.0
    sky, ground = torch.tensor(CONTROL_SKY), torch.tensor(CONTROL_GROUND).mean(0)
    y = middle[1] - half * steps
    behind = torch.where(y[:, None, None] > 0.0, sky, ground).expand(-1, PICTURE_SIDE, -1)
    pictures = []
    for across, (xx, yy, xy) in PICTURE_VIEWS:
        x = middle[across] + half * steps * (1.0 if across == 0 else -1.0)
        frames = []
        for k in range(len(film)):
            picture = behind.clone()
            for p in place[k, :, 2 - across].argsort().tolist():
                a, b = (spread[k, p, i].clamp_min(LEAST_DEVIATION**2) for i in (xx, yy))
                c = spread[k, p, xy].clamp(-0.9 * (a * b).sqrt(), 0.9 * (a * b).sqrt())
                dx, dy = (x - place[k, p, across])[None], (y - place[k, p, 1])[:, None]
                distance = (b * dx * dx - 2.0 * c * dx * dy + a * dy * dy) / (a * b - c * c)
                alpha = torch.sigmoid(EDGE_SHARPNESS * (ELLIPSE_SIZE**2 - distance))[..., None]
                picture = alpha * colours[p] + (1.0 - alpha) * picture
            frames.append(picture)
        pictures.append(torch.stack(frames).permute(0, 3, 1, 2))
    return torch.cat(pictures, -1).clamp(0.0, 1.0)
