"""Stored enumerations of lists, their entries and the work behind them, and reasons that the portal itself stores."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from core.models import StoredTexts
from ratings.systems.otb import listing, values


class ListKind(models.TextChoices):
    """The rating types; standard lists are only imported."""

    STANDARD = "standard", _("standard")
    RAPID = "rapid", _("rapid")
    BLITZ = "blitz", _("blitz")


PUBLISHED_KINDS = (ListKind.RAPID, ListKind.BLITZ)


class Origin(models.TextChoices):
    IMPORTED = "imported", _("imported")
    PUBLISHED = "published", _("published by the portal")


class EntryStatus(models.TextChoices):
    """Whether an entry is shown on the list, or only carries what the portal must not forget."""

    LISTED = listing.EntryStatus.LISTED.value, _("listed")
    WITHHELD = (
        listing.EntryStatus.WITHHELD.value,
        _("not listed: the federation is not a member, or excluded (article 9.1)"),
    )
    UNRATED = listing.EntryStatus.UNRATED.value, _("not listed: unrated")
    DECEASED = listing.EntryStatus.DECEASED.value, _("not listed: deceased (article 9.2)")


class Status(models.TextChoices):
    """A participant's status at the start, or when the tournament was rated."""

    RATED = values.Status.RATED.value, _("rated")
    STANDARD = values.Status.STANDARD.value, _("rated by the standard rating (article 7.2.1)")
    UNRATED = values.Status.UNRATED.value, _("unrated")


class FileFormat(models.TextChoices):
    TXT = "txt", "TXT"
    XML = "xml", "XML"
    CSV = "csv", "CSV"
    JSON = "json", "JSON"


class LineKind(models.TextChoices):
    """What a correction's line carries over (D-11)."""

    CHANGE = "change", _("change of the rating change")
    INITIAL = "initial", _("change of the initial rating")
    LOST = "lost", _("initial rating removed")
    POOL = "pool", _("tournament in the progress to an initial rating replaced")


class Work(models.TextChoices):
    RATE = "rate", _("rate a report")
    PUBLISH = "publish", _("publish the lists of a month")
    VERIFY = "verify", _("verify a published list")
    ARCHIVE = "archive", _("compress the files of a published list")
    LOG = "log", _("check the audit log")
    TRIAL = "trial", _("try a text on published lists")
    FILES = "files", _("check the files of the lists")
    STORE = "store", _("check the database")
    HEALTH = "health", _("calculate the rating health of a list")
    READ = "read", _("read a FIDE list")
    IMPORT = "import", _("import a FIDE list")
    MAIL = "mail", _("email the followers of a list")


# A difference is not retried automatically: it will differ the next time too.
CHECKS = (Work.VERIFY, Work.LOG, Work.FILES, Work.STORE)


class InvoiceKind(models.TextChoices):
    FEES = "fees", _("rating fees")
    COUNTER = "counter", _("counter-invoice")
    LATE = "late", _("late fee")


class InvoiceState(models.TextChoices):
    """The state of an invoice, which follows from its dates."""

    OPEN = "open", _("open")
    SENT = "sent", _("sent")
    PAID = "paid", _("paid")
    CANCELLED = "cancelled", _("cancelled")


class RunState(models.TextChoices):
    DUE = "due", _("queued")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")


DEATH = gettext_noop("Death recorded (article 9.2).")
REASON_SHIPPED = gettext_noop("The portal comes with this text.")
PORTAL_REASONS = StoredTexts(DEATH, REASON_SHIPPED)
