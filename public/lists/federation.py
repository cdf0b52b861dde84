"""A federation on a list: what the list brought it, on one page to quote, with its image."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.html.dates import list_month
from core.web.etags import conditionally
from players.models import Federation
from public.federations.federation import federation_or_404
from public.lists.addresses import list_or_404
from ratings.choices import ListKind
from ratings.highlights import JUNIOR_AGE, Highlights, highlights_of, sentences_of
from ratings.lists import is_published, read_lists
from ratings.models import RatingList
from ratings.movements import taken_in
from tournaments.lists import Lists


@dataclass(frozen=True, slots=True)
class _FederationOnList:
    """A federation on a list, with its highlights and the first list of the rating type."""

    federation: Federation
    rating_list: RatingList
    found: Highlights
    first: RatingList

    @property
    def title(self) -> str:
        named = {
            "federation": self.federation.shown_name,
            "kind": self.rating_list.get_kind_display(),
            "month": list_month(self.rating_list.date),
        }
        return _("%(federation)s on the %(kind)s list, %(month)s") % named

    @property
    def address(self) -> str:
        return reverse(
            "ratings:highlights", args=[self.rating_list.kind, self.rating_list.date, self.federation.code]
        )

    @property
    def sentences(self) -> list[str]:
        """The most telling facts, each as a sentence to quote."""
        return [*sentences_of(self.found)]

    @property
    def share_text(self) -> str:
        return " ".join([f"{self.title}.", *self.sentences, settings.SITE_URL + self.address])


@require_safe
def highlights(request: HttpRequest, kind: str, day: date, code: str) -> HttpResponse:
    """Show a federation's gains, new ratings, new highest ratings, best women and juniors on a list."""
    lists = read_lists()
    chosen, federation = list_or_404(lists, kind, day), federation_or_404(code)

    def page() -> HttpResponse:
        shown = _highlights_on(federation, chosen, lists)
        context = {
            "page": shown,
            "list": chosen,
            "federation": federation,
            "found": shown.found,
            "before": lists.previous(chosen),
            "following": lists.after(chosen),
            "others": [item for kind in ListKind if (item := lists.on(kind, chosen.date))],
            "taken": taken_in(chosen, federation=code) if is_published(chosen) else None,
            "explains": is_published(chosen),
            "junior_age": JUNIOR_AGE,
        }
        return render(request, "public/lists/highlights.html", context)

    # Of all lists: the page links to the next list as soon as there is one.
    version = ("highlights", chosen.pk, code, federation.name, lists.version)
    return conditionally(request, page, version=version, changed_at=lists.changed_at)


def _highlights_on(federation: Federation, chosen: RatingList, lists: Lists[RatingList]) -> _FederationOnList:
    of_kind = lists.of_kind(chosen.kind)
    earlier = [item for item in of_kind if item.date < chosen.date]
    found = highlights_of(chosen, federation.code, earlier)
    return _FederationOnList(federation, chosen, found, of_kind[-1])
