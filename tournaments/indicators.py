"""Indicators that help the QC to review a report, each a sentence with its figures; they never decide.

Bounded: the games of one year of those reports in which participants of this one played, and no more than
`MAX_GAMES` of them; a closed ring of a few players never comes near that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cache

from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.html.dates import day_text
from players.models import LogEntry
from players.spelling import words_of
from tournaments.choices import ReportState
from tournaments.marked_report import finding_text
from tournaments.models import Game, Participant, Report, Tournament
from tournaments.patterns import (
    Indicator,
    OwnReport,
    Person,
    PlayedMeeting,
    YearOfGames,
    closed_rings,
    one_sided,
    rising_pool,
    unseen_tournament,
)
from tournaments.portal_reasons import SENTENCES
from tournaments.states import reports_overdue
from tournaments.trf.findings import OF_ANOTHER_PERSON
from tournaments.trf.report import PENALTIES

DAYS = 365
MAX_GAMES = 20_000
SHOWN_FINDINGS = (
    "performance-outlier", "games-again", "first-rounds-again", "few-games-again", "event-again", "report-of-others",
    "version-leaves", "version-games-leave", "player-rounds-a-day", *sorted(OF_ANOTHER_PERSON),
)  # fmt: skip
WHITE_HALF_POINTS = {"1": 2, "=": 1, "0": 0}


def indicators_of(tournament: Tournament) -> list[Indicator]:
    """Return the indicators of a tournament, without its games where no report is accepted."""
    found = registration_indicators(tournament)
    report = (
        tournament.reports.filter(state=ReportState.ACCEPTED)
        .select_related("tournament")
        .defer("content", "pgn")
        .first()
    )
    if report is None:
        return found
    year = year_of(report)
    found += closed_rings(report.pk, year.meetings, year.names)
    found += one_sided(report.pk, year.meetings, year.names, year.ratings)
    found += unseen_tournament(report.pk, year)
    found += rising_pool(report.pk, year)
    for indicators in _by_lists():
        found += indicators(report, year.own)
    return [*found, *_outliers(report)]


def registration_indicators(tournament: Tournament) -> list[Indicator]:
    """Return the indicators that need no report."""
    return [*_same_person(tournament), *_unreported(tournament)]


@cache
def _by_lists() -> tuple[Callable[[Report, OwnReport], list[Indicator]], ...]:
    """Return what tells indicators by more than the games: the functions of `settings.REPORT_INDICATORS`, in order."""
    return tuple(import_string(path) for path in settings.REPORT_INDICATORS)


def year_of(report: Report) -> YearOfGames:
    """Return the games of a year in reports with participants of this one, and the names; none beyond the bound."""
    own = Participant.objects.filter(report=report, player__isnull=False).values("player_id")
    last = report.tournament.end
    reports = Participant.objects.filter(
        player__in=own,
        report__state=ReportState.ACCEPTED,
        report__tournament__end__lte=last,
        report__tournament__end__gt=last - timedelta(days=DAYS),
    ).values("report_id")
    rows = Game.objects.filter(report__in=reports, is_played=True, black__isnull=False).order_by()
    # One game more than allowed tells that there are too many, without counting them all.
    games = [
        (report_id, white, black, _white_code(*codes))
        for report_id, white, black, *codes in rows.values_list(
            "report_id", "white", "black", "white_code", "black_code"
        )[: MAX_GAMES + 1]
    ]
    unplayed = Game.objects.filter(report=report).filter(Q(is_played=False) | Q(black=None)).count()
    if len(games) > MAX_GAMES:
        # A part of the games would make patterns of its own: rather none than wrong ones.
        return YearOfGames([], {}, own_of(report))
    lines = Participant.objects.filter(report__in=reports).order_by()
    people: dict[tuple[int, int], Person] = {}
    names: dict[Person, str] = {}
    ratings: dict[Person, list[tuple[date, int]]] = defaultdict(list)
    columns = ("report_id", "number", "player_id", "name", "rating", "report__tournament__end")
    for report_id, number, player_id, name, rating, end in lines.values_list(*columns):
        # Keys of reports begin at 1, so that 0 stands for the people with a FIDE ID.
        person = (0, player_id) if player_id else (report_id, number)
        people[report_id, number] = person
        names[person] = name
        if rating:
            ratings[person].append((end, rating))
    here = [(white, black, code) for report_id, white, black, code in games if report_id == report.pk]
    players = {
        number: person[1] for (of, number), person in people.items() if of == report.pk and not person[0]
    }
    reported = OwnReport(players, {number: names[0, pk] for number, pk in players.items()}, here, unplayed)
    # Pairs of day and rating: the latest day is the greatest.
    newest = {person: max(known)[1] for person, known in ratings.items()}
    rises = {person: newest[person] - min(known)[1] for person, known in ratings.items()}
    return YearOfGames(list(_meetings(games, people)), names, reported, newest, rises)


def _white_code(white: str, black: str) -> str:
    """Return White's result, none where a penalty hides how the game ended (D-120)."""
    return "" if (white, black) in PENALTIES else white


