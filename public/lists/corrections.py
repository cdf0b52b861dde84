"""The correction log, with the public key of list signatures."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.html.paging import Keyset
from core.web.etags import conditionally
from players.minors import minors_for
from ratings.lists import is_published, read_lists
from ratings.models import Correction
from ratings.movements import acts, changed_lines, ledger
from ratings.publish.signatures import public_key

KEYSET = Keyset(("-pk",))
PAGE = 50


@require_safe
def corrections(request: HttpRequest) -> HttpResponse:
    """Show the corrections, newest first. No correction is ever removed."""
    key, lists = public_key(), read_lists()
    newest = Correction.objects.order_by("-pk").values_list("pk", "at").first()
    minors = minors_for(request)
    taken = Correction.objects.filter(lines__taken_by__isnull=False).distinct().count()

    def page() -> HttpResponse:
        found = KEYSET.page(acts(ledger()).order_by("-pk"), request.GET, size=PAGE)
        published = [one for one in lists.newest_of_each() if is_published(one)]
        context = {"page": found, "lines": changed_lines(found.rows), "key": key, "published": published}
        return render(request, "public/lists/corrections.html", context)

    return conditionally(
        request,
        page,
        version=("corrections", newest, taken, lists.version, minors, key, request.GET.urlencode()),
        # A federation may hide years of birth after the newest correction.
        changed_at=newest[1] if newest and not minors else None,
    )
