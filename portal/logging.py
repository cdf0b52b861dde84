"""Structured logs, one event per line with the ID of its request or task."""

from __future__ import annotations

from typing import Any

import structlog

from core.errors import BusyError
from portal.secret_addresses import mask_addresses


def logging_config(*, level: str, as_json: bool) -> dict[str, Any]:
    """Return the `logging.dictConfig` mapping that renders every logger's events the same way."""
    in_words = structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "logger", "event"])
    renderer: Any = structlog.processors.JSONRenderer() if as_json else in_words
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structured": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": SHARED_PROCESSORS,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    shorten_refusals,
                    structlog.processors.format_exc_info,
                    # Tracebacks are texts now: an error may name the address.
                    hide_secrets,
                    renderer,
                ],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "structured"}},
        "root": {"handlers": ["stderr"], "level": level},
        # Without the handlers that Django and gunicorn bring along, through which each line would appear twice.
        "loggers": {
            "django": {"level": level, "handlers": [], "propagate": True},
            "django.server": {"level": level, "handlers": [], "propagate": True},
            "gunicorn.error": {"level": level, "handlers": [], "propagate": True},
            "gunicorn.access": {"level": level, "handlers": [], "propagate": True},
        },
    }


def configure_structlog() -> None:
    """Make structlog's loggers go through the standard library's, so that there is one way out."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED_PROCESSORS,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def shorten_refusals(logger: Any, name: str, event: dict[str, Any]) -> dict[str, Any]:
    """Leave out the traceback of a request that was refused because the portal is busy: it says nothing, many times."""
    error = event.get("exc_info")
    if isinstance(error, tuple) and isinstance(error[1], BusyError):
        return {**event, "exc_info": None}
    return event


def hide_secrets(logger: Any, name: str, event: dict[str, Any]) -> dict[str, Any]:
    """Replace the secret part of addresses in a log entry."""
    return {
        key: mask_addresses(value, mark="***") if isinstance(value, str) else value
        for key, value in event.items()
    }


SHARED_PROCESSORS: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    hide_secrets,
]
