"""Uploads of a bounded size, refused before they are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.core.exceptions import ValidationError
from django.core.files.uploadhandler import MemoryFileUploadHandler, StopUpload
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from core.web.heavy_work import heavy_work

View = Callable[..., HttpResponseBase]
MAX_FILES_KEPT = 10


def bounded(limits: Mapping[str, int]) -> Callable[[View], View]:
    """Read the files of a view's requests through the bounded handler, the CSRF check after that and before the view.

    What is sent is worked on as heavy work.
    `limits` are the most bytes of a file by field; of another field none is taken.
    """

    def decorate(view: View) -> View:
        @csrf_protect
        def protected(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.method != "POST":
                return view(request, *args, **kwargs)
            with heavy_work(request):
                return view(request, *args, **kwargs)

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
        # Django's handler leaves requests over `FILE_UPLOAD_MAX_MEMORY_SIZE` to the one that writes temporary files.
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
            # Not reset: a browser would show a broken connection in place of the page that names the file.
            raise StopUpload(connection_reset=False)
        return super().receive_data_chunk(raw_data, start)
