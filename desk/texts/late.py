"""A text for a past day: its effect, then the confirmation by another person, or the cancellation (D-132, D-131)."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from core.acts import Act
from core.html.fields import DayInput
from core.html.forms import PortalForm
from core.html.refusals import refusals_shown
from core.web.typed_forms import form_of
from desk.access import requires
from desk.acts_on_lists import who_confirms
from players.permissions import is_staff
from ratings.late_adoption import cancel, confirm, is_included, prepare
from ratings.models import LateAdoption
from ratings.systems.registry import known_texts

# What the buttons of a late adoption do and say.
OF_ADOPTIONS = {"kind": LateAdoption, "page": "desk:late-adoption"}
CONFIRM = {
    **OF_ADOPTIONS,
    "do": confirm,
    "has_seen": True,
    "done": _l("The text was adopted. The next lists include the differences."),
}
CANCEL = {**OF_ADOPTIONS, "do": cancel, "done": _l("The adoption was revoked.")}


class LateForm(PortalForm):
    """A text, the past day from which it applies, and the decision of FIDE Council or its President."""

    text = forms.ChoiceField(label=_l("Text"), widget=forms.RadioSelect)
    first_day = forms.DateField(
        label=_l("First day"),
        widget=DayInput,
        help_text=_l("For tournaments that start on or after this date. Enter a date up to today."),
    )
    reason = forms.CharField(label=_l("Reason"), max_length=500, help_text=_l("Public."))
    reference = forms.CharField(
        label=_l("Decision"), max_length=200, help_text=_l("Of FIDE Council or its President. Public.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].choices = [(rules.slug, rules.title) for rules in known_texts()]  # type: ignore[attr-defined]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(is_staff)
def late(request: HttpRequest) -> HttpResponse:
    """Prepare the adoption of a text from a past date. Its effect is calculated in the background."""
    form = form_of(request, LateForm)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        act = Act(request.user, timezone.now(), data["reason"])
        with refusals_shown(form):
            made = prepare(data["text"], data["first_day"], act, reference=data["reference"])
            return redirect("desk:late-adoption", made.pk)
    context = {"form": form, **who_confirms(request.user, request.user.pk)}
    return render(request, "desk/texts/late_form.html", context)


@never_cache
@require_safe
@requires(is_staff)
def adoption(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the effect of a late adoption, and what is left to do."""
    item = get_object_or_404(LateAdoption.objects.select_related("prepared_by", "confirmed_by"), pk=pk)
    is_open = item.cancelled_at is None
    context = {
        "item": item,
        "rules": item.rules,
        "lists": item.lists,
        "has_games": any(row["games"] or row["players"] for row in item.lists),
        "may_confirm": is_open and item.confirmed_at is None and item.effect is not None,
        "may_cancel": is_open and not (item.confirmed_at and is_included(item)),
        **who_confirms(request.user, item.prepared_by_id),
    }
    return render(request, "desk/texts/late.html", context)
