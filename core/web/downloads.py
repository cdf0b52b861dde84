"""Downloads that no browser interprets."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.http import content_disposition_header

MEDIA_TYPES = {
    "txt": "text/plain; charset=us-ascii",
    "xml": "application/xml",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "zip": "application/zip",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
# In this header the proxy sends the path of the files of the storage (deploy/nginx).
PROXY_HEADER = "X-Sends-Files"


def sent_by_proxy(request: HttpRequest, path: str) -> HttpResponse | None:
    """Return the response with which the proxy sends a file from the storage; None without such a proxy."""
    place = request.headers.get(PROXY_HEADER, "") if settings.FILES_BY_PROXY else ""
    # nginx decodes the path of this header.
    return HttpResponse(headers={"X-Accel-Redirect": place + quote(path)}) if place else None


def streamed_file(parts: Iterable[bytes | str], *, name: str) -> StreamingHttpResponse:
    """Return a streamed download. Its content type comes from the file extension."""
    return StreamingHttpResponse(
        parts,
        content_type=MEDIA_TYPES[name.rpartition(".")[2]],
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def file_response(content: bytes, *, name: str) -> HttpResponse:
    """Return uploaded bytes as a download that no browser shows or interprets."""
    return HttpResponse(
        content,
        content_type="application/octet-stream",
        headers={
            "Content-Disposition": content_disposition_header(as_attachment=True, filename=name) or "",
            "X-Content-Type-Options": "nosniff",
        },
    )
