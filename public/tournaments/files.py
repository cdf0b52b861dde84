"""The public report of a published tournament, and its results as CSV."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.web.csv import csv_response
from core.web.etags import conditionally
from players.minors import Minors, minors_for
from ratings.events import published_rating
from ratings.models import ParticipantRating, TournamentRating
from tournaments.models import Game, Participant, Report, Tournament
from tournaments.trf import PlayerRecord, read_report
from tournaments.trf import report as trf
from tournaments.trf.writer import write_report

# Rounds, points, pairings and teams. Comments, national records and unknown records may have personal data.
PUBLIC_RECORDS = (
    "013",
    "142",
    "162",
    "172",
    "240",
    "250",
    "260",
    "299",
    "300",
    "310",
    "320",
    "330",
    "362",
    "XXR",
)
# Results that a spreadsheet would read as a formula. F marks a forfeit.
PLAIN_RESULTS = {"=": "1/2", "D": "1/2", "+": "1F", "-": "0F"}
RESULTS_HEAD = [
    "round", "white", "white_fide_id", "white_name", "white_federation", "white_rating", "white_result",
    "black", "black_fide_id", "black_name", "black_federation", "black_rating", "black_result", "played",
    "fide_event", "results_url",
]  # fmt: skip


@require_safe
def report(request: HttpRequest, event_id: str) -> HttpResponse:
    """Send the report of a published tournament as TRF, with public player data only (age-bands.md)."""
    rating = _published_or_404(event_id)
    minors = minors_for(request)
    # By the portal's federation and FIDE ID: a report may name others, or none, under which the year would show.
    people = _people(rating) if minors else {}

    def content() -> HttpResponse:
        # Only for an answer that is sent: the bytes are megabytes.
        stored = Report.objects.values_list("content", flat=True).get(pk=rating.report_id)
        shown = public_report(read_report(bytes(stored)), minors, people=people)
        disposition = {"Content-Disposition": f'attachment; filename="{_file_name(event_id)}.trf"'}
        return HttpResponse(
            write_report(shown).encode(), content_type="text/plain; charset=utf-8", headers=disposition
        )

    version = ("trf", rating.report.sha256, minors, sorted(people.items()))
    return conditionally(request, content, version=version)


@require_safe
def results(request: HttpRequest, event_id: str) -> HttpResponse:
    """Send every pairing of a published tournament as CSV."""
    rating = _published_or_404(event_id)
    event = rating.report.tournament
    elsewhere = (event.fide_event, event.results_url)

    def content() -> HttpResponse:
        return csv_response(f"{_file_name(event_id)}.csv", [RESULTS_HEAD, *_results(rating, elsewhere)])

    return conditionally(request, content, version=("results", rating.report.sha256, rating.pk, elsewhere))


def public_report(
    shown: trf.Report, minors: Minors, *, people: dict[int, tuple[int | None, str]]
) -> trf.Report:
    """Return a report with public data: years for dates of birth, and none for minors with an age band.

    `people` are FIDE ID and federation of the players by starting rank. Those in the report count too.
    """
    return replace(
        shown,
        # The chief arbiter is public with the registration, the deputies of a report need not be.
        deputy_arbiters=(),
        players=tuple(
            _public_player(one, minors, *people.get(one.number, (None, ""))) for one in shown.players
        ),
        records=tuple(one for one in shown.records if one.tag in PUBLIC_RECORDS),
    )


def _public_player(record: PlayerRecord, minors: Minors, fide_id: int | None, home: str) -> PlayerRecord:
    year = record.birth_date.year if isinstance(record.birth_date, date) else record.birth_year
    named = ((home, fide_id), (record.federation, record.fide_id))
    is_hidden = any(minors.hides(year, code, number) for code, number in named)
    return record._replace(birth_date=None, birth_year=None if is_hidden else year)


def _published_or_404(event_id: str) -> TournamentRating:
    chosen = Tournament.objects.filter(event_id=event_id).first()
    rating = published_rating(chosen) if chosen else None
    if rating is None:
        raise Http404(_("There is no published report of this tournament."))
    return rating


def _file_name(event_id: str) -> str:
    """Return the event ID as a name that is valid on any file system."""
    return "".join(
        letter if letter.isascii() and (letter.isalnum() or letter in "-_.") else "_" for letter in event_id
    )


def _people(rating: TournamentRating) -> dict[int, tuple[int | None, str]]:
    rows = ParticipantRating.objects.filter(tournament_rating=rating, player__isnull=False)
    # Of a merged FIDE ID the person, and their federation.
    person = Coalesce("player__merged_into", "player")
    found = rows.values_list(
        "number", person, Coalesce("player__merged_into__federation", "player__federation")
    )
    return {number: (fide_id, code) for number, fide_id, code in found}


def _results(rating: TournamentRating, elsewhere: tuple[int | None, str]) -> Iterator[list[Any]]:
    fields = ("number", "fide_id", "name", "federation_code", "rating")
    rows = Participant.objects.filter(report=rating.report_id).values_list(*fields)
    people = {row[0]: list(row) for row in rows}
    nobody: list[Any] = ["", "", "", "", ""]
    games = Game.objects.filter(report=rating.report_id).order_by("round", "white")
    columns = ("round", "white", "black", "white_code", "black_code", "is_played")
    for number, white, black, white_code, black_code, is_played in games.values_list(*columns):
        yield [
            number, *people.get(white, nobody), PLAIN_RESULTS.get(white_code, white_code),
            *(people.get(black, nobody) if black else nobody),
            PLAIN_RESULTS.get(black_code, black_code), is_played, *elsewhere,
        ]  # fmt: skip
