"""Celery tasks: thin, called with IDs, safe to run twice. The rooms do the work."""

from __future__ import annotations

from contextlib import suppress

import structlog
from celery import shared_task
from django.core.cache import cache
from django.db import OperationalError
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from players import log_chain
from ratings import due_runs, next_list, runs
from ratings.archives import keep_packed_only, lists_without_games
from ratings.choices import PUBLISHED_KINDS, Work
from ratings.lists import read_lists
from ratings.publish.figures import fill_figures
from ratings.publish.publish import publication_refusals

logger = structlog.get_logger(__name__)

# One task that waits for a worker brings the figures of all reports up to date that are rated by then. On a deadline
# day, each of a thousand tasks would read a thousand reports.
WAITING, WAITING_SECONDS = "next-lists-waiting", 60


@shared_task
def perform(work: str, subject: str) -> None:
    """Do a background job that is due. What fails waits in its row for the sweep, not in a message."""
    is_rated = runs.perform(work, subject, at=timezone.now()) and work == Work.RATE
    if is_rated and cache.add(WAITING, 1, timeout=WAITING_SECONDS):
        # Without the broker the job itself is done: the figures come up to date at night.
        with suppress(BrokerError):
            update_next_lists.apply_async(retry=False)


@shared_task
def keep_old_files_packed() -> None:
    """Keep the files of lists older than a year packed only, and have missing files of games written.

    One that is lost is made up for by the next night.
    """
    now = timezone.now()
    keep_packed_only(today=now.date())
    for rating_list in lists_without_games():
        due_runs.make_due_unless_at_it(Work.ARCHIVE, due_runs.name_of(rating_list), at=now)


@shared_task
def count_figures() -> None:
    """Store the figures of lists that have none; what is lost is made up for by the next night (D-134)."""
    fill_figures(at=timezone.now())


@shared_task(autoretry_for=(OperationalError,), retry_backoff=True, max_retries=5)
def tell_players() -> None:
    """Email confirmed players about their results on the next lists."""
    next_list.tell_players(at=timezone.now())


@shared_task
def link_log() -> None:
    """Link the newest entries of the audit log to its chain."""
    log_chain.link_log()


@shared_task
def check_at_night() -> None:
    """Queue the checks of stored data against what was written."""
    runs.make_checks_due(at=timezone.now())


@shared_task
def publish_due_lists() -> None:
    """Queue the publication of the month's lists; if they cannot be published, staff must act (D-71)."""
    now = timezone.now()
    lists = read_lists()
    month = lists.due(PUBLISHED_KINDS, now.date())
    if month is None:
        return
    if refusals := publication_refusals(lists, month, today=now.date()):
        reasons = [refusal.message for refusal in refusals]
        logger.error("lists wait for a person", month=month.isoformat(), reasons=reasons)
    else:
        for name in due_runs.names_of_month(month):
            due_runs.make_due_unless_at_it(Work.PUBLISH, name, at=now)


@shared_task
def update_next_lists() -> None:
    """Bring the provisional figures up to date; one that is lost is made up for by the next."""
    # Before anything is read: what is rated from here on needs another task.
    cache.delete(WAITING)
    next_list.update_next_lists(at=timezone.now())
