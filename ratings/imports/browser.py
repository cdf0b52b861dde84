"""Files that people import in the browser, FIDE lists and registers: read without writing, shown, confirmed, imported.

Reading and importing are background jobs around `import_list` (D-70 to D-73) and `import_register`. Each saves its
outcome in the transaction of the import: a killed worker leaves nothing, and the job runs again from the beginning.
"""

from __future__ import annotations

import heapq
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from stat import S_ISREG
from typing import Any, NamedTuple

from django.conf import settings
from django.core.cache import cache
from django.core.files import File
from django.core.files.storage import storages
from django.db import OperationalError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from core.acts import Act
from core.errors import RefusedError, just_now, refused
from core.sql import lock_person
from core.stated import items_of
from core.web.sheet_reader import SheetError
from core.web.tables import open_table
from players.fide_list import FideListError
from players.fide_list.reading import is_tournament_report
from players.models import Federation
from players.permissions import is_staff, refuse_strangers
from players.register import import_register, kept_columns
from players.register_file import columns_of
from ratings.choices import ImportStep, Origin
from ratings.due_runs import make_due
from ratings.imports.importing import import_list
from ratings.imports.outcome import ReportProgress
from ratings.lists import date_refusals
from ratings.models import FideImport, FileImport, RatingList, RegisterImport
from ratings.publish.files import put
from tournaments.signals import Dispatch

ENDINGS = (".txt", ".xml", ".gz", ".zip")
MAX_FILES = 200
MAX_PROBLEMS = 20
MAX_NAME = 120  # bytes
PROGRESS_SECONDS = 3600
# What was wrong in a register names people.
REGISTERS_KEPT = timedelta(days=90)
# So many rows of a register are shown with its columns.
SAMPLE = 5
# What a reason overrides (D-72, D-119, D-137).
OVERRIDDEN = {
    "heading-contradicts-D-72",
    "name-says-month",
    "name-says-kind",
    "many-skipped-D-119",
    "ends-early-D-137",
    "incomplete-D-137",
}


class ImportProgress(NamedTuple):
    """What a job does now, and how many bytes of the file it has read."""

    step: ImportStep
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """What staff enter beside the file: date and rating type of the list, and reasons to override (D-72, D-73)."""

    date: date
    kind: str = ""
    force: str = ""
    adopt: str = ""


def folder_files() -> list[str]:
    """Return the names of the files in the folder of fetched lists, the newest first."""
    folder = settings.FIDE_LIST_FOLDER
    named = (Path(place) / name for place, _, names in os.walk(folder) for name in names)
    found = ((changed, path) for path in named if (changed := _changed_at(path)) is not None)
    newest = heapq.nlargest(MAX_FILES, found)
    return [path.relative_to(folder).as_posix() for _, path in newest]


def _changed_at(path: Path) -> float | None:
    """Return when a list was changed; None for what is no list, has no readable name, or is gone already."""
    try:
        # Names that are no UTF-8 cannot be shown on a page, nor sent back by its form.
        os.fspath(path).encode()
        found = path.stat()
    except (OSError, UnicodeEncodeError):
        return None
    return found.st_mtime if path.name.endswith(ENDINGS) and S_ISREG(found.st_mode) else None


def file_in_folder(name: str) -> Path:
    """Return a file of the folder of fetched lists: `RefusedError` for anything outside it."""
    folder = settings.FIDE_LIST_FOLDER.resolve()
    # Links and `..` are resolved before the comparison; a NUL would be an error of the system.
    path = (folder / name).resolve() if "\x00" not in name else folder
    if not path.is_relative_to(folder) or _changed_at(path) is None:
        raise refused("not-in-folder", _("Select a file of the folder."), "path")
    return path


