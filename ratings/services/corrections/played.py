"""What players played by the reports that stand now, by the list that took each tournament (D-11)."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from core.bulk import ids_subquery
from ratings.models import ParticipantRating, TournamentRating
from ratings.services.publication.periods import Source
from ratings.services.rating import rate_contents
from ratings.systems.otb.values import Event, Outcome, Participation, Standing, Status
from ratings.systems.registry import rules_named
from tournaments.choices import ReportState, Stage
from tournaments.models import Participant, Report


class Played(NamedTuple):
    """A line of a report that stands now; `published` are the players of the report that the list took.

    The source names the tournament in the place of its rating.
    """

    player_id: int
    source: Source
    published: frozenset[int]


def played_now(kind: str, ids: set[int]) -> dict[int, list[Played]]:
    """Return the lines of the players in the reports that stand, by the list that took the tournament."""
    lines = Participant.objects.filter(
        player__in=ids_subquery(ids),
        report__state=ReportState.ACCEPTED,
        report__tournament__kind=kind,
        report__tournament__stage=Stage.PUBLISHED,
    )
    lines = lines.select_related("report__tournament").defer(
        "report__content", "report__pgn", "report__findings"
    )
    stored = list(lines.order_by("report__tournament__event_id", "number"))
    taken = TournamentRating.objects.filter(
        report__tournament__in={line.report.tournament_id for line in stored}, included_in__isnull=False
    )
    lists = {
        tournament: (taken_by, report)
        for tournament, taken_by, report in taken.values_list("report__tournament", "included_in", "report")
    }
    published: dict[int, set[int]] = defaultdict(set)
    former = Participant.objects.filter(
        report__in={report for _list, report in lists.values()}, player__in=ids_subquery(ids)
    )
    for report, player_id in former.values_list("report_id", "player_id"):
        published[report].add(player_id or 0)
    participations = _participations({line.report for line in stored}, ids)
    found: dict[int, list[Played]] = defaultdict(list)
    for line in stored:
        tournament = line.report.event
        taken_by, report = lists[tournament.pk]
        row, part = participations[line.report_id, line.number]
        event = Event(tournament.event_id, tournament.start, tournament.end, part)
        source = Source(row, tournament.pk, event)
        found[taken_by].append(Played(line.player_id or 0, source, frozenset(published[report])))
    return dict(found)


def _participations(reports: set[Report], ids: set[int]) -> dict[tuple[int, int], tuple[int, Participation]]:
    """Return the stored row and the participation by the standing at the start, by report and starting rank.

    A row that a list had to leave out does not tell its games any more: its report is rated once more.
    """
    rows = ParticipantRating.objects.filter(
        tournament_rating__report__in=reports, player__in=ids_subquery(ids)
    )
    found, unclear = {}, {}
    for row in rows.select_related("tournament_rating"):
        outcomes = tuple(Outcome.from_row(outcome) for outcome in row.outcomes)
        key = (row.tournament_rating.report_id, row.number)
        if row.games == 0 and any(len(outcome.reasons) > 1 for outcome in outcomes):
            unclear[key] = row.pk
        start = Standing(Status(row.start_status), row.start_rating, row.start_k)
        found[key] = (row.pk, rules_named(row.tournament_rating.rules).rate_again(start, outcomes))
    for report in reports:
        if any(key[0] == report.pk for key in unclear):
            rated = rate_contents(report).participations
            found |= {key: (pk, rated[key[1]]) for key, pk in unclear.items() if key[0] == report.pk}
    return found
