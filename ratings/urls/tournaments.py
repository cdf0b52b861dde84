"""Tournaments as everybody sees them."""

from __future__ import annotations

from django.urls import path

from ratings.urls import converters as _converters  # noqa: F401 the converters are known from here on
from ratings.views import calendar, tournaments

app_name = "tournaments"

urlpatterns = [
    path("", tournaments.calendar, name="calendar"),
    path("calendar/month", calendar.month, name="month"),
    path("calendar/all.ics", calendar.feed, name="feed"),
    path("calendar/<federation:code>.ics", calendar.feed, name="federation-feed"),
    path("<event_id:event_id>/", tournaments.tournament, name="tournament"),
    path("<event_id:event_id>/why", tournaments.why, name="why"),
]
