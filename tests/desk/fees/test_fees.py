"""Fee statements (0.2): what they count, rates, access, and formats."""

from __future__ import annotations

import csv
from datetime import date
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from players.models import LogEntry
from ratings.fees import make_statements
from ratings.models import FeeRate, FeeStatement, RatingList
from tests import make
from tests.growth import find_growing, pages_of

pytestmark = pytest.mark.slow

FEBRUARY, MARCH = date(2026, 2, 1), date(2026, 3, 1)
PAGE = "/desk/fees/rapid/2026-02-01/SUI/"


def rate(valid_from: date, tournament: str = "50.00", player: str = "1.10", currency: str = "EUR") -> FeeRate:
    return FeeRate.objects.create(
        valid_from=valid_from,
        per_tournament=Decimal(tournament),
        per_player=Decimal(player),
        currency=currency,
    )


def hold(code: str, name: str = "Open", *, players: int = 3, idle: int = 0, **facts: Any) -> None:
    """Play and rate a tournament with so many players with a rated game and so many without."""
    active = [make.entry(rating=1900 + 10 * place).player for place in range(players)]
    absent = [make.player() for _ in range(idle)]
    event = make.tournament(federation=make.federation(code=code), name=name, **facts)
    byes = [(1, players + place, None, "absent") for place in range(1, idle + 1)]
    make.play_and_rate(event, [*active, *absent], [*make.round_robin(players), *byes])


def figures() -> list[tuple[str, int, int, Decimal]]:
    return list(
        FeeStatement.objects.order_by("federation").values_list(
            "federation", "tournaments", "players", "amount"
        )
    )


@pytest.fixture
def published(db: None) -> RatingList:
    """Return February's list, with two tournaments of one federation and one of another."""
    rate(date(2026, 1, 1))
    hold("SUI", "Open of Alphaville", players=3, idle=2)
    hold("SUI", "=Open of Betaville", players=4)
    hold("AUT", players=3)
    return make.publish("rapid", FEBRUARY)


def test_statement_counts_tournaments_and_players_with_a_rated_game(published: RatingList) -> None:
    assert figures() == [("AUT", 1, 3, Decimal("53.30")), ("SUI", 2, 7, Decimal("107.70"))]


def test_repeated_statements_of_a_list_change_nothing(published: RatingList) -> None:
    before = list(FeeStatement.objects.values())
    rate(FEBRUARY, tournament="999.00")

    make_statements(published)

    assert list(FeeStatement.objects.values()) == before


@pytest.mark.parametrize(
    ("days", "amount"),
    [
        ([date(2026, 2, 1)], "53.30"),
        ([date(2026, 1, 31)], "53.30"),
        ([date(2026, 2, 2)], "0.00"),
        ([], "0.00"),
    ],
)
def test_the_rates_are_those_valid_on_the_date_of_the_list(db: None, days: list[date], amount: str) -> None:
    rate(date(2026, 2, 28), tournament="999.00")
    for day in days:
        rate(day)
    hold("SUI")

    make.publish("rapid", FEBRUARY)

    assert figures() == [("SUI", 1, 3, Decimal(amount))]


def test_newest_valid_rates_apply(db: None) -> None:
    rate(date(2025, 1, 1), tournament="10.00")
    rate(date(2026, 1, 1), tournament="20.01", player="0.33")
    hold("SUI")

    make.publish("rapid", FEBRUARY)

    assert figures() == [("SUI", 1, 3, Decimal("21.00"))]


@pytest.mark.parametrize(
    "facts", [{"is_official": True}, {"decided_by": "council", "decision_reference": "FC-1"}]
)
def test_events_without_a_submitting_federation_are_not_charged(db: None, facts: dict[str, Any]) -> None:
    rate(date(2026, 1, 1))
    hold("SUI", **facts)

    make.publish("rapid", FEBRUARY)

    assert figures() == []


@pytest.mark.parametrize(
    "wrong",
    [{"tournament": "-0.01"}, {"player": "-1.00"}, {"currency": "eur"}, {"currency": "EU"}],
)
def test_database_refuses_invalid_rates(db: None, wrong: dict[str, str]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        rate(FEBRUARY, **wrong)


@pytest.mark.database
def test_rates_of_a_statement_cannot_change(published: RatingList) -> None:
    used, unused = FeeRate.objects.get(), rate(date(2027, 1, 1))
    staff = make.browser("staff")
    address = "/admin/ratings/feerate/{}/change/"
    change = {
        "valid_from": "2027-01-01",
        "currency": "EUR",
        "per_tournament": "60.00",
        "per_player": "2.00",
    }

    assert staff.post(address.format(used.pk), change).status_code == 403
    assert staff.post(address.format(unused.pk), change).status_code == 302
    with pytest.raises(ProtectedError):
        used.delete()
    unused.refresh_from_db()
    assert (FeeRate.objects.get(pk=used.pk).per_player, unused.per_player) == (
        Decimal("1.10"),
        Decimal("2.00"),
    )
    edited = LogEntry.objects.get(area="fee", action="edited")
    assert {"field": "per_player", "before": "1.10", "after": "2.00"} in edited.changes


def test_officers_see_only_their_own_federation(published: RatingList) -> None:
    page = make.browser("officer AUT").get("/desk/fees/")

    (row,) = page.context["page"].rows
    assert (row.federation_id, page.context["total"]) == (
        "AUT",
        {"tournaments": row.tournaments, "players": row.players, "amount": row.amount},
    )


def test_a_statement_shows_lines_that_add_up(published: RatingList) -> None:
    page = make.browser("officer SUI").get(PAGE)

    lines = [(line.tournament.name, line.players, line.amount) for line in page.context["lines"]]
    assert lines == [
        ("Open of Alphaville", 3, Decimal("53.30")),
        ("=Open of Betaville", 4, Decimal("54.40")),
    ]
    assert sum(amount for *_, amount in lines) == page.context["statement"].amount


def test_no_cell_of_the_csv_is_a_formula(published: RatingList) -> None:
    answer = make.browser("officer SUI").get(f"{PAGE[:-1]}.csv")

    rows = list(csv.reader(StringIO(answer.content.decode())))
    assert [row[1] for row in rows] == ["tournament", "Open of Alphaville", "'=Open of Betaville"]
    assert [row[4:] for row in rows[1:]] == [["3", "53.30", "EUR"], ["4", "54.40", "EUR"]]


def test_pages_make_no_more_queries_whatever_they_show(db: None) -> None:
    browser = make.browser("officer SUI")

    def fill(number: int) -> None:
        rate(date(2026, 1, 1))
        for _ in range(number):
            hold("SUI")
        make.publish("rapid", FEBRUARY)
        make.publish("rapid", MARCH)

    assert find_growing(fill, pages_of(browser, "/desk/fees/", PAGE)) == {}


@pytest.mark.parametrize("former", ["invoices/", "invoices/12/"])
def test_former_addresses_of_invoices_lead_to_the_statements(db: None, former: str) -> None:
    assert make.browser("staff").get(f"/desk/fees/{former}")["Location"] == "/desk/fees/"
