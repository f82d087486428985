"""Messages between the server and its worker processes: a JSON object and bytes, each with its length in front."""

from __future__ import annotations

import asyncio
import json
import struct
from typing import Any, BinaryIO, TypeAlias

from gambol.errors import GambolError

Message: TypeAlias = tuple[dict[str, Any], bytes]
"""A JSON object with bytes beside it."""
LENGTHS = struct.Struct("<II")
"""Lengths of the JSON text and of the bytes."""
MAX_MESSAGE_BYTES = 512 << 20
"""Longest message that is read; a longer one means that the stream is broken."""


def pack_message(header: dict[str, Any], payload: bytes = b"") -> bytes:
    """A message as bytes. Nothing but JSON is read from a worker, which may have parsed a hostile file."""
    text = json.dumps(header, ensure_ascii=False, allow_nan=False).encode()
    return LENGTHS.pack(len(text), len(payload)) + text + payload


def read_message(stream: BinaryIO) -> Message | None:
    """Read the next message; None where the stream has ended."""
    head = stream.read(LENGTHS.size)
    if len(head) < LENGTHS.size:
        return None
    lengths = _checked_lengths(head)
    text, payload = (stream.read(length) for length in lengths)
    if (len(text), len(payload)) != lengths:
        return None
    return json.loads(text), payload


async def read_message_async(stream: asyncio.StreamReader) -> Message | None:
    """Read the next message without blocking; None where the stream has ended."""
    try:
        lengths = _checked_lengths(await stream.readexactly(LENGTHS.size))
        text, payload = [await stream.readexactly(length) for length in lengths]
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    return json.loads(text), payload


def _checked_lengths(head: bytes) -> tuple[int, int]:
    text, payload = LENGTHS.unpack(head)
    if text + payload > MAX_MESSAGE_BYTES:
        raise GambolError("A worker process sent something that is no message.")
    return text, payload
