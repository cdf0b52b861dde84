"""Numbers that were seen before, in little memory."""

from __future__ import annotations

from typing import Final

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
