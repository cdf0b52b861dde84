"""Answers that a browser saves as a file."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.http import content_disposition_header


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
