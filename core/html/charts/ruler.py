"""A ruler of days on which long stretches are left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from core.html.charts import frame, percent
from core.html.charts.days import DayMark, Text
from core.html.dates import short_day, weekday_day

ONE_DAY = timedelta(days=1)

ZONE_HEIGHT = 22
ZONE_TOP = 22
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
    foot = ZONE_TOP + tracks * (ZONE_HEIGHT + 4)
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
    return _Ruler(starts, gaps, place)


def _zone(zone: Zone, ruler: _Ruler) -> SafeString:
    """Return a zone; its label is cut off where the zone ends."""
    x = percent(ruler.starts[zone.first], ruler.whole)
    width = percent(ruler.ends(zone.last) - ruler.starts[zone.first], ruler.whole)
    return format_html(
        '<svg x="{}" y="{}" width="{}" height="{}"><rect class="zone {}" width="100%" height="100%"/>'
        '<text class="zone-name {}" x="8" y="15.5">{}</text><title>{}</title></svg>',
        x,
        ZONE_TOP + zone.track * (ZONE_HEIGHT + 4),
        width,
        ZONE_HEIGHT,
        zone.kind,
        zone.kind,
        zone.label,
        zone.label,
    )


def _ruler_days(ruler: _Ruler, y: int) -> SafeString:
    """Return the dates below the zones, the month where it is another than that of the date before."""
    month = 0
    texts = []
    for day, place in ruler.starts.items():
        is_same, month = day.month == month, day.month
        written = weekday_day(day) if is_same else short_day(day)
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
