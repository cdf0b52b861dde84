"""Merging duplicate players, with a preview."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods

from core.html.refusals import refusals_shown
from core.web.typed_forms import form_of
from desk.access import requires
from players.merging import (
    check_pair,
    compared_records,
    identity_differences,
    made_alike_by,
    merge_players,
    preview_merge,
    propose_merge,
    shown_differences,
)
from players.minors import NOBODY, minors_for
from players.models import MergeProposal
from players.own_matters import own_matter
from players.permissions import can_register, is_staff
from ratings.player_field import FormWithPlayer, PlayerField

MERGED = _l("FIDE ID %(old)s now redirects to %(new)s.")
PROPOSED = _l("The merge of %(old)s into %(new)s is proposed. Another member of FIDE staff confirms it.")
SENT = _l("The merge was sent to FIDE staff. You get an email with the decision.")
# Records that differ in who they describe are merged by two people, and so are one's own players (D-131).
ACTS = {"merge": (merge_players, MERGED), "propose": (propose_merge, PROPOSED)}


class MergeForm(FormWithPlayer):
    """Two FIDE IDs of one player, and the reason for the merge."""

    player = PlayerField(
        label=_l("Duplicate player"),
        help_text=_l("Name or FIDE ID. The FIDE ID redirects to the other one permanently."),
    )
    into = PlayerField(label=_l("Player to keep"), help_text=_l("Name or FIDE ID"))
    reason = forms.CharField(
        label=_l("Reason"),
        max_length=400,
        help_text=_l("Saved and published in the correction log."),
    )

    def clean(self) -> dict[str, Any]:
        """Refuse two records that cannot be merged together with what is missing."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        player, into = cleaned.get("player"), cleaned.get("into")
        if player and into:
            with refusals_shown(self):
                check_pair(player, into)
        return cleaned


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register)
def merge(request: HttpRequest) -> HttpResponse:
    """Merge duplicate players after a preview. If their records differ, or it is one's own matter, propose the merge.

    Rating officers report two FIDE IDs as one person, which FIDE staff confirm (D-141). What the lists do not say, as a
    date of birth or the year of a minor, is for staff alone.
    """
    named = {name: request.GET.get(name, "")[:100] for name in ("player", "into")}
    form = form_of(request, MergeForm, user=request.user, initial=named)
    may_merge = is_staff(request.user)
    context: dict[str, Any] = {"form": form, "may_merge": may_merge}
    if request.method == "POST" and form.is_valid():
        player, into = form.cleaned_data["player"], form.cleaned_data["into"]
        with refusals_shown(form):
            if request.POST.get("step") in ACTS:
                act, message = ACTS[request.POST["step"]]
                message = message if may_merge else SENT
                made = act(
                    player, into=into, reason=form.cleaned_data["reason"], by=request.user, at=timezone.now()
                )
                messages.success(request, message % {"old": player.pk, "new": into.pk})
                if isinstance(made, MergeProposal):
                    return redirect("desk:case", made.number)
                return redirect("people:merge")
            found = preview_merge(player, into=into)
            differences = identity_differences(player, into) if may_merge else []
            federations = {player.federation_id, into.federation_id}
            asked_by = made_alike_by(request.user, player, into)
            bar = own_matter(request.user, federations, asked_by=asked_by) if may_merge else None
            records = compared_records(player, into, minors=NOBODY if may_merge else minors_for(request))
            context |= {
                "going": player,
                "staying": into,
                "found": found,
                "is_possible": not any(item.is_obstacle for item in found),
                "records": records,
                "is_other": any(differs for *_values, differs in records),
                "is_same": any(old == new for _label, old, new, _differs in records),
                # Not told otherwise: another day or month of birth.
                "hidden": shown_differences(one for one in differences if one[0] == "birth_date"),
                "differ": ", ".join(item.subject for item in shown_differences(differences)),
                "bar": bar,
                "is_for_two": bool(differences or bar),
                # Nobody could confirm what this person proposes.
                "is_alone": own_matter(request.user, frozenset(), asked_by=request.user.pk) is None,
            }
    return render(request, "desk/players/merge.html", context)
