"""The public report of a published tournament, its results as CSV, its rounds and teams."""

from __future__ import annotations

import csv
import re
from datetime import date
from io import StringIO

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Federation, HiddenBirthYear, Player
from ratings.models import ParticipantRating
from tests import make
from tests.public.pages import page, rows, text_of
from tests.shared import SharedRows
from tests.trf_files import Event
from tournaments.models import Participant, Report
from tournaments.trf import read_report

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: make.noon(date(2026, 6, 1)))


@pytest.fixture(scope="module")
def month_of_module(rows_of_module: SharedRows) -> make.Month:
    """A month whose first tournament has a report with private data."""
    with rows_of_module():
        return reported_month()


def reported_month() -> make.Month:
    played = make.play_month()
    tournament = played.tournaments[0]
    text = Event(
        players=[(1, "Hero, Hanna"), (2, "Other, Otto"), (3, "Newcomer, Nora")], rounds=[[(1, 2, "1-0")]]
    ).text()
    players = [line for line in text.split("\r\n") if line.startswith("001")]
    born = ["1980/05/17", "2013/03/04", "2008/02/03"]
    for line, birth in zip(players, born, strict=True):
        text = text.replace(line, f"{line[:69]}{birth}{line[79:]}")
    extra = [
        "112 Deputy, Dora", "013 Alphaville chess club            1    2", "013 Betatown                         3",
        "### phone 555-0100", "SUI    1 m    Hero, Hanna                       1900 1980/05/17",
    ]  # fmt: skip
    report = Report.objects.get(tournament=tournament)
    Report.objects.filter(pk=report.pk).update(content=(text + "\r\n".join(extra) + "\r\n").encode())
    return played


def address(month: make.Month, name: str = "") -> str:
    return f"/tournaments/{month.tournaments[0].event_id}/{name}"


def test_public_report_has_years_and_nothing_private(client: Client, month: make.Month) -> None:
    response = client.get(address(month, "report.trf"))
    content = response.content
    shown = read_report(content)
    assert [(one.birth_date, one.birth_year) for one in shown.players] == [
        (None, 1980),
        (None, 2013),
        (None, 2008),
    ]
    assert [[team["name"], team["players"]] for team in shown.teams] == [
        ["Alphaville chess club", (1, 2)],
        ["Betatown", (3,)],
    ]
    assert [word in content for word in (b"Arbiter, Anna", b"Deputy", b"555", b"05/17", b"SUI    1")] == [
        True, False, False, False, False
    ]  # fmt: skip
    assert len(shown.games) == 1


def test_adr_15_public_report_hides_the_year_of_a_minor_with_opt_in(
    client: Client, month: make.Month
) -> None:
    Federation.objects.filter(pk="SUI").update(hides_birth_years_of_minors=True)
    shown = read_report(client.get(address(month, "report.trf")).content)
    assert [one.birth_year for one in shown.players] == [1980, None, None]


def test_adr_15_public_report_hides_the_year_after_a_transfer(client: Client, month: make.Month) -> None:
    Federation.objects.filter(pk="GER").update(hides_birth_years_of_minors=True)
    before = client.get(address(month, "report.trf"))
    moved = ParticipantRating.objects.get(
        tournament_rating__report__tournament=month.tournaments[0], number=2
    )
    Player.objects.filter(pk=moved.player_id).update(federation="GER")

    again = client.get(address(month, "report.trf"), headers={"if-none-match": before["ETag"]})

    assert again.status_code == 200
    assert [one.birth_year for one in read_report(again.content).players] == [1980, None, 2008]


def test_adr_15_public_report_hides_the_year_after_a_merger(client: Client, month: make.Month) -> None:
    Federation.objects.filter(pk="GER").update(hides_birth_years_of_minors=True)
    played = ParticipantRating.objects.filter(
        tournament_rating__report__tournament=month.tournaments[0], number=2
    )
    Player.objects.filter(participant_ratings__in=played).update(
        merged_into=make.player(federation_id="GER", birth_year=2013)
    )
    shown = read_report(client.get(address(month, "report.trf")).content)
    assert [one.birth_year for one in shown.players] == [1980, None, 2008]


