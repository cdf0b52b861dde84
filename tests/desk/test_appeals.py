"""The appeals that FIDE Council decides."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests import make
from tests.desk.conftest import NOW, not_rated
from tournaments.models import Appeal, Tournament


@pytest.mark.parametrize(("role", "may_decide"), [("council", True), ("auditor", False)])
def test_open_appeals_come_before_the_decided_ones(played: Tournament, role: str, may_decide: bool) -> None:
    for days_ago in (3, 4):
        not_rated(played, days_ago=days_ago)
    decided = {"decided_at": NOW, "answer": "The clocks."}
    rows = [
        Appeal.objects.create(
            tournament=played,
            decision=decision,
            communicated_on=decision.at.date(),
            ground="facts",
            reason="It was played.",
            organiser="Club",
            asked_at=NOW - timedelta(days=1),
            state=state,
            **(decided if state != "waiting" else {}),
        )
        for decision, state in zip(played.log_entries.all(), ("waiting", "refused"), strict=True)
    ]

    client = make.browser(role)
    shown = client.get("/desk/appeals/", follow=True).context
    tasks = [one.code for one in client.get("/desk/").context["work"]]

    assert [task.page for task in shown["waiting" if may_decide else "others"]] == [
        f"/desk/cases/{rows[0].number}/"
    ]
    assert list(shown["decided"]) == rows[1:]
    assert ("appeal" in tasks) == may_decide
