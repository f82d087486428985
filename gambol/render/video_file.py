"""Video and picture files: written under a temporary name, read back, then renamed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
from jaxtyping import UInt8
from numpy import ndarray

from gambol.errors import AssetError, ConfigError, GambolError
from gambol.files.atomic_write import replacing
from gambol.files.formats import FILM_SUFFIXES
from gambol.files.images import decode_picture, encode_png

GIF_MAX_FPS = 50.0
"""Most frames per second of a GIF: its delays are hundredths of a second, and browsers need at least two."""
WEBP_QUALITY, WEBP_EFFORT = 82, 3
"""Quality (0 to 100) and effort (0 to 6) of an animated WebP; more effort takes longer and saves little."""
FFMPEG_BT709 = 1
"""FFmpeg's number of ITU-R BT.709, for primaries, transfer and matrix alike."""

Frames = UInt8[ndarray, "frames height width 3"]
"""sRGB bytes of some frames of a video."""


def write_film(path: Path | str, frames: Frames | Iterable[Frames], fps: float) -> None:
    """Write an .mp4 (H.264, yuv420p, BT.709), a .gif (one palette for all frames) or a .webp, and check the file.

    An iterable of chunks is encoded chunk by chunk, so that a long .mp4 needs little memory; .gif and .webp need all
    frames at once, and repeat for ever. H.264 with yuv420p needs even sides; an odd picture gets its last row or column
    twice.
    """
    path = Path(path)
    if path.suffix.lower() not in FILM_SUFFIXES:
        raise ConfigError(f"{path.name}: a film's name must end in {' or '.join(FILM_SUFFIXES)}.")
    suffix = path.suffix.lower()
    fastest = GIF_MAX_FPS if suffix == ".gif" else 1000.0
    if not 0 < fps <= fastest:
        raise ConfigError(f"{path.name}: {fps} frames per second; allowed is more than 0 up to {fastest:g}.")
    pieces = _checked(path, [frames] if isinstance(frames, np.ndarray) else frames, even=suffix == ".mp4")
    with replacing(path) as temporary:
        rate = Fraction(fps).limit_denominator(1001)
        shape = ENCODERS[suffix](temporary, pieces, rate)
        found, size = _count_frames(temporary, suffix, rate)
        if (found, *size) != shape:
            raise GambolError(f"{path.name}: {found} frames of {size} came back instead of {shape[0]} of {shape[1:]}.")


def _checked(path: Path, pieces: Iterable[Frames], *, even: bool) -> Iterator[Frames]:
    """The chunks, each checked, with even sides where asked for; there must be at least one frame."""
    shape: tuple[int, ...] = ()
    for piece in pieces:
        if piece.ndim != 4 or piece.shape[-1] != 3 or piece.dtype != np.uint8 or not piece.size:
            given = f"{piece.dtype} {piece.shape}"
            raise ConfigError(f"{path.name}: a film needs uint8 frames [frames, height, width, 3]; given is {given}.")
        if shape and piece.shape[1:] != shape:
            raise ConfigError(
                f"{path.name}: a film's frames must have one size; given are {shape} and {piece.shape[1:]}."
            )
        shape = piece.shape[1:]
        if even:
            piece = np.pad(piece, ((0, 0), (0, shape[0] % 2), (0, shape[1] % 2), (0, 0)), mode="edge")
        yield piece
    if not shape:
        raise ConfigError(f"{path.name}: a film needs at least one frame; given are none.")


def read_film(path: Path | str) -> tuple[UInt8[ndarray, "frames height width 3"], float]:
    """Read all frames of a video file, and its frames per second: (frames - 1) over the time from first to last."""
    import av

    path = Path(path)
    if path.suffix.lower() == ".webp":
        return _read_webp(path)
    try:
        with av.open(str(path)) as container:
            stream = container.streams.video[0]
            rate = stream.average_rate or stream.guessed_rate or stream.base_rate
            frames, times = [], []
            for frame in container.decode(stream):
                frames.append(_to_rgb(frame))
                times.append(frame.time)
    except (av.FFmpegError, IndexError, OSError) as error:
        raise AssetError(f"{path.name} cannot be read as a film ({error}).") from error
    if not frames or not rate:
        raise AssetError(f"{path.name} holds no frames.")
    # A GIF's delays are uneven (4, 4, 5 hundredths for 24 frames per second), and its header's rate is a guess.
    timed = len(frames) > 1 and None not in times and times[-1] > times[0]
    return np.stack(frames), (len(frames) - 1) / (times[-1] - times[0]) if timed else float(rate)


def film_length(path: Path | str) -> tuple[int, float]:
    """Number of frames of an .mp4, and its frames per second."""
    import av

    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        return stream.frames, float(stream.average_rate or stream.guessed_rate or stream.base_rate or 1)


def chosen_frames(path: Path | str, chosen: Iterable[int]) -> Iterator[UInt8[ndarray, "height width 3"]]:
    """Decode the frames of a film with the given increasing indices, one at a time."""
    import av

    wanted = set(map(int, chosen))
    with av.open(str(path)) as container:
        for i, frame in enumerate(container.decode(container.streams.video[0])):
            if i in wanted:
                yield _to_rgb(frame)


def write_png(path: Path | str, image: UInt8[ndarray, "height width channels"]) -> None:
    """Write RGB or RGBA pixels as a PNG, and check that the same pixels can be read back."""
    path = Path(path)
    if path.suffix.lower() != ".png":
        raise ConfigError(f"{path.name}: a picture's name must end in .png.")
    if image.ndim != 3 or image.shape[-1] not in (3, 4) or image.dtype != np.uint8 or not image.size:
        given = f"{image.dtype} {image.shape}"
        raise ConfigError(f"{path.name}: a picture needs uint8 pixels [height, width, 3 or 4]; given is {given}.")
    with replacing(path) as temporary:
        temporary.write_bytes(encode_png(image))
        if not np.array_equal(decode_picture(temporary.read_bytes(), path.name)[..., : image.shape[-1]], image):
            raise GambolError(f"{path.name}: other pixels came back than were written.")


