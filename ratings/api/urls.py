"""The addresses of the API. Each answers with a slash at its end as well."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, path

from ratings.api.views import (
    calculators,
    documentation,
    lists,
    players,
    publications,
    reference,
    reports,
    tournaments,
)

app_name = "api"


def _both(address: str, view: Any, name: str) -> list[URLPattern]:
    handler = view.as_view()
    return [path(address, handler, name=name), path(f"{address}/", handler)]


urlpatterns = [
    path("", reference.RootView.as_view(), name="root"),
    *_both("federations", reference.FederationsView, "federations"),
    *_both("lists", lists.ListsView, "lists"),
    *_both("lists/<str:kind>/<str:date>", lists.ListView, "list"),
    *_both("lists/<str:kind>/<str:date>/entries", lists.EntriesView, "entries"),
    *_both("players", players.PlayersView, "players"),
    *_both("players/<int:fide_id>", players.PlayerView, "player"),
    *_both("players/<int:fide_id>/history", players.HistoryView, "history"),
    *_both(
        "players/<int:fide_id>/calculations/<str:kind>/<str:date>",
        players.CalculationView,
        "calculation",
    ),
    *_both("tournaments", tournaments.TournamentsView, "tournaments"),
    *_both("tournaments/<str:event_id>", tournaments.TournamentView, "tournament"),
    *_both("tournaments/<str:event_id>/participants", tournaments.ParticipantsView, "participants"),
    *_both("publications", publications.PublicationsView, "publications"),
    *_both("publications/<str:publication_id>/changes", publications.ChangesView, "changes"),
    *_both("reasons", reference.ReasonsView, "reasons"),
    *_both("rules", reference.RulesView, "rules"),
    *_both("reports/check", reports.CheckView, "report_check"),
    *_both("calculators/change", calculators.ChangeCalculatorView, "calculate_change"),
    *_both("calculators/first-rating", calculators.FirstRatingCalculatorView, "calculate_first_rating"),
    *_both("calculators/performance", calculators.PerformanceCalculatorView, "calculate_performance"),
    *_both("calculators/systems", calculators.SystemsCalculatorView, "calculate_systems"),
    *_both("schema", documentation.SchemaView, "schema"),
    *_both("docs", documentation.DocumentationView, "documentation"),
    path("<path:rest>", documentation.NowhereView.as_view()),
]
