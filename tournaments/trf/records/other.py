"""Lines that are kept as they are: comments, extensions without columns, and records that cannot be read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OtherRecord:
    """A line that is kept and written again, but not used."""

    text: str

    @property
    def tag(self) -> str:
        """The first three characters."""
        return self.text[:3]

    def dumps(self) -> str:
        """Return the line."""
        return self.text


@dataclass(frozen=True, slots=True)
class TextRecord:
    """A record that is a text after its tag: 182, 192, 202, 212, 352, XXC, DAT and their like.

    `rest` is all after the tag, since in some it has columns.
    """

    tag: str
    rest: str

    @property
    def text(self) -> str:
        """The text without blanks around it."""
        return self.rest.strip()

    @classmethod
    def loads(cls, line: str) -> TextRecord:
        """Return the record of a line."""
        return cls(line[:3], line[3:])

    def dumps(self) -> str:
        """Return the record as a line."""
        return f"{self.tag}{self.rest}"
