"""How anybody checks a list without trusting this site: commands with their output, files, the last verification."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.web.downloads import streamed_file
from core.web.etags import conditionally
from core.web.rates import limited
from core.web.zip_streams import stream_zip
from players.minors import Minors, minors_for
from public.lists.addresses import list_or_404
from public.lists.files import VERIFIER, downloads_of, file, verifier_bytes
from public.lists.head import head_of
from ratings.choices import Origin
from ratings.export import (
    NotAsPublishedFileError,
    export_bytes,
    imported_file,
    is_stored,
    read_archived,
    with_repair,
)
from ratings.games import paired
from ratings.list_files import archive_of, archives_of, files_of, manifest_of
from ratings.lists import read_lists
from ratings.models import ListArchive, ListFile, RatingList, TournamentRating
from ratings.movements import taken_in
from ratings.publish.files import file_bytes
from ratings.publish.manifest import canonical_json
from ratings.publish.signatures import public_key
from ratings.verifications import verifications_of
from tournaments.lists import Lists
from tournaments.models import Game

CSV, MANIFEST, EVIDENCE = "csv", "manifest.json", "evidence.zip"


@dataclass(frozen=True, slots=True)
class Command:
    """A command as it is copied, what it shows, and the part of that which has to match."""

    text: str
    matches: str
    rest: str = ""


@require_safe
def verify(request: HttpRequest, kind: str, day: date) -> HttpResponse:
    """Show the commands that check a list of the portal, its checksums, and its last verification."""
    lists = read_lists()
    chosen = _published_or_404(lists, kind, day)
    archives = archives_of(chosen)
    verification = verifications_of([chosen])[chosen.pk]
    run = verification.run

    def page() -> HttpResponse:
        before = lists.previous(chosen)
        files = files_of(chosen)
        key = _key_of(chosen)
        context = {
            "list": chosen,
            "head": head_of(lists, chosen, request.GET, page="verify"),
            "before": before,
            "files": downloads_of(chosen, files, archives),
            "needed": _needed_files(chosen, before),
            "manifest": _name(chosen, MANIFEST),
            "signature": {"key": key, "value": chosen.signature} if key else None,
            "run": run,
            "verification": verification.state,
            **_commands(chosen, before, files, key),
        }
        return render(request, "public/lists/verify.html", context)

    seen = (run.state, run.finished_at, run.error) if run else ()
    version = ("verify", chosen.pk, lists.version, [item.sha256 for item in archives], *seen)
    return conditionally(request, page, version=version)


@require_safe
def checksums(request: HttpRequest, kind: str, day: date) -> HttpResponse:
    """Send the checksums of all files of a list as `sha256sum -c` reads them."""
    chosen = _published_or_404(read_lists(), kind, day)
    archives = archives_of(chosen)

    def content() -> HttpResponse:
        rows: list[ListFile | ListArchive] = [*files_of(chosen), *archives]
        named = sorted((row.path.rpartition("/")[2], row.sha256) for row in rows)
        lines = [*named, (_name(chosen, MANIFEST), chosen.manifest_sha256)]
        text = "".join(f"{sha256}  {name}\n" for name, sha256 in lines)
        disposition = {"Content-Disposition": 'attachment; filename="SHA256SUMS"'}
        return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=disposition)

    version = ("checksums", chosen.pk, chosen.manifest_sha256, [item.sha256 for item in archives])
    return conditionally(request, content, version=version)


@require_safe
@limited("download", method="GET")
def archive(request: HttpRequest, kind: str, day: date) -> HttpResponseBase:
    """Send the files that the commands read as one archive."""
    lists = read_lists()
    chosen = _published_or_404(lists, kind, day)
    before, evidence = lists.previous(chosen), archive_of(chosen, _name(chosen, EVIDENCE))
    if evidence is None or not is_stored(evidence):
        # It says that the file is being prepared, and lets the workers do so.
        return file(request, kind, day, _name(chosen, EVIDENCE))
    # The list before may be an imported one, whose file has the years of birth that the public may see.
    minors = minors_for(request)

    def content() -> Any:
        members: list[tuple[str, Iterable[bytes]]] = [
            *((_name(item, CSV), _csv_of(item, minors)) for item in (before, chosen) if item is not None),
            (_name(chosen, MANIFEST), [canonical_json(manifest_of(chosen))]),
            (_name(chosen, EVIDENCE), with_repair(read_archived(evidence))),
            (VERIFIER, [verifier_bytes()]),
        ]
        return streamed_file(stream_zip(members), name=_name(chosen, "verify.zip"))

    version = ("verify.zip", chosen.pk, chosen.manifest_sha256, before.pk if before else None, minors)
    try:
        return conditionally(request, content, version=version)
    except NotAsPublishedFileError:
        return file(request, kind, day, _name(chosen, EVIDENCE))


def _csv_of(chosen: RatingList, minors: Minors) -> Iterator[bytes]:
    if chosen.origin == Origin.IMPORTED:
        return imported_file(chosen, CSV, minors)
    return with_repair(export_bytes(chosen, CSV), file_bytes(chosen, CSV))


def _published_or_404(lists: Lists[RatingList], kind: str, day: date) -> RatingList:
    chosen = list_or_404(lists, kind, day)
    if chosen.origin != Origin.PUBLISHED:
        raise Http404(_("This list was imported, so it has no manifest."))
    return chosen


def _name(rating_list: RatingList, ending: str) -> str:
    return f"{rating_list.kind}-{rating_list.date.isoformat()}.{ending}"


def _needed_files(chosen: RatingList, before: RatingList | None) -> list[tuple[RatingList, str]]:
    """Return the files that the commands read, each with the list that it belongs to."""
    earlier = [(before, _name(before, CSV))] if before else []
    return [
        (chosen, _name(chosen, CSV)),
        (chosen, _name(chosen, MANIFEST)),
        *earlier,
        (chosen, _name(chosen, EVIDENCE)),
    ]


def _commands(
    chosen: RatingList, before: RatingList | None, files: Sequence[ListFile], key: str
) -> dict[str, Any]:
    """Return the three commands with their output, and what was taken in; the last needs the list before."""
    csv, manifest = _name(chosen, CSV), _name(chosen, MANIFEST)
    sums = {item.format: item.sha256 for item in files}
    reports = TournamentRating.objects.filter(included_in=chosen).values_list("report", flat=True)
    keys = list(reports)
    counts = [
        (chosen.listed, "player"),
        (len(keys), "report"),
        (paired(Game.objects.filter(report__in=keys)).count(), "game"),
    ]
    return {
        "taken": taken_in(chosen),
        "games": counts[-1][0],
        "complete": Command(f"sha256sum {csv}", sums.get(CSV, ""), csv),
        "unreplaced": Command(f"sha256sum {manifest}", chosen.manifest_sha256, manifest),
        "calculated": _calculation(chosen, before, ", ".join(_count_nouns(counts)), key) if before else None,
    }


def _calculation(chosen: RatingList, before: RatingList, counted: str, key: str) -> Command:
    files = [_name(before, CSV), _name(chosen, EVIDENCE), _name(chosen, CSV)]
    signed = f", signed for {key}" if key else ", not signed"
    option = f" --key {key}" if key else ""
    return Command(
        f"python3 verify_list.py {' '.join(files)}{option}",
        f"{chosen.kind} {chosen.date.isoformat()}: all is equal",
        f"({counted}{signed})",
    )


def _key_of(chosen: RatingList) -> str:
    """Return the public key that the signature of a list is for, empty for an unsigned list.

    The manifest names it: this process may know another one since, or not yet (keys are rotated machine by machine).
    """
    if not chosen.signature:
        return ""
    named = RatingList.objects.filter(pk=chosen.pk).values_list("manifest__evidence__public_key", flat=True)
    return named.get() or public_key()


def _count_nouns(counts: Sequence[tuple[int, str]]) -> Iterator[str]:
    """Yield each number with its noun in the words of the program, which are English in every language."""
    return (f"{number} {noun}{'' if number == 1 else 's'}" for number, noun in counts)
