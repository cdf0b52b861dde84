"""Invoices for the statements of federations: issued, sent, reminded of, paid, cancelled."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.errors import refused
from players.choices import ActKind, Deed, NoticeKind, Role
from players.models import Appointment
from players.permissions import is_staff
from players.services import notices
from players.services.acts import record_act
from ratings.choices import InvoiceKind, InvoiceState
from ratings.models import FeeStatement, Invoice, InvoiceCounter, InvoiceReminder, RatingList

MAX_REMINDERS = 3
DAYS_BETWEEN_REMINDERS = 7


def issue_invoice(statement: FeeStatement, *, by: Any, at: datetime) -> Invoice:
    """Return a new invoice for a statement; `RefusedError` where nothing is owed or one is in use."""
    with transaction.atomic():
        # Every act that issues an invoice locks the counter first: so two never wait for each other in a circle.
        number = _next_number(by)
        if statement.rate is None or not statement.amount:
            raise refused("nothing-owed", _("The federation owes nothing for this list."))
        if in_use(statement.invoices.all()).exists():
            raise refused("invoiced", _("An invoice for this fee statement exists. Cancel it first."))
        currency = statement.rate.currency
        return _issue(number, statement, InvoiceKind.FEES, statement.amount, currency, by=by, at=at)


def issue_for_list(rating_list: RatingList, *, by: Any, at: datetime) -> list[Invoice]:
    """Return new invoices for all statements of a list that have none in use, in the order of the federations."""
    owed = rating_list.fee_statements.filter(rate__isnull=False, amount__gt=0).select_related("rate")
    with transaction.atomic():
        held = set(in_use(Invoice.objects.filter(statement__in=owed)).values_list("statement", flat=True))
        waiting = [one for one in owed.order_by("federation") if one.pk not in held]
        return [issue_invoice(one, by=by, at=at) for one in waiting]


def cancel_invoice(invoice: Invoice, *, reason: str, by: Any, at: datetime) -> Invoice:
    """Return the counter-invoice that cancels an invoice; `RefusedError` without a reason or for a paid one."""
    with transaction.atomic():
        number = _next_number(by)
        held = _lock_invoice(invoice)
        if not reason.strip():
            raise refused(
                "reason-missing", _("Enter the reason. It is printed on the counter-invoice."), "reason"
            )
        if held.state not in (InvoiceState.OPEN, InvoiceState.SENT):
            raise refused("settled", _("Only an open or sent invoice can be cancelled."))
        kept = {"of": held, "reason": reason.strip()[:500]}
        return _issue(
            number, held.statement, InvoiceKind.COUNTER, -held.amount, held.currency, by=by, at=at, **kept
        )


def charge_late_fee(invoice: Invoice, *, by: Any, at: datetime) -> Invoice:
    """Return an invoice for the late fee of an overdue one, at the rate of its list; once for each invoice."""
    with transaction.atomic():
        number = _next_number(by)
        held = _lock_invoice(invoice)
        _refuse_not_overdue(held, on=at.date())
        fee = held.statement.rate.late_fee if held.statement.rate else Decimal(0)
        if not fee:
            raise refused("no-late-fee", _("The rate of this list has no late fee."))
        if any(one.kind == InvoiceKind.LATE for one in held.followers.all()):
            raise refused("charged", _("The late fee for this invoice is already charged."))
        return _issue(number, held.statement, InvoiceKind.LATE, fee, held.currency, by=by, at=at, of=held)


def send_invoice(invoice: Invoice, *, by: Any, at: datetime) -> None:
    """Send an open invoice by email to the rating officers of the federation; its state is sent from then on."""
    _refuse_others(by)
    with transaction.atomic():
        held = _lock_invoice(invoice)
        if held.kind != InvoiceKind.COUNTER and held.state in (InvoiceState.PAID, InvoiceState.CANCELLED):
            raise refused("settled", _("Only an open invoice can be sent."))
        if not Invoice.objects.filter(pk=invoice.pk, sent_at=None).update(sent_at=at):
            raise refused("sent", _("The invoice was already sent."))
        subject = _l("Invoice %(number)s, %(federation)s")
        _post(invoice, "mails/invoice.txt", subject, key=f"invoice:{invoice.number}", at=at)
        _record(invoice, by=by, at=at, after="sent")


def remind(invoice: Invoice, *, by: Any, at: datetime) -> InvoiceReminder:
    """Send a reminder of an overdue invoice: 3 at most, a week apart."""
    _refuse_others(by)
    with transaction.atomic():
        held = _lock_invoice(invoice)
        _refuse_not_overdue(held, on=at.date())
        former = list(held.reminders.order_by("number"))
        if len(former) >= MAX_REMINDERS:
            message = _("%(number)d reminders were sent, which is the limit.")
            raise refused("reminders", message % {"number": MAX_REMINDERS})
        if former and at.date() - former[-1].at.date() < timedelta(days=DAYS_BETWEEN_REMINDERS):
            message = _("The last reminder is less than %(number)d days old.")
            raise refused("too-soon", message % {"number": DAYS_BETWEEN_REMINDERS})
        made = InvoiceReminder.objects.create(invoice=held, number=len(former) + 1, at=at, by=by)
        subject = _l("Reminder: invoice %(number)s, %(federation)s")
        _post(held, "mails/reminder.txt", subject, key=f"invoice:{held.number}:reminder:{made.number}", at=at)
        _record(held, by=by, at=at, after=f"reminder {made.number}")
        return made


def record_payment(invoice: Invoice, *, on: date, payment: str, by: Any, at: datetime) -> None:
    """Record that an invoice was paid; `RefusedError` for a day ahead or before the invoice, or one not to be paid."""
    _refuse_others(by)
    with transaction.atomic():
        held = _lock_invoice(invoice)
        if held.state not in (InvoiceState.OPEN, InvoiceState.SENT):
            raise refused("settled", _("Only an open or sent invoice can be paid."))
        if not held.issued_on <= on <= at.date():
            raise refused("day", _("Enter a day from the date of the invoice to today."), "paid_on")
        Invoice.objects.filter(pk=held.pk).update(paid_on=on, payment=payment.strip()[:120])
        _record(held, by=by, at=at, after=f"paid {on.isoformat()}")


def in_use(invoices: QuerySet[Invoice]) -> QuerySet[Invoice]:
    """Return the invoices for fees that no counter-invoice has cancelled."""
    cancelled = Invoice.objects.filter(kind=InvoiceKind.COUNTER).values("of")
    return invoices.filter(kind=InvoiceKind.FEES).exclude(pk__in=cancelled)


def is_overdue(invoice: Invoice, *, on: date) -> bool:
    """Return whether an invoice was sent, is not paid, and its due date has passed."""
    return invoice.state == InvoiceState.SENT and invoice.due_on < on


def _issue(
    number: int,
    statement: FeeStatement,
    kind: InvoiceKind,
    amount: Decimal,
    currency: str,
    *,
    by: Any,
    at: datetime,
    **kept: Any,
) -> Invoice:
    """Return a new invoice; only a counter-invoice can be of a statement without rates, and is due at once."""
    days_to_pay = statement.rate.days_to_pay if statement.rate else 0
    today = at.date()
    made = Invoice.objects.create(
        number=number,
        kind=kind,
        federation_id=statement.federation_id,
        statement=statement,
        currency=currency,
        amount=amount,
        issued_on=today,
        due_on=today + timedelta(days=days_to_pay),
        issued_by=by,
        **kept,
    )
    _record(made, by=by, at=at, after=f"{kind} {amount} {currency}", reason=made.reason)
    return made


def _next_number(by: Any) -> int:
    """Return the next number; the counter stays locked to the end of the transaction, so that numbers have no gap."""
    _refuse_others(by)
    InvoiceCounter.objects.get_or_create(pk=1)
    InvoiceCounter.objects.select_for_update().get(pk=1)
    InvoiceCounter.objects.filter(pk=1).update(last=F("last") + 1)
    return InvoiceCounter.objects.get(pk=1).last


def _lock_invoice(invoice: Invoice) -> Invoice:
    Invoice.objects.select_for_update().get(pk=invoice.pk)
    return Invoice.objects.select_related("statement__rate").get(pk=invoice.pk)


def _post(invoice: Invoice, template: str, subject: Promise, *, key: str, at: datetime) -> None:
    roles = (Role.OFFICER, Role.DEPUTY)
    held = Appointment.objects.filter(federation=invoice.federation_id, role__in=roles).select_related("user")

    def text() -> str:
        link = settings.SITE_URL + reverse("fees:invoice", args=[invoice.number])
        context = {"invoice": invoice, "currency": invoice.currency, "link": link}
        return render_to_string(template, context).strip()

    notices.post(
        to=[row.user for row in held],
        kind=NoticeKind.FEE,
        key=key,
        subject=lambda: str(subject) % {"number": invoice, "federation": invoice.federation_id},
        text=text,
        at=at,
    )


def _record(invoice: Invoice, *, by: Any, at: datetime, after: str, reason: str = "") -> None:
    subject = f"{invoice.federation_id} {invoice}"
    record_act(ActKind.FEE, Deed.INVOICE, subject, by=by, at=at, after=after, reason=reason)


def _refuse_others(by: Any) -> None:
    if not is_staff(by):
        raise refused("staff-only", _("FIDE staff issue and change invoices."))


def _refuse_not_overdue(invoice: Invoice, *, on: date) -> None:
    if not is_overdue(invoice, on=on):
        raise refused("not-overdue", _("The invoice is not overdue."))
