"""What may help the QC to look at a report, and never decides: each indicator a sentence with its figures.

Bounded: the games of one year of those reports in which participants of this one played, and no more than
`MAX_GAMES` of them; a closed ring of a few players never comes near that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.spelling import words_of
from tournaments.choices import ReportState
from tournaments.models import Game, Participant, Report, Tournament
from tournaments.queries.finding_texts import finding_text
from tournaments.signals import indicators_wanted

DAYS = 365
MAX_GAMES = 20_000
RING = range(3, 13)
FEWEST_EVENTS = 3
FEWEST_WINS = 4
OUTLIERS = ("performance-outlier", "event-again", "player-rounds-a-day", "id-of-another")
Person = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Indicator:
    """Something that a person may look at: a stable code and the sentence with its figures."""

    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Meeting:
    """A played game: its report, and who met, as FIDE IDs or as the line of the report; `points` are white's."""

    report: int
    white: Person
    black: Person
    points: int | None


@dataclass(frozen=True, slots=True)
class Own:
    """A report's players, by starting rank as FIDE IDs and by name, and its games: white, black, white's result."""

    players: Mapping[int, int]
    names: Mapping[int, str]
    games: Sequence[tuple[int, int | None, str]]


@dataclass(frozen=True, slots=True)
class Year:
    """The games of a year around a report with the names of who played them, and what is the report's own."""

    meetings: Sequence[Meeting]
    names: Mapping[Person, str]
    own: Own


WHITE_HALF_POINTS = {"1": 2, "=": 1, "0": 0}


def indicators_of(tournament: Tournament) -> list[Indicator]:
    """Return the indicators of a tournament, without its games where no report is accepted."""
    found = [*_same_person(tournament)]
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
    found += one_sided(report.pk, year.meetings, year.names)
    told: Sequence[tuple[Any, Any]] = indicators_wanted.send(Report, report=report, own=year.own)
    for _receiver, indicators in told:
        found += indicators
    return [*found, *_outliers(report)]


def year_of(report: Report) -> Year:
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
    games = list(rows.values_list("report_id", "white", "black", "white_code")[: MAX_GAMES + 1])
    if len(games) > MAX_GAMES:
        return Year([], {}, own_of(report))
    lines = Participant.objects.filter(report__in=reports).order_by()
    people: dict[tuple[int, int], Person] = {}
    names: dict[Person, str] = {}
    for report_id, number, player_id, name in lines.values_list("report_id", "number", "player_id", "name"):
        person = (0, player_id) if player_id else (report_id, number)
        people[report_id, number] = person
        names[person] = name
    here = [(white, black, code) for report_id, white, black, code in games if report_id == report.pk]
    players = {
        number: person[1] for (of, number), person in people.items() if of == report.pk and not person[0]
    }
    reported = Own(players, {number: names[0, pk] for number, pk in players.items()}, here)
    return Year(list(_meetings(games, people)), names, reported)


def own_of(report: Report) -> Own:
    """Return the players and played games of a report alone."""
    lines = report.participants.filter(player__isnull=False).order_by("number")
    told = [*lines.values_list("number", "player_id", "name")]
    rows = Game.objects.filter(report=report, is_played=True, black__isnull=False).order_by()
    return Own(
        {number: player_id or 0 for number, player_id, _name in told},
        {number: name for number, _player, name in told},
        [*rows.values_list("white", "black", "white_code")],
    )


def closed_rings(
    report: int, meetings: Sequence[Meeting], names: Mapping[Person, str]
) -> Iterator[Indicator]:
    """Yield the groups of few players of a report who met nobody else in a year and three events or more."""
    opponents: dict[Person, set[Person]] = defaultdict(set)
    events: dict[Person, set[int]] = defaultdict(set)
    for meeting in meetings:
        for one, other in ((meeting.white, meeting.black), (meeting.black, meeting.white)):
            opponents[one].add(other)
            events[one].add(meeting.report)
    for ring in _groups(opponents):
        played = set().union(*(events[person] for person in ring))
        if len(ring) in RING and report in played and len(played) >= FEWEST_EVENTS:
            message = _(
                "%(names)s: these %(number)d played only each other in %(events)d tournaments within a year."
            )
            who = "; ".join(sorted(names.get(person, "?") for person in ring))
            yield Indicator(
                "closed-ring", message % {"names": who, "number": len(ring), "events": len(played)}
            )


def one_sided(report: int, meetings: Sequence[Meeting], names: Mapping[Person, str]) -> Iterator[Indicator]:
    """Yield the pairs that met here and of whom one won every game of a year, four or more."""
    results: dict[tuple[Person, Person], list[int | None]] = defaultdict(list)
    here: dict[tuple[Person, Person], int] = defaultdict(int)
    for meeting in meetings:
        points = None if meeting.points is None else 2 - meeting.points
        results[meeting.white, meeting.black].append(meeting.points)
        results[meeting.black, meeting.white].append(points)
        for pair in ((meeting.white, meeting.black), (meeting.black, meeting.white)):
            here[pair] += meeting.report == report
    for (winner, loser), points_of in sorted(results.items()):
        if here[winner, loser] and len(points_of) >= FEWEST_WINS and set(points_of) == {2}:
            message = _(
                "%(winner)s won all %(number)d games within a year against %(loser)s, %(here)d of them here."
            )
            figures = {"number": len(points_of), "here": here[winner, loser]}
            who = {"winner": names.get(winner, "?"), "loser": names.get(loser, "?")}
            yield Indicator("one-sided", message % {**figures, **who})


def _meetings(
    games: Sequence[tuple[int, int, int | None, str]], people: Mapping[Person, Person]
) -> Iterator[Meeting]:
    for report, white, black, code in games:
        one, other = people.get((report, white)), people.get((report, black or 0))
        if one is not None and other is not None:
            yield Meeting(report, one, other, WHITE_HALF_POINTS.get(code))


def _groups(opponents: Mapping[Person, set[Person]]) -> Iterator[set[Person]]:
    """Yield the groups of people who are linked by games, each person in one."""
    left = set(opponents)
    while left:
        group, border = set(), {min(left)}
        while border:
            group |= border
            border = set().union(*(opponents[person] for person in border)) - group
        left -= group
        yield group


def _same_person(tournament: Tournament) -> Iterator[Indicator]:
    arbiter, organiser = words_of(tournament.chief_arbiter), words_of(tournament.organiser)
    if arbiter and sorted(arbiter) == sorted(organiser):
        message = _("%(name)s is both chief arbiter and organiser.")
        yield Indicator("same-person", message % {"name": tournament.chief_arbiter})


def _outliers(report: Report) -> Iterator[Indicator]:
    for finding in report.findings:
        if finding["code"] in OUTLIERS:
            yield Indicator(finding["code"], finding_text(finding))
    marked = sum(finding["severity"] == "warning" for finding in report.findings)
    if marked:
        message = ngettext(
            "%(number)d warning was acknowledged: “%(words)s”",
            "%(number)d warnings were acknowledged: “%(words)s”",
            marked,
        )
        yield Indicator("acknowledged", message % {"number": marked, "words": report.acknowledgement})
