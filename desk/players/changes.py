"""Data change requests of federations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods

from core.html.dates import day_text
from core.html.fields import DayInput, TextField
from core.html.refusals import refusals_shown
from core.text_values import read_number
from core.web.typed_forms import form_of
from desk.access import requires
from desk.players.fields import check_year
from players.choices import Sex
from players.data_changes import PlayerChange, ask_change
from players.fide_list.values import MAX_FIDE_ID
from players.name_fields import PersonNameFields, is_name_check, shown_name
from players.permissions import (
    can_register,
    players_of,
)
from players.player_field import FormWithPlayer, PlayerField

SHOWN = 100
LABELS = {
    "name": _l("Name"),
    "sex": _l("Sex"),
    "birth_year": _l("Year of birth"),
    "birth_date": _l("Date of birth (private)"),
    "died_on": _l("Date of death"),
}
SEXES = {str(sex.value): sex.label for sex in Sex}


class ChangeForm(PersonNameFields, FormWithPlayer):
    """A data change request with its evidence. Empty fields are not changed."""

    player = PlayerField(label=_l("Name or FIDE ID of the player"))
    sex = forms.ChoiceField(label=_l("New sex"), choices=[("", "–"), *Sex.choices], required=False)
    birth_date = forms.DateField(
        label=_l("New date of birth"),
        widget=DayInput,
        required=False,
        validators=[check_year],
        help_text=_l("Only your federation and FIDE staff see it. Everyone else sees the year."),
    )
    died_on = forms.DateField(
        label=_l("Date of death"),
        widget=DayInput,
        required=False,
        validators=[check_year],
        help_text=_l("Later lists do not show the player (article 9.2)."),
    )
    reason = TextField(
        label=_l("Reason"),
        max_length=400,
        rows=2,
        help_text=_l("One sentence."),
    )
    evidence = TextField(
        label=_l("Evidence"),
        max_length=400,
        rows=2,
        help_text=_l("The document that shows it and where it is stored. Do not copy its numbers here."),
    )

    field_order = ("player", "surname", "given_names")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["surname"].required = False
        self.fields["surname"].label, self.fields["given_names"].label = (
            _("New surname"),
            _("New given names"),
        )


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register)
def ask(request: HttpRequest) -> HttpResponse:
    """Request a change of a player's data, or report a death."""
    named = request.GET.get("player", "")
    names = {name: request.GET.get(name, "") for name in ("surname", "given_names")}
    form = form_of(request, ChangeForm, user=request.user, initial={"player": named[:10], **names})
    if is_name_check(request):
        return shown_name(request, form)
    if request.method == "POST" and form.is_valid():
        values = dict(form.cleaned_data)
        player = values.pop("player")
        with refusals_shown(form):
            made = ask_change(player, PlayerChange(**values), by=request.user, at=timezone.now())
            messages.success(request, _("FIDE staff decide. You get an email."))
            return redirect("desk:case", made.number)
    # The address may name anything: what is no FIDE ID finds no player.
    number = read_number(named, most=MAX_FIDE_ID) or 0
    # Only a player of the own federations, as the page shows the private date of birth.
    shown = players_of(request.user).filter(pk=number).select_related("federation").first()
    return render(request, "desk/players/change.html", {"form": form, "player": shown})


def label_changes(changes: Iterable[Mapping[str, Any]]) -> list[tuple[str | Promise, Any, Any]]:
    """Return the label, old value and new value of each changed field as text."""
    return [(LABELS[one["field"]], _in_words(one["before"]), _in_words(one["after"])) for one in changes]


def _in_words(value: Any) -> Any:
    if isinstance(value, date):
        return day_text(value)
    return SEXES.get(value, value) if isinstance(value, str) else value
