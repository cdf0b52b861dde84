"""A report that the database has no room for: refused in words, nothing half, and the same bytes in the end."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone

from players.models import LogEntry
from portal.failed_requests import answer_failure
from ratings.models import Run
from tests import make
from tests.faults.disks import fills_database, full_database
from tests.faults.world import GAMES, PLAYERS
from tournaments.changed_meanwhile import seen_of
from tournaments.choices import Verb
from tournaments.models import Game, Participant, Report, Tournament
from tournaments.tokens import issue_token

KEPT = (Report, Participant, Game, LogEntry, Run)
Send = Callable[[], Any]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def officer(event: Tournament) -> Client:
    browser = Client(raise_request_exception=False)
    browser.force_login(make.person("officer", event.federation))
    return browser


@pytest.fixture
def uploaded_by_hand(officer: Client, event: Tournament, paper: bytes) -> Send:
    place = f"/desk/tournaments/{event.event_id}/report"
    return lambda: officer.post(place, {"report": SimpleUploadedFile("open.trf", paper)})


@pytest.fixture
def uploaded_by_program(event: Tournament, paper: bytes) -> Send:
    person = make.person("officer", event.federation)
    token = issue_token(person, event.federation, name="tool", verbs=[Verb.SUBMIT], at=timezone.now())
    caller = Client(headers={"Authorization": f"Bearer {token}"}, raise_request_exception=False)
    place = f"/api/v1/tournaments/{event.event_id}/reports"
    return lambda: caller.post(place, paper, "text/plain")


def kept() -> list[list[dict[str, Any]]]:
    """Return all rows; a reason that was typed for an acceptance is kept apart, so that nobody types it twice."""
    rows = [list(model.objects.order_by("pk").values()) for model in KEPT]
    for report in rows[0]:
        del report["reasons"]
    return rows


@fills_database
@pytest.mark.parametrize(
    ("way", "says", "status"),
    [
        ("uploaded_by_hand", "<h1>The portal is temporarily unavailable</h1>", 302),
        ("uploaded_by_program", "Service unavailable. Nothing was saved.", 201),
    ],
)
def test_upload_without_room_is_taken_once_there_is_room(
    request: pytest.FixtureRequest, paper: bytes, way: str, says: str, status: int
) -> None:
    send: Send = request.getfixturevalue(way)
    before = kept()
    with full_database("tournaments_report", room=0):
        refused = send()

    assert (refused.status_code, refused["Retry-After"]) == (503, "60")
    assert says in refused.content.decode()
    assert kept() == before

    assert send().status_code == status
    assert [(report.version, bytes(report.content)) for report in Report.objects.all()] == [(1, paper)]


@fills_database
@pytest.mark.parametrize("room", [0, 3])
def test_acceptance_without_room_leaves_the_report_as_it_was(
    event: Tournament, officer: Client, uploaded_by_hand: Send, room: int
) -> None:
    uploaded_by_hand()
    before = kept()
    place = f"/desk/tournaments/{event.event_id}/reports/1/accept"
    sent = {"acknowledgement": "Checked with the arbiter.", "seen": seen_of(event)}
    with full_database("tournaments_game", room=room):
        refused = officer.post(place, sent)

    assert (refused.status_code, kept()) == (503, before)

    assert officer.post(place, sent).status_code == 302
    event.refresh_from_db()
    assert (Report.objects.get().state, Participant.objects.count(), Game.objects.count()) == (
        "accepted",
        len(PLAYERS),
        len(GAMES) * len(GAMES[0]),
    )


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (OperationalError("the connection is lost"), 503),
        (OSError(errno.ENOSPC, "No space left on device"), 503),
        (OSError(errno.EACCES, "Permission denied"), 500),
        (ValueError("a mistake"), 500),
    ],
)
def test_failure_is_told_from_a_mistake(error: Exception, status: int) -> None:
    request = HttpRequest()
    request.path = "/players/1001/"
    try:
        raise error
    except Exception:
        answer = answer_failure(request)

    assert (answer.status_code, answer.has_header("Retry-After")) == (status, status == 503)
    # What the administrators are to be told.
    assert request.path in answer.content.decode()
