"""What gunicorn serves. The body of a request has as many bytes as its head announces, or none of it counts."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Iterator
from contextlib import closing
from importlib import import_module
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.db.backends.signals import connection_created

from portal.presence import show_presence
from portal.settings.backends import limit_statements


class WholeBody:
    """A body that refuses to end early.

    Where a connection breaks in an upload, the web server reports no error, only an end: the half of a report
    would be taken for the report.
    """

    def __init__(self, body: Any, length: int) -> None:
        self._body = body
        self._left = length

    @classmethod
    def of(cls, environ: dict[str, Any]) -> WholeBody:
        """Return the body of a WSGI request; without a length that can be read it is empty, as for Django."""
        length = environ.get("CONTENT_LENGTH") or "0"
        # `isdecimal` alone is true for digits of other scripts.
        return cls(environ["wsgi.input"], int(length) if length.isdecimal() and length.isascii() else 0)

    def read(self, size: int | None = -1) -> bytes:
        """Return so many bytes, all that is left without a size; `BadRequest` where the body ends before."""
        wanted = self._left if size is None or size < 0 else min(size, self._left)
        parts = []
        while wanted:
            part = self._count_part(self._body.read(wanted))
            wanted -= len(part)
            parts.append(part)
        return b"".join(parts)

    def readline(self, size: int | None = -1) -> bytes:
        """Return the next line, at most so many bytes of it; `BadRequest` where the body ends before."""
        wanted = self._left if size is None or size < 0 else min(size, self._left)
        return self._count_part(self._body.readline(wanted)) if wanted else b""

    def _count_part(self, part: bytes) -> bytes:
        if not part:
            raise BadRequest(f"The body ended {self._left} bytes early.")
        self._left -= len(part)
        return part


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")

_django = get_wsgi_application()
# The pages' code is read now, not while the first reader waits. What is there by then stays as long as the process:
# every now and then a reader would wait for 0.1 s while all of it is searched for cycles.
import_module(settings.ROOT_URLCONF)
gc.collect()
gc.freeze()


def start_serving() -> None:
    """Give the statements of this process an end, and write into the log which keys open nothing that is stored."""
    connection_created.connect(limit_statements, dispatch_uid="portal.limit_statements")
    import_module("portal.keys").tell_other_keys()
    show_presence(settings.VAR_DIR, "web")
    # The thread that accepts connections answers nobody: it needs none to the database from here on.
    connections.close_all()


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer a request whose body is read whole or not at all."""
    environ["wsgi.input"] = WholeBody.of(environ)
    answer = _django(environ, start_response)
    # The web server's line in the log comes after this: it names the caller, not the proxy.
    if settings.ENVIRONMENT.behind_proxy and (claimed := environ.get("HTTP_X_FORWARDED_FOR")):
        # The proxy adds its own entry at the end; what is before it was written by the caller.
        environ["REMOTE_ADDR"] = claimed.rpartition(",")[2].strip()
    return _head_alone(answer) if environ["REQUEST_METHOD"] == "HEAD" else answer


def _head_alone(answer: Any) -> Iterator[bytes]:
    """Yield nothing of an answer, and end it: the web server would drop its body, with a warning each time."""
    with closing(answer):
        yield from ()
