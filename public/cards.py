"""Images of pages for sharing (`og:image`), drawn as PNG (ADR 25)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path

from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import gettext as _
from PIL import Image, ImageDraw, ImageFont

from core.html.charts import axis_for
from core.html.charts.lines import LEAST_SPAN, Series
from players.fide_list.ascii_names import ascii_name
from players.spelling import visible

# The size in which sites show a picture beside a link.
WIDTH, HEIGHT = 1200, 630
LEFT, RIGHT, TOP, BOTTOM = 80, 1120, 400, 580
MAX_TEXT = 120
NO_RATING = "–"
FONT = Path(__file__).parent / "fonts" / "DejaVuSans.ttf"
# The characters of the font that cards use: Latin, Greek, Cyrillic, and punctuation.
_IN_FONT = re.compile(
    "[ -~\xa1-\u024f\u0370-\u0525\u1e00-\u1efb\u1f00-\u1fff\u2010-\u2015\u2018-\u201f\u2026\u2116\u2212]"
)


@cache
def colour(name: str) -> str:
    """Return a colour of the light theme by its name in `static/css/tokens.css`, which declares it first."""
    tokens = (settings.BASE_DIR / "static" / "css" / "tokens.css").read_text(encoding="utf-8")
    found = re.search(rf"--{name}: (#[0-9a-f]{{6}});", tokens)
    if found is None:
        raise LookupError(f"tokens.css has no colour {name!r}")
    return found[1]


@dataclass(frozen=True, slots=True)
class CardFigure:
    """A rating with its label, in the colour of its rating type."""

    kind: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Card:
    """The contents of an image from top to bottom: title, facts, ratings, rows of name and figure, chart.

    `otherwise` is the title if the font has no letter of `title`.
    """

    title: str
    otherwise: str
    facts: Sequence[str] = ()
    figures: Sequence[CardFigure] = ()
    rows: Sequence[tuple[str, str]] = ()
    chart: Sequence[Series] = ()


def picture_of(card: Card) -> HttpResponse:
    """Return the card as a PNG of 1200 x 630 pixels. Its size is bounded, whatever it shows."""
    image = Image.new("RGB", (WIDTH, HEIGHT), colour("paper"))
    drawn = ImageDraw.Draw(image)
    drawn.rectangle((0, 0, 24, HEIGHT), fill=colour("accent"))
    _write(drawn, LEFT, 48, _("Rating Portal"), size=30, ink="accent")
    _write(drawn, LEFT, 98, in_font(card.title) or card.otherwise, size=64, bold=2)
    _write(drawn, LEFT, 186, " · ".join(filter(None, map(in_font, card.facts))), size=32, ink="ink-quiet")
    for place, figure in enumerate(card.figures):
        _figure(drawn, figure, LEFT + 350 * place)
    for place, row in enumerate(card.rows):
        _row(drawn, row, 264 + 66 * place)
    _chart(drawn, card.chart)
    content = BytesIO()
    image.save(content, "PNG")
    return HttpResponse(content.getvalue(), content_type="image/png")


def in_font(text: str) -> str:
    """Return a text in letters that the font has. Others become Latin letters, or are left out.

    A text without any such letter, for example `北京`, becomes "".
    """
    letters = unicodedata.normalize("NFC", " ".join(map(visible, text[:MAX_TEXT].split())))
    written = (one if _IN_FONT.match(one) else ascii_name(one).replace("?", "") for one in letters)
    return " ".join("".join(written).split())


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    # Basic layout instead of Raqm gives the same image on every machine.
    return ImageFont.truetype(FONT, size, layout_engine=ImageFont.Layout.BASIC)


def _write(
    drawn: ImageDraw.ImageDraw,
    x: float,
    y: float,
    text: str,
    *,
    size: int,
    ink: str = "ink",
    bold: int = 0,
    width: int = RIGHT - LEFT,
) -> None:
    """Write a line, cut to `width`. The font has one weight, and a stroke of `bold` pixels thickens it."""
    shown, font = text, _font(size)
    while font.getlength(shown) > width:
        # Letter by letter, as the width depends on each; `MAX_TEXT` bounds how often.
        text = text[:-1]
        shown = f"{text.rstrip()}…"
    drawn.text((x, y), shown, fill=colour(ink), font=font, stroke_width=bold)


def _figure(drawn: ImageDraw.ImageDraw, figure: CardFigure, x: int) -> None:
    _write(drawn, x, 252, in_font(figure.label), size=28, ink="ink-quiet", width=330)
    _write(drawn, x, 290, figure.text, size=72, ink=f"kind-{figure.kind}", bold=1)


def _row(drawn: ImageDraw.ImageDraw, row: tuple[str, str], y: int) -> None:
    name, figure = row
    _write(drawn, LEFT, y, in_font(name), size=40, width=850)
    _write(drawn, RIGHT - _font(40).getlength(figure), y, figure, size=40, bold=1)
    drawn.line((LEFT, y + 56, RIGHT, y + 56), fill=colour("rule"), width=2)


def _chart(drawn: ImageDraw.ImageDraw, chart: Sequence[Series]) -> None:
    """Draw one step line per rating type over the months, with gaps where no rating was listed."""
    lines = [(one.kind, one.rated_points()) for one in chart if one.rated_points()]
    if not lines:
        return
    ratings = [point.rating or 0 for _kind, points in lines for point in points]
    months = [point.month.year * 12 + point.month.month for _kind, points in lines for point in points]
    first, step = min(months), (RIGHT - LEFT - 80) / (max(months) - min(months) + 1)
    axis = axis_for(ratings, least_span=LEAST_SPAN, top=TOP, bottom=BOTTOM)
    for value in (axis.low, axis.high):
        drawn.line((LEFT, axis.y(value), RIGHT - 80, axis.y(value)), fill=colour("rule"), width=2)
        _write(drawn, RIGHT - 66, axis.y(value) - 14, str(value), size=26, ink="ink-quiet")
    for kind, points in lines:
        reached = (-1.0, 0)
        for point in points:
            x, y = (
                LEFT + (point.month.year * 12 + point.month.month - first) * step,
                axis.y(point.rating or 0),
            )
            # A gap between two lists has no riser: nothing was listed there.
            if abs(reached[0] - x) < 1:
                drawn.line((x, reached[1], x, y), fill=colour(f"kind-{kind}"), width=5)
            drawn.line((x - 2, y, x + step + 2, y), fill=colour(f"kind-{kind}"), width=5)
            reached = (x + step, y)
