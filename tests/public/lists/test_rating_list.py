"""The pages of lists: order, ranks, changes, filters, paging, files."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from datetime import date
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.test import Client
from pytest_django import Settings

from ratings.lists import forget_lists
from ratings.models import RatingList
from ratings.publish.manifest import canonical_json
from ratings.publish.signatures import is_signed_by
from tests import make
from tests.public.pages import codes, page, rows, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def names(markup: str) -> list[str]:
    return [row[1] for row in rows(markup)[1:]]


def test_list_shows_ranks_ratings_changes_games_and_k(client: Client) -> None:
    make.play_month(2)
    markup = page(client, "/lists/rapid/2026-02-01/")
    assert rows(markup)[1:] == [
        ["1", "Hero, Hanna", "SUI", "1980", "1919", "▲ +19 gain", "4", "20"],
        ["2", "Other, Otto 0", "SUI", "1980", "1690", "▼ −10 loss", "4", "20"],
        ["3", "Other, Otto 1", "SUI", "1980", "1689", "▼ −10 loss", "4", "20"],
    ]
    assert "1 to 3 of 3" in text_of(markup)


def test_equal_ratings_share_their_rank(client: Client) -> None:
    first = make.rating_list()
    for rating, name in ((1800, "Beta, B"), (1800, "Alpha, A"), (1700, "Gamma, G"), (1900, "Delta, D")):
        make.entry(rating_list=first, rating=rating, player__name=name)
    found = rows(page(client, "/lists/rapid/2026-01-01/"))[1:]
    assert [row[:2] for row in found] == [
        ["1", "Delta, D"],
        ["2", "Alpha, A"],
        ["2", "Beta, B"],
        ["4", "Gamma, G"],
    ]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("federation=KEN", ["Young, Yves"]),
        ("sex=F", ["Old, Olga"]),
        ("continent=Africa", ["Young, Yves"]),
        ("title=WGM", ["Old, Olga"]),
        ("born_from=2000", ["Young, Yves"]),
        ("born_to=1960", ["Old, Olga"]),
        ("rating_from=1850", ["Top, Tim"]),
        ("rating_to=1750", ["Old, Olga"]),
        ("active=on", ["Top, Tim", "Young, Yves"]),
        ("q=yv", ["Young, Yves"]),
        ("q=TIM top", ["Top, Tim"]),
        ("q=nobody", []),
        ("federation=SUI&sex=M", ["Top, Tim"]),
    ],
)
def test_filter_selects_matching_players(client: Client, query: str, expected: list[str]) -> None:
    first = make.rating_list()
    kenya = make.federation(code="KEN", continent="Africa")
    make.entry(rating_list=first, rating=1900, player__name="Top, Tim")
    make.entry(
        rating_list=first,
        rating=1800,
        player__name="Young, Yves",
        player__federation=kenya,
        player__birth_year=2005,
    )
    make.entry(
        rating_list=first,
        rating=1700,
        player__name="Old, Olga",
        player__sex="F",
        player__birth_year=1950,
        is_inactive=True,
        women_title="WGM",
    )
    markup = page(client, f"/lists/rapid/2026-01-01/?{query}")
    links = rows(markup)[1:] if "<table" in markup else []
    shown = [name for row in links for name in row if "," in name]
    assert [name.removeprefix("WGM ").removesuffix(" inactive") for name in shown] == expected


def test_change_is_counted_from_the_selected_list(client: Client) -> None:
    figures = {date(2025, 11, 1): 1750, date(2025, 12, 1): 1780, date(2026, 1, 1): 1800}
    player = make.player(name="Player, Pat")
    for day, rating in figures.items():
        make.entry(rating_list=make.rating_list(date=day), player=player, rating=rating)
    address = "/lists/rapid/2026-01-01/"
    changes = [
        rows(page(client, f"{address}{query}"))[1][5]
        for query in ("", "?compare=2025-11-01", "?compare=2025-12-01")
    ]
    assert changes == ["▲ +20 gain", "▲ +50 gain", "▲ +20 gain"]
    for wrong in ("2026-01-01", "2024-01-01", "x"):
        assert codes(page(client, f"{address}?compare={wrong}")) == ["filters"]


def test_presets_of_a_list_select_the_matching_players(client: Client) -> None:
    first = make.rating_list()
    for rating, born, sex in ((1900, 1980, "M"), (1800, 2010, "F"), (1700, 2006, "F"), (1600, 2005, "F")):
        name = f"P{rating}, P"
        make.entry(
            rating_list=first,
            rating=rating,
            player__name=name,
            player__birth_year=born,
            player__sex=sex,
        )
    presets = dict(client.get("/lists/rapid/2026-01-01/").context["presets"][0])
    found = rows(page(client, f"/lists/rapid/2026-01-01/{presets['Girls']}"))[1:]
    assert [row[:2] for row in found] == [["1", "P1800, P"], ["2", "P1700, P"]]


def test_ranks_within_continents_and_active_players_are_on_every_page(client: Client) -> None:
    first = make.rating_list()
    africa = make.federation(code="EGY", continent="Africa")
    for number in range(102):
        make.entry(rating_list=first, rating=2000 - number, player__federation=africa)
    make.entry(rating_list=first, rating=2100, player__federation=africa, is_inactive=True)
    make.entry(rating_list=first, rating=2200, player__federation=make.federation(code="FRA"))
    whole = client.get("/lists/rapid/2026-01-01/").context
    africa_address = dict(whole["presets"][1])["Africa"]
    assert africa_address == "?continent=Africa&active=on"
    shown = client.get(f"/lists/rapid/2026-01-01/{africa_address}").context
    assert [row.place for row in shown["rows"]] == list(range(1, 101))
    after = client.get(f"/lists/rapid/2026-01-01/{shown['page'].next_url}").context
    assert [(row.place, row.entry.rating) for row in after["rows"]] == [(101, 1900), (102, 1899)]
    assert after["page"].label == "101 to 102 of 102"
    every = client.get("/lists/rapid/2026-01-01/?continent=Africa").context
    assert every["page"].label == "1 to 100 of 103"
    # Who is searched for has the place on the list, not among those found.
    name = shown["rows"][6].entry.name
    found = client.get("/lists/rapid/2026-01-01/", {"q": name, "continent": "Africa", "active": "on"}).context
    assert (found["rows"][0].place, found["page"].label) == (7, "1 to 1 of 1")
    assert client.get("/lists/rapid/2026-01-01/", {"q": name, "sex": "M"}).context["has_places"] is False


def test_invalid_filter_is_shown_at_its_field(client: Client) -> None:
    make.rating_list()
    markup = page(client, "/lists/rapid/2026-01-01/?born_from=MCM")
    assert codes(markup) == ["filters"]
    assert 'aria-invalid="true"' in markup


@pytest.mark.slow
def test_pages_are_linked_up_to_the_last(client: Client) -> None:
    first = make.rating_list()
    for place in range(205):
        make.entry(rating_list=first, rating=2000 - place // 2, player__name=f"Name{place:03}, N")
    address = "/lists/rapid/2026-01-01/"
    seen: list[str] = []
    url = ""
    while True:
        response = client.get(address + url)
        seen += names(response.content.decode())
        assert response.context["page"].first_url == ("?" if url else None)
        if response.context["page"].next_url is None:
            break
        url = response.context["page"].next_url
    assert seen == [f"Name{place:03}, N" for place in range(205)]
    assert "201 to 205 of 205" in text_of(response.content.decode())
    last = client.get(f"{address}?last=1")
    assert "106 to 205 of 205" in text_of(last.content.decode())


def test_rank_links_to_the_page_with_the_player_marked(client: Client) -> None:
    first = make.rating_list()
    entries = [make.entry(rating_list=first, rating=2000 - place) for place in range(150)]
    wanted = entries[140].player
    response = client.get(f"/lists/rapid/2026-01-01/at/{wanted.pk}/", follow=True)
    markup = response.content.decode()
    assert f'id="p{wanted.pk}" aria-current="true"' in markup
    assert rows(markup)[1][0] == "131"
    top = client.get(f"/lists/rapid/2026-01-01/at/{entries[3].player.pk}/", follow=True)
    assert rows(top.content.decode())[1][0] == "1"


def test_unlisted_player_has_no_rank(client: Client) -> None:
    month = make.play_month()
    assert client.get(f"/lists/rapid/2026-02-01/at/{month.newcomer.pk}/").status_code == 404


def test_signature_and_key_are_shown_with_the_files(client: Client, settings: Settings) -> None:
    settings.LIST_SIGNING_KEY = base64.b64encode(b"k" * 32).decode()
    make.play_month()
    chosen = RatingList.objects.get(kind="rapid", date="2026-02-01")
    page = client.get("/lists/rapid/2026-02-01/verify/").content.decode()

    key = Ed25519PrivateKey.from_private_bytes(b"k" * 32).public_key()
    written = base64.b64encode(key.public_bytes_raw()).decode()
    assert is_signed_by(canonical_json(chosen.manifest), chosen.signature, written)
    assert [chosen.signature in page, f"--key {written}" in page, chosen.manifest_sha256 in page] == [
        True
    ] * 3
    RatingList.objects.filter(pk=chosen.pk).update(signature="")
    forget_lists()
    assert written not in client.get("/lists/rapid/2026-02-01/verify/?page=1").content.decode()


@pytest.mark.parametrize("ending", ["txt", "xml", "csv", "json"])
def test_file_has_the_bytes_that_the_manifest_names(client: Client, ending: str) -> None:
    make.play_month()
    base = "/lists/rapid/2026-02-01/files/rapid-2026-02-01"
    manifest = json.loads(client.get(f"{base}.manifest.json").content)
    response = client.get(f"{base}.{ending}")
    content = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    stated = manifest["files"][ending]
    assert (hashlib.sha256(content).hexdigest(), len(content)) == (stated["sha256"], stated["size"])
    assert response.headers["Content-Length"] == str(len(content))
    assert response.headers["ETag"] != ""


def test_newest_list_of_a_type_has_its_own_address(client: Client) -> None:
    make.play_month()
    response = client.get("/lists/rapid/")
    assert (response.status_code, response.headers["Location"]) == (302, "/lists/rapid/2026-02-01/")


def test_a_category_of_a_list_keeps_the_other_filters(client: Client) -> None:
    first = make.rating_list()
    make.entry(rating_list=first, player__federation=make.federation(code="KEN"))

    query = "federation=KEN&sex=M&born_from=1990&continent=Africa&sort=name"
    parts, continents = client.get(f"/lists/rapid/2026-01-01/?{query}").context["presets"]

    kept = "federation=KEN&continent=Africa&sort=name"
    assert dict(parts)["Women"] == f"?{kept}&sex=F&active=on"
    assert dict(parts)["Open"] == f"?{kept}&active=on"
    assert dict(continents)["Asia"] == (
        "?federation=KEN&sex=M&born_from=1990&sort=name&continent=Asia&active=on"
    )


def test_the_switcher_of_months_keeps_page_and_filters(client: Client) -> None:
    make.play_month()
    make.rating_list(kind="rapid", date=date(2025, 11, 1))

    head = client.get("/lists/rapid/2026-02-01/?sex=F&mark=1").context["head"]
    statistics = client.get("/lists/rapid/2026-02-01/statistics/?sex=F").context["head"]

    assert [(month.day.month, month.url) for month in head.months if month.url] == [
        (1, "/lists/rapid/2026-01-01/?sex=F"),
        (2, "/lists/rapid/2026-02-01/?sex=F"),
        (3, "/lists/rapid/next/"),
    ]
    assert [month.is_coming for month in head.months].count(True) == 1
    assert head.earlier[1] == "/lists/rapid/2025-11-01/?sex=F"
    assert [address for _label, address, _is_current in head.tabs] == [
        "/lists/rapid/2026-02-01/?sex=F",
        *(f"/lists/rapid/2026-02-01/{name}/" for name in ("changes", "federations", "statistics", "verify")),
    ]
    assert statistics.previous[1] == "/lists/rapid/2026-01-01/statistics/"
    # An imported list has no such page.
    verify = client.get("/lists/rapid/2026-02-01/verify/").context["head"]
    assert verify.previous[1] == "/lists/rapid/2026-01-01/"
    assert client.get("/lists/rapid/2026-01-01/verify/").status_code == 404


UNKNOWN = (
    "/lists/bullet/",
    "/lists/blitz/",
    "/lists/rapid/2026-13-01/",
    "/lists/rapid/2026-02-02/",
    "/lists/rapid/0000-00-00/",
    "/lists/rapid/2026-02-01/files/rapid-2026-02-01.exe",
    "/lists/rapid/2026-02-01/files/blitz-2026-02-01.txt",
    "/lists/rapid/2026-01-01/files/rapid-2026-01-01.txt.gz",
    "/lists/rapid/2026-01-01/files/rapid-2026-01-01.manifest.json",
    "/lists/rapid/2026-02-01/?after=!",
    "/lists/rapid/2026-02-01/?after=WyJhIiwiYiIsImMiXQ",
    "/lists/rapid/2026-02-01/?after=WzE4MDAsIlx1MDAwMCIsM10",
    "/lists/rapid/2026-02-01/?after=Wzk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OSwiYSIsOTk5OTk5OTk5OTk5OTk5OTk5OTk5OV0",
    "/lists/rapid/2026-02-01/at/4294967296/",
)


def test_unknown_addresses_are_not_found(client: Client) -> None:
    make.play_month()

    assert [place for place in UNKNOWN if client.get(place).status_code != 404] == []


@pytest.mark.parametrize("address", ["/", "/lists/", "/tournaments/", "/players/", "/search", "/rules/"])
def test_empty_portal_explains_what_will_appear(client: Client, address: str) -> None:
    assert client.get(address).status_code == 200


@pytest.fixture
def four() -> RatingList:
    """Four players on two lists. Cole is new, and Dora's year of birth is unknown."""
    before, after = (make.rating_list(date=date(2026, month, 1), listed=4) for month in (1, 2))
    people = [
        ("Adam, A", 1900, 1950, 2, 1990),
        ("Beth, B", 1800, 1700, 9, 2005),
        ("Cole, C", 1850, None, 5, 1970),
    ]
    for name, rating, was, games, born in [*people, ("Dora, D", 1700, 1700, 0, None)]:
        player = make.player(name=name, birth_year=born)
        if was:
            make.entry(rating_list=before, player=player, rating=was)
        make.entry(rating_list=after, player=player, rating=rating, games=games)
    return after


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("rating", "DBCA"),
        ("-rating", "ACBD"),
        ("name", "ABCD"),
        ("-name", "DCBA"),
        ("games", "DACB"),
        ("-games", "BCAD"),
        ("born", "CABD"),
        ("-born", "BACD"),
        ("change", "ADBC"),
        ("-change", "BDAC"),
        ("federation", "ACBD"),
    ],
)
def test_list_is_sorted_by_each_column_page_by_page(
    client: Client, four: RatingList, monkeypatch: pytest.MonkeyPatch, sort: str, expected: str
) -> None:
    monkeypatch.setattr("public.lists.rating_list.PAGE", 2)
    address = "/lists/rapid/2026-02-01/"
    first = client.get(f"{address}?sort={sort}").context
    second = client.get(address + first["page"].next_url).context
    seen = [row.entry.name[0] for row in [*first["rows"], *second["rows"]]]
    assert ("".join(seen), second["page"].next_url) == (expected, None)
    back = client.get(address + second["page"].previous_url).context
    assert [row.entry.name[0] for row in back["rows"]] == list(expected[:2])
    places = {row.entry.name[0]: row.place for row in [*first["rows"], *second["rows"]]}
    assert places == {"A": 1, "C": 2, "B": 3, "D": 4}


