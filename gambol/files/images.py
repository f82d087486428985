"""Decode texture files to arrays and encode arrays as PNG, through PyAV."""

from __future__ import annotations

import io
from fractions import Fraction

import numpy as np
from jaxtyping import UInt8
from numpy import ndarray

from gambol.errors import AssetError

MAX_PICTURE_PIXELS = 1 << 26
"""Largest picture that is decoded, pixels."""
PICTURE_SIGNATURES = {b"\x89PNG": "png_pipe", b"\xff\xd8\xff": "jpeg_pipe", b"RIFF": "webp_pipe"}
"""First bytes of each picture format, and FFmpeg's demuxer for it."""


def decode_picture(data: bytes, what: str, *, max_pixels: int = MAX_PICTURE_PIXELS) -> UInt8[ndarray, "height width 4"]:
    """Decode PNG, JPEG or WebP bytes to RGBA; `what` names the picture in errors."""
    import av

    demuxer = next((d for signature, d in PICTURE_SIGNATURES.items() if bytes(data[:4]).startswith(signature)), None)
    if demuxer is None:
        raise AssetError(f"{what} is not a PNG, JPEG or WebP picture.")
    try:
        with av.open(io.BytesIO(data), "r", format=demuxer) as container:
            stream = container.streams.video[0]
            if not 0 < stream.width * stream.height <= max_pixels:
                size = f"of {stream.width} x {stream.height} pixels" if stream.width else "of no readable size"
                raise AssetError(f"{what} is a picture {size}; at most {max_pixels} pixels are read.")
            return next(container.decode(stream)).to_ndarray(format="rgba")
    except (av.FFmpegError, StopIteration, IndexError, ValueError) as error:
        raise AssetError(f"{what} cannot be decoded ({error}).") from error


def encode_png(pixels: UInt8[ndarray, "height width channels"]) -> bytes:
    """Encode RGB or RGBA pixels as PNG."""
    import av

    kind = "rgba" if pixels.shape[2] == 4 else "rgb24"
    codec = av.CodecContext.create("png", "w")
    codec.height, codec.width = pixels.shape[:2]
    codec.pix_fmt = kind
    codec.time_base = Fraction(1)
    frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format=kind)
    frame.pts = 0
    return b"".join(bytes(p) for p in [*codec.encode(frame), *codec.encode(None)])
