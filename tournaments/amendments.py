"""Amendments: what somebody changes of what was reported, as one value of a few kinds.

A draft keeps them until they are saved, a request carries them until somebody decides, a correction shows them. They
are stored as they are, and name what they change in the version, or the record, as it stands.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from players.fide_list.values import MAX_FIDE_ID

# What the columns that keep it take; 0 is what nobody has.
Rank = Annotated[int, msgspec.Meta(ge=0, le=99_999)]
FideId = Annotated[int, msgspec.Meta(ge=0, le=MAX_FIDE_ID)]
Seat = Literal["w", "b"]
Reference = Annotated[str, msgspec.Meta(max_length=200, pattern=r"^[^\x00]*$")]


class OneAmendment(
    msgspec.Struct, frozen=True, tag_field="what", omit_defaults=True, forbid_unknown_fields=True
):
    """What every amendment is. `key` names what it changes: a later one with the same key replaces it.

    It `changes_text` of the report as it stands.
    What `is_of_staff` only FIDE staff decide, of an accepted report (4.1, D-11, D-82).
    """

    changes_text: ClassVar[bool] = False
    is_of_staff: ClassVar[bool] = False

    @property
    def what(self) -> str:
        """The name of the kind, as it is stored."""
        return str(self.__struct_config__.tag)

    @property
    def key(self) -> str:
        return self.what


class OfGame(OneAmendment, frozen=True):
    """What is changed of the game in which a starting rank has White."""

    changes_text: ClassVar[bool] = True
    round: Rank
    white: Rank

    @property
    def key(self) -> str:
        return f"{self.what}-{self.round}-{self.white}"


class Result(OfGame, frozen=True, tag="result"):
    """Another result, a key of `tournaments.trf.RESULTS`; `before` is the one that was reported, empty for none."""

    result: str
    before: str = ""


class Colours(OfGame, frozen=True, tag="colours"):
    """White and Black are exchanged; the result of each stays."""


class Opponent(OfGame, frozen=True, tag="opponent"):
    """In this round starting rank `other` takes the place of White (`seat` w) or Black (b), who takes the other's."""

    seat: Seat
    other: Rank


class Person(OfGame, frozen=True, tag="person"):
    """The whole line of White (`seat` w) or Black (b) is of the player with this FIDE ID."""

    seat: Seat
    fide_id: FideId


class NotRated(OfGame, frozen=True, tag="not-rated"):
    """A game that is not rated (4.1): why, a value of `GameMark`, with its reference; without one it is rated."""

    changes_text: ClassVar[bool] = False
    is_of_staff: ClassVar[bool] = True
    why: str = ""
    reference: Reference = ""


class OfLine(OneAmendment, frozen=True):
    """What is changed of a line, by its number from 1."""

    changes_text: ClassVar[bool] = True
    line: int

    @property
    def key(self) -> str:
        return f"{self.what}-{self.line}"


class Identity(OfLine, frozen=True, tag="identity"):
    """Who a line is: the player with this FIDE ID, None for one whom the portal does not know.

    With `is_whole` the line gets what is registered of the player, else the FIDE ID alone. Of a line with the FIDE ID
    of a person of another name it answers whether they are the same person (D-130), also where the text is then
    written by hand.
    """

    fide_id: FideId | None = None
    is_whole: bool = False


class Line(OfLine, frozen=True, tag="line"):
    """Another text of a line, as it was written by hand; it may be several lines."""

    text: str


class Fix(OfLine, frozen=True, tag="fix"):
    """A change that a finding offers: the columns of a line that differ between `before` and `after`."""

    before: str
    after: str

    @property
    def key(self) -> str:
        digest = hashlib.sha256(f"{self.before}\n{self.after}".encode()).hexdigest()[:12]
        return f"{self.what}-{self.line}-{digest}"


class Joined(OfLine, frozen=True, tag="joined"):
    """A line whose games belong to the line `into`, which is of the same person and stays."""

    into: int

    @property
    def key(self) -> str:
        return f"{self.what}-{self.into}-{self.line}"


class File(OneAmendment, frozen=True, tag="file"):
    """Another file in the place of the report. Name and SHA-256 are stored; the version that it makes has the bytes."""

    name: str
    sha256: str = ""
    content: bytes = b""


class Withdrawal(OneAmendment, frozen=True, tag="withdrawal"):
    """The report is withdrawn: the tournament is not rated."""

    is_of_staff: ClassVar[bool] = True


class Anew(OneAmendment, frozen=True, tag="anew"):
    """The report is rated again by what is known now: a list that came late (D-77), a FIDE ID (D-139)."""

    is_of_staff: ClassVar[bool] = True


class OfField(OneAmendment, frozen=True):
    """Another value of a field, as JSON has it; `before` is the former one."""

    field: str
    before: Any = None
    after: Any = None

    @property
    def key(self) -> str:
        return f"{self.what}-{self.field}"

    def as_change(self) -> dict[str, Any]:
        """Return the field with both values, as a step of the log keeps it."""
        return {"field": self.field, "before": self.before, "after": self.after}


class Condition(OfField, frozen=True, tag="condition"):
    """Another condition of a tournament (`tournaments.conditions`)."""

    is_of_staff: ClassVar[bool] = True


class Datum(OfField, frozen=True, tag="datum"):
    """Another datum that is recorded of a player."""


Amendment = (
    Result
    | Colours
    | Opponent
    | Person
    | NotRated
    | Identity
    | Line
    | Fix
    | Joined
    | File
    | Withdrawal
    | Anew
    | Condition
    | Datum
)
# Those said of the whole report, not of what is in it.
OfFile = File | Withdrawal | Anew
# Those of one game, which may be requested.
OfOneGame = Result | Colours | Opponent | Person | NotRated


def stored(amendment: Amendment) -> Amendment:
    """Return an amendment as it is stored: without the bytes of a file, which are those of the version."""
    return msgspec.structs.replace(amendment, content=b"") if isinstance(amendment, File) else amendment


def with_amendments(former: Iterable[Amendment], later: Iterable[Amendment]) -> list[Amendment]:
    """Return amendments with later ones, each in the place of that with the same key."""
    return [*({one.key: one for one in (*former, *later)}).values()]
