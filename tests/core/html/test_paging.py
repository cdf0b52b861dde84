from __future__ import annotations

import base64

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext

from core.html.paging import InvalidPositionError, Keyset, Page
from portal.models import User

ORDER = Keyset(("-last_name", "first_name", "pk"))
NAMES = [("B", "a"), ("B", "a"), ("B", "b"), ("A", "a"), ("C", "z"), ("A", "c"), ("C", "a")]


@pytest.fixture
def people(db: None) -> list[int]:
    users = [
        User(email=f"person{place}@example.org", last_name=last, first_name=first)
        for place, (last, first) in enumerate(NAMES)
    ]
    User.objects.bulk_create(users)
    return list(User.objects.order_by(*ORDER.order).values_list("pk", flat=True))


CROWDED = Keyset(ORDER.order, is_crowded=True)


def page_at(address: str, *, size: int = 3, order: Keyset = ORDER) -> Page[User]:
    return order.page(get_user_model().objects.all(), QueryDict(address.removeprefix("?")), size=size)


def keys(page: Page[User]) -> list[int]:
    return [user.pk for user in page.rows]


def test_first_page_has_nothing_before_it(people: list[int]) -> None:
    page = page_at("kind=rapid")
    assert keys(page) == people[:3]
    assert (page.first_url, page.previous_url) == (None, None)
    assert page.last_url == "?kind=rapid&last=1"


def test_pages_forward_show_every_row_once(people: list[int]) -> None:
    seen: list[int] = []
    address: str | None = "?"
    while address is not None:
        page = page_at(address)
        seen += keys(page)
        address = page.next_url
    assert seen == people


def test_pages_backward_show_every_row_once(people: list[int]) -> None:
    seen: list[int] = []
    address: str | None = "?last=1"
    while address is not None:
        page = page_at(address)
        seen = keys(page) + seen
        address = page.previous_url
    assert seen == people


def test_last_page_has_nothing_after_it(people: list[int]) -> None:
    page = page_at("last=1")
    assert keys(page) == people[-3:]
    assert (page.next_url, page.last_url) == (None, None)
    assert page.first_url == "?"


def test_empty_list_has_no_other_pages(db: None) -> None:
    assert page_at("") == Page([])


def test_page_costs_one_query_wherever_it_is(people: list[int]) -> None:
    for address in ("?", page_at("?").next_url or "", "?last=1"):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            page_at(address)
        assert len(queries) == 1


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 8])
def test_crowded_rows_have_the_same_pages(people: list[int], size: int) -> None:
    """Whatever shares its first field is asked for by itself; what a reader sees is the same."""
    for start in ("?", "?last=1"):
        addresses = [start]
        while addresses:
            plain, crowded = (page_at(addresses[0], size=size, order=order) for order in (ORDER, CROWDED))
            assert crowded == plain
            following = crowded.next_url if start == "?" else crowded.previous_url
            addresses = [following] if following else []


def test_crowded_rows_cost_two_queries_at_most(people: list[int]) -> None:
    for address, most in (("?", 1), (page_at("?").next_url or "", 2), ("?last=1", 1)):
        with CaptureQueriesContext(connection) as queries:
            page_at(address, order=CROWDED)
        assert len(queries) <= most


def test_crowded_list_without_rows_has_an_empty_last_page(db: None) -> None:
    assert page_at("?last=1", order=CROWDED).rows == []


@pytest.mark.parametrize(
    "position",
    [
        "nonsense!",
        "x" * 2000,
        base64.urlsafe_b64encode(b'["A"]').decode(),
        base64.urlsafe_b64encode(b'["A", "b", {"c": 1}]').decode(),
        base64.urlsafe_b64encode(b"\xff\xfe").decode(),
        base64.urlsafe_b64encode(b'"abc"').decode(),
    ],
)
def test_position_of_another_list_is_not_found(db: None, position: str) -> None:
    with pytest.raises(InvalidPositionError):
        page_at(f"?after={position}")


@pytest.mark.parametrize(
    "values", ['["A", "a", "x"]', '["A", "\\u0000", 1]', '["A", "a", 99999999999999999999999]']
)
def test_position_with_values_that_no_row_can_have_is_refused(people: list[int], values: str) -> None:
    position = base64.urlsafe_b64encode(values.encode()).decode().rstrip("=")
    with pytest.raises(InvalidPositionError):
        page_at(f"after={position}")


@pytest.mark.parametrize(
    "value", ["2026-02-01T12:00:00", "0001-01-01T00:00:00+23:00", "yesterday", "\\ud800"]
)
def test_position_with_an_unusable_instant_is_refused(db: None, value: str) -> None:
    position = base64.urlsafe_b64encode(f'["{value}", 1]'.encode()).decode().rstrip("=")
    with pytest.raises(InvalidPositionError):
        Keyset(("-date_joined", "pk")).rows_at(User.objects.all(), 3, position=position)


def test_position_of_an_instant_is_read_back(people: list[int]) -> None:
    order = Keyset(("-date_joined", "pk"))
    seen: list[int] = []
    position, has_more = "", True
    while has_more:
        found, has_more = order.rows_at(User.objects.all(), 3, position=position)
        seen += [user.pk for user in found]
        position = order.position(found[-1])
    assert sorted(seen) == sorted(people)


def test_position_of_mappings_is_that_of_rows(people: list[int]) -> None:
    rows = User.objects.values("last_name", "first_name", "pk")
    found, has_more = ORDER.rows_at(rows, 3)
    assert (ORDER.position(found[-1]), has_more) == (ORDER.position(User.objects.get(pk=people[2])), True)
