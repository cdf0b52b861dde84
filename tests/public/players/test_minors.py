"""No public page reveals the year of birth of a minor whose federation opts in to age bands (age-bands.md)."""

from __future__ import annotations

import zipfile
from datetime import date
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from players.models import Federation
from ratings.models import Correction
from tests import make
from tests.growth import find_growing, pages_of
from tests.public.pages import page, rows, text_of
from tests.trf_files import Event
from tournaments.amendments import Datum

pytestmark = pytest.mark.django_db
TODAY = date(2026, 6, 1)
CHILD, ELDER, ADULT, ABROAD = 4_100_001, 4_100_002, 4_100_003, 4_100_004
LIST = "/lists/rapid/2026-01-01/"


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: make.noon(TODAY))


@pytest.fixture(autouse=True)
def listed() -> None:
    """Four listed players: born 2013, 2008 and 2007 in a federation with opt-in, and born 2013 in one without."""
    asks = make.federation(code="SUI")
    Federation.objects.filter(pk="SUI").update(hides_birth_years_of_minors=True)
    other = make.federation(code="AUT")
    people = [(CHILD, 2013, asks), (ELDER, 2008, asks), (ADULT, 2007, asks), (ABROAD, 2013, other)]
    for number, (fide_id, birth_year, federation) in enumerate(people):
        player = make.player(
            fide_id=fide_id, name=f"Sample, S{number}", birth_year=birth_year, federation=federation
        )
        make.entry(player=player, rating=1900 - number)


def born(markup: str, column: int) -> list[str]:
    return [row[column] for row in rows(markup)[1:]]


def test_list_shows_bands(client: Client) -> None:
    assert born(page(client, LIST), 3) == ["U14", "U18", "2007", "2013"]


@pytest.mark.parametrize("address", ["/players/?q=sample", "/search?q=sample"])
def test_search_shows_bands(client: Client, address: str) -> None:
    assert sorted(born(page(client, address), 2)) == ["2007", "2013", "U14", "U18"]


@pytest.mark.parametrize("address", ["/federations/SUI/", "/federations/SUI/on/2026-01-01/"])
def test_federation_shows_bands(client: Client, address: str) -> None:
    assert born(page(client, address), 1) == ["U14", "U18", "2007"]


@pytest.mark.parametrize("of_day", ["", "on/2026-01-01/"])
@pytest.mark.parametrize(
    ("fide_id", "told"), [(CHILD, "U14 FIDE ID"), (ADULT, "Born 2007"), (ABROAD, "Born 2013")]
)
def test_player_page_shows_the_band(client: Client, fide_id: int, told: str, of_day: str) -> None:
    text = text_of(page(client, f"/players/{fide_id}/{of_day}"))
    assert told in text
    assert ("2013" in text) is (fide_id == ABROAD)


@pytest.mark.parametrize("address", ["/calculators/?player=sample", "/calculators/?opponent=sample"])
def test_calculators_show_bands_of_candidates(client: Client, address: str) -> None:
    text = text_of(page(client, address))
    assert f"SUI U14 · {CHILD}" in text
    assert f"AUT 2013 · {ABROAD}" in text


@pytest.mark.parametrize("part", ["badge.svg", "feed.atom", "record/"])
def test_badge_feed_and_record_show_no_year_of_birth(client: Client, part: str) -> None:
    assert "2013" not in page(client, f"/players/{CHILD}/{part}")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("born_from=2013", [CHILD, ABROAD]),
        ("born_from=2012&born_to=2012", [CHILD]),
        ("born_from=2013&born_to=2013", [CHILD, ABROAD]),
        ("born_from=2014", []),
        ("born_to=2012", [CHILD, ELDER, ADULT]),
        ("born_to=2011", [ELDER, ADULT]),
        ("born_from=2009&born_to=2009", [ELDER]),
        ("born_to=2007", [ADULT]),
    ],
)
def test_filters_find_minors_by_whole_bands(client: Client, query: str, found: list[int]) -> None:
    answer = client.get(f"{LIST}?{query}")
    assert [row.entry.player_id for row in answer.context["rows"]] == found


