"""The public correction log."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from django.test import Client

from ratings.models import CorrectionLine
from tests import make
from tests.conftest import NOW
from tests.growth import find_growing, pages_of
from tests.public.pages import page, rows, text_of
from tests.ratings.alphaville import ALL_PLAY, PLAYERS
from tests.ratings.conftest import month
from tests.trf_files import Event
from tournaments.models import Tournament

pytestmark = pytest.mark.slow

__all__ = ["month"]

CORRECTED = Event(PLAYERS, [*ALL_PLAY[:4], [(3, 6, "1-0"), (4, 2, "0-1"), (5, 1, "0-1")]])


def correct(content: bytes | None, reason: str) -> None:
    make.correct_report(Tournament.objects.get(), content, reason=reason, on=date(2026, 2, 10), at=NOW)


def test_correction_log_is_empty_at_first(client: Client, db: None) -> None:
    assert "No corrections yet" in text_of(page(client, "/lists/corrections/"))


def test_d11_correction_log_has_each_reason_and_effect(month: Any, client: Client) -> None:
    make.run("publish_lists", "2026-02-01")
    wrong, withdrawn = "wrong result in round 5 <b>", "withdrawn by the organiser"
    correct(CORRECTED.content(), wrong)
    answer = client.get("/lists/corrections/")
    event, _sort, reason, at, _list, players = rows(answer.content.decode())[1]
    assert (event, at, players) == ("Open of Alphaville", "Sun 1 Mar 2026, 12:00 UTC", "1")
    (line,) = CorrectionLine.objects.all()
    assert (*answer.context["lines"].values(),) == ([line],)
    assert (reason.startswith(wrong), line.player.name in reason) == (True, True)
    assert [one.kind for one in answer.context["published"]] == ["rapid", "blitz"]
    make.run("publish_lists", "2026-03-01")
    correct(None, withdrawn)
    answer = client.get("/lists/corrections/")
    told = [(one.why, one.taken_on) for one in answer.context["page"].rows]
    assert told == [(withdrawn, None), (wrong, date(2026, 3, 1))]
    assert re.findall(r'data-state="(\w+)"', answer.content.decode()) == ["withdrawn", "replaced"]


def test_correction_log_answers_304_until_a_correction(month: Any, client: Client) -> None:
    make.run("publish_lists", "2026-02-01")
    tag = client.get("/lists/corrections/")["ETag"]
    assert client.get("/lists/corrections/", headers={"If-None-Match": tag}).status_code == 304
    correct(CORRECTED.content(), "wrong result")
    assert client.get("/lists/corrections/", headers={"If-None-Match": tag}).status_code == 200


def test_number_of_queries_of_the_correction_log_does_not_grow(month: Any, client: Client) -> None:
    make.run("publish_lists", "2026-02-01")

    def fill(size: int) -> None:
        for content in (CORRECTED.content(), Event(PLAYERS, ALL_PLAY).content(), None)[:size]:
            correct(content, "once more")

    assert find_growing(fill, pages_of(client, "/lists/corrections/")) == {}


def test_d11_page_of_a_corrected_list_says_so_with_unchanged_figures(month: Any, client: Client) -> None:
    make.run("publish_lists", "2026-02-01")
    address = "/lists/rapid/2026-02-01/"
    before, tag = rows(page(client, address)), client.get(address)["ETag"]
    correct(CORRECTED.content(), "wrong result")
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 200
    after = client.get(address)
    assert after.context["corrected"] == 1
    assert rows(after.content.decode()) == before
