"""The page of a tournament at the desk."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.test import Client

from tests.desk.conftest import not_rated
from tournaments.models import Report, Tournament


@pytest.mark.parametrize("path", ["/desk/tournaments/SUI-PLAYED/", "/tournaments/SUI-PLAYED/"])
def test_page_has_each_step(officer: Client, played: Tournament, path: str) -> None:
    steps = officer.get(path).context["progress"].steps

    assert [(step.code, step.state, step.article, step.deadline) for step in steps] == [
        ("decide", "done", "0.2", None),
        ("play", "done", "6.1.3", None),
        ("upload", "now", "8.1", date(2026, 6, 1)),
        ("accept", "next", "8.1", date(2026, 6, 1)),
        ("rate", "next", "7.1.2", None),
        ("publish", "next", "6.1.3", date(2026, 6, 1)),
    ]


def test_private_reasons_are_shown_only_at_the_desk(officer: Client, played: Tournament) -> None:
    not_rated(played, days_ago=1)

    own = officer.get("/desk/tournaments/SUI-PLAYED/").content.decode()
    public = Client().get("/tournaments/SUI-PLAYED/").content.decode()

    assert ("Two minutes a player." in own, "Two minutes a player." in public) == (True, False)


def test_every_page_of_a_tournament_says_one_state_at_its_head(officer: Client, checked: Report) -> None:
    address = "/desk/tournaments/SUI-PLAYED/"
    pages = [officer.get(address + end).content.decode() for end in ("", "files", "change", "withdraw")]
    heads = [page.partition('<header class="page-head')[2].partition("</header>")[0] for page in pages]

    assert [re.findall(r'class="state (state-[\w-]+)"', head) for head in heads] == [["state-checked"]] * 4
