from __future__ import annotations

from django.conf import settings
from django.db import connection

from tests.services import vendor


def test_run_uses_the_database_asked_for() -> None:
    assert connection.vendor == vendor()


def test_run_uses_redis_beside_postgresql_and_files_beside_sqlite() -> None:
    with_redis = vendor() == "postgresql"
    assert settings.CELERY_BROKER_URL.startswith("redis://" if with_redis else "portal-files://")
    assert ("RedisCache" in settings.CACHES["default"]["BACKEND"]) == with_redis


def test_sqlite_keeps_its_database_in_a_wal_file(db: None) -> None:
    if vendor() != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA journal_mode")
        assert cursor.fetchone() == ("wal",)
        cursor.execute("PRAGMA foreign_keys")
        assert cursor.fetchone() == (1,)
