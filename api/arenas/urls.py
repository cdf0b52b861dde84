"""The addresses of arenas in the API. Each answers with a slash at its end as well."""

from __future__ import annotations

from api.arenas import games, members, views
from api.urls import both

app_name = "arenas-api"

urlpatterns = [
    *both("arenas", views.ArenasView, "arenas"),
    *both("arenas/<str:arena>", views.ArenaView, "arena"),
    *both("arenas/<str:arena>/list", views.ListView, "list"),
    *both("arenas/<str:arena>/lists", views.MonthlyListsView, "lists"),
    *both("arenas/<str:arena>/members", members.MembersView, "members"),
    *both("arenas/<str:arena>/members/<int:number>", members.MemberView, "member"),
    *both("arenas/<str:arena>/members/<int:number>/history", members.HistoryView, "history"),
    *both("arenas/<str:arena>/games", games.GamesView, "games"),
    *both("arenas/<str:arena>/games/<int:number>", games.GameView, "game"),
]
