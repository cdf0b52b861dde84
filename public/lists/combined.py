"""`/lists/combined/<name>`: files that pairing programs import, under the names that FIDE gives them.

They are made when asked for: registered players without a rating are in the combined ones, and nobody waits for the
next list. `federation=SUI` or `ids=1001,1002` leaves a few of them, as for the entries of a tournament.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBadRequest, HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.web.conditional import conditionally
from core.web.files import streamed_file
from core.web.rates import limited
from players.queries.federations import minors_for
from players.queries.names import LARGEST_ID
from ratings.queries.catalogue import catalogue
from ratings.services.program_files import ARCHIVES, COMBINED, SINGLE, program_file

MAX_IDS = 1_000


@require_safe
@limited("download", method="GET")
def file(request: HttpRequest, name: str) -> HttpResponseBase:
    """Send a file by FIDE's name for it; 400 for IDs and codes that cannot be used."""
    wanted = ARCHIVES.get(name, name)
    if wanted not in COMBINED and wanted not in SINGLE:
        raise Http404(_("There is no such file."))
    code, text = request.GET.get("federation", ""), request.GET.get("ids", "")
    ids = _read_ids(text)
    if ids is None or not re.fullmatch("([A-Z]{3})?", code):
        message = _("Enter at most 1,000 FIDE IDs separated by commas, or a federation code such as SUI.")
        return HttpResponseBadRequest(message, content_type="text/plain; charset=utf-8")
    if wanted in SINGLE and catalogue().newest(SINGLE[wanted][0]) is None:
        raise Http404(_("No list of this kind is held."))
    minors = minors_for(request)
    # Registrations since are in it from the next day on, for somebody who has it already.
    version = (name, code, text, catalogue().version, timezone.now().date(), minors)

    def content() -> Any:
        parts = program_file(name, federation=code, ids=ids or None, minors=minors)
        return streamed_file(parts, name=name)

    return conditionally(request, content, version=version)


def _read_ids(text: str) -> Sequence[int] | None:
    """Return the FIDE IDs of a query, None where they cannot be used."""
    numbers = text.split(",") if text else []
    usable = [int(one) for one in numbers if re.fullmatch("[0-9]{1,10}", one) and int(one) <= LARGEST_ID]
    return usable if len(usable) == len(numbers) <= MAX_IDS else None
