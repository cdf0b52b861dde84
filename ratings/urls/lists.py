"""Lists, their files, and what the figures rest on."""

from __future__ import annotations

from django.urls import path

from ratings.urls import converters as _converters  # noqa: F401 the converters are known from here on
from ratings.views import (
    calculators,
    check,
    corrections,
    federations,
    feeds,
    files,
    lists,
    movements,
    reasons,
    statistics,
)

app_name = "ratings"

urlpatterns = [
    path("lists/", lists.lists, name="lists"),
    path("lists/<kind:kind>/", lists.newest, name="newest"),
    path("lists/<kind:kind>/<day:day>/", lists.rating_list, name="list"),
    path("lists/<kind:kind>/<day:day>/changes/", movements.movements, name="movements"),
    path("lists/<kind:kind>/<day:day>/statistics/", statistics.statistics, name="statistics"),
    path("lists/<kind:kind>/<day:day>/at/<fide_id:fide_id>/", lists.at_player, name="at"),
    path("lists/<kind:kind>/<day:day>/files/<str:name>", files.file, name="file"),
    path("lists/<kind:kind>/history.csv.zip", files.history, name="history"),
    path("lists/feed.atom", feeds.lists, name="feed"),
    path("lists/<kind:kind>/feed.atom", feeds.lists, name="kind-feed"),
    path("federations/<federation:code>/feed.atom", feeds.federation, name="federation-feed"),
    path("lists/corrections/", corrections.corrections, name="corrections"),
    path("federations/", federations.federations, name="federations"),
    path("federations/<federation:code>/", federations.federation, name="federation"),
    path(
        "federations/<federation:code>/on/<day:day>/", federations.federation_as_of, name="federation-as-of"
    ),
    path("calculators/", calculators.change, name="calculator-change"),
    path("calculators/first-rating/", calculators.first, name="calculator-first-rating"),
    path("calculators/performance/", calculators.performance_of, name="calculator-performance"),
    path("calculators/systems/", calculators.systems, name="calculator-systems"),
    path("check/", check.check, name="check"),
    path("rules/", reasons.rules, name="rules"),
    path("rules/reasons/", reasons.reasons, name="reasons"),
]
