"""Uploads of a bounded size: what is larger is never kept, neither in memory nor on disk."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.files.uploadhandler import MemoryFileUploadHandler, StopUpload
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from tournaments.forms.bulk import MOST_BYTES as MOST_SHEET_BYTES
from tournaments.forms.reports import MOST_BYTES
from tournaments.services.appeals import MOST_FILE_BYTES

View = Callable[..., HttpResponseBase]
# The largest file that is taken, by field: those of a report, what is lodged with an appeal, registrations.
LIMITS = MOST_BYTES | {"evidence": MOST_FILE_BYTES, "rows_file": MOST_SHEET_BYTES}
MOST_FILES_KEPT = 10


class BoundedUploadHandler(MemoryFileUploadHandler):
    """Keeps files in memory up to the limit of their field; a larger one ends the upload and names the field."""

    exceeded = ""

    def handle_raw_input(self, *args: Any, **kwargs: Any) -> None:
        """Take charge of every file, whatever the size of the whole request."""
        self.activated = True

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Begin to count the bytes of a file."""
        self.received = 0
        self.files = getattr(self, "files", 0) + 1
        if self.files > MOST_FILES_KEPT:
            self.exceeded = str(self.field_name)
            raise StopUpload(connection_reset=False)
        super().new_file(*args, **kwargs)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        """Keep a chunk, or stop where the file has become too large."""
        self.received += len(raw_data)
        if self.received > LIMITS.get(str(self.field_name), 0):
            self.exceeded = str(self.field_name)
            raise StopUpload(connection_reset=False)
        return super().receive_data_chunk(raw_data, start)


def bounded_upload(view: View) -> View:
    """Read the files of a request through the bounded handler, the CSRF check after that and before the view."""
    protected = csrf_protect(view)

    @csrf_exempt
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        # The CSRF check reads the body, so the handler stands before it.
        request.upload_handlers = [BoundedUploadHandler(request)]
        return protected(request, *args, **kwargs)

    return guarded


def too_large_field(request: HttpRequest) -> str:
    """Return the field whose file was larger than what is taken, empty without one."""
    handlers = [handler for handler in request.upload_handlers if isinstance(handler, BoundedUploadHandler)]
    return next((handler.exceeded for handler in handlers if handler.exceeded), "")


def to_the_findings(request: HttpRequest, address: str) -> HttpResponse:
    """Send on to the findings; a script that showed the progress goes there itself, so that messages are read once."""
    if request.headers.get("X-Requested-With") == "XMLHttpRequest":
        return HttpResponse(status=204, headers={"X-Location": address})
    return redirect(address)
