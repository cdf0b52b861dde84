"""Undoing the own last step of a tournament."""

from __future__ import annotations

from datetime import date

from django.test import Client

from players.models import LogEntry
from tests.desk.tournaments.conftest import AS_IT_IS, CHANGE, as_shown
from tournaments.models import Tournament
from tournaments.portal_reasons import SENTENCES

UNDO = "/desk/tournaments/SUI-1/undo"


def undo_form(officer: Client) -> LogEntry | None:
    found: LogEntry | None = officer.get("/desk/tournaments/SUI-1/").context.get("undoable")
    return found


def test_the_officer_undoes_the_own_last_change_in_one_step(officer: Client, registered: Tournament) -> None:
    officer.post(CHANGE, AS_IT_IS | {"city": "Betaville", "start": "2026-03-13"})
    offered = undo_form(officer)
    assert offered is not None

    answer = officer.post(UNDO, {"seen": offered.pk})

    registered.refresh_from_db()
    assert (answer.status_code, registered.city, registered.start) == (302, "Alphaville", date(2026, 3, 14))
    assert registered.registration == "registered"
    steps = LogEntry.objects.filter(tournament=registered, action="change")
    assert [step.reason for step in steps.order_by("pk")] == [
        AS_IT_IS["reason"],
        SENTENCES.state("change-undone"),
    ]
    # The newest step is an undoing now: what undoes it is named so.
    page = officer.get("/desk/tournaments/SUI-1/").context
    assert page["is_redo"] is True

    officer.post(UNDO, {"seen": page["undoable"].pk})
    registered.refresh_from_db()
    assert (registered.city, officer.get("/desk/tournaments/SUI-1/").context["is_redo"]) == (
        "Betaville",
        False,
    )


def test_a_change_that_went_to_the_qc_is_undone_while_it_waits(
    officer: Client, registered: Tournament
) -> None:
    officer.post(CHANGE, as_shown(officer, start="2026-03-06"))
    registered.refresh_from_db()
    before, offered = registered.registration, undo_form(officer)
    assert offered is not None

    officer.post(UNDO, {"seen": offered.pk})

    registered.refresh_from_db()
    assert (before, registered.registration, registered.start) == ("waiting", "registered", date(2026, 3, 14))


def test_an_undo_sent_twice_changes_nothing_more(officer: Client, registered: Tournament) -> None:
    officer.post(CHANGE, AS_IT_IS | {"city": "Betaville"})
    offered = undo_form(officer)
    assert offered is not None
    for _click in range(2):
        officer.post(UNDO, {"seen": offered.pk})

    registered.refresh_from_db()
    assert registered.city == "Alphaville"
    assert LogEntry.objects.filter(action="change").count() == 2


def test_d_80_change_cannot_be_undone_after_acceptance(officer: Client, registered: Tournament) -> None:
    officer.post(CHANGE, AS_IT_IS | {"city": "Betaville"})
    step = LogEntry.objects.get(action="change")
    Tournament.objects.update(stage="reported")

    officer.post(UNDO, {"seen": step.pk})

    registered.refresh_from_db()
    assert (undo_form(officer), registered.city) == (None, "Betaville")


def test_a_withdrawal_is_undone_from_the_page(officer: Client, registered: Tournament) -> None:
    officer.post("/desk/tournaments/SUI-1/withdraw", {"reason": "The hall is taken."})
    offered = undo_form(officer)
    assert offered is not None

    answer = officer.post(UNDO, {"seen": offered.pk}, follow=True)

    registered.refresh_from_db()
    assert registered.registration == "registered"
    assert SENTENCES.state("withdrawal-undone") in answer.content.decode()
