"""Stored enumerations of lists, their entries and the work behind them, and reasons that the portal itself stores."""

from __future__ import annotations

import re

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from core.stated import Sentences
from core.stored_texts import StoredTexts
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
    FILES = "files", _("check the files of the lists")
    STORE = "store", _("check the database")
    READ = "read", _("read a FIDE list")
    IMPORT = "import", _("import a FIDE list")
    MAIL = "mail", _("email the followers of a list")


# A difference is not retried automatically: it will differ the next time too.
CHECKS = (Work.VERIFY, Work.LOG, Work.FILES, Work.STORE)


class RunState(models.TextChoices):
    DUE = "due", _("queued")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")


# The reasons that the portal itself gives for adoptions and corrections.
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
        "fide-corrected": gettext_noop("FIDE corrected its %(kind)s list of %(date)s (decision D-125)."),
    },
    days=["date"],
    kind=ListKind,
)

# Why lists are not published, and what an import refuses or notes.
NOT_FIRST = gettext_noop("The date of a list must be the first of a month (article 6.1).")
IN_FUTURE = gettext_noop("%(date)s is later than today, %(today)s.")
FROM_ITS_DAY = gettext_noop("From 00:00 UTC of that day on, the list can be imported or published.")
PROBABLY_MEANT = gettext_noop("You probably mean %(meant)s.")
NO_RULES = gettext_noop("No text of the regulations is in effect on %(date)s (decision D-13).")
LATER_EXISTS = gettext_noop(
    "The %(kind)s list of %(date)s cannot be published because the later list of %(later)s already exists."
)
NONE_BEFORE = gettext_noop(
    "No %(kind)s list exists before %(date)s. Import the FIDE list of the previous month first."
)
MONTH_MISSING = gettext_noop(
    "The %(kind)s list of %(date)s cannot be published yet because the list of %(missing)s is missing. Publish the "
    "missing months first, starting with the oldest."
)
HEADING_CONTRADICTS = gettext_noop("The heading of the file says %(sign)s, but the date given is %(date)s.")
NAME_SAYS_MONTH = gettext_noop("The file name “%(name)s” says %(month)s, but the date given is %(date)s.")
NAME_SAYS_KIND = gettext_noop(
    "The file name “%(name)s” says %(named)s, but the rating type given is %(kind)s."
)
REPORTS_CONTAINED = gettext_noop(
    "Reports that the %(kind)s list of FIDE of %(date)s contains, so that no other list includes them: %(events)s "
    "(decision D-142)."
)
REPORTS_WAIT = gettext_noop(
    "Accepted reports that the %(kind)s list of FIDE of %(date)s does not contain, so that the next list includes "
    "them: %(events)s (decision D-142)."
)
NOT_WAITING = gettext_noop("No accepted report of %(event)s waits for the list of %(date)s.")
PUBLISHED_HERE = gettext_noop(
    "The %(kind)s list of %(date)s was published by the portal and cannot be changed."
)
LATER_PUBLISHED = gettext_noop(
    "The portal has already published the %(kind)s list of %(later)s, which follows the list of %(date)s."
)
RATED_BY = gettext_noop(
    "Tournaments are already rated with the %(kind)s list of %(date)s from another file, so it cannot be replaced."
)
MOST_UNREADABLE = gettext_noop(
    "Most lines of the file cannot be read. The first is line %(line)d: %(reason)s"
)
MANY_SKIPPED = gettext_noop(
    "%(skipped)d of %(all)d records cannot be read, which is more than one in a thousand. The first is line "
    "%(line)d: %(reason)s Correct the file, or give a reason to import the others (decision D-119)."
)
NO_PLAYER = gettext_noop("No player in the file could be read. Nothing was imported.")
KEPT_FOR_COMPARISON = gettext_noop(
    "The portal publishes the %(kind)s lists. The FIDE list of %(date)s is kept for comparison and is not in effect."
)
LATER_IMPORTED = gettext_noop(
    "A later list was already imported. New players are added, existing players do not change."
)
STANDARD_CORRECTS = gettext_noop(
    "The standard list of %(date)s was late. The next list corrects %(event)s for %(number)d players."
)
FIDE_LIST_CORRECTS = gettext_noop(
    "The %(kind)s list of %(date)s is in use. The next list corrects it for %(number)d players (decision D-125)."
)
FEDERATION_CREATED = gettext_noop(
    "The federation %(code)s is unknown and is added as a member. Enter its name."
)
MERGED_SKIPPED = gettext_noop(
    "%(merged)s was merged into %(successor)s, who is on the list. The duplicate was skipped."
)
MERGED_RATED = gettext_noop("%(merged)s was merged into %(successor)s, who received the ratings.")
FILE_ENDS_EARLY = gettext_noop(
    "The file ends within line %(line)d, so that players may be missing. Download it again, or give a reason to import "
    "what it has (decision D-137)."
)
MANY_MISSING = gettext_noop(
    "The %(kind)s list of %(date)s lacks %(absent)d of the %(before)d players who were on the list of %(previous)s. "
    "Download the file again, or give a reason to import it (decision D-137)."
)
HAS_NO_LIST = gettext_noop("The file has no %(kind)s list.")
HAS_NO_RATINGS = gettext_noop("The file has no %(kind)s ratings.")
READING = gettext_noop("reading")
BUILDING = gettext_noop("building indexes")
COMPLETING = gettext_noop("completing the lists")
FILE_RESTORED = gettext_noop("The file %(path)s was different and has been restored.")
FILE_LOST = gettext_noop("The file %(path)s is different, and the entries give different bytes.")
WORKER_DIED = gettext_noop("The worker stopped at each attempt, for example because it ran out of memory.")
LOG_DIFFERS = gettext_noop("The audit log is not the one that the manifest of the list %(list)s names.")
# What `players.fide_list` says of a file or a line; it imports no Django.
FILE_MESSAGES = (
    gettext_noop("The file is damaged or incomplete (%(error)s). Download it again."),
    gettext_noop("The uncompressed file is larger than any rating list, so it cannot be imported."),
    gettext_noop("Reading a file of this size took over %(seconds)s s and was stopped."),
    gettext_noop("The file cannot be opened (%(error)s)."),
    gettext_noop("The ZIP file does not use deflate compression. Compress it again."),
    gettext_noop("The ZIP file contains no .txt or .xml file."),
    gettext_noop("The ZIP file contains %(number)s lists (%(names)s). Unpack it and use one."),
    gettext_noop(
        "The columns of this list are not those of FIDE lists since 2013. Download the combined, standard, rapid or "
        "blitz list again."
    ),
    gettext_noop("No list has the rating type %(type)s. Valid types: %(types)s."),
    gettext_noop("The encoding of the file is %(encoding)s. Save it as UTF-8."),
    gettext_noop(
        "This is the player download of a federation, which has no games and no K-factor. Use the rating list from "
        "the download page."
    ),
    gettext_noop("This list has one rating type. Enter it: %(types)s."),
    gettext_noop("The file is empty."),
    gettext_noop("This is a web page, not a rating list. Open the page and download the list."),
    gettext_noop("The file declares a document type, so it cannot be imported. FIDE lists do not have one."),
    gettext_noop("This is a tournament report (TRF), not a rating list."),
    gettext_noop(
        "This is not a FIDE rating list. A TXT list starts with 'ID Number', an XML list with <playerslist>."
    ),
    gettext_noop("The line has %(number)s characters, not %(width)s."),
    gettext_noop("The player element is longer than %(number)s characters."),
    gettext_noop("The player element is not well-formed XML (%(error)s)."),
    gettext_noop("The ID number %(text)s is not a number of digits."),
    gettext_noop("The ID number %(text)s is too large."),
    gettext_noop("The name is longer than %(number)s characters."),
    gettext_noop("The name has characters that are not UTF-8 or Windows-1252."),
    gettext_noop("%(text)s is not a list of titles."),
    gettext_noop("%(text)s is not an arena title (%(titles)s)."),
    gettext_noop("%(text)s is not a year of birth."),
    gettext_noop("The flag %(text)s is not valid. Valid flags: i, w, wi."),
    gettext_noop("%(text)s is not a federation code of 3 capital letters."),
    gettext_noop("The sex %(text)s is not M or F."),
    gettext_noop("%(text)s is not a title."),
    gettext_noop("%(text)s is not a number."),
    gettext_noop("%(number)s is more than %(limit)s."),
)
JOB_TEXTS = StoredTexts(
    NOT_FIRST, IN_FUTURE, FROM_ITS_DAY, PROBABLY_MEANT, NO_RULES, LATER_EXISTS, NONE_BEFORE, MONTH_MISSING,
    HEADING_CONTRADICTS,
    NAME_SAYS_MONTH, NAME_SAYS_KIND, REPORTS_WAIT, PUBLISHED_HERE, LATER_PUBLISHED, RATED_BY, MOST_UNREADABLE,
    MANY_SKIPPED, NO_PLAYER, KEPT_FOR_COMPARISON, LATER_IMPORTED, STANDARD_CORRECTS, FIDE_LIST_CORRECTS,
    REPORTS_CONTAINED, FEDERATION_CREATED, MERGED_SKIPPED,
    MERGED_RATED, FILE_ENDS_EARLY, MANY_MISSING, HAS_NO_LIST, HAS_NO_RATINGS, READING, BUILDING, COMPLETING,
    FILE_RESTORED, FILE_LOST, WORKER_DIED, LOG_DIFFERS, *FILE_MESSAGES,
    days=["date", "today", "meant", "later", "missing", "month", "previous"], kind=ListKind, named=ListKind,
)  # fmt: skip
# Errors of the portal, whose sentences need no name of the error before them.
_OWN_ERRORS = re.compile(r"\A(?:RefusedError|NotAsPublishedError|FideListError): ")


def job_error(text: str) -> str:
    """Return the stored error of a job in the language of the page, a sentence a line; others stay technical."""
    sentences = re.split(r"(?<=\.); ", _OWN_ERRORS.sub("", text))
    return "\n".join(map(JOB_TEXTS.translate, sentences))
