from __future__ import annotations

from typing import Any

SQLITE_OPTIONS: dict[str, Any] = {
    # A transaction that will write takes the lock at its start: it waits there instead of failing half way.
    "transaction_mode": "IMMEDIATE",
    "timeout": 30,
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
    return {**database, "CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