def request_import(
    file: File[bytes], request: ImportRequest, *, by: Any, at: datetime, dispatch: Dispatch | None = None
) -> FideImport:
    """Keep a file and have it read without writing anything; `RefusedError` where its date is refused (D-70).

    The same person's same file a moment ago is the first click of two, and returns that import.
    """
    _check(FideImport(), by)
    if request.date.day != 1:
        raise refused("not-a-list-date", _("Enter the first day of a month."), "date")
    if refusals := date_refusals(request.date, today=at.date()):
        raise RefusedError(refusals)
    values = asdict(request) | _described(file)
    with transaction.atomic():
        lock_person(by)
        same = FideImport.objects.filter(**values, by=by, at__range=just_now(at), cancelled_at=None).first()
        if same is not None:
            return same
        made = FideImport.objects.create(**values, path=_stored(file), by=by, at=at)
        make_due(made.work, str(made.pk), at=at, dispatch=dispatch, by=by)
    return made


# A row says who a person is, and something of them.
LEAST_COLUMNS = 2


def request_register(file: File[bytes], federation: Federation, *, by: Any, at: datetime) -> RegisterImport:
    """Keep a file, and look at its columns. One of the federation that nobody confirmed is cancelled.

    `RefusedError` for a file that is no table.
    """
    made = RegisterImport(federation=federation, **_described(file), by=by, at=at)
    _check(made, by)
    if is_tournament_report(file.read(8)):
        raise refused("no-table", _("This is a tournament report (TRF), not a register."), "rows_file")
    file.seek(0)
    made.path = _stored(file)
    try:
        try:
            with _local_copy(made) as path, open_table(path) as rows:
                found = columns_of(rows(), kept=kept_columns(made.federation), today=made.at.date())
                sample = [*islice(rows(), found.head + SAMPLE)]
        except SheetError as error:
            raise refused("no-table", str(error), "rows_file") from error
        if max(map(len, (found.heads, *(cells for _line, cells in sample)))) < LEAST_COLUMNS:
            message = _(
                "The file has one column only. A register has one each for surname, given names, sex and date of birth."
            )
            raise refused("no-register", message, "rows_file")
        below = [cells for line, cells in sample if line > found.head][:SAMPLE]
        made.columns = {"fields": found.mapping(), "heads": [*found.heads], "sample": below}
        made.columns["is_guessed"] = found.is_guessed
        with transaction.atomic():
            for other in RegisterImport.objects.filter(
                federation=federation, confirmed_at=None, cancelled_at=None
            ):
                cancel_import(other, by=by, at=at)
            made.save()
    except BaseException:
        # Nothing else knows of the file.
        storages["lists"].delete(made.path)
        raise
    return made


def read_register(
    item: RegisterImport,
    columns: Mapping[str, str],
    *,
    is_name_right: bool,
    by: Any,
    at: datetime,
) -> None:
    """Have the effect of a register worked out with these columns; again as long as it is not confirmed."""
    _check(item, by)
    with transaction.atomic():
        waiting = RegisterImport.objects.select_for_update().filter(
            pk=item.pk, confirmed_at=None, cancelled_at=None
        )
        if waiting.values_list("pk").first() is None:
            raise refused("confirmed", _("The import is already confirmed."))
        waiting.update(
            columns={**item.columns, "fields": dict(columns)},
            is_name_right=is_name_right,
            preview=None,
            refusals=[],
            read_at=at,
        )
        make_due(item.work, str(item.pk), at=at, by=by)


def _described(file: File[bytes]) -> dict[str, Any]:
    # File systems limit bytes. Keep the end, which has the file extension.
    name = Path(file.name or "list").name.encode()[-MAX_NAME:].decode(errors="ignore")
    return {"file_name": name, "size": file.size}


def _stored(file: File[bytes]) -> str:
    """Store a file before its row is committed, so that a worker finds it as soon as it sees the row."""
    # Two uploads may have one name, and nobody should guess where a file lies.
    path = f"incoming/{secrets.token_hex(16)}/list"
    put(path, file)
    return path


