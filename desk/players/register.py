"""Registration of a player."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods

from core.html.fields import DayInput, SortedChoiceField
from core.html.forms import PortalForm
from core.html.refusals import refusals_shown
from core.text_values import read_number
from core.web.typed_forms import form_of
from desk.access import requires
from desk.players.fields import MembershipFields, check_year
from players import registration
from players.choices import Sex
from players.models import Application, Federation, Player
from players.name_fields import LONGEST_NAME, PersonNameFields, is_name_check, shown_name
from players.permissions import can_register, registering_federations
from players.person_names import split_name


class NewPlayerForm(PersonNameFields, MembershipFields, PortalForm):
    federation = SortedChoiceField(Federation.objects.none(), label=_l("Federation"))
    sex = forms.ChoiceField(label=_l("Sex"), choices=Sex, widget=forms.RadioSelect)
    birth_date = forms.DateField(
        label=_l("Date of birth"),
        widget=DayInput,
        validators=[check_year],
        help_text=_l("Only your federation and FIDE staff see it. Everyone else sees the year."),
    )
    field_order = ("surname", "given_names", "federation", "sex", "birth_date")

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["federation"].offer(registering_federations(user).order_by())  # type: ignore[attr-defined]


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register)
def register(request: HttpRequest) -> HttpResponse:
    """Register a new player. Possible duplicates are shown first."""
    form = form_of(request, NewPlayerForm, user=request.user, initial=_values_of_address(request))
    if is_name_check(request):
        return shown_name(request, form)
    context: dict[str, Any] = {"form": form}
    if request.method == "POST" and form.is_valid():
        new = registration.NewPlayer(**form.cleaned_data)
        # Said on the page that showed the similar players: these and nobody else are other persons.
        other_than = {*filter(None, map(read_number, request.POST.get("other_than", "").split()))}
        with refusals_shown(form):
            outcome = registration.register_player(
                new, other_than=other_than, by=request.user, at=timezone.now()
            )
            if not isinstance(outcome, list):
                return _answer_registration(request, outcome)
            goes_to_staff = registration.goes_to_staff(outcome, request.user)
            context |= {"alike": outcome, "goes_to_staff": goes_to_staff}
    return render(request, "desk/players/register.html", context)


def _values_of_address(request: HttpRequest) -> dict[str, str]:
    """Return what the address says of the player: the name in two fields or, as in a report, in one."""
    values = {
        field: request.GET.get(field, "")[:LONGEST_NAME]
        for field in ("surname", "given_names", "name", "sex")
    }
    if name := values.pop("name"):
        values["surname"], values["given_names"] = asdict(split_name(name)).values()
    return {**values, "federation": request.GET.get("federation", "")[:3]}


def _answer_registration(request: HttpRequest, outcome: Player | Application) -> HttpResponse:
    if isinstance(outcome, Player):
        page = reverse("players:player", args=[outcome.pk])
        number = format_html('<a href="{}">{}</a>', page, outcome.pk)
        messages.success(request, format_html(_("{name} has FIDE ID {id}."), name=outcome.name, id=number))
        return redirect("people:register")
    messages.info(
        request, _("The application was sent to FIDE staff because a similar player already has a FIDE ID.")
    )
    return redirect("desk:cases")
