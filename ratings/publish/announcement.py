"""What follows the publication of a list: files to pack, emails to followers and officers, webhooks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from core.html.dates import day_text, list_month
from core.pages import Page
from players import notices, webhooks
from players.choices import NoticeKind, Role, WebhookEvent
from players.models import Appointment
from ratings.choices import PUBLISHED_KINDS, Origin, Work
from ratings.due_runs import make_due, name_of
from ratings.highlights import highlights_of, sentences_of
from ratings.lists import read_lists
from ratings.models import Follow, RatingList
from tournaments.list_dates import closing_date, lists_after
from tournaments.lists import Lists
from tournaments.models import Tournament
from tournaments.signals import Dispatch
from tournaments.webhooks import tell_of_tournaments

# Lists of the past that are published while history is moved in are no news.
NEWS_FOR = timedelta(days=31)


def announce(rating_list: RatingList, *, at: datetime, dispatch: Dispatch | None) -> None:
    """Queue the packing of a list's files and the emails about it, and tell the webhooks; all after the commit."""
    make_due(Work.ARCHIVE, name_of(rating_list), at=at, dispatch=dispatch)
    # A second list may wait long for an explanation (D-134): it is news where the first one was.
    first = RatingList.objects.filter(date=rating_list.date, origin=Origin.PUBLISHED).earliest("published_at")
    is_news = first.published_at.date() - rating_list.date <= NEWS_FOR
    if is_news and (Follow.objects.filter(confirmed_at__isnull=False).exists() or _officers().exists()):
        make_due(Work.MAIL, name_of(rating_list), at=at, dispatch=dispatch)
    _send_to_webhooks(rating_list, at=at)


def _officers() -> QuerySet[Appointment]:
    return Appointment.objects.filter(role__in=(Role.OFFICER, Role.DEPUTY))


def mail_officers(rating_list: RatingList, *, at: datetime) -> None:
    """Email the rating officers and deputies of each federation once a month, when all its lists are there."""
    every, day = read_lists(), rating_list.date
    published = [every.on(kind, day) for kind in PUBLISHED_KINDS if every.before(kind, day)]
    lists = [item for item in published if item is not None]
    if len(lists) < len(published):
        return
    officers: dict[str, list[Any]] = defaultdict(list)
    for role in _officers().select_related("user"):
        officers[role.federation_id or ""].append(role.user)
    for code, users in sorted(officers.items()):
        notices.post(
            to=users,
            kind=NoticeKind.PUBLICATION,
            # One notice a month, however often its publication is tried.
            key=f"publication:{code}:{day.isoformat()}",
            subject=lambda: _("Rating lists published: %(month)s") % {"month": list_month(day)},
            text=partial(_text_for, code, lists, every),
            at=at,
        )


def _text_for(code: str, lists: Sequence[RatingList], every: Lists[RatingList]) -> str:
    """Return what a month brought a federation, with the pages to quote and the next deadline."""
    news = []
    for item in lists:
        earlier = [one for one in every.of_kind(item.kind) if one.date < item.date]
        page = Page("ratings:highlights", item.kind, item.date, code).link
        news.append((item, [*sentences_of(highlights_of(item, code, earlier))], page))
    following = next(lists_after(lists[0].date))
    context = {
        "day": lists[0].date,
        "news": news,
        "next": following,
        "closes": day_text(closing_date(following)),
    }
    return render_to_string("mails/publication.txt", context).strip()


def _send_to_webhooks(rating_list: RatingList, *, at: datetime) -> None:
    """Send a list, and the tournaments of each federation on it, to the webhooks."""
    held = webhooks.listening()
    if not held:
        return
    day = rating_list.date.isoformat()
    url = Page("ratings:list", rating_list.kind, rating_list.date).link
    data = {"kind": rating_list.kind, "date": day, "players": rating_list.listed, "url": url}
    news = webhooks.WebhookNews(WebhookEvent.LIST, f"{WebhookEvent.LIST}:{rating_list.kind}:{day}", data)
    webhooks.tell([news], at=at, webhooks=held)
    federations = {one.federation_id for one in held}
    on_list = Tournament.objects.filter(federation__in=federations, reports__rating__included_in=rating_list)
    published = [(tournament, day) for tournament in on_list.order_by("event_id")]
    tell_of_tournaments(WebhookEvent.PUBLISHED, published, at=at, listening=held)
