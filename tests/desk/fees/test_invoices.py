"""Invoices (0.2): consecutive numbers, states, reminders, late fees, counter-invoices, bookkeeping."""

from __future__ import annotations

import csv
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.db.models import ProtectedError

from core.errors import RefusedError
from players.models import Act, Notice
from ratings.models import FeeRate, FeeStatement, Invoice, RatingList
from ratings.services import invoices
from tests.codes import refusal
from tests.desk.fees.test_fees import FEBRUARY, hold, sign_in
from tests.factories import AppointmentFactory, FederationFactory, publish
from tests.growth import find_growing, pages_of

pytestmark = pytest.mark.slow

AT = datetime(2026, 2, 3, 9, 30, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def published(db: None) -> RatingList:
    """Return a list with tournaments of two federations, and rates with a late fee."""
    FeeRate.objects.create(
        valid_from=date(2026, 1, 1), per_tournament=Decimal("50.00"), per_player=Decimal("1.10"), currency="EUR",
        late_fee=Decimal("20.00"), days_to_pay=14, issuer="Rating Office", bank_details="Bank 7",
    )  # fmt: skip
    hold("SUI")
    hold("AUT")
    return publish("rapid", FEBRUARY)


@pytest.fixture
def staff(db: None) -> Any:
    return AppointmentFactory(role="staff").user


def statement(code: str = "SUI") -> FeeStatement:
    return FeeStatement.objects.select_related("rate").get(federation=code)


def states() -> list[tuple[int, str, str]]:
    rows = Invoice.objects.with_state().prefetch_related("followers").order_by("number")
    assert [row.shown_state for row in rows] == [row.state for row in rows]
    return [(row.number, row.kind, str(row.state)) for row in rows]


def test_invoices_of_a_list_have_consecutive_numbers_and_are_issued_once(
    published: RatingList, staff: Any
) -> None:
    made = invoices.issue_for_list(published, by=staff, at=AT)
    again = invoices.issue_for_list(published, by=staff, at=AT)

    facts = [(one.number, one.federation_id, one.amount, one.currency, one.due_on) for one in made]
    due_on = date(2026, 2, 17)
    assert facts == [
        (1, "AUT", Decimal("53.30"), "EUR", due_on),
        (2, "SUI", Decimal("53.30"), "EUR", due_on),
    ]
    assert (again, str(made[1])) == ([], "000002")
    with pytest.raises(RefusedError, match="Cancel it first"):
        invoices.issue_invoice(statement(), by=staff, at=AT)
    assert invoices.cancel_invoice(made[0], reason="Wrong.", by=staff, at=AT).number == 3


def test_cancelled_invoice_remains_and_its_number_is_not_reused(published: RatingList, staff: Any) -> None:
    first = invoices.issue_invoice(statement(), by=staff, at=AT)
    with pytest.raises(RefusedError, match="Enter the reason"):
        invoices.cancel_invoice(first, reason=" ", by=staff, at=AT)
    counter = invoices.cancel_invoice(first, reason="Other rate agreed.", by=staff, at=AT)
    with pytest.raises(RefusedError, match="open or sent"):
        invoices.cancel_invoice(first, reason="Again.", by=staff, at=AT)
    invoices.issue_invoice(statement(), by=staff, at=AT)

    assert states() == [(1, "fees", "cancelled"), (2, "counter", "cancelled"), (3, "fees", "open")]
    assert (counter.amount, counter.of, first.amount) == (Decimal("-53.30"), first, Decimal("53.30"))
    with pytest.raises(ProtectedError):
        first.delete()
    assert list(Act.objects.filter(deed="invoice").order_by("pk").values_list("subject", "after")) == [
        ("SUI 000001", "fees 53.30 EUR"),
        ("SUI 000002", "counter -53.30 EUR"),
        ("SUI 000003", "fees 53.30 EUR"),
    ]


def test_invoice_of_a_statement_without_rates_is_cancelled_in_its_own_currency(
    published: RatingList, staff: Any
) -> None:
    """Rates are asked for before an invoice is issued; a statement may have lost them by a hand in the database."""
    made = invoices.issue_invoice(statement(), by=staff, at=AT)
    FeeStatement.objects.update(rate=None)
    browser = sign_in("staff")

    answer = browser.post(f"/desk/fees/invoices/{made.number}/cancel", {"reason": "No rates."})

    assert answer.headers["Location"] == "/desk/fees/invoices/2/"
    assert (
        browser.get("/desk/fees/invoices/1/").status_code,
        browser.get("/desk/fees/invoices/2/").status_code,
    ) == (
        200,
        200,
    )
    counter = Invoice.objects.get(number=2)
    assert (counter.amount, counter.currency, counter.due_on) == (Decimal("-53.30"), "EUR", counter.issued_on)
    assert states() == [(1, "fees", "cancelled"), (2, "counter", "cancelled")]


def test_overdue_invoice_gets_three_reminders_and_one_late_fee(published: RatingList, staff: Any) -> None:
    officer = AppointmentFactory(role="officer", federation=FederationFactory(code="SUI")).user
    made = invoices.issue_invoice(statement(), by=staff, at=AT)
    invoices.send_invoice(made, by=staff, at=AT)
    last_day = AT + 14 * DAY
    for attempt in (invoices.remind, invoices.charge_late_fee):
        with pytest.raises(RefusedError, match="not overdue"):
            attempt(made, by=staff, at=last_day)

    for week in range(3):
        at = last_day + DAY + week * 7 * DAY
        invoices.remind(made, by=staff, at=at)
        with pytest.raises(RefusedError):
            invoices.remind(made, by=staff, at=at + 6 * DAY)
    with pytest.raises(RefusedError, match="limit"):
        invoices.remind(made, by=staff, at=at + 70 * DAY)
    late = invoices.charge_late_fee(made, by=staff, at=at)
    with pytest.raises(RefusedError, match="already charged"):
        invoices.charge_late_fee(made, by=staff, at=at)

    assert (late.number, late.amount, late.of) == (2, Decimal("20.00"), made)
    subjects = Notice.objects.filter(recipient=officer.email).order_by("pk").values_list("subject", flat=True)
    assert list(subjects) == ["Invoice 000001, SUI"] + 3 * ["Reminder: invoice 000001, SUI"]


def test_paid_invoice_cannot_be_sent_reminded_or_cancelled(published: RatingList, staff: Any) -> None:
    made = invoices.issue_invoice(statement(), by=staff, at=AT)
    for day in (AT.date() - DAY, AT.date() + DAY):
        with refusal() as codes:
            invoices.record_payment(made, on=day, payment="", by=staff, at=AT)
        assert codes.found == ["day"]
    invoices.record_payment(made, on=AT.date(), payment="Bank 7", by=staff, at=AT)

    assert states() == [(1, "fees", "paid")]
    for attempt in (
        lambda: invoices.record_payment(made, on=AT.date(), payment="", by=staff, at=AT),
        lambda: invoices.remind(made, by=staff, at=AT + 90 * DAY),
        lambda: invoices.send_invoice(made, by=staff, at=AT),
        lambda: invoices.cancel_invoice(made, reason="No.", by=staff, at=AT),
    ):
        with pytest.raises(RefusedError):
            attempt()


def test_service_refuses_all_but_staff(published: RatingList, staff: Any) -> None:
    officer = AppointmentFactory(role="officer", federation=FederationFactory(code="SUI")).user
    made = invoices.issue_invoice(statement(), by=staff, at=AT)
    for attempt in (
        lambda: invoices.issue_invoice(statement("AUT"), by=officer, at=AT),
        lambda: invoices.cancel_invoice(made, reason="No.", by=officer, at=AT),
        lambda: invoices.send_invoice(made, by=officer, at=AT),
        lambda: invoices.remind(made, by=officer, at=AT),
        lambda: invoices.charge_late_fee(made, by=officer, at=AT),
        lambda: invoices.record_payment(made, on=AT.date(), payment="", by=officer, at=AT),
    ):
        with pytest.raises(RefusedError, match="FIDE staff issue"):
            attempt()
    assert states() == [(1, "fees", "open")]


@pytest.mark.parametrize(
    ("action", "fields", "told"),
    [
        ("pay", {"paid_on": "2026-02-03"}, "Only an open or sent invoice can be paid."),
        ("cancel", {"reason": "Wrong."}, "Only an open or sent invoice can be cancelled."),
    ],
)
def test_form_of_another_tab_sent_after_the_invoice_is_settled_is_refused_in_words(
    published: RatingList, staff: Any, action: str, fields: dict[str, str], told: str
) -> None:
    made = invoices.issue_invoice(statement(), by=staff, at=AT)
    invoices.record_payment(made, on=AT.date(), payment="SEPA 1", by=staff, at=AT)

    answer = sign_in("staff").post(f"/desk/fees/invoices/1/{action}", fields)

    assert (answer.status_code, told in answer.content.decode()) == (200, True)
    assert states() == [(1, "fees", "paid")]


def test_staff_issue_send_and_cancel_at_the_desk(published: RatingList) -> None:
    browser, page = sign_in("staff"), "/desk/fees/invoices/1/"
    assert "Issue invoice" in browser.get("/desk/fees/rapid/2026-02-01/SUI/").content.decode()

    browser.post("/desk/fees/rapid/2026-02-01/SUI/invoice")
    browser.post(f"{page}do/send")
    assert sign_in("officer SUI").get(page).status_code == 200
    assert sign_in("officer AUT").get(page).status_code == 404
    assert browser.post(f"{page}pay", {"paid_on": "2020-01-01"}).context["payment"].errors.keys() == {
        "paid_on"
    }
    assert browser.post(f"{page}cancel", {"reason": "Wrong."}).headers["Location"] == "/desk/fees/invoices/2/"
    assert states() == [(1, "fees", "cancelled"), (2, "counter", "cancelled")]
    for action in ("do/send", "pay", "cancel"):
        assert sign_in("officer SUI").post(f"{page}{action}").status_code == 403


def test_a_federation_sees_its_invoices_once_they_are_sent(published: RatingList, staff: Any) -> None:
    made = invoices.issue_for_list(published, by=staff, at=AT)
    officer = sign_in("officer SUI")
    assert officer.get("/desk/fees/invoices/").context["page"].rows == []
    for one in made:
        invoices.send_invoice(one, by=staff, at=AT)

    assert [row.number for row in officer.get("/desk/fees/invoices/").context["page"].rows] == [2]


def test_invoice_names_issuer_recipient_and_bank_and_its_forms_are_not_printed(
    published: RatingList, staff: Any
) -> None:
    made = invoices.issue_invoice(statement(), by=staff, at=AT)

    html = sign_in("staff").get(f"/desk/fees/invoices/{made.number}/").content.decode()

    assert [text in html for text in ("Rating Office", "Bank 7", f"({made.federation_id})")] == [True] * 3
    printed, _start, forms = html.partition('<div class="not-printed">')
    assert ("<form" in printed.partition('class="facts parties"')[2], "/pay" in forms) == (False, True)


def test_csv_for_bookkeeping_has_signed_amounts(published: RatingList, staff: Any) -> None:
    made = invoices.issue_invoice(statement(), by=staff, at=AT)
    invoices.cancel_invoice(made, reason="=1+1", by=staff, at=AT)

    rows = list(csv.DictReader(StringIO(sign_in("auditor").get("/desk/fees/invoices.csv").content.decode())))

    shown = [(row["number"], row["for"], row["amount"], row["state"], row["reason"]) for row in rows]
    assert shown == [("1", "", "53.30", "cancelled", ""), ("2", "1", "-53.30", "cancelled", "'=1+1")]


def test_pages_make_no_more_queries_whatever_they_show(published: RatingList, staff: Any) -> None:
    def fill(number: int) -> None:
        for _ in range(number):
            made = invoices.issue_invoice(statement(), by=staff, at=AT)
            invoices.send_invoice(made, by=staff, at=AT)
            invoices.cancel_invoice(made, reason="Wrong.", by=staff, at=AT)

    shown = pages_of(sign_in("officer SUI"), "/desk/fees/invoices/", "/desk/fees/invoices/1/")
    assert find_growing(fill, shown) == {}
