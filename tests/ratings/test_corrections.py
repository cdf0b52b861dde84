"""Corrections of published reports: the next list carries the differences, earlier ones stay (D-11)."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from ratings.models import Calculation, CorrectionLine, ListEntry, ListFile
from tests import make
from tests.ratings.alphaville import ALL_PLAY, FIRST, PLAYERS, entry_of, publish
from tests.trf_files import Event
from tournaments.models import Report, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]

# The last round turned round: 1006 now loses to 1003.
CORRECTED = Event(PLAYERS, [*ALL_PLAY[:4], [(3, 6, "1-0"), (4, 2, "0-1"), (5, 1, "0-1")]])


def correct(event: Event | None, *extra: str) -> Any:
    files = [event.content()] if event else []
    event_id = Tournament.objects.get().event_id
    days = ["--submitted-on", "2026-02-10", "--reason", "wrong result in round 5"]
    return make.run("correct_report", event_id, *files, *days, *extra)


@pytest.fixture
def published(month: Any) -> list[str]:
    publish("2026-02-01")
    return list(ListFile.objects.order_by("pk").values_list("sha256", flat=True))


@pytest.mark.database
def test_d11_next_list_takes_new_minus_old_and_published_files_stay(published: list[str]) -> None:
    """2.5 of 5 in place of 3.5: p = 3.5 / 7 = .50, Ru 1800 in place of 1902.

    1003's game in round 5 was against an unrated player: it counts for nothing, before and after.
    """
    shown = correct(CORRECTED, "--dry-run")
    assert (shown["corrected"], CorrectionLine.objects.count(), Report.objects.count()) == (False, 0, 1)
    effect = correct(CORRECTED)
    names = ("fide_id", "kind", "before", "after", "difference")
    lines = [tuple(line[name] for name in names) for line in effect["lines"]]
    assert lines == [(1006, "initial", 190200, 180000, -10200)]
    assert (shown["lines"], entry_of(1006).rating) == (effect["lines"], 1902)
    publish("2026-03-01")
    assert entry_of(1006, "2026-03-01").rating == 1800
    assert Calculation.objects.get(player=1006, rating_list__date="2026-03-01").result == "correction-D-11"
    february = ListFile.objects.filter(rating_list__date="2026-02-01").order_by("pk")
    assert list(february.values_list("sha256", flat=True)) == published
    for date in ("2026-02-01", "2026-03-01"):
        assert make.run("verify_list", "rapid", date) == {"verified": True, "reasons": []}


def test_d11_withdrawn_report_takes_its_changes_back(published: list[str]) -> None:
    correct(None)
    publish("2026-03-01")
    entries = ListEntry.objects.filter(rating_list__kind="rapid", rating_list__date="2026-03-01")
    assert dict(entries.values_list("player_id", "rating")) == {
        fide_id: rating for fide_id, rating in FIRST.items() if rating
    }
    lost = Calculation.objects.get(player=1006, rating_list__date="2026-03-01")
    assert (lost.result, lost.new_rating) == ("initial-lost-D-11", None)
    assert make.run("verify_list", "rapid", "2026-03-01")["verified"] is True


def test_d11_correction_of_a_correction_takes_only_the_rest(published: list[str]) -> None:
    correct(CORRECTED)
    effect = correct(Event(PLAYERS, ALL_PLAY, name="Open of Alphaville"))
    assert [line["difference"] for line in effect["lines"]] == [10200]
    publish("2026-03-01")
    assert entry_of(1006, "2026-03-01").rating == 1902


def test_d11_event_in_a_pool_is_replaced() -> None:
    """Three games, then two more: the first rating comes of the corrected three."""
    make.first_list(FIRST)
    three = [[(1, 6, "0-1")], [(6, 2, "1-0")], [(3, 6, "0-1")]]
    make.submit(Event(PLAYERS, three))
    publish("2026-02-01")
    effect = correct(Event(PLAYERS, [[(1, 6, "1-0")], [(6, 2, "0-1")], [(3, 6, "1/2")]]))
    assert {line["fide_id"]: line["kind"] for line in effect["lines"]} == {1006: "pool"}
    second = Event(
        PLAYERS, [[(4, 6, "1/2")], [(6, 5, "1/2")]], name="Second", start="2026/02/14", end="2026/02/15"
    )
    make.submit(second, registered="2026-02-01", submitted="2026-02-16")
    publish("2026-03-01")
    initial = Calculation.objects.get(player=1006, rating_list__date="2026-03-01").value.initial
    assert initial is not None
    assert (initial.games, initial.half_points) == (5, 3)
    assert make.run("verify_list", "rapid", "2026-02-01")["verified"] is True
    assert make.run("verify_list", "rapid", "2026-03-01")["verified"] is True


@pytest.mark.parametrize("is_published", [False, True])
def test_correction_is_refused_where_nothing_differs(month: Any, is_published: bool) -> None:
    if is_published:
        publish("2026-02-01")
    with pytest.raises(make.RefusedCommandError) as same:
        correct(Event(PLAYERS, ALL_PLAY))
    assert same.value.args[0]["codes"] == ["same-report"]


def test_before_publication_a_correction_is_another_accepted_version(month: Any) -> None:
    """Nothing is withdrawn that no list has: that is a decision on the registration."""
    with pytest.raises(make.RefusedCommandError) as unpublished:
        correct(None)
    assert unpublished.value.args[0]["codes"] == ["not-published"]
    effect = correct(CORRECTED)
    assert (effect["lines"], effect["lists"]) == ([], [])
    assert Report.objects.values_list("version", "state").get(state="accepted") == (2, "accepted")


def test_d11_withheld_first_rating_that_is_lost_does_not_come_back(published: list[str]) -> None:
    """Excluded for March, withdrawn meanwhile: on re-admission in April there is no rating to show (9.1)."""
    make.run("mark_federation", "SUI", "--excluded-from", "2026-02-20", "--until", "2026-04-01")
    publish("2026-03-01")
    assert entry_of(1006, "2026-03-01").status == "withheld"
    correct(None)
    publish("2026-04-01")
    assert not ListEntry.objects.filter(player=1006, rating_list__date="2026-04-01").exists()
    assert entry_of(1001, "2026-04-01").rating == FIRST[1001]


def test_correction_lists_the_warnings_of_the_corrected_report(
    published: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In JSON and on standard error, as the effect is shown and as the report is corrected."""
    path = tmp_path / "corrected.trf"
    path.write_bytes(replace(CORRECTED, players=[(1001, "Smith, Joan"), *PLAYERS[1:]]).content())
    event_id = Tournament.objects.get().event_id
    told = [event_id, str(path), "--submitted-on", "2026-02-10", "--reason", "wrong result", "--json"]

    for extra in (["--dry-run"], []):
        capsys.readouterr()
        call_command("correct_report", *told, *extra)
        printed = capsys.readouterr()
        (warning,) = json.loads(printed.out)["warnings"]
        assert "Smith, Joan" in warning
        assert printed.err == f"warning: {warning}\n"
