"""The parts of an .xlsx package, opened so that a bad file costs neither memory nor time.

Sizes are checked as declared and again while parts are read; XML may hold no document type, so that
no entity can expand. Nothing outside the file is ever opened.
"""

import io
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET
from xml.parsers import expat

from scalesheet.errors import ScalesheetError

MOST_FILE_BYTES = 100_000_000
MOST_PARTS = 5_000
MOST_PART_BYTES = 300_000_000
MOST_TREE_BYTES = 10_000_000
MOST_TOTAL_BYTES = 600_000_000
BOMB_RATIO, BOMB_BYTES = 400, 20_000_000
"""A part that packs so well and is so large means harm: a million empty rows pack 100:1."""
CHUNK = 1 << 16

OLE, ZIP = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"PK"
REMEDY_XLSX = "save it as an ordinary .xlsx workbook"


class Unreadable(ScalesheetError):
    """A file that is no workbook we can read; ``reason`` is its code in reports."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


@dataclass(frozen=True)
class Package:
    """The parts of a workbook file by name, sizes checked."""

    archive: zipfile.ZipFile
    names: Mapping[str, str]
    """Names as asked for, folded, and as written."""

    def has(self, name: str) -> bool:
        """Whether there is such a part."""
        return _key(name) in self.names

    def size(self, name: str) -> int:
        """The bytes of a part, as the archive declares them."""
        return self.archive.getinfo(self.names[_key(name)]).file_size

    def chunks(self, name: str, most: int = MOST_PART_BYTES) -> Iterator[bytes]:
        """The bytes of a part, piece by piece, never more than its limit."""
        read = 0
        try:
            with self.archive.open(self.names[_key(name)]) as stream:
                while piece := stream.read(CHUNK):
                    read += len(piece)
                    if read > most:
                        raise _too_large(f"{name} unpacks to more than {most:,} bytes")
                    yield piece
        except KeyError:
            raise Unreadable("damaged", f"the part {name} is missing: {REMEDY_XLSX}") from None
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError):
            raise Unreadable(
                "damaged", f"the part {name} cannot be unpacked: get the file again"
            ) from None
        except RuntimeError:  # what zipfile says of a part with a password
            raise Unreadable("encrypted", "the file is encrypted: remove the password") from None

    def tree(self, name: str) -> ET.Element:
        """A small part as a tree; names lose their prefixes."""
        builder = ET.TreeBuilder()
        parse(
            self.chunks(name, MOST_TREE_BYTES),
            name,
            lambda tag, attributes: builder.start(tag, _without_prefixes(attributes)),
            lambda tag: builder.end(tag),
            builder.data,
        )
        return builder.close()


def _without_prefixes(attributes: dict[str, str]) -> dict[str, str]:
    return {key.rpartition(":")[2]: value for key, value in attributes.items()}


def open_package(data: bytes) -> Package:
    """The package in the bytes of a file; Unreadable says in one line why there is none."""
    if not data:
        raise Unreadable("empty", "the file is empty: get it again")
    if len(data) > MOST_FILE_BYTES:
        raise _too_large(f"the file has {len(data):,} bytes, more than {MOST_FILE_BYTES:,}")
    if data.startswith(OLE):
        raise _ole(data)
    if not data.startswith(ZIP):
        raise _no_zip(data)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        raise Unreadable(
            "truncated", "the file is cut off or damaged: get it again, or save it again"
        ) from None
    _check_sizes(archive)
    names = {_key(info.filename): info.filename for info in archive.infolist()}
    if len(names) < len(archive.infolist()):
        raise Unreadable("damaged", "the archive holds a part twice: save the file again")
    package = Package(archive, names)
    if package.has("xl/workbook.bin"):
        raise Unreadable("xlsb", f"this is a binary workbook (.xlsb): {REMEDY_XLSX}")
    if package.has("content.xml"):
        raise Unreadable("ods", f"this is an OpenDocument file (.ods): {REMEDY_XLSX}")
    if not package.has("xl/workbook.xml") and not package.has("_rels/.rels"):
        raise Unreadable("no_workbook", f"there is no workbook in this archive: {REMEDY_XLSX}")
    return package


def file_bytes(path: Path) -> bytes:
    """The bytes of a file, which is opened for reading alone."""
    try:
        if path.is_dir():
            raise Unreadable("folder", f"{path} is a folder: name a workbook in it")
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):  # to open a pipe is to wait for who writes into it
            raise Unreadable(
                "no_file", "this is a pipe, a socket or a device, no ordinary file: name a workbook"
            )
        if found.st_size > MOST_FILE_BYTES:
            raise _too_large(f"the file has {found.st_size:,} bytes")
        return path.read_bytes()
    except FileNotFoundError:
        raise Unreadable("not_found", "there is no such file: check the path") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Unreadable("no_access", f"cannot be read: {reason}") from None


def parse(
    chunks: Iterator[bytes],
    name: str,
    start: Callable[[str, dict[str, str]], object],
    end: Callable[[str], object],
    text: Callable[[str], object],
    unseen: int | None = None,
) -> None:
    """Events of an XML part, its tags without prefixes.

    A document type is refused before anything in it is read. Of the piece that is ``unseen``, by
    its place, there are no events: it is only checked to be sound.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True
    local = _WithoutPrefix()

    def started(tag: str, attributes: dict[str, str]) -> None:
        start(local[tag], attributes)

    def ended(tag: str) -> None:
        end(local[tag])

    def refuse(*_: object) -> None:
        raise Unreadable("entities", f"{name} declares XML entities: {REMEDY_XLSX}")

    def listen(to: bool) -> None:
        parser.StartElementHandler = started if to else None
        parser.EndElementHandler = ended if to else None
        parser.CharacterDataHandler = text if to else None

    listen(True)
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        for place, piece in enumerate(chunks):
            if unseen is not None and place in (unseen, unseen + 1):
                listen(place != unseen)
            parser.Parse(piece, False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise Unreadable(
            "damaged", f"{name} is no XML (line {error.lineno}): save the file again"
        ) from None


class _WithoutPrefix(dict[str, str]):
    """Tags without their prefixes, each worked out once: a sheet has a hundred thousand of few."""

    def __missing__(self, tag: str) -> str:
        self[tag] = found = tag.rpartition(":")[2]
        return found


def _key(name: str) -> str:
    """The name of a part as it is looked for: some programs write the folders of Windows."""
    return name.replace("\\", "/").lower()


def _check_sizes(archive: zipfile.ZipFile) -> None:
    infos = archive.infolist()
    if len(infos) > MOST_PARTS:
        raise _too_large(f"the archive has {len(infos):,} parts, more than {MOST_PARTS:,}")
    total = sum(info.file_size for info in infos)
    if total > MOST_TOTAL_BYTES:
        raise _too_large(f"the archive unpacks to {total:,} bytes")
    for info in infos:
        if info.flag_bits & 1:
            raise Unreadable("encrypted", "the file is encrypted: remove the password")
        if info.file_size > BOMB_BYTES and info.file_size > BOMB_RATIO * max(1, info.compress_size):
            raise Unreadable(
                "zip_bomb",
                f"{info.filename} unpacks to {info.file_size / max(1, info.compress_size):,.0f} "
                f"times its size: {REMEDY_XLSX}",
            )


def _too_large(what: str) -> Unreadable:
    return Unreadable("too_large", f"{what}: delete empty rows and extra sheets, and save it again")


def _ole(data: bytes) -> Unreadable:
    """What an OLE container is: its streams are named in UTF-16."""
    if any(name.encode("utf-16-le") in data for name in ("EncryptedPackage", "EncryptionInfo")):
        return Unreadable("encrypted", "the file is encrypted: remove the password")
    if any(name.encode("utf-16-le") in data for name in ("Workbook", "Book")):
        return Unreadable("old_xls", f"this is an old .xls workbook: {REMEDY_XLSX}")
    return Unreadable("not_xlsx", f"this is an OLE file and no workbook: {REMEDY_XLSX}")


def _no_zip(data: bytes) -> Unreadable:
    head = data[:4096].lstrip(b"\xef\xbb\xbf \r\n\t")
    if head[:1] == b"<":
        return Unreadable("not_xlsx", f"this is a page or XML, no .xlsx workbook: {REMEDY_XLSX}")
    try:
        head.decode("utf-8", errors="strict" if len(data) < 4096 else "ignore")
    except UnicodeDecodeError:
        return Unreadable("not_xlsx", f"this is no .xlsx workbook: {REMEDY_XLSX}")
    if b"\0" not in head and any(mark in head for mark in (b",", b";", b"\t")):
        return Unreadable("csv", f"this is a text table (CSV), no workbook: {REMEDY_XLSX}")
    return Unreadable("not_xlsx", f"this is no .xlsx workbook: {REMEDY_XLSX}")
