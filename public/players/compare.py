"""Comparison of two or three players: their ratings in one chart, and the games between two of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.web.etags import public_page
from players.models import Player
from public.players.charts import RANGES, asked_range, first_month, ranges, ratings_chart, series_of, switch
from ratings.calculators import Typed, understand
from ratings.choices import KINDS, ListKind
from ratings.lists import read_lists
from ratings.models import RatingList
from ratings.player_field import ask_which
from ratings.profile import KindProfile, profiles_of_each
from ratings.records import Score, former_ids, meetings_of
from ratings.search import ratings_of
from tournaments.lists import Lists

LINES = ("first", "second", "third")
LONGEST = 100
LONGEST_LABEL = 12
# The page shows the newest games between two players, the score includes all of them.
MAX_GAMES = 100


@dataclass(frozen=True, slots=True)
class ComparedPlayer:
    """A field of the form: the typed text, the player it means, and the error."""

    number: int
    text: str
    typed: Typed | None = None

    @property
    def player(self) -> Player | None:
        return self.typed.known.player if self.typed and self.typed.known else None

    @property
    def shown(self) -> str:
        """What the field shows: of a player the name too, which `_fields` leaves out again."""
        return f"{self.player.name} {self.player.pk}".strip() if self.player else self.text

    @property
    def error(self) -> str:
        if not self.text or self.player:
            return ""
        if self.typed and self.typed.candidates:
            return ask_which(is_cut=self.typed.is_cut)
        return _("No player has this name or FIDE ID. Enter another.")


@require_safe
@public_page
def compare(request: HttpRequest) -> HttpResponse:
    """Compare the players in the query. Texts with one match redirect to the FIDE IDs."""
    lists = read_lists()
    fields = _fields(request.GET, lists)
    players = list({field.player.pk: field.player for field in fields if field.player}.values())
    is_clear = players and not any(field.error for field in fields)
    ids = [str(player.pk) for player in players]
    # One address for one comparison: names are typed in many ways, and pages are kept by address.
    if is_clear and ids != request.GET.getlist("player"):
        return redirect(f"{reverse('players:compare')}?{urlencode({'player': ids}, doseq=True)}")
    context: dict[str, Any] = {
        "fields": fields,
        "players": players,
        "candidates": _candidates(fields, lists),
    }
    if is_clear and len(players) > 1:
        context |= _comparison(request.GET, players, lists)
    return render(request, "public/players/compare.html", context)


def _fields(query: QueryDict, lists: Lists[RatingList]) -> list[ComparedPlayer]:
    # PostgreSQL refuses the character in a query.
    texts = [text.replace("\x00", "").strip()[:LONGEST] for text in query.getlist("player")[: len(LINES)]]
    texts = [re.sub(r"^.*\s(?=\d{5,}$)", "", text) for text in texts]
    meant = understand(texts, kind=ListKind.RAPID, lists=lists) if any(texts) else [None] * len(texts)
    fields = [
        ComparedPlayer(number, text, typed)
        for number, (text, typed) in enumerate(zip(texts, meant, strict=True), 1)
    ]
    return [*fields, *(ComparedPlayer(number, "") for number in range(len(fields) + 1, len(LINES) + 1))]


def _candidates(
    fields: Sequence[ComparedPlayer], lists: Lists[RatingList]
) -> dict[int, list[tuple[Player, str, dict[str, int]]]]:
    """Return the possible players of each field, with the URL that selects each and the ratings."""
    texts = [field.text for field in fields]
    possible = {field.number: field.typed.candidates for field in fields if field.error and field.typed}
    ids = [player.pk for players in possible.values() for player in players]
    ratings = ratings_of(ids, lists.newest_of_each()) if ids else {}

    def address(number: int, player: Player) -> str:
        taken = [*texts[: number - 1], str(player.pk), *texts[number:]]
        return f"?{urlencode({'player': [text for text in taken if text]}, doseq=True)}"

    return {
        number: [(player, address(number, player), ratings.get(player.pk, {})) for player in players]
        for number, players in possible.items()
    }


def _comparison(query: QueryDict, players: Sequence[Player], lists: Lists[RatingList]) -> dict[str, Any]:
    by_id = profiles_of_each([player.pk for player in players], lists)
    rated = [kind for kind in KINDS if any(_of_kind(of_one, kind).highest for of_one in by_id.values())]
    kind = next((kind for kind in rated if kind == query.get("kind")), rated[0] if rated else KINDS[0])
    parameters = {
        "player": [str(player.pk) for player in players],
        "kind": str(kind),
        "range": asked_range(query),
    }
    first = first_month(lists, RANGES[asked_range(query)])
    lines = [
        series_of(_of_kind(by_id[player.pk], kind), lists, first, label=_short_name(player), line=line)
        for player, line in zip(players, LINES, strict=False)
    ]
    title = _("Ratings of %(name)s") % {"name": " · ".join(player.name for player in players)}
    names = {str(one): str(capfirst(one.label)) for one in rated}
    figures = [(player, [_of_kind(by_id[player.pk], one).rating for one in KINDS]) for player in players]
    return {
        "kinds": KINDS,
        "figures": figures,
        "chart": ratings_chart([line for line in lines if line.rated_points()], lists, title=title),
        "switches": [switch(_("Rating type in the chart"), "kind", names, parameters), ranges(parameters)],
        **(_meetings(players, lists) if len(players) == 2 else {}),
    }


def _short_name(player: Player) -> str:
    """Return the family name, cut to fit beside a line on a phone."""
    return Truncator(player.name.partition(",")[0]).chars(LONGEST_LABEL)


def _of_kind(profiles: Sequence[KindProfile], kind: str) -> KindProfile:
    return next(profile for profile in profiles if profile.kind == kind)


def _meetings(players: Sequence[Player], lists: Lists[RatingList]) -> dict[str, Any]:
    one, other = ((player.pk, *former_ids(player.pk)) for player in players)
    met = meetings_of(one, other, lists=lists)
    shown = groupby(met[:MAX_GAMES], key=lambda game: game.own.event.row.pk)
    return {
        "meetings": [list(of_event) for _event, of_event in shown],
        "score": Score.of(meeting.own for meeting in met),
        "games": len(met),
    }
