"""Players: search, page, and the calculation of each list."""

from __future__ import annotations

from django.urls import path

from ratings.urls import converters as _converters  # noqa: F401 the converters are known from here on
from ratings.views import calculations, feeds, players, records

app_name = "players"

urlpatterns = [
    path("", players.search, name="search"),
    path("<fide_id:fide_id>/", players.player, name="player"),
    path("<fide_id:fide_id>/on/<day:day>/", players.player_as_of, name="player-as-of"),
    path("<fide_id:fide_id>/tournaments/", players.tournaments, name="tournaments"),
    path("<fide_id:fide_id>/feed.atom", feeds.player, name="feed"),
    path("<fide_id:fide_id>/record/", records.record, name="record"),
    path("<fide_id:fide_id>/badge.svg", records.badge, name="badge"),
    path("<fide_id:fide_id>/<kind:kind>/<day:day>/", calculations.calculation, name="calculation"),
]
