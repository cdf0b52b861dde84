"""A wrong result corrected on the crosstable, by clicks: before acceptance, after it, and after publication."""

from __future__ import annotations

import pytest
from django.test import Client

from players.models import Federation
from tests import make
from tests.codes import codes_of_messages
from tests.desk.conftest import PLAYERS
from tests.desk.reader import Reader
from tournaments.amendments import Result
from tournaments.models import Game, Report, ResultCorrection, Tournament

MOST_CLICKS = 5
RESULTS = "/desk/tournaments/SUI-PLAYED/results/"


def test_before_acceptance_a_result_is_a_new_version(officer: Client, checked: Report) -> None:
    reader = Reader(officer, "/desk/")
    reader.follow("/desk/tournaments/SUI-PLAYED/reports/1/")
    reader.follow(RESULTS)
    reader.follow("?game=1-1")
    reader.press("look", "0-1")
    effect = reader.answer.context["game"].effect
    reader.press("correct", "1", reason="The slip says so.")

    made = Report.objects.get(version=2)
    step = made.tournament.log_entries.latest("pk")
    assert reader.clicks <= MOST_CLICKS
    assert (reader.address, made.state) == ("/desk/tournaments/SUI-PLAYED/reports/2/", "checked")
    assert (made.corrected_from, step.reason) == (checked, "The slip says so.")
    assert [points for _side, points in effect.rows] == [(4, 2), (1, 3)]


def test_after_acceptance_the_effect_is_shown_and_a_version_accepted(
    officer: Client, accepted: Report
) -> None:
    reader = Reader(officer, "/desk/tournaments/SUI-PLAYED/")
    reader.follow(RESULTS)
    reader.follow("?game=1-1")
    reader.press("look", "1/2-1/2")
    shown = reader.answer.context["game"].effect
    versions = Report.objects.count()
    reader.press("correct", "1", reason="Signed as a draw.")

    game = Game.objects.get(report__state="accepted", round=1, white=1)
    assert (reader.clicks, versions) == (4, 1)
    assert [side.name for side in shown.sides] == [PLAYERS[0][1], PLAYERS[1][1]]
    assert (game.report.version, game.white_code, game.report.acknowledgement) == (
        2,
        "=",
        "Checked.\nSigned as a draw.",
    )
    assert ResultCorrection.objects.values_list("state", "result_before", "amendments").get() == (
        "approved",
        "1-0",
        [Result(game.round, game.white, result="1/2-1/2", before="1-0")],
    )


def seen(tournament: Tournament) -> str:
    return str(tournament.log_entries.latest("pk").pk)


@pytest.mark.parametrize(
    ("typed", "codes"),
    [
        ({"verdict": "colours"}, ("2", "1")),
        ({"look": "white-player", "verdict": "white-player", "player": "1300009"}, ("1", "2")),
        ({"verdict": "swap-black", "other": "3"}, ("1", "3")),
    ],
    ids=["colours", "player", "opponent"],
)
def test_other_mistakes_are_corrected_in_the_same_editor(
    officer: Client, accepted: Report, swiss: Federation, typed: dict[str, str], codes: tuple[str, str]
) -> None:
    make.player(fide_id=1_300_009, name="Alder, Anna", federation=swiss)
    form = {"correct": "1", "reason": "Wrong.", **typed}

    answer = officer.post(f"{RESULTS}?game=1-1", form)

    report = accepted.tournament.reports.get(state="accepted")
    game = Game.objects.filter(report=report, round=1).exclude(black=None).get()
    players = dict(report.participants.values_list("number", "player"))
    assert (answer.status_code, codes_of_messages(answer)) == (302, ["result-accept"])
    assert (str(game.white), str(game.black)) == codes
    assert players[1] == (1_300_009 if "player" in typed else 1_300_001)


def test_reason_is_required_and_what_was_chosen_stays(officer: Client, accepted: Report) -> None:
    answer = officer.post(f"{RESULTS}?game=1-1", {"verdict": "0-1", "correct": "1", "reason": " "})

    game = answer.context["game"]
    assert (game.verdict, game.form.errors.as_data()["reason"][0].code) == ("0-1", "reason-missing")
    assert accepted.tournament.reports.count() == 1


def test_colleagues_step_is_not_overwritten(officer: Client, accepted: Report) -> None:
    form = {"verdict": "0-1", "correct": "1", "reason": "Slip.", "seen": "0"}

    answer = officer.post(f"{RESULTS}?game=1-1", form)

    assert answer.context["game"].form.errors.as_data()["__all__"][0].code == "changed-meanwhile"


def test_unknown_game_is_not_found(officer: Client, accepted: Report) -> None:
    assert [officer.get(f"{RESULTS}?game={name}").status_code for name in ("1-3", "9-9", "x", "1-")] == [
        404
    ] * 4
