"""The broker of tasks of several machines: Redis."""

from __future__ import annotations

from typing import Any

import structlog
from kombu.transport import redis
from redis.exceptions import ClusterDownError, ReadOnlyError, ResponseError
from redis.exceptions import ConnectionError as NoConnectionError

log = structlog.get_logger(__name__)


class RedisChannel(redis.Channel):
    """Kombu's Redis channel, whose reader survives what is no message: anybody who reaches Redis can write to it."""

    def _brpop_read(self, **options: Any) -> Any:
        try:
            return super()._brpop_read(**options)
        except (ValueError, LookupError, TypeError, AttributeError):
            # It is taken out of the queue already.
            log.exception("message cannot be read")
            return True
        except ResponseError as error:
            # A server that becomes a replica lets go of whoever waits.
            if not str(error).startswith("UNBLOCKED"):
                raise
            self.client.connection.disconnect()
            raise NoConnectionError(str(error)) from error


class RedisTransport(redis.Transport):
    """Messages through Redis, where a server that gives its place to another one counts as a lost connection."""

    Channel = RedisChannel

    connection_errors = (*redis.Transport.connection_errors, ReadOnlyError, ClusterDownError)
