"""Withdrawing a published report is a decision not to rate (0.4), which may be appealed (D-87)."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.test import Client

from players import cases
from players.choices import CaseState
from players.models import Notice
from ratings.lists import read_lists
from ratings.models import Correction, CorrectionLine, RatingList
from ratings.verify.verify import verify_list
from tests import make
from tests.codes import refusal
from tests.ratings.alphaville import publish
from tournaments.appeals import AppealRequest, lodge_appeal
from tournaments.choices import ReportState
from tournaments.models import RequestedChange, Tournament
from tournaments.portal_reasons import SENTENCES
from tournaments.registration_changes import withdraw_registration
from tournaments.states import progress_of

pytestmark = [pytest.mark.page, pytest.mark.slow]

AT = datetime(2026, 2, 10, 9, tzinfo=UTC)
APPEAL = AppealRequest("facts", "It was 15+10.", "Club")


@pytest.fixture
def published(month: Any) -> Tournament:
    publish("2026-02-01")
    return Tournament.objects.get()


def withdraw(tournament: Tournament, by: Any = None) -> None:
    make.correct_report(tournament, None, reason="Two minutes.", by=by, on=AT.date(), at=AT)
    tournament.refresh_from_db()


def restore(tournament: Tournament) -> None:
    content = bytes(tournament.reports.get(state=ReportState.WITHDRAWN).content)
    make.correct_report(tournament, content, file_name="a", reason="It counts.", on=AT.date(), at=AT)
    tournament.refresh_from_db()


def test_d_87_withdrawing_is_a_communicated_decision_that_may_be_appealed(published: Tournament) -> None:
    officer = make.person("officer", published.federation)

    withdraw(published)

    step = published.log_entries.order_by("pk").last()
    assert step is not None
    assert (step.action, step.before, step.after) == (
        "not-rate",
        "published",
        "not-rated",
    )
    assert (published.stage, step.reason) == ("published", "Two minutes.")
    assert [notice.subject for notice in Notice.objects.filter(user=officer)][-1].startswith(
        "Report withdrawn"
    )
    assert progress_of(published, read_lists(), today=AT.date()).step.code == "appeal"
    assert lodge_appeal(published, APPEAL, by=officer, at=AT).state == CaseState.WAITING


def test_d_87_upheld_appeal_brings_the_report_back_as_a_correction(published: Tournament) -> None:
    withdraw(published)
    appeal = lodge_appeal(published, APPEAL, by=None, at=AT)
    member = make.person("council")

    cases.decide(appeal, CaseState.APPROVED, answer="The clocks.", by=member, at=AT)

    published.refresh_from_db()
    back = published.reports.get(state=ReportState.ACCEPTED)
    sums = {line.player_id: 0 for line in CorrectionLine.objects.all()}
    for line in CorrectionLine.objects.all():
        sums[line.player_id] += line.difference_hundredths
    assert (published.registration, published.stage) == ("approved", "published")
    assert bytes(back.content) == bytes(published.reports.get(state=ReportState.WITHDRAWN).content)
    assert list(Correction.objects.order_by("pk").values_list("reason", flat=True)) == [
        "Two minutes.",
        "The clocks.",
    ]
    assert set(sums.values()) == {0}


@pytest.mark.parametrize("state", [CaseState.WAITING, CaseState.REFUSED])
def test_d_87_what_council_has_or_dismissed_is_not_brought_back(
    published: Tournament, state: CaseState
) -> None:
    withdraw(published)
    appeal = lodge_appeal(published, APPEAL, by=None, at=AT)
    if state == CaseState.REFUSED:
        cases.decide(appeal, state, answer="No.", by=None, at=AT)

    with refusal() as error:
        restore(published)

    assert error.found == ["appealed-0.4"]


def test_d_87_report_brought_back_is_rated_again_and_called_corrected(
    published: Tournament, client: Client
) -> None:
    found = []
    for act in (withdraw, restore, withdraw):
        act(published)
        step = published.log_entries.latest("pk")
        page = client.get(f"/tournaments/{published.event_id}/").content.decode()
        # The newest comes first.
        found.append((published.registration, step.action, re.findall("Withdrawn on|Corrected on", page)[0]))

    withdrawn = ("not-rated", "not-rate", "Withdrawn on")
    assert found == [withdrawn, ("registered", "correct", "Corrected on"), withdrawn]


def test_d_87_official_event_is_not_withdrawn(published: Tournament) -> None:
    Tournament.objects.update(is_official=True)

    with refusal() as refused:
        withdraw(published)
    assert refused.found == ["official-0.3"]


def test_d_87_command_withdraws_by_a_decision_and_shows_the_effect_first(published: Tournament) -> None:
    told = ["correct_report", published.event_id, "--submitted-on", "2026-02-10"]

    shown = make.run(*told, "--reason", "Two minutes.", "--dry-run")
    before = Tournament.objects.get().registration
    done = make.run(*told, "--reason", "Two minutes.")
    with pytest.raises(make.RefusedCommandError):
        make.run(*told, "--reason", "Two minutes.")

    assert (shown["lines"], before) == (done["lines"], "registered")
    assert Tournament.objects.get().registration == "not-rated"
    publish("2026-03-01")
    assert [verify_list(item) for item in RatingList.objects.filter(date__gte=date(2026, 2, 1))] == [None] * 2


def test_d_81_request_that_waits_when_the_list_comes_is_closed_with_a_sentence(month: Any) -> None:
    tournament = Tournament.objects.get()
    officer = make.person("officer", tournament.federation)
    withdraw_registration(tournament, reason="Too few played.", by=officer, at=AT)

    publish("2026-02-01")

    tournament.refresh_from_db()
    request = RequestedChange.objects.get()
    assert (tournament.stage, request.state) == ("published", "refused")
    assert request.answer == SENTENCES.state("published-before")
    assert [step.action for step in tournament.log_entries.order_by("pk")][-2:] == ["publish", "deny"]
    assert "Request refused" in Notice.objects.filter(user=officer).latest("pk").subject
    assert progress_of(tournament, read_lists(), today=AT.date()).step.code == "published"
    assert verify_list(RatingList.objects.get(kind="rapid", date="2026-02-01")) is None
