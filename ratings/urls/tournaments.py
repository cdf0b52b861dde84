"""Tournaments as everybody sees them."""

from __future__ import annotations

from django.urls import path

from ratings.urls import converters as _converters  # noqa: F401 the converters are known from here on
from ratings.views import tournaments

app_name = "tournaments"

urlpatterns = [
    path("", tournaments.calendar, name="calendar"),
    path("<event_id:event_id>/", tournaments.tournament, name="tournament"),
    path("<event_id:event_id>/why", tournaments.why, name="why"),
]
