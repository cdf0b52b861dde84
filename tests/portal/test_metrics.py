from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from players.models import Delivery, Webhook
from ratings.choices import RunState, Work
from ratings.models import Run
from tests import make
from tests.growth import find_growing, pages_of

pytestmark = pytest.mark.slow

TOKEN = "q8Xv2Lr5Tz9Wm3Kc7Hd1"


def figures(text: str) -> dict[tuple[str, ...], float]:
    """Return {(name, values of the labels by the name of these): value} of a page of figures."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture
def _with_token(settings: Any) -> None:
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, metrics_token=TOKEN)


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({}, 404),
        ({"authorization": "Bearer wrong"}, 404),
        ({"authorization": TOKEN}, 404),
        ({"authorization": "Bearer \u00fc"}, 404),
        ({"authorization": f"Bearer {TOKEN}"}, 200),
    ],
)
@pytest.mark.usefixtures("_with_token", "db")
def test_token_opens_the_page(client: Client, given: dict[str, str], status: int) -> None:
    assert client.get("/metrics", headers=given).status_code == status


@pytest.mark.parametrize(
    ("caller", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("203.0.113.5", {}, 404),
        ("", {}, 404),
        ("127.0.0.1", {"x-forwarded-for": "203.0.113.5"}, 404),
    ],
)
def test_without_a_token_this_machine_alone_reads(
    client: Client, db: None, caller: str, headers: dict[str, str], status: int
) -> None:
    assert client.get("/metrics", headers=headers, REMOTE_ADDR=caller).status_code == status


def test_runs_lists_and_the_queue_are_told(client: Client, db: None) -> None:
    published = datetime(2026, 2, 1, 0, 10, tzinfo=UTC)
    make.rating_list(kind="rapid", date=date(2026, 1, 1), published_at=datetime(2026, 1, 1, tzinfo=UTC))
    make.rating_list(kind="rapid", date=date(2026, 2, 1), published_at=published)
    old = timezone.now() - timezone.timedelta(hours=1)
    Run.objects.create(work=Work.PUBLISH, subject="rapid 2026-03-01", created_at=old, due_at=old)
    Run.objects.create(work=Work.RATE, subject="7", state=RunState.FAILED, created_at=old)

    found = figures(client.get("/metrics").content.decode())

    assert found["portal_runs", "due", "publish"] == 1
    assert found["portal_runs", "failed", "rate"] == 1
    assert found["portal_runs", "done", "rate"] == 0
    assert 3600 <= found["portal_run_oldest_due_seconds", Work.PUBLISH] < 3700
    assert found["portal_run_oldest_due_seconds", Work.RATE] == 0
    assert found["portal_list_date_seconds", "rapid"] == datetime(2026, 2, 1, tzinfo=UTC).timestamp()
    assert found["portal_list_published_seconds", "rapid"] == published.timestamp()
    assert found[("portal_queue_messages",)] >= 0
    assert found[("portal_disk_free_bytes",)] > 0


def test_deliveries_are_told(client: Client, db: None) -> None:
    now = timezone.now()
    hour = timezone.timedelta(hours=1)
    swiss = make.federation(code="SUI")
    used, paused = (
        Webhook.objects.create(
            federation=swiss, url=f"https://chess.example/{at}", created_at=now, paused_at=at
        )
        for at in (None, now)
    )
    sent = {"state": "sent", "sent_at": now}
    for number, (webhook, values) in enumerate(
        [(used, {}), (used, sent), (used, sent), (used, {"state": "failed"}), (paused, {})]
    ):
        age = hour if webhook is used else 5 * hour
        Delivery.objects.create(
            webhook=webhook,
            event="list.published",
            key=str(number),
            created_at=now,
            due_at=now - age,
            **values,
        )
    found = figures(client.get("/metrics").content.decode())

    assert [found["portal_deliveries", state] for state in ("due", "sending", "sent", "failed")] == [
        2,
        0,
        2,
        1,
    ]
    assert 3600 <= found[("portal_delivery_oldest_due_seconds",)] < 3700


def test_figures_cost_the_same_however_many_rows(client: Client, db: None) -> None:
    def fill(runs: int) -> None:
        for number in range(runs):
            Run.objects.create(
                work=Work.RATE, subject=str(number), state=RunState.DUE, created_at=timezone.now()
            )

    assert find_growing(fill, pages_of(client, "/metrics")) == {}


def test_answers_are_counted_by_route_and_status(client: Client, db: None) -> None:
    def counted() -> dict[tuple[str, ...], float]:
        return figures(client.get("/metrics").content.decode())

    before = counted()
    client.get("/search")
    client.get("/nothing/at/all")
    client.get("/nothing/either")
    after = counted()

    def more(*labels: str) -> float:
        name = ("portal_request_seconds_count", *labels)
        return after[name] - before.get(name, 0)

    assert [more("search", "200"), more("none", "404"), more("metrics", "200")] == [1, 2, 1]
