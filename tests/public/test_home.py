"""The home page: the calendar of the next list."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests import make
from tests.public.pages import page, text_of

pytestmark = pytest.mark.django_db


def test_closing_date_ends_a_day_and_list_date_starts_one(client: Client) -> None:
    found = text_of(page(client, "/"))

    closing, listed = found.split("List date", 1)
    assert re.search(r"end of [\w ]+ UTC$", closing.rstrip())
    assert "00:00 UTC" in listed[:80]
    assert "end of" not in listed[:80]


def test_field_and_button_of_the_search_share_a_line(client: Client) -> None:
    (form,) = re.findall(r'<form class="hero-search ([^"]*)"', page(client, "/"))
    # Of the two ways to lay out, the later of the styles would win.
    assert {"flex", "suggests"} & {*form.split()} == {"flex"}


def test_tournaments_being_rated_show_players_and_their_list(client: Client) -> None:
    event = make.play_month(2, is_published=False).tournaments[0]
    today = timezone.now().date()
    played = make.tournament(start=today - timedelta(days=2), end=today - timedelta(days=1))
    playing = make.tournament(start=today, end=today + timedelta(days=1))
    make.tournament(start=today + timedelta(days=1))
    with CaptureQueriesContext(connection) as queries:
        answer = client.get("/")
    states = {one.pk: state for one, state, _list in answer.context["being_rated"]}
    assert (len(queries) <= 12, states[played.pk], states[playing.pk]) == (True, "played", "playing")
    assert {*states.values()} == {"playing", "played", "rated"}
    found = text_of(answer.content.decode())

    row = "Alphaville, rapid 15+10 10–11 Jan 2026 4 rated February 2026"
    assert f"{event.name} {row}" in found


def test_next_list_names_the_remaining_steps(client: Client) -> None:
    found = text_of(page(client, "/"))

    days = [
        found.index(step) for step in ("Tournaments must have ended", "Reports must be accepted", "List date")
    ]
    assert days == sorted(days)


def test_biggest_changes_are_those_of_both_lists(client: Client) -> None:
    rapid, blitz = make.play_month(2), make.play_month(1, kind="blitz")
    assert rapid.published
    assert blitz.published

    with CaptureQueriesContext(connection) as queries:
        first = client.get("/")
    again = client.get("/")

    assert len(queries) <= 12
    shown = [(item.kind, moved.name, moved.change) for item, moved in first.context["changes"]]
    assert {kind for kind, _name, _change in shown} == {"rapid", "blitz"}
    assert [abs(change) for _kind, _name, change in shown] == sorted(
        (abs(change) for _kind, _name, change in shown), reverse=True
    )
    assert [moved for _item, moved in again.context["changes"]] == [
        moved for _item, moved in first.context["changes"]
    ]


@pytest.mark.parametrize(("day", "is_shown"), [(1, True), (4, True), (5, False)])
def test_lists_are_news_for_a_few_days(
    client: Client, monkeypatch: pytest.MonkeyPatch, day: int, is_shown: bool
) -> None:
    make.play_month(1)
    monkeypatch.setattr(timezone, "now", lambda: make.noon(date(2026, 2, day)))
    assert ('data-fresh="2026-02-01"' in page(client, "/")) is is_shown
    officer = make.browser("officer SUI")
    desk = page(officer, "/desk/")
    assert ('data-new="2026-02-01"' in desk, "/federations/SUI/" in desk) == (is_shown, is_shown)


@time_machine.travel(datetime(2026, 12, 1, 0, 5, tzinfo=UTC), tick=False)
def test_list_of_the_month_is_prepared_until_it_is_published(client: Client) -> None:
    played = make.tournament(start=date(2026, 11, 24), end=date(2026, 11, 24))
    seen = []
    for month in (11, 12):
        for kind in ("rapid", "blitz"):
            make.rating_list(kind=kind, date=date(2026, month, 1))
        context = client.get("/").context
        ((_event, _state, on_list),) = [row for row in context["being_rated"] if row[0] == played]
        seen.append((context["prepared"], on_list))
    assert seen == [(date(2026, 12, 1), date(2027, 1, 1)), (None, date(2027, 1, 1))]