def test_public_report_hides_the_year_of_a_minor_who_is_on_a_line_without_the_fide_id(
    client: Client, month: make.Month
) -> None:
    minor = ParticipantRating.objects.get(
        tournament_rating__report__tournament=month.tournaments[0], number=2
    )
    HiddenBirthYear.objects.create(player_id=minor.player_id, asked_at=timezone.now())

    shown = read_report(client.get(address(month, "report.trf")).content)

    assert [one.birth_year for one in shown.players] == [1980, None, 2008]


def test_results_have_a_row_for_each_pairing(client: Client, month: make.Month) -> None:
    response = client.get(address(month, "results.csv"))
    found = list(csv.DictReader(StringIO(response.content.decode())))
    event = Participant.objects.filter(report__tournament=month.tournaments[0])
    people = dict(event.values_list("number", "name"))
    columns = ("round", "white_name", "white_result", "black_name", "black_result", "played")
    assert [tuple(one[column] for column in columns) for one in found] == [
        ("1", people[1], "1", people[2], "0", "true"),
        ("2", people[1], "1/2", people[3], "1/2", "true"),
    ]


@pytest.mark.parametrize("name", ["report.trf", "results.csv", "crosstable/", "rounds/", "teams/", "report/"])
def test_files_and_results_are_public_once_published(client: Client, name: str) -> None:
    month = make.play_month(is_published=False)
    month.tournaments[0].stage = "reported"
    month.tournaments[0].save(update_fields=["stage"])
    assert client.get(address(month, name)).status_code == 404


def test_each_round_has_a_page_with_its_pairings(client: Client, month: make.Month) -> None:
    assert rows(page(client, address(month, "rounds/")))[1:] == [
        ["Hero, Hanna", "1900", "1–0", "Other, Otto 0", "1700"]
    ]
    second = page(client, address(month, "rounds/2/"))
    # The reason stands with the player for whom the game is not rated.
    unrated = "Hero, Hanna The opponent was unrated at the start of the tournament."
    assert rows(second)[1] == [unrated, "1900", "½–½", "Newcomer, Nora", "–"]
    assert re.findall(r'aria-current="page">(?:<span[^>]*>[^<]*</span>)?(\d+)</a>', second) == ["2"]
    for wrong in ("rounds/0/", "rounds/3/", "rounds/99999999999999999999/", "rounds/1/?page=2"):
        assert client.get(address(month, wrong)).status_code == 404


def test_team_event_shows_its_teams(client: Client, month: make.Month) -> None:
    markup = page(client, address(month, "teams/"))
    assert "Alphaville chess club" in text_of(markup)
    assert [row[0] for row in rows(markup)[1:]] == ["Hero, Hanna", "Other, Otto 0"]
    assert [row[0] for row in rows(markup, table=1)[1:]] == ["Newcomer, Nora"]
    assert "Teams 2" in text_of(page(client, address(month)))


def test_round_of_a_team_event_shows_its_matches(client: Client, month: make.Month) -> None:
    second, first = page(client, address(month, "rounds/2/")), page(client, address(month, "rounds/1/"))
    assert re.search(r"½–½ Betatown\b", text_of(second))
    assert rows(second)[0][0::3][:2] == ["Alphaville chess club", "Betatown"]
    # A game within one team is not a match.
    assert "Other pairings" in text_of(first)
    assert rows(first)[1][:4] == ["Hero, Hanna", "1900", "1–0", "Other, Otto 0"]


def test_individual_event_has_no_teams(client: Client) -> None:
    month = make.play_month()
    assert "/teams/" not in page(client, address(month))
    assert client.get(address(month, "teams/")).status_code == 404
