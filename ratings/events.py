"""Tournaments as everybody may see them: their registration at once, their figures only once they are published."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import date
from operator import attrgetter, itemgetter
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext_lazy

from players.choices import CaseKind
from players.models import LogEntry, Player
from players.models.cases import waits
from ratings.models import (
    Calculation,
    Correction,
    CorrectionLine,
    ParticipantRating,
    ProvisionalCalculation,
    RatingList,
    TournamentRating,
)
from ratings.played import PlayedEvent, calculated_as
from ratings.systems.otb.values import RatedEvent
from tournaments.choices import OPEN_REGISTRATIONS, Action, Kind, Registration, ReportState, Stage
from tournaments.list_dates import lists_after
from tournaments.lists import Lists
from tournaments.models import Participant, Report, Tournament
from tournaments.states import in_state, may_be_played, may_be_reported

CALENDAR_ORDER = ("-start", "event_id")
PAGE = 100
REPORT = ("report__content", "report__pgn", "report__findings")
LISTS = tuple(f"{name}__manifest" for name in ("included_in", "basis", "standard_basis"))
# What everybody may read of a tournament's history; why a report was acknowledged is not, and why the QC
# decided only where it said so.
PUBLIC_ACTIONS = {
    Action.REGISTER: _l("Tournament registered"),
    Action.ALLOW: _l("Approved by the QC"),
    Action.REFUSE: _l("Refused by the QC"),
    Action.NOT_RATE: _l("QC decided not to rate the tournament"),
    Action.WITHDRAW: _l("Withdrawn"),
    Action.ACCEPT: _l("Report accepted"),
    Action.CORRECT: _l("Corrected"),
    Action.PUBLISH: pgettext_lazy("tournament", "Published"),
    Action.APPEAL: _l("Appealed to FIDE Council"),
    Action.UPHOLD: _l("FIDE Council upheld the appeal"),
    Action.DISMISS: _l("FIDE Council dismissed the appeal"),
}


@dataclass(frozen=True, slots=True)
class CalendarFilter:
    """Which tournaments the calendar shows."""

    kind: str = ""
    federation: str = ""
    state: str = ""
    month: date | None = None
    words: str = ""
    name_or_place: str = ""


@dataclass(frozen=True, slots=True)
class Standings:
    """A page of a published tournament's standings, with ranks by starting rank and ratings at the start of all, and
    what a correction changes of those on the page, by FIDE ID.
    """

    rows: list[PlayedEvent]
    number: int
    pages: int
    ranks: Mapping[int, int | None]
    start_ratings: Sequence[int | None]
    corrected: Mapping[int, PlayedEvent]

    @property
    def names(self) -> dict[int, str]:
        """The names of the participants on this page, by their starting ranks."""
        return {one.row.number: one.participant.name for one in self.rows}


@dataclass(frozen=True, slots=True)
class FindingsSummary:
    """How many findings of each severity the accepted report had, and whether its warnings were acknowledged."""

    errors: int
    warnings: int
    notices: int
    is_acknowledged: bool


def tournaments_in(chosen: CalendarFilter) -> QuerySet[Tournament]:
    """Return the tournaments that a filter leaves, with their federations, and whether each `is_corrected`."""
    corrections = Correction.objects.filter(tournament=OuterRef("pk"), new_report__isnull=False)
    tournaments: QuerySet[Tournament] = Tournament.objects.select_related("federation")
    tournaments = tournaments.annotate(is_corrected=Exists(corrections))
    if chosen.kind:
        tournaments = tournaments.filter(kind=chosen.kind)
    if chosen.federation:
        tournaments = tournaments.filter(federation=chosen.federation)
    if chosen.month:
        tournaments = tournaments.filter(start__gte=chosen.month, start__lt=next(lists_after(chosen.month)))
    if chosen.state:
        tournaments = in_state(tournaments, chosen.state)
    # Each word is another pass over the names: five are enough to find any.
    for word in chosen.words.split()[:5]:
        tournaments = tournaments.filter(name__icontains=word)
    for word in chosen.name_or_place.split()[:5]:
        tournaments = tournaments.filter(Q(name__icontains=word) | Q(city__icontains=word))
    return tournaments


@dataclass(frozen=True, slots=True)
class Field:
    """Who played a rated tournament: the number of players, and the names of those who won it."""

    players: int
    winners: Sequence[str]


def fields_of(tournaments: Sequence[Tournament]) -> dict[int, Field]:
    """Return the players and winners of the tournaments that are rated, by two queries at most."""
    keys = _rated_ones(tournaments)
    if not keys:
        return {}
    players = dict(_accepted(keys).values_list("report__tournament").annotate(number=Count("pk")))
    winners = winners_of(tournaments)
    return {key: Field(number, winners.get(key, ())) for key, number in players.items()}


def winners_of(tournaments: Iterable[Tournament]) -> dict[int, list[str]]:
    """Return the names of the winners of the tournaments that are rated, by one query at most."""
    winners: dict[int, list[str]] = defaultdict(list)
    if keys := _rated_ones(tournaments):
        for key, name in _accepted(keys).filter(rank=1).values_list("report__tournament", "name"):
            winners[key].append(name)
    return winners


def _rated_ones(tournaments: Iterable[Tournament]) -> list[int]:
    shown = (Stage.RATED, Stage.PUBLISHED)
    return [row.pk for row in tournaments if row.stage in shown and row.is_open]


def _accepted(keys: Sequence[int]) -> QuerySet[Participant]:
    """Return the participants of the accepted reports of tournaments; none of those on hold."""
    accepted = Participant.objects.filter(
        ~waits(CaseKind.HOLD, "report__tournament"),
        report__tournament__in=keys,
        report__state=ReportState.ACCEPTED,
    )
    return accepted.order_by()


def published_rating(tournament: Tournament) -> TournamentRating | None:
    """Return the rating of a tournament that a list has taken; None before that, by the stage as it was read."""
    if tournament.stage != Stage.PUBLISHED:
        return None
    ratings = TournamentRating.objects.filter(report__tournament=tournament, included_in__isnull=False)
    related = ("report", "included_in", "basis", "standard_basis")
    found = ratings.select_related(*related).defer(*REPORT, *LISTS).order_by("-pk").first()
    if found is not None:
        found.report.tournament = tournament
    return found


def provisional_rating(tournament: Tournament) -> TournamentRating | None:
    """Return the rating of a tournament that the next list would add; None while on hold or not accepted.

    Its report has the current state of the tournament.
    """
    if tournament.stage != Stage.RATED:
        return None
    ratings = TournamentRating.objects.filter(
        ~waits(CaseKind.HOLD, "report__tournament"),
        report__tournament=tournament,
        report__state=ReportState.ACCEPTED,
        report__tournament__registration__in=OPEN_REGISTRATIONS,
        included_in=None,
    )
    related = ("report__tournament__federation", "basis", "standard_basis")
    return ratings.select_related(*related).defer(*REPORT, *LISTS[1:]).order_by("-pk").first()


def standings_of(
    rating: TournamentRating, *, page: int | None, marked: int = 0, correction: Correction | None = None
) -> Standings | None:
    """Return a page of the standings in order of rank, corrected; None for a page that there is not.

    Those without a rank come last. Without a page it is the one with the starting rank that is marked, or the first.
    """
    rows = ParticipantRating.objects.filter(tournament_rating=rating)
    fields = ("number", "player", "start_rating", "participant__rank", "participant__half_points")
    stated = list(rows.order_by().values_list(*fields))
    corrected = _corrected_rows(correction, by_points=is_by_points(row[3:] for row in stated))
    ranks = {
        number: corrected[player].participant.rank if player in corrected else rank
        for number, player, _start, rank, _points in stated
    }
    order = sorted(ranks, key=lambda number: (ranks[number] or math.inf, number))
    pages = max(1, -(-len(order) // PAGE))
    if page is None:
        page = order.index(marked) // PAGE + 1 if marked in ranks else 1
    if not 1 <= page <= pages:
        return None
    shown = order[(page - 1) * PAGE : page * PAGE]
    standings = _standings(rating, rows.filter(number__in=shown))
    standings.sort(key=lambda one: shown.index(one.row.number))
    starts = [row[2] for row in stated]
    return Standings(standings, page, pages, ranks, starts, _changed(standings, corrected))


def standings_by_number(rating: TournamentRating, numbers: Sequence[int]) -> dict[int, PlayedEvent]:
    """Return the standings of some participants by their starting ranks, in two queries."""
    rows = ParticipantRating.objects.filter(tournament_rating=rating, number__in=numbers)
    return {found.row.number: found for found in _standings(rating, rows)}


def _standings(rating: TournamentRating, chosen: QuerySet[ParticipantRating]) -> list[PlayedEvent]:
    rows = list(chosen.select_related("participant", "player"))
    for row in rows:
        row.tournament_rating = rating
    staying = calculated_as(rows)
    rated = _rated_events(rating, staying.keys() | set(staying.values()))
    return [
        PlayedEvent(rating.report.tournament, row.participant, row, rated=row.as_rated(rated.get(row.pk)))
        for row in rows
    ]


def _rated_events(rating: TournamentRating, player_ids: Iterable[int]) -> dict[int, RatedEvent]:
    """Return the participations as the list, or the next one, rated them, by row."""
    found: QuerySet[Any] = Calculation.objects.filter(rating_list=rating.included_in_id)
    if rating.included_in_id is None:
        found = ProvisionalCalculation.objects.filter(kind=rating.report.tournament.kind)
    found = found.filter(player__in=list(player_ids))
    rows = found.order_by().only("value", "found")
    return {key: item for row in rows for key, item in row.events_by_row.items()}


def findings_summary(rating: TournamentRating) -> FindingsSummary:
    """Return what the checks found in a published report, counted; the findings themselves are the desk's."""
    rows = Report.objects.filter(pk=rating.report_id).values_list("findings", "acknowledgement")
    findings, acknowledgement = rows.first() or ([], "")
    found = Counter(finding["severity"] for finding in findings)
    return FindingsSummary(found["error"], found["warning"], found["notice"], bool(acknowledgement))


