from __future__ import annotations

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from api.root import RootView
from desk.calendar import deadlines
from portal import health
from portal.accounts import data, language, notifications, sessions, sign_up
from portal.admin_sign_in import admin_sign_in
from portal.metrics import metrics
from portal.security_contact import security_contact
from public.urls import machine_patterns

handler400 = "portal.failed_requests.bad_request"
handler403 = "portal.failed_requests.permission_denied"
handler404 = "portal.failed_requests.not_found"
handler500 = "portal.failed_requests.answer_failure"

# What programs use has one address and speaks English.
urlpatterns = [
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
    path("metrics", metrics, name="metrics"),
    path("api/v1", RootView.as_view()),
    path("api/v1/", include("api.urls")),
    path("accounts/deadlines/<str:token>.ics", deadlines, name="deadlines-feed"),
    path(".well-known/security.txt", security_contact, name="security-contact"),
    *machine_patterns,
]

# Pages have their language in the address: English has no prefix.
urlpatterns += i18n_patterns(
    path("accounts/signup/", sign_up.sign_up, name="sign-up"),
    path("accounts/signup/<str:token>/", sign_up.confirm_sign_up, name="sign-up-confirm"),
    path("accounts/sessions/", sessions.sessions, name="sessions"),
    path("accounts/data", data.personal_data, name="personal-data"),
    path("accounts/language", language.choose_language, name="language"),
    path("accounts/as-before", sessions.sign_in_as_before, name="sign-in-as-before"),
    path("accounts/notifications", notifications.notifications, name="notifications"),
    path("accounts/notifications/off/<str:token>", notifications.turn_off_mail, name="notifications-off"),
    path("accounts/", include("allauth.urls")),
    path("desk/", include("desk.urls")),
    # One sign-in page for all: its limits and the second factor apply to the admin too.
    path("admin/login/", admin_sign_in),
    # The addresses of the audit log before it was one table; entries of tournaments have kept their numbers.
    re_path(
        r"^admin/tournaments/(?:trail|audit)entry/(?P<rest>.*)$",
        RedirectView.as_view(url="/admin/players/logentry/%(rest)s", query_string=True),
    ),
    path("admin/", admin.site.urls),
    path("", include("public.urls")),
    prefix_default_language=False,
)
