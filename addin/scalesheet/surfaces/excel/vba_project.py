"""A VBA project as Excel stores it (MS-OVBA): modules as sources, no compiled code.

``_VBA_PROJECT`` says that there is no performance cache, so Excel compiles the sources when it
loads them. The same modules give the same bytes.
"""

import struct
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from scalesheet.surfaces.excel.ole import compound
from scalesheet.surfaces.excel.ovba import compress

Kind = Literal["standard", "class", "workbook", "sheet"]

CODE_PAGE, CODEC = 1252, "cp1252"
ENGLISH = 0x0409
NO_CACHE = bytes.fromhex("CC61FFFF000000")
PROJECT_VERSION = 0x60D9A000, 1
SEED = 0x5C
"""Any byte: it stirs the three lines of a project that say who may see it."""

REFERENCES = {
    "stdole": r"*\G{00020430-0000-0000-C000-000000000046}#2.0#0#C:\Windows\System32\stdole2.tlb"
    "#OLE Automation",
}
"""Type libraries beside VBA's and Excel's own. No more than every Windows has: one that is missing
stops a whole project."""

BASES = {
    "workbook": "0{00020819-0000-0000-C000-000000000046}",
    "sheet": "0{00020820-0000-0000-C000-000000000046}",
    "class": "0{FCFB3D2A-A0FA-1068-A738-08002B3371B5}",
}
DOCUMENT_KINDS = ("workbook", "sheet")


@dataclass(frozen=True, slots=True)
class Module:
    """A module: its name, its code without attributes at its head, what it is."""

    name: str
    code: str
    kind: Kind = "standard"

    @property
    def source(self) -> str:
        """The code with its attributes, as a project stores it."""
        lines = [f'Attribute VB_Name = "{self.name}"']
        if self.kind in BASES:
            document = self.kind in DOCUMENT_KINDS
            lines += [
                f'Attribute VB_Base = "{BASES[self.kind]}"',
                "Attribute VB_GlobalNameSpace = False",
                "Attribute VB_Creatable = False",
                f"Attribute VB_PredeclaredId = {document}",
                "Attribute VB_Exposed = True",
                "Attribute VB_TemplateDerived = False",
                f"Attribute VB_Customizable = {document}",
            ]
        return "".join(f"{line}\r\n" for line in [*lines, *self.code.splitlines()])


def project(name: str, modules: Sequence[Module]) -> bytes:
    """The file ``vbaProject.bin``."""
    streams = {
        "VBA/_VBA_PROJECT": NO_CACHE,
        "VBA/dir": compress(b"".join(_directory(name, modules))),
        "PROJECT": _text(name, modules).encode(CODEC),
        "PROJECTwm": b"".join(map(_both_names, modules)) + b"\0\0",
    }
    sources = {f"VBA/{module.name}": _stored(module) for module in modules}
    return compound(streams | sources)


def _stored(module: Module) -> bytes:
    try:
        return compress(module.source.encode(CODEC))
    except UnicodeEncodeError as error:
        letter = module.source[error.start]
        raise ValueError(f"{module.name} holds {letter!r}, which VBA cannot") from None


def _both_names(module: Module) -> bytes:
    return module.name.encode(CODEC) + b"\0" + module.name.encode("utf-16-le") + b"\0\0"


# --- The stream ``dir``: records of a number, a length and data ----------------------------------


def _record(number: int, data: bytes) -> bytes:
    return struct.pack("<HI", number, len(data)) + data


def _texts(number: int, unicode_number: int, text: str) -> bytes:
    """A text twice: in the code page and in UTF-16."""
    wide = _record(unicode_number, text.encode("utf-16-le"))
    return _record(number, text.encode(CODEC)) + wide


def _directory(name: str, modules: Sequence[Module]) -> Iterator[bytes]:
    yield _record(0x01, struct.pack("<I", 1))  # 32-bit Windows, as every Excel writes
    yield _record(0x02, struct.pack("<I", ENGLISH))
    yield _record(0x14, struct.pack("<I", ENGLISH))
    yield _record(0x03, struct.pack("<H", CODE_PAGE))
    yield _record(0x04, name.encode(CODEC))
    yield _texts(0x05, 0x40, "")  # description
    yield _record(0x06, b"") + _record(0x3D, b"")  # help files
    yield _record(0x07, bytes(4))
    yield _record(0x08, bytes(4))
    yield struct.pack("<HIIH", 0x09, 4, *PROJECT_VERSION)
    yield _texts(0x0C, 0x3C, "")  # constants
    for library, identifier in REFERENCES.items():
        path = identifier.encode(CODEC)
        yield _texts(0x16, 0x3E, library)
        yield _record(0x0D, struct.pack("<I", len(path)) + path + bytes(6))
    yield _record(0x0F, struct.pack("<H", len(modules)))
    yield _record(0x13, struct.pack("<H", 0xFFFF))
    for module in modules:
        yield from _module_records(module)
    yield _record(0x10, b"")


def _module_records(module: Module) -> Iterator[bytes]:
    yield _texts(0x19, 0x47, module.name)
    yield _texts(0x1A, 0x32, module.name)  # its stream
    yield _texts(0x1C, 0x48, "")  # description
    yield _record(0x31, bytes(4))  # its source begins at the first byte
    yield _record(0x1E, bytes(4))
    yield _record(0x2C, struct.pack("<H", 0xFFFF))
    yield _record(0x21 if module.kind == "standard" else 0x22, b"")
    yield _record(0x2B, b"")


# --- The stream ``PROJECT``: text ----------------------------------------------------------------


def _text(name: str, modules: Sequence[Module]) -> str:
    identity = "{" + str(uuid.uuid5(uuid.NAMESPACE_DNS, f"{name}.scalesheet")).upper() + "}"
    key = sum(identity.encode(CODEC)) & 0xFF
    lines = [f'ID="{identity}"', *map(_declaration, modules)]
    lines += [f'Name="{name}"', 'HelpContextID="0"', 'VersionCompatible32="393222000"']
    secrets: Mapping[str, bytes] = {"CMG": bytes(4), "DPB": bytes(1), "GC": b"\xff"}
    lines += [f'{field}="{stirred(data, key)}"' for field, data in secrets.items()]
    lines += ["", "[Host Extender Info]"]
    lines += ["&H00000001={3832D640-CF90-11CF-8E43-00A0C911005A};VBE;&H00000000"]
    lines += ["", "[Workspace]", *(f"{module.name}=0, 0, 0, 0, C" for module in modules)]
    return "".join(f"{line}\r\n" for line in lines)


def _declaration(module: Module) -> str:
    if module.kind in DOCUMENT_KINDS:
        return f"Document={module.name}/&H00000000"
    return f"{'Class' if module.kind == 'class' else 'Module'}={module.name}"


def stirred(data: bytes, key: int, seed: int = SEED) -> str:
    """Data as the project's text holds its three secrets: not protected, no password, visible."""
    written = [seed, seed ^ 2, seed ^ key]
    before_last, last, plain = written[1], written[2], key
    filler = bytes((seed & 6) // 2)
    for byte in filler + struct.pack("<I", len(data)) + data:
        coded = byte ^ (before_last + plain) & 0xFF
        written.append(coded)
        before_last, last, plain = last, coded, byte
    return bytes(written).hex().upper()
