"""A list file's text in pieces of limited size: blocks that end after a separator, decoded piece by piece."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from players.fide_list.values import ByteSource

BLOCK_BYTES: Final = 1 << 18
MAX_PIECE: Final = 1 << 14


def blocks(head: bytes, source: ByteSource, *, separator: bytes) -> Iterator[bytes]:
    """Yield the stream in blocks that end after a separator, the last one as it is.

    What follows the last separator waits for its rest. A single piece over MAX_PIECE bytes loses what is
    beyond them, so that a stream without separators takes no memory.
    """
    rest, block = b"", head
    while block:
        data = rest + block
        end = data.rfind(separator) + len(separator)
        if end < len(separator):
            rest = _bound_piece(data)
        else:
            yield data[:end]
            rest = _bound_piece(data[end:])
        block = source.read(BLOCK_BYTES)
    if rest:
        yield rest


def decode_pieces(block: bytes, *, separator: bytes) -> list[str]:
    """Return the block's pieces, each decoded for itself: UTF-8, else Windows-1252, which contains Latin-1.

    Bytes that are neither become lone surrogates, which no field accepts. No-break spaces become blanks.
    """
    if block.isascii():
        return block.decode("ascii").split(separator.decode())
    return [_decode(piece) for piece in block.split(separator)]


def _decode(piece: bytes) -> str:
    for encoding in ("utf-8", "cp1252"):
        try:
            return piece.decode(encoding).replace("\xa0", " ")
        except UnicodeDecodeError:
            continue
    return piece.decode("ascii", "surrogateescape")


def _bound_piece(piece: bytes) -> bytes:
    """Return the beginning of a piece; the few last bytes stay, as they may begin the separator."""
    return piece if len(piece) <= MAX_PIECE else piece[: MAX_PIECE - 16] + piece[-16:]


_PAGE_BITS: Final = 12
_PAGE_BYTES: Final = (1 << _PAGE_BITS) // 8


class SeenNumbers:
    """Remembers numbers, one bit each, in pages of 4,096: ID numbers lie in blocks, one a federation."""

    __slots__ = ("_pages",)

    def __init__(self) -> None:
        self._pages: dict[int, bytearray] = {}

    def add(self, number: int) -> bool:
        """Remember the number; return whether it is new."""
        page = self._pages.get(number >> _PAGE_BITS)
        if page is None:
            page = self._pages[number >> _PAGE_BITS] = bytearray(_PAGE_BYTES)
        place, bit = (number >> 3) % _PAGE_BYTES, 1 << (number & 7)
        if page[place] & bit:
            return False
        page[place] |= bit
        return True
