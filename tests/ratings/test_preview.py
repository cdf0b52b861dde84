"""The preview: what a report would do, with nothing written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from ratings.models import Calculation, ParticipantRating
from ratings.preview import ShownPreview
from tests import make
from tests.ratings.alphaville import ALL_PLAY, FIRST, PLAYERS, publish
from tests.trf_files import Event
from tournaments.models import Participant, Report, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.page]


def preview(content: bytes, *extra: str) -> Any:
    return make.run("preview_report", content, "--kind", "rapid", "--on", "2026-01-20", *extra)


def test_preview_shows_what_publishing_then_does() -> None:
    make.first_list(FIRST)
    make.first_list({}, kind="blitz")
    shown = preview(Event(PLAYERS, ALL_PLAY).content())
    written = (Tournament, Report, Participant, ParticipantRating, Calculation)
    assert [model.objects.count() for model in written] == [0, 0, 0, 0, 0]
    make.submit(Event(PLAYERS, ALL_PLAY))
    publish("2026-02-01")
    published = {row.player_id: (row.change_hundredths, row.new_rating) for row in Calculation.objects.all()}
    assert {row["fide_id"]: (row["change"], row["rating"]) for row in shown["players"]} == published
    assert shown["list"] == "2026-02-01"


def test_preview_names_why_a_game_does_not_count() -> None:
    make.first_list(FIRST)
    shown = preview(Event(PLAYERS, [[(1, 2, "+-"), (3, 6, "1-0")]]).content())
    reasons = {row["number"]: row["games"][0]["reasons"] for row in shown["players"]}
    assert reasons == {
        1: ["forfeit-4.1"],
        2: ["forfeit-4.1"],
        3: ["unrated-opponent-7.3.1"],
        4: ["bye-4.1"],
        5: ["bye-4.1"],
        6: ["disregarded-7.2.2", "pooled-6.1.4"],
    }


@pytest.mark.parametrize("content", [b"", b"<!doctype html><title>Sign in</title>", b"\x00\x01\x02"])
def test_preview_refuses_what_is_no_report(db: None, content: bytes) -> None:
    with pytest.raises(make.RefusedCommandError) as refused:
        preview(content)
    assert refused.value.args[0]["previewed"] is False
    assert len(refused.value.args[0]["reasons"]) == 1


@pytest.mark.parametrize(
    ("row", "has_exceptions", "has_left_out"),
    [
        ({"is_usual": True, "outcome": None, "left_out": []}, False, False),
        ({"is_usual": False, "outcome": None, "left_out": []}, True, False),
        ({"is_usual": True, "outcome": None, "left_out": [(None, [3])]}, False, True),
    ],
)
def test_columns_for_exceptions_are_there_where_somebody_is_one(
    row: dict[str, Any], has_exceptions: bool, has_left_out: bool
) -> None:
    usual = {"is_usual": True, "outcome": None, "left_out": []}
    shown = ShownPreview(rows=[usual, row])

    assert (shown.has_exceptions, shown.has_left_out) == (has_exceptions, has_left_out)


def test_preview_lists_warnings_in_json_and_on_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make.first_list(FIRST)
    path = tmp_path / "report.trf"
    path.write_bytes(Event([(1001, "Smith, Joan"), *PLAYERS[1:]], ALL_PLAY).content())
    call_command("preview_report", str(path), "--kind", "rapid", "--on", "2026-01-20", "--json")
    printed = capsys.readouterr()
    (warning,) = json.loads(printed.out)["warnings"]
    assert "Smith, Joan" in warning
    assert printed.err == f"warning: {warning}\n"
