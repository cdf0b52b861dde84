"""What a text on offer would have changed on published lists, and the command that adopts one (D-90, D-91)."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratings.models import Adoption, ListEntry, RatingList, TextTrial
from ratings.systems.registry import rules_named
from ratings.text_trials import OfficialTableError, distribution, perform_trial, tried_on
from tests import make
from tests.shared import SharedRows

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]
FEBRUARY = date(2026, 2, 1)
TODAY = date(2026, 2, 10)
# PostgreSQL reads many rows through a cursor.
READING = re.compile(r'(DECLARE "\w+" NO SCROLL CURSOR (WITH HOLD )?FOR )?\(?SELECT ')
AMENDED, OLD = "fide-rapid-blitz-2024-12", "fide-rapid-blitz-2022"


@pytest.fixture(autouse=True)
def _clock() -> Any:
    with time_machine.travel(make.noon(TODAY), tick=False):
        yield


@pytest.fixture(scope="module")
def published(rows_of_module: SharedRows) -> RatingList:
    with rows_of_module():
        return publish_february()


@pytest.fixture
def february(published: RatingList, db: None) -> RatingList:
    return deepcopy(published)


def publish_february() -> RatingList:
    """Return a list on which 2700 drew with 1500 and beat 2500; 2000 drew with 1500 and lost to 2500."""
    first = make.rating_list()
    players = [
        make.entry(rating_list=first, rating=rating, k_factor=k, player__name=f"Of {rating}").player
        for rating, k in ((2700, 10), (1500, 20), (2500, 10), (2000, 20))
    ]
    make.rating_list(kind="blitz")
    pairings = [(1, 1, 2, "1/2"), (1, 3, 4, "1-0"), (2, 1, 3, "1-0"), (2, 2, 4, "1/2")]
    make.play_and_rate(make.tournament(event_id="SUI-FAR"), players, pairings)
    make.publish("blitz", FEBRUARY)
    return make.publish("rapid", FEBRUARY)


def test_d_91_game_of_2700_against_1500_would_not_count(february: RatingList) -> None:
    month = tried_on(february, rules_named(AMENDED))
    assert (month["kind"], month["date"], month["players"], month["games"]) == ("rapid", "2026-02-01", 2, 1)
    by_name = {row["name"]: (row["before"], row["after"]) for row in month["differences"]}
    assert by_name == {"Of 2700": (2698, 2702), "Of 1500": (1517, 1508)}
    (game,) = next(iter(month["explained"].values()))
    assert (game["event_id"], game["round"], game["after"]) == ("SUI-FAR", 1, None)
    assert game["reasons"] == ["difference-600-7.3.1"]
    assert distribution(month["differences"]) == month["distribution"] == [[-9, 1], [4, 1]]


def test_d_90_text_in_force_changes_nothing(february: RatingList) -> None:
    month = tried_on(february, rules_named("fide-rapid-blitz-2024"))
    assert (month["players"], month["games"], month["differences"]) == (0, 0, [])


def test_d_90_another_floor_and_k_are_tried_too(february: RatingList) -> None:
    month = tried_on(february, rules_named(OLD))
    rows = {row["name"]: row["fide_id"] for row in month["differences"]}
    assert rows.keys() >= {"Of 2500", "Of 2700"}
    assert [(each["event_id"], each["k"]) for each in month["k_factors"][str(rows["Of 2700"])]] == [
        ("SUI-FAR", [10, 20])
    ]


def test_6_2_2_inactivity_after_fewer_months_is_counted(february: RatingList) -> None:
    idle = ListEntry.objects.filter(rating_list=february).listed().first()
    assert idle is not None
    ListEntry.objects.filter(pk=idle.pk).update(is_inactive=True)
    rules = replace(rules_named("fide-rapid-blitz-2024"), active_lists=12)
    assert tried_on(february, rules)["activity"] == {"active": 1, "inactive": 0}


def test_d_90_trial_writes_nothing(february: RatingList) -> None:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        tried_on(february, rules_named(AMENDED))
    assert [query["sql"] for query in queries if not READING.match(query["sql"])] == []


@pytest.mark.parametrize(
    "statement",
    [
        'UPDATE "ratings_listentry" SET rating = 1',
        "DELETE FROM ratings_calculation",
        "INSERT INTO ratings_run (id) VALUES (1)",
        "TRUNCATE ratings_listentry",
        "CREATE TABLE ratings_other (id integer)",
    ],
)
def test_d_90_trial_that_would_write_elsewhere_is_stopped(
    statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = TextTrial.objects.create(text=AMENDED, lists=["rapid 2026-02-01"], at=make.noon(TODAY))
    make.rating_list(date=FEBRUARY)

    def writing(*arguments: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)

    monkeypatch.setattr("ratings.text_trials.tried_on", writing)
    with pytest.raises(OfficialTableError):
        perform_trial(trial.pk)


def test_dry_run_prints_the_months_and_adopts_nothing(february: RatingList) -> None:
    entries = list(ListEntry.objects.order_by("pk").values())
    arguments = ["--from", "2026-06-01", "--reason", "Congress", "--dry-run", "2026-02-01"]
    result = make.run("adopt_rules", AMENDED, *arguments)
    assert {name: result[name] for name in ("adopted", "text", "from")} == {
        "adopted": False,
        "text": AMENDED,
        "from": "2026-06-01",
    }
    assert [(row["kind"], row["date"], row["players"], row["games"]) for row in result["months"]] == [
        ("blitz", "2026-02-01", 0, 0),
        ("rapid", "2026-02-01", 2, 1),
    ]
    first = result["months"][1]["differences"][0]
    assert set(first) == {"fide_id", "name", "before", "after"}
    assert set(result["months"][1]) == {"kind", "date", "players", "games", "differences"}
    assert Adoption.objects.count() == 2
    assert list(ListEntry.objects.order_by("pk").values()) == entries


def test_d_90_command_adopts_from_a_future_day() -> None:
    arguments = (AMENDED, "--from", "2026-06-01", "--reason", "Amended", "--reference", "FIDE C 2026/4")
    result = make.run("adopt_rules", *arguments)
    again = make.run("adopt_rules", *arguments)
    expected = {"adopted": True, "already": False, "text": AMENDED, "from": "2026-06-01", "months": []}
    assert (result, again) == (expected, expected | {"already": True})
    made = Adoption.objects.get(text=AMENDED)
    assert (made.first_day, made.reason, made.reference) == (date(2026, 6, 1), "Amended", "FIDE C 2026/4")


@pytest.mark.parametrize("extra", [[], ["--dry-run", "2026-02"]])
def test_d_90_command_refuses_what_cannot_be_adopted(extra: list[str], february: RatingList) -> None:
    for slug, day, reason, told in (
        ("fide-rapid-blitz-1999", "2026-06-01", "R", "No text is named"),
        (AMENDED, "2026-02-10", "R", "Enter the reference of the decision"),
        (AMENDED, "2026-06-01", "", "Enter a reason"),
    ):
        with pytest.raises(make.RefusedCommandError) as refused:
            make.run("adopt_rules", slug, "--from", day, "--reason", reason, *extra)
        result = refused.value.args[0]
        assert (result["adopted"], result["months"]) == (False, [])
        assert result["reasons"][0].startswith(told)
    assert Adoption.objects.count() == 2


def test_month_without_a_published_list_is_refused(february: RatingList) -> None:
    with pytest.raises(make.RefusedCommandError) as refused:
        make.run(
            "adopt_rules", AMENDED, "--from", "2026-06-01", "--reason", "R", "--dry-run", "2026-01", "2026-02"
        )
    assert refused.value.args[0]["codes"] == ["month-unpublished"]
    assert "2026-01-01" in refused.value.args[0]["reasons"][0]


@pytest.mark.parametrize(
    "arguments",
    [
        [AMENDED, "--reason", "R"],
        [AMENDED, "--from", "June", "--reason", "R"],
        [AMENDED, "--from", "2026-06-01", "--dry-run", "2026-02-03"],
    ],
)
def test_wrong_use_is_told(arguments: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("adopt_rules", *arguments)
