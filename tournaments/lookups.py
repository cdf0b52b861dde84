"""Portal data that checks look up, each read once: for one report, or for the reports of one transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from core.sql import ids_subquery
from players.federations import Federations
from players.fide_list.values import MAX_FIDE_ID
from players.models import Player
from tournaments.choices import ReportState
from tournaments.hooks import first_rated_day
from tournaments.models import Game, Tournament
from tournaments.models import Report as StoredReport
from tournaments.other_reports import OtherReports, Span, first_game, span_of
from tournaments.trf import Report


class KnownPlayers:
    """The players with FIDE IDs, merged ones too, each read once. Do not change them."""

    def __init__(self) -> None:
        self._known: dict[int, Player | None] = {}

    def by_id(self, fide_ids: Collection[int]) -> dict[int, Player]:
        """Return the players who have one of these FIDE IDs, in one query at most."""
        missing = [fide_id for fide_id in fide_ids if fide_id not in self._known]
        if missing:
            # A report may name any number: those that no FIDE ID can be are not asked for, and noted as unknown.
            wanted = [fide_id for fide_id in missing if 0 < fide_id <= MAX_FIDE_ID]
            players = Player.objects.filter(pk__in=ids_subquery(wanted))
            self._known |= {**dict.fromkeys(missing), **{player.fide_id: player for player in players}}
        return {fide_id: player for fide_id in fide_ids if (player := self._known[fide_id]) is not None}

    def load_with_successors(self, fide_ids: Collection[int]) -> None:
        """Read players together with those into whom they were merged, by one query."""
        wanted = [fide_id for fide_id in fide_ids if 0 < fide_id <= MAX_FIDE_ID]
        # Those that no player has are noted too, and not asked for again.
        self._known |= dict.fromkeys(fide_ids)
        for player in Player.objects.filter(pk__in=ids_subquery(wanted)).select_related("merged_into"):
            self._known[player.fide_id] = player
            if player.merged_into is not None:
                self._known[player.merged_into.fide_id] = player.merged_into


T = TypeVar("T")
# A game as it is stored: round, white, black, both codes, whether it was played, and why it is not rated.
GAME_FIELDS = ("round", "white", "black", "white_code", "black_code", "is_played", "mark")
GameRow = tuple[Any, ...]


class OtherEvent(NamedTuple):
    """An event that has a file as its accepted report."""

    tournament: int
    event_id: str
    name: str


def events_by_file(digests: Collection[str]) -> dict[str, list[OtherEvent]]:
    """Return the events that have files of these SHA-256 as their accepted reports (D-86)."""
    events: dict[str, list[OtherEvent]] = {digest: [] for digest in digests}
    rows = StoredReport.objects.filter(sha256__in=list(events), state=ReportState.ACCEPTED).order_by("pk")
    names = ("sha256", "tournament_id", "tournament__event_id", "tournament__name")
    for digest, *event in rows.values_list(*names):
        events[digest].append(OtherEvent(*event))
    return events


class Lookups:
    """Portal data for checks and ratings, for one request or the reports of one transaction.

    Announce many reports first, so that their data are read at once; nothing else depends on it.
    """

    def __init__(self) -> None:
        self.federations = Federations()
        self.players = KnownPlayers()
        self._others: OtherReports | None = None
        self._files: dict[str, list[OtherEvent]] = {}
        self._games: dict[int, Sequence[GameRow]] = {}
        self._left_out: frozenset[int] = frozenset()
        self._of_apps_above: dict[type[Any], Any] = {}

    @cached_property
    def first_rated_day(self) -> date:
        """The first day on which tournaments are rated, from the apps above (D-13)."""
        return first_rated_day.answer()

    def announce_reports(self, reports: Sequence[tuple[Tournament, Report]]) -> None:
        """Read once the accepted reports with which those of tournaments are compared.

        The caller keeps the tournaments locked to the end of the transaction.
        """
        spans = [span_of(tournament, report) for tournament, report in reports]
        ids = [
            {record.number: record.fide_id for record in report.players if record.fide_id}
            for _, report in reports
        ]
        self._others = OtherReports(
            {fide_id for some in ids for fide_id in some.values()},
            min(span.first for span in spans),
            max(span.last for span in spans),
            games={
                game
                for (_, report), some in zip(reports, ids, strict=True)
                if (game := first_game(report, some))
            },
        )
        self._files = events_by_file([report.sha256 for _, report in reports])

    def leave_out(self, tournaments: Collection[int]) -> None:
        """Compare nothing with what is accepted for these tournaments now, because it is about to be replaced."""
        self._left_out = frozenset(tournaments)

    def event_with(self, sha256: str, tournament: Tournament) -> OtherEvent | None:
        """Return another event that has a file as its accepted report, None where none has (D-86)."""
        events = self._files[sha256] if sha256 in self._files else events_by_file([sha256])[sha256]
        barred = self._left_out | {tournament.pk}
        return next((event for event in events if event.tournament not in barred), None)

    def other_reports(self, players: Collection[int], span: Span) -> OtherReports:
        """Return the accepted reports with which a report of these players and days is compared."""
        if self._others is not None and self._others.has(players, span):
            return self._others
        return OtherReports(players, *span, without=self._left_out)

    def add_accepted(self, tournament: Tournament, report: Report, players: Mapping[int, Player]) -> None:
        """Add an accepted, unsaved report to the batch cache for the checks that follow."""
        if self._others is not None:
            self._others.add(tournament, report, players)
            event = OtherEvent(tournament.pk, tournament.event_id, tournament.name)
            self._files.setdefault(report.sha256, []).append(event)

    def add_games(self, report_id: int, rows: Sequence[GameRow]) -> None:
        """Note the games of a report as they were written, by `GAME_FIELDS`."""
        self._games[report_id] = rows

    def games_of(self, report_ids: Collection[int]) -> dict[int, list[GameRow]]:
        """Return the rounds of accepted reports by report, each by `GAME_FIELDS`.

        Games never change except for their marks, which are always read.
        """
        known = [report_id for report_id in report_ids if report_id in self._games]
        if known:
            marked = Game.objects.filter(report__in=known).exclude(mark="").order_by()
            # The rows that were noted when they were written have no marks.
            known = sorted(set(known) - set(marked.values_list("report_id", flat=True)))
        games = {report_id: list(self._games[report_id]) for report_id in known}
        missing: dict[int, list[GameRow]] = {
            report_id: [] for report_id in report_ids if report_id not in games
        }
        if missing:
            rows = Game.objects.filter(report__in=list(missing)).order_by()
            for row in rows.values_list("report_id", *GAME_FIELDS):
                missing[row[0]].append(row[1:])
        return games | missing

    def of(self, lookup: type[T]) -> T:
        """Return a lookup of an app above, created at first use."""
        found: T = self._of_apps_above.setdefault(lookup, lookup())
        return found
