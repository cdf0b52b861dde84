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
    """A record that is a text after its tag: 182, 192, 202, 212, 352, XXC, DAT and their like."""

    tag: str
    text: str

    @classmethod
    def loads(cls, line: str) -> TextRecord:
        """Return the record of a line."""
        return cls(line[:3], line[3:].strip())

    def dumps(self) -> str:
        """Return the record as a line."""
        return f"{self.tag} {self.text}".rstrip()
