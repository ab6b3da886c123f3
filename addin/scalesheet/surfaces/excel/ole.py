"""A compound file (MS-CFB version 3): the little file system that a VBA project is stored in.

Only what such a project needs: storages and streams, no timestamps, the same bytes every time.
"""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

SECTOR, MINI_SECTOR, SMALL = 512, 64, 4096
FREE, END, FAT_SECTOR, NONE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF
STORAGE, STREAM, ROOT = 1, 2, 5
RED, BLACK = 0, 1
HEADER_FAT_ENTRIES = 109


@dataclass
class _Entry:
    """One line of the directory."""

    name: str
    kind: int
    data: bytes = b""
    children: dict[str, "_Entry"] = field(default_factory=dict)
    number: int = NONE
    left: int = NONE
    right: int = NONE
    child: int = NONE
    color: int = BLACK
    start: int = END
    size: int = 0

    def packed(self) -> bytes:
        name = self.name.encode("utf-16-le") + b"\0\0"
        return struct.pack(
            "<64sHBBIII16sIQQIQ",
            name,
            len(name),
            self.kind,
            self.color,
            self.left,
            self.right,
            self.child,
            bytes(16),
            0,
            0,
            0,
            self.start,
            self.size,
        )


def compound(streams: Mapping[str, bytes]) -> bytes:
    """The bytes of a file with the streams, named by path: ``VBA/dir``."""
    root = _tree(streams)
    entries = list(_numbered(root))
    for entry in entries:
        entry.child = _balanced(entry.children)
    sectors = _Sectors()
    mini = _Sectors(MINI_SECTOR)
    for entry in entries:
        if entry.kind == STREAM:
            entry.size = len(entry.data)
            entry.start = (mini if entry.size < SMALL else sectors).add(entry.data)
    root.size, root.start = len(mini.data), sectors.add(mini.data)
    directory = sectors.add(_padded(b"".join(entry.packed() for entry in entries), _EMPTY))
    mini_fat = sectors.add(_table(mini.next))
    return _file(sectors, directory, mini_fat, -(-len(mini.next) * 4 // SECTOR))


_EMPTY = struct.pack("<64sHBBIII", b"", 0, 0, 0, NONE, NONE, NONE) + bytes(48)


def _tree(streams: Mapping[str, bytes]) -> _Entry:
    root = _Entry("Root Entry", ROOT)
    for path, data in streams.items():
        *folders, name = path.split("/")
        entry = root
        for folder in folders:
            entry = entry.children.setdefault(folder, _Entry(folder, STORAGE))
        entry.children[name] = _Entry(name, STREAM, data)
    return root


def _numbered(root: _Entry) -> Iterator[_Entry]:
    """Every entry, numbered in the order of the directory."""
    waiting = [root]
    for number, entry in enumerate(waiting):
        entry.number = number
        yield entry
        waiting += _sorted(entry.children)


def _sorted(children: Mapping[str, _Entry]) -> list[_Entry]:
    """Siblings in the order of the format: shorter names first, then by capitals."""
    return sorted(children.values(), key=lambda entry: (len(entry.name), entry.name.upper()))


def _balanced(children: Mapping[str, _Entry]) -> int:
    """Make siblings a red-black tree; the number of its top.

    Halving fills every level but the last, so with the last one red each path has as many blacks.
    """
    entries = _sorted(children)
    full = (len(entries) + 1).bit_length() - 1  # levels that are filled

    def top(first: int, last: int, level: int) -> int:
        if first >= last:
            return NONE
        middle = (first + last) // 2
        entry = entries[middle]
        entry.color = BLACK if level < full else RED
        entry.left = top(first, middle, level + 1)
        entry.right = top(middle + 1, last, level + 1)
        return entry.number

    return top(0, len(entries), 0)


class _Sectors:
    """Data laid out in sectors, and for each sector the one that follows it."""

    def __init__(self, size: int = SECTOR) -> None:
        self.size, self.data, self.next = size, b"", list[int]()

    def add(self, data: bytes) -> int:
        """The number of the first sector of new data."""
        if not data:
            return END
        first, count = len(self.next), -(-len(data) // self.size)
        self.data += data.ljust(count * self.size, b"\0")
        self.next += [*range(first + 1, first + count), END]
        return first


def _padded(data: bytes, filler: bytes) -> bytes:
    """Data filled up to whole sectors."""
    return data + filler * (-len(data) % SECTOR // len(filler))


def _table(numbers: list[int]) -> bytes:
    return _padded(struct.pack(f"<{len(numbers)}I", *numbers), struct.pack("<I", FREE))


def _file(sectors: _Sectors, directory: int, mini_fat: int, mini_fat_sectors: int) -> bytes:
    used, count = len(sectors.next), 1
    while used + count > count * SECTOR // 4:
        count += 1
    if count > HEADER_FAT_ENTRIES:
        raise ValueError("a compound file of more than 6 MB: the header holds no more")
    fat = _table([*sectors.next, *[FAT_SECTOR] * count])
    header = struct.pack(
        "<8s16sHHHHH6sIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        bytes(16),
        0x3E,
        3,
        0xFFFE,
        9,
        6,
        bytes(6),
        0,
        count,
        directory,
        0,
        SMALL,
        mini_fat,
        mini_fat_sectors,
        END,
        0,
    )
    places = [*range(used, used + count), *[FREE] * (HEADER_FAT_ENTRIES - count)]
    return header + struct.pack(f"<{HEADER_FAT_ENTRIES}I", *places) + sectors.data + fat