def history_of(tournament: Tournament, entries: Iterable[LogEntry]) -> list[LogEntry]:
    """Return those of its steps that everybody may see, up to the stage at which the tournament was read."""
    shown = set(PUBLIC_ACTIONS)
    if tournament.stage != Stage.PUBLISHED:
        # A list may take it while it is being read.
        shown.remove(Action.PUBLISH)
    return [entry for entry in entries if entry.action in shown]


def corrections_of(tournament: Tournament) -> list[CorrectionLine]:
    """Return the differences by a tournament's corrections, those that no list has taken yet last."""
    lines = CorrectionLine.objects.filter(correction__tournament=tournament)
    related = ("correction", "player", "corrected_list", "taken_by")
    lines = lines.select_related(*related).defer("corrected_list__manifest", "taken_by__manifest")
    return list(lines.order_by(F("taken_by__date").asc(nulls_last=True), "player__name", "pk"))


def corrections_of_player(player: Player, corrected: RatingList) -> list[CorrectionLine]:
    """Return what later lists correct of a player's figures on a list."""
    lines = CorrectionLine.objects.filter(player=player, corrected_list=corrected)
    related = ("correction__tournament", "taken_by")
    return list(lines.select_related(*related).defer("taken_by__manifest").order_by("pk"))


def _corrected_rows(correction: Correction | None, *, by_points: bool) -> dict[int, ParticipantRating]:
    """Return the participants of a corrected report by FIDE ID."""
    if correction is None or correction.new_report_id is None:
        return {}
    rows = ParticipantRating.objects.filter(tournament_rating__report=correction.new_report_id)
    found = list(rows.select_related("participant"))
    if by_points:
        rank_by_points(row.participant for row in found)
    return {row.player_id: row for row in found if row.player_id}


