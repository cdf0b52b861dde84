"""The games that lists took, as data: for the file of a month, the API and the data package.

They are those of the reports as the lists took them: a correction goes into a later list and leaves them as they are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _l

from core.bulk import batched
from core.sql import ids_subquery
from core.web.csv import csv_text
from players.merging import staying_ids
from players.minors import Minors, minors_on
from players.models import Player
from ratings.choices import PUBLISHED_KINDS, Origin
from ratings.list_files import games_name
from ratings.lists import LARGE
from ratings.models import (
    Calculation,
    ListArchive,
    ListEntry,
    ParticipantRating,
    RatingList,
    TournamentRating,
)
from ratings.systems.otb.tournament import HALF_POINTS
from ratings.systems.otb.values import Outcome
from tournaments.models import Game, Tournament

# Names of the columns with the type of each (of Frictionless) and its meaning.
COLUMNS: dict[str, tuple[str, Any]] = {
    "kind": ("string", _l("Rating type: rapid or blitz")),
    "list_date": ("date", _l("Date of the list that includes the game")),
    "event_id": ("string", _l("Event ID of the tournament")),
    "round": ("integer", _l("Round")),
    "date": ("date", _l("Date of the round in the schedule, else the last day of the tournament")),
    "white_id": ("integer", _l("FIDE ID. Empty if unknown, and for minors with an age band")),
    "black_id": ("integer", _l("FIDE ID. Empty if unknown, and for minors with an age band")),
    "white_rating": ("integer", _l("Rating on the first day. Empty if unrated")),
    "black_rating": ("integer", _l("Rating on the first day. Empty if unrated")),
    "result": ("string", _l("Points of White and Black, for example 1-0 or 1/2-1/2")),
    "white_code": ("string", _l("Result in the report (TRF). Forfeits are + and -")),
    "black_code": ("string", _l("Result in the report (TRF). Forfeits are + and -")),
    "counts_white": ("boolean", _l("Whether the game is rated for the player")),
    "counts_black": ("boolean", _l("Whether the game is rated for the player")),
    "reason_white": ("string", _l("Reason key: why the game is rated or not")),
    "reason_black": ("string", _l("Reason key: why the game is rated or not")),
    "change_white": ("number", _l("Rating change, K-factor included. Empty without one")),
    "change_black": ("number", _l("Rating change, K-factor included. Empty without one")),
}
# Values in the order of the columns: days as ISO texts, changes in hundredths of a point.
Row = tuple[Any, ...]
GAME = ("report", "round", "white", "black", "white_code", "black_code")
SCORES = ("0", "1/2", "1")
REPORTS, LINES = 20, 5_000


class _Seat(NamedTuple):
    """A line of a report as its list took it: the player, the rating at the start, K, and the outcomes."""

    fide_id: int | None = None
    rating: int | None = None
    k: int = 0
    outcomes: Mapping[tuple[int, int | None], Outcome] = {}

    def side(self, number: int, opponent: int, hidden: Collection[int]) -> Row:
        """Return FIDE ID, rating, whether the game is rated, why, and the change, of a round."""
        fide_id = None if self.fide_id in hidden else self.fide_id
        outcome = self.outcomes.get((number, opponent))
        if outcome is None:
            return fide_id, self.rating, False, "", None
        change = None if outcome.change is None or not self.k else self.k * outcome.change
        return fide_id, self.rating, outcome.counts, outcome.reasons[0], change


def lists_of_month(day: date) -> list[RatingList]:
    """Return the published lists of a month, none before each rating type has its list."""
    found = RatingList.objects.filter(date=day, kind__in=PUBLISHED_KINDS).defer(*LARGE).order_by("kind")
    published = [one for one in found if one.origin == Origin.PUBLISHED]
    return published if len(found) == len(PUBLISHED_KINDS) else []


def games_of_month(day: date, found: set[int] | None = None) -> Iterator[Row]:
    """Yield the games of the lists of a month by rating type, event ID, round and White; some reports are in memory.

    The IDs of minors are left out that the file of the month left out when it was first written; before that of those
    who hide the year of birth on the list or today, which go into `found`.
    """
    files = ListArchive.objects.filter(rating_list__date=day, name=games_name(day))
    kept, today = files.values_list("hidden", flat=True).first(), minors_on(timezone.now().date())
    found = set() if found is None else found
    for rating_list in lists_of_month(day):

        def hide(ids: Collection[int], rating_list: RatingList = rating_list) -> Collection[int]:
            if kept is not None:
                return frozenset(kept)
            hidden = hidden_ids(ids, _minors_of(rating_list), rating_list) | hidden_ids(ids, today)
            found.update(hidden)
            return hidden

        taken = with_events(TournamentRating.objects.filter(included_in=rating_list))
        for ratings in batched(taken.order_by("report__tournament__event_id"), REPORTS):
            places = {rating.report_id: place for place, rating in enumerate(ratings)}
            games = paired(Game.objects.filter(report__in=places)).order_by("report", "round", "white")
            ordered = sorted(games.values(*GAME), key=lambda game: places[game["report"]])
            yield from rows_of(ordered, ratings, hide)


def paired(games: QuerySet[Game]) -> QuerySet[Game]:
    """Return the games that have two players."""
    return games.filter(black__isnull=False)


def with_events(ratings: QuerySet[TournamentRating]) -> QuerySet[TournamentRating]:
    """Return rated reports with what `rows_of` reads of them."""
    large = ("content", "pgn", "findings")
    related = ratings.select_related("report__tournament", "included_in")
    return related.defer(*(f"report__{name}" for name in large), *(f"included_in__{name}" for name in LARGE))


def games_of_player(player_ids: Collection[int]) -> Q:
    """Return the condition of games of a player under these FIDE IDs."""
    own = ParticipantRating.objects.filter(
        tournament_rating__report=OuterRef("report"), player__in=player_ids
    )
    return Q(Exists(own.filter(number=OuterRef("white")))) | Q(Exists(own.filter(number=OuterRef("black"))))


def rows_of(
    games: Iterable[Mapping[str, Any]],
    ratings: Sequence[TournamentRating],
    hide: Callable[[Collection[int]], Collection[int]],
) -> Iterator[Row]:
    """Yield games with their rating by the lists, in the order given; `ratings` are those of their reports.

    `hide` says of FIDE IDs which are left out.
    """
    games = list(games)
    numbers = {game[colour] for game in games for colour in ("white", "black")}
    seats = _seats(ratings, numbers)
    hidden = hide({seat.fide_id for seat in seats.values() if seat.fide_id})
    heads = {
        rating.report_id: (rating.included_in, rating.report.event)
        for rating in ratings
        if rating.included_in
    }
    for game in games:
        report, number, white, black, white_code, black_code = (game[name] for name in GAME)
        taken_by, event = heads[report]
        sides = (
            seats.get((report, one), _Seat()).side(number, other, hidden)
            for one, other in ((white, black), (black, white))
        )
        # By pairs: both IDs, both ratings, and so on.
        ids, rated, counts, reasons, changes = zip(*sides, strict=True)
        points = (SCORES[HALF_POINTS.get(code, 0)] for code in (white_code, black_code))
        head = (taken_by.kind, taken_by.date.isoformat(), event.event_id, number, _day(event, number))
        yield (*head, *ids, *rated, "-".join(points), white_code, black_code, *counts, *reasons, *changes)


def _seats(ratings: Sequence[TournamentRating], numbers: Collection[int]) -> dict[tuple[int, int], _Seat]:
    """Return the lines with these starting ranks by report, in two queries."""
    reports = {rating.pk: rating.report_id for rating in ratings}
    people = ParticipantRating.objects.filter(
        tournament_rating__in=list(reports), number__in=ids_subquery(numbers)
    )
    # As values: a model of each line would take as long as all the rest.
    rows = list(people.values_list("pk", "tournament_rating", "number", "player", "start_rating", "outcomes"))
    ids = {row[3] for row in rows if row[3]}
    calculated = Calculation.objects.filter(
        rating_list__in={rating.included_in_id for rating in ratings},
        player__in=ids_subquery({pk for pair in staying_ids(ids).items() for pk in pair}),
    )
    rated = {
        key: event
        for found, value in calculated.values_list("found", "value")
        for key, event in zip(found.rows, value.events, strict=True)
    }
    seats = {}
    for pk, rating, number, fide_id, at_start, outcomes in rows:
        event = rated[pk].with_games(outcomes) if pk in rated else None
        played = event.participation.outcomes if event else outcomes
        by_round = {(one.round, one.opponent): one for one in played}
        seats[reports[rating], number] = _Seat(fide_id, at_start, event.k if event else 0, by_round)
    return seats


def _day(event: Tournament, number: int) -> str:
    scheduled = event.schedule[number - 1] if number <= len(event.schedule) else ""
    return str(scheduled or event.end.isoformat())


def _minors_of(rating_list: RatingList) -> Minors:
    """Return who hid the year of birth when a list was published."""
    asking = rating_list.minors_hidden_of
    codes = tuple(one for one in asking if isinstance(one, str))
    return Minors(codes, rating_list.date.year, frozenset(one for one in asking if isinstance(one, int)))


def hidden_ids(ids: Collection[int], minors: Minors, rating_list: RatingList | None = None) -> set[int]:
    """Return the FIDE IDs of minors who hide the year, by the entries of a list where it has them."""
    if not minors:
        return set()
    people = Player.objects.filter(pk__in=ids_subquery(ids)).values_list(
        "pk", "federation", "birth_year", "merged_into", "merged_into__federation", "merged_into__birth_year"
    )
    known, merged = {}, set()
    for pk, code, year, staying, its_code, its_year in people:
        known[pk] = code, year
        if staying and minors.hides(its_year, its_code, staying):
            merged.add(pk)
    if rating_list:
        listed = ListEntry.objects.filter(rating_list=rating_list, player__in=ids_subquery(ids))
        entries = listed.values_list("player", "federation", "birth_year")
        known |= {pk: (code, year) for pk, code, year in entries}
    return merged | {pk for pk, (code, year) in known.items() if minors.hides(year, code, pk)}


def as_csv(rows: Iterable[Row]) -> Iterator[str]:
    """Yield a CSV in parts, with the names of the columns. Codes of results are as in reports, `=` for a draw."""
    return _parts(chain([",".join(COLUMNS) + "\r\n"], map(_csv_line, rows)))


def as_ndjson(rows: Iterable[Row]) -> Iterator[str]:
    """Yield lines of JSON in parts; changes are decimals as texts, as in the API."""
    return _parts(_json_line(row) for row in rows)


def _parts(lines: Iterable[str]) -> Iterator[str]:
    return map("".join, batched(lines, LINES))


EVENT_ID, CHANGES = tuple(COLUMNS).index("event_id"), len(COLUMNS) - 2


def _csv_line(row: Row) -> str:
    cells = [
        str(cell).lower() if isinstance(cell, bool) else "" if cell is None else str(cell) for cell in row
    ]
    cells[EVENT_ID] = _guarded(row[EVENT_ID])
    cells[CHANGES:] = [_decimal(cell) or "" for cell in row[CHANGES:]]
    return ",".join(cells) + "\r\n"


@lru_cache
def _guarded(event_id: str) -> str:
    """Return the only text that people choose as a cell."""
    return csv_text([[event_id]]).rstrip("\r\n")


def _json_line(row: Row) -> str:
    values = (*row[:CHANGES], *map(_decimal, row[CHANGES:]))
    return json.dumps(dict(zip(COLUMNS, values, strict=True)), ensure_ascii=False) + "\n"


def _decimal(hundredths: int | None) -> str | None:
    return None if hundredths is None else f"{hundredths / 100:.2f}"
