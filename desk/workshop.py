"""The workshop: proposals of the QC and FIDE staff, tried on published lists, compared and shared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import refusals_in_messages, refusals_shown
from core.html.charts.curves import Curve, curve_chart_svg, curve_chart_table
from core.html.figures import signed_tenths
from core.html.forms import PortalForm
from core.html.tables import Table
from core.text_values import read_number
from core.web.typed_forms import form_of
from desk.access import requires
from desk.texts import list_title, month_choices, months_shown
from ratings.models import TextTrial
from ratings.permissions import can_propose, can_see_workshop, proposals_of
from ratings.services.text_proposals import MAX_NAME, share_proposal, try_proposal
from ratings.systems.arithmetic import half_away_from_zero
from ratings.systems.registry import known_texts, rules_named
from ratings.systems.variants import (
    MAX_CAP,
    MAX_FLOOR,
    MAX_K,
    MAX_LISTS,
    MIN_CAP,
    MIN_FLOOR,
    MIN_K,
    MIN_LISTS,
    Parameters,
)

SHOWN = 50
MAX_COMPARED = 3
LINES = ("first", "second", "third")
# Classes of the chart that compares proposals: 5 points each up to 50, the outermost ones are open.
STEP, WIDEST = 5, 50
# The most letters of a name that fit beside a chart on a phone.
LABEL = 11
Row = dict[str, Any]


class ProposalForm(PortalForm):
    """A text, the parameters that a proposal changes, and the published months for the trial."""

    name = forms.CharField(label=_l("Name"), max_length=MAX_NAME, help_text=_l("For example: cap 500, K 30."))
    text = forms.ChoiceField(
        label=_l("Text"),
        help_text=_l("If a field below is empty, the value of this text applies."),
        widget=forms.RadioSelect,
    )
    cap = forms.IntegerField(
        label=_l("Largest rating difference that counts"),
        min_value=MIN_CAP,
        max_value=MAX_CAP,
        required=False,
    )
    k = forms.IntegerField(
        label=_l("K-factor of all players"), min_value=MIN_K, max_value=MAX_K, required=False
    )
    floor = forms.IntegerField(
        label=_l("Lowest published rating"), min_value=MIN_FLOOR, max_value=MAX_FLOOR, required=False
    )
    # The parameter `initial`. It does not use `forms.Form.initial`.
    initial = forms.ChoiceField(  # type: ignore[assignment]
        label=_l("Initial rating by"), required=False, widget=forms.RadioSelect
    )
    active_lists = forms.IntegerField(
        label=_l("Months until a player is inactive"),
        min_value=MIN_LISTS,
        max_value=MAX_LISTS,
        required=False,
    )
    months = forms.MultipleChoiceField(label=_l("Months"), widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = [(rules.slug, rules.title) for rules in known_texts()]
        self.fields["text"].choices = named  # type: ignore[attr-defined]
        self.fields["initial"].choices = [("", _l("The same text")), *named]  # type: ignore[attr-defined]
        self.fields["months"].choices = month_choices()  # type: ignore[attr-defined]

    @property
    def parameters(self) -> Parameters:
        names = ("text", "cap", "k", "floor", "active_lists")
        return Parameters(
            **{name: self.cleaned_data[name] for name in names}, initial=self.cleaned_data["initial"] or None
        )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_see_workshop)
def workshop(request: HttpRequest) -> HttpResponse:
    """Show the proposals visible to the user, and try a new one on published months."""
    if request.method == "POST" and not can_propose(request.user):
        raise PermissionDenied
    form = form_of(request, ProposalForm)
    if request.method == "POST" and form.is_valid():
        months = [date.fromisoformat(day) for day in form.cleaned_data["months"]]
        with refusals_shown(form):
            made = try_proposal(
                form.cleaned_data["name"], form.parameters, months, by=request.user, at=timezone.now()
            )
            return redirect("desk:proposal", made.pk)
    proposals = proposals_of(request.user)[:SHOWN]
    context = {
        "form": form if can_propose(request.user) else None,
        "proposals": [(item, parameters_shown(item)) for item in proposals],
        "most": MAX_COMPARED,
    }
    return render(request, "desk/workshop/workshop.html", context)


@never_cache
@require_safe
@requires(can_see_workshop)
def proposal(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the results of a proposal's trial so far."""
    item = get_object_or_404(proposals_of(request.user), pk=pk)
    context = {
        "trial": item,
        "parameters": parameters_shown(item),
        "is_author": item.by_id == request.user.pk,
        **months_shown(item),
    }
    return render(request, "desk/workshop/proposal.html", context)