def _changed(
    rows: Iterable[PlayedEvent], corrected: Mapping[int, ParticipantRating]
) -> dict[int, PlayedEvent]:
    """Return what a corrected report has of participants whose rank, score or change differs, by FIDE ID."""
    changed = {}
    for was in rows:
        row = corrected.get(was.row.player_id or 0)
        if row is None:
            continue
        # With the K that the list used.
        now = PlayedEvent(was.tournament, row.participant, row, rated=row.rated_by(was.tournament, was.rated))
        figures = [(one.participant.rank, one.participant.half_points, one.points) for one in (was, now)]
        if figures[0] != figures[1]:
            changed[was.row.player_id or 0] = now
    return changed


def is_by_points(stated: Iterable[tuple[int | None, int | None]]) -> bool:
    """Whether nobody who has a rank has more half points than somebody above: (rank, half points) of each."""
    ranked = sorted((rank, -(points or 0)) for rank, points in stated if rank)
    return ranked == sorted(ranked, key=itemgetter(1))


def rank_by_points(participants: Iterable[Participant]) -> None:
    """Let participants have the stated ranks in the order of their points, of equal ones in the stated order.

    A corrected game changes points; the report keeps the ranks that its arbiter stated.
    """
    stated = sorted((one for one in participants if one.rank), key=attrgetter("rank"))
    ranks = [one.rank for one in stated]
    for one, rank in zip(sorted(stated, key=lambda one: -(one.half_points or 0)), ranks, strict=True):
        one.rank = rank


def corrections_made(tournament: Tournament) -> list[Correction]:
    """Return the corrections of a published tournament, the last first; one without a new report withdrew the old."""
    made = Correction.objects.filter(tournament=tournament).select_related("new_report").order_by("-pk")
    return list(made.defer(*(name.replace("report", "new_report", 1) for name in REPORT)))


