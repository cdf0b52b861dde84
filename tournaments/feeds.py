"""iCalendar (RFC 5545): entries as calendar programs read them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, time, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpResponse
from icalendar import Calendar, Event

from core.pages import Page
from tournaments.calendar import CalendarEntry

ASK_AGAIN = timedelta(hours=6)


def calendar_response(
    entries: Iterable[CalendarEntry], *, name: str, page: str = "", is_private: bool
) -> HttpResponse:
    """Return the entries as a file that a calendar program subscribes to; `page` names what an entry links to."""
    response = HttpResponse(
        calendar_bytes(entries, name=name, page=page), content_type="text/calendar; charset=utf-8"
    )
    # The address of private deadlines is their secret: no cache on the way may keep the answer.
    keep = "private, no-store" if is_private else "public, max-age=900"
    response["Cache-Control"] = keep
    response["X-Robots-Tag"] = "noindex"
    return response


def calendar_bytes(entries: Iterable[CalendarEntry], *, name: str, page: str = "") -> bytes:
    """Return a calendar of all-day entries, each in UTC days with its last day counted in."""
    host = urlsplit(settings.SITE_URL).hostname or "localhost"
    made = Calendar()
    made.add("prodid", f"-//{host}//rating portal//EN")
    made.add("version", "2.0")
    # Not in RFC 5545, but what programs show as the name of a subscribed calendar.
    made.add("x-wr-calname", name)
    made.add("refresh-interval", ASK_AGAIN, parameters={"VALUE": "DURATION"})
    for entry in entries:
        made.add_component(_event(entry, host=host, page=page))
    return bytes(made.to_ical())


def _event(entry: CalendarEntry, *, host: str, page: str) -> Event:
    event = Event()
    event.add("uid", f"{entry.uid}@{host}")
    # Not the present instant: an unchanged calendar has the same bytes each time.
    event.add("dtstamp", datetime.combine(entry.made_on, time.min, UTC))
    event.add("dtstart", entry.first)
    # The end of an all-day entry is the day after it (RFC 5545, 3.6.1).
    event.add("dtend", entry.last + timedelta(days=1))
    event.add("summary", entry.title)
    # A deadline does not make its reader busy all day.
    event.add("transp", "TRANSPARENT")
    event.add("url", (entry.page or Page(page, entry.event_id)).link)
    if entry.place:
        event.add("location", entry.place)
    return event
