"""The calculation of one player on one list: why the rating changed, game by game."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial
from heapq import nlargest
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from core.html.charts.running import running_total_svg, running_total_table
from core.html.dates import list_month, short_day
from core.html.figures import decimal_hundredths, decimal_tenths, signed_points
from core.web.etags import conditionally, public_page
from players.models import Player
from public.calculators.question import LONGEST, SCORE_LABELS, SCORES, why_unclear
from public.lists.addresses import list_or_404
from public.players.addresses import player_or_404
from public.players.player import is_own_record
from ratings.calculations import LastGame, explain, is_known_to, last_game
from ratings.calculations.values import Explained
from ratings.calculators import understand
from ratings.events import corrections_of_player
from ratings.lists import read_lists
from ratings.models import CorrectionLine, RatingList
from ratings.next_list import SoFar, explained_so_far, next_date, so_far_of, with_one_more_game
from ratings.played import PlayedEvent, PlayedGame
from ratings.systems.calculators import Met
from ratings.systems.registry import rules_named
from tournaments.lists import Lists
from tournaments.officers import officer_of, officer_of_tournament, officers_version

MIN_GAMES_IN_CHART = 3
# The half of the width of a bar of points, of which the largest on the page takes all, and where zero is.
BAR_WIDTH, ZERO = 58, 60
# So many tournaments are added one by one in the line of the answer; more are one figure.
MAX_ADDED = 3


@require_safe
def calculation(request: HttpRequest, fide_id: int, kind: str, day: date) -> HttpResponse:
    """Show a player's calculation on a list. A merged FIDE ID that the list does not have redirects."""
    player, lists = player_or_404(fide_id), read_lists()
    own = lists.on(kind, day)
    # A list that has the merged ID keeps its page: published calculations stay where they were linked.
    if player.merged_into_id and not (own and is_known_to(own, player.pk)):
        return redirect("players:calculation", player.merged_into_id, kind, day, permanent=True)
    chosen = list_or_404(lists, kind, day)
    following = lists.after(chosen)
    coming = None if following else _coming(player, kind, lists)
    later = corrections_of_player(player, chosen)
    version = (
        "calculation",
        [(line.pk, line.taken_by_id) for line in later],
        chosen.pk,
        lists.version,
        coming.figures if coming else None,
        player.pk,
        player.name,
        player.merged_into_id,
        officers_version(),
        "articles" in request.GET,
    )
    # The newest list's page names the provisional rating, which changes between publications; so do corrections.
    changed_at = lists.changed_at if following and not later else None
    return conditionally(
        request,
        lambda: _page(request, player, chosen, lists, coming, later),
        version=version,
        changed_at=changed_at,
    )


@require_safe
@public_page
def so_far(request: HttpRequest, fide_id: int, kind: str) -> HttpResponse:
    """Show a player's calculation on the next list so far. A merged FIDE ID redirects."""
    player, lists = player_or_404(fide_id), read_lists()
    if player.merged_into_id:
        return redirect("players:so-far", player.merged_into_id, kind)
    list_date = next_date(lists, kind)
    if list_date is None:
        raise Http404(_("This list does not exist."))
    found = _coming(player, kind, lists)
    it = explained_so_far(player, kind, list_date, found, lists)
    context = _context(request, player, it) | {
        "coming": found,
        "rules": it.rating_list.text,
        "what_if": _what_if(request.GET, it, lists),
    }
    return render(request, "public/players/calculation.html", context)


def _what_if(query: QueryDict, it: Explained, lists: Lists[RatingList]) -> dict[str, Any] | None:
    """Return the strip that adds a game to the next list, with its effect if one is asked for."""
    if it.rating_before is None or it.entry_before is None:
        return None
    # PostgreSQL refuses the character in a query.
    text = query.get("opponent", "").strip()[:LONGEST].replace("\x00", "")
    score = query.get("score", "1")
    strip: dict[str, Any] = {"opponent": text, "score": score, "scores": SCORE_LABELS}
    strip |= {"error": "", "found": None}
    if not text:
        return strip
    (typed,) = understand([text], kind=it.rating_list.kind, lists=lists)
    if score not in SCORES or not typed.is_understood:
        return strip | {"error": why_unclear(typed) if not typed.is_understood else _("Select 1, ½ or 0.")}
    found = with_one_more_game(it, it.entry_before.k_factor or 20, Met(typed.counted, SCORES[score]))
    if found is None:
        return strip | {"error": _("A game against an unrated opponent does not change the rating.")}
    return strip | {"found": found, "typed": typed}


def _coming(player: Player, kind: str, lists: Lists[RatingList]) -> SoFar | None:
    return next((item for item in so_far_of([player.pk], lists) if item.kind == kind), None)


def _explained_or_404(player: Player, chosen: RatingList, lists: Lists[RatingList]) -> Explained:
    """Return the explained calculation, or raise Http404 if the list knows nothing of the player."""
    found = explain(player, chosen, lists)
    if not found.is_anything_known:
        message = _("%(name)s has no rating, no games and no progress to an initial rating on this list.")
        raise Http404(message % {"name": player.name})
    return found


def _page(
    request: HttpRequest,
    player: Player,
    chosen: RatingList,
    lists: Lists[RatingList],
    coming: SoFar | None,
    later: Sequence[CorrectionLine],
) -> HttpResponse:
    context = _context(request, player, _explained_or_404(player, chosen, lists)) | {
        "rules": rules_named(chosen.rules) if chosen.rules else None,
        "following": lists.after(chosen),
        "coming": coming,
        "later": later,
    }
    return render(request, "public/players/calculation.html", context)


