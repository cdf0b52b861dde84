"""A ruler of days on which long stretches are left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from textwrap import wrap

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from core.html.charts import frame, percent
from core.html.charts.days import DayMark, Text
from core.html.dates import day_of_month, short_day, weekday_day

ONE_DAY = timedelta(days=1)

ZONE_TOP, LINE_HEIGHT, ZONE_PADDING = 22, 16, 6
# A ruler of more units has no room for weekdays, and for long labels in two lines alone.
MOST_UNITS, LABEL_LETTERS = 18, 14
# Of a stretch so many days at most are all shown.
SHORT = 3


@dataclass(frozen=True, slots=True)
class Zone:
    """A stretch of days on a ruler; `kind` is the class that colours it, `track` its row."""

    label: Text
    first: date
    last: date
    kind: str
    track: int = 0


@dataclass(frozen=True, slots=True)
class _Ruler:
    """The places of the shown days: a day is two units wide, days that are left out together one."""

    starts: dict[date, int]
    gaps: list[int]
    whole: int
    zone_height: int

    @property
    def is_narrow(self) -> bool:
        return self.whole > MOST_UNITS

    def ends(self, day: date) -> int:
        return self.starts[day] + 2


def ruler_svg(
    zones: Sequence[Zone], marks: Sequence[DayMark], *, title: Text, description: Text
) -> SafeString:
    """Return zones over the days on which they begin and end, and marked days as lines through them."""
    if not zones:
        return mark_safe("")
    ruler = _ruler_of(zones, marks)
    tracks = 1 + max(zone.track for zone in zones)
    foot = ZONE_TOP + tracks * (ruler.zone_height + 4)
    body = [
        *(_zone(zone, ruler) for zone in zones),
        _ruler_days(ruler, foot + 14),
        *(_ruler_mark(mark, ruler) for mark in marks),
    ]
    return frame(body, kind="ruler", name="ruler", title=title, description=description, height=foot + 22)


def _ruler_of(zones: Sequence[Zone], marks: Sequence[DayMark]) -> _Ruler:
    shown = {day for zone in zones for day in (zone.first, zone.last)} | {mark.day for mark in marks}
    for zone in zones:
        if (zone.last - zone.first).days < SHORT:
            shown |= {zone.first + timedelta(days=more) for more in range((zone.last - zone.first).days)}
    starts: dict[date, int] = {}
    gaps: list[int] = []
    place, before = 0, None
    for day in sorted(shown):
        if before is not None and day - before > ONE_DAY:
            gaps.append(place)
            place += 1
        starts[day], before = place, day
        place += 2
    lines = max(len(_lines(zone)) for zone in zones) if place > MOST_UNITS else 1
    return _Ruler(starts, gaps, place, ZONE_PADDING + lines * LINE_HEIGHT)


def _lines(zone: Zone) -> list[str]:
    return wrap(str(zone.label), LABEL_LETTERS, break_long_words=False)


def _zone(zone: Zone, ruler: _Ruler) -> SafeString:
    """Return a zone; its label is cut off where the zone ends."""
    x = percent(ruler.starts[zone.first], ruler.whole)
    width = percent(ruler.ends(zone.last) - ruler.starts[zone.first], ruler.whole)
    lines = _lines(zone) if ruler.is_narrow else [zone.label]
    middle = ruler.zone_height / 2 + 4.5 - (len(lines) - 1) * LINE_HEIGHT / 2
    return format_html(
        '<svg x="{}" y="{}" width="{}" height="{}"><rect class="zone {}" width="100%" height="100%"/>'
        '<text class="zone-name {}">{}</text><title>{}</title></svg>',
        x,
        ZONE_TOP + zone.track * (ruler.zone_height + 4),
        width,
        ruler.zone_height,
        zone.kind,
        zone.kind,
        format_html_join(
            "",
            '<tspan x="8" y="{}">{}</tspan>',
            ((middle + number * LINE_HEIGHT, line) for number, line in enumerate(lines)),
        ),
        zone.label,
    )


def _ruler_days(ruler: _Ruler, y: int) -> SafeString:
    """Return the dates below the zones, the month where it is another than that of the date before."""
    month = 0
    texts = []
    for day, place in ruler.starts.items():
        is_same, month = day.month == month, day.month
        of_month = day_of_month if ruler.is_narrow else weekday_day
        written = of_month(day) if is_same else short_day(day)
        texts.append((percent(place + 1, ruler.whole), y, written))
    texts += [(percent(2 * gap + 1, 2 * ruler.whole), y, "…") for gap in ruler.gaps]
    return format_html_join("", '<text class="day" x="{}" y="{}" text-anchor="middle">{}</text>', texts)


def _ruler_mark(mark: DayMark, ruler: _Ruler) -> SafeString:
    return format_html(
        '<line class="today" x1="{x}" x2="{x}" y1="4" y2="{}"/>'
        '<text class="mark-name" x="{x}" dx="5" y="15">{}</text>',
        ZONE_TOP,
        mark.label,
        x=percent(ruler.starts[mark.day], ruler.whole),
    )
