"""A web process killed while a report is uploaded, or while it is taken in: nothing half, and once in the end."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.utils import timezone

from tests.factories import AppointmentFactory
from tests.faults.processes import CHANCE, ROUNDS
from tests.processes import environment_of_processes, wait_until, web_server
from tournaments.choices import Verb
from tournaments.models import Report, Tournament
from tournaments.services.tokens import issue_token

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def token(event: Tournament) -> str:
    officer = AppointmentFactory(role="officer", federation=event.federation).user
    return issue_token(officer, event.federation, name="tool", verbs=[Verb.SUBMIT], at=timezone.now())


def head(event: Tournament, token: str, *, host: str, length: int) -> bytes:
    lines = (
        f"POST /api/v1/tournaments/{event.event_id}/reports HTTP/1.1",
        f"Host: {host}",
        f"Authorization: Bearer {token}",
        "Content-Type: text/plain",
        f"Content-Length: {length}",
        "",
        "",
    )
    return "\r\n".join(lines).encode()


def web_processes(master: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{master}/task/{master}/children").read_text().split()]


def kill_web_processes(master: int) -> None:
    for process in web_processes(master):
        os.kill(process, signal.SIGKILL)


def sent_again(base: str, event: Tournament, token: str, paper: bytes) -> tuple[int, dict[str, object]]:
    """Send the whole report as a caller does who got no answer: anew until there is one."""
    for _ in range(20):
        connection = http.client.HTTPConnection(urlsplit(base).netloc, timeout=30)
        with contextlib.closing(connection), contextlib.suppress(OSError, http.client.HTTPException):
            headers = {"Authorization": f"Bearer {token}", "Content-Type": "text/plain"}
            connection.request("POST", f"/api/v1/tournaments/{event.event_id}/reports", paper, headers)
            with connection.getresponse() as answer:
                return answer.status, json.loads(answer.read())
        time.sleep(0.2)
    raise AssertionError("the web server did not come back")


def versions() -> list[tuple[int, bytes]]:
    return [(report.version, bytes(report.content)) for report in Report.objects.order_by("version")]


@pytest.mark.parametrize("part", [0.0, 0.5])
def test_killed_in_the_middle_of_an_upload(
    event: Tournament, token: str, paper: bytes, tmp_path: Path, part: float
) -> None:
    with web_server(environment_of_processes(), log=tmp_path / "web.log", workers=1) as (base, master):
        host, port = urlsplit(base).netloc.split(":")
        [process] = web_processes(master.pid)
        with socket.create_connection((host, int(port)), timeout=30) as caller:
            caller.sendall(head(event, token, host=host, length=len(paper)) + paper[: int(len(paper) * part)])
            kill_web_processes(master.pid)
            wait_until(lambda: web_processes(master.pid) not in ([], [process]), what="a new web process")
        assert versions() == []

        status, answer = sent_again(base, event, token, paper)

    assert (status, answer["version"]) == (201, 1)
    assert versions() == [(1, paper)]


def test_killed_while_the_report_is_taken_in(
    event: Tournament, token: str, paper: bytes, tmp_path: Path
) -> None:
    with web_server(environment_of_processes(), log=tmp_path / "web.log", workers=1) as (base, master):
        host, port = urlsplit(base).netloc.split(":")
        for _ in range(ROUNDS):
            with socket.create_connection((host, int(port)), timeout=30) as caller:
                caller.sendall(head(event, token, host=host, length=len(paper)) + paper)
                time.sleep(CHANCE.uniform(0, 0.3))
                kill_web_processes(master.pid)
            assert versions() in ([], [(1, paper)])

        _, answer = sent_again(base, event, token, paper)

    assert answer["version"] == 1
    assert versions() == [(1, paper)]
