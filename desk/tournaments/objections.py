"""Objections of players to their results, answered by the rating officer or the chief arbiter."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_POST, require_safe

from core.errors import refusals_shown
from core.html.forms import PortalForm
from core.web.sessions import restore_row_forms
from desk.access import requires_for_tournament
from tournaments.choices import ObjectionState
from tournaments.models import Objection, Tournament
from tournaments.permissions import (
    can_answer_objections,
    can_see_drafts,
    can_see_objections,
    for_arbiter_or_user,
)
from tournaments.services.objections import MAX_LETTERS, answer_objection

MAX_SHOWN = 100


class ReplyForm(PortalForm):
    """The reply to an objection, with its reason."""

    decision = forms.ChoiceField(
        label=_l("Decision"),
        choices=[("agree", _l("Accept: the report will be corrected")), ("decline", _l("Decline"))],
        widget=forms.RadioSelect,
    )
    answer = forms.CharField(
        label=_l("Reason"),
        max_length=MAX_LETTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_l("The player sees it."),
    )


@require_safe
@requires_for_tournament(can_see_objections, visible=for_arbiter_or_user)
def objections(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the objections to the results of a tournament, open ones first."""
    return _page(request, tournament)


@require_POST
@requires_for_tournament(can_answer_objections, visible=for_arbiter_or_user)
def answer(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Reply to an objection."""
    rows = tournament.objections.select_related("tournament", "player", "user")
    found: Objection = get_object_or_404(rows, pk=min(pk, 2**63 - 1))
    form = ReplyForm(request.POST, prefix=str(found.pk))
    if form.is_valid():
        with refusals_shown(form):
            is_agreed = form.cleaned_data["decision"] == "agree"
            text = form.cleaned_data["answer"]
            done = answer_objection(
                found, is_agreed=is_agreed, answer=text, by=request.user, at=timezone.now()
            )
            messages.info(
                request,
                _("The reply was sent to the player.")
                if done
                else _("This objection has already been answered."),
            )
            return redirect("desk:objections", tournament.event_id)
    return _page(request, tournament, {found.pk: form})


def _page(
    request: HttpRequest, tournament: Tournament, forms_by_pk: dict[int, ReplyForm] | None = None
) -> HttpResponse:
    rows = list(
        tournament.objections.select_related("player", "answered_by").order_by("-raised_at")[:MAX_SHOWN]
    )
    may_answer = can_answer_objections(request.user, tournament)
    here, event = reverse("desk:objections", args=[tournament.event_id]), [tournament.event_id]
    typed = restore_row_forms(request, "desk:answer-objection", [row.pk for row in rows], before=event)
    bound = forms_by_pk or {}
    waiting = [
        (row, (bound.get(row.pk) or ReplyForm(typed.get(row.pk), prefix=str(row.pk))) if may_answer else None)
        for row in reversed(rows)
        if row.state == ObjectionState.OPEN
    ]
    page = "desk:tournament" if can_see_drafts(request.user, tournament) else "desk:arbiter"
    context = {
        "tournament": tournament,
        "here": here,
        "tournament_url": reverse(page, args=[tournament.event_id]),
        "today": timezone.now().date(),
        "waiting": waiting,
        "closed": [row for row in rows if row.state != ObjectionState.OPEN],
    }
    return render(request, "desk/tournaments/objections.html", context)
