"""The results of a text's trial on published months, and its adoption (D-90)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from itertools import count
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.html.charts.bars import Bar, bar_chart_svg, bar_chart_table
from core.html.fields import DayInput
from core.html.figures import signed_hundredths, signed_points
from core.html.forms import PortalForm
from core.html.refusals import refusals_shown
from core.web.typed_forms import form_of
from desk.access import requires
from players.permissions import is_staff
from ratings.adoptions import adopt
from ratings.models import RatingList, TextTrial
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.registry import reason_of, rules_named

# So many players of a list are shown.
SHOWN = 25


Row = dict[str, Any]


class AdoptionForm(PortalForm):
    """The effective date of a text, with the reason."""

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
def trial(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the results of a trial so far, and adopt its text."""
    item = get_object_or_404(TextTrial, pk=pk)
    form = form_of(request, AdoptionForm)
    # A text is adopted only after the portal has shown what it would have changed (D-90).
    if request.method == "POST" and item.is_done and form.is_valid():
        with refusals_shown(form):
            made = adopt(item.text, **form.cleaned_data, by=request.user, at=timezone.now())
            message = _("%(text)s was adopted, effective %(day)s.")
            messages.success(request, message % {"text": made.text, "day": date_format(made.first_day)})
            return redirect("desk:texts")
    context = {
        "trial": item,
        "rules": rules_named(item.text),
        "form": form,
        **describe_months(item),
    }
    return render(request, "desk/texts/trial.html", context)


FIGURES: list[tuple[Any, Callable[[Row], int]]] = [
    (_l("Players with a different rating"), lambda row: row["players"]),
    (_l("Games rated differently"), lambda row: row["games"]),
    (_l("New ratings"), lambda row: row["new"]),
    (_l("Lost ratings"), lambda row: row["lost"]),
]


# Shown only if the text changes who is active.
ACTIVITY: list[tuple[Any, Callable[[Row], int]]] = [
    (_l("Active instead of inactive"), lambda row: row["activity"]["active"]),
    (_l("Inactive instead of active"), lambda row: row["activity"]["inactive"]),
]


def describe_months(trial: TextTrial) -> Row:
    """Return the context of a trial's finished lists: figures of each list, with the players concerned."""
    is_activity_other = any(read(row) for _label, read in ACTIVITY for row in trial.results)
    figures = FIGURES + (ACTIVITY if is_activity_other else [])
    months = [
        _describe_month(row, trial.rules) | {"figures": [(label, read(row)) for label, read in figures]}
        for row in trial.results
    ]
    is_different = any(value for month in months for _label, value in month["figures"])
    is_open = trial.is_done and sum(bool(month["most"]) for month in months) == 1
    labels = [label for label, _read in figures]
    return {"labels": labels, "months": months, "is_open": is_open, "is_different": is_different}


def _describe_month(row: Row, rules: PeriodRules) -> Row:
    """Return the context of one list: a chart of the differences, and the most affected players with their games."""
    bars = difference_bars(row["distribution"])
    title = _("Players by difference")
    description = _("Number of players by points gained or lost.")
    name = f"differences-{row['kind']}-{row['date']}"
    day = date.fromisoformat(row["date"])
    most = [
        item
        | {
            "games": [_game(game, rules) for game in row["explained"].get(str(item["fide_id"]), ())],
            # Trials from before K-factors were explained have none.
            "k_factors": [_k_factor(each) for each in row.get("k_factors", {}).get(str(item["fide_id"]), ())],
            "difference": None if None in (item["before"], item["after"]) else item["after"] - item["before"],
        }
        for item in row["differences"][:SHOWN]
    ]
    return {
        "name": f"list-{row['kind']}-{row['date']}",
        # Not read: the title follows from kind and date, and the list may be large.
        "title": str(RatingList(kind=row["kind"], date=day)),
        "kind": row["kind"],
        "day": day,
        "most": most,
        "is_explained": any(item["games"] or item["k_factors"] for item in most),
        "svg": bar_chart_svg(bars, title=title, description=description, name=name),
        "table": bar_chart_table(bars, heads=(_("Difference"), _("Players"))) if bars else None,
        "caption": title,
    }


# The most bars in a chart of differences. All bars have the same width, so that the axis is linear.
MAX_BARS = 25


def difference_bars(distribution: Sequence[Sequence[int]]) -> list[Bar]:
    """Return bars of equal class width, empty classes included, labelled like `+6 to +10`."""
    if not distribution:
        return []
    points = [one for one, _number in distribution]
    # With zero, so that gains and losses have their places also where there is only one of them.
    low, high = min(0, *points), max(0, *points)
    width = next(step for step in _steps() if high // step - low // step < MAX_BARS)
    counts = dict.fromkeys(range(low // width, high // width + 1), 0)
    for one, number in distribution:
        counts[one // width] += number
    return [Bar(_class_label(first * width, width), number) for first, number in counts.items()]


def _steps() -> Iterator[int]:
    """Yield the class widths: 1, 2, 5, 10, 20, 50, ..."""
    for power in count():
        yield from (10**power, 2 * 10**power, 5 * 10**power)


def _class_label(first: int, width: int) -> str:
    if width == 1:
        return signed_points(first)
    ends = {"first": signed_points(first), "last": signed_points(first + width - 1)}
    return _("%(first)s to %(last)s") % ends


def _k_factor(item: Row) -> Row:
    """Return a tournament rated with another K-factor, formatted for the page."""
    return item | {"changes": [signed_hundredths(change) for change in item["changes"]]}


def _game(game: Row, rules: PeriodRules) -> Row:
    """Return a game for the page: reasons, official rating change, and the rating change under the text."""
    reasons = [reason_of(key, rules) for key in game["reasons"]]
    changes = {side: signed_hundredths(game[side]) for side in ("before", "after")}
    return (
        game | changes | {"reason_keys": game["reasons"], "reasons": [_(reason.text) for reason in reasons]}
    )
