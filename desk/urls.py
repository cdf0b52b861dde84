"""The addresses of people with a role, all under `/desk/`."""

from __future__ import annotations

from django.urls import include, path

from desk import (
    appeals,
    calendar,
    chess,
    comparisons,
    fees,
    invoices,
    overview,
    people,
    qc,
    texts,
    tokens,
    trail,
    webhooks,
    workshop,
)
from desk.players import bulk, changes, claims, merge, register, titles
from desk.players import titles as player_arbiters
from desk.tournaments import (
    answer,
    arbiters,
    change,
    entries,
    files,
    fixes,
    handover,
    objections,
    reports,
    rules,
    tournament,
)
from desk.tournaments import bulk as tournament_bulk
from desk.tournaments import register as tournament_register
from ratings import converters as _converters  # noqa: F401 registers the path converters

pages = [
    path("tournaments/", tournament.tournaments, name="tournaments"),
    path("tournaments/new", tournament_register.register, name="register"),
    path("tournaments/rules", rules.typed_rules, name="typed-rules"),
    path("tournaments/bulk", tournament_bulk.bulk, name="bulk"),
    path("tournaments/bulk.csv", tournament_bulk.template, name="bulk-template"),
    path("tournaments/<str:event_id>/", tournament.detail, name="tournament"),
    path("tournaments/<str:event_id>/change", change.change, name="change"),
    path("tournaments/<str:event_id>/withdraw", change.withdraw, name="withdraw"),
    path("tournaments/<str:event_id>/entries", entries.entries, name="entries"),
    path("tournaments/<str:event_id>/report", reports.upload, name="upload"),
    path("tournaments/<str:event_id>/reports/<int:version>/", reports.detail, name="report"),
    path("tournaments/<str:event_id>/reports/<int:version>/accept", reports.accept, name="accept"),
    path("tournaments/<str:event_id>/reports/<int:version>/file", reports.download, name="report-file"),
    path("tournaments/<str:event_id>/reports/<int:version>/choose", fixes.choose, name="choose"),
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
    path("tournaments/<str:event_id>/files", files.files, name="files"),
    path("tournaments/<str:event_id>/files/<int:number>", files.download, name="file"),
    path("tournaments/<str:event_id>/why", tournament.why, name="why"),
    path("tournaments/<str:event_id>/objections/", objections.objections, name="objections"),
    path("tournaments/<str:event_id>/objections/<int:pk>/answer", objections.answer, name="answer-objection"),
    path("tournaments/<str:event_id>/answer", answer.answer, name="answer"),
    path("tournaments/<str:event_id>/appeal", appeals.appeal, name="appeal"),
    path("tournaments/<str:event_id>/appeal/new", appeals.lodge, name="lodge"),
    path("tournaments/<str:event_id>/appeal/files/<int:number>", appeals.download, name="appeal-file"),
    path("qc/", qc.queue, name="qc"),
    path("qc/<str:event_id>/", qc.decision, name="decision"),
    path("qc/<str:event_id>/note", qc.note, name="qc-note"),
    path("qc/<str:event_id>/ask", qc.ask, name="qc-ask"),
    path("qc/<str:event_id>/question", qc.question, name="qc-question"),
    path("qc/<str:event_id>/clear", qc.clear, name="qc-clear"),
    path("qc/<str:event_id>/request", qc.decide_on_request, name="qc-request"),
    path("qc/<str:event_id>/restore", qc.restore, name="qc-restore"),
    path("calendar/", calendar.calendar, name="calendar"),
    path("calendar/feed", calendar.feed, name="calendar-feed"),
    path("appeals/", appeals.queue, name="appeals"),
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/<int:pk>/revoke", tokens.revoke, name="revoke-token"),
    path("webhooks/", webhooks.webhooks, name="webhooks"),
    path("webhooks/<int:webhook_id>/", webhooks.webhook, name="webhook"),
    path("webhooks/<int:webhook_id>/test", webhooks.test, name="webhook-test"),
    path("webhooks/<int:webhook_id>/resume", webhooks.resume, name="webhook-resume"),
    path("webhooks/<int:webhook_id>/remove", webhooks.remove, name="webhook-remove"),
    path(
        "webhooks/<int:webhook_id>/deliveries/<int:delivery_id>/again", webhooks.again, name="webhook-again"
    ),
    path("texts/", texts.texts, name="texts"),
    path("texts/trials/<int:pk>/", texts.trial, name="trial"),
    path("texts/<int:pk>/revoke", texts.revoke_adoption, name="revoke-adoption"),
    path("workshop/", workshop.workshop, name="workshop"),
    path("workshop/compare", workshop.compare, name="compare-proposals"),
    path("workshop/<int:pk>/", workshop.proposal, name="proposal"),
    path("workshop/<int:pk>/share", workshop.share, name="share-proposal"),
    path("comparisons/", comparisons.comparisons, name="comparisons"),
    path("comparisons/<int:pk>/", comparisons.comparison, name="comparison"),
    path("trail/", trail.trail, name="trail"),
    path("trail.csv", trail.export, {"form": "csv"}, name="trail-csv"),
    path("trail.ndjson", trail.export, {"form": "ndjson"}, name="trail-ndjson"),
]
people_pages = [
    path("people/", people.people, name="people"),
    path("people/invitations/<int:invitation_id>/confirm", people.confirm, name="confirm"),
    path("people/invitations/<int:invitation_id>/withdraw", people.withdraw, name="withdraw"),
    path("people/appointments/<int:appointment_id>/end", people.end, name="end"),
    path("people/officers/<str:code>/", people.officer, name="officer"),
    path("players/new", register.register, name="register"),
    path("players/bulk", bulk.bulk, name="bulk"),
    path("players/bulk.csv", bulk.template, name="bulk-template"),
    path("players/applications/", register.applications, name="applications"),
    path("players/applications/<int:application_id>/decide", register.decide, name="decide"),
    path("players/changes/", changes.changes, name="changes"),
    path("players/changes/new", changes.ask, name="ask-change"),
    path("players/changes/<int:request_id>/withdraw", changes.withdraw, name="withdraw-change"),
    path("players/transfers/", changes.transfer_list, name="transfers"),
    path("players/transfers/<int:transfer_id>/answer", changes.answer_transfer, name="answer-transfer"),
    path("players/claims/", claims.claims, name="claims"),
    path("players/claims/<int:claim_id>/decide", claims.decide, name="decide-claim"),
    path("players/merge", merge.merge, name="merge"),
    path("players/merge/<int:pk>", merge.decide_merge, name="decide-merge"),
    path("players/titles", titles.titles, name="titles"),
    path("players/arbiters", player_arbiters.licences, name="arbiters"),
]
chess_pages = [
    path("", chess.mine, name="mine"),
    path("claim", chess.claim, name="claim"),
    path("claim/end", chess.end, name="end-claim"),
    path("hide", chess.hide, name="hide"),
    path("tournaments/<str:event_id>/", chess.result, name="result"),
    path("objections/<int:pk>/withdraw", chess.withdraw, name="withdraw-objection"),
]
previews = [
    path("<event_id:event_id>/reports/<int:version>/preview", reports.preview, name="preview"),
    path("<event_id:event_id>/handed/<int:number>/preview", handover.handed_preview, name="handed-preview"),
]
fee_pages = [
    path("", fees.statements, name="statements"),
    path("invoices/", invoices.invoices, name="invoices"),
    path("invoices.csv", invoices.invoices_csv, name="invoices-csv"),
    path("invoices/<int:number>/", invoices.invoice, name="invoice"),
    path("invoices/<int:number>/pay", invoices.pay, name="pay"),
    path("invoices/<int:number>/cancel", invoices.cancel, name="cancel"),
    path("invoices/<int:number>/do/<slug:name>", invoices.act, name="act"),
    path("<kind:kind>/<day:day>/invoices", invoices.issue, name="issue"),
    path("<kind:kind>/<day:day>/<federation:code>/invoice", invoices.issue_one, name="issue-one"),
    path("<kind:kind>/<day:day>/<federation:code>/", fees.statement, name="statement"),
    path("<kind:kind>/<day:day>/<federation:code>.csv", fees.statement_csv, name="csv"),
]
decisions = [path("<int:request_id>/decide", changes.decide, name="decide")]
urlpatterns = [
    path("tournaments/", include((previews, "previews"))),
    path("chess/", include((chess_pages, "chess"))),
    path("fees/", include((fee_pages, "fees"))),
    path("players/changes/", include((decisions, "changes"))),
    path("", include((people_pages, "people"))),
    path("", overview.overview, name="desk"),
    path("", include((pages, "desk"))),
]
