from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from portal import health

urlpatterns = [
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("", include("tournaments.urls")),
]
