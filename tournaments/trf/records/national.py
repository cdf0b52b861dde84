"""National rating lines of TRF26: a federation's code, then the columns of 001 before its rounds."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.trf.fields import FieldError, blank_at, laid_out, number_at, required_at, right, text_at

LAST_COLUMN = 79


@dataclass(frozen=True, slots=True)
class NationalRecord:
    """A player's national rating and number; `number` is the starting number of the 001 that it belongs to."""

    tag: str
    number: int
    sex: str
    title: str
    name: str
    rating: int | None
    origin: str
    national_id: str
    birth: str

    @classmethod
    def loads(cls, line: str) -> NationalRecord:
        """Return the record of a line; `FieldError` where a column cannot be read."""
        if len(line) > LAST_COLUMN:
            raise FieldError(LAST_COLUMN + 1, len(line) - LAST_COLUMN)
        blank_at(line, 4, 9, 14, 48, 53, 57, 69)
        return cls(
            tag=line[:3],
            number=required_at(line, 5, 8),
            sex=text_at(line, 10, 10),
            title=text_at(line, 11, 13),
            name=text_at(line, 15, 47),
            rating=number_at(line, 49, 52),
            origin=text_at(line, 54, 56),
            national_id=text_at(line, 58, 68),
            birth=text_at(line, 70, 79),
        )

    def dumps(self) -> str:
        """Return the record as a line."""
        return laid_out(
            (1, self.tag),
            (5, right(self.number, 4)),
            (10, self.sex),
            (11, f"{self.title:>3}"),
            (15, self.name),
            (49, right(self.rating, 4)),
            (54, self.origin),
            (58, f"{self.national_id:>11}"),
            (70, self.birth),
        ).rstrip()
