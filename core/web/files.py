"""Files that browsers send and save: uploads of a bounded size, JSON, and downloads that no browser interprets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadhandler import MemoryFileUploadHandler, StopUpload
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from core.web.double_clicks import repeat_answer

View = Callable[..., HttpResponseBase]
MAX_FILES_KEPT = 10


def bounded(limits: Mapping[str, int]) -> Callable[[View], View]:
    """Read the files of a view's requests through the bounded handler, the CSRF check after that and before the view.

    `limits` are the most bytes of a file by field; of another field none is taken.
    """

    def decorate(view: View) -> View:
        @csrf_protect
        def protected(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            return repeat_answer(request) or view(request, *args, **kwargs)

        @csrf_exempt
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            # The CSRF check reads the body, so the handler comes before it.
            request.upload_handlers = [BoundedUploadHandler(request, limits)]
            return protected(request, *args, **kwargs)

        return guarded

    return decorate


def refuse_large_file(request: HttpRequest, form: BaseForm) -> None:
    """Say of a form that was sent only which file is too large, if one is: the fields after it were not read.

    A field may say what to do about it: its error message `too-large` is added.
    """
    for handler in request.upload_handlers:
        if isinstance(handler, BoundedUploadHandler) and handler.exceeded in form.fields:
            advice = form.fields[handler.exceeded].error_messages.get("too-large", "")
            message = _limit(handler.limits[handler.exceeded])
            form.errors.clear()
            form.add_error(handler.exceeded, ValidationError(f"{message} {advice}".strip(), code="too-large"))


def _limit(most: int) -> str:
    if most >> 20:
        return _("The file must be %(size)d MiB or smaller.") % {"size": most >> 20}
    return _("The file must be %(size)d KiB or smaller.") % {"size": most >> 10}


class BoundedUploadHandler(MemoryFileUploadHandler):
    """Keeps files in memory up to the limit of their field; a larger one ends the upload and names the field."""

    exceeded = ""

    def __init__(self, request: HttpRequest, limits: Mapping[str, int]) -> None:
        super().__init__(request)
        self.limits = limits

    def handle_raw_input(self, *args: Any, **kwargs: Any) -> None:
        """Handle every file, for requests of any size."""
        self.activated = True

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Begin to count the bytes of a file."""
        self.received = 0
        self.files = getattr(self, "files", 0) + 1
        if self.files > MAX_FILES_KEPT:
            self.exceeded = str(self.field_name)
            raise StopUpload(connection_reset=False)
        super().new_file(*args, **kwargs)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        """Keep a chunk, or stop where the file has become too large."""
        self.received += len(raw_data)
        if self.received > self.limits.get(str(self.field_name), 0):
            self.exceeded = str(self.field_name)
            raise StopUpload(connection_reset=False)
        return super().receive_data_chunk(raw_data, start)


def decode_json(content: bytes) -> Any:
    """Return the value of JSON in UTF-8; ValueError, worded as `is not ...`, also for NaN and for repeated names."""
    try:
        return json.loads(
            content.decode(), object_pairs_hook=_refuse_repeats, parse_constant=_refuse_constant
        )
    except UnicodeDecodeError as error:
        raise ValueError("is not UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise ValueError(f"is not JSON: {error}") from error


def _refuse_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        raise ValueError("a name appears more than once in the object")
    return row


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")


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
