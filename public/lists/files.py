"""The files of a list: published, packed, and the manifest, byte for byte."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
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

from core.web.conditional import conditionally, public_page
from ratings.choices import FileFormat, ListKind, Work
from ratings.models import ListArchive, ListFile, RatingList
from ratings.queries.catalogue import (
    EVIDENCE,
    HISTORY,
    Catalogue,
    archive_of,
    catalogue,
    file_of,
    files_of,
    manifest_of,
    newest_history,
)
from ratings.services.export import archived, exported, is_stored
from ratings.services.publication.files import manifest_bytes
from ratings.services.runs import make_due, name_of, with_repair

LONGEST_NAME, VERIFIER = 60, "verify_list.py"
MEDIA_TYPES = {
    FileFormat.TXT: "text/plain; charset=utf-8",
    FileFormat.XML: "application/xml",
    FileFormat.CSV: "text/csv; charset=utf-8",
    FileFormat.JSON: "application/json",
}


# What each format is for, by its label.
ABOUT = {
    "CSV": _l("For spreadsheets, UTF-8"),
    "TXT": _l("FIDE’s fixed columns"),
    "XML": _l("FIDE’s format"),
    "JSON": _l("For programs"),
}


@require_safe
def file(request: HttpRequest, kind: str, day: date, name: str) -> HttpResponseBase:
    """Send a published file, or the manifest, byte for byte."""
    chosen = list_or_404(catalogue(), kind, day)
    if not name.isprintable() or len(name) > LONGEST_NAME:
        raise Http404(_("This list has no such file."))
    packed = archive_of(chosen, name) if name.endswith((".gz", ".zip")) else None
    if packed is not None:
        return _archive(request, chosen, packed)
    stem, _dot, ending = name.rpartition(".")
    if stem == f"{kind}-{day.isoformat()}.manifest" and ending == "json":
        return _manifest(request, chosen)
    stored = file_of(chosen, ending) if stem == f"{kind}-{day.isoformat()}" else None
    if stored is None:
        raise Http404(_("This list has no such file."))

    def content() -> Any:
        response = StreamingHttpResponse(
            with_repair(exported(chosen, ending)), content_type=MEDIA_TYPES[FileFormat(ending)]
        )
        return _attached(response, stored)

    return conditionally(request, content, version=stored.sha256, changed_at=chosen.published_at)


@require_safe
def latest(request: HttpRequest, kind: str, name: str) -> HttpResponseBase:
    """Lead to a file of the newest list by a name without the date: `rapid.txt`, `rapid.csv.zip`.

    The header `File-SHA256` has its hash, so that a program sees whether it has the file.
    """
    chosen = catalogue().newest(kind)
    stem, _dot, ending = name.partition(".")
    if chosen is None or stem != kind:
        raise Http404(_("This list has no such file."))
    dated = f"{kind}-{chosen.date.isoformat()}.{ending}"
    stored = archive_of(chosen, dated) or file_of(chosen, ending)
    if stored is None:
        raise Http404(_("This list has no such file."))
    response = redirect("ratings:file", kind, chosen.date, dated)
    response["File-SHA256"] = stored.sha256
    return response


@require_safe
@public_page
def verifier(request: HttpRequest) -> HttpResponse:
    """Send the program that checks a list against its evidence: one file for any Python."""
    path = Path(settings.BASE_DIR) / "tools" / VERIFIER
    if not path.is_file():
        raise Http404(_("The verification program is not installed here."))
    disposition = {"Content-Disposition": f'attachment; filename="{VERIFIER}"'}
    return HttpResponse(path.read_bytes(), content_type="text/x-python; charset=utf-8", headers=disposition)


@require_safe
def history(request: HttpRequest, kind: str) -> HttpResponse:
    """Lead to the newest history of the published lists of a kind."""
    found = newest_history(kind)
    if found is None:
        raise Http404(_("The history file of this rating type is not ready yet."))
    return redirect("ratings:file", kind, found.rating_list.date, found.name)


def downloads_of(chosen: RatingList, archives: Sequence[ListArchive]) -> list[dict[str, Any]]:
    """Return the files with their addresses, each with its packed ones below it, the history last."""
    plain: list[tuple[str, str, ListFile | ListArchive]] = [
        (item.get_format_display(), item.path.rpartition("/")[2], item) for item in files_of(chosen)
    ]
    packed = [(_packed_label(item.name), item.name, item) for item in archives]
    # The name of a packed file is that of the file and an ending.
    ordered = sorted([*plain, *packed], key=lambda one: (_last_of_all(one[1]), one[1]))
    return [
        {
            "label": label,
            "about": ABOUT.get(label, ""),
            "url": reverse("ratings:file", args=[chosen.kind, chosen.date, name]),
            "size": item.size,
            "sha256": item.sha256,
        }
        for label, name, item in ordered
    ]


def _last_of_all(name: str) -> int:
    """Return where a file comes: those of the list, the evidence, the history."""
    return name.endswith(EVIDENCE) + 2 * name.endswith(HISTORY)


def _packed_label(name: str) -> str:
    if name.endswith(HISTORY):
        return _("All published lists up to this one, CSV (zip)")
    if name.endswith(EVIDENCE):
        return _("Evidence (zip)")
    _stem, file_format, packing = name.rsplit(".", 2)
    return f"{file_format.upper()} ({packing})"


def list_or_404(lists: Catalogue, kind: str, day: date) -> RatingList:
    """Return the list of a kind and date."""
    return found_or_404(lists.on(kind, day), kind, day)


def found_or_404(found: RatingList | None, kind: str, day: date) -> RatingList:
    """Return the list that was found for a kind and date, if one was."""
    if found is None:
        message = _("There is no %(kind)s list of %(day)s.")
        raise Http404(message % {"kind": ListKind(kind).label, "day": day.isoformat()})
    return found


def _archive(request: HttpRequest, chosen: RatingList, packed: ListArchive) -> HttpResponseBase:
    """Send a packed file; where the storage has lost it, or has another size, it is due to be packed again."""
    if not is_stored(packed):
        make_due(Work.ARCHIVE, name_of(chosen), at=timezone.now())
        text = _("This file is being prepared. Try again later.")
        return HttpResponse(text, status=503, headers={"Retry-After": "600"}, content_type="text/plain")
    media_type = "application/zip" if packed.name.endswith(".zip") else "application/gzip"

    def content() -> Any:
        return _attached(
            StreamingHttpResponse(with_repair(archived(packed)), content_type=media_type), packed
        )

    return conditionally(request, content, version=packed.sha256, changed_at=chosen.published_at)


def _attached(response: StreamingHttpResponse, stored: ListFile | ListArchive) -> StreamingHttpResponse:
    response["Content-Length"] = str(stored.size)
    response["Content-Disposition"] = f'attachment; filename="{stored.path.rpartition("/")[2]}"'
    return response


def _manifest(request: HttpRequest, chosen: RatingList) -> HttpResponse:
    manifest = manifest_of(chosen)
    if not manifest:
        raise Http404(_("This list was imported, so it has no manifest."))

    def content() -> HttpResponse:
        return HttpResponse(manifest_bytes(manifest), content_type="application/json")

    version = ("manifest", chosen.pk, chosen.published_at)
    return conditionally(request, content, version=version, changed_at=chosen.published_at)
