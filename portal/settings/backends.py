"""Database, cache, broker and schedule: embedded on one machine, or PostgreSQL and Redis."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from celery.schedules import crontab

from portal.celery import SCHEME

SQLITE_OPTIONS: dict[str, Any] = {
    # A transaction that will write takes the lock at its start: it waits there instead of failing half way.
    "transaction_mode": "IMMEDIATE",
    "timeout": 30,
    # With WAL, NORMAL cannot damage the file. A power cut may undo the last commits.
    "init_command": (
        "PRAGMA journal_mode=WAL;"
        "PRAGMA synchronous=NORMAL;"
        "PRAGMA temp_store=MEMORY;"
        "PRAGMA mmap_size=268435456;"
        "PRAGMA cache_size=-65536"
    ),
}


def database_settings(database: dict[str, Any], *, test_name: str | None = None) -> dict[str, Any]:
    """Return Django's settings of one database, with what each kind of server needs."""
    if database["ENGINE"] == "django.db.backends.sqlite3":
        # A file, as in service: WAL and the lock between processes are part of what is tested.
        return {
            **database,
            "OPTIONS": SQLITE_OPTIONS | database.get("OPTIONS", {}),
            "TEST": {"NAME": test_name},
        }
    # A connection that a restart of the server has ended is noticed before the first query of a request.
    return {**database, "CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}


# A web request waits no longer for a statement, or for a lock of somebody else; commands and workers may take longer.
WEB_LIMITS = {"statement_timeout": "30s", "lock_timeout": "10s"}


def limit_statements(connection: Any, **_: Any) -> None:
    """Let no statement of a web request wait for ever: the answer is then 503, to be tried again."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for name, value in WEB_LIMITS.items():
                # For the whole connection: SET LOCAL would end with the first transaction.
                cursor.execute("SELECT set_config(%s, %s, false)", [name, value])


# A page does not wait for a Redis that is frozen: it is asked twice, and then counts as away for some seconds.
IMPATIENT = {"socket_connect_timeout": 0.2, "socket_timeout": 0.2}


def cache_settings(redis_url: str | None, *, var_dir: Path) -> dict[str, Any]:
    """Return Django's CACHES; what is cached may be lost at any time.

    `pages` are rendered public pages; `process` is for values that JSON does not know, each process its own.
    """
    process = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "process"}
    if redis_url:
        # Its client takes long to import.
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        options = {
            "serializer": "portal.redis_caches.JsonSerializer",
            "retry": Retry(NoBackoff(), 1),
            **IMPATIENT,
        }
        backend = {
            "BACKEND": "portal.redis_caches.FailSafeRedisCache",
            "LOCATION": redis_url,
            "OPTIONS": options,
        }
        return {
            "default": {**backend, "KEY_PREFIX": "portal"},
            "pages": {**backend, "KEY_PREFIX": "pages"},
            "process": process,
        }
    backend = {"BACKEND": "portal.file_caches.FailSafeFileCache"}
    # A list's places are kept by federation, two hundred values a list; limits of callers are here too.
    default = {"LOCATION": str(var_dir / "cache"), "OPTIONS": {"MAX_ENTRIES": 20_000}}
    return {
        "default": {**backend, **default},
        "pages": {**backend, "LOCATION": str(var_dir / "pages"), "OPTIONS": {"MAX_ENTRIES": 3000}},
        "process": process,
    }


# Rendered public pages are kept this long, 0 for not at all.
KEPT_PAGES_SECONDS = 60


# None expires: that would be by the clock of the machine that sends. Beat sends none that still waits (`Schedule`).
PERIODIC_TASKS = {
    # A list belongs to the 1st, 00:00 UTC. Every hour of every day looks whether one is due: nothing is lost by a
    # worker, a database or a beat that was away on the 1st.
    "publish-due-lists": ("ratings.tasks.publish_due_lists", crontab(minute="10")),
    # Jobs, emails and deliveries are stored in the database; the sweep queues those that a broker or a killed worker
    # has lost.
    "sweep": ("portal.tasks.sweep", crontab()),
    # Ratings queue it too: this one finds lost ones, and marks, reports on hold and corrections.
    "update-next-lists": ("ratings.tasks.update_next_lists", crontab()),
    # Away from the night's checks, which read the same files.
    "count-figures": ("ratings.tasks.count_figures", crontab(minute="50", hour="3")),
    "keep-old-files-packed": ("ratings.tasks.keep_old_files_packed", crontab(minute="40", hour="4")),
    # The later runs find nothing to do unless the first one failed: a person gets one such mail a UTC day.
    "remind-of-deadlines": ("tournaments.tasks.remind_of_deadlines", crontab(minute="15", hour="6-9")),
    # A person gets one a UTC week; the later runs are for the case that the first one failed.
    "send-digests": ("tournaments.tasks.send_digests", crontab(minute="30", hour="5-8", day_of_week="mon")),
    # From the closing date of a list on; a player gets one for a list, so that later runs find nothing to do.
    "tell-players": ("ratings.tasks.tell_players", crontab(minute="45", hour="6-9")),
    # After the day's last games have had time to arrive; days that were missed are made up.
    "end-arena-days": ("arenas.tasks.end_days", crontab(minute="30", hour="0")),
    "link-log": ("ratings.tasks.link_log", crontab()),
    "retention": ("portal.tasks.retention", crontab(minute="20", hour="3")),
    "check-at-night": ("ratings.tasks.check_at_night", crontab(minute="40", hour="2")),
}
BEAT_SCHEDULE = {name: {"task": task, "schedule": when} for name, (task, when) in PERIODIC_TASKS.items()}


def broker_settings(redis_url: str | None, *, var_dir: Path) -> tuple[str, dict[str, Any]]:
    """Return the broker's address and transport options; makes the folders of the file-system broker."""
    if redis_url:
        # Longer than the longest task, or Redis hands a task that still runs to a second worker.
        return redis_url, {
            "visibility_timeout": 4 * 3600,
            "socket_connect_timeout": 0.5,
            "socket_timeout": 2.0,
        }
    queue, control = var_dir / "broker" / "queue", var_dir / "broker" / "control"
    for folder in (queue, control):
        folder.mkdir(parents=True, exist_ok=True)
    return f"{SCHEME}://localhost/", {
        "data_folder_in": str(queue),
        "data_folder_out": str(queue),
        "control_folder": str(control),
        "store_processed": False,
        "polling_interval": 0.2,
    }
