"""ZIP archives that are sent while they are written, whatever their size."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from typing import IO, cast

MODE = 0o100644 << 16


class ZipSink:
    """What `zipfile` writes to, without a position: it then puts sizes behind each file."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._written.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing: `zipfile` asks for it at the end."""

    def take(self) -> bytes:
        """Return what was written since the last call."""
        taken, self._written = b"".join(self._written), []
        return taken


def stream_zip(members: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[bytes]:
    """Yield a ZIP archive of named files; the same files give the same bytes. What is packed already is only stored."""
    sink = ZipSink()
    with zipfile.ZipFile(cast("IO[bytes]", sink), "w") as archive:
        for name, parts in members:
            # Without an instant of its own a ZipInfo has 1 January 1980.
            info = zipfile.ZipInfo(name)
            # Without it `zipfile` makes each file readable for its owner only.
            info.external_attr = MODE
            info.compress_type = zipfile.ZIP_STORED if name.endswith(".zip") else zipfile.ZIP_DEFLATED
            # The size is not known yet: without ZIP64 `zipfile` raises where a file grows over 2 GiB.
            with archive.open(info, "w", force_zip64=True) as member:
                for part in parts:
                    member.write(part)
                    yield sink.take()
    yield sink.take()
