"""People and players at the desk, and the link of an invitation."""

from __future__ import annotations

from django.urls import include, path

from players.views import bulk, changes, invitation, people, players, titles

pages = [
    path("people/", people.people, name="people"),
    path("people/invitations/<int:invitation_id>/withdraw", people.withdraw, name="withdraw"),
    path("people/appointments/<int:appointment_id>/end", people.end, name="end"),
    path("people/officers/<str:code>/", people.officer, name="officer"),
    path("players/new", players.register, name="register"),
    path("players/bulk", bulk.bulk, name="bulk"),
    path("players/bulk.csv", bulk.template, name="bulk-template"),
    path("players/applications/", players.applications, name="applications"),
    path("players/applications/<int:application_id>/decide", players.decide, name="decide"),
    path("players/changes/", changes.changes, name="changes"),
    path("players/changes/new", changes.ask, name="ask-change"),
    path("players/changes/<int:request_id>/withdraw", changes.withdraw, name="withdraw-change"),
    path("players/transfers/", players.transfer_list, name="transfers"),
    path("players/transfers/<int:transfer_id>/answer", players.answer_transfer, name="answer-transfer"),
    path("players/merge", players.merge, name="merge"),
    path("players/titles", titles.titles, name="titles"),
]

urlpatterns = [
    path("desk/", include((pages, "people"))),
    path("invitations/<str:token>/", invitation.invitation, name="invitation"),
]
