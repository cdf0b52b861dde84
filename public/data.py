"""The page of the data for programs and research, and the data package that names each file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.db.models import Count, Max
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import override
from django.views.decorators.http import require_safe

from core.web.etags import conditionally
from players.fide_list import PUBLISHED_FIELDS
from public.lists.files import MEDIA_TYPES, downloads_of
from ratings.archives import HISTORY_COLUMNS
from ratings.choices import PUBLISHED_KINDS, FileFormat, Origin
from ratings.games import COLUMNS
from ratings.list_files import GAMES, HISTORY, newest_games, newest_history
from ratings.lists import read_lists
from ratings.models import ListArchive, ListFile, RatingList
from tournaments.lists import Lists

# In youth chess: who turns 14 or less in the year.
YOUNG = 14
TYPES = {
    **dict.fromkeys(("fide_id", "birth_year", "rating", "games", "k"), "integer"),
    "inactive": "boolean",
    "list": "date",
}


@require_safe
def data(request: HttpRequest) -> HttpResponse:
    """Show the files, the columns of the games, and three ways to use them."""
    lists, games = read_lists(), newest_games()
    histories = [found for kind in PUBLISHED_KINDS if (found := newest_history(kind))]

    def page() -> HttpResponse:
        context = {
            "games": games,
            "lists": lists.newest_of_each(),
            "histories": histories,
            "columns": COLUMNS,
            "year": games.rating_list.date.year if games else None,
            "young": YOUNG,
        }
        return render(request, "public/data.html", context)

    shown = [one.sha256 for one in (games, *histories) if one]
    return conditionally(request, page, version=("data", lists.version, shown))


@require_safe
def datapackage(request: HttpRequest) -> HttpResponse:
    """Name each file of each list with schema, size and checksum, as a data package of Frictionless Data."""
    lists, packed = read_lists(), ListArchive.objects.aggregate(Count("pk"), Max("pk"))
    return conditionally(request, lambda: _package(lists), version=("package", lists.version, packed))


def _package(lists: Lists[RatingList]) -> HttpResponse:
    files: dict[int, list[ListFile]] = defaultdict(list)
    archives: dict[int, list[ListArchive]] = defaultdict(list)
    for item in ListFile.objects.order_by("format"):
        files[item.rating_list_id].append(item)
    for packed in ListArchive.objects.order_by("name"):
        archives[packed.rating_list_id].append(packed)
    with override("en"):
        resources = [
            _resource(**item)
            for one in lists.newest_first
            for item in (*downloads_of(one, files[one.pk], archives[one.pk]), *_manifest(one))
        ]
    package = {
        "profile": "data-package",
        "name": "chess-ratings",
        "title": "Rapid and blitz chess ratings",
        "homepage": f"{settings.SITE_URL}{reverse('data')}",
        "resources": resources,
    }
    return JsonResponse(package)


def _manifest(rating_list: RatingList) -> Iterator[dict[str, Any]]:
    if rating_list.origin == Origin.PUBLISHED:
        name = f"{rating_list.kind}-{rating_list.date.isoformat()}.manifest.json"
        url = reverse("ratings:file", args=[rating_list.kind, rating_list.date, name])
        yield {"url": url, "label": "Manifest", "size": None, "sha256": rating_list.manifest_sha256}


def _resource(*, url: str, label: str, size: int | None, sha256: str, **_page: Any) -> dict[str, Any]:
    """Return a file; those of imported lists are written on request and have neither size nor checksum."""
    name = url.rpartition("/")[2]
    endings = name.split(".")[1:]
    packing = endings[-1] if endings[-1] in ("gz", "zip") else ""
    form = endings[-2] if packing and endings[-2] in FileFormat.values else endings[-1]
    found: dict[str, Any] = {
        "name": name,
        "title": label,
        "path": f"{settings.SITE_URL}{url}",
        "format": form,
    }
    found |= {} if size is None else {"bytes": size}
    found |= {"hash": f"sha256:{sha256}"} if sha256 else {}
    if form != packing:
        found |= {"mediatype": MEDIA_TYPES[FileFormat(form)].partition(";")[0]} | (
            {"compression": packing} if packing else {}
        )
    if form == "csv":
        found |= {"profile": "tabular-data-resource", "encoding": "utf-8", "schema": _schema(name)}
    return found


def _schema(name: str) -> dict[str, Any]:
    if name.startswith(GAMES):
        fields = [
            {"name": one, "type": kind, "description": str(about)} for one, (kind, about) in COLUMNS.items()
        ]
    else:
        names = HISTORY_COLUMNS if name.endswith(HISTORY) else PUBLISHED_FIELDS
        fields = [{"name": one, "type": TYPES.get(one, "string")} for one in names]
    return {"fields": fields}
