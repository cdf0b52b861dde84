"""Files for pairing programs under FIDE's names, read back by the portal's own reader."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from players.fide_list import ListRecord, read_list, write_combined_txt
from players.models import Federation
from tests import make
from tests.downloads import media_type

pytestmark = pytest.mark.django_db
FOLDER = "/lists/combined"
LINE = (
    "1001           Muller, Jose                                                 SUI M   GM        FA,NI"
    "          AFM              1900  4   20              1980      \r\n"
)


@pytest.fixture(autouse=True)
def _lists() -> None:
    rapid = make.rating_list(date=date(2026, 2, 1))
    first = make.player(
        fide_id=1001, name="Müller, José", title="GM", other_titles="FA,NI", foa_title="AFM", birth_year=1980
    )
    make.entry(rating_list=rapid, player=first, rating=1900, games=4, k_factor=20)
    blitz = make.rating_list(kind="blitz", date=date(2026, 2, 1))
    woman = make.player(fide_id=1002, name="Berg, Åse", sex="F", women_title="WIM", federation__code="NOR")
    for rating_list, rating, inactive in ((rapid, 1800, True), (blitz, 1750, True)):
        make.entry(rating_list=rating_list, player=woman, rating=rating, is_inactive=inactive)
    make.player(fide_id=1003, name="Neu, Nora", sex="F", birth_year=None)
    make.player(fide_id=1004, name="Late, Leo", died_on=date(2025, 1, 1))
    make.player(fide_id=1005, name="Twice, Tom", merged_into=first)


def content(client: Client, name: str) -> bytes:
    response = client.get(f"{FOLDER}/{name}")
    assert response.status_code == 200
    return response.getvalue()


def records(text: bytes) -> list[ListRecord]:
    return [one for one in read_list(io.BytesIO(text)) if isinstance(one, ListRecord)]


def test_combined_text_has_fides_columns(client: Client) -> None:
    lines = content(client, "players_list_foa.txt").decode("ascii").splitlines(keepends=True)

    assert [lines[0].index(head) for head in ("Fed", "SRtng", "RRtng", "BRtng", "B-day", "Flag")] == [
        76, 113, 126, 139, 152, 158,
    ]  # fmt: skip
    assert lines[1] == LINE
    assert {len(line) for line in lines} == {164}
    # Deceased and merged players are excluded, unrated players are included.
    assert [line.split()[0] for line in lines[1:]] == ["1001", "1002", "1003"]
    assert [line[158:162].strip() for line in lines[1:]] == ["", "wi", "w"]


def test_real_lines_are_written_byte_for_byte(real_data: Path) -> None:
    genuine = (real_data / "lists" / "players_list_foa_2018-12_first1000.txt").read_bytes()
    written = b"".join(write_combined_txt(records(genuine)))
    differing = set(genuine.splitlines()) - set(written.splitlines())
    # One of 999 players has rating 0, the others a blank.
    assert [line.split()[0] for line in differing] == [b"45015546"]


def test_legacy_text_has_no_arena_titles_column(client: Client) -> None:
    lines = content(client, "players_list.txt").decode("ascii").splitlines(keepends=True)
    assert lines[1] == LINE[:109] + LINE[113:]
    assert {len(line) for line in lines} == {160}


@pytest.mark.parametrize(
    ("archive", "name"),
    [
        ("players_list.zip", "players_list_foa.txt"),
        ("players_list_legacy.zip", "players_list.txt"),
        ("players_list_xml.zip", "players_list_xml_foa.xml"),
        ("players_list_xml_legacy.zip", "players_list_xml.xml"),
    ],
)
def test_archive_has_the_same_file_as_the_plain_download(client: Client, archive: str, name: str) -> None:
    with zipfile.ZipFile(io.BytesIO(content(client, archive))) as opened:
        assert opened.namelist() == [name]
        assert opened.read(name) == content(client, name)


@pytest.mark.parametrize("name", ["players_list_foa.txt", "players_list_xml_foa.xml"])
def test_our_own_reader_reads_what_was_written(client: Client, name: str) -> None:
    first, woman, unrated = records(content(client, name))

    assert (first.title, first.other_titles, first.foa_title, first.birth_year) == (
        "GM",
        "FA,NI",
        "AFM",
        1980,
    )
    assert (first.standard, first.blitz) == (None, None)
    assert first.rapid is not None
    assert (first.rapid.rating, first.rapid.games, first.rapid.k) == (1900, 4, 20)
    assert (woman.women_title, woman.is_inactive, woman.federation) == ("WIM", True, "NOR")
    assert (unrated.standard, unrated.rapid, unrated.blitz, unrated.birth_year) == (None, None, None, None)


def test_players_are_selected_by_federation_or_fide_id(client: Client) -> None:
    norwegian = content(client, "players_list_foa.txt?federation=NOR").decode().splitlines()
    entries = content(client, "players_list_foa.txt?ids=1003,1001").decode().splitlines()
    assert [line.split()[0] for line in norwegian[1:]] == ["1002"]
    assert [line.split()[0] for line in entries[1:]] == ["1001", "1003"]


def test_adr_15_cached_file_is_invalid_once_a_federation_hides_years(client: Client) -> None:
    minor = make.player(fide_id=1006, birth_year=timezone.now().year - 10)
    before = client.get(f"{FOLDER}/players_list.csv")
    Federation.objects.filter(pk=minor.federation_id).update(hides_birth_years_of_minors=True)

    again = client.get(f"{FOLDER}/players_list.csv", headers={"if-none-match": before["ETag"]})

    assert again.status_code == 200
    assert str(minor.birth_year) not in again.getvalue().decode()


@pytest.mark.parametrize("name", ["rapid_rating_list.txt", "rapid_rating_list_xml.xml"])
def test_single_imported_list_hides_the_year_of_a_minor(client: Client, name: str) -> None:
    year = timezone.now().year - 10
    minor = make.entry(rating_list=make.rating_list(date=date(2026, 2, 1)), player__birth_year=year)
    before = str(year).encode() in content(client, name)
    Federation.objects.filter(pk=minor.federation_id).update(hides_birth_years_of_minors=True)

    assert (before, str(year).encode() in content(client, name)) == (True, False)


@pytest.mark.parametrize("query", ["ids=x", "federation=sui", "ids=" + ",".join(map(str, range(1, 1002)))])
def test_invalid_selection_is_refused(client: Client, query: str) -> None:
    response = client.get(f"{FOLDER}/players_list.zip?{query}")
    assert (response.status_code, media_type(response)) == (400, ("text/plain", "utf-8"))


@pytest.mark.parametrize("name", ["players.csv", "bullet_rating_list.zip", "standard_rating_list.zip"])
def test_unknown_file_is_not_found(client: Client, name: str) -> None:
    assert client.get(f"{FOLDER}/{name}").status_code == 404
