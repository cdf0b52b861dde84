"""Uploads of a bounded size: what is larger is never kept, neither in memory nor on disk."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.files.uploadhandler import MemoryFileUploadHandler, StopUpload
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from tournaments.trf.limits import MAX_BYTES

# The largest report or PGN that is taken, in bytes; real ones have a hundredth of it.
MOST_BYTES = MAX_BYTES
View = Callable[..., HttpResponseBase]


class BoundedUploadHandler(MemoryFileUploadHandler):
    """Keeps files in memory up to the limit; one that is larger ends the upload and sets `is_exceeded`."""

    is_exceeded = False

    def handle_raw_input(self, *args: Any, **kwargs: Any) -> None:
        """Take charge of every file, whatever the size of the whole request."""
        self.activated = True

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Begin to count the bytes of a file."""
        self.received = 0
        super().new_file(*args, **kwargs)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        """Keep a chunk, or stop where the file has become too large."""
        self.received += len(raw_data)
        if self.received > MOST_BYTES:
            self.is_exceeded = True
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


def is_too_large(request: HttpRequest) -> bool:
    """Whether a file of the request was larger than what is taken."""
    return any(
        handler.is_exceeded
        for handler in request.upload_handlers
        if isinstance(handler, BoundedUploadHandler)
    )
