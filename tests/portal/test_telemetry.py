"""Errors and traces go where the variables say, without secrets."""

from __future__ import annotations

import gzip
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import brotli
import pytest
from django.conf import settings

from tests.processes import environment_of_processes

pytestmark = pytest.mark.program
DECODERS: dict[str, Callable[[bytes], bytes]] = {"": bytes, "gzip": gzip.decompress, "br": brotli.decompress}
SECRET = "MTpzZWNyZXQ6c2VjcmV0"
SCRIPT = f"""
import logging, sys
from django.test import Client
client = Client(SERVER_NAME="localhost", headers={{"cookie": "a={SECRET}"}})
client.get("/invitations/{SECRET}/")
logging.getLogger("trial").error("refused: /fr/accounts/deadlines/{SECRET}.ics")
if "sentry_sdk" in sys.modules:
    sys.modules["sentry_sdk"].flush()
print("sentry_sdk" in sys.modules, "opentelemetry.instrumentation.django" in sys.modules)
"""


@pytest.fixture
def collector() -> Iterator[tuple[str, dict[str, bytes]]]:
    """Yield the address of a server that keeps what is posted to it, and what came by path."""
    came: dict[str, bytes] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            decode = DECODERS[self.headers.get("Content-Encoding", "")]
            came[self.path] = came.get(self.path, b"") + decode(body)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}", came
        server.shutdown()


def run(**variables: str) -> str:
    ended = subprocess.run(
        [
            sys.executable,
            str(settings.BASE_DIR / "manage.py"),
            "shell",
            "--verbosity",
            "0",
            "--command",
            SCRIPT,
        ],
        env=environment_of_processes() | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


@pytest.mark.django_db(transaction=True)
def test_errors_and_traces_arrive_without_secrets(collector: tuple[str, dict[str, bytes]]) -> None:
    address, came = collector
    endpoint = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://{address}"}

    assert run(SENTRY_DSN=f"http://key@{address}/1", **endpoint) == "True True"

    assert came.keys() == {"/api/1/envelope/", "/v1/traces"}
    assert b"refused: /fr/accounts/deadlines/..." in came["/api/1/envelope/"]
    assert b"/invitations/..." in came["/v1/traces"]
    assert SECRET.encode() not in b"".join(came.values())
