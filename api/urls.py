"""The URLs of the API, each with and without a slash at the end."""

from __future__ import annotations

from django.urls import URLPattern, path, register_converter
from django.urls.converters import StringConverter

from api import (
    amendments,
    arbiters,
    arena_games,
    arena_members,
    arenas,
    calculations,
    calculators,
    documentation,
    federations,
    games,
    list_changes,
    list_entries,
    lists,
    players,
    publications,
    reasons,
    reports,
    root,
    rules,
    tournaments,
)
from api.base import ResourceView

app_name = "api"

A_LIST = "lists/<str:kind>/<str:date>"
A_PLAYER = "players/<int:fide_id>"
A_TOURNAMENT = "tournaments/<str:event_id>"
A_REPORT = f"{A_TOURNAMENT}/reports/<int:version>"
AN_ARENA = "arenas/<str:arena>"
RESOURCES: list[tuple[str, type[ResourceView], str]] = [
    ("federations", federations.FederationsView, "federations"),
    ("federations/<str:code>/history", federations.FederationHistoryView, "federation_history"),
    ("arbiters", arbiters.ArbitersView, "arbiters"),
    ("arbiters/<int:fide_id>", arbiters.ArbiterView, "arbiter"),
    ("reasons", reasons.ReasonsView, "reasons"),
    ("rules", rules.RulesView, "rules"),
    ("lists", lists.ListsView, "lists"),
    (A_LIST, lists.ListView, "list"),
    (f"{A_LIST}/entries", list_entries.EntriesView, "entries"),
    (f"{A_LIST}/entries.csv", list_entries.CSVEntriesView, "entries_csv"),
    (f"{A_LIST}/entries.ndjson", list_entries.NDJSONEntriesView, "entries_ndjson"),
    (f"{A_LIST}/changes.csv", list_changes.CSVDeltaView, "list_changes_csv"),
    (f"{A_LIST}/changes.ndjson", list_changes.NDJSONDeltaView, "list_changes_ndjson"),
    ("players", players.PlayersView, "players"),
    (A_PLAYER, players.PlayerView, "player"),
    (f"{A_PLAYER}/history", players.HistoryView, "history"),
    (f"{A_PLAYER}/calculations/<str:kind>/<str:date>", calculations.CalculationView, "calculation"),
    ("games", games.GamesView, "games"),
    ("tournaments", tournaments.TournamentsView, "tournaments"),
    (A_TOURNAMENT, tournaments.TournamentView, "tournament"),
    (f"{A_TOURNAMENT}/participants", tournaments.ParticipantsView, "participants"),
    (f"{A_TOURNAMENT}/progress", tournaments.ProgressView, "progress"),
    (f"{A_TOURNAMENT}/reports", reports.ReportsView, "reports"),
    (f"{A_TOURNAMENT}/amendments", amendments.AmendmentsView, "amendments"),
    (A_REPORT, reports.ReportView, "report"),
    (f"{A_REPORT}/acceptance", reports.AcceptanceView, "acceptance"),
    (f"{A_REPORT}/preview", reports.PreviewView, "report_preview"),
    ("reports/check", reports.CheckView, "report_check"),
    ("publications", publications.PublicationsView, "publications"),
    ("publications/<str:publication_id>/changes", publications.ChangesView, "changes"),
    ("calculators/change", calculators.ChangeCalculatorView, "calculate_change"),
    ("calculators/first-rating", calculators.FirstRatingCalculatorView, "calculate_first_rating"),
    ("calculators/performance", calculators.PerformanceCalculatorView, "calculate_performance"),
    ("arenas", arenas.ArenasView, "arenas"),
    (AN_ARENA, arenas.ArenaView, "arena"),
    (f"{AN_ARENA}/list", arenas.ArenaListView, "arena_list"),
    (f"{AN_ARENA}/list.csv", arenas.ArenaListCSVView, "arena_list_csv"),
    (f"{AN_ARENA}/lists", arenas.MonthlyListsView, "arena_lists"),
    (f"{AN_ARENA}/members", arena_members.MembersView, "arena_members"),
    (f"{AN_ARENA}/members/<int:number>", arena_members.MemberView, "arena_member"),
    (f"{AN_ARENA}/members/<int:number>/history", arena_members.ArenaHistoryView, "arena_history"),
    (f"{AN_ARENA}/games", arena_games.GamesView, "arena_games"),
    (f"{AN_ARENA}/games/<int:number>", arena_games.GameView, "arena_game"),
    ("schema", documentation.SchemaView, "schema"),
    ("changelog", documentation.ChangelogView, "changelog"),
    ("docs", documentation.DocumentationView, "documentation"),
    ("docs/open.trf", documentation.SampleReportView, "sample_report"),
    ("docs/<str:chapter>", documentation.ChapterView, "chapter"),
]


class AnythingConverter(StringConverter):
    """Any text. With `path`, a URL with a line break would get the HTML 404 page."""

    regex = r"[\s\S]+"


register_converter(AnythingConverter, "anything")


def _patterns(address: str, view: type[ResourceView], name: str) -> list[URLPattern]:
    handler = view.as_view()
    # Answered and not redirected: a program would lose the body of a POST on the way.
    return [path(address, handler, name=name), path(f"{address}/", handler)]


urlpatterns = [
    path("", root.RootView.as_view(), name="root"),
    *(pattern for resource in RESOURCES for pattern in _patterns(*resource)),
    path("<anything:rest>", documentation.NowhereView.as_view()),
]
