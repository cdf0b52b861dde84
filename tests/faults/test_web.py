"""A web process killed while a report is uploaded, or while it is taken in: nothing half, and once in the end."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.utils import timezone

from tests import make
from tests.processes import PATIENCE, environment_of_processes, wait_until, web_server
from tournaments.choices import Verb
from tournaments.models import Report, Tournament
from tournaments.tokens import issue_token

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def token(event: Tournament) -> str:
    officer = make.person("officer", event.federation)
    return issue_token(officer, event.federation, name="tool", verbs=[Verb.SUBMIT], at=timezone.now())


@dataclass(frozen=True, slots=True)
class Web:
    """A web server of one process, which dies before the statement that the file `dies_before` names."""

    base: str
    master: int
    dies_before: Path

    def connect(self) -> socket.socket:
        host, port = urlsplit(self.base).netloc.split(":")
        return socket.create_connection((host, int(port)), timeout=PATIENCE)

    def processes(self) -> list[int]:
        children = Path(f"/proc/{self.master}/task/{self.master}/children")
        return [int(child) for child in children.read_text().split()]


@pytest.fixture(scope="module")
def web(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    folder = tmp_path_factory.mktemp("web")
    dies_before = folder / "dies_before"
    environment = environment_of_processes() | {"DIES_BEFORE": str(dies_before)}
    with web_server(environment, log=folder / "log", workers=1, serves="tests.faults.dying") as (
        base,
        master,
    ):
        yield Web(base, master.pid, dies_before)


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


def sent_again(base: str, event: Tournament, token: str, paper: bytes) -> tuple[int, dict[str, Any]]:
    """Send the whole report as a caller does who got no answer: anew until there is one."""
    answers: list[tuple[int, dict[str, Any]]] = []

    def is_answered() -> bool:
        connection = http.client.HTTPConnection(urlsplit(base).netloc, timeout=PATIENCE)
        with contextlib.closing(connection), contextlib.suppress(OSError, http.client.HTTPException):
            headers = {"Authorization": f"Bearer {token}", "Content-Type": "text/plain"}
            connection.request("POST", f"/api/v1/tournaments/{event.event_id}/reports", paper, headers)
            with connection.getresponse() as answer:
                answers.append((answer.status, json.loads(answer.read())))
        return bool(answers)

    wait_until(is_answered, what="an answer of the web server")
    return answers[0]


def versions() -> list[tuple[int, bytes]]:
    return [(report.version, bytes(report.content)) for report in Report.objects.order_by("version")]


@pytest.mark.program
def test_killed_in_the_middle_of_an_upload(event: Tournament, token: str, paper: bytes, web: Web) -> None:
    [process] = web.processes()
    with web.connect() as caller:
        host = urlsplit(web.base).netloc
        caller.sendall(head(event, token, host=host, length=len(paper)) + paper[: len(paper) // 2])
        os.kill(process, signal.SIGKILL)
        wait_until(lambda: web.processes() not in ([], [process]), what="a new web process")
    assert versions() == []

    status, answer = sent_again(web.base, event, token, paper)

    assert (status, answer.get("version")) == (201, 1), answer
    assert versions() == [(1, paper)]


@pytest.mark.parametrize("statement", ['INSERT INTO "tournaments_report"', "RELEASE SAVEPOINT"])
def test_killed_while_the_report_is_taken_in(
    event: Tournament, token: str, paper: bytes, web: Web, statement: str
) -> None:
    web.dies_before.write_text(statement)
    with web.connect() as caller:
        caller.sendall(head(event, token, host=urlsplit(web.base).netloc, length=len(paper)) + paper)
        wait_until(lambda: not web.dies_before.exists(), what="the statement")
        assert caller.recv(1) == b""
    assert versions() == []

    status, answer = sent_again(web.base, event, token, paper)

    assert (status, answer.get("version")) == (201, 1), answer
    assert versions() == [(1, paper)]
