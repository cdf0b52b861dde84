"""The cache: Redis, or files of the embedded portal."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def cache_settings(redis_url: str | None, *, var_dir: Path) -> dict[str, Any]:
    """Return Django's CACHES; what is cached may be lost at any time."""
    if redis_url:
        backend = {
            "BACKEND": "portal.cache.ForgivingRedisCache",
            "LOCATION": redis_url,
            "KEY_PREFIX": "portal",
        }
        return {"default": backend}
    files = "portal.cache.ForgivingFileCache"
    # A list's places are kept by federation: two hundred values a list.
    options = {"MAX_ENTRIES": 2000}
    return {"default": {"BACKEND": files, "LOCATION": str(var_dir / "cache"), "OPTIONS": options}}
