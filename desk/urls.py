"""The URLs for users with a role, all under `/desk/`."""

from __future__ import annotations

from django.urls import include, path

from desk import (
    acts_on_lists,
    adjustments,
    arbiter,
    audit_log,
    calendar,
    cases,
    comparisons,
    dashboard,
    publication,
    tokens,
    webhooks,
)
from desk.chess import chess, claim
from desk.chess import tournament as own_tournament
from desk.fees import fees
from desk.people import officer, people
from desk.players import arbiters as player_arbiters
from desk.players import bulk, changes, club, duplicates, merge, register, titles, transfers
from desk.qc import case
from desk.texts import late, texts, trial
from desk.tournaments import (
    appeal,
    arbiters,
    change,
    entries,
    fide,
    files,
    fixes,
    for_players,
    handed,
    objections,
    preview,
    reports,
    results,
    tournament,
    tournaments,
    undo,
    upload,
    withdraw,
)
from desk.tournaments import bulk as tournament_bulk
from desk.tournaments import register as tournament_register
from ratings import converters as _converters  # noqa: F401 registers the path converters

pages = [
    path("tournaments/", tournaments.tournaments, name="tournaments"),
    path("tournaments/new", tournament_register.register, name="register"),
    path("tournaments/bulk", tournament_bulk.bulk, name="bulk"),
    path("tournaments/bulk.csv", tournament_bulk.template, name="bulk-template"),
    path("tournaments/<str:event_id>/", tournament.detail, name="tournament"),
    path("tournaments/<str:event_id>/change", change.change, name="change"),
    path("tournaments/<str:event_id>/undo", undo.undo, name="undo"),
    path("tournaments/<str:event_id>/withdraw", withdraw.withdraw, name="withdraw"),
    path("tournaments/<str:event_id>/entries", entries.entries, name="entries"),
    path("tournaments/<str:event_id>/report", upload.upload, name="upload"),
    path("tournaments/<str:event_id>/reports/<int:version>/", reports.detail, name="report"),
    path("tournaments/<str:event_id>/reports/<int:version>/accept", reports.accept, name="accept"),
    path("tournaments/<str:event_id>/reports/<int:version>/file", reports.download, name="report-file"),
    path("tournaments/<str:event_id>/reports/<int:version>/choose", fixes.choose, name="choose"),
    path("tournaments/<str:event_id>/reports/<int:version>/fix", fixes.fix, name="fix"),
    path(
        "tournaments/<str:event_id>/reports/<int:version>/to/<int:other>",
        reports.difference,
        name="difference",
    ),
    path("tournaments/<str:event_id>/arbiters", arbiters.arbiters, name="arbiters"),
    path("tournaments/<str:event_id>/arbiters/<int:pk>/end", arbiters.end, name="end-naming"),
    path("tournaments/<str:event_id>/handed/<int:number>/", handed.handed, name="handed"),
    path("tournaments/<str:event_id>/handed/<int:number>/choose", fixes.choose_handed, name="handed-choose"),
    path("tournaments/<str:event_id>/handed/<int:number>/fix", fixes.fix_handed, name="handed-fix"),
    path("tournaments/<str:event_id>/handed/<int:number>/file", handed.file, name="handed-file"),
    path("tournaments/<str:event_id>/handed/<int:number>/over", handed.send_report, name="hand-over"),
    path("tournaments/<str:event_id>/handed/<int:number>/take", handed.take_report, name="take-over"),
    path("tournaments/<str:event_id>/handed/<int:number>/back", handed.return_report, name="send-back"),
    path("arbiter/<str:event_id>/", arbiter.arbiter, name="arbiter"),
    path("tournaments/<str:event_id>/files", files.files, name="files"),
    path("tournaments/<str:event_id>/files/<int:number>", files.download, name="file"),
    path("tournaments/<str:event_id>/fide", fide.fide, name="fide"),
    path("tournaments/<str:event_id>/for-players", for_players.for_players, name="for-players"),
    path("tournaments/<str:event_id>/fide.zip", fide.archive, name="fide-archive"),
    path("tournaments/<str:event_id>/objections/", objections.objections, name="objections"),
    path("tournaments/<str:event_id>/objections/<int:pk>/answer", objections.answer, name="answer-objection"),
    path("tournaments/<str:event_id>/objections/<int:pk>/settle", objections.settle, name="settle-objection"),
    path("tournaments/<str:event_id>/results/", results.results, name="results"),
    path("corrections/<int:pk>/", cases.former, {"kind": "result"}),
    path("tournaments/<str:event_id>/answer", cases.of_tournament, {"kind": "information"}, name="answer"),
    path("tournaments/<str:event_id>/appeal", cases.of_tournament, {"kind": "appeal"}, name="appeal"),
    path("tournaments/<str:event_id>/appeal/new", appeal.lodge, name="lodge"),
    path("tournaments/<str:event_id>/appeal/files/<int:number>", appeal.download, name="appeal-file"),
    path("qc/", cases.former_queue, name="queue"),
    path("qc/<str:event_id>/", case.decision, name="decision"),
    path("qc/<str:event_id>/indicators", case.indicators, name="qc-indicators"),
    path("qc/<str:event_id>/note", case.note, name="qc-note"),
    path("qc/<str:event_id>/ask", case.ask, name="qc-ask"),
    # A hold was called a question once, its end a clearing: links to the addresses remain.
    path("qc/<str:event_id>/question", case.hold, name="qc-hold"),
    path("qc/<str:event_id>/clear", case.release, name="qc-release"),
    path("qc/<str:event_id>/request", case.decide_on_request, name="qc-request"),
    path("qc/<str:event_id>/restore", case.restore, name="qc-restore"),
    path("cases/", cases.cases, name="cases"),
    path("cases/<int:case_number>/", cases.case, name="case"),
    path("calendar/", calendar.calendar, name="calendar"),
    path("calendar/feed", calendar.feed, name="calendar-feed"),
    path("appeals/", cases.former, {"kind": "appeal"}),
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/<int:pk>/revoke", tokens.revoke, name="revoke-token"),
    path("webhooks/", webhooks.webhooks, name="webhooks"),
    path("webhooks/<int:webhook_id>/", webhooks.webhook, name="webhook"),
    path("webhooks/<int:webhook_id>/test", webhooks.test, name="webhook-test"),
    path("webhooks/<int:webhook_id>/resume", webhooks.resume, name="webhook-resume"),
    path("webhooks/<int:webhook_id>/remove", webhooks.remove, name="webhook-remove"),
    path(
        "webhooks/<int:webhook_id>/deliveries/<int:delivery_id>/again",
        webhooks.again,
        name="webhook-again",
    ),
    path("texts/", texts.texts, name="texts"),
    path("texts/trials/<int:pk>/", trial.trial, name="trial"),
    path("texts/late/", late.late, name="late"),
    path("texts/late/<int:pk>/", late.adoption, name="late-adoption"),
    path("texts/late/<int:pk>/confirm", acts_on_lists.decide, late.CONFIRM, name="confirm-adoption"),
    path("texts/late/<int:pk>/cancel", acts_on_lists.decide, late.CANCEL, name="cancel-adoption"),
    path("texts/<int:pk>/revoke", texts.revoke_adoption, name="revoke-adoption"),
    path("adjustments/", adjustments.adjustments, name="adjustments"),
    path("adjustments/<int:pk>/", adjustments.adjustment, name="adjustment"),
    path(
        "adjustments/<int:pk>/confirm", acts_on_lists.decide, adjustments.CONFIRM, name="confirm-adjustment"
    ),
    path("adjustments/<int:pk>/cancel", acts_on_lists.decide, adjustments.CANCEL, name="cancel-adjustment"),
    path("lists/", publication.publication, name="publication"),
    path("lists/<day:day>/", publication.before_publication, name="before-publication"),
    path("comparisons/", comparisons.comparisons, name="comparisons"),
    path("comparisons/<int:pk>/", comparisons.comparison, name="comparison"),
    path("trail/", audit_log.audit_log, name="audit-log"),
    path("trail.csv", audit_log.export, {"form": "csv"}, name="audit-log-csv"),
    path("trail.ndjson", audit_log.export, {"form": "ndjson"}, name="audit-log-ndjson"),
]
people_pages = [
    path("people/", people.people, name="people"),
    path("people/invitations/<int:invitation_id>/confirm", people.confirm, name="confirm"),
    path("people/invitations/<int:invitation_id>/withdraw", people.withdraw, name="withdraw"),
    path("people/appointments/<int:appointment_id>/end", people.end, name="end"),
    path("people/officers/<str:code>/", officer.officer, name="officer"),
    path("players/new", register.register, name="register"),
    path("players/club", club.club, name="club"),
    path("players/bulk", bulk.bulk, name="bulk"),
    path("players/bulk.csv", bulk.template, name="bulk-template"),
    path("players/bulk/<int:pk>/", bulk.register_import, name="register-import"),
    path("players/bulk/<int:pk>/left-out.csv", bulk.left_out, name="register-left-out"),
    path("players/applications/", cases.former, {"kind": "application"}),
    path("players/changes/", cases.former, {"kind": "change"}),
    path("players/changes/new", changes.ask, name="ask-change"),
    path("players/changes/<int:request_id>/decide", cases.former, {"kind": "change"}),
    path("players/transfers/", transfers.transfers, name="transfers"),
    path("players/claims/", cases.former, {"kind": "claim"}),
    path("players/claims/<int:claim_id>/decide", cases.former, {"kind": "claim"}),
    path("players/merge", merge.merge, name="merge"),
    path("players/duplicates", duplicates.duplicates, name="duplicates"),
    path("players/duplicates/decide", duplicates.decide, name="decide-pair"),
    path("players/titles", titles.titles, name="titles"),
    path("players/arbiters", player_arbiters.arbiters, name="arbiters"),
]
chess_pages = [
    path("", chess.chess, name="mine"),
    path("claim", claim.claim, name="claim"),
    path("claim/end", claim.end, name="end-claim"),
    path("hide", chess.hide, name="hide"),
    path("tournaments/<str:event_id>/", own_tournament.result, name="result"),
    path("objections/<int:pk>/withdraw", chess.withdraw, name="withdraw-objection"),
]
previews = [
    path("<event_id:event_id>/reports/<int:version>/preview", preview.preview, name="preview"),
    path("<event_id:event_id>/handed/<int:number>/preview", preview.handed_preview, name="handed-preview"),
]
fee_pages = [
    path("", fees.statements, name="statements"),
    path("invoices/", fees.former),
    path("invoices/<int:number>/", fees.former),
    path("<kind:kind>/<day:day>/<federation:code>/", fees.statement, name="statement"),
    path("<kind:kind>/<day:day>/<federation:code>.csv", fees.statement_csv, name="csv"),
]
urlpatterns = [
    path("tournaments/", include((previews, "previews"))),
    path("chess/", include((chess_pages, "chess"))),
    path("fees/", include((fee_pages, "fees"))),
    path("", include((people_pages, "people"))),
    path("", dashboard.dashboard, name="dashboard"),
    path("", include((pages, "desk"))),
]
