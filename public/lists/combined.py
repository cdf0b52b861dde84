"""Files for pairing programs, by FIDE's names."""

from __future__ import annotations

import re
from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBadRequest, HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.text_values import read_number
from core.web.downloads import streamed_file
from core.web.etags import conditionally
from core.web.rates import limited
from players.fide_list.values import MAX_FIDE_ID
from players.minors import minors_for
from ratings.lists import read_lists
from ratings.program_files import ARCHIVES, COMBINED, SINGLE, program_file

MOST_IDS = 1_000


@require_safe
@limited("download", method="GET")
def combined(request: HttpRequest, name: str) -> HttpResponseBase:
    """Send a file by FIDE's name for it. Return 400 for invalid IDs and codes."""
    wanted = ARCHIVES.get(name, name)
    if wanted not in COMBINED and wanted not in SINGLE:
        raise Http404(_("File not found."))
    code, text = request.GET.get("federation", ""), request.GET.get("ids", "")
    numbers = [read_number(one, most=MAX_FIDE_ID) for one in text.split(",")] if text else []
    usable = [number for number in numbers if number is not None]
    ids = usable if len(usable) == len(numbers) <= MOST_IDS else None
    if ids is None or not re.fullmatch("([A-Z]{3})?", code):
        message = _("Enter at most 1,000 FIDE IDs separated by commas, or a federation code such as SUI.")
        return HttpResponseBadRequest(message, content_type="text/plain; charset=utf-8")
    if wanted in SINGLE and read_lists().newest(SINGLE[wanted][0]) is None:
        raise Http404(_("There is no list of this rating type."))
    minors = minors_for(request)
    # With the date, a cached file lacks new registrations for one day at most.
    version = (name, code, text, read_lists().version, timezone.now().date(), minors)

    def content() -> Any:
        parts = program_file(name, federation=code, ids=ids or None, minors=minors)
        return streamed_file(parts, name=name)

    return conditionally(request, content, version=version)
