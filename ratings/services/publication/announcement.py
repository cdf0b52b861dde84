"""What follows the publication of a list: files to pack, emails to followers and officers, webhooks."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth import get_user_model
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from players.choices import NoticeKind, Role, WebhookEvent
from players.services import notices, webhooks
from ratings.choices import Work
from ratings.models import Follow, RatingList
from ratings.services.due_runs import make_due, name_of
from tournaments.models import Tournament
from tournaments.services.tournament_webhooks import tell_of_tournaments
from tournaments.signals import Dispatch

# Lists of the past that are published while history is moved in are no news.
NEWS_FOR = timedelta(days=31)


def announce(rating_list: RatingList, *, at: datetime, dispatch: Dispatch | None) -> None:
    """Queue the packing of a list's files and the emails about it, and tell the webhooks; all after the commit."""
    make_due(Work.ARCHIVE, name_of(rating_list), at=at, dispatch=dispatch)
    if at.date() - rating_list.date <= NEWS_FOR:
        if Follow.objects.filter(confirmed_at__isnull=False).exists():
            make_due(Work.MAIL, name_of(rating_list), at=at, dispatch=dispatch)
        _mail_officers(rating_list, at=at)
    _send_to_webhooks(rating_list, at=at)


def _mail_officers(rating_list: RatingList, *, at: datetime) -> None:
    """Email every rating officer and deputy once a list."""
    roles = (Role.OFFICER, Role.DEPUTY)

    # Written once for each language of the receivers.
    def subject() -> str:
        month = date_format(rating_list.date, "YEAR_MONTH_FORMAT")
        names = {"kind": rating_list.get_kind_display(), "month": month}
        return _("Rating list published: %(kind)s, %(month)s") % names

    def text() -> str:
        context = {"list": rating_list, "page": settings.SITE_URL + reverse("ratings:lists")}
        return render_to_string("mails/publication.txt", context).strip()

    notices.post(
        to=get_user_model().objects.filter(appointments__role__in=roles).distinct(),
        kind=NoticeKind.PUBLICATION,
        # One notice a list, however often its publication is tried.
        key=f"publication:{rating_list.kind}:{rating_list.date.isoformat()}",
        subject=subject,
        text=text,
        at=at,
    )


def _send_to_webhooks(rating_list: RatingList, *, at: datetime) -> None:
    """Send a list, and the tournaments of each federation on it, to the webhooks."""
    held = webhooks.listening()
    if not held:
        return
    day = rating_list.date.isoformat()
    url = settings.SITE_URL + reverse("ratings:list", args=[rating_list.kind, rating_list.date])
    data = {"kind": rating_list.kind, "date": day, "players": rating_list.listed, "url": url}
    news = webhooks.WebhookNews(WebhookEvent.LIST, f"{WebhookEvent.LIST}:{rating_list.kind}:{day}", data)
    webhooks.tell([news], at=at, webhooks=held)
    federations = {one.federation_id for one in held}
    on_list = Tournament.objects.filter(federation__in=federations, reports__rating__included_in=rating_list)
    published = [(tournament, day) for tournament in on_list.order_by("event_id")]
    tell_of_tournaments(WebhookEvent.PUBLISHED, published, at=at, listening=held)
