"""Objections of players: answered by the officer or the chief arbiter, and a task until the result is corrected."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.test import Client

from core.acts import Act
from players.cases import cancel, decide, open_cases
from players.choices import CaseKind, CaseState
from players.models import Notice, Player
from portal.models import User
from ratings.amend.amend import amend
from tests import make
from tests.desk.conftest import NOW, PLAYERS, browser, claimed
from tournaments.amendments import Result
from tournaments.models import NamedArbiter, Objection, Report, Tournament

RESULT = "/desk/chess/tournaments/SUI-PLAYED/"
RESULTS = "/desk/tournaments/SUI-PLAYED/results/"


def test_accepted_objection_is_a_task_until_the_result_is_corrected(
    officer: Client, accepted: Report
) -> None:
    ada = Player.objects.get(pk=PLAYERS[0][0])
    made = make.objection(tournament=accepted.tournament, player=ada, round=1)
    page = "/desk/tournaments/SUI-PLAYED/objections/"
    reply = {f"{made.pk}-decision": "agree", f"{made.pk}-answer": "Yes."}

    ((_one, _form, game),) = officer.get(page).context["waiting"]
    answer = officer.post(f"{page}{made.pk}/answer", reply)
    owed = [need.code for need in officer.get("/desk/").context["desk"].tasks]
    shown = officer.get(page).context["owed"]
    editor = officer.get(answer["Location"]).context
    officer.post(answer["Location"], {"verdict": "1/2-1/2", "correct": "1", "reason": "He drew."})

    made.refresh_from_db()
    after = [need.code for need in officer.get("/desk/").context["desk"].tasks]
    assert answer["Location"] == f"{RESULTS}?game=1-1"
    assert ("owed" in owed, "owed" in after, made.settled_at) == (True, False, NOW)
    assert [one for one, _game in shown] == [*editor["objections"]] == [made]
    assert (game.white, game.black, game.result) == (PLAYERS[0][1], PLAYERS[1][1], "1–0")


def test_what_follows_an_accepted_objection_is_said_before(officer: Client, accepted: Report) -> None:
    make.objection(tournament=accepted.tournament)

    def label() -> str:
        ((_one, form, _game),) = officer.get("/desk/tournaments/SUI-PLAYED/objections/").context["waiting"]
        return str(dict(form.fields["decision"].choices)["agree"])

    before = label()
    Tournament.objects.update(stage="published")
    assert ("FIDE" in before, "FIDE" in label()) == (False, True)


def test_objection_is_a_task_again_when_the_correction_that_was_requested_is_taken_back(
    holder: Any, accepted: Report
) -> None:
    tournament, arbiter = accepted.tournament, holder.user
    NamedArbiter.objects.create(tournament=tournament, user=arbiter, named_at=NOW)
    ada = Player.objects.get(pk=PLAYERS[0][0])
    make.objection(tournament=tournament, player=ada, round=1, state="approved", answer="Yes.")
    owed = [open_cases(arbiter, NOW.date()).filter(kind=CaseKind.OBJECTION).count()]

    (asked,) = amend(tournament, [Result(1, 1, result="1/2-1/2")], Act(arbiter, NOW, "He drew.")).records
    owed.append(open_cases(arbiter, NOW.date()).filter(kind=CaseKind.OBJECTION).count())
    cancel(asked, by=arbiter, at=NOW)
    owed.append(open_cases(arbiter, NOW.date()).filter(kind=CaseKind.OBJECTION).count())

    assert owed == [1, 0, 1]


def test_player_whose_line_has_no_fide_id_is_told_of_the_decision_on_a_correction(
    holder: Any, accepted: Report
) -> None:
    tournament, arbiter = accepted.tournament, holder.user
    NamedArbiter.objects.create(tournament=tournament, user=arbiter, named_at=NOW)
    ada = Player.objects.get(pk=PLAYERS[0][0])
    # As where she was found by her national number.
    content = bytes(accepted.content).replace(str(ada.pk).encode(), b" " * len(str(ada.pk)))
    Report.objects.filter(pk=accepted.pk).update(content=content)
    made = make.objection(tournament=tournament, player=ada, round=1, state="approved", answer="Yes.")

    (asked,) = amend(tournament, [Result(1, 1, result="1/2-1/2")], Act(arbiter, NOW, "He drew.")).records
    decide(asked, CaseState.REFUSED, answer="The sheet says so.", by=make.person("officer", "SUI"), at=NOW)

    made.refresh_from_db()
    told = Notice.objects.filter(key=f"corrected:{asked.pk}:refused").values_list("recipient", flat=True)
    assert (made.settled_at, [*told]) == (NOW, [made.asked_by.email])


def test_objection_settled_by_a_file_is_no_task(officer: Client, accepted: Report) -> None:
    made = make.objection(tournament=accepted.tournament, state="approved", answer="Yes.")

    officer.post(f"/desk/tournaments/SUI-PLAYED/objections/{made.pk}/settle")

    made.refresh_from_db()
    assert made.settled_at == NOW


def test_closed_objections_name_who_answered_and_not_the_account_of_who_cancelled(
    officer: Client, accepted: Report
) -> None:
    by, event = make.UserFactory.create_batch(2), accepted.tournament
    make.objection(tournament=event, asked_by=by[0], state="withdrawn", decided_by=by[0])
    make.objection(tournament=event, state="refused", answer="No.", decided_by=by[1])

    shown = officer.get("/desk/tournaments/SUI-PLAYED/objections/").content.decode()

    assert [user.email in shown for user in by] == [False, True]


def test_list_of_requests_names_the_player_who_objects_and_not_the_account(
    arbiter: Client, accepted: Report
) -> None:
    by, event = make.user(), accepted.tournament
    made = make.objection(tournament=event, asked_by=by)
    make.objection(tournament=event, asked_by=by, state="withdrawn", decided_by=by)

    shown = arbiter.get("/desk/cases/").content.decode()

    assert (by.email in shown, str(made.player) in shown) == (False, True)


def test_an_objection_is_answered_by_the_officer_and_blocks_nothing(
    ada: User, officer: Client, reported: Tournament
) -> None:
    claimed(ada)
    client = browser(ada)

    client.post(RESULT, {"round_number": "1", "statement": "I lost this game."})
    twice = client.post(RESULT, {"statement": "Again."})
    objection = Objection.objects.get()
    page = officer.get("/desk/tournaments/SUI-PLAYED/")
    pk = objection.pk
    address = f"/desk/tournaments/SUI-PLAYED/objections/{pk}/answer"
    wrong = officer.post(address, {f"{pk}-decision": "agree"})
    officer.post(address, {f"{pk}-decision": "agree", f"{pk}-answer": "Yes."})

    objection.refresh_from_db()
    reported.refresh_from_db()
    assert (objection.state, objection.due_on, twice.status_code) == ("approved", date(2026, 3, 11), 200)
    assert (page.context["open_objections"], reported.stage) == (1, "reported")
    assert [tab["url"][-11:] for tab in wrong.context["tabs"] if tab["current"]] == ["objections/"]
    told = Notice.objects.filter(kind="claim").order_by("pk").values_list("recipient", flat=True)
    assert told.last() == "ada@chess.example"
    assert len(told) == 2


def test_only_the_tournaments_arbiter_answers_an_objection(
    ada: User, holder: Any, reported: Tournament
) -> None:
    NamedArbiter.objects.create(tournament=reported, user=holder.user, named_at=NOW)
    made = make.objection(tournament=reported, asked_by=ada)
    address, pk = f"/desk/tournaments/SUI-PLAYED/objections/{made.pk}/answer", made.pk
    reply = {f"{pk}-decision": "decline", f"{pk}-answer": "The score sheet says so."}

    statuses = {
        role: make.browser(role).post(address, reply).status_code for role in ("officer AUT", "arbiter", "qc")
    }
    made.refresh_from_db()
    before = made.state
    browser(holder.user).post(address, reply)

    made.refresh_from_db()
    assert (statuses, before) == ({"officer AUT": 404, "arbiter": 404, "qc": 403}, "waiting")
    assert (made.state, made.decided_by) == ("refused", holder.user)
