"""Mails on the publication of a list."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth import get_user_model
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from players.choices import NoticeKind, Role
from players.services import notices
from ratings.models import RatingList

# Lists of the past that are published while history is moved in are no news.
NEWS_FOR = timedelta(days=31)


def announce(rating_list: RatingList, *, at: datetime) -> int:
    """Note a mail on a published list to every officer and deputy, once a list, and return how many."""
    if at.date() - rating_list.date > NEWS_FOR:
        return 0
    roles = (Role.OFFICER, Role.DEPUTY)
    officers = get_user_model().objects.filter(appointments__role__in=roles).distinct()
    context = {"list": rating_list, "site": settings.SITE_URL}
    return notices.post(
        to=officers,
        kind=NoticeKind.PUBLICATION,
        key=f"publication:{rating_list.kind}:{rating_list.date.isoformat()}",
        subject=_("Published: the %(kind)s list of %(day)s")
        % {"kind": rating_list.get_kind_display(), "day": rating_list.date.isoformat()},
        text=render_to_string("mails/publication.txt", context).strip(),
        at=at,
    )
