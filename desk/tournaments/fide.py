"""A tournament at FIDE: number, state and link to a results server, and the archive of its accepted report."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods, require_safe

from core.html.fields import WebAddressField
from core.html.forms import PortalForm
from core.web.csv import csv_text
from core.web.downloads import streamed_file
from core.web.typed_forms import form_of
from core.web.zip_streams import stream_zip
from desk.access import requires_for_tournament
from players.choices import Area, Deed
from players.minors import mask_birth_years
from players.models import LogEntry, Player
from ratings.events import published_rating
from ratings.models import Comparison, ParticipantRating
from tournaments.choices import FideState, ReportState
from tournaments.conditions import COLUMNS
from tournaments.elsewhere import FIELDS, save_elsewhere
from tournaments.files import safe_file_name
from tournaments.models import Report, Tournament
from tournaments.permissions import can_report
from tournaments.trf import read_report, write_trf16, write_trf26

PLAYER = ("fide_id", "name", "federation_id", "sex", "birth_year", "title")


class FideForm(PortalForm):
    """Number, state and link; what is empty is removed."""

    fide_event = forms.IntegerField(
        label=_l("Event number at FIDE"), min_value=1, max_value=2**31 - 1, required=False
    )
    fide_state = forms.ChoiceField(
        label=_l("State at FIDE"), choices=[("", _l("not sent")), *FideState.choices], required=False
    )
    results_url = WebAddressField(
        label=_l("Page on a results server"),
        help_text=_l("For example https://results.example.org/123456"),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_report)
def fide(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the tournament beside FIDE's list, and save its number, state and link."""
    form = form_of(request, FideForm, initial={name: getattr(tournament, name) for name in FIELDS})
    if request.method == "POST" and form.is_valid():
        if save_elsewhere(tournament, form.cleaned_data, by=request.user, at=timezone.now()):
            messages.success(request, _("Numbers saved."))
        return redirect("desk:fide", tournament.event_id)
    context = {
        "tournament": tournament,
        "form": form,
        "is_accepted": tournament.reports.filter(state=ReportState.ACCEPTED).exists(),
        "beside": beside_fide(tournament),
    }
    return render(request, "desk/tournaments/fide.html", context)


@require_safe
@requires_for_tournament(can_report)
def archive(request: HttpRequest, tournament: Tournament) -> StreamingHttpResponse:
    """Send the accepted report as TRF16 and TRF26 with the registration and the new players, as one archive."""
    report = tournament.reports.filter(state=ReportState.ACCEPTED).first()
    if report is None:
        raise Http404(_("No report of this tournament is accepted."))
    name = safe_file_name(tournament.event_id)
    return streamed_file(stream_zip(_members(tournament, report)), name=f"{name}-fide.zip")


def _members(tournament: Tournament, report: Report) -> Iterator[tuple[str, Iterable[bytes]]]:
    trf = read_report(bytes(report.content))
    yield "report-trf16.trf", [write_trf16(trf).encode()]
    yield "report-trf26.trf", [write_trf26(trf).encode()]
    registration = {name: getattr(tournament, name) for name in COLUMNS} | {
        "federation": tournament.federation_id,
        "arbiters": list(tournament.arbiters.values_list("player_id", flat=True)),
    }
    yield "registration.json", [json.dumps(registration, default=str, ensure_ascii=False, indent=1).encode()]
    rows = [[getattr(one, name) for name in PLAYER] for one in _new_players(tournament, report)]
    yield "new-players.csv", [csv_text([PLAYER, *rows]).encode()]


def _new_players(tournament: Tournament, report: Report) -> list[Player]:
    """Return the players of a report who have their FIDE ID from the portal, without dates of birth."""
    added = LogEntry.objects.filter(
        area=Area.PLAYER, action=Deed.ADDED, player__participations__report=report
    )
    players = Player.objects.filter(pk__in=added.values("player")).order_by("pk")
    return mask_birth_years(list(players), own=tournament.federation_id, on=timezone.now().date())


@dataclass(frozen=True, slots=True)
class BesideFide:
    """What the last comparison of its list says of a tournament: whether FIDE lacks it, and the players who differ."""

    comparison: Comparison
    is_missing: bool
    players: Sequence[str]


def beside_fide(tournament: Tournament) -> BesideFide | None:
    """Return how FIDE's list differs for a tournament's players; None before its list was compared."""
    rating = published_rating(tournament)
    found = (
        Comparison.objects.filter(rating_list=rating.included_in_id) if rating else Comparison.objects.none()
    )
    comparison = (
        found.select_related("rating_list").defer("rating_list__manifest").order_by("-at", "-pk").first()
    )
    if rating is None or comparison is None:
        return None
    ids = set(ParticipantRating.objects.filter(tournament_rating=rating).values_list("player", flat=True))
    rows = [row for row in comparison.open_rows if row["fide_id"] in ids]
    # Where several events may explain a difference, FIDE need not lack any one of them.
    named = {item.get("events") for row in rows for item in row["reason"]}
    names = {row["fide_id"]: row["name"] for row in rows}
    return BesideFide(comparison, tournament.event_id in named, sorted(names.values()))
