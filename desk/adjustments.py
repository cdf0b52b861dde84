"""Adjustments of whole lists: prepared after their bands were shown, confirmed by another person, cancelled (D-133)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from core.acts import Act
from core.html.dates import list_month
from core.html.forms import PortalForm
from core.html.refusals import refusals_shown
from core.web.typed_forms import form_of
from desk.access import requires
from desk.acts_on_lists import who_confirms
from players.permissions import is_staff
from ratings.adjust import cancel, confirm, is_settled, prepare, refuse_preparing, show
from ratings.choices import PUBLISHED_KINDS
from ratings.lists import read_lists
from ratings.models import ListAdjustment
from ratings.systems.otb.adjustment import Adjustment
from tournaments.list_dates import lists_after

SHOWN, MONTHS = 25, 6
SHOW = "show"
# What the buttons of an adjustment do and say.
OF_ADJUSTMENTS = {"kind": ListAdjustment, "page": "desk:adjustment"}
CONFIRM = {**OF_ADJUSTMENTS, "do": confirm, "done": _l("The adjustment was confirmed.")}
CANCEL = {**OF_ADJUSTMENTS, "do": cancel, "done": _l("The adjustment was cancelled.")}


class ShareField(forms.CharField):
    """An exact share, typed as a decimal or as a fraction."""

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        try:
            return Fraction(text.replace(",", ".").replace(" ", ""))
        except (ValueError, ZeroDivisionError) as error:
            raise forms.ValidationError(_("Enter a share, for example 0.4 or 2/5."), code="share") from error


class AdjustmentForm(PortalForm):
    """A formula for one list, with the reason and the reference of the decision."""

    kind = forms.ChoiceField(
        label=_l("Rating type"), choices=[(kind.value, kind.label) for kind in PUBLISHED_KINDS]
    )
    list_date = forms.TypedChoiceField(label=_l("List"))
    side = forms.ChoiceField(
        label=_l("Ratings"),
        choices=[
            ("below", pgettext_lazy("ratings", "below the limit")),
            ("above", pgettext_lazy("ratings", "above the limit")),
        ],
    )
    limit = forms.IntegerField(label=_l("Limit"), min_value=1, max_value=9999)
    share = ShareField(
        label=_l("Share of the difference"),
        max_length=20,
        help_text=_l(
            "Of the difference to the limit, for example 0.4 or 2/5. With 0.4 and 2000, a rating of 1200 becomes 1520."
        ),
    )
    least = forms.IntegerField(
        label=_l("Least rating"),
        required=False,
        min_value=1,
        max_value=9999,
        help_text=_l("No adjusted rating is lower."),
    )
    reason = forms.CharField(label=_l("Reason"), max_length=500, help_text=_l("Public."))
    reference = forms.CharField(
        label=_l("Decision"), max_length=200, help_text=_l("Its body and number. Public.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        newest = [item.date for kind in PUBLISHED_KINDS if (item := read_lists().newest(kind))]
        coming = lists_after(min(newest, default=timezone.now().date().replace(day=1)))
        days = [next(coming) for _month in range(MONTHS)]
        field: Any = self.fields["list_date"]
        field.choices = [(day.isoformat(), list_month(day)) for day in days]
        field.coerce = {day.isoformat(): day for day in days}.__getitem__

    @property
    def formula(self) -> Adjustment:
        data = self.cleaned_data
        return Adjustment(data["limit"], data["share"], data["side"] == "above", data["least"])


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(is_staff)
def adjustments(request: HttpRequest) -> HttpResponse:
    """Show the adjustments. Show the bands of another one, then prepare it."""
    form, shown = form_of(request, AdjustmentForm), None
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        place, words = (data["kind"], data["list_date"], form.formula), {"reference": data["reference"]}
        with refusals_shown(form):
            refuse_preparing(*place, reason=data["reason"], **words)
            if request.POST.get("do") != SHOW:
                made = prepare(*place, Act(request.user, timezone.now(), data["reason"]), **words)
                return redirect("desk:adjustment", made.pk)
            shown = show(*place)
    rows = ListAdjustment.objects.select_related("prepared_by", "confirmed_by")[:SHOWN]
    context = {"form": form, "rows": rows, "shown": shown, **who_confirms(request.user, request.user.pk)}
    return render(request, "desk/adjustments/adjustments.html", context)


@never_cache
@require_safe
@requires(is_staff)
def adjustment(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an adjustment with its bands, and what is left to do."""
    item = get_object_or_404(ListAdjustment.objects.select_related("prepared_by", "confirmed_by"), pk=pk)
    is_open = item.cancelled_at is None and not is_settled(item)
    context = {
        "item": item,
        "shown": show(item.kind, item.list_date, item.formula),
        "may_cancel": is_open,
        "may_confirm": is_open and item.confirmed_at is None,
        **who_confirms(request.user, item.prepared_by_id),
    }
    return render(request, "desk/adjustments/adjustment.html", context)
