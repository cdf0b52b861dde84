"""The desk of officers, the QC and staff. `desk` is its first page, the others stand in the namespace `desk`."""

from __future__ import annotations

from django.urls import include, path

from tournaments.views import (
    appeals,
    arbiters,
    bulk,
    calendar,
    desk,
    fixes,
    handover,
    information,
    qc,
    registration,
    reports,
    tokens,
    tournament,
    trail,
    why,
)

pages = [
    path("tournaments/", desk.tournaments, name="tournaments"),
    path("tournaments/new", registration.register, name="register"),
    path("tournaments/rules", registration.typed_rules, name="typed-rules"),
    path("tournaments/bulk", bulk.bulk, name="bulk"),
    path("tournaments/bulk.csv", bulk.template, name="bulk-template"),
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
    path("tournaments/<str:event_id>/arbiters", arbiters.arbiters, name="arbiters"),
    path("tournaments/<str:event_id>/arbiters/<int:pk>/end", arbiters.end, name="end-naming"),
    path("tournaments/<str:event_id>/handed/<int:number>/", handover.handed, name="handed"),
    path("tournaments/<str:event_id>/handed/<int:number>/file", handover.file, name="handed-file"),
    path("tournaments/<str:event_id>/handed/<int:number>/over", handover.over, name="hand-over"),
    path("tournaments/<str:event_id>/handed/<int:number>/take", handover.take, name="take-over"),
    path("tournaments/<str:event_id>/handed/<int:number>/back", handover.back, name="send-back"),
    path("arbiter/<str:event_id>/", handover.arbiter, name="arbiter"),
    path("tournaments/<str:event_id>/why", why.why, name="why"),
    path("tournaments/<str:event_id>/answer", information.answer, name="answer"),
    path("tournaments/<str:event_id>/appeal", appeals.appeal, name="appeal"),
    path("tournaments/<str:event_id>/appeal/new", appeals.lodge, name="lodge"),
    path("tournaments/<str:event_id>/appeal/files/<int:number>", appeals.download, name="appeal-file"),
    path("qc/", qc.queue, name="qc"),
    path("qc/<str:event_id>/", qc.decision, name="decision"),
    path("qc/<str:event_id>/note", qc.note, name="qc-note"),
    path("qc/<str:event_id>/ask", qc.ask, name="qc-ask"),
    path("qc/<str:event_id>/question", qc.question, name="qc-question"),
    path("qc/<str:event_id>/clear", qc.clear, name="qc-clear"),
    path("calendar/", calendar.calendar, name="calendar"),
    path("calendar/feed", calendar.feed, name="calendar-feed"),
    path("appeals/", appeals.queue, name="appeals"),
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/<int:pk>/revoke", tokens.revoke, name="revoke-token"),
    path("trail/", trail.trail, name="trail"),
    path("trail.csv", trail.export, {"form": "csv"}, name="trail-csv"),
    path("trail.ndjson", trail.export, {"form": "ndjson"}, name="trail-ndjson"),
]

urlpatterns = [
    path("desk/", desk.overview, name="desk"),
    path("desk/", include((pages, "desk"))),
]
