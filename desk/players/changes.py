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
from core.web.typed_forms import form_of
from desk.access import requires
from desk.players.fields import FormOfPlayer, check_year, choice_of
from players.choices import Sex
from players.data_changes import NOTHING_CHANGES, ask_change
from players.models import ChangeRequest, Player
from players.name_fields import PersonNameFields, is_name_check, shown_name
from players.permissions import can_register
from players.person_names import split_name
from ratings.player_field import PlayerField

SHOWN = 100
CHANGED = ("surname", "given_names", "sex", "birth_date", "died_on")
LABELS = {
    "name": _l("Name"),
    "sex": _l("Sex"),
    "birth_year": _l("Year of birth"),
    "birth_date": _l("Date of birth (private)"),
    "died_on": _l("Date of death"),
}
SEXES = {str(sex.value): sex.label for sex in Sex}


class ChangeForm(PersonNameFields, FormOfPlayer):
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

    def __init__(self, *args: Any, chosen: Player | None = None, **kwargs: Any) -> None:
        super().__init__(*args, chosen=chosen, **kwargs)
        self.chosen = chosen
        for name, value in present_values(chosen).items() if chosen else ():
            self.fields[name].present = value or "–"  # type: ignore[attr-defined]
        self.fields["surname"].required = False
        for name, label in (("surname", _("New surname")), ("given_names", _("New given names"))):
            self.fields[name].label, self.fields[name].help_text = label, ""

    def whole_name(self, surname: str, given: str) -> str:
        # The part of the name that stays the same is not typed again.
        typed = surname + given
        if self.chosen and "," not in typed and any(map(str.isalpha, typed)):
            now = split_name(self.chosen.name)
            surname, given = surname or now.surname, given or now.given
        return super().whole_name(surname, given)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        # What is refused is told with the errors of the other fields, not after them.
        if not any(self[name].data for name in CHANGED):
            self.add_error(None, forms.ValidationError(NOTHING_CHANGES, code="nothing-changes"))
        return cleaned


def present_values(player: Player) -> dict[str, Any]:
    """Return what the portal has of a player now, by the fields of the form."""
    name = split_name(player.name)
    return {
        "surname": name.surname,
        "given_names": name.given,
        "sex": player.get_sex_display(),
        "birth_date": day_text(player.birth_date) if player.birth_date else player.birth_year,
        "died_on": day_text(player.died_on) if player.died_on else None,
    }


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register)
def ask(request: HttpRequest) -> HttpResponse:
    """Request a change of a player's data, or report a death."""
    # Only a player of the own federations, as the page shows the private date of birth.
    choice, chosen = choice_of(request)
    names = {name: request.GET.get(name, "") for name in ("player", "surname", "given_names")}
    form = form_of(request, ChangeForm, user=request.user, chosen=chosen, initial=names)
    if is_name_check(request):
        return shown_name(request, form)
    if request.method == "POST" and form.is_valid():
        values = dict(form.cleaned_data)
        is_confirmed = values.pop("is_name_confirmed")
        with refusals_shown(form):
            wanted = ChangeRequest(**values)
            made = ask_change(wanted, is_name_confirmed=is_confirmed, by=request.user, at=timezone.now())
            messages.success(request, _("FIDE staff decide. You get an email."))
            return redirect("desk:case", made.number)
    return render(request, "desk/players/change.html", {"choice": choice, "form": form, "player": chosen})


def label_changes(changes: Iterable[Mapping[str, Any]]) -> list[tuple[str | Promise, Any, Any]]:
    """Return the label, old value and new value of each changed field as text."""
    return [(LABELS[one["field"]], _in_words(one["before"]), _in_words(one["after"])) for one in changes]


def _in_words(value: Any) -> Any:
    if isinstance(value, date):
        return day_text(value)
    return SEXES.get(value, value) if isinstance(value, str) else value
