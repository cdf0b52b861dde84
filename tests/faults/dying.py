"""What gunicorn serves, in a process that SIGKILL ends before a statement.

The file named DIES_BEFORE says how the statement begins. It is removed then: who takes the process's place lives.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from django.db.backends.signals import connection_created

from portal.wsgi import application

__all__ = ["application"]


def _die(execute: Any, sql: str, *arguments: Any) -> Any:
    note = Path(os.environ["DIES_BEFORE"])
    if note.exists() and sql.startswith(note.read_text()):
        note.unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    return execute(sql, *arguments)


def _watch(connection: Any, **_: Any) -> None:
    if _die not in connection.execute_wrappers:
        connection.execute_wrappers.append(_die)


connection_created.connect(_watch, dispatch_uid="tests.dying")
