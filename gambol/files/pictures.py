"""Pictures in and out of memory through PyAV: texture files to arrays, arrays to PNG."""

from __future__ import annotations

import io

import numpy as np
from jaxtyping import UInt8
from numpy import ndarray

from gambol.errors import AssetError

MAX_PIXELS = 1 << 28
SIGNATURES = {b"\x89PNG": "png_pipe", b"\xff\xd8\xff": "jpeg_pipe", b"RIFF": "webp_pipe"}


def decode_picture(data: bytes, what: str) -> UInt8[ndarray, "height width 4"]:
    """PNG, JPEG or WebP bytes as RGBA."""
    import av

    demuxer = next((d for signature, d in SIGNATURES.items() if bytes(data[:4]).startswith(signature)), None)
    if demuxer is None:
        raise AssetError(f"{what} is not a PNG, JPEG or WebP picture.")
    try:
        with av.open(io.BytesIO(data), format=demuxer) as container:
            stream = container.streams.video[0]
            if not 0 < stream.width * stream.height <= MAX_PIXELS:
                raise AssetError(f"{what} is {stream.width} x {stream.height} pixels; at most {MAX_PIXELS} are read.")
            return next(container.decode(stream)).to_ndarray(format="rgba")
    except (av.FFmpegError, StopIteration, IndexError, ValueError) as error:
        raise AssetError(f"{what} cannot be decoded ({error}).") from error


def encode_png(pixels: UInt8[ndarray, "height width channels"]) -> bytes:
    """RGB or RGBA pixels as a PNG file's bytes."""
    import av

    kind = "rgba" if pixels.shape[2] == 4 else "rgb24"
    codec = av.CodecContext.create("png", "w")
    codec.height, codec.width = pixels.shape[:2]
    codec.pix_fmt = kind
    codec.time_base = "1/1"
    frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format=kind)
    frame.pts = 0
    return b"".join(bytes(p) for p in [*codec.encode(frame), *codec.encode(None)])
