"""A report as values: the event, its players, every round of every player as a pairing or without one, other records.

The records are rows of the tables of columns in `tables`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache, cached_property
from typing import Any, NamedTuple

from tournaments.trf.columns import RecordRow
from tournaments.trf.comments import CorrectionRecord, OtherRecord
from tournaments.trf.days import AGREEING, DayTexts, EventDays
from tournaments.trf.findings import WHOLE_FILE, Finding, Place
from tournaments.trf.header import read_days
from tournaments.trf.players import PlayerRecord, parts_of
from tournaments.trf.tables import COLUMNS, TEAMS_16, TEAMS_26
from tournaments.trf.time_control import TimeControl, parse_222, parse_time_control

# What is neither a player nor one of the fields of the report itself.
Record = RecordRow | OtherRecord | CorrectionRecord
HEADER_COLUMN = 5
COMPLEMENT = {"1": "0", "0": "1", "=": "="}
# What an arbiter can give as a penalty (Laws of Chess, 11): each player has their own score (D-120).
PENALTIES = frozenset({("0", "0"), ("=", "0"), ("0", "=")})
PLAYED = PENALTIES | {*COMPLEMENT.items()}


class Pairing(NamedTuple):
    """Two players whose lines name each other in a round: `white` and `black` are starting numbers.

    If the lines have no colours, as in most forfeits, the lower number is White.
    """

    round: int
    white: int
    black: int
    white_code: str
    black_code: str
    played: bool


class Unplayed(NamedTuple):
    """A round of a player without a pairing: a bye, an absence, a forfeit without opponent, or one not agreed on."""

    round: int
    player: int
    opponent: int | None
    colour: str
    code: str


@dataclass(frozen=True)
class Report:
    """The content of a TRF. `lines` are its original lines, `sha256` is that of the bytes.

    They and the findings do not count in comparisons.
    `rounds` is the number of rounds that the report announces (142, XXR) or, if larger, has results of.
    `records` are all other records than the fields here and the players, with unknown ones and comments.
    """

    name: str = ""
    city: str = ""
    federation: str = ""
    start: date | None = None
    end: date | None = None
    number_of_players: int | None = None
    number_of_rated_players: int | None = None
    number_of_teams: int | None = None
    tournament_type: str = ""
    chief_arbiter: str = ""
    deputy_arbiters: tuple[str, ...] = ()
    time_control: str = ""
    encoded_time_control: str | None = None
    round_dates: tuple[date | None, ...] = ()
    rounds: int = 0
    players: tuple[PlayerRecord, ...] = ()
    records: tuple[Record, ...] = ()
    day_texts: DayTexts = field(default=DayTexts(), compare=False, repr=False)
    lines: tuple[str, ...] = field(default=(), compare=False, repr=False)
    header_lines: dict[str, int] = field(default_factory=dict, compare=False, repr=False)
    record_lines: tuple[int, ...] = field(default=(), compare=False, repr=False)
    findings: tuple[Finding, ...] = field(default=(), compare=False, repr=False)
    sha256: str = field(default="", compare=False, repr=False)

    @property
    def teams(self) -> tuple[RecordRow, ...]:
        """The teams: those of 310 where there are any, else those of 013."""
        return self.rows(TEAMS_26) or self.rows(TEAMS_16)

    def rows(self, tag: str) -> tuple[RecordRow, ...]:
        """Return the records of a tag that could be read."""
        return tuple(record for record in self.records if isinstance(record, RecordRow) and record.tag == tag)

    @property
    def unequal_times(self) -> tuple[str, ...]:
        """The records, 222 or 122, that give White and Black different times (1.2)."""
        encoded, free = parse_222(self.encoded_time_control or ""), parse_time_control(self.time_control)
        return tuple(tag for tag, time in (("222", encoded), ("122", free)) if time and time.is_unequal)

    @property
    def told_time(self) -> tuple[str, str, TimeControl | None]:
        """The record that tells the time control, its text, and what it says; None where that is unreadable."""
        # Record 222 is written for programs and so comes before the words of 122.
        if self.encoded_time_control and (control := parse_222(self.encoded_time_control)):
            return "222", self.encoded_time_control, control
        return "122", self.time_control, parse_time_control(self.time_control)

    @cached_property
    def rounds_played(self) -> int:
        """The number of rounds in which any player has anything written."""
        return max((len(player.results) for player in self.players), default=0)

    @cached_property
    def by_number(self) -> Mapping[int, PlayerRecord]:
        """The players by starting number; of two with one number the first."""
        players: dict[int, PlayerRecord] = {}
        for player in self.players:
            players.setdefault(player.number, player)
        return players

    @cached_property
    def games(self) -> Sequence[Pairing]:
        """Every pair of lines that name each other, by round and then in the order of the report."""
        return tuple(self._pairings())

    @cached_property
    def has_games(self) -> bool:
        """Whether any game was really played; the report is read as far as to the first."""
        return any(pairing.played for pairing in self._pairings())

    def _pairings(self) -> Iterator[Pairing]:
        columns = [(number, player.rounds) for number, player in self.by_number.items()]
        for index in range(self.rounds_played):
            opponents = {number: rounds.opponents[index] for number, rounds in columns}
            marks = {number: rounds.marks[index] for number, rounds in columns}
            for number, opponent in opponents.items():
                # Both lines name each other; the pair is seen once, from its lower number.
                if opponent is None or opponent <= number or opponents.get(opponent) != number:
                    continue
                is_black, mine, back, played = _seen_from(marks[number], marks[opponent])
                if is_black:
                    yield Pairing(index + 1, opponent, number, back, mine, played)
                else:
                    yield Pairing(index + 1, number, opponent, mine, back, played)

    def unplayed(self) -> Iterator[Unplayed]:
        """Yield every round of every player that is in no pairing of `games`."""
        first = self.by_number
        paired = {(game.round, number) for game in self.games for number in (game.white, game.black)}
        for index in range(self.rounds_played):
            for player in self.players:
                if (index + 1, player.number) not in paired or first[player.number] is not player:
                    number, opponent, colour, code = player.results[index]
                    yield Unplayed(number, player.number, opponent, colour, code)


# A report has few pairs of marks.
@cache
def _seen_from(mark: str, other: str) -> tuple[bool, str, str, bool]:
    """Return of two marks that make a pairing whether the first is Black, both codes, and whether it was played."""
    (colour, code), (other_colour, other_code) = parts_of(mark), parts_of(other)
    is_black = colour == "b" or (not colour and other_colour == "w")
    codes = (other_code, code) if is_black else (code, other_code)
    # A game really played has colours w and b, and results that go together (4.1, D-120).
    is_paired = colour and other_colour and colour != other_colour
    return is_black, code, other_code, bool(is_paired and codes in PLAYED)


def read_by_registration(report: Report, start: date, end: date) -> Report:
    """Return a report whose days are read in the way that agrees with the registered ones, if one does (D-121)."""
    days = EventDays(report.start, report.end, report.round_dates)
    # No reading agrees better than in all days, and of those that do, the likeliest was taken already.
    if report.day_texts == DayTexts() or days.agreement((start, end)) == AGREEING:
        return report
    return replace(report, **read_days(report.day_texts, (start, end)))


def rounds_per_day(report: Report) -> dict[date, int]:
    """Return how many rounds each day has (FIDE R&B 2024, 3.1), empty where the report does not date them.

    Rounds without a date are on the one day of an event that has only one.
    """
    dated = Counter(day for day in report.round_dates if day)
    undated = report.rounds - dated.total()
    if undated > 0 and report.start and report.start == report.end:
        dated[report.start] += undated
    return dict(sorted(dated.items()))


def header_place(report: Report, tag: str) -> Place:
    """Return the place of the content of a header record; the whole file without the record."""
    line = report.header_lines.get(tag)
    return Place(line, HEADER_COLUMN, max(1, len(report.lines[line - 1]) - 4)) if line else WHOLE_FILE


def field_place(record: PlayerRecord, name: str) -> Place:
    """Return the place of a field in a player's line, by the name of its column."""
    column = COLUMNS[name]
    return Place(record.line, max(1, column.first - record.shift), column.width)


def with_field(report: Report, record: PlayerRecord, name: str, text: str) -> str | None:
    """Return a player's line with a field replaced; None where its columns are not where they belong."""
    line, column = report.lines[record.line - 1], COLUMNS[name]
    if record.is_moved or "\t" in line or not line.startswith("001 "):
        return None
    return f"{line[: column.first - 1].ljust(column.first - 1)}{text:>{column.width}}{line[column.last :]}"


def participant_rows(report: Report) -> Iterator[tuple[Any, ...]]:
    """Yield number, FIDE ID, name, federation, sex, title, rating, half points and rank of each participant."""
    for record in report.players:
        yield (
            record.number,
            record.fide_id,
            record.name[:120],
            record.federation[:10],
            record.sex,
            record.title,
            record.rating,
            record.points,
            record.rank,
        )


def game_rows(report: Report) -> Iterator[tuple[Any, ...]]:
    """Yield round, white, black, both codes and whether it was played: pairings, then rounds without an opponent."""
    yield from report.games
    yield from ((alone.round, alone.player, None, alone.code, "", False) for alone in report.unplayed())
