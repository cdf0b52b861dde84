"""The page of all lists: by type, one year per page."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from tests import make

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_all_lists_are_shown_with_their_types(client: Client) -> None:
    make.play_month()
    make.rating_list(kind="standard", date=date(2026, 1, 1))

    context = client.get("/lists/").context

    assert [(cell.day.month, [item.list.kind for item in cell.lists]) for cell in context["months"]] == [
        (3, []),
        (2, ["rapid"]),
        (1, ["rapid", "standard"]),
    ]
    coming, newest, imported = context["months"]
    assert (coming.is_coming, newest.is_newest, imported.is_imported) == (True, True, True)
    assert newest.lists[0].size
    assert [item.kind for item, _before, _files in context["cards"]] == ["rapid", "standard"]
    for file in newest.lists[0].files:
        assert client.get(file["url"]).status_code == 200


def test_all_lists_are_shown_one_year_per_page(client: Client) -> None:
    for number in range(16):
        if number != 14:
            make.rating_list(kind="rapid", date=date(2025 + number // 12, number % 12 + 1, 1))

    newest, earlier = (client.get(address).context for address in ("/lists/", "/lists/?year=2025"))

    months = [(cell.day.month, cell.until and cell.until.month) for cell in newest["months"]]
    assert months == [(5, None), (4, None), (3, 3), (2, None), (1, None)]
    assert (newest["year"], newest["earlier"], newest["later"]) == (2026, 2025, None)
    assert (len(earlier["months"]), earlier["later"]) == (12, 2026)
    assert [client.get(f"/lists/?year={wrong}").status_code for wrong in ("2024", "0", "x", "99999")] == [
        404
    ] * 4