def test_column_headings_sort_and_show_the_order(client: Client, four: RatingList) -> None:
    markup = page(client, "/lists/rapid/2026-02-01/?sort=-games&active=on")
    head = markup.partition("<thead>")[2].partition("</thead>")[0]
    assert re.findall(r'aria-sort="(\w+)"', head) == ["descending"]
    assert re.findall(r'href="([^"]+)"', head) == [
        "?active=on&amp;sort=name",
        "?active=on&amp;sort=-born",
        "?active=on&amp;sort=-rating",
        "?active=on&amp;sort=-change",
        "?active=on&amp;sort=games",
    ]
    first = page(client, "/lists/rapid/2026-01-01/").partition("<thead>")[2].partition("</thead>")[0]
    assert "change" not in first


def test_active_filters_are_removable_chips(client: Client, four: RatingList) -> None:
    query = "?q=a&federation=SUI&sex=M&born_from=1980&active=on&compare=2026-01-01&sort=name&after=x"
    chips = client.get("/lists/rapid/2026-02-01/" + query.replace("&after=x", "")).context["chips"]
    labels = [str(chip.label) for chip in chips]
    assert (labels[:3], len(labels)) == (["“a”", "SUI", "male"], 6)
    assert ("1980" in labels[3], "January 2026" in labels[5]) == (True, True)
    assert chips[1].url == "?q=a&sex=M&born_from=1980&active=on&compare=2026-01-01&sort=name"


