"""Results of a report corrected by an officer's program: the effect first, then the act, or why not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests import make
from tests.api.conftest import NOW, ROOT, SPRING, assert_promised
from tests.shared import SharedRows
from tournaments.choices import Verb
from tournaments.models import Report
from tournaments.reports import upload_report
from tournaments.tokens import issue_token

DRAW = {"what": "result", "round": 1, "white": 1, "result": "1/2-1/2"}


@pytest.fixture(scope="module")
def token(rows_of_module: SharedRows) -> str:
    """Return the token of an officer of a federation that has a report."""
    with rows_of_module():
        federation = make.federation(code="SUI", name="Switzerland")
        for fide_id, name in SPRING.players:
            make.player(fide_id=fide_id, name=name, federation=federation)
        tournament = make.tournament(
            event_id="SUI-9", federation=federation, start=NOW.date(), end=NOW.date(), name="Spring Rapid"
        )
        upload_report(tournament, SPRING.content(), file_name="a.trf", by=None, on=NOW.date(), at=NOW)
        officer = make.person("officer", federation)
        return issue_token(officer, federation, name="desk", verbs=[Verb.SUBMIT], at=NOW)


@pytest.fixture
def amend(token: str, db: None) -> Callable[..., Any]:
    """Return a function that amends the report of the tournament with the token."""

    def call(*amendments: Any, event_id: str = "SUI-9", **said: Any) -> Any:
        body = {"amendments": [*amendments], "reason": "Slip."} | said
        return Client().post(
            f"{ROOT}/tournaments/{event_id}/amendments",
            body,
            content_type="application/json",
            headers={"Authorization": f"Bearer {token}"},
        )

    return call


def test_a_dry_run_shows_the_effect_and_saves_nothing(amend: Callable[..., Any]) -> None:
    answer = amend(DRAW, dry_run=True)

    assert_promised(answer.json(), "/tournaments/{event_id}/amendments", "post")
    assert (answer.status_code, answer.json()["becomes"], answer.json()["version"]) == (200, "save", None)
    assert Report.objects.count() == 1


def test_an_amendment_becomes_the_next_version(amend: Callable[..., Any]) -> None:
    answer = amend(DRAW, {"what": "colours", "round": 2, "white": 2})

    assert (answer.json()["becomes"], answer.json()["version"], len(answer.json()["cases"])) == ("save", 2, 2)
    assert Report.objects.filter(version=2, state="checked").exists()


@pytest.mark.parametrize(
    ("amendments", "said", "status"),
    [
        ([], {}, 400),
        ([{"what": "file", "name": "x"}], {}, 400),
        ([{"what": "result", "round": "1", "white": 1, "result": "1-0"}], {}, 400),
        ([DRAW | {"round": 10**30}], {}, 400),
        ([DRAW] * 101, {}, 400),
        ([{"what": "person", "round": 1, "white": 1, "seat": "w", "fide_id": 2**63}], {}, 400),
        ([{"what": "opponent", "round": 1, "white": 1, "seat": "x", "other": 3}], {}, 400),
        (
            [{"what": "not-rated", "round": 1, "white": 1, "why": "fair-play", "reference": "x" * 201}],
            {},
            400,
        ),
        ([{"what": "not-rated", "round": 1, "white": 1, "why": "fair-play", "reference": "\0"}], {}, 400),
        ([DRAW, DRAW], {}, 409),
        ([DRAW], {"reason": " "}, 400),
        ([DRAW | {"round": 9}], {}, 409),
        ([DRAW | {"result": "2-0"}], {}, 409),
        ([DRAW | {"result": "1-0"}], {}, 409),
        ([DRAW], {"seen": "999"}, 409),
        ([{"what": "not-rated", "round": 1, "white": 1, "why": "fair-play", "reference": "x"}], {}, 409),
        ([DRAW], {"event_id": "AUT-1"}, 404),
    ],
)
def test_what_cannot_be_amended_is_refused(
    amend: Callable[..., Any], amendments: list[Any], said: dict[str, Any], status: int
) -> None:
    answer = amend(*amendments, **said)

    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
    assert Report.objects.count() == 1
