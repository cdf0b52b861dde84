"""How large the files of tournaments may be, by field, and where an upload leads."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from core.web.uploads import bounded, too_large_field
from desk.tournaments.bulk_form import MOST_BYTES as MOST_SHEET_BYTES
from tournaments.files import MOST_BYTES
from tournaments.services.appeals import MOST_FILE_BYTES

__all__ = ["LIMITS", "bounded_upload", "to_the_findings", "too_large_field"]

# The largest file that is taken, by field: those of a report, what is lodged with an appeal, registrations.
LIMITS = MOST_BYTES | {"evidence": MOST_FILE_BYTES, "rows_file": MOST_SHEET_BYTES}
bounded_upload = bounded(LIMITS)


def to_the_findings(request: HttpRequest, address: str) -> HttpResponse:
    """Send on to the findings; a script that showed the progress goes there itself, so that messages are read once."""
    if request.headers.get("X-Requested-With") == "XMLHttpRequest":
        return HttpResponse(status=204, headers={"X-Location": address})
    return redirect(address)
