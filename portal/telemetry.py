"""Error reports and traces, for who wants them."""

from __future__ import annotations

from typing import Any

from portal.environment import Environment
from portal.secret_addresses import mask_addresses

SERVICE = "rating-portal"


def start_reports(environment: Environment) -> None:
    """Start what the environment asks for, in this process and in those that it forks."""
    if environment.sentry_dsn:
        # An extra, which need not be installed (ADR 24).
        import sentry_sdk

        sentry_sdk.init(
            dsn=environment.sentry_dsn,
            send_default_pii=False,
            include_local_variables=False,
            max_request_body_size="never",
            # These are lines of the log and statements, with the names and addresses that are in them.
            max_breadcrumbs=0,
            before_send=_without_secrets,
        )
    if environment.otlp_endpoint:
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


def _mask_span(span: Any, request: Any) -> None:
    for name, value in dict(getattr(span, "attributes", None) or {}).items():
        if isinstance(value, str) and mask_addresses(value) != value:
            span.set_attribute(name, mask_addresses(value))