def own_of(report: Report) -> OwnReport:
    """Return only the players and played games of a report."""
    lines = report.participants.filter(player__isnull=False).order_by("number")
    people = [*lines.values_list("number", "player_id", "name")]
    rows = Game.objects.filter(report=report, is_played=True, black__isnull=False).order_by()
    return OwnReport(
        {number: player_id or 0 for number, player_id, _name in people},
        {number: name for number, _player, name in people},
        [
            (white, black, _white_code(*codes))
            for white, black, *codes in rows.values_list("white", "black", "white_code", "black_code")
        ],
    )


def _meetings(
    games: Sequence[tuple[int, int, int | None, str]], people: Mapping[Person, Person]
) -> Iterator[PlayedMeeting]:
    for report, white, black, code in games:
        one, other = people.get((report, white)), people.get((report, black or 0))
        if one is not None and other is not None:
            yield PlayedMeeting(report, one, other, WHITE_HALF_POINTS.get(code))


def _same_person(tournament: Tournament) -> Iterator[Indicator]:
    arbiter, organiser = words_of(tournament.chief_arbiter), words_of(tournament.organiser)
    if arbiter and sorted(arbiter) == sorted(organiser):
        message = _("%(name)s is both chief arbiter and organiser.")
        yield Indicator("same-person", message % {"name": tournament.chief_arbiter})


def _unreported(tournament: Tournament) -> Iterator[Indicator]:
    """Yield how many registrations of the federation in the year before have no report, though it was due (D-127).

    Of a tournament to come the year ends today: what is due until then is not late yet.
    """
    last = min(tournament.end, timezone.now().date())
    of_year = Tournament.objects.filter(
        federation=tournament.federation_id, end__gt=last - timedelta(days=DAYS)
    )
    number = of_year.filter(reports_overdue(last)).exclude(pk=tournament.pk).count()
    if number:
        message = ngettext(
            "In the year to %(day)s, %(federation)s did not report %(number)d tournament that it registered.",
            "In the year to %(day)s, %(federation)s did not report %(number)d tournaments that it registered.",
            number,
        )
        values = {"day": day_text(last), "federation": tournament.federation_id, "number": number}
        yield Indicator("unreported", message % values)


def _outliers(report: Report) -> Iterator[Indicator]:
    for finding in report.findings:
        if finding["code"] in SHOWN_FINDINGS:
            yield Indicator(finding["code"], finding_text(finding))
    entries = LogEntry.objects.filter(tournament=report.tournament_id, stated__isnull=False)
    for stated in entries.order_by("pk").values_list("stated", flat=True):
        for item in stated:
            if item.get("code") == "line-answer":
                yield Indicator("line-answer", SENTENCES.show([item]))
    marked = sum(finding["severity"] == "warning" for finding in report.findings)
    if marked:
        message = ngettext(
            "%(number)d warning was acknowledged: “%(words)s”",
            "%(number)d warnings were acknowledged: “%(words)s”",
            marked,
        )
        yield Indicator(
            "acknowledged",
            message % {"number": marked, "words": report.why_acknowledged},
        )
