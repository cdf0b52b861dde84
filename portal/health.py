"""Whether this process is alive, and whether it can do its work."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable

import structlog
from django.conf import settings
from django.core.cache import cache
from django.db import OperationalError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from portal.celery import PULSE, PULSE_COUNTS_SECONDS
from portal.celery import app as celery_app
from portal.keys import other_keys
from ratings.choices import RunState, Work
from ratings.models import Run

log = structlog.get_logger(__name__)
# A row that nobody else writes in service, of a table that no page shows.
WRITTEN_AS_IT_IS = "UPDATE django_migrations SET app = app WHERE id = (SELECT MIN(id) FROM django_migrations)"


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """Answer 200 as long as this process answers at all."""
    return JsonResponse({"status": "ok"})


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Answer 200 when database, cache, broker, worker and folder are usable, else 503; name what is not."""
    failed = [name for name, check in CHECKS.items() if not _passes(name, check)]
    parts = {name: "failed" if name in failed else "ok" for name in CHECKS}
    status = {"status": "failed" if failed else "ok", "checks": parts}
    return JsonResponse(status, status=503 if failed else 200)


def _passes(name: str, check: Callable[[], None]) -> bool:
    # Any error there means "not ready"; the reason belongs in the log, not in the response.
    try:
        check()
    except Exception:
        log.exception("not_ready", check=name)
        return False
    return True


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
        raise RuntimeError(f"{len(waiting)} migrations not applied. Run `manage.py migrate`.")


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
    with tempfile.NamedTemporaryFile(dir=settings.VAR_DIR, prefix=".ready-"):
        return


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
    "integrity": _integrity,
    "keys": _keys,
}
