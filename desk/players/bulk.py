"""Many new players from one CSV: the findings by row and column, what would happen, then all or nothing."""

from __future__ import annotations

import csv
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from core.errors import RefusedError
from core.web.sheets import text_of
from core.web.uploads import bounded, too_large_field
from desk.access import requires
from desk.players.bulk_form import COLUMNS, MOST_BYTES, REQUIRED, BulkForm, read_sheet
from players.permissions import can_register_players, registering_federations
from players.services.bulk import prospects, register_all

EXAMPLES = (("Musterfrau, Petra", "F", date(2011, 5, 30)), ("Exempel, Karl", "M", date(2009, 11, 2)))


@require_safe
@requires(can_register_players)
def template(request: HttpRequest) -> HttpResponse:
    """Give a CSV with the names of the columns and two rows as an example."""
    response = HttpResponse(
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="players.csv"'},
    )
    own = registering_federations(request.user).order_by("code").values_list("code", flat=True).first()
    writer = csv.writer(response)
    writer.writerow(COLUMNS)
    writer.writerows((*example, own or "") for example in EXAMPLES)
    return response


@bounded({"rows_file": MOST_BYTES})
@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register_players)
def bulk(request: HttpRequest) -> HttpResponse:
    """Take a file, show what it would lead to, and register its players when that is confirmed."""
    if request.method != "POST":
        return _page(request, BulkForm())
    if "text" in request.POST:
        return _confirm(request, request.POST["text"])
    form = BulkForm(request.POST, request.FILES)
    too_large = too_large_field(request)
    if not form.is_valid() or too_large:
        if too_large:
            form.errors.pop("rows_file", None)
            form.add_error("rows_file", _("The file is larger than 128 KiB. Split it."))
        return _page(request, form)
    return _show(request, text_of(form.cleaned_data["rows_file"].read()))


def _show(request: HttpRequest, text: str) -> HttpResponse:
    sheet = read_sheet(text, user=request.user, today=timezone.now().date())
    if sheet.findings:
        return _page(request, BulkForm(), findings=sheet.findings)
    planned = prospects(sheet.rows)
    sure = sum(one.is_sure for one in planned.values())
    doubtful = sum(one.is_doubtful for one in planned.values())
    return _page(
        request, BulkForm(), rows=planned, text=text, sure=sure, doubtful=doubtful, new=sure + doubtful
    )


def _confirm(request: HttpRequest, text: str) -> HttpResponse:
    if len(text.encode(errors="replace")) > 2 * MOST_BYTES:
        return _page(request, BulkForm())
    now = timezone.now()
    sheet = read_sheet(text, user=request.user, today=now.date())
    if sheet.findings:
        return _page(request, BulkForm(), findings=sheet.findings)
    try:
        done = register_all(sheet.rows, by=request.user, at=now)
    except RefusedError as error:
        messages.error(request, str(error))
        return _show(request, text)
    # The answer itself says who has which ID; sent again it says the same and registers nobody.
    return _page(request, BulkForm(), done=done, names={line: new.name for line, new in sheet.rows.items()})


def _page(request: HttpRequest, form: BulkForm, **shown: Any) -> HttpResponse:
    help_of = {
        "name": _("Family name, given name, as in the passport."),
        "sex": _("M or F."),
        "birth_date": _("As 2011-05-30 or 30.05.2011."),
        "federation": _("Its code; may be left out where you act for one federation."),
    }
    columns = [{"name": name, "help": help_of[name], "required": name in REQUIRED} for name in COLUMNS]
    return render(request, "desk/players/bulk.html", {"form": form, "columns": columns, **shown})
