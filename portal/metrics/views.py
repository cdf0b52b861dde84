"""The page that Prometheus reads."""

from __future__ import annotations

import os
from ipaddress import ip_address

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from portal.metrics.state import StateCollector

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer with all figures, to whoever has METRICS_TOKEN; without one set, to this machine alone."""
    if not _may_read(request):
        raise Http404
    registry = CollectorRegistry()
    registry.register(StateCollector(timezone.now()))
    return HttpResponse(_of_all_processes() + generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _may_read(request: HttpRequest) -> bool:
    token: str | None = settings.ENVIRONMENT.metrics_token
    if token:
        return constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {token}")
    # Behind a proxy everybody comes from this machine: what was passed on does not count as asked here.
    return "X-Forwarded-For" not in request.headers and _is_loopback(request.META.get("REMOTE_ADDR", ""))


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def _of_all_processes() -> bytes:
    if FOLDER_VARIABLE not in os.environ:
        return generate_latest(REGISTRY)
    shared = CollectorRegistry()
    MultiProcessCollector(shared)  # type: ignore[no-untyped-call]
    return generate_latest(shared)
