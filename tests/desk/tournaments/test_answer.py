"""Requests for information: asked by the QC, answered by the officer."""

from __future__ import annotations

from django.test import Client

from tests.desk.conftest import seen
from tournaments.models import Tournament

CASE = "/desk/qc/SUI-PLAYED/"


def test_case_has_notes_an_information_request_and_a_reply(
    officer: Client, chair: Client, played: Tournament
) -> None:
    chair.post(f"{CASE}note", {"note-text": "Known for short games."})
    asked = chair.post(f"{CASE}ask", {"ask-text": "Send the papers.", "ask-due_on": "2026-03-09"} | seen())
    page = officer.get("/desk/tournaments/SUI-PLAYED/").content.decode()
    question = officer.get("/desk/tournaments/SUI-PLAYED/answer")["Location"]
    answered = officer.post(question, {"verdict": "grant", "reason": "In the post."} | seen())
    case = chair.get(CASE).content.decode()

    assert (asked.status_code, answered.status_code) == (302, 302)
    assert ("Send the papers." in page, "Known for" in page) == (True, False)
    assert ("Known for" in case, "In the post." in case) == (True, True)
