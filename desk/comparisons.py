"""Comparisons of published lists with FIDE's lists of the same date. Open differences are carried over."""

from __future__ import annotations

import tempfile
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.acts import Act
from core.html.dates import list_month
from core.html.figures import signed_points
from core.html.forms import PortalForm
from core.html.refusals import refusals_shown
from core.web.typed_forms import form_of
from core.web.uploads import bounded
from desk.access import requires
from players.permissions import is_staff
from ratings.choices import Origin
from ratings.comparison import LIKELY, compare_list, remove_comparison
from ratings.models import Comparison, RatingList

MAX_BYTES = 60 << 20
SHOWN, ROWS = 50, 100
Row = dict[str, Any]
# Labels of the compared fields, by the names in the files.
FIELDS = {
    "name": _l("Name"),
    "federation": _l("Federation"),
    "sex": _l("Sex"),
    "title": _l("Title"),
    "birth_year": _l("Year of birth"),
    "rating": _l("Rating"),
    "games": _l("Games"),
    "k": _l("K-factor"),
    "inactive": _l("Inactive"),
}
SIDES = {"only_here": _l("Only in the portal"), "only_there": _l("Only at FIDE")}


class ComparisonForm(PortalForm):
    """A published list, and FIDE's file of the same date."""

    rating_list = forms.ModelChoiceField(
        label=_l("Published list"), queryset=RatingList.objects.none(), empty_label=None
    )
    file = forms.FileField(
        label=_l("FIDE list"),
        help_text=_l(
            "TXT or XML, uncompressed, .gz or .zip, up to 60 MiB. For larger files, use the command "
            "compare_list."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A manifest names every report and file of its list: too much for a line of a choice.
        published = RatingList.objects.filter(origin=Origin.PUBLISHED).defer("manifest")
        self.fields["rating_list"].queryset = published.order_by("-date", "kind")  # type: ignore[attr-defined]


@never_cache
@bounded({"file": MAX_BYTES})
@require_http_methods(["GET", "HEAD", "POST"])
@requires(is_staff)
def comparisons(request: HttpRequest) -> HttpResponse:
    """Show the comparisons, and compare a list with a file."""
    form = form_of(request, ComparisonForm)
    if request.method == "POST" and form.is_valid():
        with refusals_shown(form):
            return redirect("desk:comparison", _compare(request, form).pk)
    found = Comparison.objects.select_related("rating_list", "by").defer("rating_list__manifest")
    rows = [(row, str(row.rating_list)) for row in found[:SHOWN]]
    return render(request, "desk/comparisons/comparisons.html", {"form": form, "rows": rows})


def _compare(request: HttpRequest, form: ComparisonForm) -> Comparison:
    """Compare with the uploaded file, copied to a temporary folder."""
    upload = form.cleaned_data["file"]
    # The readers of lists take a path: they look into packed files, and read a list of any size in parts.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "list"
        with path.open("wb") as target:
            for part in upload.chunks():
                target.write(part)
        return compare_list(
            form.cleaned_data["rating_list"],
            path,
            file_name=upload.name,
            by=request.user,
            at=timezone.now(),
        )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(is_staff)
def comparison(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the differences, since when each exists, and the settled ones; remove the comparison."""
    item = get_object_or_404(Comparison.objects.select_related("rating_list", "by"), pk=pk)
    if request.method == "POST":
        remove_comparison(item, Act(request.user, timezone.now()))
        messages.success(request, _("The comparison was removed."))
        return redirect("desk:comparisons")
    result = item.result
    alone = [
        {"key": key, "side": side} | _describe_row(row) for key, side in SIDES.items() for row in result[key]
    ]
    # Of all differences, of which the page shows the first rows.
    counts = Counter(row["field"] for row in result["different"])
    context = {
        "item": item,
        "title": str(item.rating_list),
        "figures": [(_("Equal players"), result["equal"])]
        + [(label, counts[field]) for field, label in FIELDS.items() if counts[field]]
        + [(label, len(result[key])) for key, label in SIDES.items()],
        "different": [_describe_row(row) for row in result["different"][:ROWS]],
        "alone": alone[:ROWS],
        "left_out": max(0, len(result["different"]) - ROWS) + max(0, len(alone) - ROWS),
        "settled": [_describe_row(row) for row in item.settled[:ROWS]],
    }
    return render(request, "desk/comparisons/comparison.html", context)


def _describe_row(row: Row) -> Row:
    """Return a row for the page: label, values, likely reason, difference, and the month since which it differs."""
    values: tuple[Any, Any] = (row.get("here"), row.get("there"))
    # Only these two are amounts: 20 instead of 40 as K-factor is another rule, not a difference of points.
    is_figure = row.get("field") in ("rating", "games") and None not in values
    return row | {
        "label": FIELDS.get(row.get("field", ""), ""),
        "here": _value(values[0]),
        "there": _value(values[1]),
        "reason": LIKELY.show(row["reason"]),
        "difference": signed_points(values[1] - values[0]) if is_figure else "",
        "since": list_month(date.fromisoformat(row["since"])),
    }


def _value(value: Any) -> Any:
    """Return a value for the page: a dash for an empty one, yes or no for a Boolean."""
    words = {"True": _("yes"), "False": _("no"), "None": "–", "": "–"}
    return words.get(str(value), value)
