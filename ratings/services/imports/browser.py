"""FIDE lists that staff import in the browser: read without writing, shown, confirmed, then imported.

Reading and importing are background jobs around `import_list`, with its refusals (D-70 to D-73). Each saves its outcome
in the transaction of the import: a killed worker leaves nothing, and the job runs again from the beginning.
"""

from __future__ import annotations

import heapq
import os
import secrets
import shutil
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import date, datetime
from pathlib import Path
from stat import S_ISREG
from typing import Any, NamedTuple

from django.conf import settings
from django.core.cache import cache
from django.core.files import File
from django.core.files.storage import storages
from django.db import OperationalError, transaction
from django.utils.translation import gettext as _

from core.errors import RefusedError, refused
from core.locks import lock_person
from core.second_clicks import just_now
from core.stated import items_of
from players.fide_list import FideListError
from players.permissions import is_staff
from ratings.choices import ImportStep, Work
from ratings.models import FideImport
from ratings.services.due_runs import make_due
from ratings.services.imports.importing import import_list
from ratings.services.imports.outcome import ReportProgress
from ratings.services.list_dates import date_refusals
from ratings.services.publication.files import put
from tournaments.signals import Dispatch

ENDINGS = (".txt", ".xml", ".gz", ".zip")
MAX_FILES = 200
MAX_PROBLEMS = 20
MAX_NAME = 120  # bytes
PROGRESS_SECONDS = 3600


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
    _check_staff(by)
    if request.date.day != 1:
        raise refused("not-a-list-date", _("Enter the first day of a month."), "date")
    if refusals := date_refusals(request.date, today=at.date()):
        raise RefusedError(refusals)
    # File systems limit bytes. Keep the end, which has the file extension.
    name = Path(file.name or "list").name.encode()[-MAX_NAME:].decode(errors="ignore")
    # Two uploads may have one name, and nobody should guess where a file lies.
    path = f"incoming/{secrets.token_hex(16)}/list"
    # Before the transaction: a worker must find the file as soon as it sees the row.
    put(path, file)
    values: dict[str, Any] = asdict(request) | {"file_name": name, "size": file.size, "by": by}
    with transaction.atomic():
        lock_person(by)
        same = FideImport.objects.filter(**values, at__range=just_now(at), cancelled_at=None).first()
        if same is not None:
            _delete_after_commit(path)
            return same
        made = FideImport.objects.create(**values, path=path, at=at)
        make_due(Work.READ, str(made.pk), at=at, dispatch=dispatch, by=by)
    return made


def confirm_import(
    item: FideImport,
    *,
    by: Any,
    at: datetime,
    contained: Collection[str] | None = None,
    dispatch: Dispatch | None = None,
) -> None:
    """Queue the import of a file whose effect was shown; a second confirmation changes nothing.

    `contained` are the waiting reports that the list contains, None for those that were proposed (D-142).
    """
    _check_staff(by)
    with transaction.atomic():
        ready = FideImport.objects.filter(pk=item.pk, preview__isnull=False, refusals=[], cancelled_at=None)
        events = None if contained is None else sorted(contained)
        if ready.filter(confirmed_at=None).update(confirmed_by=by, confirmed_at=at, contained=events):
            make_due(Work.IMPORT, str(item.pk), at=at, dispatch=dispatch, by=by)
        elif not ready.exists():
            raise refused("not-ready", _("This file cannot be imported. Upload it again."))


def cancel_import(item: FideImport, *, by: Any, at: datetime) -> None:
    """Delete a file that is not to be imported; `RefusedError` while it is read, and once the import is confirmed."""
    _check_staff(by)
    try:
        with transaction.atomic():
            waiting = FideImport.objects.filter(pk=item.pk, confirmed_at=None)
            # The worker holds the row while it reads, for a minute or more: staff are told rather than made to wait.
            if waiting.select_for_update(nowait=True).values_list("pk").first() is None:
                raise refused("confirmed", _("The import is already confirmed."))
            waiting.update(cancelled_at=at)
            _delete_after_commit(item.path)
    except OperationalError as error:
        message = _("The file is being read. Wait until the page shows its effect, then cancel.")
        raise refused("being-read", message) from error


