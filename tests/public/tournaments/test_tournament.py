"""The page of a tournament: its registration, and only published results."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import date

import pytest
from django.test import Client

from ratings.services.corrections.correct import correct_report
from ratings.services.provisional import update_next_list
from tests.factories import (
    ListEntryFactory,
    PlayerFactory,
    RatingListFactory,
    TournamentFactory,
    noon,
    play_and_rate,
    publish,
)
from tests.public.pages import page, rows, text_of
from tests.ratings.played import play_month
from tournaments.choices import Action
from tournaments.models import Report, Tournament, TrailEntry

pytestmark = pytest.mark.django_db
DAY = date(2026, 1, 10)


def address(tournament: Tournament, query: str = "") -> str:
    return f"/tournaments/{tournament.event_id}/{query}"


@pytest.mark.parametrize(
    ("registration", "sentence"),
    [
        ("registered", "Results not published yet"),
        (
            "waiting",
            ("The registration is waiting for a decision of the Qualification Commission (article 0.2)."),
        ),
        ("refused", "The registration was refused, so the tournament is not rated (article 0.2)."),
        ("not-rated", "The QC decided not to rate this tournament (article 0.4)."),
        ("withdrawn", "The registration was withdrawn."),
    ],
)
def test_registration_is_public_with_its_state(client: Client, registration: str, sentence: str) -> None:
    tournament = TournamentFactory(name="Open of Alphaville", registration=registration)
    text = text_of(page(client, address(tournament)))
    assert sentence in text
    assert "SUI Alphaville 10–11 Jan 2026 Rapid 15+10" in text


def test_figures_are_public_once_the_tournament_is_rated(client: Client) -> None:
    month = play_month(is_published=False)
    hero, event = month.hero, month.tournaments[0]
    Tournament.objects.update(stage="reported")
    before = page(client, address(event))
    assert ("Hero, Hanna" in before, "/crosstable/" in before) == (False, False)
    Tournament.objects.update(stage="rated")
    rated = page(client, address(event))
    assert ("Hero, Hanna" in rated, "/crosstable/" in rated) == (True, True)
    assert client.get(f"/players/{hero.pk}/tournaments/").context["rows"] == []
    publish("rapid", date(2026, 2, 1))
    after = page(client, address(event))
    assert ("Hero, Hanna" in after, "/crosstable/" in after) == (True, True)


def test_public_history_omits_users_and_private_reasons(client: Client) -> None:
    tournament = TournamentFactory()
    for action, reason in ((Action.REFUSE, "secret thoughts"), (Action.REPORT, ""), (Action.ALLOW, "other")):
        TrailEntry.objects.create(
            tournament=tournament, action=action, registration="registered", reason=reason, at=noon(DAY)
        )
    markup = page(client, address(tournament))
    assert ("Refused by the QC" in markup, "Approved by the QC" in markup) == (True, True)
    assert ("secret thoughts" in markup, "submitted a report" in markup) == (False, False)


def test_standings_show_start_rating_change_and_performance(client: Client) -> None:
    month = play_month()
    event = month.tournaments[0]
    assert rows(page(client, address(event)))[1:] == [
        ["1", "Hero, Hanna", "SUI", "1½", "1900", "▲ +4.80 gain", "1", "2500"],
        ["2", "Newcomer, Nora", "SUI", "½", "unrated", "towards an initial rating", "1", "1900"],
        ["3", "Other, Otto 0", "SUI", "0", "1700", "▼ −4.80 loss", "1", "1100"],
    ]


def test_crosstable_shows_every_round(client: Client) -> None:
    month = play_month()
    event = month.tournaments[0]
    markup = page(client, address(event, "crosstable/"))
    assert rows(markup) == [
        ["Rank", "Name", "No.", "Rating", "1", "2", "Points", "Change"],
        ["1", "Hero, Hanna", "1", "1900", "White 2 1", "White 3 ½", "1½", "▲ +4.80 gain"],
        ["2", "Newcomer, Nora", "3", "–", "", "Black 1 ½", "½", "–"],
        ["3", "Other, Otto 0", "2", "1700", "Black 1 0", "", "0", "▼ −4.80 loss"],
    ]


def test_tournament_has_a_summary(client: Client) -> None:
    month = play_month()
    text = text_of(page(client, address(month.tournaments[0])))
    # The game of the hero (1900) against the newcomer counts towards the newcomer's initial rating.
    assert "At a glance Average rating 1800 Rated games 2 Unrated players 1" in text


def test_large_tournament_has_pages_and_shows_the_marked_player(client: Client) -> None:
    first = RatingListFactory()
    hero = ListEntryFactory(rating_list=first).player
    crowd = PlayerFactory.create_batch(120)
    event = TournamentFactory()
    play_and_rate(event, [hero, *crowd], [(1, 1, 2, "1-0")])
    publish("rapid", date(2026, 2, 1))
    assert len(rows(page(client, address(event)))) == 101
    second = page(client, address(event, "?page=2"))
    assert (len(rows(second)), "101 to 121 of 121" in text_of(second)) == (22, True)
    marked = page(client, address(event, "?mark=121"))
    assert 'id="n121" aria-current="true"' in marked
    for number in ("3", "0", "x"):
        assert client.get(address(event, f"?page={number}")).status_code == 404
    assert client.get(address(event, "?mark=" + "9" * 40)).status_code == 200


def test_correction_is_shown_with_the_list_of_its_adjustments(client: Client) -> None:
    month = play_month()
    event = month.tournaments[0]
    on = date(2026, 2, 10)
    correct_report(event, None, file_name="", reason="Played with other rules.", by=None, on=on, at=noon(on))
    text = text_of(page(client, address(event)))
    assert "Withdrawn on Tue 10 Feb 2026 : a correction follows on the March 2026 list" in text
    assert "Hero, Hanna Played with other rules. March 2026 provisional ▼ −4.80 loss" in text
    assert "A correction of −4.80 follows" not in text_of(page(client, f"/players/{month.hero.pk}/"))
    update_next_list("rapid", at=noon(on))
    markup = page(client, f"/players/{month.hero.pk}/")
    reason = f"A correction of −4.80 follows. {event.name} : Played with other rules."
    assert f"Rapid 1900 ▼ −4.80 loss {reason}" in text_of(markup)
    assert f'<a href="/tournaments/{event.event_id}/">{event.name}</a>' in markup
    text = text_of(page(client, f"/players/{month.hero.pk}/rapid/next/"))
    assert "Adjustment on this list D-11 ▼ −4.80 loss" in text
    publish("rapid", date(2026, 3, 1))
    markup = page(client, address(event))
    assert [row[0] for row in rows(markup, table=1)[1:]] == ["Hero, Hanna", "Newcomer, Nora", "Other, Otto 0"]
    assert rows(markup, table=1)[1][1:] == ["Played with other rules.", "March 2026", "▼ −4.80 loss"]
    text = text_of(page(client, f"/players/{month.hero.pk}/rapid/2026-03-01/"))
    assert "Change as published +4.80 With the corrected report 0.00 Adjustment on this list" in text
    assert "Rating on the March 2026 list D-11 1900" in text


@pytest.mark.parametrize("event_id", ["NO-SUCH", "a" * 41, "%00", "%0A", "x%2Fy"])
def test_unknown_tournament_is_a_404(client: Client, event_id: str) -> None:
    assert client.get(f"/tournaments/{event_id}/").status_code == 404


def test_issues_of_the_published_report_are_counted(client: Client) -> None:
    event = play_month().tournaments[0]
    address = f"/tournaments/{event.event_id}/report/"
    assert "Report checks no issues" in text_of(page(client, address))
    Report.objects.filter(tournament=event).update(
        findings=[{"severity": "warning"}, {"severity": "warning"}, {"severity": "notice"}],
        acknowledgement="The arbiter confirms it.",
    )
    text = text_of(client.get(address).content.decode())
    assert "2 warnings (acknowledged by the rating officer), 1 note" in text
    assert "The arbiter confirms it." not in text


@pytest.mark.parametrize("name", ["players_list_foa.txt", "players_list.zip", "players_list.csv"])
def test_players_of_a_rated_tournament_are_a_file_for_pairing_programs(client: Client, name: str) -> None:
    month = play_month(2)
    event = month.tournaments[0]
    players = set(event.reports.get().participants.values_list("player_id", flat=True))

    answer = client.get(f"/tournaments/{event.event_id}/entries/{name}")

    content = answer.getvalue()
    if name.endswith(".zip"):
        content = zipfile.ZipFile(io.BytesIO(content)).read("players_list_foa.txt")
    lines = content.decode().splitlines()[1:]
    assert {int(re.match(r"\d+", line)[0]) for line in lines} == players  # type: ignore[index]
    assert f"/tournaments/{event.event_id}/entries/players_list_foa.txt" in page(
        client, f"/tournaments/{event.event_id}/"
    )


@pytest.mark.parametrize("name", ["players_list.csv", "rapid_rating_list.txt", "x"])
def test_a_registered_tournament_has_no_file_of_players_yet(client: Client, name: str) -> None:
    event = TournamentFactory(event_id="SUI-SOON")
    assert client.get(f"/tournaments/{event.event_id}/entries/{name}").status_code == 404
