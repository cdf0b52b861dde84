"""The addresses of the API. Each answers with a slash at its end as well."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, path

from api.views import (
    calculators,
    desk,
    documentation,
    lists,
    players,
    publications,
    reference,
    reports,
    tournaments,
)

app_name = "api"


def both(address: str, view: Any, name: str) -> list[URLPattern]:
    """Return an address with and without a slash at its end."""
    handler = view.as_view()
    return [path(address, handler, name=name), path(f"{address}/", handler)]


urlpatterns = [
    path("", reference.RootView.as_view(), name="root"),
    *both("federations", reference.FederationsView, "federations"),
    *both("lists", lists.ListsView, "lists"),
    *both("lists/<str:kind>/<str:date>", lists.ListView, "list"),
    *both("lists/<str:kind>/<str:date>/entries", lists.EntriesView, "entries"),
    *both("players", players.PlayersView, "players"),
    *both("players/<int:fide_id>", players.PlayerView, "player"),
    *both("players/<int:fide_id>/history", players.HistoryView, "history"),
    *both(
        "players/<int:fide_id>/calculations/<str:kind>/<str:date>",
        players.CalculationView,
        "calculation",
    ),
    *both("tournaments", tournaments.TournamentsView, "tournaments"),
    *both("tournaments/<str:event_id>", tournaments.TournamentView, "tournament"),
    *both("tournaments/<str:event_id>/participants", tournaments.ParticipantsView, "participants"),
    *both("tournaments/<str:event_id>/progress", desk.ProgressView, "progress"),
    *both("tournaments/<str:event_id>/reports", desk.ReportsView, "reports"),
    *both("tournaments/<str:event_id>/reports/<int:version>", desk.ReportView, "report"),
    *both("tournaments/<str:event_id>/reports/<int:version>/acceptance", desk.AcceptanceView, "acceptance"),
    *both("tournaments/<str:event_id>/reports/<int:version>/preview", desk.PreviewView, "report_preview"),
    *both("publications", publications.PublicationsView, "publications"),
    *both("publications/<str:publication_id>/changes", publications.ChangesView, "changes"),
    *both("reasons", reference.ReasonsView, "reasons"),
    *both("rules", reference.RulesView, "rules"),
    *both("reports/check", reports.CheckView, "report_check"),
    *both("calculators/change", calculators.ChangeCalculatorView, "calculate_change"),
    *both("calculators/first-rating", calculators.FirstRatingCalculatorView, "calculate_first_rating"),
    *both("calculators/performance", calculators.PerformanceCalculatorView, "calculate_performance"),
    *both("calculators/systems", calculators.SystemsCalculatorView, "calculate_systems"),
    *both("schema", documentation.SchemaView, "schema"),
    *both("docs", documentation.DocumentationView, "documentation"),
    path("<path:rest>", documentation.NowhereView.as_view()),
]
