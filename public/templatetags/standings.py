"""The rows of a tournament's standings and crosstable, written at once: as templates they cost most of the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from core.html.figures import NONE, change_figure, filled, half_points, signed_hundredths
from public.templatetags.lists import EMPTY, title_mark
from ratings.choices import Status
from ratings.queries.events import Standing
from ratings.systems.otb.values import Outcome

register = template.Library()
STANDING = (
    '<tr id="n{number}"{current}><td class="num quiet top">{rank}</td>'
    '<th scope="row" class="name">{title}{name}</th><td class="top quiet">{federation}</td>'
    '<td class="num rating top">{points}</td>'
    '<td class="num standing-rating" data-label="{rating_label}">{rating}</td><td class="num">{change}</td>'
    '<td class="num quiet" data-label="{games_label}">{games}</td>'
    '<td class="num quiet" data-label="{performance_label}">{performance}</td></tr>\n'
)
LINE = (
    '<tr id="n{number}"{current}><td class="num quiet">{rank}</td><th scope="row" class="name">{name}</th>'
    '<td class="num quiet">{number}</td><td class="num">{rating}</td>{cells}'
    '<td class="num rating">{points}</td><td class="num">{change}</td></tr>\n'
)
CURRENT = SafeString(' aria-current="true"')
UNKNOWN = filled('<span class="quiet">{}</span>', NONE)


@register.simple_tag(takes_context=True)
def standing_rows(context: Context, rows: Sequence[Standing]) -> SafeString:
    """Return the rows of the standings: each participant's rating, change and performance."""
    labels = {"rating_label": _("Rating"), "games_label": _("Games"), "performance_label": _("Perf.")}
    rating, change, players = _ratings(), _changes(context), reverse("players:search")
    return SafeString(
        "".join(
            filled(
                STANDING,
                title=_title(row),
                federation=_federation(row),
                rating=rating(row),
                change=change(row),
                games=row.rating.games,
                performance=row.performance or NONE,
                **labels,
                **_participant(row, context["marked"], players),
            )
            for row in rows
        )
    )


@register.simple_tag(takes_context=True)
def crosstable_rows(context: Context, rows: Sequence[Standing]) -> SafeString:
    """Return the rows of the crosstable: the outcomes of each round."""
    cells, players = _cells(), reverse("players:search")
    return SafeString(
        "".join(
            filled(
                LINE,
                rating=row.rating.start_rating or NONE,
                cells=cells(row),
                change=UNKNOWN if row.change is None else _exact(row.change),
                **_participant(row, context["marked"], players),
            )
            for row in rows
        )
    )


def _participant(row: Standing, marked: str, players: str) -> dict[str, Any]:
    number, player = row.rating.number, row.rating.player
    name = row.participant.name
    if player:
        name = filled('<a href="{}{}/">{}</a>', players, player.pk, player.name or name)
    return {
        "number": number,
        "current": CURRENT if marked == str(number) else EMPTY,
        "rank": row.participant.rank or NONE,
        "name": name,
        "points": half_points(row.participant.half_points),
    }


def _title(row: Standing) -> SafeString:
    return title_mark(row.rating.player.title if row.rating.player else "")


def _federation(row: Standing) -> str:
    player = row.rating.player
    return str(player.federation_id if player else row.participant.federation_code)


def _exact(change: int) -> SafeString:
    return change_figure(signed_hundredths(change, exact=True))


def _ratings() -> Callable[[Standing], SafeString | int]:
    """Return what draws the rating at the start."""
    unrated = filled('<span class="quiet">{}</span>', _("unrated"))
    standard = filled('<abbr title="{}">{}</abbr>', _("standard rating (7.2.1)"), _("s"))

    def rating(row: Standing) -> SafeString | int:
        figure = row.rating.start_rating
        if not figure:
            return unrated
        return filled("{}{}", figure, standard) if row.rating.start_status == Status.STANDARD else figure

    return rating


def _changes(context: Context) -> Callable[[Standing], SafeString]:
    """Return what draws a change: as a link to the calculation behind it where there is one."""
    players, included_in = reverse("players:search"), context["rating"].included_in
    pooled = _("pooled")
    nothing = filled('{}<span class="hidden">{}</span>', NONE, _("nothing counts"))

    def change(row: Standing) -> SafeString:
        if not row.step:
            return UNKNOWN
        figure = nothing if row.is_rated or not row.rating.games else pooled
        return filled(
            '<a class="figure" href="{}{}/{}/{}/">{}</a>',
            players,
            row.rating.player_id,
            included_in.kind,
            included_in.date,
            figure if row.change is None else _exact(row.change),
        )

    return change


def _cells() -> Callable[[Standing], SafeString]:
    """Return what draws the rounds: the colour of the pieces, the opponent's starting rank, the score."""
    white = filled('<span class="colour"></span><span class="hidden">{} </span>', _("White"))
    black = filled('<span class="colour black"></span><span class="hidden">{} </span>', _("Black"))
    colours = {"w": white, "b": black}
    forfeit = filled('<abbr title="{}">{}</abbr>', _("forfeit"), _("f"))
    alone = _("no opponent")

    def drawn(outcome: Outcome) -> SafeString:
        score = half_points(outcome.half_points)
        if not outcome.opponent:
            return filled('<abbr class="quiet" title="{}">{}</abbr>', alone, score)
        colour = colours.get(outcome.colour or "", EMPTY)
        opponent = filled('<span class="quiet">{}</span> {}', outcome.opponent, score)
        return colour + opponent + (EMPTY if outcome.colour else forfeit)

    def cells(row: Standing) -> SafeString:
        return SafeString(
            "".join(f'<td class="num">{"<br>".join(map(drawn, cell))}</td>' for cell in row.cells)
        )

    return cells
