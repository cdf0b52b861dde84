"""Structured logs, one event per line with the ID of its request or task; error reports and traces.

Reports and traces are extras, imported only if their variable is set (ADR 24). They send neither the content of a
request nor the secret part of an address.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

import structlog

from portal.environment import Environment


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
                    structlog.processors.format_exc_info,
                    # Tracebacks are texts now: an error may name the address.
                    hide_secrets,
                    renderer,
                ],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "structured"}},
        "root": {"handlers": ["stderr"], "level": level},
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


# Addresses that give access: the end of each is the secret. A proxy may join slashes and dots only on its side.
_SLASH = r"/[/.]*+"
_PLACES = (
    r"accounts/(?:deadlines|confirm-email|password/reset/key|notifications/off|signup)|invitations"
    r"|follows/(?:confirm|own)"
)
# From the last slash before the place: a search that could begin at each of many slashes would not end.
SECRET_ADDRESS = re.compile(
    rf"(/(?:{_PLACES.replace('/', _SLASH)}){_SLASH})[^\s\"'?]*[^\s\"'?/]", re.IGNORECASE
)
# The page after the sign-in is a part of its address, which may be the page after the proof.
MOST_QUOTED = 3
# A longer text, as a traceback with the text of a report, keeps its beginning and its end.
MAX_TEXT = 32 * 1024


def mask_addresses(text: str, *, mark: str = "...") -> str:
    """Return a text with addresses whose secrets are left out, also those with percent-encoded letters."""
    text = plain = shortened(text)
    for _ in range(MOST_QUOTED):
        plain = unquote(plain)
    return SECRET_ADDRESS.sub(rf"\1{mark}", plain if SECRET_ADDRESS.search(plain) else text)


def shortened(text: str) -> str:
    """Return the beginning and the end of a long text, where no word lacks its beginning: it may be a secret."""
    if len(text) <= MAX_TEXT:
        return text
    end = text[-MAX_TEXT // 2 :].split(maxsplit=1)
    return f"{text[: MAX_TEXT // 2]} ... {end[1] if len(end) > 1 else ''}"


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


SERVICE = "rating-portal"


def start_reports(environment: Environment) -> None:
    """Start what the environment asks for, in this process and in those that it forks."""
    if environment.sentry_dsn:
        _report_errors(environment.sentry_dsn)
    if environment.otlp_endpoint:
        _send_traces()


def _report_errors(dsn: str) -> None:
    import sentry_sdk

    sentry_sdk.init(
        dsn=dsn,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        before_send=_without_secrets,
    )


def _without_secrets(event: Any, hint: Any) -> Any:
    """Leave of a request its method and address, of a command nothing, and mask addresses in every text of an event."""
    event.get("extra", {}).pop("sys.argv", None)
    if "request" in event:
        event["request"] = {name: event["request"].get(name, "") for name in ("method", "url")}
    return _mask_texts(event)


def _mask_texts(value: Any) -> Any:
    if isinstance(value, str):
        return mask_addresses(value)
    if isinstance(value, dict):
        return {name: _mask_texts(item) for name, item in value.items()}
    return [_mask_texts(item) for item in value] if isinstance(value, list) else value


def _send_traces() -> None:
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.instrumentation.celery import CeleryInstrumentor
    from opentelemetry.instrumentation.django import DjangoInstrumentor
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=Resource.create({"service.name": SERVICE}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    DjangoInstrumentor().instrument(request_hook=_mask_span, is_sql_commentor_enabled=False)
    CeleryInstrumentor().instrument()  # type: ignore[no-untyped-call]


def _mask_span(span: Any, request: Any) -> None:
    for name, value in dict(getattr(span, "attributes", None) or {}).items():
        if isinstance(value, str) and mask_addresses(value) != value:
            span.set_attribute(name, mask_addresses(value))
