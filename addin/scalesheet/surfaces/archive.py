"""Zip archives whose bytes depend on their parts alone."""

import io
import zipfile
from collections.abc import Mapping, Sequence


def pack(parts: Mapping[str, bytes], first: Sequence[str] = ()) -> bytes:
    """An archive of the parts: those named first, then the others by name; no time, no packing.

    >>> pack({"a": b"1"}) == pack({"a": b"1"})
    True
    """
    order = (*first, *sorted(parts.keys() - set(first)))
    buffer = io.BytesIO()
    # Stored: deflate output differs between zlib builds, and these archives stay below 1 MB.
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in order:
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, parts[name])
    return buffer.getvalue()
