"""One result amended at each stage by each door: page, API, command, and a request that is granted."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.utils import timezone

from core.acts import Act
from desk.tournaments.shown_effect import shown_effect
from players.cases import decide
from players.choices import CaseState
from players.models import Federation, Player
from portal.models import User
from ratings.amend.amend import amend
from ratings.amend.standing import standing_for
from ratings.models import Calculation, Correction, CorrectionLine, Run
from tests import make
from tests.codes import refusal
from tests.conftest import NOW
from tests.ratings.alphaville import ALL_PLAY, PLAYERS, perform_due, publish
from tests.trf_files import Event
from tournaments.amendments import Colours, Condition, NotRated, Result, Withdrawal
from tournaments.choices import Action, Verb
from tournaments.drafts import choose
from tournaments.handover import keep_checked
from tournaments.models import Game, NamedArbiter, Report, ResultCorrection, Tournament
from tournaments.reports import Upload, upload_report
from tournaments.tokens import issue_token
from tournaments.trf import pairing_of, read_report

pytestmark = [pytest.mark.page, pytest.mark.slow]
DRAW = Result(4, 1, result="1/2-1/2")
REASON = "Both signed a draw."


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)


@pytest.fixture
def staff(swiss: Federation) -> User:
    return make.person("staff")


def by_page(staff: User, tournament: Tournament, folder: Path) -> None:
    client = make.browser(staff)
    form = {"verdict": DRAW.result, "correct": "1", "reason": REASON}
    address = f"/desk/tournaments/{tournament.event_id}/results/?game={DRAW.round}-{DRAW.white}"
    assert client.post(address, form).status_code == 302


def by_api(staff: User, tournament: Tournament, folder: Path) -> None:
    token = issue_token(staff, tournament.federation, name="desk", verbs=[Verb.SUBMIT], at=NOW)
    game = {"what": "result", "round": DRAW.round, "white": DRAW.white, "result": DRAW.result}
    address = f"/api/v1/tournaments/{tournament.event_id}/amendments"
    said: dict[str, Any] = {
        "content_type": "application/json",
        "headers": {"Authorization": f"Bearer {token}"},
    }
    body = {"amendments": [game], "reason": REASON}
    shown = Client().post(address, body | {"dry_run": True}, **said).json()
    done = Client().post(address, body | {"seen": shown["seen"]}, **said)
    assert done.status_code == 200, done.content
    # What was shown is what was done.
    assert [shown[name] for name in ("players", "taken")] == [
        done.json()[name] for name in ("players", "taken")
    ]
    assert Client().post(address, body | {"seen": shown["seen"]}, **said).status_code == 409


def by_command(staff: User, tournament: Tournament, folder: Path) -> None:
    path = folder / "amendments.json"
    path.write_text(json.dumps([{"what": "result", "round": 4, "white": 1, "result": "1/2-1/2"}]))
    call_command("correct_report", tournament.event_id, "--amendments", str(path), "--reason", REASON)


def by_case(staff: User, tournament: Tournament, folder: Path) -> None:
    arbiter = named(tournament)
    [case] = amend(tournament, [DRAW], Act(arbiter, NOW, "Please.")).records
    assert (case.state, case.amendments) == (
        CaseState.WAITING,
        [Result(4, 1, result="1/2-1/2", before="1-0")],
    )
    assert decide(case, CaseState.APPROVED, answer=REASON, by=staff, at=NOW)


def what_is_kept(tournament: Tournament) -> dict[str, Any]:
    """Return what an amendment leaves behind, but for who made it."""
    report = tournament.reports.order_by("-version").first()
    assert report is not None
    perform_due()
    steps = tournament.log_entries.exclude(action=Action.ASK_CORRECTION).order_by("pk")
    return {
        "reports": [*tournament.reports.values_list("version", "state", "sha256").order_by("version")],
        "game": [
            *Game.objects.filter(report=report, round=4, white=1).values_list("white_code", "black_code")
        ],
        "log": [*steps.values_list("action", "before", "after", "changes")],
        "records": [*ResultCorrection.objects.values_list("state", "round", "white", "amendments")],
        "corrections": [*Correction.objects.values_list("amendments", "reason")],
        "lines": [
            *CorrectionLine.objects.values_list("player", "difference_hundredths", "kind").order_by("player")
        ],
        "runs": Run.objects.count(),
    }


@pytest.fixture
def at_stage(month: Any, swiss: Federation) -> Callable[[str], Tournament]:
    """Return a function that brings a tournament to a stage."""

    def bring(stage: str) -> Tournament:
        if stage == "checked":
            made = make.tournament(
                event_id="SUI-2",
                federation=swiss,
                start=date(2026, 1, 10),
                end=date(2026, 1, 11),
                kind="rapid",
            )
            content = Event(PLAYERS, ALL_PLAY, name="Second").content()
            upload_report(made, content, file_name="second.trf", by=None, on=date(2026, 1, 20), at=NOW)
            return made
        if stage == "published":
            publish("2026-02-01")
        return Tournament.objects.get()

    return bring


@pytest.mark.parametrize("stage", ["checked", "accepted", "published"])
def test_each_door_leaves_the_same_behind(
    at_stage: Callable[[str], Tournament], staff: User, tmp_path: Path, stage: str
) -> None:
    tournament = at_stage(stage)
    found = {}
    for door in (by_page, by_api, by_command, by_case):
        with transaction.atomic():
            door(staff, Tournament.objects.get(pk=tournament.pk), tmp_path)
            found[door.__name__] = what_is_kept(Tournament.objects.get(pk=tournament.pk))
            transaction.set_rollback(True)

    first = found["by_page"]
    assert first["reports"][-1][:2] == (2, "checked" if stage == "checked" else "accepted")
    assert first["records"] == [("approved", 4, 1, [Result(4, 1, result="1/2-1/2", before="1-0")])]
    assert len(first["lines"]) == (2 if stage == "published" else 0)
    assert [found[door] for door in found] == [first] * 4


@pytest.mark.parametrize("stage", ["accepted", "published"])
def test_what_is_shown_of_a_request_is_what_is_done(
    at_stage: Callable[[str], Tournament], staff: User, stage: str
) -> None:
    tournament = at_stage(stage)
    arbiter = named(tournament)
    shown = amend(tournament, [DRAW], Act(arbiter, NOW), is_dry_run=True)
    assert (ResultCorrection.objects.count(), Report.objects.count()) == (0, 1)

    done = amend(tournament, [DRAW], Act(staff, NOW, REASON))

    assert [one[:4] for one in shown.players] == [one[:4] for one in done.players]
    assert (len(shown.players), shown.taken) == (2, done.taken)


def test_d_145_what_is_shown_before_publication_is_what_the_list_takes(
    at_stage: Callable[[str], Tournament], staff: User
) -> None:
    """Another mark is kept with its game, whoever has White in it (D-100)."""
    tournament = at_stage("accepted")
    act, both = Act(staff, NOW, REASON, date(2026, 1, 21)), [Colours(4, 1), Result(2, 5, result="1-0")]
    assert len(amend(tournament, [NotRated(4, 1, why="fair-play", reference="FPL 7")], act).players) == 2
    shown = amend(tournament, both, act, is_dry_run=True)
    amend(tournament, both, act)
    perform_due()
    publish("2026-02-01")

    rows = Calculation.objects.filter(rating_list__date="2026-02-01", rating_list__kind="rapid")
    taken = dict(rows.values_list("player", "change_hundredths"))
    assert {one.player_id for one in shown.players} == {1003, 1005}
    assert [(one.player_id, one.after.change) for one in shown.players] == [
        (one.player_id, taken[one.player_id]) for one in shown.players
    ]


def test_a_look_needs_no_reason_for_warnings(at_stage: Callable[[str], Tournament], staff: User) -> None:
    tournament = at_stage("accepted")
    for result in ("+/-", "-/-"):
        assert amend(tournament, [Result(4, 1, result=result)], Act(staff, NOW), is_dry_run=True).players


def test_an_amendment_goes_before_the_draft_of_the_version(
    at_stage: Callable[[str], Tournament], staff: User
) -> None:
    tournament = at_stage("checked")
    report = tournament.reports.get()
    read = read_report(bytes(report.content))
    choose(report, read, [Result(4, 1, result="0-1"), Result(1, 1, result="1/2-1/2")], on=NOW.date())

    made = read_report(bytes(amend(tournament, [DRAW], Act(staff, NOW, REASON)).made.content))

    games = [pairing_of(made, round_number=number, white=1) for number in (4, 1)]
    assert [(game.white_code, game.black_code) for game in games if game] == [("=", "=")] * 2


def test_what_does_not_go_together_is_refused(at_stage: Callable[[str], Tournament], staff: User) -> None:
    tournament = at_stage("accepted")
    wrong: list[tuple[list[Any], str]] = [
        ([DRAW, Result(4, 1, result="0-1")], "twice"),
        ([Withdrawal(), DRAW], "twice"),
        ([], "nothing-changes"),
        ([Condition("end", after="x")], "not-corrected"),
        ([Condition("name", after="x")], "not-corrected"),
    ]
    for amendments, code in wrong:
        with refusal() as refused:
            amend(tournament, amendments, Act(staff, NOW, REASON))
        assert refused.found == [code], amendments


def test_d_145_what_a_merged_player_takes_is_shown(
    at_stage: Callable[[str], Tournament], staff: User, swiss: Federation
) -> None:
    tournament = at_stage("published")
    old = Player.objects.get(pk=1001)
    new = make.player(fide_id=2001, name="Player, Other", federation=swiss)
    make.merge_by_two(old, into=new, reason="One person.", by=staff, at=NOW)
    standing = standing_for(staff, tournament)
    assert standing is not None

    effect = shown_effect(amend(tournament, [DRAW], Act(staff, NOW), is_dry_run=True), standing)

    assert ([side.adjustment for side in effect.sides], effect.others) == ([-1000, 1000], 0)


def test_amended_file_of_an_arbiter_waits_to_be_sent(swiss: Federation, staff: User) -> None:
    tournament = make.tournament(federation=swiss, start=date(2026, 1, 10), end=date(2026, 1, 11))
    arbiter = named(tournament)
    content = Event(PLAYERS, ALL_PLAY).content()
    keep_checked(tournament, Upload(content, "open.trf", arbiter, date(2026, 1, 20), NOW))

    effect = amend(tournament, [DRAW], Act(arbiter, NOW, REASON))

    assert (effect.made.number, effect.made.state, effect.records) == (2, "checked", ())
    game = pairing_of(read_report(bytes(effect.made.content)), round_number=4, white=1)
    assert game is not None
    assert (game.white_code, game.black_code) == ("=", "=")
    assert Report.objects.count() == 0


def named(tournament: Tournament) -> User:
    """Return the chief arbiter of a tournament."""
    arbiter = make.person("arbiter", tournament.federation)
    NamedArbiter.objects.create(tournament=tournament, user=arbiter, named_at=NOW)
    return arbiter
