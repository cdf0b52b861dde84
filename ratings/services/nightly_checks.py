"""What is checked each night: the audit log, the files of the lists, the database."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import islice

from django.contrib.auth import get_user_model
from django.db import connection
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.stated import Stated
from players.choices import NoticeKind, Role
from players.services import log_chain, notices
from ratings.choices import SENTENCES
from ratings.models import RatingList
from ratings.services.restore import restore_files

# A message names so many: the first ones show where to look.
MAX_NAMED = 20


def check_log() -> list[str]:
    """Link what was left behind, and return what is wrong with the audit log and with the heads that lists name."""
    log_chain.link_log(whole=True)
    return [*islice(map(str, log_chain.verify_log()), MAX_NAMED), *_lost_heads()]


def _lost_heads() -> Iterator[str]:
    """Yield the lists whose manifest names a head that is not on the chain."""
    for rating_list in RatingList.objects.order_by("date", "kind"):
        named = rating_list.manifest.get("audit_log")
        if named and not log_chain.is_on_chain(named["entries"], named["sha256"]):
            yield SENTENCES.state("log-differs", list=rating_list.stored_name)


def check_files() -> list[str]:
    """Compare every file of the lists with its hash, and write what differs again from the entries; return what did."""
    return [
        SENTENCES.state("file-restored" if item.is_right else "file-lost", path=item.path)
        for item in restore_files()
    ]


def check_database() -> list[str]:
    """Return the integrity problems that the database reports; PostgreSQL checks its pages when it reads them."""
    if connection.vendor != "sqlite":
        return []
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA integrity_check({MAX_NAMED})")
        return [str(row[0]) for row in cursor.fetchall() if row[0] != "ok"]


def tell_staff(problem: Stated, *, at: datetime) -> None:
    """Mail staff and auditors what a check found, once a day."""
    readers = get_user_model()._default_manager.filter(appointments__role__in=(Role.STAFF, Role.AUDITOR))
    notices.post(
        to=readers.distinct(),
        kind=NoticeKind.SECURITY,
        key=f"check:{at.date().isoformat()}:{problem}"[:200],
        subject=_l("A check of the rating portal found a difference"),
        text=lambda: (
            _("The stored data differ from what was written: %(problem)s")
            % {"problem": SENTENCES.show(problem.items)}
        ),
        at=at,
    )
