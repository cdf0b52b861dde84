"""Whether this process is alive, and whether it can do its work."""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path

import structlog
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from portal.backup import backup_problem
from portal.celery import PULSE, PULSE_COUNTS_SECONDS
from portal.celery import app as celery_app
from portal.keys import other_keys
from portal.static_storage import lacks_files
from ratings.choices import RunState, Work
from ratings.judgements import stopped_lists
from ratings.models import Run

log = structlog.get_logger(__name__)
# More than a block of any disk.
WRITTEN = 1 << 16
# A row that nobody else writes in service, of a table that no page shows.
WRITTEN_AS_IT_IS = "UPDATE django_migrations SET app = app WHERE id = (SELECT MIN(id) FROM django_migrations)"


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """Answer 200 as long as this process answers at all."""
    return JsonResponse({"status": "ok"})


class NotReadyError(Exception):
    """A part cannot be used; the message is for everybody who asks."""


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Answer 200 when all parts are usable, else 503; name what is not, and warn of a backup that is missing."""
    parts, errors = {}, {}
    for name, check in CHECKS.items():
        try:
            check()
            parts[name] = "ok"
        except NotReadyError as error:
            parts[name] = errors[name] = f"failed: {error}"
        except Exception as error:
            # Any error means "not ready"; the reason belongs in the log, not in the answer.
            parts[name], errors[name] = (
                "failed",
                f"{type(error).__name__}: {str(error).partition(chr(10))[0]}",
            )
    if errors:
        log.error("not_ready", **errors)
    status = {"status": "failed" if errors else "ok", "checks": parts, "warnings": _warnings()}
    return JsonResponse(status, status=503 if errors else 200)


def _warnings() -> dict[str, str]:
    """Return what does not keep readers away, but wants an operator."""
    try:
        problem = backup_problem(timezone.now())
        stopped = {
            f"{row.kind} {row.date.isoformat()}": "publication stopped: figures wait for an explanation (D-134)"
            for row in stopped_lists().only("kind", "date")
        }
    except DatabaseError:
        return {}
    return ({"backup": problem} if problem else {}) | stopped


def _database() -> None:
    """Write a row as it is, and take it back: a database that only reads is not ready."""
    is_sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        if is_sqlite:
            cursor.execute("PRAGMA busy_timeout")
            patience = cursor.fetchone()[0]
            # Whoever holds the lock shows that writing works: there is no need to wait for it.
            cursor.execute("PRAGMA busy_timeout = 0")
        try:
            with transaction.atomic():
                if not is_sqlite:
                    cursor.execute("SET LOCAL lock_timeout = '2s'")
                cursor.execute(WRITTEN_AS_IT_IS)
                transaction.set_rollback(True)
        except OperationalError as error:
            if not _is_lock(error):
                raise
        finally:
            if is_sqlite:
                cursor.execute(f"PRAGMA busy_timeout = {patience}")


def _is_lock(error: OperationalError) -> bool:
    """Return whether somebody else writes at this moment, by the code of SQLite."""
    # The lowest byte is the kind of error, the others are its details.
    code = getattr(error.__cause__, "sqlite_errorcode", 0)
    return code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _migrations() -> None:
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if waiting:
        raise NotReadyError(f"{len(waiting)} migrations not applied. Run rating-portal migrate")


def _cache() -> None:
    cache.set("health", "ok", timeout=5)
    if cache.get("health") != "ok":
        raise RuntimeError("The cache does not store values.")


def _broker() -> None:
    with celery_app.connection_for_write() as broker:
        broker.ensure_connection(max_retries=1, timeout=2)


def _worker() -> None:
    if cache.get(PULSE) is None:
        raise RuntimeError(
            f"No worker has done a task for {PULSE_COUNTS_SECONDS} s. Start one, or look at its log."
        )


def _var_folder() -> None:
    if closed := closed_folders(settings.VAR_DIR):
        raise NotReadyError(f"{', '.join(closed)} cannot be written to")
    try:
        with tempfile.NamedTemporaryFile(dir=settings.VAR_DIR, prefix=".ready-") as file:
            # An empty file has a place on a full disk, too.
            file.write(bytes(WRITTEN))
            file.flush()
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise NotReadyError("the disk is full") from error
        raise


def closed_folders(folder: Path) -> list[str]:
    """Return the folders within, two levels deep, in which this process may not write: the month's files go there."""
    found = [path for level in ("*/", "*/*/") for path in sorted(folder.glob(level))]
    return [str(path.relative_to(folder)) for path in found if not os.access(path, os.W_OK | os.X_OK)]


def _static_files() -> None:
    if lacks_files():
        raise NotReadyError("not collected for this release. Run rating-portal collectstatic, and restart")


def _integrity() -> None:
    """Fail once the check of the night has found the database damaged; checking here would read the whole of it."""
    damaged = Run.objects.filter(work=Work.STORE, state=RunState.FAILED).first()
    if damaged is not None:
        raise RuntimeError(f"The database is damaged: {damaged.error}")


def _keys() -> None:
    if names := list(other_keys()):
        raise RuntimeError(f"{', '.join(names)}: not the key with which the data was written.")


CHECKS: dict[str, Callable[[], None]] = {
    "database": _database,
    "migrations": _migrations,
    "cache": _cache,
    "broker": _broker,
    "worker": _worker,
    "var": _var_folder,
    "static": _static_files,
    "integrity": _integrity,
    "keys": _keys,
}