def test_filtered_list_shows_its_number_of_players(client: Client, four: RatingList) -> None:
    assert "1 to 2 of 2" in text_of(page(client, "/lists/rapid/2026-02-01/?rating_from=1850"))


@pytest.mark.parametrize(("sort", "labels"), [("-rating", ["1900", "1800"]), ("name", [])])
def test_page_of_a_part_of_a_large_list_is_named_by_its_ratings(
    client: Client, four: RatingList, monkeypatch: Any, sort: str, labels: list[str]
) -> None:
    monkeypatch.setattr("public.lists.rating_list.MAX_SORTED", 1)
    shown = client.get(f"/lists/rapid/2026-02-01/?born_from=1900&rating_to=1950&sort={sort}").context["page"]
    assert re.findall(r"\d+", shown.label) == labels


def test_print_page_has_a_thousand_rows(client: Client, four: RatingList, monkeypatch: Any) -> None:
    monkeypatch.setattr("public.lists.rating_list.PAGE", 3)
    found = client.get("/lists/rapid/2026-02-01/?sort=name").context
    assert found["print_url"] == "?sort=name&rows=1000"
    whole = client.get(f"/lists/rapid/2026-02-01/{found['print_url']}").context
    assert (len(whole["rows"]), whole["print_url"]) == (4, "")
