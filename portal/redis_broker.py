"""The broker of tasks of several machines: Redis."""

from __future__ import annotations

from typing import Any

from kombu.transport import redis
from redis.exceptions import RedisError

from portal.broker import Message, reject_unreadable


class Channel(redis.Channel):
    """Kombu's Redis channel, which outlives lost acknowledgements and what is no message."""

    Message = Message

    def _brpop_read(self, **options: Any) -> Any:
        with reject_unreadable(self, RedisError):
            return super()._brpop_read(**options)
        return True


class Transport(redis.Transport):
    """Messages through Redis."""

    Channel = Channel
