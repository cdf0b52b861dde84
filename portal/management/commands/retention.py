"""`retention`: remove temporary data that has had its time, and after two years reports that nobody accepted.

Accepted reports, decisions, calculations and the audit log are evidence, which stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management.base import BaseCommand, CommandParser
from django.db.models import Q
from django.utils import timezone

from players.choices import NoticeState
from players.models import Delivery, Notice
from portal.accounts.sign_up import KEY as SIGN_UP
from ratings.follows import remove_unconfirmed, unconfirmed_follows
from ratings.imports.browser import old_registers, remove_registers
from tournaments.due_reports import remove_unaccepted, unaccepted_handed, unaccepted_reports

TEXTS_OF_MAILS = timedelta(days=90)
DELIVERIES = timedelta(days=90)
CACHED = timedelta(days=7)
# Addresses of people who never had an account must not be kept.
SIGN_UPS = timedelta(days=7)
LEFT_IN_QUEUE = timedelta(days=7)
LEFT_IN_SPOOL = timedelta(days=7)
LEFT_BY_WORKERS = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Removal:
    """A kind of temporary data: how many pieces have had their time, and how they go."""

    what: str
    count: int
    remove: Callable[[], object]


def removals(at: datetime) -> Iterator[Removal]:
    """Yield what has had its time by the instant; nothing is removed until `remove` is called."""
    sessions = Session.objects.filter(expire_date__lt=at)
    yield Removal("expired sessions", sessions.count(), sessions.delete)
    stored = Session.objects.filter(expire_date__gte=at).values("session_key")
    devices = UserSession.objects.exclude(session_key__in=stored)
    yield Removal("devices of ended sessions", devices.count(), devices.delete)
    requests = Notice.objects.filter(key__startswith=SIGN_UP, created_at__lt=at - SIGN_UPS)
    yield Removal("emails with a link to create an account", requests.count(), requests.delete)
    # The old emails whose text is cleared. The row stays, so that the email is not sent again.
    old = Q(state=NoticeState.SENT, sent_at__lt=at - TEXTS_OF_MAILS)
    old |= Q(state=NoticeState.FAILED, created_at__lt=at - TEXTS_OF_MAILS)
    texts = Notice.objects.filter(old).exclude(text="")
    yield Removal("texts of old emails", texts.count(), lambda: texts.update(text=""))
    ended = Delivery.objects.filter(state__in=(NoticeState.SENT, NoticeState.FAILED))
    deliveries = ended.filter(created_at__lt=at - DELIVERIES)
    yield Removal("deliveries of webhooks", deliveries.count(), deliveries.delete)
    follows = unconfirmed_follows(at)
    yield Removal("follows that nobody confirmed", follows.count(), lambda: remove_unconfirmed(at))
    registers = old_registers(at)
    yield Removal("imports of registers", registers.count(), lambda: remove_registers(at))
    handed, reports = unaccepted_handed(at), unaccepted_reports(at)
    count = handed.count() + reports.count()
    yield Removal("reports that were never accepted", count, lambda: remove_unaccepted(at))
    yield _files("cache files", settings.VAR_DIR / "cache", "*.djcache", at - CACHED)
    # Messages that a killed worker had taken from the queue of files: the job is in the database and is repeated.
    yield _files("processed messages", settings.VAR_DIR / "broker" / "queue", "*.taken", at - LEFT_IN_QUEUE)
    yield _files("files of ended workers", settings.VAR_DIR / "workers", "*", at - LEFT_BY_WORKERS)
    # The next attempt writes over them, but it may be another machine's.
    yield _files("unfinished list files", settings.VAR_DIR / "spool", "*", at - LEFT_IN_SPOOL)


def _files(what: str, folder: Path, pattern: str, before: datetime) -> Removal:
    old = [path for path in folder.glob(pattern) if _changed_at(path) < before.timestamp()]

    def remove() -> None:
        for path in old:
            path.unlink(missing_ok=True)

    return Removal(what, len(old), remove)


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        # Already deleted: nothing to do.
        return float("inf")


class Command(BaseCommand):
    help = (
        "Delete expired sessions, texts of old emails, old deliveries, cache and queue files, and reports not "
        "accepted within 2 years. Evidence is never deleted."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--dry-run", action="store_true", help=("show what would be deleted, delete nothing")
        )

    def handle(self, *args: Any, **options: Any) -> None:
        for removal in removals(timezone.now()):
            if not options["dry_run"]:
                removal.remove()
            self.stdout.write(f"{removal.what}: {removal.count}")
