"""Metrics for Prometheus: the responses of web processes, the database and the queue."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, time
from ipaddress import ip_address
from typing import Any

import structlog
from django.conf import settings
from django.core.cache import cache
from django.db.models import Count, Max, Min, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from players.choices import NoticeState
from players.models import Delivery, Notice
from portal.__main__ import version
from portal.backup import last_backup
from portal.celery import app as celery_app
from portal.tasks import SWEPT
from ratings.choices import PUBLISHED_KINDS, RunState, Work
from ratings.judgements import stopped_lists
from ratings.models import RatingList, Run

SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

REQUEST_SECONDS = Histogram(
    "portal_request_seconds", "Time until an answer began.", ["route", "status"], buckets=SECONDS
)

log = structlog.get_logger(__name__)


class StateCollector(Collector):
    """Yields the gauges as of an instant."""

    def __init__(self, at: datetime) -> None:
        self._at = at

    def collect(self) -> Iterator[Metric]:
        """Yield the version, jobs, emails, deliveries, queue, newest lists, last backup and free disk space.

        Times are seconds, or seconds since 1970 if the name says so.
        """
        yield InfoMetricFamily("portal", "Version of the portal.", value={"version": version()})
        yield from self._runs()
        yield from self._notices()
        yield from self._deliveries()
        if (waiting := _messages_in_queue()) is not None:
            yield GaugeMetricFamily("portal_queue_messages", "Tasks in the queue.", value=waiting)
        swept = cache.get(SWEPT)
        if isinstance(swept, int | float):
            yield GaugeMetricFamily(
                "portal_last_sweep_seconds", "End of the last sweep, seconds since 1970.", value=swept
            )
        yield from self._lists()
        if backup := last_backup():
            yield GaugeMetricFamily(
                "portal_last_backup_seconds",
                "Time of the last backup, seconds since 1970.",
                value=backup.timestamp(),
            )
        free = shutil.disk_usage(settings.VAR_DIR).free
        yield GaugeMetricFamily(
            "portal_disk_free_bytes", "Free space in the folder of the portal.", value=free
        )

    def _runs(self) -> Iterator[Metric]:
        rows = Run.objects.order_by()
        found = rows.values_list("work", "state").annotate(number=Count("pk"))
        # Zeros too: a rule of an alarm finds nothing in a series that is not there.
        numbers = dict.fromkeys(((work, state) for work in Work for state in RunState), 0)
        numbers |= {(work, state): number for work, state, number in found}
        yield _gauges("portal_runs", "Background jobs by type and state.", ("work", "state"), numbers)
        oldest = dict(rows.filter(state=RunState.DUE).values_list("work").annotate(Min("due_at")))
        ages = {(work,): self._age(oldest.get(work)) for work in Work}
        yield _gauges("portal_run_oldest_due_seconds", "Age of the oldest queued job.", ("work",), ages)

    def _notices(self) -> Iterator[Metric]:
        found = Notice.objects.order_by().aggregate(
            due=Count("pk", filter=Q(state=NoticeState.DUE)),
            failed=Count("pk", filter=Q(state=NoticeState.FAILED)),
            oldest=Min("due_at", filter=Q(state=NoticeState.DUE)),
        )
        numbers = {(state,): found[state] for state in (NoticeState.DUE, NoticeState.FAILED)}
        yield _gauges("portal_notices", "Emails by state.", ("state",), numbers)
        age = self._age(found["oldest"])
        yield GaugeMetricFamily(
            "portal_notice_oldest_due_seconds", "Age of the oldest queued email.", value=age
        )

    def _deliveries(self) -> Iterator[Metric]:
        # A paused webhook waits for its federation.
        is_used = Q(webhook__paused_at=None)
        counted = {"number": Count("pk"), "first": Min("due_at", filter=is_used)}
        rows = Delivery.objects.order_by().values_list("state").annotate(**counted)
        found = {state: (number, first) for state, number, first in rows}
        numbers = {(state,): found.get(state, (0, None))[0] for state in NoticeState}
        yield _gauges("portal_deliveries", "Deliveries to webhooks by state.", ("state",), numbers)
        age = self._age(found.get(NoticeState.DUE, (0, None))[1])
        yield GaugeMetricFamily(
            "portal_delivery_oldest_due_seconds", "Age of the oldest queued delivery to a webhook.", value=age
        )

    def _lists(self) -> Iterator[Metric]:
        rows = RatingList.objects.order_by("kind").values_list("kind")
        newest = [*rows.annotate(Max("date"), Max("published_at"))]
        days = {(kind,): datetime.combine(day, time.min, tzinfo=UTC).timestamp() for kind, day, _at in newest}
        yield _gauges(
            "portal_list_date_seconds", "Date of the current list, seconds since 1970.", ("kind",), days
        )
        instants = {(kind,): at.timestamp() for kind, _day, at in newest}
        meaning = "Time of the last publication, seconds since 1970."
        yield _gauges("portal_list_published_seconds", meaning, ("kind",), instants)
        stopped = Counter(stopped_lists().values_list("kind", flat=True))
        waiting = {(kind,): stopped[kind] for kind in PUBLISHED_KINDS}
        yield _gauges(
            "portal_lists_stopped", "Lists that are stopped before publication (D-134).", ("kind",), waiting
        )

    def _age(self, instant: datetime | None) -> float:
        # A clock that was set back makes nothing younger than new.
        return max(0.0, (self._at - instant).total_seconds()) if instant else 0.0


def _gauges(name: str, meaning: str, labels: Sequence[str], values: Mapping[Any, float]) -> Metric:
    """Return a figure by its labels: a value for each tuple of theirs."""
    family = GaugeMetricFamily(name, meaning, labels=labels)
    for place, value in values.items():
        family.add_metric(place, value)
    return family


def _messages_in_queue() -> int | None:
    """Return the length of the queue, None where the broker does not answer."""
    queue = celery_app.conf.task_default_queue
    try:
        with celery_app.connection_for_read() as broker:
            broker.ensure_connection(max_retries=1, timeout=2)
            # Not passive: a queue that no task was sent to yet is empty, and no error.
            declared = broker.default_channel.queue_declare(queue, passive=False)
            return int(declared.message_count)
    # The other figures are wanted all the more while the broker is away, whatever its client raises.
    except Exception:
        log.exception("queue_not_counted")
        return None


FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Return all metrics to clients with METRICS_TOKEN; without that variable, only to this machine."""
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
