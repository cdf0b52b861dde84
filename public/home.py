"""The home page."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.html.dates import day_text
from core.web.etags import conditionally
from ratings.choices import ListKind
from ratings.entries import top_of
from ratings.events import load_tournaments_to_publish, newest_published
from ratings.judgements import stopped_lists
from ratings.lists import is_published, new_lists, read_undivided
from ratings.models import RatingList
from ratings.movements import MovedPlayer, biggest_changes_of
from ratings.next_list import next_lists
from tournaments.choices import Kind
from tournaments.list_dates import closing_date
from tournaments.lists import Lists
from tournaments.states import public_states

TOP = 8
TOURNAMENTS = 8
CHANGES = 5


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the newest lists, their top players, the next list, and the tournaments being rated or recently rated."""
    today = timezone.now().date()

    def read(every: Lists[RatingList]) -> tuple[Any, ...]:
        events = load_tournaments_to_publish(every, today, shown=TOURNAMENTS)
        return every, events, public_states(events, every, today=today), next_lists(every)

    lists, events, states, coming = read_undivided(read)
    stopped = [(str(ListKind(kind).label), day) for kind, day in stopped_lists().values_list("kind", "date")]

    def page() -> HttpResponse:
        coming_list = max(lists.coming(kind, today) for kind in Kind)
        context = {
            "stopped": stopped,
            "newest": lists.newest_of_each(),
            "tops": [top for kind in Kind if (top := _top(lists, kind))],
            "changes": _biggest_changes(lists),
            "fresh": next(iter(new_lists(lists, today)), None),
            "tournaments": newest_published(lists.newest_of_each(), shown=TOURNAMENTS),
            "being_rated": [(event, states[event.pk], _list_of(event, lists, today)) for event in events],
            "today": today,
            "coming": coming_list,
            "steps": _steps(coming_list, today),
            "prepared": lists.due(Kind, today),
            "taken": sum(len(row.taken) for row in coming),
        }
        return render(request, "public/home.html", context)

    versions = [(event.pk, event.name, states[event.pk], event.players) for event in events]
    taken = [(row.kind, row.fingerprint) for row in coming]
    return conditionally(request, page, version=("home", lists.version, today, versions, taken, stopped))


def _biggest_changes(lists: Lists[RatingList]) -> list[tuple[RatingList, MovedPlayer]]:
    """Return the largest changes of the newest lists together, each with its list."""
    newest = [item for kind in Kind if (item := lists.newest(kind)) and is_published(item)]
    return biggest_changes_of(newest, shown=CHANGES)


def _top(lists: Lists[RatingList], kind: str) -> dict[str, object] | None:
    rating_list = lists.newest(kind)
    if rating_list is None:
        return None
    rows = top_of(rating_list, lists.previous(rating_list), shown=TOP)
    return {"list": rating_list, "rows": rows}


def _list_of(event: Any, lists: Lists[RatingList], today: date) -> date:
    """Return the list for a tournament: by the day of acceptance, or the first that can still take it."""
    if event.accepted_on is None:
        return lists.open_to(event, today=today)[0]
    return lists.expected(event, accepted_on=event.accepted_on, today=today)


def _steps(list_date: date, today: date) -> list[dict[str, object]]:
    """Return the steps to the next list, each with the end or the start (UTC) of its date."""
    end = _("end of %(day)s UTC")
    days = [
        (_("Tournaments must have ended"), closing_date(list_date), end),
        (_("Reports must be accepted"), list_date - timedelta(days=1), end),
        (_("List date"), list_date, "%(day)s, 00:00 UTC"),
    ]
    ahead = [day >= today for _what, day, _moment in days]
    return [
        {
            "what": what,
            "who": moment % {"day": day_text(day)},
            "state": "done" if not is_ahead else "now" if number == ahead.index(True) else "next",
        }
        for number, ((what, day, moment), is_ahead) in enumerate(zip(days, ahead, strict=True))
    ]
