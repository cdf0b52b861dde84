"""The page of the data: its examples run as shown on published files, and the data package names each of them."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import re
import subprocess
import sys
from datetime import date
from html import unescape
from pathlib import Path
from typing import Any

import duckdb
import pytest
from django.conf import settings
from django.test import Client

from players.models import Player
from ratings.archives import make_archives
from ratings.models import RatingList
from tests import make
from tests.public.pages import page

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
DAY = date(2026, 2, 1)


@pytest.fixture
def month() -> make.Month:
    """Publish both lists of a month in which the hero, who is 13, draws with the newcomer."""
    make.play_month(2, kind="blitz")
    month = make.play_month(2, is_published=False)
    Player.objects.filter(pk=month.hero.pk).update(birth_year=2013)
    month.published = make.publish("rapid", DAY)
    for one in RatingList.objects.filter(date=DAY):
        make_archives(one)
    return month


def package(client: Client) -> dict[str, Any]:
    return {item["name"]: item for item in client.get("/data/datapackage.json").json()["resources"]}


def content(client: Client, item: dict[str, Any]) -> bytes:
    return b"".join(client.get(item["path"].removeprefix(settings.SITE_URL)))


def examples(client: Client) -> dict[str, str]:
    """Return the texts by their names, each the same as its button copies."""
    shown = page(client, "/data/")
    found = re.findall(r'<pre class="flush" id="([\w-]+)"[^>]*>(.*?)</pre>', shown, re.DOTALL)
    assert [text for _name, text in found] == re.findall(r'data-copy="([^"]*)"', shown)
    return {name: unescape(text) for name, text in found}


@pytest.fixture
def folder(client: Client, month: make.Month, tmp_path: Path) -> Path:
    for name, item in package(client).items():
        if name.startswith("games-") or re.fullmatch(r"(rapid|blitz)-[\d-]+\.csv", name):
            (tmp_path / name).write_bytes(content(client, item))
    return tmp_path


def games_in(folder: Path) -> list[dict[str, str]]:
    text = gzip.decompress((folder / "games-2026-02-01.csv.gz").read_bytes()).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_examples_answer_how_many_games_players_under_14_drew(
    client: Client, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = examples(client)
    python = subprocess.run(
        [sys.executable, "-c", shown["python"]], cwd=folder, check=True, capture_output=True, text=True
    ).stdout
    monkeypatch.chdir(folder)
    sql = shown["duckdb"].removeprefix('duckdb -c "').removesuffix('"')

    # One draw with the newcomer in each of the two rapid tournaments; nobody on the blitz list is under 14.
    assert (python.strip(), duckdb.sql(sql).fetchall()) == ("2", [(2,)])


def test_formulas_of_the_spreadsheet_name_the_columns_by_their_letters(client: Client, folder: Path) -> None:
    shown, games = examples(client), games_in(folder)
    letter = dict(zip("ABCDEFGHIJKLMNOPQR", games[0], strict=True))
    draws = re.fullmatch(r'=COUNTIF\((\w):\w,"(.*)"\)', shown["spreadsheet-draws"])
    sums = re.findall(r"SUMIF\((\w):\w,\d+,(\w):\w\)", shown["spreadsheet-changes"])

    assert draws
    assert sum(game[letter[draws[1]]] == draws[2] for game in games) == 8
    assert [(letter[one], letter[other]) for one, other in sums] == [
        ("white_id", "change_white"),
        ("black_id", "change_black"),
    ]


def test_data_package_names_every_file_with_schema_size_and_checksum(
    client: Client, month: make.Month
) -> None:
    named = package(client)
    published = {name: item for name, item in named.items() if "2026-02-01" in name}
    assert len(published) == 2 * 15 + 1
    for name, item in published.items():
        response = client.get(item["path"].removeprefix(settings.SITE_URL))
        sent = b"".join(response) if response.streaming else response.content
        assert item["hash"] == f"sha256:{hashlib.sha256(sent).hexdigest()}", name
        assert item.get("bytes", len(sent)) == len(sent)
    for name in ("games-2026-02-01.csv.gz", "rapid-2026-02-01.csv.gz"):
        head = gzip.decompress(content(client, named[name])).decode().splitlines()[0]
        assert head.split(",") == [field["name"] for field in named[name]["schema"]["fields"]]
    # The portal keeps no files of imported lists.
    assert "hash" not in named["rapid-2026-01-01.csv"]


def test_page_without_games_says_when_they_come(client: Client) -> None:
    assert client.get("/data/").context["games"] is None
    assert package(client) == {}
