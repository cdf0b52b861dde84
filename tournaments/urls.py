"""The desk of officers, the QC and staff. `desk` is its first page, the others stand in the namespace `desk`."""

from __future__ import annotations

from django.urls import include, path

from tournaments.views import desk, fixes, qc, registration, reports, tournament

pages = [
    path("tournaments/", desk.tournaments, name="tournaments"),
    path("tournaments/new", registration.register, name="register"),
    path("tournaments/<str:event_id>/", tournament.detail, name="tournament"),
    path("tournaments/<str:event_id>/change", registration.change, name="change"),
    path("tournaments/<str:event_id>/withdraw", registration.withdraw, name="withdraw"),
    path("tournaments/<str:event_id>/report", reports.upload, name="upload"),
    path("tournaments/<str:event_id>/reports/<int:version>/", reports.detail, name="report"),
    path("tournaments/<str:event_id>/reports/<int:version>/accept", reports.accept, name="accept"),
    path("tournaments/<str:event_id>/reports/<int:version>/file", reports.download, name="report-file"),
    path("tournaments/<str:event_id>/reports/<int:version>/fix", fixes.fix, name="fix"),
    path(
        "tournaments/<str:event_id>/reports/<int:version>/to/<int:other>", fixes.difference, name="difference"
    ),
    path("qc/", qc.queue, name="qc"),
    path("qc/<str:event_id>/", qc.decision, name="decision"),
]

urlpatterns = [
    path("desk/", desk.overview, name="desk"),
    path("desk/", include((pages, "desk"))),
]
