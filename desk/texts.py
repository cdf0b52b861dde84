"""Texts of the regulations: which is in force, trying one on published months, adopting and revoking (D-90)."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import refusals_in_messages, refusals_shown
from core.html.charts import Bar, bar_chart_svg, bar_chart_table
from core.html.forms import DayInput, PortalForm
from core.web.sessions import restore_form
from desk.access import requires
from players.permissions import is_staff
from ratings.models import Adoption, TextTrial
from ratings.queries.in_force import load_adoptions
from ratings.services.adoptions import adopt, is_used, published_months, revoke
from ratings.services.runs import try_text
from ratings.systems.arithmetic import in_points
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.registry import known_texts, reason_of, rules_named

SHOWN = 25


class TrialForm(PortalForm):
    """A text and the published months on which it is tried."""

    text = forms.ChoiceField(label=_l("Text"))
    months = forms.MultipleChoiceField(label=_l("Months"), widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].choices = [(rules.slug, rules.title) for rules in known_texts()]  # type: ignore[attr-defined]
        days = [day.isoformat() for day in published_months()]
        self.fields["months"].choices = [(day, day[:7]) for day in days]  # type: ignore[attr-defined]


class AdoptionForm(PortalForm):
    """From when a text is adopted, and why."""

    first_day = forms.DateField(
        label=_l("First day"),
        widget=DayInput,
        help_text=_l("For tournaments that start on or after this date. Enter a future date."),
    )
    reason = forms.CharField(label=_l("Reason"), max_length=500, help_text=_l("Public."))
    reference = forms.CharField(label=_l("Decision"), max_length=200, required=False)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(is_staff)
def texts(request: HttpRequest) -> HttpResponse:
    """Show the texts, which is in force from when, and the trials; try a text on published months."""
    form = TrialForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        months = [date.fromisoformat(day) for day in form.cleaned_data["months"]]
        with refusals_shown(form):
            made = try_text(form.cleaned_data["text"], months, by=request.user, at=timezone.now())
            return redirect("desk:trial", made.pk)
    adoptions = list(Adoption.objects.select_related("by", "revoked_by").order_by("-first_day", "-pk"))
    in_force = [row.rules for row in load_adoptions().rows]
    context = {
        "form": form,
        "adoptions": [
            (item, rules_named(item.text), item.revoked_at is None and not is_used(item))
            for item in adoptions
        ],
        "offered": [rules for rules in known_texts() if rules not in in_force],
        "trials": [(item, rules_named(item.text)) for item in _trials().select_related("by")[:SHOWN]],
    }
    return render(request, "desk/texts/texts.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(is_staff)
def trial(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what a text would have changed, as far as the trial is; adopt it."""
    item = get_object_or_404(_trials(), pk=pk)
    form = AdoptionForm(request.POST or restore_form(request))
    if request.method == "POST" and item.is_done and form.is_valid():
        with refusals_shown(form):
            made = adopt(item.text, **form.cleaned_data, by=request.user, at=timezone.now())
            message = _("%(text)s was adopted, effective %(day)s.")
            messages.success(request, message % {"text": made.text, "day": made.first_day.isoformat()})
            return redirect("desk:texts")
    context = {
        "trial": item,
        "rules": rules_named(item.text),
        "form": form,
        "months": [month_shown(row, item.rules) for row in item.results],
    }
    return render(request, "desk/texts/trial.html", context)


@require_POST
@requires(is_staff)
def revoke_adoption(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke an adoption that no list has used."""
    item = get_object_or_404(Adoption, pk=pk)
    with refusals_in_messages(request):
        revoke(item, reason=request.POST.get("reason", ""), by=request.user, at=timezone.now())
        messages.success(request, _("The adoption was revoked."))
    return redirect("desk:texts")


def _trials() -> QuerySet[TextTrial]:
    """Return the trials of texts: proposals cannot be adopted."""
    return TextTrial.objects.filter(name="")


def month_shown(row: dict[str, Any], rules: PeriodRules) -> dict[str, Any]:
    """Return what a page shows of a list: counts, chart of the differences, those most concerned with their games."""
    bars = [Bar(f"{points:+d}".replace("-", "−"), number) for points, number in row["distribution"]]
    title = _("Players by difference")
    description = _("Number of players by points gained or lost.")
    name = f"differences-{row['kind']}-{row['date']}"
    most = [
        item | {"games": [_game(game, rules) for game in row["explained"].get(str(item["fide_id"]), ())]}
        for item in row["differences"][:SHOWN]
    ]
    return {
        "row": row,
        "day": date.fromisoformat(row["date"]),
        "most": most,
        "svg": bar_chart_svg(bars, title=title, description=description, name=name),
        "table": bar_chart_table(bars, heads=(_("Difference"), _("Players"))) if bars else None,
        "caption": title,
    }


def _game(game: dict[str, Any], rules: PeriodRules) -> dict[str, Any]:
    reasons = [reason_of(key, rules) for key in game["reasons"]]
    changes = {side: "–" if game[side] is None else in_points(game[side]) for side in ("before", "after")}
    return game | changes | {"reasons": [_(reason.text) for reason in reasons]}