def confirm_import(
    item: FileImport,
    *,
    by: Any,
    at: datetime,
    contained: Collection[str] | None = None,
    dispatch: Dispatch | None = None,
) -> None:
    """Queue the import of a file whose effect was shown; a second confirmation changes nothing.

    `contained` are the waiting reports that a FIDE list contains, None for those that were proposed (D-142).
    """
    _check(item, by)
    values: dict[str, Any] = {"confirmed_by": by, "confirmed_at": at}
    if contained is not None:
        values["contained"] = sorted(contained)
    with transaction.atomic():
        ready = _rows(item).filter(preview__isnull=False, refusals=[], cancelled_at=None)
        if ready.filter(confirmed_at=None).update(**values):
            item.confirmed_at = at
            make_due(item.work, str(item.pk), at=at, dispatch=dispatch, by=by)
        elif not ready.exists():
            raise refused("not-ready", _("This file cannot be imported. Upload it again."))


def cancel_import(item: FileImport, *, by: Any, at: datetime) -> None:
    """Delete a file that is not to be imported; `RefusedError` while it is read, and once the import is confirmed."""
    _check(item, by)
    try:
        with transaction.atomic():
            waiting = _rows(item).filter(confirmed_at=None)
            # The worker holds the row while it reads, for a minute or more: people are told rather than made to wait.
            if waiting.select_for_update(nowait=True).values_list("pk").first() is None:
                raise refused("confirmed", _("The import is already confirmed."))
            waiting.update(cancelled_by=by, cancelled_at=at)
            _end(item)
    except OperationalError as error:
        message = _("The file is being read. Wait until the page shows its effect, then cancel.")
        raise refused("being-read", message) from error


def takes_reason(item: FileImport) -> bool:
    """Return whether a refused list, whose file is kept for that, can be imported with a reason."""
    codes = {why[0].get("code") for why in item.refusals}
    is_refused = isinstance(item, FideImport) and item.stage == "refused" and item.confirmed_at is None
    return is_refused and codes <= OVERRIDDEN and storages["lists"].exists(item.path)


def override_refusal(
    item: FideImport, reason: str, *, by: Any, at: datetime, dispatch: Dispatch | None = None
) -> None:
    """Have the file of a refused list read again, with the reason why it is right; `RefusedError` without one."""
    _check(item, by)
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. It is saved and published."), "reason")
    with transaction.atomic():
        waiting = FideImport.objects.select_for_update().filter(pk=item.pk).get()
        if not takes_reason(waiting):
            raise refused("not-ready", _("This file cannot be imported. Upload it again."))
        waiting.force, waiting.refusals = reason.strip(), []
        waiting.save(update_fields=["force", "refusals"])
        make_due(item.work, str(item.pk), at=at, dispatch=dispatch, by=by)


def restart_import(item: FileImport, *, by: Any, at: datetime, dispatch: Dispatch | None = None) -> None:
    """Start the present job of an import again, for example after a worker was killed."""
    _check(item, by)
    if item.stage in ("reading", "importing"):
        make_due(item.work, str(item.pk), at=at, dispatch=dispatch, by=by)


def progress_of_import(item: FileImport) -> ImportProgress | None:
    """Return how far the present job is; None where nothing is known yet."""
    found = cache.get(_progress_key(item))
    return ImportProgress(ImportStep(found[0]), *found[1:]) if found else None


def perform_import(
    pk: int, *, at: datetime, dispatch: Dispatch | None = None, kind: type[FileImport] = FideImport
) -> None:
    """Read or import the file of an import, whichever is next; nothing where it ended."""
    rows: Any = kind._default_manager.filter(pk=pk)
    item = rows.first()
    if item is None or item.stage not in ("reading", "importing"):
        return
    attempt = _attempt_list if kind is FideImport else _attempt_register
    # Copied first, so that the row is not locked while a distant storage sends the file.
    with _local_copy(item) as path, transaction.atomic():
        item = rows.select_for_update().get()
        if item.stage == "reading":
            item.preview, item.refusals = _attempt(attempt, item, path, at=at, is_dry_run=True)
        elif item.stage == "importing":
            item.result, item.refusals = _attempt(attempt, item, path, at=at, dispatch=dispatch)
        item.save(update_fields=["preview", "result", "refusals"])
        if item.stage == "done" or (
            item.stage == "refused" and kind is FideImport and not takes_reason(item)
        ):
            _end(item)
    cache.delete(_progress_key(item))


