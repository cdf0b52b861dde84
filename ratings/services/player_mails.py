"""The email before each list: what of a confirmed player's the next lists include so far."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from core.html.figures import signed_hundredths
from players.choices import ClaimState, NoticeKind
from players.models import Claim
from players.services import notices
from ratings.queries.catalogue import catalogue
from ratings.queries.provisional import SoFar, so_far_of
from tournaments.choices import Kind
from tournaments.list_calendar import closing_date

CHUNK = 500


def tell_players(*, at: datetime) -> int:
    """Queue the email of each confirmed player whom a list concerns, from its closing date on, and return how many.

    A player gets one for a list's date; called again it queues nothing new. Whoever has nothing on it gets none.
    """
    lists = catalogue()
    told = 0
    for claims in _chunks():
        people = {claim.player.merged_into_id or claim.player_id: claim.user for claim in claims}
        near: dict[int, list[SoFar]] = defaultdict(list)
        for found in so_far_of(list(people), lists):
            if closing_date(found.list_date) <= at.date() < found.list_date:
                near[found.row.player_id].append(found)
        told += sum(_tell(people[player_id], rows, at=at) for player_id, rows in near.items())
    return told


def _chunks() -> Iterator[Sequence[Claim]]:
    confirmed = Claim.objects.filter(state=ClaimState.CONFIRMED, user__is_active=True)
    rows = confirmed.select_related("player", "user").order_by("pk").iterator()
    while chunk := list(islice(rows, CHUNK)):
        yield chunk


def _tell(user: Any, rows: Sequence[SoFar], *, at: datetime) -> int:
    day = rows[0].list_date.isoformat()
    kinds = dict(Kind.choices)
    lines = [
        {
            "kind": kinds[row.kind],
            "tournaments": row.tournaments,
            "before": row.row.previous_rating,
            "after": row.row.new_rating,
            "change": signed_hundredths(row.change, exact=True),
        }
        for row in rows
    ]
    context = {"day": rows[0].list_date, "lines": lines, "page": settings.SITE_URL + reverse("chess:mine")}
    return notices.post(
        to=[user],
        kind=NoticeKind.NEXT_LIST,
        key=f"next-list:{day}",
        subject=_("Your results for the lists of %(day)s") % {"day": day},
        text=render_to_string("mails/next_list.txt", context).strip(),
        at=at,
    )
