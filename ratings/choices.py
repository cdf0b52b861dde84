"""Stored enumerations of lists, their entries and the work behind them, and what the portal itself states of them."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from core.stated import Sentences
from players.fide_list import MESSAGES
from ratings.systems.otb import listing, values
from tournaments.lists import ORDER


class ListKind(models.TextChoices):
    """The rating types; standard lists are only imported."""

    STANDARD = "standard", _("standard")
    RAPID = "rapid", _("rapid")
    BLITZ = "blitz", _("blitz")


KINDS = tuple(map(ListKind, ORDER))
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

    CHANGE = "change", _("correction of the rating change")
    INITIAL = "initial", _("correction of the initial rating")
    LOST = "lost", _("initial rating removed")
    POOL = "pool", _("tournament in the progress to an initial rating replaced")


class Work(models.TextChoices):
    RATE = "rate", _("rate a report")
    PUBLISH = "publish", _("publish the lists of a month")
    VERIFY = "verify", _("verify a published list")
    ARCHIVE = "archive", _("compress the files of a published list")
    LOG = "log", _("check the audit log")
    TRIAL = "trial", _("try a text on published lists")
    LATE = "late", _("calculate the effect of a text adopted late")
    FILES = "files", _("check the files of the lists")
    STORE = "store", _("check the database")
    READ = "read", _("read a FIDE list")
    IMPORT = "import", _("import a FIDE list")
    REGISTER = "register", _("import the register of a federation")
    MAIL = "mail", _("email the followers of a list")


# A difference is not retried automatically: it will differ the next time too.
CHECKS = (Work.VERIFY, Work.LOG, Work.FILES, Work.STORE)


class RunState(models.TextChoices):
    DUE = "due", _("queued")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")


class ImportStep(models.TextChoices):
    """What an import does at present."""

    READING = "reading", _("reading")
    BUILDING = "building", _("building indexes")
    COMPLETING = "completing", _("completing the lists")


# What the portal itself states: reasons of adoptions and corrections, why lists are not published, what an import
# refuses or notes, and what the checks of a night found. A refusal and its sentence have one code.
SENTENCES = Sentences(
    {
        "death": gettext_noop("Death recorded (article 9.2)."),
        "shipped": gettext_noop("The portal comes with this text."),
        "standard-late": gettext_noop(
            "The standard list of %(date)s was late (article 7.2.1, decision D-77)."
        ),
        "exclusion": gettext_noop(
            "%(federation)s was excluded from %(date)s on (article 9.1, decision D-143)."
        ),
        "late-text": gettext_noop(
            "The text %(text)s was adopted from %(date)s by the decision %(reference)s (decision D-132)."
        ),
        "late-text-cancelled": gettext_noop(
            "The adoption of the text %(text)s from %(date)s was cancelled before a list included it (decision D-132)."
        ),
        "fide-corrected": gettext_noop("FIDE corrected its %(kind)s list of %(date)s (decision D-125)."),
        "out-of-bounds-D-134": gettext_noop(
            "The %(kind)s list of %(date)s was stopped: %(figure)s is %(value)s (%(bounds)s). Correct what is behind "
            "it, or explain it."
        ),
        "second-engine-D-134": gettext_noop(
            "The %(kind)s list of %(date)s was stopped: the second calculation differs. %(subject)s %(name)s: expected "
            "%(expected)s, the list has %(there)s."
        ),
        "list-date-6.1": gettext_noop("The date of a list must be the first of a month (article 6.1)."),
        "future-list-D-70": gettext_noop("%(date)s is later than today, %(today)s."),
        "from-its-day": gettext_noop("From 00:00 UTC of that day on, the list can be imported or published."),
        "probably-meant": gettext_noop("You probably mean %(meant)s."),
        "no-rules-D-13": gettext_noop("No text of the regulations is in effect on %(date)s (decision D-13)."),
        "later-list-published": gettext_noop(
            "The %(kind)s list of %(date)s cannot be published because the later list of %(later)s already exists."
        ),
        "no-list-before-D-71": gettext_noop(
            "No %(kind)s list exists before %(date)s. Import the FIDE list of the previous month first."
        ),
        "month-missing-D-71": gettext_noop(
            "The %(kind)s list of %(date)s cannot be published yet because the list of %(missing)s is missing. Publish "
            "the missing months first, starting with the oldest."
        ),
        "heading-contradicts-D-72": gettext_noop(
            "The heading of the file says %(sign)s, but the date given is %(date)s."
        ),
        "name-says-month": gettext_noop(
            "The file name “%(name)s” says %(month)s, but the date given is %(date)s."
        ),
        "name-says-kind": gettext_noop(
            "The file name “%(name)s” says %(named)s, but the rating type given is %(kind)s."
        ),
        "reports-contained": gettext_noop(
            "Reports that the %(kind)s list of FIDE of %(date)s contains, so that no other list includes them: "
            "%(events)s (decision D-142)."
        ),
        "reports-wait": gettext_noop(
            "Accepted reports that the %(kind)s list of FIDE of %(date)s does not contain, so that the next list "
            "includes them: %(events)s (decision D-142)."
        ),
        "not-waiting-D-142": gettext_noop("No accepted report of %(event)s waits for the list of %(date)s."),
        "published-D-11": gettext_noop(
            "The %(kind)s list of %(date)s was published by the portal and cannot be changed."
        ),
        "later-published-D-11": gettext_noop(
            "The portal has already published the %(kind)s list of %(later)s, which follows the list of %(date)s."
        ),
        "rated-by-it-D-11": gettext_noop(
            "Tournaments are already rated with the %(kind)s list of %(date)s from another file, so it cannot be "
            "replaced."
        ),
        "most-unreadable": gettext_noop(
            "Most lines of the file cannot be read. The first is line %(line)d: %(reason)s"
        ),
        "many-skipped-D-119": gettext_noop(
            "%(skipped)d of %(all)d records cannot be read, which is more than one in a thousand. The first is line "
            "%(line)d: %(reason)s"
        ),
        "no-player": gettext_noop("No player in the file could be read. Nothing was imported."),
        "kept-for-comparison": gettext_noop(
            "The portal publishes the %(kind)s lists. The FIDE list of %(date)s is kept for comparison and is not in "
            "effect."
        ),
        "later-imported": gettext_noop(
            "A later list was already imported. New players are added, existing players do not change."
        ),
        "standard-corrects": gettext_noop(
            "The standard list of %(date)s was late. The next list corrects %(event)s for %(number)d players."
        ),
        "list-corrects": gettext_noop(
            "The %(kind)s list of %(date)s is in use. The next list corrects it for %(number)d players (decision "
            "D-125)."
        ),
        "federation-created": gettext_noop(
            "The federation %(federation)s is unknown and is added as a member. Enter its name."
        ),
        "merged-skipped": gettext_noop(
            "%(merged)s was merged into %(successor)s, who is on the list. The duplicate was skipped."
        ),
        "merged-rated": gettext_noop("%(merged)s was merged into %(successor)s, who received the ratings."),
        "ends-early-D-137": gettext_noop(
            "The file ends within line %(line)d, so that players may be missing."
        ),
        "incomplete-D-137": gettext_noop(
            "%(absent)d of the %(before)d players on the %(kind)s list of %(previous)s are not in this file. They "
            "have no %(kind)s rating on the list of %(date)s."
        ),
        "no-such-list": gettext_noop("The file has no %(kind)s list."),
        "no-ratings": gettext_noop("The file has no %(kind)s ratings."),
        "file-restored": gettext_noop("The file %(path)s was different and has been restored."),
        "file-lost": gettext_noop("The file %(path)s is different, and the entries give different bytes."),
        "worker-died": gettext_noop(
            "The worker stopped at each attempt, for example because it ran out of memory."
        ),
        "log-differs": gettext_noop(
            "The audit log is not the one that the manifest of the list %(list)s names."
        ),
        **MESSAGES,
    },
    days=["date", "today", "meant", "later", "missing", "previous"],
    months=["month"],
    lines=["file-restored", "file-lost", "log-differs"],
    kind=ListKind,
    named=ListKind,
)
