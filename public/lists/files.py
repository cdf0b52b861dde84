"""The files of a list: published, packed, or written when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_safe

from core.errors import BusyError
from core.web.downloads import sent_by_proxy, streamed_file
from core.web.etags import conditionally, public_page
from core.web.heavy_work import heavy_work
from core.web.rates import limited
from players.minors import minors_for
from public.lists.addresses import list_or_404
from ratings.archives import pack_again
from ratings.choices import FileFormat, Origin, Work
from ratings.due_runs import make_due, name_of
from ratings.export import (
    NotAsPublishedFileError,
    export_bytes,
    imported_file,
    is_in_folder,
    is_seen_as_published,
    is_stored,
    read_archived,
    read_stored,
    with_repair,
    written_import,
)
from ratings.list_files import (
    EVIDENCE,
    GAMES,
    HISTORY,
    archive_of,
    file_of,
    manifest_of,
    newest_history,
)
from ratings.lists import read_lists
from ratings.models import ListArchive, ListFile, RatingList
from ratings.publish.files import file_bytes
from ratings.publish.manifest import canonical_json

LONGEST_NAME, VERIFIER = 60, "verify_list.py"
MEDIA_TYPES = {
    FileFormat.TXT: "text/plain; charset=utf-8",
    FileFormat.XML: "application/xml",
    FileFormat.CSV: "text/csv; charset=utf-8",
    FileFormat.JSON: "application/json",
}
# The purpose of each format, by its label.
ABOUT = {
    "CSV": _l("For spreadsheets, UTF-8"),
    "TXT": _l("FIDE's format, for Swiss-Manager, Vega and others"),
    "XML": _l("FIDE's format, for Swiss-Manager and others"),
    "JSON": _l("For programs"),
}


@require_safe
def file(request: HttpRequest, kind: str, day: date, name: str) -> HttpResponseBase:
    """Send a published file, or the manifest, unchanged."""
    chosen = list_or_404(read_lists(), kind, day)
    if not name.isprintable() or len(name) > LONGEST_NAME:
        raise Http404(_("This list does not have this file."))
    packed = archive_of(chosen, name) if name.endswith((".gz", ".zip")) else None
    if packed is not None:
        return _archive(request, chosen, packed)
    stem, _dot, ending = name.rpartition(".")
    if stem == f"{kind}-{day.isoformat()}.manifest" and ending == "json":
        return _manifest(request, chosen)
    if stem == f"{kind}-{day.isoformat()}" and _is_written_when_asked_for(chosen, ending):
        return _send_imported(request, chosen, name)
    stored = file_of(chosen, ending) if stem == f"{kind}-{day.isoformat()}" else None
    if stored is None:
        raise Http404(_("This list does not have this file."))

    def content() -> Any:
        parts = partial(with_repair, export_bytes(chosen, ending), file_bytes(chosen, ending))
        return _send_attached(request, stored, parts, MEDIA_TYPES[FileFormat(ending)])

    return conditionally(request, content, version=stored.sha256, changed_at=chosen.published_at)


def _is_written_when_asked_for(chosen: RatingList, ending: str) -> bool:
    """Return whether a file is written on request: the portal stores no files of imported lists."""
    return chosen.origin == Origin.IMPORTED and ending in FileFormat.values


@limited("download", method="GET")
def _send_imported(request: HttpRequest, chosen: RatingList, name: str) -> HttpResponseBase:
    """Send a file of an imported list. It is the input for the next list and its verification."""
    minors, ending = minors_for(request), name.rpartition(".")[2]

    def content() -> Any:
        try:
            written = written_import(chosen, ending, minors)
        except OSError:
            # The disk is full, or not this process's to write to.
            sent: HttpResponseBase = streamed_file(imported_file(chosen, ending, minors), name=name)
        else:
            by_proxy = sent_by_proxy(request, written.path) if is_in_folder(written) else None
            sent = by_proxy or streamed_file(read_stored(written), name=name)
            sent["Content-Disposition"] = f'attachment; filename="{name}"'
            if by_proxy is None:
                sent["Content-Length"] = str(written.size)
        sent["Content-Type"] = MEDIA_TYPES[FileFormat(ending)]
        return sent

    # With the minors: a file of an imported list is written with the years that the public may see today.
    version = ("imported", chosen.pk, chosen.published_at, name, minors)
    return conditionally(request, content, version=version, changed_at=chosen.published_at)


@require_safe
@public_page
def latest(request: HttpRequest, kind: str, name: str) -> HttpResponse:
    """Redirect to a file of the current list by a name without the date: `rapid.txt`, `rapid.csv.zip`.

    The header `File-SHA256` has its checksum, so that programs can skip a file they have. Imported lists have none.
    """
    chosen = read_lists().newest(kind)
    stem, _dot, ending = name.partition(".")
    if chosen is None or stem != kind:
        raise Http404(_("This list does not have this file."))
    dated = f"{kind}-{chosen.date.isoformat()}.{ending}"
    # A packed file and a plain one have different checksums: the header is that of what is sent.
    stored = archive_of(chosen, dated) or file_of(chosen, ending)
    if stored is None and not _is_written_when_asked_for(chosen, ending):
        raise Http404(_("This list does not have this file."))
    response = redirect("ratings:file", kind, chosen.date, dated)
    if stored is not None:
        response["File-SHA256"] = stored.sha256
    return response


@require_safe
@public_page
def verifier(request: HttpRequest) -> HttpResponse:
    """Send the program that verifies a list from its evidence, one file for any Python."""
    disposition = {"Content-Disposition": f'attachment; filename="{VERIFIER}"'}
    return HttpResponse(verifier_bytes(), content_type="text/x-python; charset=utf-8", headers=disposition)


def verifier_bytes() -> bytes:
    """Return the program that verifies a list, or raise Http404."""
    path = Path(settings.BASE_DIR) / "tools" / VERIFIER
    if not path.is_file():
        raise Http404(_("The verification program is not installed here."))
    return path.read_bytes()


@require_safe
@public_page
def history(request: HttpRequest, kind: str) -> HttpResponse:
    """Redirect to the newest history of the published lists of a rating type."""
    found = newest_history(kind)
    if found is None:
        raise Http404(_("The history file of this rating type is not ready yet."))
    return redirect("ratings:file", kind, found.rating_list.date, found.name)


def downloads_of(
    chosen: RatingList, files: Sequence[ListFile], archives: Sequence[ListArchive]
) -> list[dict[str, Any]]:
    """Return the files with their URLs, each followed by its compressed files, the history last.

    Files of an imported list are written on request, so they have no sizes and checksums.
    """
    if chosen.origin == Origin.IMPORTED:
        return formats_of(chosen)
    plain: list[tuple[str, str, ListFile | ListArchive]] = [
        (item.get_format_display(), item.path.rpartition("/")[2], item) for item in files
    ]
    packed = [(_packed_label(item.name), item.name, item) for item in archives]
    # A compressed file is named after its file, with a suffix.
    ordered = sorted([*plain, *packed], key=lambda one: (_last_of_all(one[1]), one[1]))
    return [
        {
            "label": label,
            "about": ABOUT.get(label, ""),
            "purpose": _purpose_of(name),
            "url": reverse("ratings:file", args=[chosen.kind, chosen.date, name]),
            "size": item.size,
            "sha256": item.sha256,
        }
        for label, name, item in ordered
    ]


def formats_of(chosen: RatingList) -> list[dict[str, Any]]:
    """Return the formats of a list with their addresses: files of imported lists are written on request."""
    stem = f"{chosen.kind}-{chosen.date.isoformat()}"
    return [
        {
            "label": one.label,
            "about": ABOUT[one.label],
            "purpose": _purpose_of(f".{one}"),
            "url": reverse("ratings:file", args=[chosen.kind, chosen.date, f"{stem}.{one}"]),
            "size": None,
            "sha256": "",
        }
        for one in FileFormat
    ]


def _last_of_all(name: str) -> int:
    """Return the sort key of a file: files of the list, then the games, the evidence and the history."""
    return name.startswith(GAMES) + 2 * name.endswith(EVIDENCE) + 3 * name.endswith(HISTORY)


def _purpose_of(name: str) -> str:
    """Return what a file is for, packed or not: "verify", "programs", "table" or "pairing"."""
    if name.endswith(EVIDENCE):
        return "verify"
    if ".json" in name or name.startswith(GAMES):
        return "programs"
    return "table" if ".csv" in name else "pairing"


def _packed_label(name: str) -> str:
    if name.endswith(HISTORY):
        return _("All published lists up to this one, CSV (zip)")
    if name.startswith(GAMES):
        return _("Games of both lists of the month, CSV (gz)")
    if name.endswith(EVIDENCE):
        return _("Evidence (zip)")
    _stem, file_format, packing = name.rsplit(".", 2)
    return f"{file_format.upper()} ({packing})"


def _archive(request: HttpRequest, chosen: RatingList, packed: ListArchive) -> HttpResponseBase:
    """Send a compressed file. If the stored file is missing or different, compress it again, or queue that."""
    if not is_stored(packed) and not _is_packed_again(request, packed):
        # A worker packs it again: this machine is busy, or its folder has another file.
        make_due(Work.ARCHIVE, name_of(chosen), at=timezone.now())
        return _in_preparation()
    media_type = "application/zip" if packed.name.endswith(".zip") else "application/gzip"

    def content() -> Any:
        return _send_attached(request, packed, partial(with_repair, read_archived(packed)), media_type)

    try:
        return conditionally(request, content, version=packed.sha256, changed_at=chosen.published_at)
    except NotAsPublishedFileError:
        return _in_preparation()


def _is_packed_again(request: HttpRequest, packed: ListArchive) -> bool:
    """Pack a file that this machine's folder lacks; return whether it can be sent now."""
    try:
        with heavy_work(request):
            return pack_again(packed)
    except (BusyError, NotAsPublishedFileError, OSError):
        return False