def _attempt(
    attempt: Callable[..., dict[str, Any]], item: Any, path: Path, **given: Any
) -> tuple[dict[str, Any] | None, list[list[dict[str, Any]]]]:
    """Return what the import found, or the reasons why the file is refused, as they are stored."""
    try:
        return attempt(item, path, by=item.confirmed_by or item.by, report=_reporter(item), **given), []
    except FideListError as error:
        return None, [items_of(error.args[0])]
    except RefusedError as error:
        return None, [items_of(refusal.message) for refusal in error.refusals]


def _attempt_list(item: FideImport, path: Path, **given: Any) -> dict[str, Any]:
    done = import_list(
        path,
        on=item.date,
        kind=item.kind or None,
        force=item.force,
        adopt=item.adopt,
        contained=item.contained,
        **given,
    )
    return done.summary() | {
        "changes": [asdict(change) for change in done.changes],
        "notices": list(map(items_of, done.notices)),
        "problems": [
            {"line": problem.line, "column": problem.column, "message": items_of(problem.message)}
            for problem in done.problems[:MAX_PROBLEMS]
        ],
    }


def _attempt_register(
    item: RegisterImport, path: Path, *, by: Any, at: datetime, report: ReportProgress, **given: Any
) -> dict[str, Any]:
    done = import_register(
        path,
        item.federation,
        act=Act(by, at),
        columns=item.columns["fields"],
        is_name_right=item.is_name_right,
        report=partial(report, ImportStep.READING),
        **given,
    )
    return done.summary() | {"heads": [*done.columns.heads], "left": done.left}


def register_hints(fields: Collection[str] | None = None) -> list[str]:
    """Return what makes the effect of a register worse than it may be; `fields` are its columns, once they are read."""
    hints = []
    if not RatingList.objects.filter(origin=Origin.IMPORTED).exists():
        hints.append(
            _(
                "No FIDE list is imported. Import the newest one first, so that players with a FIDE ID are found."
            )
        )
    if fields is not None and "number" not in fields:
        hints.append(
            _(
                "No column of national numbers is selected. The players will have no national numbers by this import."
            )
        )
    return hints


def old_registers(at: datetime) -> QuerySet[RegisterImport]:
    """Return the imports of registers whose rows nobody needs any more."""
    return RegisterImport.objects.filter(at__lt=at - REGISTERS_KEPT)


def remove_registers(at: datetime) -> None:
    """Remove the old imports of registers with their files."""
    for item in old_registers(at):
        storages["lists"].delete(item.path)
        item.delete()


@contextmanager
def _local_copy(item: FileImport) -> Iterator[Path]:
    """Yield a local copy of the file with its original name, which identifies the list (D-72)."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / item.file_name
        with storages["lists"].open(item.path) as stored, path.open("wb") as target:
            shutil.copyfileobj(stored, target)
        yield path


def _reporter(item: FileImport) -> ReportProgress:
    """Return a function that stores the progress of a job in the cache, as its transaction is not visible yet."""

    def report(step: ImportStep, done: int, total: int) -> None:
        cache.set(_progress_key(item), [step.value, done, total], timeout=PROGRESS_SECONDS)

    return report


def _progress_key(item: FileImport) -> str:
    return f"import-step:{item._meta.model_name}:{item.pk}"


def _rows(item: FileImport) -> QuerySet[Any]:
    return type(item)._default_manager.filter(pk=item.pk)


def _end(item: FileImport) -> None:
    """Delete the file of an import, and what is kept of its rows."""
    if isinstance(item, RegisterImport):
        _rows(item).update(columns={**item.columns, "sample": []})

    def delete() -> None:
        storages["lists"].delete(item.path)

    transaction.on_commit(delete, robust=True)


def _check(item: FileImport, by: Any) -> None:
    """Refuse who may not import: FIDE staff alone do lists, and officers the registers of their federations."""
    if isinstance(item, RegisterImport):
        refuse_strangers(by, item.federation_id)
    if isinstance(item, FideImport) and not is_staff(by):
        raise refused("staff-only", _("Only FIDE staff can import lists."))
