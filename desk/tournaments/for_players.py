"""What players ask about a tournament before they come: where exactly, how to enter, and what it costs."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods

from core.html.fields import DayInput, WebAddressField
from core.html.forms import PortalForm
from core.html.refusals import refusals_shown
from core.web.typed_forms import form_of
from desk.access import requires_for_tournament
from tournaments.elsewhere import FOR_PLAYERS, save_elsewhere
from tournaments.models import Tournament
from tournaments.permissions import can_report


class ForPlayersForm(PortalForm):
    """Venue and entry; what is empty is removed."""

    venue = forms.CharField(
        label=_l("Venue"),
        max_length=200,
        required=False,
        help_text=_l("Building, street and number. Public."),
    )
    entry_url = WebAddressField(label=_l("Page with the entry form"))
    entry_email = forms.EmailField(
        label=_l("Email for entries"),
        max_length=254,
        required=False,
        help_text=_l("Of the organiser. Public."),
    )

    def clean_entry_email(self) -> str:
        email: str = self.cleaned_data["entry_email"]
        # They would add headers to the mail of whoever follows the link.
        if {"?", "&"} & set(email):
            raise forms.ValidationError(_("Enter a valid email address."), code="invalid")
        return email

    entry_fee = forms.CharField(label=_l("Entry fee"), max_length=120, required=False)
    entry_until = forms.DateField(label=_l("Entries until"), widget=DayInput, required=False)


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_report)
def for_players(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Save where a tournament is and how players enter it."""
    initial = {name: getattr(tournament, name) for name in FOR_PLAYERS}
    form = form_of(request, ForPlayersForm, initial=initial)
    if request.method == "POST" and form.is_valid():
        with refusals_shown(form):
            if save_elsewhere(tournament, form.cleaned_data, by=request.user, at=timezone.now()):
                messages.success(request, _("Saved. The public page shows it."))
            return redirect("desk:tournament", tournament.event_id)
    return render(request, "desk/tournaments/for_players.html", {"tournament": tournament, "form": form})
