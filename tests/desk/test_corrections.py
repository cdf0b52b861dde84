"""Requested corrections of a result: who decides on them, whom that tells, and what only staff correct at once."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from core.acts import Act
from players.cases import decide
from players.choices import CaseState
from players.models import Claim, Notice
from portal.models import User
from ratings.amend.amend import amend
from ratings.models import Correction, CorrectionLine
from tests import make
from tests.codes import refusal
from tests.desk.conftest import NOW, ROUNDS, TODAY, claimed, report_of
from tests.desk.reader import Reader
from tests.shared import SharedRows
from tournaments.amendments import Line, Opponent
from tournaments.drafts import choose
from tournaments.handover import keep_checked
from tournaments.models import Game, HandedReport, Report, ResultCorrection, Tournament
from tournaments.overview import decided_since
from tournaments.reports import Upload, accept_report, upload_report
from tournaments.trf import pairing_of, read_report

RESULTS = "/desk/tournaments/SUI-PLAYED/results/"
LISTED = [(1_400_001, "Dorn, Dora"), (1_400_002, "Elm, Emil"), (1_400_003, "Fir, Fred")]


@pytest.fixture(scope="module")
def february(rows_of_module: SharedRows) -> None:
    """Publish the list of February 2026 with one tournament."""
    with rows_of_module():
        make.february("SUI-1", LISTED, ROUNDS)


@pytest.fixture
def published(february: None, db: None) -> Tournament:
    return Tournament.objects.get(event_id="SUI-1")


MAILS = (("appeal", ""), ("decision", ":approved"))


@pytest.mark.slow
def test_d_11_after_publication_staff_decide_what_the_officer_requests(published: Tournament) -> None:
    officer, staff = make.browser("officer"), make.browser("staff")
    reader = Reader(officer, "/desk/tournaments/SUI-1/")
    before = reader.answer.context["step"].task
    reader.follow("/desk/tournaments/SUI-1/results/")
    reader.follow("?game=1-1")
    reader.press("look", "0-1")
    effect = reader.answer.context["game"].effect
    reader.press("correct", "1", reason="Both players confirm it.")
    waiting = officer.get("/desk/tournaments/SUI-1/").context["step"]
    made = Correction.objects.count()
    asked = ResultCorrection.objects.get()
    decider = Reader(staff, "/desk/")
    (task,) = (one for one in decider.answer.context["tasks"] if one.code == "result")
    decider.follow(f"/desk/cases/{asked.number}/")
    shown = decider.answer.context["effect"]
    assert (task.deadline, task.facts[0][1]) == (decider.answer.context["decide_by"], "1–0 → 0–1")
    decider.clicks += 1
    hidden = {"seen": decider.answer.context["seen"]}
    decided = {"verdict": "grant", "reason": "", **hidden}
    refused = staff.post(f"/desk/cases/{asked.number}/", decided | {"verdict": "refuse"})
    staff.post(f"/desk/cases/{asked.number}/", decided)
    again = staff.post(f"/desk/cases/{asked.number}/", decided)

    asked.refresh_from_db()
    assert [one.action for one in decided_since(NOW, most=9)] == ["correct"]
    lines = CorrectionLine.objects.order_by("pk").values_list("player", "difference_hundredths")
    assert (reader.clicks, decider.clicks, made) == (4, 2, 0)
    assert (waiting.code, waiting.owner, waiting.task != before) == ("published", "staff", True)
    assert shown == effect
    assert [side.adjustment for side in effect.sides] == [difference for _player, difference in lines]
    done = staff.get(f"/desk/cases/{asked.number}/").context["lines"]
    assert [(line.player_id, line.difference_hundredths) for line in done] == [*lines]
    # Without another one the reason of who asked is published; a refusal has its own.
    assert list(refused.context["form"].errors) == ["reason"]
    assert (asked.state, asked.answer, again.status_code) == ("approved", "Both players confirm it.", 302)
    assert (Report.objects.get(state="accepted").version, Correction.objects.count()) == (2, 1)
    assert officer.get("/desk/tournaments/SUI-1/").context["step"].task == before
    # Whoever decides reads what it would do, whoever asked what it did.
    mails = [
        Notice.objects.get(key__startswith=f"correction:{asked.pk}{end}", kind=kind).text
        for kind, end in MAILS
    ]
    exact = {f"({difference / 100:+.2f})".replace("-", "−") for _player, difference in lines}
    assert [exact - {*re.findall(r"\(.\d+\.\d+\)", text)} for text in mails] == [set(), set()]


def test_refused_request_changes_nothing(published: Tournament) -> None:
    officer, staff = make.browser("officer"), make.browser("staff")
    address = "/desk/tournaments/SUI-1/results/?game=1-1"
    officer.post(address, {"verdict": "0-1", "correct": "1", "reason": "Wrong."})
    asked = ResultCorrection.objects.get()
    page = f"/desk/cases/{asked.number}/"
    open_request = officer.get(address).context
    assert (open_request["open_request"], open_request["is_barred"]) == (asked, True)
    assert staff.get(address).context["is_barred"] is False
    twice = officer.post(address, {"verdict": "0-1", "correct": "1", "reason": "Wrong."})
    foreign = make.browser("officer AUT").get(page).status_code
    own = officer.post(page, {"verdict": "grant", "reason": "Me."})

    staff.post(page, {"verdict": "refuse", "reason": "The slip says 1-0.", "seen": seen(published)})

    asked.refresh_from_db()
    assert (asked.state, Correction.objects.count()) == ("refused", 0)
    assert (twice.context["game"].form.errors.as_data()["__all__"][0].code, foreign) == (
        "correction-waits",
        404,
    )
    assert [one.code for one in own.context["form"].errors.as_data()["__all__"]] == ["not-yours"]
    assert published.log_entries.latest("pk").action == "deny-fix"


def test_request_names_the_right_opponent(published: Tournament) -> None:
    make.browser("officer")
    officer = User.objects.get(appointments__role="officer", appointments__federation="SUI")
    amend(published, [Opponent(1, 1, seat="b", other=3)], Act(officer, NOW, "Wrong pairing."))
    asked = ResultCorrection.objects.get()

    (text,) = make.browser("staff").get(f"/desk/cases/{asked.number}/").context["texts"]
    assert text.endswith("Fir, Fred")


def test_d_131_who_requested_a_correction_decides_nothing(published: Tournament) -> None:
    make.browser("staff")
    address = "/desk/tournaments/SUI-1/results/?game=1-1"
    make.browser("officer").post(address, {"verdict": "0-1", "correct": "1", "reason": "Wrong."})
    asked = ResultCorrection.objects.get()
    make.appointment(role="staff", user=asked.asked_by)

    for state in (CaseState.APPROVED, CaseState.REFUSED):
        with refusal() as refused:
            decide(asked, state, answer="Seen.", by=asked.asked_by, at=NOW)
        assert refused.found == ["own-matter-D-131"]


def seen(tournament: Tournament) -> str:
    return str(tournament.log_entries.latest("pk").pk)


def test_only_staff_correct_a_published_result_at_once(published: Tournament) -> None:
    form = {"verdict": "-/-", "correct": "1", "reason": "Not played.", "seen": seen(published)}

    answer = make.browser("staff").post("/desk/tournaments/SUI-1/results/?game=1-1", form)

    game = Game.objects.get(report__state="accepted", round=1, white=1)
    assert (answer.status_code, game.white_code, game.black_code, game.is_played) == (302, "-", "-", False)
    assert Correction.objects.get().reason == "Not played."


def told(claim: Claim) -> list[str]:
    """Return the keys of the emails about corrections that an account gets, without the numbers."""
    keys = (
        Notice.objects.filter(user=claim.asked_by, kind="claim").order_by("pk").values_list("key", flat=True)
    )
    return [re.sub(r":\d+:", ":", key) for key in keys if key.startswith("corrected")]


def test_players_of_a_corrected_game_are_told_when_it_is_decided(published: Tournament) -> None:
    officer, staff = make.browser("officer"), make.browser("staff")
    one, opponent, third = (claimed(make.user(), fide_id) for fide_id, _name in LISTED)
    about = {"tournament": published, "player": one.player, "asked_by": one.asked_by, "round": 1}
    make.objection(**about, reason="I lost.", state="approved", answer="Yes.")
    form = {"verdict": "0-1", "correct": "1", "reason": "Slip."}

    def decide_it(decision: str) -> None:
        asked = ResultCorrection.objects.get(state="waiting")
        hidden = {"seen": seen(published)}
        staff.post(f"/desk/cases/{asked.number}/", {"verdict": decision, "reason": "Seen.", **hidden})

    officer.post("/desk/tournaments/SUI-1/results/?game=1-1", form)
    before = told(one)
    decide_it("refuse")
    refused = told(one), told(opponent)
    officer.post("/desk/tournaments/SUI-1/results/?game=1-1", form)
    decide_it("grant")

    assert (before, refused) == ([], (["corrected:refused"], []))
    assert told(one) == ["corrected:refused", "corrected:approved"]
    assert (told(opponent), told(third)) == (["corrected:approved"], [])


def test_chief_arbiter_corrects_the_own_file_and_requests_later(
    arbiter: Client, holder: Any, played: Tournament, officer: Client
) -> None:
    keep_checked(played, Upload(report_of(), "open.trf", holder.user, TODAY, NOW))
    form = {"verdict": "0-1", "correct": "1", "reason": "Slip."}
    first = arbiter.post(f"{RESULTS}?game=1-1", form)
    report = upload_report(played, report_of(), file_name="o.trf", by=None, on=TODAY, at=NOW)
    accept_report(report, acknowledgement="Checked.", by=None, on=TODAY, at=NOW)

    arbiter.post(f"{RESULTS}?game=1-1", form)
    asked = ResultCorrection.objects.get()
    tasks = [str(need.page) for need in officer.get("/desk/").context["desk"].tasks]
    page = f"/desk/cases/{asked.number}/"
    officer.post(page, {"verdict": "grant", "reason": "Slip seen.", "seen": seen(played)})

    asked.refresh_from_db()
    assert first["Location"] == "/desk/tournaments/SUI-PLAYED/handed/2/"
    assert HandedReport.objects.count() == 2
    assert (page in tasks, asked.state) == (True, "approved")
    assert played.reports.get(state="accepted").version == 2


def test_granted_request_keeps_the_fixes_chosen_for_the_version(
    arbiter: Client, officer: Client, checked: Report, played: Tournament
) -> None:
    read = read_report(bytes(checked.content))
    city = next(number for number, line in enumerate(read.lines, 1) if line.startswith("022"))
    choose(checked, read, [Line(city, "022 Betaville")], on=TODAY)
    arbiter.post(f"{RESULTS}?game=1-1", {"verdict": "0-1", "correct": "1", "reason": "Slip."})
    asked = ResultCorrection.objects.get()

    form = {"verdict": "grant", "reason": "Slip seen.", "seen": seen(played)}
    officer.post(f"/desk/cases/{asked.number}/", form)

    made = read_report(bytes(played.reports.get(version=2).content))
    first = pairing_of(made, round_number=1, white=1)
    assert (made.city, first and first.white_code) == ("Betaville", "0")
