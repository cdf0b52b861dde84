"""`/lists/combined/<name>`: files that pairing programs import, under the names that FIDE gives them.

They are made when asked for: registered players without a rating are in the combined ones, and nobody waits for the
next list. `federation=SUI` or `ids=1001,1002` leaves a few of them, as for the entries of a tournament.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBadRequest, HttpResponseBase, StreamingHttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.web.conditional import conditionally
from players.fide_list import KINDS, write_combined_txt, write_combined_xml
from players.queries.federations import minors_for
from players.queries.names import LARGEST_ID
from ratings.queries.catalogue import catalogue
from ratings.queries.combined import combined_records
from ratings.services.export import exported
from ratings.services.packing import deflated, zip_parts

MAX_IDS = 1_000
COMBINED: dict[str, Callable[..., Iterator[bytes]]] = {
    "players_list_foa.txt": write_combined_txt,
    "players_list.txt": partial(write_combined_txt, is_legacy=True),
    "players_list_xml_foa.xml": write_combined_xml,
    "players_list_xml.xml": partial(write_combined_xml, is_legacy=True),
}
SINGLE = {
    **{f"{kind}_rating_list.txt": (kind, "txt") for kind in KINDS},
    **{f"{kind}_rating_list_xml.xml": (kind, "xml") for kind in KINDS},
}
# FIDE's archives: each has one file.
ARCHIVES = {
    "players_list.zip": "players_list_foa.txt",
    "players_list_legacy.zip": "players_list.txt",
    "players_list_xml.zip": "players_list_xml_foa.xml",
    "players_list_xml_legacy.zip": "players_list_xml.xml",
    **{f"{kind}_rating_list.zip": f"{kind}_rating_list.txt" for kind in KINDS},
    **{f"{kind}_rating_list_xml.zip": f"{kind}_rating_list_xml.xml" for kind in KINDS},
}
MEDIA_TYPES = {"txt": "text/plain; charset=us-ascii", "xml": "application/xml", "zip": "application/zip"}


@require_safe
def file(request: HttpRequest, name: str) -> HttpResponseBase:
    """Send a file by FIDE's name for it; 400 for IDs and codes that cannot be used."""
    wanted = ARCHIVES.get(name, name)
    if wanted not in COMBINED and wanted not in SINGLE:
        raise Http404(_("This file does not exist."))
    code, text = request.GET.get("federation", ""), request.GET.get("ids", "")
    ids = _read_ids(text)
    if ids is None or not re.fullmatch("([A-Z]{3})?", code):
        message = _("Enter up to 1,000 FIDE IDs separated by commas, or a federation code such as SUI.")
        return HttpResponseBadRequest(message, content_type="text/plain; charset=utf-8")
    if wanted in SINGLE and catalogue().newest(SINGLE[wanted][0]) is None:
        raise Http404(_("There is no list of this rating type."))
    content = partial(_parts, request, wanted, code, ids)

    def response() -> Any:
        parts = content() if wanted == name else _zipped(content(), wanted)
        kind = MEDIA_TYPES[name.rpartition(".")[2]]
        disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
        return StreamingHttpResponse(parts, content_type=kind, headers=disposition)

    # Registrations since are in it from the next day on, for somebody who has it already.
    version = (name, code, text, catalogue().version, timezone.now().date())
    return conditionally(request, response, version=version)


def _read_ids(text: str) -> Sequence[int] | None:
    """Return the FIDE IDs of a query, None where they cannot be used."""
    numbers = text.split(",") if text else []
    usable = [int(one) for one in numbers if re.fullmatch("[0-9]{1,10}", one) and int(one) <= LARGEST_ID]
    return usable if len(usable) == len(numbers) <= MAX_IDS else None


def _parts(request: HttpRequest, name: str, code: str, ids: Sequence[int]) -> Iterator[bytes]:
    if name in SINGLE:
        kind, ending = SINGLE[name]
        newest: Any = catalogue().newest(kind)
        return iter(exported(newest, ending))
    lists = catalogue().newest_of_each()
    return COMBINED[name](combined_records(lists, federation=code, ids=ids, minors=minors_for(request)))


def _zipped(parts: Iterator[bytes], name: str) -> Iterator[bytes]:
    with deflated(parts) as packed:
        yield from zip_parts(packed, name=name)