def restart_import(item: FideImport, *, by: Any, at: datetime, dispatch: Dispatch | None = None) -> None:
    """Start the present job of an import again, for example after a worker was killed."""
    _check_staff(by)
    if item.stage in ("reading", "importing"):
        make_due(work_of(item), str(item.pk), at=at, dispatch=dispatch, by=by)


def work_of(item: FideImport) -> Work:
    """Return the job that an import is at: reading the file, or importing it."""
    return Work.READ if item.confirmed_at is None else Work.IMPORT


def progress_of_import(item: FideImport) -> ImportProgress | None:
    """Return how far the present job is; None where nothing is known yet."""
    found = cache.get(_progress_key(item.pk))
    return ImportProgress(ImportStep(found[0]), *found[1:]) if found else None


def perform_import(pk: int, *, at: datetime, dispatch: Dispatch | None = None) -> None:
    """Read or import the file of an import, whichever is next; nothing where it ended."""
    item = FideImport.objects.filter(pk=pk).first()
    if item is None or item.stage not in ("reading", "importing"):
        return
    # Copied first, so that the row is not locked while a distant storage sends the file.
    with _local_copy(item) as path, transaction.atomic():
        item = FideImport.objects.select_for_update().get(pk=pk)
        if item.stage == "reading":
            item.preview, item.refusals = _attempt(item, path, at=at, is_dry_run=True)
        elif item.stage == "importing":
            item.result, item.refusals = _attempt(item, path, at=at, dispatch=dispatch)
        item.save(update_fields=["preview", "result", "refusals"])
        if item.stage in ("done", "refused"):
            _delete_after_commit(item.path)
    cache.delete(_progress_key(pk))


def _attempt(
    item: FideImport, path: Path, *, at: datetime, dispatch: Dispatch | None = None, is_dry_run: bool = False
) -> tuple[dict[str, Any] | None, list[list[dict[str, Any]]]]:
    """Return what the import found, or the reasons why the file is refused, as they are stored."""
    try:
        done = import_list(
            path,
            on=item.date,
            at=at,
            kind=item.kind or None,
            report=_reporter(item.pk),
            dispatch=dispatch,
            by=item.confirmed_by or item.by,
            force=item.force,
            adopt=item.adopt,
            contained=item.contained,
            is_dry_run=is_dry_run,
        )
    except FideListError as error:
        return None, [items_of(error.args[0])]
    except RefusedError as error:
        return None, [items_of(refusal.message) for refusal in error.refusals]
    return done.summary() | {
        "changes": [asdict(change) for change in done.changes],
        "notices": list(map(items_of, done.notices)),
        "problems": [
            {"line": problem.line, "column": problem.column, "message": items_of(problem.message)}
            for problem in done.problems[:MAX_PROBLEMS]
        ],
    }, []


@contextmanager
def _local_copy(item: FideImport) -> Iterator[Path]:
    """Yield a local copy of the file with its original name, which identifies the list (D-72)."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / item.file_name
        with storages["lists"].open(item.path) as stored, path.open("wb") as target:
            shutil.copyfileobj(stored, target)
        yield path


def _reporter(pk: int) -> ReportProgress:
    """Return a function that stores the progress of a job in the cache, as its transaction is not visible yet."""

    def report(step: ImportStep, done: int, total: int) -> None:
        cache.set(_progress_key(pk), [step.value, done, total], timeout=PROGRESS_SECONDS)

    return report


def _progress_key(pk: int) -> str:
    return f"import-step:{pk}"


def _delete_after_commit(path: str) -> None:
    def delete() -> None:
        storages["lists"].delete(path)

    transaction.on_commit(delete, robust=True)


def _check_staff(by: Any) -> None:
    if not is_staff(by):
        raise refused("staff-only", _("Only FIDE staff can import lists."))
