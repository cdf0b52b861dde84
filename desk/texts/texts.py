"""Texts of the regulations: from when each is in force, its trials, and the revocation of an adoption (D-90)."""

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
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from core.html.dates import list_month
from core.html.forms import PortalForm
from core.html.refusals import refusals_in_messages, refusals_shown
from core.web.typed_forms import form_of
from desk.access import requires
from players.permissions import is_staff
from ratings.adoptions import is_used, revoke
from ratings.in_force import load_adoptions
from ratings.models import Adoption, LateAdoption, TextTrial
from ratings.systems.registry import known_texts, rules_named
from ratings.text_trials import published_months, try_text

SHOWN = 25


class TrialForm(PortalForm):
    """A text and the published months for its trial."""

    # Radio buttons: the titles differ only at their ends, which a narrow select box cuts off.
    text = forms.ChoiceField(label=_l("Text"), widget=forms.RadioSelect)
    months = forms.MultipleChoiceField(label=_l("Months"), widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].choices = [(rules.slug, rules.title) for rules in known_texts()]  # type: ignore[attr-defined]
        self.fields["months"].choices = [  # type: ignore[attr-defined]
            (day.isoformat(), list_month(day)) for day in published_months()
        ]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(is_staff)
def texts(request: HttpRequest) -> HttpResponse:
    """Show the texts with their effective dates, and the trials. Start a trial on published months."""
    in_force = [row.rules for row in load_adoptions().rows]
    offered = [rules for rules in known_texts() if rules not in in_force]
    initial = {"text": offered[0].slug if offered else None, "months": published_months()[:1]}
    form = form_of(request, TrialForm, initial=initial)
    if request.method == "POST" and form.is_valid():
        months = [date.fromisoformat(day) for day in form.cleaned_data["months"]]
        with refusals_shown(form):
            made = try_text(form.cleaned_data["text"], months, by=request.user, at=timezone.now())
            return redirect("desk:trial", made.pk)
    adoptions = list(Adoption.objects.select_related("by", "revoked_by").order_by("-first_day", "-pk"))
    context = {
        "form": form,
        "adoptions": [
            (item, rules_named(item.text), item.revoked_at is None and not is_used(item))
            for item in adoptions
        ],
        "late_adoptions": LateAdoption.objects.all()[:SHOWN],
        "offered": offered,
        "trials": [(item, rules_named(item.text)) for item in TextTrial.objects.select_related("by")[:SHOWN]],
    }
    return render(request, "desk/texts/texts.html", context)


@require_POST
@requires(is_staff)
def revoke_adoption(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke an adoption that no list has used."""
    item = get_object_or_404(Adoption, pk=pk)
    with refusals_in_messages(request):
        revoke(item, reason=request.POST.get("reason", ""), by=request.user, at=timezone.now())
        messages.success(request, _("The adoption was revoked."))
    return redirect("desk:texts")
