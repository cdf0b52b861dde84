"""The audit of the libraries, against a service of the test's own or none at all: the network is not asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tools.audit import CLEAN, FOUND, UNKNOWN, main

pytestmark = pytest.mark.program

FAULT = {
    "id": "PYSEC-0000-1",
    "summary": "An invented fault",
    "aliases": [],
    "affected": [
        {
            "package": {"name": "amqp", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "99.1"}]}],
            "versions": [],
        }
    ],
}


class _Faults(BaseHTTPRequestHandler):
    faulty = ""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        known = {"vulns": [FAULT]} if asked["package"]["name"] == self.faulty else {}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(known).encode())

    def log_message(self, *arguments: object) -> None:
        return


@pytest.fixture
def service() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Faults)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def asked_of(server: ThreadingHTTPServer) -> list[str]:
    return ["--vulnerability-service", "osv", "--osv-url", f"http://127.0.0.1:{server.server_port}/query"]


@pytest.mark.parametrize(
    ("faulty", "code", "last"),
    [
        ("", CLEAN, "0 known faults in the libraries of requirements.lock."),
        ("amqp", FOUND, "1 known faults in the libraries of requirements.lock."),
    ],
)
def test_audit_tells_what_the_service_knows(
    service: ThreadingHTTPServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    faulty: str,
    code: int,
    last: str,
) -> None:
    monkeypatch.setattr(_Faults, "faulty", faulty)

    assert main(asked_of(service)) == code
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == last
    assert [line.split(":")[1].split(",")[0] for line in said[:-1]] == [" PYSEC-0000-1"] * bool(faulty)


def test_audit_says_so_where_no_service_answers(capsys: pytest.CaptureFixture[str]) -> None:
    away = ["--vulnerability-service", "osv", "--osv-url", "http://127.0.0.1:9/query", "--timeout", "2"]

    assert main(away) == UNKNOWN
    assert capsys.readouterr().err.splitlines()[-1] == (
        "WARNING: the service of known faults was not reached; nothing is known."
    )