def _in_preparation() -> HttpResponse:
    text = _("This file is being prepared. Try again later.")
    return HttpResponse(text, status=503, headers={"Retry-After": "600"}, content_type="text/plain")


def _send_attached(
    request: HttpRequest,
    stored: ListFile | ListArchive,
    read: Callable[[], Iterator[bytes]],
    media_type: str,
) -> HttpResponseBase:
    """Return a download. The proxy sends a file already seen as published, the portal reads and compares others."""
    by_proxy = sent_by_proxy(request, stored.path) if is_seen_as_published(stored) else None
    response = by_proxy or StreamingHttpResponse(read())
    if by_proxy is None:
        response["Content-Length"] = str(stored.size)
    response["Content-Type"] = media_type
    response["Content-Disposition"] = f'attachment; filename="{stored.path.rpartition("/")[2]}"'
    return response


def _manifest(request: HttpRequest, chosen: RatingList) -> HttpResponse:
    manifest = manifest_of(chosen)
    if not manifest:
        raise Http404(_("This list was imported, so it has no manifest."))

    def content() -> HttpResponse:
        return HttpResponse(canonical_json(manifest), content_type="application/json")

    version = ("manifest", chosen.pk, chosen.published_at)
    return conditionally(request, content, version=version, changed_at=chosen.published_at)
