from __future__ import annotations

import io
import os
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils import timezone

from players.choices import NoticeKind, NoticeState
from players.models import Notice
from portal.tasks import retention
from ratings.models import RegisterImport
from tests import make
from tournaments.models import Report

pytestmark = pytest.mark.page


def said(*arguments: str) -> list[str]:
    output = io.StringIO()
    call_command("retention", *arguments, stdout=output)
    return output.getvalue().splitlines()


def mail(key: str, sent_at: datetime | None) -> Notice:
    return Notice.objects.create(
        recipient="officer@portal.example",
        kind=next(iter(NoticeKind)),
        key=key,
        subject="A list is published",
        text="Good day",
        created_at=timezone.now(),
        due_at=timezone.now(),
        state=NoticeState.SENT if sent_at else NoticeState.DUE,
        sent_at=sent_at,
    )


@pytest.fixture
def leftovers(db: None, settings: Any, tmp_path: Path) -> None:
    """Leave one old and one young piece of each kind of temporary data."""
    settings.VAR_DIR = tmp_path
    now = timezone.now()
    for key, days in (("old", -1), ("young", 1)):
        Session.objects.create(session_key=key, session_data="", expire_date=now + timedelta(days=days))
    mail("old", now - timedelta(days=91))
    mail("young", now - timedelta(days=89))
    mail("due", None)
    for key, days in (("failed-old", 91), ("failed-young", 89)):
        failed = {"state": NoticeState.FAILED, "created_at": now - timedelta(days=days)}
        Notice.objects.filter(pk=mail(key, None).pk).update(**failed)
    for days in (91, 89):
        RegisterImport.objects.create(
            federation=make.federation(), file_name="a.csv", path="a", size=1, at=now - timedelta(days=days)
        )
    asked = mail("sign-up:1", now)
    Notice.objects.filter(pk=asked.pk).update(created_at=now - timedelta(days=8))
    for name in ("cache/{}.djcache", "broker/queue/{}.celery.taken", "spool/{}.txt", "workers/{}.worker"):
        for age in ("old", "young"):
            path = tmp_path / name.format(age)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        old = (now - timedelta(days=8)).timestamp()
        os.utime(tmp_path / name.format("old"), (old, old))


COUNTS = [
    "expired sessions: 1",
    "devices of ended sessions: 0",
    "emails with a link to create an account: 1",
    "texts of old emails: 2",
    "deliveries of webhooks: 0",
    "follows that nobody confirmed: 0",
    "imports of registers: 1",
    "reports that were never accepted: 0",
    "cache files: 1",
    "processed messages: 1",
    "files of ended workers: 1",
    "unfinished list files: 1",
]


def left(folder: Path) -> dict[str, list[str]]:
    return {
        "sessions": sorted(Session.objects.values_list("session_key", flat=True)),
        "texts": sorted(Notice.objects.exclude(text="").values_list("key", flat=True)),
        "files": sorted(path.name for path in folder.rglob("*.*") if path.is_file()),
    }


@pytest.mark.usefixtures("leftovers")
def test_what_has_had_its_time_goes_and_the_rest_stays(tmp_path: Path) -> None:
    assert said() == COUNTS
    assert left(tmp_path) == {
        "sessions": ["young"],
        "texts": ["due", "failed-young", "young"],
        "files": ["young.celery.taken", "young.djcache", "young.txt", "young.worker"],
    }
    assert Notice.objects.count() == 5
    assert said() == [f"{line[:-1]}0" for line in COUNTS]


@pytest.mark.usefixtures("leftovers")
def test_dry_run_only_says_what_would_go(tmp_path: Path) -> None:
    before = left(tmp_path)

    assert said("--dry-run") == COUNTS
    assert left(tmp_path) == before


def test_evidence_is_never_touched(db: None) -> None:
    make.play_month()
    before = list(Report.objects.order_by("pk").values())

    said()

    assert list(Report.objects.order_by("pk").values()) == before


def test_each_night_does_it_by_itself(db: None) -> None:
    Session.objects.create(session_key="old", session_data="", expire_date=timezone.now() - timedelta(days=1))

    retention()

    assert Session.objects.count() == 0
    assert settings.CELERY_BEAT_SCHEDULE["retention"]["task"] == retention.name
