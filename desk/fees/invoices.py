"""The invoices of fee statements, for federations and staff."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods, require_safe

from core.html.fields import DayInput
from core.html.forms import PortalForm
from core.html.paging import Keyset
from core.html.refusals import refusals_in_messages, refusals_shown
from core.web.csv import csv_response
from core.web.typed_forms import restore_form
from desk.access import requires
from desk.fees.fees import chosen_statement
from players.permissions import can_see_fees, is_staff
from ratings.models import Invoice, RatingList
from ratings.permissions import invoices_of
from ratings.services import invoices as service

NEWEST_FIRST = Keyset(("-number",))
MAX_CSV_ROWS = 20_000
COLUMNS = (
    "number", "kind", "state", "for", "federation", "list_type", "list_date", "issued_on", "due_on", "currency",
    "amount", "sent_on", "paid_on", "payment", "reason",
)  # fmt: skip
Action = Callable[..., object]
ACTIONS: dict[str, Action] = {
    "send": service.send_invoice,
    "remind": service.remind,
    "late": service.charge_late_fee,
}


class PaymentForm(PortalForm):
    """A payment with its date and reference."""

    paid_on = forms.DateField(label=_l("Paid on"), widget=DayInput)
    payment = forms.CharField(label=_l("Payment reference"), max_length=120, required=False)


class CancelForm(PortalForm):
    """The reason for cancelling an invoice."""

    reason = forms.CharField(label=_l("Reason for the counter-invoice"), max_length=500)


@require_safe
@requires(can_see_fees)
def invoices(request: HttpRequest) -> HttpResponse:
    """Show the invoices visible to the user, newest first."""
    page = NEWEST_FIRST.page(invoices_of(request.user), request.GET, size=50)
    today = timezone.now().date()
    overdue = {row.pk for row in page.rows if service.is_overdue(row, on=today)}
    return render(request, "desk/fees/invoices.html", {"page": page, "overdue": overdue})


@require_safe
@requires(can_see_fees)
def invoices_csv(request: HttpRequest) -> HttpResponse:
    """Return the invoices visible to the user as CSV, oldest first."""
    rows = invoices_of(request.user).order_by("number")[:MAX_CSV_ROWS]
    return csv_response("invoices.csv", [COLUMNS, *(_invoice_row(one) for one in rows)])


def _invoice_row(invoice: Invoice) -> tuple[object, ...]:
    of, items = invoice.of, invoice.statement.rating_list
    sent_on = invoice.sent_at.date() if invoice.sent_at else ""
    return (
        invoice.number, invoice.kind, invoice.state, of.number if of else "", invoice.federation_id, items.kind,
        items.date, invoice.issued_on, invoice.due_on, invoice.currency, invoice.amount, sent_on,
        invoice.paid_on or "", invoice.payment, invoice.reason,
    )  # fmt: skip


@require_safe
@requires(can_see_fees)
def invoice(request: HttpRequest, number: int) -> HttpResponse:
    """Show one invoice, ready to print."""
    return _page(request, _invoice_or_404(request, number))


@require_http_methods(["POST"])
@requires(is_staff)
def issue(request: HttpRequest, kind: str, day: date) -> HttpResponse:
    """Issue the missing invoices of a list."""
    rating_list = get_object_or_404(RatingList, kind=kind, date=day)
    with refusals_in_messages(request):
        made = service.issue_for_list(rating_list, by=request.user, at=timezone.now())
        messages.success(request, _("Invoices issued: %(number)d") % {"number": len(made)})
    return redirect("fees:invoices")


@require_http_methods(["POST"])
@requires(is_staff)
def issue_one(request: HttpRequest, kind: str, day: date, code: str) -> HttpResponse:
    """Issue the invoice of one statement."""
    statement = chosen_statement(request, kind, day, code)
    with refusals_in_messages(request):
        made = service.issue_invoice(statement, by=request.user, at=timezone.now())
        return redirect("fees:invoice", made.number)
    return redirect("fees:statement", kind, day, code)


@require_http_methods(["POST"])
@requires(is_staff)
def act(request: HttpRequest, number: int, name: str) -> HttpResponse:
    """Send an invoice, send a reminder, or charge the late fee."""
    if name not in ACTIONS:
        raise Http404
    chosen = _invoice_or_404(request, number)
    with refusals_in_messages(request):
        ACTIONS[name](chosen, by=request.user, at=timezone.now())
        messages.success(request, _("Invoice %(number)s was updated.") % {"number": chosen})
    return redirect("fees:invoice", number)


@require_http_methods(["POST"])
@requires(is_staff)
def pay(request: HttpRequest, number: int) -> HttpResponse:
    """Record a payment."""
    chosen, form, now = _invoice_or_404(request, number), PaymentForm(request.POST), timezone.now()
    if form.is_valid():
        values = form.cleaned_data
        with refusals_shown(form):
            service.record_payment(
                chosen, on=values["paid_on"], payment=values["payment"], by=request.user, at=now
            )
            return redirect("fees:invoice", number)
    return _page(request, chosen, payment=form)


@require_http_methods(["POST"])
@requires(is_staff)
def cancel(request: HttpRequest, number: int) -> HttpResponse:
    """Cancel an invoice by a counter-invoice."""
    chosen, form = _invoice_or_404(request, number), CancelForm(request.POST)
    if form.is_valid():
        with refusals_shown(form):
            made = service.cancel_invoice(
                chosen, reason=form.cleaned_data["reason"], by=request.user, at=timezone.now()
            )
            return redirect("fees:invoice", made.number)
    return _page(request, chosen, cancelling=form)


def _invoice_or_404(request: HttpRequest, number: int) -> Invoice:
    return get_object_or_404(invoices_of(request.user), number=number)


def _page(
    request: HttpRequest,
    chosen: Invoice,
    *,
    payment: PaymentForm | None = None,
    cancelling: CancelForm | None = None,
) -> HttpResponse:
    today = timezone.now().date()
    context: dict[str, Any] = {
        "invoice": chosen,
        "statement": chosen.statement,
        "reminders": chosen.reminders.all(),
        "is_overdue": service.is_overdue(chosen, on=today),
        "may_change": is_staff(request.user),
        "payment": payment
        or PaymentForm(_typed_values(request, "fees:pay", chosen), initial={"paid_on": today}),
        "cancelling": cancelling or CancelForm(_typed_values(request, "fees:cancel", chosen)),
    }
    return render(request, "desk/fees/invoice.html", context)


def _typed_values(request: HttpRequest, view: str, chosen: Invoice) -> QueryDict | None:
    # The two forms of the page are sent to other addresses, under which the typed values were kept (ADR 13).
    return restore_form(request, to=reverse(view, args=[chosen.number]))
