"""The compression of VBA sources (MS-OVBA 2.4.1)."""

import struct
from collections.abc import Iterator

CHUNK = 4096
COMPRESSED, RAW = 0xB000, 0x3000


def compress(data: bytes) -> bytes:
    """A compressed container.

    >>> decompress(compress(b"End Sub End Sub End Sub")) == b"End Sub End Sub End Sub"
    True
    """
    chunks = (data[start : start + CHUNK] for start in range(0, len(data), CHUNK))
    return b"\x01" + b"".join(map(_chunk, chunks))


def decompress(container: bytes) -> bytes:
    """What was compressed."""
    if container[:1] != b"\x01":
        raise ValueError("no compressed container: it begins with another byte than 1")
    place, data = 1, b""
    while place < len(container):
        (header,) = struct.unpack_from("<H", container, place)
        end = place + (header & 0x0FFF) + 3
        body = container[place + 2 : end]
        data += _expanded(body) if header & 0x8000 else body
        place = end
    return data


def _chunk(chunk: bytes) -> bytes:
    """One chunk with its header; as it is where it would not shrink."""
    body = b""
    tokens = list(_tokens(chunk))
    for start in range(0, len(tokens), 8):
        group = tokens[start : start + 8]
        flags = sum(1 << bit for bit, token in enumerate(group) if len(token) == 2)
        body += bytes([flags]) + b"".join(group)
    if len(body) <= CHUNK:
        return struct.pack("<H", COMPRESSED | (len(body) - 1)) + body
    if len(chunk) < CHUNK:
        raise ValueError("a last chunk that does not compress has no form in this format")
    return struct.pack("<H", RAW | (CHUNK - 1)) + chunk


def _tokens(chunk: bytes) -> Iterator[bytes]:
    """Single bytes, and pairs that point back to a text that was there before."""
    seen: dict[bytes, list[int]] = {}
    place = 0
    while place < len(chunk):
        bits = _offset_bits(place)
        longest = (0xFFFF >> bits) + 3
        length, start = _match(chunk, place, seen.get(chunk[place : place + 3], []), longest)
        if length:
            yield struct.pack("<H", (place - start - 1) << (16 - bits) | (length - 3))
        else:
            yield chunk[place : place + 1]
        for passed in range(place, place + (length or 1)):
            seen.setdefault(chunk[passed : passed + 3], []).append(passed)
        place += length or 1


def _match(chunk: bytes, place: int, starts: list[int], longest: int) -> tuple[int, int]:
    """The length and the start of the best earlier occurrence, length 0 when there is none."""
    best, found = 0, 0
    for start in reversed(starts[-64:]):
        length = 0
        while (
            length < longest
            and place + length < len(chunk)
            and chunk[start + length] == chunk[place + length]
        ):
            length += 1
        if length > best:
            best, found = length, start
    return (best, found) if best >= 3 else (0, 0)


def _offset_bits(place: int) -> int:
    """How many of a pair's 16 bits say how far back it points."""
    return max(4, (place - 1).bit_length()) if place else 4


def _expanded(body: bytes) -> bytes:
    data, place = bytearray(), 0
    while place < len(body):
        flags, place = body[place], place + 1
        for bit in range(8):
            if place >= len(body):
                break
            if not flags >> bit & 1:
                data.append(body[place])
                place += 1
                continue
            (token,) = struct.unpack_from("<H", body, place)
            bits = _offset_bits(len(data))
            start = len(data) - (token >> (16 - bits)) - 1
            for step in range((token & 0xFFFF >> bits) + 3):
                data.append(data[start + step])
            place += 2
    return bytes(data)
