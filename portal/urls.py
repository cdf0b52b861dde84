from __future__ import annotations

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import include, path

from players.views import notifications, sessions
from portal import health, views
from portal.metrics.views import metrics
from ratings.views import sitemaps
from tournaments.views.calendar import deadlines

handler500 = "portal.views.failed"

# What programs and staff use has one address and speaks English.
urlpatterns = [
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
    path("metrics", metrics, name="metrics"),
    path("api/v1/", include("arenas.api.urls")),
    path("api/v1/", include("ratings.api.urls")),
    # One way in for everybody: limits on guessing and the second factor hold for the admin too.
    path("admin/login/", views.admin_sign_in),
    path("admin/", admin.site.urls),
    path("accounts/deadlines/<str:token>.ics", deadlines, name="deadlines-feed"),
    path(".well-known/security.txt", views.security_contact, name="security-contact"),
    path("robots.txt", sitemaps.robots, name="robots"),
    path("sitemap.xml", sitemaps.index, name="sitemap"),
    path("sitemaps/pages.xml", sitemaps.pages, name="sitemap-pages"),
    path("sitemaps/tournaments-<int:year>.xml", sitemaps.tournaments, name="sitemap-tournaments"),
    path("sitemaps/players-<int:number>.xml", sitemaps.players, name="sitemap-players"),
]

# What people read says its language in the address: English stands without a prefix.
urlpatterns += i18n_patterns(
    path("", views.home, name="home"),
    path("search", views.search, name="search"),
    path("", include("ratings.urls.lists")),
    path("players/", include("ratings.urls.players")),
    path("tournaments/", include("ratings.urls.tournaments")),
    path("arenas/", include("arenas.urls")),
    path("accounts/sessions", sessions.sessions, name="sessions"),
    path("accounts/notifications", notifications.notifications, name="notifications"),
    path("accounts/notifications/off/<str:token>", notifications.off, name="notifications-off"),
    path("accounts/", include("allauth.urls")),
    path("desk/tournaments/", include("ratings.urls.desk")),
    path("desk/fees/", include("ratings.urls.fees")),
    path("desk/players/changes/", include("ratings.urls.changes")),
    path("", include("players.urls")),
    path("", include("tournaments.urls")),
    prefix_default_language=False,
)