def test_desk_shows_the_year_to_the_officer(client: Client) -> None:
    federation = Federation.objects.get(pk="SUI")
    client.force_login(make.person("officer", federation))
    assert "2013" in text_of(page(client, f"/desk/players/changes/new?player={CHILD}"))


def test_admin_shows_the_year_to_staff(client: Client) -> None:
    client.force_login(make.person("staff"))
    assert "2013" in page(client, f"/admin/players/player/{CHILD}/change/")


@pytest.mark.parametrize("address", [LIST, f"/players/{CHILD}/", "/federations/SUI/on/2026-01-01/"])
def test_page_cached_before_opt_in_is_invalid(client: Client, address: str) -> None:
    Federation.objects.update(hides_birth_years_of_minors=False)
    before = client.get(address)
    assert "2013" in before.content.decode()
    Federation.objects.filter(pk="SUI").update(hides_birth_years_of_minors=True)
    known = {"if-none-match": before["ETag"]}
    if "Last-Modified" in before:
        by_day = client.get(address, headers={"if-modified-since": before["Last-Modified"]})
        assert by_day.status_code == 200
    after = client.get(address, headers=known)
    assert (after.status_code, after["ETag"] == before["ETag"]) == (200, False)


def test_correction_log_shows_bands(client: Client) -> None:
    for fide_id in (CHILD, ABROAD):
        year = Datum("birth_year", "2003", "2013")
        Correction.objects.create(
            player_id=fide_id, amendments=[year], reason="Passport", at=make.noon(TODAY)
        )
    text = text_of(page(client, "/lists/corrections/"))
    assert "Year of birth: 2003 → U14" in text
    assert "Year of birth: 2003 → 2013" in text


@pytest.mark.parametrize(("fide_id", "finds"), [(CHILD, False), (ABROAD, True)])
@pytest.mark.parametrize("guess", ["2012", "2013"])
def test_public_check_neither_shows_nor_confirms_the_year(
    client: Client, fide_id: int, finds: bool, guess: str
) -> None:
    event = Event([(fide_id, "Sample"), (ADULT, "Sample")], [[(1, 2, "1-0")]], federation="SUI")
    lines = event.text().split("\n")
    number = next(index for index, line in enumerate(lines) if line.startswith("001    1"))
    lines[number] = f"{lines[number][:69]}{guess}/00/00{lines[number][79:]}"
    answer: Any = client.post(
        "/check/", {"report": SimpleUploadedFile("open.trf", "\n".join(lines).encode()), "kind": "rapid"}
    )
    codes = [group.code for group in answer.context["marked"].groups]
    assert ("birth-year" in codes) is (finds and guess == "2012")


def test_queries_do_not_grow_with_minors(client: Client) -> None:
    def fill(size: int) -> None:
        for number in range(size):
            federation = make.federation(code=f"A{number}A", hides_birth_years_of_minors=True)
            player = make.player(name=f"Young, Y{number}", sex="F", birth_year=2014, federation=federation)
            make.entry(player=player, rating=1700)

    shown = pages_of(client, "/players/?q=young", f"{LIST}?born_from=2010&sex=F", "/federations/SUI/")
    assert find_growing(fill, shown) == {}


def test_sorting_by_age_reveals_no_year_of_a_minor(client: Client) -> None:
    # U14 sorts as 2012 and U18 as 2008. By year of birth, the child would precede the player from abroad.
    found = client.get(f"{LIST}?sort=-born").context
    assert [row.entry.player_id for row in found["rows"]] == [ABROAD, CHILD, ELDER, ADULT]
    assert [row.entry.birth_key for row in found["rows"]] == [2013, 2012, 2008, 2007]


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_downloaded_part_shows_no_year_of_a_minor(client: Client, ending: str) -> None:
    content = b"".join(client.get(f"{LIST}players.{ending}"))
    if ending == "xlsx":
        content = zipfile.ZipFile(BytesIO(content)).read("xl/worksheets/sheet1.xml")
    assert [content.count(text) for text in (b"2013", b"2008", b"U14", b"U18")] == [1, 0, 1, 1]
