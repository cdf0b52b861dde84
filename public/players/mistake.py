"""Mistakes in the data of a player: who gets a report of each, and where it is sent."""

from __future__ import annotations

from typing import Any

from django.db.models import F, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.web.etags import is_anonymous, public_page
from players.choices import CaseKind, CaseState
from players.models.cases import waits
from public.players.addresses import player_or_404
from public.players.player import is_own_record
from ratings.records import former_ids
from tournaments.choices import CLOSED_REGISTRATIONS, ReportState
from tournaments.models import Objection, Tournament
from tournaments.objections import DAYS_TO_ANSWER, DAYS_TO_OBJECT, last_day_to_object
from tournaments.officers import officer_of, officer_of_tournament
from tournaments.permissions import can_correct_results

SHOWN = 5


@require_safe
@public_page
def mistake(request: HttpRequest, fide_id: int) -> HttpResponse:
    """Show where a mistake is reported: of a result, a tournament, the data or the FIDE ID of a player."""
    player = player_or_404(fide_id)
    if player.merged_into_id:
        return redirect("players:mistake", player.merged_into_id, permanent=True)
    tournament, today = _asked_tournament(request.GET.get("tournament", "")), timezone.now().date()
    context: dict[str, Any] = {
        "player": player,
        "tournament": tournament,
        "officer": officer_of_tournament(tournament) if tournament else None,
        "own_officer": officer_of(player.federation),
        "is_own": is_own_record(request, player),
        "may_correct": tournament is not None
        and not is_anonymous(request)
        and can_correct_results(request.user, tournament),
        "days_to_answer": DAYS_TO_ANSWER,
        "days_to_object": DAYS_TO_OBJECT,
        "today": today,
    }
    if tournament is not None:
        accepted = tournament.reports.filter(state=ReportState.ACCEPTED, accepted_on__isnull=False)
        accepted_on = accepted.values_list("accepted_on", flat=True).first()
        context["last_day"] = accepted_on and last_day_to_object(accepted_on)
    else:
        ids = (fide_id, *former_ids(fide_id))
        # Objected to from the day of acceptance, before a list has the result.
        played = Q(reports__participants__player__in=ids, reports__state=ReportState.ACCEPTED)
        rows = Tournament.objects.filter(played).annotate(accepted_on=F("reports__accepted_on"))
        if not context["is_own"]:
            # That somebody played in an event which the QC holds back is for the players alone.
            rows = rows.exclude(registration__in=CLOSED_REGISTRATIONS).exclude(waits(CaseKind.HOLD))
        latest: Any = rows.distinct().order_by("-start", "event_id")[:SHOWN]
        asked = Objection.objects.filter(player__in=ids, state=CaseState.WAITING) if context["is_own"] else ()
        sent = {one.tournament_id for one in asked}
        context["played"] = [(one, last_day_to_object(one.accepted_on), one.pk in sent) for one in latest]
    return render(request, "public/players/mistake.html", context)


def _asked_tournament(event_id: str) -> Tournament | None:
    """Return the tournament that the query names, None without one."""
    # PostgreSQL refuses the character in a query.
    if not event_id or "\x00" in event_id:
        return None
    found = Tournament.objects.select_related("federation").filter(event_id=event_id).first()
    if found is None:
        raise Http404(_("This page does not exist."))
    return found