@require_POST
@requires(can_see_workshop)
def share(request: HttpRequest, pk: int) -> HttpResponse:
    """Share one of the user's own proposals with the QC, FIDE staff and FIDE Council."""
    item = get_object_or_404(proposals_of(request.user), pk=pk)
    with refusals_in_messages(request):
        share_proposal(item, by=request.user, at=timezone.now())
        messages.success(request, _("The proposal is shared. Send the link of this page."))
    return redirect("desk:proposal", pk)


@never_cache
@require_safe
@requires(can_see_workshop)
def compare(request: HttpRequest) -> HttpResponse:
    """Show two or three proposals side by side."""
    named = (read_number(text) for text in request.GET.getlist("proposal"))
    wanted = [number for number in named if number is not None]
    chosen = list(proposals_of(request.user).filter(pk__in=wanted).order_by("pk")[:MAX_COMPARED])
    context = {"proposals": chosen, "most": MAX_COMPARED}
    if chosen:
        lists = sorted({name for item in chosen for name in item.lists})
        context |= {
            "parameters": _parameter_table(chosen),
            "tables": [(title, _table(chosen, lists, read)) for title, read in FIGURES],
            "chart": _chart(chosen),
        }
    return render(request, "desk/workshop/compare.html", context)


def parameters_shown(item: TextTrial) -> list[tuple[str, str]]:
    """Return the parameters that a proposal changes, as pairs of label and value."""
    row = Parameters.from_row(item.parameters).as_row()
    titles = {"text", "initial"}
    labels = {name: str(field.label) for name, field in ProposalForm.base_fields.items()}
    return [
        (labels[name], rules_named(value).title if name in titles else str(value))
        for name, value in row.items()
    ]


def _parameter_table(chosen: Sequence[TextTrial]) -> Table:
    shown = [dict(parameters_shown(item)) for item in chosen]
    labels = list(dict.fromkeys(label for one in shown for label in one))
    rows = [[label, *(one.get(label, _("as in the text")) for one in shown)] for label in labels]
    return Table([_("Figure"), *(item.name for item in chosen)], rows, numeric_from=len(chosen) + 1)


def mean_tenths(row: Row) -> int | None:
    """Return the average difference of the players with another rating on both sides, in tenths of a point."""
    players = sum(number for _points, number in row["distribution"])
    points = sum(points * number for points, number in row["distribution"])
    return half_away_from_zero(Fraction(10 * points, players)) if players else None


FIGURES: list[tuple[Any, Callable[[Row], str]]] = [
    (_l("Players with a different rating"), lambda row: str(row["players"])),
    (_l("Average difference of these players"), lambda row: signed_tenths(mean_tenths(row))),
    (_l("Games rated differently"), lambda row: str(row["games"])),
    (_l("New and lost ratings"), lambda row: f"{row['new']} / {row['lost']}"),
    (
        _l("Players active instead of inactive, and inactive instead of active"),
        lambda row: f"{row['activity']['active']} / {row['activity']['inactive']}",
    ),
]


def _table(chosen: Sequence[TextTrial], lists: Sequence[str], read: Callable[[Row], str]) -> Table:
    """Return a figure by list and proposal. A dash means not tried on this list, or not finished."""
    done = [{f"{row['kind']} {row['date']}": read(row) for row in item.results} for item in chosen]
    rows = [[_title(name), *(one.get(name, "–") for one in done)] for name in lists]
    return Table([_("List"), *(item.name for item in chosen)], rows)


def _title(name: str) -> str:
    """Return the title of a list of a trial, given as `rapid 2026-02-01`."""
    kind, day = name.split()
    return list_title(kind, date.fromisoformat(day))


def _chart(chosen: Sequence[TextTrial]) -> Row:
    """Return a line for each proposal: the number of players by rating difference, on all its lists together."""
    classes = range(-WIDEST, WIDEST + 1, STEP)
    labels = [f"{first:+d}".replace("-", "−") for first in classes]
    curves = []
    for kind, item in zip(LINES, chosen, strict=False):
        counts = dict.fromkeys(classes, 0)
        for row in item.results:
            for points, number in row["distribution"]:
                nearest = (2 * points + STEP) // (2 * STEP) * STEP
                counts[max(-WIDEST, min(WIDEST, nearest))] += number
        curves.append(Curve(kind, Truncator(item.name).chars(LABEL), [10 * counts[one] for one in classes]))
    named = [replace(curve, label=item.name) for curve, item in zip(curves, chosen, strict=True)]
    title = _("Players by difference")
    description = _("Number of players by points gained or lost, on all lists of a proposal.")
    return {
        "svg": curve_chart_svg(
            labels, curves, title=title, description=description, name="proposals", write=_whole
        ),
        "table": curve_chart_table(labels, named, head=_("Difference"), write=_whole),
        "caption": title,
    }


def _whole(tenths: int | None) -> str:
    return str((tenths or 0) // 10)
