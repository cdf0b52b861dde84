"""The records of TRF, a small class each: `loads` reads a line, `dumps` writes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tournaments.trf.records.event import (
    NumberListRecord,
    RankMethodRecord,
    RoundsRecord,
    ScoreListRecord,
    ScoreRecord,
    ScoringRecord,
)
from tournaments.trf.records.other import NationalRecord, TextRecord
from tournaments.trf.records.pairing import (
    AbnormalRecord,
    AccelerationRecord,
    AddedPointsRecord,
    ByeRecord,
    ForbiddenRecord,
    LineupRecord,
    MatchForfeitRecord,
    TeamByeRecord,
)
from tournaments.trf.records.teams import TeamRecord13, TeamRecord310

TeamRecord = TeamRecord13 | TeamRecord310


class Record(Protocol):
    """A record that is neither a player nor one of the fields of the report itself."""

    @property
    def tag(self) -> str:
        """The first three characters."""

    def dumps(self) -> str:
        """Return the record as a line."""


Loader = Callable[[str], Record]

# Records of the event as a whole, in writing before the players.
EVENT_LOADERS: dict[str, Loader] = {
    "142": RoundsRecord.loads,
    "152": TextRecord.loads,
    "162": ScoringRecord.loads,
    "172": RankMethodRecord.loads,
    "182": TextRecord.loads,
    "192": TextRecord.loads,
    "202": TextRecord.loads,
    "212": TextRecord.loads,
    "352": TextRecord.loads,
    "362": ScoringRecord.loads,
    "XXR": RoundsRecord.loads,
    "XXZ": NumberListRecord.loads,
    "XXP": NumberListRecord.loads,
    "XXS": ScoreListRecord.loads,
    **dict.fromkeys(("XXC", "XXY", "XXB", "XXM", "XXT", "XXG", "XXK"), TextRecord.loads),
    **dict.fromkeys(("BBW", "BBD", "BBL", "BBZ", "BBF", "BBU"), ScoreRecord.loads),
}
LOADERS: dict[str, Loader] = {
    **EVENT_LOADERS,
    "013": TeamRecord13.loads,
    "240": ByeRecord.loads,
    "250": AccelerationRecord.loads,
    "260": ForbiddenRecord.loads,
    "299": AbnormalRecord.loads,
    "300": LineupRecord.loads,
    "310": TeamRecord310.loads,
    "320": TeamByeRecord.loads,
    "330": MatchForfeitRecord.loads,
    "801": TextRecord.loads,
    "802": TextRecord.loads,
    "XXA": AddedPointsRecord.loads,
    "DAT": TextRecord.loads,
}


def loader_of(line: str) -> Loader | None:
    """Return what reads a line beside the header and the players, None where its record is not known."""
    tag = line[:3]
    if tag in LOADERS:
        return LOADERS[tag]
    is_code = len(tag) == 3 and tag.isascii() and tag.isalpha() and tag.isupper()
    return NationalRecord.loads if is_code and line[3:8].strip().isdigit() else None
