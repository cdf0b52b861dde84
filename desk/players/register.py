"""Registering a player, and the FIDE ID applications that staff decide."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import refusals_in_messages, refusals_shown
from core.html.forms import DayInput, PortalForm
from core.web.sessions import restore_form
from desk.access import requires
from desk.players.fields import born_on, name_of
from players.choices import ApplicationState, Sex
from players.models import Application, Federation, Player
from players.permissions import applications_of, can_register, is_staff, registering_federations
from players.services import registration

SHOWN = 100


class NewPlayerForm(PortalForm):
    """A new player."""

    name = forms.CharField(
        label=_l("Name"), max_length=100, help_text=_l("Family name, given name, as in the passport.")
    )
    federation = forms.ModelChoiceField(Federation.objects.none(), label=_l("Federation"), empty_label=None)
    sex = forms.ChoiceField(label=_l("Sex"), choices=Sex, widget=forms.RadioSelect)
    birth_date = forms.DateField(
        label=_l("Date of birth"),
        widget=DayInput,
        help_text=_l("Only your federation and FIDE staff see it. Everyone else sees the year."),
    )

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        federations = registering_federations(user).order_by("name")
        self.fields["federation"].queryset = federations  # type: ignore[attr-defined]

    def clean_name(self) -> str:
        return name_of(self.cleaned_data["name"])

    def clean_birth_date(self) -> date:
        return born_on(self.cleaned_data["birth_date"])


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register)
def register(request: HttpRequest) -> HttpResponse:
    """Register a new player; possible duplicates are shown first."""
    told = {name: request.GET.get(name, "")[:100] for name in ("name", "sex")}
    told["federation"] = request.GET.get("federation", "")[:3]
    form = NewPlayerForm(request.POST or restore_form(request), user=request.user, initial=told)
    context: dict[str, Any] = {"form": form, "alike": []}
    if request.method == "POST" and form.is_valid():
        new = registration.NewPlayer(**form.cleaned_data)
        is_other = request.POST.get("is_another_person") == "on"
        with refusals_shown(form):
            outcome = registration.register_player(
                new, is_another_person=is_other, by=request.user, at=timezone.now()
            )
            if not isinstance(outcome, list):
                return _registered(request, outcome)
            context["alike"] = outcome
    return render(request, "desk/players/register.html", context)


def _registered(request: HttpRequest, outcome: Player | Application) -> HttpResponse:
    if isinstance(outcome, Player):
        message = _("%(name)s has FIDE ID %(id)s.")
        messages.success(request, message % {"name": outcome.name, "id": outcome.pk})
        return redirect("people:register")
    messages.info(
        request, _("The application was sent to FIDE staff because a similar player already has a FIDE ID.")
    )
    return redirect("people:applications")


@require_safe
@requires(can_register)
def applications(request: HttpRequest) -> HttpResponse:
    """Show the FIDE ID applications, open ones first."""
    rows = applications_of(request.user).select_related("federation", "likeness", "applied_by")
    context = {
        "waiting": rows.filter(state=ApplicationState.WAITING)[:SHOWN],
        "decided": rows.exclude(state=ApplicationState.WAITING).order_by("-decided_at")[:SHOWN],
        "may_decide": is_staff(request.user),
    }
    return render(request, "desk/players/applications.html", context)


@require_POST
@requires(is_staff)
def decide(request: HttpRequest, application_id: int) -> HttpResponse:
    """Approve an application, or refuse it with a reason."""
    application = get_object_or_404(applications_of(request.user), pk=application_id)
    now = timezone.now()
    with refusals_in_messages(request):
        if request.POST.get("decision") == "approve":
            player = registration.approve(application, by=request.user, at=now)
            done = player is not None
        else:
            reason = request.POST.get("reason", "").replace("\0", "")[:400]
            done = registration.refuse(application, reason=reason, by=request.user, at=now)
        text = (
            _("The application was decided.") if done else _("Another user has already decided this request.")
        )
        messages.info(request, text)
    return redirect("people:applications")
