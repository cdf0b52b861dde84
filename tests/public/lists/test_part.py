"""A filtered list as CSV and XLSX."""

from __future__ import annotations

import csv
import zipfile
from datetime import date
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import time_machine
from django.test import Client, override_settings

from players.models import Membership
from portal.settings.backends import cache_settings
from public.lists import part
from tests import make
from tests.downloads import saved_as
from tests.growth import find_growing, pages_of

pytestmark = pytest.mark.django_db
ADDRESS = "/lists/rapid/2026-02-01/players"
SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
HEADS = [
    "FIDE ID", "Name", "Federation", "Sex", "Title", "Women's title", "Born", "Rating", "Change", "Games", "K",
    "Inactive",
]  # fmt: skip


def sheet(content: bytes) -> list[list[str]]:
    """Return the cells of a workbook's only sheet as text."""
    with zipfile.ZipFile(BytesIO(content)) as archive:
        assert archive.testzip() is None
        for name in archive.namelist():
            ElementTree.fromstring(archive.read(name))  # noqa: S314
        tree = ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml"))  # noqa: S314
    return [["".join(cell.itertext()) for cell in row] for row in tree.iter(f"{SHEET}row")]


def test_part_has_the_filtered_players_in_list_order(client: Client) -> None:
    month = make.play_month(2)
    response = client.get(f"{ADDRESS}.xlsx?rating_from=1690&sort=name")
    assert saved_as(response) == "rapid-2026-02-01-part.xlsx"
    found = sheet(b"".join(response))  # type: ignore[arg-type]
    hero, other = month.hero.pk, month.others[0].pk
    assert found == [
        HEADS,
        [str(hero), "Hero, Hanna", "SUI", "M", "", "", "1980", "1919", "19", "4", "20", ""],
        [str(other), "Other, Otto 0", "SUI", "M", "", "", "1980", "1690", "-10", "4", "20", ""],
    ]
    text = client.get(f"{ADDRESS}.csv?rating_from=1690").content.decode()
    assert list(csv.reader(StringIO(text))) == found


def test_cell_text_is_never_a_formula_or_markup(client: Client) -> None:
    newest = make.rating_list(date=date(2026, 2, 1))
    make.entry(rating_list=newest, player__name='=A1 <b>&"\x01"')
    content = b"".join(client.get(f"{ADDRESS}.xlsx"))
    assert sheet(content)[1][1] == '=A1 <b>&""'
    with zipfile.ZipFile(BytesIO(content)) as archive:
        assert b"<f>" not in archive.read("xl/worksheets/sheet1.xml")


def test_known_part_is_sent_again_with_a_new_member_of_its_club(client: Client) -> None:
    newest = make.rating_list(date=date(2026, 2, 1))
    members = [make.entry(rating_list=newest, rating=rating).player for rating in (1500, 1600)]
    values = {"club": "SK Bern", "since": date(2026, 1, 1)}
    Membership.objects.create(player=members[0], federation_id="SUI", **values)
    first = client.get(f"{ADDRESS}.csv?club=SK+Bern")
    Membership.objects.create(player=members[1], federation_id="SUI", **values)

    again = client.get(f"{ADDRESS}.csv?club=SK+Bern", headers={"if-none-match": first["ETag"]})

    assert (again.status_code, len(again.content.splitlines())) == (200, 3)


@pytest.mark.parametrize("ending", ["xlsx", "csv"])
def test_too_many_players_are_refused_with_a_hint(client: Client, monkeypatch: Any, ending: str) -> None:
    monkeypatch.setattr(part, "MAX_ROWS", 2)
    newest = make.rating_list(date=date(2026, 2, 1), listed=3)
    for rating in (1500, 1600, 1700):
        make.entry(rating_list=newest, rating=rating)
    refused = client.get(f"{ADDRESS}.{ending}")
    assert (refused.status_code, refused.context["most"], refused.context["is_wrong"]) == (422, 2, False)
    assert client.get(f"{ADDRESS}.{ending}?rating_from=1600").status_code == 200
    wrong = client.get(f"{ADDRESS}.{ending}?born_from=x")
    assert (wrong.status_code, wrong.context["is_wrong"]) == (422, True)


def test_number_of_queries_does_not_grow_with_the_rows_of_a_sheet(client: Client) -> None:
    def fill(size: int) -> None:
        newest = make.rating_list(date=date(2026, 2, 1))
        for number in range(size):
            make.entry(rating_list=newest, rating=1500 + number)

    assert find_growing(fill, pages_of(client, f"{ADDRESS}.xlsx")) == {}


@pytest.mark.parametrize("redis_url", [None, "redis://127.0.0.1:9/0"], ids=["file cache", "Redis away"])
@pytest.mark.parametrize("path", [f"{ADDRESS}.xlsx", "/lists/combined/players_list_foa.txt"])
def test_large_downloads_have_a_limit_of_their_own(
    client: Client, settings: Any, tmp_path: Path, redis_url: str | None, path: str
) -> None:
    make.rating_list(date=date(2026, 2, 1))
    # While Redis is down, each process has its own count, which all tests share.
    caller = {"REMOTE_ADDR": "192.0.2.1" if path.startswith(ADDRESS) else "192.0.2.2"}
    # Within one minute: the next one would start a new count.
    now = time_machine.travel("2026-03-04T09:30:00Z", tick=False)
    with now, override_settings(CACHES=cache_settings(redis_url, var_dir=tmp_path)):
        ways = [client.get, client.head] * 11
        answers = [way(path, **caller).status_code for way in ways[:21]]

        assert (429 in answers[:20], answers[20]) == (False, 429)
        assert client.head(path, **caller).status_code == 429
        assert client.get(path, REMOTE_ADDR="192.0.2.3").status_code == answers[0]
        assert client.get("/lists/rapid/2026-02-01/", **caller).status_code == 200
