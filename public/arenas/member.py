"""A member of an arena with rating charts."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arenas.games import describe_game, games_of
from arenas.members import load_comparisons, load_rating_course, other_changes
from arenas.models import Arena, Member
from arenas.standings import ratings_of
from arenas.systems import first_clauses_of
from core.html.charts import course
from core.html.dates import instant_element
from core.html.paging import Keyset
from core.html.tables import Table
from core.web.etags import public_page
from public.arenas.addresses import (
    arena_or_404,
    category_kind,
    category_label,
    category_tabs,
    chosen_category,
    member_or_404,
)
from public.arenas.results import TARGETS, outcome_of
from ratings.choices import ListKind

SIZE = 25
NEWEST_FIRST = Keyset(("-played_at", "-id"))


@require_safe
@public_page
def member(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    chosen = arena_or_404(slug)
    person = member_or_404(chosen, number)
    category = chosen_category(request, chosen)
    # A game of no category is rated in none, so it belongs to each.
    games_shown = games_of(chosen, member=person).filter(category__in=(category, ""))
    page = NEWEST_FIRST.page(games_shown, request.GET, size=SIZE)
    games = [describe_game(chosen.rules, game) for game in page.rows]
    ratings = ratings_of(chosen, person)
    is_new = any(row.shown is None or row.provisional for row in ratings)
    context = {
        "arena": chosen,
        "first_games": first_clauses_of(chosen.system, chosen.parameters) if is_new else [],
        "member": person,
        "category": category,
        "category_label": category_label(category),
        "tabs": category_tabs(request, chosen, category),
        "ratings": [(category_label(row.category), category_kind(row.category), row) for row in ratings],
        "initial_games": chosen.rules.initial_games,
        "compared": [
            (category_label(row.category), ListKind(row.kind).label, row)
            for row in load_comparisons(chosen, person)
        ],
        "chart": _chart(chosen, person, category),
        "changes": other_changes(chosen, person, category),
        "page": page,
        "games": [_game(game, person) for game in games],
    }
    return render(request, "public/arenas/member.html", context)


def _game(game: Any, person: Member) -> dict[str, Any]:
    own = game.side_of(person)
    other = game.black if own is game.white else game.white
    # Of a game that is rated for the other side alone its only step says why; what a cancelled one did is undone.
    is_unchanged = own.before == own.after and len(own.steps) == 1 and not game.game.cancelled_at
    return {
        "shown": game,
        "game": game.game,
        "own": own,
        "opponent": other.member,
        "why_unchanged": own.steps[0].text if is_unchanged else "",
        "is_counted": not game.reason
        and not game.game.cancelled_at
        and (not is_unchanged or own.steps[0].key in TARGETS),
        **outcome_of(game, own),
    }


def _chart(arena: Arena, person: Member, category: str) -> dict[str, Any] | None:
    changes = [course.ChartChange(at, rating) for at, rating in load_rating_course(person, category)]
    if not any(change.rating is not None for change in changes):
        return None
    title = _("%(category)s: rating history of %(handle)s") % {
        "category": category_label(category),
        "handle": person.handle,
    }
    svg = course.course_svg(
        changes,
        label=category_label(category),
        title=title,
        description=_("One step for each change, the latest at the end. The table below has the values."),
        until=timezone.now(),
        kind=category_kind(category),
    )
    rows = [
        [instant_element(change.at), "–" if change.rating is None else str(change.rating)]
        for change in reversed(changes)
    ]
    return {"svg": svg, "table": Table([_("When"), _("Rating")], rows), "caption": title}
