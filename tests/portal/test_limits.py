"""Limits of callers: counted once each, also where Redis lost what it counted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from django.core.cache import caches
from django.core.cache.backends.base import BaseCache
from django.test import override_settings

from core.web.rates import count_up
from portal.checks import evicting_redis
from portal.redis_caches import CALLS
from portal.settings.backends import cache_settings
from tests.servers import redis_server

pytestmark = [pytest.mark.program, pytest.mark.slow]


@pytest.fixture
def full_redis(tmp_path: Path) -> Iterator[redis.Redis]:
    """A Redis of 3 MB that throws away what expires, as the cache of the portal."""
    with (
        redis_server() as url,
        redis.Redis.from_url(url) as server,
        override_settings(CACHES=cache_settings(url, var_dir=tmp_path)),
    ):
        server.config_set("maxmemory-policy", "volatile-lru")
        server.config_set("maxmemory", int(server.info("memory")["used_memory"]) + 3 * 2**20)
        yield server


def fill(cache: BaseCache, entries: int, size: int) -> None:
    for number in range(entries):
        cache.set(f"page:{number}", "x" * size, 120)


@pytest.mark.parametrize("limit", CALLS)
def test_readers_push_no_limit_out_of_redis(full_redis: Any, limit: str) -> None:
    count_up(f"{limit}a", 600)
    full_redis.rpush("queue", "a job")
    fill(caches["pages"], 400, 40_000)
    fill(caches["default"], 400, 40_000)
    assert full_redis.info("stats")["evicted_keys"] > 0
    assert (count_up(f"{limit}a", 600), full_redis.llen("queue")) == (2, 1)


def test_what_a_process_counted_is_counted_on_where_redis_lost_it(full_redis: Any) -> None:
    key = "api:reads:a"
    assert [count_up(key, 600) for _ in range(3)] == [1, 2, 3]
    full_redis.flushall()
    assert [count_up(key, 600) for _ in range(2)] == [4, 5]
    assert full_redis.get(caches["default"].make_key(key)) == b"5"


def test_a_lock_of_heavy_work_is_free_once_another_process_gave_it_back(full_redis: Any) -> None:
    cache, lock = caches["default"], "api:heavy:a"
    full_redis.set(cache.make_key(lock), 1)
    assert not cache.add(lock, 1, 10)
    full_redis.delete(cache.make_key(lock))
    assert cache.add(lock, 1, 10)


@pytest.mark.parametrize(
    ("policy", "is_right"), [("volatile-lru", True), ("allkeys-lru", False), ("noeviction", False)]
)
def test_check_asks_for_the_policy_that_keeps_jobs(policy: str, is_right: bool) -> None:
    with redis_server() as url, redis.Redis.from_url(url) as server:
        server.config_set("maxmemory-policy", policy)
        server.config_set("maxmemory", "512mb")
        assert [found.id for found in evicting_redis(url)] == ([] if is_right else ["portal.E010"])
        server.config_set("maxmemory", "0")
        assert "portal.E012" in [found.id for found in evicting_redis(url)]
    assert list(evicting_redis(url)) == []
