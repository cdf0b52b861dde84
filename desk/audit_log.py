"""The audit log for FIDE staff and auditors: filtered, paged, as CSV and NDJSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_safe

from core.html.dates import day_text
from core.html.fields import DayInput
from core.html.forms import PortalForm
from core.html.paging import Page, query_url
from core.web.csv import CONTENT_TYPE, csv_text
from desk.access import requires
from players.choices import Area
from ratings.choices import ListKind
from ratings.models import RatingList
from ratings.systems.registry import texts
from tournaments.log import AuditFilter, AuditRow, all_rows, page_of
from tournaments.permissions import can_see_audit_log

# The query needs the day after the last one, which must still be a valid date.
LAST_DAY = date(9998, 12, 31)
COLUMNS = ("at", "kind", "object", "what", "who", "before", "after", "why")
# How entries about lists and texts name them.
DATED = re.compile(r"(\S+)(?: from)? (\d{4}-\d{2}-\d{2})")
TYPES = {"csv": CONTENT_TYPE, "ndjson": "application/x-ndjson"}


class AuditForm(PortalForm):
    """The filter of the audit log. Dates are UTC."""

    person = forms.CharField(label=_l("User (email)"), max_length=120, required=False)
    object = forms.CharField(label=_l("Event ID, FIDE ID or federation"), max_length=120, required=False)
    kind = forms.ChoiceField(label=_l("Subject"), choices=[("", _l("all")), *Area.choices], required=False)
    since = forms.DateField(label=_l("From"), widget=DayInput, required=False)
    until = forms.DateField(
        label=_l("To"),
        widget=DayInput,
        required=False,
        validators=[MaxValueValidator(LAST_DAY)],
    )

    def clean(self) -> dict[str, Any]:
        """Refuse a last day before the first."""
        cleaned = super().clean() or self.cleaned_data
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and until < since:
            message = _("The last day is before the first day. Correct one of them.")
            self.add_error("until", forms.ValidationError(message, code="order"))
        return cleaned

    def read_filter(self) -> AuditFilter | None:
        """Return the filter, or None if it is invalid."""
        return AuditFilter(**self.cleaned_data) if self.is_valid() else None


@require_safe
@requires(can_see_audit_log)
def audit_log(request: HttpRequest) -> HttpResponse:
    """Show a page of the filtered audit log, newest first."""
    form = AuditForm(request.GET)
    wanted = form.read_filter()
    page = page_of(wanted, request.GET) if wanted else Page([])
    page = replace(page, rows=[replace(row, object=_in_words(row)) for row in page.rows])
    # The downloads have the same filters, whatever the page.
    query = query_url(request.GET).removeprefix("?")
    context = {"form": form, "page": page, "query": query, "is_filtered": wanted != AuditFilter()}
    return render(request, "desk/audit_log.html", context)


def _in_words(row: AuditRow) -> str:
    """Return what an entry is about, a list or a text by its name."""
    dated = DATED.fullmatch(row.object)
    if dated is None:
        return row.object
    name, day = dated[1], date.fromisoformat(dated[2])
    if row.kind == Area.LIST and name in ListKind.values:
        return str(RatingList(kind=name, date=day))
    titles = {rules.slug: rules.title for rules in texts()} if row.kind == Area.RULES else {}
    return f"{titles[name]}, {day_text(day)}" if name in titles else row.object


@require_safe
@requires(can_see_audit_log)
def export(request: HttpRequest, form: str) -> HttpResponseBase:
    """Stream the filtered audit log as CSV or NDJSON."""
    wanted = AuditForm(request.GET).read_filter()
    if wanted is None:
        raise Http404(_("These filters are not valid."))
    lines = {"csv": csv_lines, "ndjson": json_lines}[form](all_rows(wanted))
    # The whole log is written row by row: it would not fit into memory.
    return StreamingHttpResponse(
        lines,
        content_type=TYPES[form],
        # Its address keeps the former name, which is in bookmarks and scripts.
        headers={"Content-Disposition": f'attachment; filename="trail.{form}"'},
    )


def csv_lines(rows: Iterator[AuditRow]) -> Iterator[str]:
    yield csv_text([COLUMNS])
    for row in rows:
        yield csv_text([_values(row).values()])


def json_lines(rows: Iterator[AuditRow]) -> Iterator[str]:
    for row in rows:
        yield json.dumps(_values(row) | {"changes": list(row.changes)}, ensure_ascii=False) + "\n"


def _values(row: AuditRow) -> dict[str, str]:
    return {name: str(getattr(row, name)) for name in COLUMNS} | {"at": row.at.isoformat()}
