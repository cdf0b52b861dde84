"""Fee statements, for federations and staff."""

from __future__ import annotations

from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from core.html.paging import Keyset
from core.web.csv import csv_response
from desk.access import requires
from players.permissions import can_see_fees
from ratings.fees import FeeLine, lines_of, statements_of
from ratings.models import FeeStatement

NEWEST_FIRST = Keyset(("-rating_list__date", "rating_list__kind", "federation_id"))
COLUMNS = ("event_id", "tournament", "first_day", "last_day", "players", "amount", "currency")


@require_safe
@requires(can_see_fees)
def statements(request: HttpRequest) -> HttpResponse:
    """Show the fee statements visible to the user, newest list first."""
    page = NEWEST_FIRST.page(statements_of(request.user), request.GET, size=50)
    # Amounts of one currency, all of them on the page, have a sum.
    currencies = {row.rate.currency for row in page.rows if row.rate}
    is_whole = len(currencies) == 1 and not (page.first_url or page.next_url)
    summed = ("tournaments", "players", "amount")
    total = {name: sum(getattr(row, name) for row in page.rows) for name in summed} if is_whole else None
    return render(
        request,
        "desk/fees/fees.html",
        {"page": page, "total": total, "currency": min(currencies, default="")},
    )


@require_safe
@requires(can_see_fees)
def former(request: HttpRequest, number: int = 0) -> HttpResponse:
    """Lead from the addresses of invoices, which former releases made, to the statements."""
    return redirect("fees:statements")


@require_safe
@requires(can_see_fees)
def statement(request: HttpRequest, kind: str, day: date, code: str) -> HttpResponse:
    """Show one statement with its tournaments, ready to print."""
    chosen = chosen_statement(request, kind, day, code)
    return render(request, "desk/fees/fee_statement.html", {"statement": chosen, "lines": lines_of(chosen)})


@require_safe
@requires(can_see_fees)
def statement_csv(request: HttpRequest, kind: str, day: date, code: str) -> HttpResponse:
    chosen = chosen_statement(request, kind, day, code)
    name = f"fees-{chosen.federation_id}-{chosen.rating_list.kind}-{chosen.rating_list.date}.csv"
    # A statement of a date without rates has no currency.
    currency = chosen.rate.currency if chosen.rate else ""
    rows = (_row(line, currency) for line in lines_of(chosen))
    return csv_response(name, [COLUMNS, *rows])


def _row(line: FeeLine, currency: str) -> tuple[object, ...]:
    event = line.tournament
    return event.event_id, event.name, event.start, event.end, line.players, line.amount, currency


def chosen_statement(request: HttpRequest, kind: str, day: date, code: str) -> FeeStatement:
    wanted = {"rating_list__kind": kind, "rating_list__date": day, "federation": code}
    return get_object_or_404(statements_of(request.user), **wanted)