def newest_published(lists: Iterable[RatingList], *, shown: int) -> list[TournamentRating]:
    """Return some of the tournaments that these lists took, those rated last, with the number of their `players`."""
    ratings = TournamentRating.objects.filter(included_in__in=[item.pk for item in lists])
    related = ("report__tournament__federation", "included_in")
    found = ratings.select_related(*related).defer(*REPORT, "included_in__manifest").order_by("-pk")
    return list(found.annotate(players=Count("participants"))[:shown])


def latest_winners(*, shown: int) -> list[Participant]:
    """Return the winners of the tournaments rated last, of those that everybody may see, by their last days."""
    rated = TournamentRating.objects.filter(
        Q(included_in__isnull=False)
        | Q(
            ~waits(CaseKind.HOLD, "report__tournament"),
            report__state=ReportState.ACCEPTED,
            report__tournament__stage=Stage.RATED,
            report__tournament__registration__in=OPEN_REGISTRATIONS,
        )
    )
    newest = list(rated.order_by("-pk").values_list("report_id", flat=True)[:shown])
    winners = Participant.objects.filter(report__in=newest, rank=1, player__isnull=False)
    winners = winners.select_related("player", "report__tournament").defer(*REPORT)
    return sorted(winners, key=lambda one: one.report.tournament.end, reverse=True)


def load_tournaments_to_publish(lists: Lists[RatingList], today: date, *, shown: int) -> list[Any]:
    """Return the tournaments that ended last of those that began and wait for a list.

    With `accepted_on`, the day of the acceptance, and `players`, those of the report; both None without one.
    """
    # All kinds and stages but the published ones: the index begins with them.
    before_list = Tournament.objects.filter(
        kind__in=Kind.values, stage__in=(Stage.PLANNED, Stage.REPORTED, Stage.RATED)
    )
    accepted_ones = Q(registration__in=OPEN_REGISTRATIONS) & ~Q(stage=Stage.PLANNED)
    planned_ones = Q(may_be_played(today) | may_be_reported(lists, today), start__lte=today)
    found = before_list.filter(~waits(CaseKind.HOLD), accepted_ones | planned_ones)
    accepted = Report.objects.filter(tournament=OuterRef("pk"), state=ReportState.ACCEPTED).order_by()
    counted = accepted.values("tournament").annotate(players=Count("participants"))
    found = found.annotate(
        accepted_on=Subquery(accepted.values("accepted_on")), players=Subquery(counted.values("players"))
    )
    return list(found.defer("schedule").order_by("-end", "event_id")[:shown])


def rated_so_far(tournament: Tournament) -> TournamentRating | None:
    """Return how the accepted report is rated before any list takes it: what deciding against it would remove."""
    if tournament.stage != Stage.RATED:
        return None
    rated = _with_players(TournamentRating.objects.filter(report__tournament=tournament, included_in=None))
    return rated.filter(report__state=ReportState.ACCEPTED).first()


def _with_players(ratings: QuerySet[TournamentRating]) -> QuerySet[TournamentRating]:
    """Return the ratings, each with the number of its `players` who have a rated game."""
    players = Count("participants", filter=Q(participants__games__gt=0))
    return ratings.select_related("report").defer(*REPORT).annotate(players=players)


@dataclass(frozen=True, slots=True)
class RestoredEffect:
    """What restoring a tournament that was withdrawn or is not rated adds to a list.

    `list_date` is None where no list takes it any more, `games` and `players` where no report was rated. For a
    published tournament the list takes the withdrawn results back as adjustments (`is_published`, D-87).
    """

    list_date: date | None
    games: int | None
    players: int | None
    is_published: bool


def effect_of_restoring(tournament: Tournament, lists: Lists[Any], *, today: date) -> RestoredEffect:
    """Return what a list takes in if a withdrawn tournament is restored, or an appeal is upheld today."""
    is_published = tournament.stage == Stage.PUBLISHED
    if is_published:
        ratings = TournamentRating.objects.filter(report__tournament=tournament, included_in__isnull=False)
        rated = _with_players(ratings).order_by("-pk").first()
    else:
        rated = rated_so_far(tournament)
    reopened = copy(tournament)
    if tournament.registration == Registration.NOT_RATED:
        reopened.upheld_on = today
    list_date: date | None = lists.following(tournament.kind, today)
    if not is_published:
        accepted_on = (rated.report.accepted_on if rated else None) or max(today, tournament.end)
        is_late = (
            tournament.stage == Stage.PLANNED
            and not tournament.is_reported_by_staff
            and lists.is_too_late(reopened, today)
        )
        list_date = None if is_late else lists.expected(reopened, accepted_on=accepted_on, today=today)
    return RestoredEffect(
        list_date=list_date,
        games=rated.counted_games if rated else None,
        players=rated.players if rated else None,  # type: ignore[attr-defined]
        is_published=is_published,
    )
