from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from portal import health, views

urlpatterns = [
    path("", views.home, name="home"),
    path("search", views.search, name="search"),
    path("", include("ratings.urls.lists")),
    path("players/", include("ratings.urls.players")),
    path("tournaments/", include("ratings.urls.tournaments")),
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
    path("api/v1/", include("ratings.api.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("desk/tournaments/", include("ratings.urls.desk")),
    path("", include("tournaments.urls")),
]
