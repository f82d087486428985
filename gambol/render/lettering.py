"""Short captions in pictures: a 5 x 8 dot font, so that no font file and no drawing library is needed."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, UInt8
from numpy import ndarray

# The characters ' ' to '~': five columns of eight dots, one byte per column, the lowest bit on top.
FONT = bytes.fromhex(
    "0000000000 00005f0000 0007000700 147f147f14 242a7f2a12 2313086462 3649552250 0005030000 001c224100 0041221c00"
    "14083e0814 08083e0808 0050300000 0808080808 0060600000 2010080402 3e5149453e 00427f4000 4261514946 2141454b31"
    "1814127f10 2745454539 3c4a494930 0171090503 3649494936 064949291e 0036360000 0056360000 0814224100 1414141414"
    "0041221408 0201510906 324979413e 7e1111117e 7f49494936 3e41414122 7f4141221c 7f49494941 7f09090901 3e4149497a"
    "7f0808087f 00417f4100 2040413f01 7f08142241 7f40404040 7f020c027f 7f0408107f 3e4141413e 7f09090906 3e4151215e"
    "7f09192946 4649494931 01017f0101 3f4040403f 1f2040201f 3f4038403f 6314081463 0708700807 6151494543 007f414100"
    "0204081020 0041417f00 0402010204 4040404040 0001020400 2054545478 7f48444438 3844444420 384444487f 3854545418"
    "087e090102 18a4a49c78 7f08040478 00447d4000 2040443d00 7f10284400 00417f4000 7c04180478 7c08040478 3844444438"
    "fc18242418 18242418fc 7c08040408 4854545420 043f444020 3c4040207c 1c2040201c 3c4030403c 4428102844 4c9090907c"
    "4464544c44 0008364100 00007f0000 0041360800 0804081008"
)
LETTER_WIDTH, LETTER_HEIGHT = 6, 9
"""Dots of one letter with the gap to its neighbours."""


def text_dots(text: str) -> Bool[ndarray, "9 columns"]:
    """Set a line of text in dots; a character that the font lacks becomes a question mark."""
    dots = np.zeros((LETTER_HEIGHT, LETTER_WIDTH * len(text)), bool)
    for i, letter in enumerate(text):
        code = ord(letter) - 32 if " " <= letter <= "~" else ord("?") - 32
        columns = np.frombuffer(FONT[5 * code : 5 * code + 5], np.uint8)
        dots[:8, LETTER_WIDTH * i : LETTER_WIDTH * i + 5] = (columns[None, :] >> np.arange(8)[:, None]) & 1
    return dots


def caption_strip(text: str, width: int, *, scale: int = 2) -> UInt8[ndarray, "height width 3"]:
    """Draw a white strip with the text in dark grey in its middle, cut if it is too long; a dot has scale^2 pixels."""
    dots = text_dots(text[: width // (LETTER_WIDTH * scale)]).repeat(scale, 0).repeat(scale, 1)
    strip = np.full((dots.shape[0] + 4, width, 3), 255, np.uint8)
    left = (width - dots.shape[1]) // 2
    strip[2:-2, left : left + dots.shape[1]][dots] = 40
    return strip
