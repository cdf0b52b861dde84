"""Atom feeds of published lists, a player's rating changes, and a federation's tournaments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.html.dates import day_text
from core.html.figures import colon, signed_points
from core.web.etags import conditionally
from public.federations.federation import federation_or_404
from public.players.addresses import player_or_404
from ratings.choices import ListKind
from ratings.federations import registered_tournaments
from ratings.lists import read_lists
from ratings.models import RatingList
from ratings.profile import HistoryRow, profiles_of, telling_rows
from tournaments.models import Tournament

MOST = 50
# Django would write the present instant: the bytes of an empty feed would change with each request.
NEVER = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One entry of a feed. `address` is its permanent ID."""

    title: str
    address: str
    at: datetime
    text: str = ""


class Feed(Atom1Feed):
    """An Atom feed whose bytes depend only on its entries, even if it has none."""

    def latest_post_date(self) -> datetime:
        return super().latest_post_date() if self.items else NEVER


@require_safe
def lists(request: HttpRequest, kind: str = "") -> HttpResponse:
    """Return the newest lists, of all rating types or of one."""
    found = read_lists()
    chosen = found.of_kind(kind) if kind else list(found.newest_first)
    # By publication: an older list that is imported now is news for a subscriber.
    newest = sorted(chosen, key=lambda item: item.published_at, reverse=True)[:MOST]
    title = _("Rating lists: %(kind)s") % {"kind": ListKind(kind).label} if kind else _("Rating lists")
    return conditionally(
        request,
        lambda: _make_feed(request, title, reverse("ratings:lists"), map(_list_entry, newest)),
        version=("lists feed", kind, found.version),
        changed_at=found.changed_at,
    )


@require_safe
def player(request: HttpRequest, fide_id: int) -> HttpResponse:
    """Return the results of a player on each list."""
    chosen = player_or_404(fide_id)
    if chosen.merged_into_id:
        return redirect("players:feed", chosen.merged_into_id, permanent=True)
    found = read_lists()

    def feed() -> HttpResponse:
        rows = telling_rows(profiles_of(fide_id, found))[:MOST]
        title = _("Ratings of %(name)s") % {"name": chosen.name or fide_id}
        address = reverse("players:player", args=[fide_id])
        return _make_feed(request, title, address, (_change_entry(fide_id, row) for row in rows))

    return conditionally(request, feed, version=("player feed", fide_id, chosen.name, found.version))


@require_safe
def federation(request: HttpRequest, code: str) -> HttpResponse:
    """Return a federation's newest registered tournaments."""
    chosen = federation_or_404(code)
    # Read before the version is known: a renamed tournament or a new stage is a new version.
    tournaments = registered_tournaments(code, most=MOST)
    title = _("Tournaments of %(name)s") % {"name": chosen.name}
    version = ("federation feed", code, chosen.name, [(one.pk, one.name, one.stage) for one in tournaments])
    address = reverse("ratings:federation", args=[code])
    return conditionally(
        request, lambda: _make_feed(request, title, address, map(_event_entry, tournaments)), version=version
    )


def _list_entry(item: RatingList) -> FeedEntry:
    players = ngettext("%(number)s player", "%(number)s players", item.listed) % {"number": item.listed}
    address = reverse("ratings:list", args=[item.kind, item.date])
    return FeedEntry(item.full_name, address, item.published_at, players)


def _change_entry(fide_id: int, row: HistoryRow) -> FeedEntry:
    item = row.rating_list
    rating = str(row.rating) if row.rating is not None else _("unrated")
    change = f" ({signed_points(row.change)})" if row.change else ""
    title = f"{item.full_name}{colon()} {rating}{change}"
    address = reverse("players:calculation", args=[fide_id, item.kind, item.date])
    games = ngettext("%(number)s game", "%(number)s games", row.games) % {"number": row.games}
    return FeedEntry(title, address, item.published_at, games)


def _event_entry(event: Tournament) -> FeedEntry:
    address = reverse("tournaments:tournament", args=[event.event_id])
    parts = [f"{event.get_kind_display()} {event.time_control}", event.city, day_text(event.start)]
    text = ", ".join(filter(None, parts))
    return FeedEntry(event.name, address, datetime.combine(event.registered_on, time(), UTC), text)


def _make_feed(request: HttpRequest, title: str, address: str, entries: Iterable[FeedEntry]) -> HttpResponse:
    # Absolute addresses by SITE_URL: programs keep a feed and its entries by them, whatever host they ask.
    made = Feed(
        title,
        f"{settings.SITE_URL}{address}",
        None,
        language=get_language(),
        feed_url=f"{settings.SITE_URL}{request.path}",
        feed_guid=f"{settings.SITE_URL}{request.path}",
        author_name=_("Rating Portal"),
    )
    for entry in entries:
        link = f"{settings.SITE_URL}{entry.address}"
        made.add_item(entry.title, link, entry.text, unique_id=link, updateddate=entry.at, pubdate=entry.at)
    response = HttpResponse(content_type=made.content_type)
    made.write(response, "utf-8")
    return response
