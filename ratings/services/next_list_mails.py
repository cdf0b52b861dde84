"""What players hear of the next lists before each: their provisional figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from core.bulk import batched
from core.html.dates import list_month
from core.html.figures import signed_hundredths
from core.pages import Page
from players.choices import CaseState, NoticeKind
from players.models import Claim
from players.services import notices
from ratings.queries.lists import read_lists
from ratings.queries.provisional import SoFar, so_far_of
from tournaments.choices import Kind
from tournaments.list_dates import closing_date

CHUNK = 500


def tell_players(*, at: datetime) -> int:
    """Queue the email of each confirmed player on a list, from its closing date on, and return how many.

    A player gets one per list date; a second call queues nothing new. Players without news get none.
    """
    lists = read_lists()
    sent = 0
    confirmed = Claim.objects.filter(state=CaseState.APPROVED, asked_by__is_active=True).order_by("pk")
    for claims in batched(confirmed.select_related("player", "asked_by").iterator(), CHUNK):
        people = {claim.player.merged_into_id or claim.player_id: claim.asked_by for claim in claims}
        near: dict[int, list[SoFar]] = defaultdict(list)
        for found in so_far_of(list(people), lists):
            if closing_date(found.list_date) <= at.date() < found.list_date:
                near[found.row.player_id].append(found)
        sent += sum(_tell(people[player_id], rows, at=at) for player_id, rows in near.items())
    return sent


def _tell(user: Any, rows: Sequence[SoFar], *, at: datetime) -> int:
    day = rows[0].list_date
    return notices.post(
        to=[user],
        kind=NoticeKind.NEXT_LIST,
        key=f"next-list:{day.isoformat()}",
        subject=lambda: _("Your results for the lists of %(month)s") % {"month": list_month(day)},
        text=lambda: _text(rows),
        at=at,
    )


def _text(rows: Sequence[SoFar]) -> str:
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
    context = {"day": rows[0].list_date, "lines": lines, "page": Page("chess:mine").link}
    return render_to_string("mails/next_list.txt", context).strip()