def _encode_mp4(path: Path, pieces: Iterable[Frames], rate: Fraction) -> tuple[int, int, int]:
    """Write the frames; returns their number, height and width."""
    import av
    from av.video.reformatter import Colorspace

    count = 0
    with av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream("libx264", rate=rate, options={"crf": "18", "preset": "medium"})
        stream.pix_fmt = "yuv420p"
        context = stream.codec_context
        # Without these marks players guess the matrix from the picture's size, and colours shift.
        context.color_primaries = context.color_trc = context.colorspace = FFMPEG_BT709
        for piece in pieces:
            if not count:
                stream.height, stream.width = piece.shape[1:3]
            for pixels in piece:
                picture = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24")
                container.mux(stream.encode(picture.reformat(format="yuv420p", dst_colorspace=Colorspace.ITU709)))
                count += 1
        container.mux(stream.encode(None))
    return count, piece.shape[1], piece.shape[2]


def _encode_gif(path: Path, pieces: Iterable[Frames], rate: Fraction) -> tuple[int, int, int]:
    """Write the frames with one palette for all; returns their number, height and width."""
    import av
    from av.filter import Graph

    frames = np.concatenate(list(pieces))
    graph = Graph()
    source = graph.add_buffer(
        width=frames.shape[2], height=frames.shape[1], format=av.VideoFormat("rgb24"), time_base=1 / rate
    )
    split, palette, sink = graph.add("split"), graph.add("palettegen"), graph.add("buffersink")
    use = graph.add("paletteuse", "dither=sierra2_4a:diff_mode=rectangle")
    source.link_to(split)
    split.link_to(use, 0, 0)
    split.link_to(palette, 1, 0)
    palette.link_to(use, 0, 1)
    use.link_to(sink)
    graph.configure()
    with av.open(str(path), "w", format="gif") as container:
        stream = container.add_stream("gif", rate=rate)
        stream.height, stream.width = frames.shape[1:3]
        stream.pix_fmt = "pal8"
        for i, pixels in enumerate(frames):
            picture = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24")
            picture.pts, picture.time_base = i, 1 / rate
            source.push(picture)
        source.push(None)
        while True:
            try:
                container.mux(stream.encode(sink.pull()))  # type: ignore[arg-type]
            except (av.BlockingIOError, av.EOFError):
                break
        container.mux(stream.encode(None))
    return frames.shape[0], frames.shape[1], frames.shape[2]


def _encode_webp(path: Path, pieces: Iterable[Frames], rate: Fraction) -> tuple[int, int, int]:
    """Write the frames (lossy, 24-bit colour); returns their number, height and width."""
    from PIL import Image

    pictures = [Image.fromarray(np.ascontiguousarray(pixels)) for piece in pieces for pixels in piece]
    # whole milliseconds whose sums stay as near to the frame rate as they can
    ends = [round(1000 * i / rate) for i in range(len(pictures) + 1)]
    durations = [max(end - start, 1) for start, end in pairwise(ends)]
    options = {"quality": WEBP_QUALITY, "method": WEBP_EFFORT, "loop": 0, "minimize_size": False}
    pictures[0].save(path, "WEBP", save_all=True, append_images=pictures[1:], duration=durations, **options)
    return len(pictures), pictures[0].height, pictures[0].width


def _read_webp(path: Path) -> tuple[UInt8[ndarray, "frames height width 3"], float]:
    from PIL import Image, ImageSequence

    try:
        with Image.open(path) as image:
            found = [(np.asarray(f.convert("RGB")), f.info.get("duration", 0)) for f in ImageSequence.Iterator(image)]
    except (OSError, SyntaxError) as error:
        raise AssetError(f"{path.name} cannot be read as a film ({error}).") from error
    return np.stack([pixels for pixels, _ in found]), 1000.0 * len(found) / max(sum(ms for _, ms in found), 1)


def _webp_frames(path: Path) -> tuple[int, tuple[int, int]]:
    """How long an animated WebP lasts, milliseconds, and its height and width; every frame is decoded."""
    frames, fps = _read_webp(path)
    return round(1000.0 * len(frames) / fps), (frames.shape[1], frames.shape[2])


ENCODERS = {".mp4": _encode_mp4, ".gif": _encode_gif, ".webp": _encode_webp}
"""What writes a film, by suffix; each returns the number of frames, height and width."""


def _count_frames(path: Path, suffix: str, rate: Fraction) -> tuple[int, tuple[int, int]]:
    if suffix == ".webp":  # frames that look alike are stored once, for longer
        milliseconds, size = _webp_frames(path)
        return round(milliseconds * rate / 1000) or 1, size  # a single frame has no duration
    import av

    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        return sum(1 for _ in container.decode(stream)), (stream.height, stream.width)


def _to_rgb(frame) -> UInt8[ndarray, "height width 3"]:
    """RGB by the matrix that the file names; players and FFmpeg take BT.601 where it names none."""
    from av.video.reformatter import Colorspace

    matrix = Colorspace.ITU709 if frame.colorspace == FFMPEG_BT709 else Colorspace.ITU601
    kind = frame.format.name
    if "rgb" in kind or "bgr" in kind or kind == "pal8":
        return frame.to_ndarray(format="rgb24")
    return frame.reformat(format="rgb24", src_colorspace=matrix).to_ndarray()