def _context(request: HttpRequest, player: Player, it: Explained) -> dict[str, Any]:
    """Return what the pages of a published list and of the next one have in common."""
    telling, decimals = _telling_game(it), _decimals(it)
    return {
        "player": player,
        "list": it.rating_list,
        "it": it,
        "surname": _surname(player.name) or str(player.pk),
        "telling": telling,
        "telling_name": _opponent_name(telling, it),
        "decimals": decimals,
        "added_events": _added_events(it),
        "bar": partial(_bar, max((abs(game.points or 0) for game in it.counting), default=0)),
        "is_own": is_own_record(request, player),
        "last": _last_game(player, it),
        "total": _running_total(it, decimals),
        "officer": officer_of_tournament(it.events[0].tournament)
        if it.events
        else officer_of(player.federation),
        "shows_articles": "articles" in request.GET,
        "share_text": _share_text(player, it),
        "following": None,
        "later": (),
        "what_if": None,
    }


def _share_text(player: Player, it: Explained) -> str:
    """Return a line for a message: name, rating with its change, list, and the address of the calculation."""
    named = {
        "name": player.name or str(player.pk),
        "kind": it.rating_list.get_kind_display(),
        "rating": it.rating_now or _("unrated"),
        "month": list_month(it.rating_list.date),
        "change": f" ({signed_points(it.listed_change)})" if it.listed_change else "",
    }
    if it.is_provisional:
        text = _("%(name)s, %(kind)s: %(rating)s%(change)s on the next list so far, %(month)s, provisional.")
        address = reverse("players:so-far", args=[player.pk, it.rating_list.kind])
    else:
        text = _("%(name)s, %(kind)s: %(rating)s%(change)s on the list of %(month)s.")
        address = reverse("players:calculation", args=[player.pk, it.rating_list.kind, it.rating_list.date])
    return f"{text % named} {settings.SITE_URL}{address}"


def _surname(name: str) -> str:
    return name.partition(",")[0].strip()


def _opponent_name(telling: PlayedGame | None, it: Explained) -> str:
    """Return the surname of the opponent, the whole name where another opponent has the surname too."""
    if not telling or not telling.opponent:
        return ""
    surname = _surname(telling.opponent.name)
    names = {game.opponent.name for event in it.events for game in event.games if game.opponent}
    return telling.opponent.name if sum(_surname(name) == surname for name in names) > 1 else surname


def _added_events(it: Explained) -> list[PlayedEvent]:
    """Return the events whose points are added one by one in a line; none for one event, or for many."""
    return it.played if 1 < len(it.played) <= MAX_ADDED else []


def _telling_game(it: Explained) -> PlayedGame | None:
    """Return the game that cost most if the player lost points, else the one that gave most.

    None for a single game, and where several cost or gave as much.
    """
    games = it.counting
    sign = -1 if it.unrounded < 0 else 1
    # Of a single game there is nothing to choose from.
    if len(games) < 2 or not any(sign * (game.points or 0) > 0 for game in games):
        return None
    first, second = nlargest(2, games, key=lambda game: sign * (game.points or 0))
    return None if first.points == second.points else first


def _decimals(it: Explained) -> int:
    """Return the decimals that all points of the page need: one if every figure has whole tenths, else two."""
    figures = [*(game.points or 0 for game in it.counting), it.unrounded]
    figures += [line.difference_hundredths for line in it.corrections]
    figures.append(it.correction_rounding)
    # K 20 and 40 give whole tenths, as most players have them.
    return 2 if any(figure % 10 for figure in figures) else 1


def _bar(most: int, game: PlayedGame) -> tuple[int, int] | None:
    """Return where the bar of a game begins and how wide it is; None for no points. `most` are those of any game."""
    if not game.points:
        return None
    # At least one, so that a game with points never seems to have none.
    width = max(1, (2 * BAR_WIDTH * abs(game.points) + most) // (2 * most))
    return (ZERO, width) if game.points > 0 else (ZERO - width, width)


def _last_game(player: Player, it: Explained) -> LastGame | None:
    """Return the last rated game of a player who has none on this list."""
    has_news = it.counting or it.initial or it.corrections or it.pool_shares or it.is_imported
    last_played = it.entry.last_played if it.entry else None
    return None if has_news else last_game(player, it.rating_list, last_played)


def _running_total(it: Explained, decimals: int) -> dict[str, Any]:
    """Return the chart of the rating after each round, without an image for few games."""
    if len(it.counting) < MIN_GAMES_IN_CHART or not it.totals:
        return {"svg": "", "table": None}
    labels, totals = [pgettext("of a running total", "Start")], [*it.totals]
    is_many = len(it.rated_events) > 1
    starts = []
    for event in it.rated_events:
        rounds = [str(game.outcome.round) for game in event.games]
        starts.append((len(labels) - 1, short_day(event.tournament.start)))
        # A tournament begins with its day where there are several.
        labels += [short_day(event.tournament.start), *rounds[1:]] if is_many else rounds
    if it.corrections and it.value and it.value.correction:
        starts.append((len(labels) - 1, _("Correction")))
        labels.append(_("Correction"))
        totals.append(totals[-1] + it.value.correction)

    def write(total: int) -> str:
        if total == it.totals[0]:
            # The first value is a published rating, which is a whole number.
            return str(total // 100)
        return decimal_hundredths(total) if decimals == 2 else decimal_tenths(total // 10)

    svg = running_total_svg(
        labels,
        totals,
        kind=it.rating_list.kind,
        title=_("Running total"),
        description=_("The rating after each round, before rounding. The table below has the values."),
        write=write,
        starts=starts if is_many else (),
    )
    heads = (_("Round"), _("Rating"))
    return {"svg": svg, "table": running_total_table(labels, totals, heads=heads, write=write)}
