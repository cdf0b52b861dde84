"""Mails on decisions, questions and appeals: once an event and recipient, and to nobody else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils.translation import override

from core.errors import RefusedError
from players import cases, notices
from players.choices import CaseState
from players.models import Notice
from portal.models import User
from tests import make
from tournaments.action_mails import tell
from tournaments.appeals import AppealRequest, lodge_appeal
from tournaments.choices import Action
from tournaments.conditions import Conditions
from tournaments.holds import place_hold, release_hold
from tournaments.information_requests import ask_for_information
from tournaments.models import Appeal, InformationRequest, Tournament
from tournaments.qc import decide
from tournaments.registration import register_tournament

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)
CAST = {
    "officer": ("officer", "SUI"),
    "deputy": ("deputy", "SUI"),
    "arbiter": ("arbiter", "SUI"),
    "stranger": ("officer", "AUT"),
    "qc": ("qc", ""),
    "staff": ("staff", ""),
    "council": ("council", ""),
    "auditor": ("auditor", ""),
}


@pytest.fixture
def cast(db: None) -> dict[str, User]:
    people = {}
    for name, (role, code) in CAST.items():
        federation = make.federation(code=code) if code else None
        user = make.user(email=f"{name}@example.org")
        people[name] = make.appointment(user=user, role=role, federation=federation).user
    return people


@pytest.fixture
def tournament(cast: dict[str, User]) -> Tournament:
    made = make.tournament(event_id="SUI-MAIL", name="Harbour Rapid", start=date(2026, 2, 20))
    make.play(made, [], [])
    made.refresh_from_db()
    return made


def receivers() -> list[str]:
    return sorted(name.partition("@")[0] for name in Notice.objects.values_list("recipient", flat=True))


def put_back(tournament: Tournament, registration: str) -> Tournament:
    Tournament.objects.filter(pk=tournament.pk).update(registration=registration, stage="planned")
    tournament.refresh_from_db()
    return tournament


def decided(action: Action, registration: str) -> Callable[[Tournament, dict[str, User]], Any]:
    return lambda made, cast: decide(
        put_back(made, registration), action, reason="By the minutes.", by=cast["qc"], at=AT
    )


def asked(made: Tournament, cast: dict[str, User]) -> InformationRequest:
    return ask_for_information(made, "Send the papers.", due_on=AT.date(), by=cast["qc"], on=AT.date(), at=AT)


def answered(made: Tournament, cast: dict[str, User]) -> None:
    request = asked(made, cast)
    Notice.objects.all().delete()
    cases.decide(
        request, CaseState.APPROVED, answer="In the post.", by=cast["officer"], at=AT + timedelta(hours=1)
    )


def questioned(made: Tournament, cast: dict[str, User]) -> None:
    place_hold(made, reason="Four minutes a game?", by=cast["staff"], at=AT)


def cleared(made: Tournament, cast: dict[str, User]) -> None:
    questioned(made, cast)
    Notice.objects.all().delete()
    release_hold(made, reason="The clocks agree.", by=cast["qc"], at=AT)


def appealed(made: Tournament, cast: dict[str, User]) -> Appeal:
    decide(made, Action.NOT_RATE, reason="Two minutes.", by=cast["qc"], at=AT)
    Notice.objects.all().delete()
    return lodge_appeal(
        made, AppealRequest("facts", "It was 15+10.", "Club"), by=cast["officer"], at=AT + timedelta(days=1)
    )


def council(outcome: CaseState) -> Callable[[Tournament, dict[str, User]], Any]:
    def decide_it(made: Tournament, cast: dict[str, User]) -> None:
        appeal = appealed(made, cast)
        Notice.objects.all().delete()
        cases.decide(appeal, outcome, answer="The clocks.", by=cast["council"], at=AT + timedelta(days=2))

    return decide_it


def registered_late(made: Tournament, cast: dict[str, User]) -> None:
    wanted = Conditions(
        name="Late Rapid",
        federation_code="SUI",
        kind="rapid",
        base_seconds=900,
        increment_seconds=10,
        start=date(2026, 3, 3),
        end=date(2026, 3, 3),
        schedule=["2026-03-03"] * 5,
        late_reason="New hall",
    )
    register_tournament(wanted, by=cast["officer"], on=AT.date(), at=AT)


OFFICERS = ["deputy", "officer"]
EVENTS = [
    pytest.param(
        decided(Action.ALLOW, "waiting"), OFFICERS, "Registration approved: Harbour Rapid", id="allowed"
    ),
    pytest.param(
        decided(Action.REFUSE, "waiting"), OFFICERS, "Registration refused: Harbour Rapid", id="refused"
    ),
    pytest.param(
        decided(Action.NOT_RATE, "registered"), OFFICERS, "Not rated: Harbour Rapid", id="not rated"
    ),
    pytest.param(asked, OFFICERS, "The QC needs information: Harbour Rapid", id="asked"),
    pytest.param(answered, ["qc"], "Reply received: Harbour Rapid", id="answered"),
    pytest.param(questioned, [*OFFICERS, "qc"], "Report on hold: Harbour Rapid", id="questioned"),
    pytest.param(cleared, OFFICERS, "Hold released: Harbour Rapid", id="cleared"),
    pytest.param(appealed, ["council", "deputy"], "Appeal submitted: Harbour Rapid", id="appealed"),
    pytest.param(council(CaseState.APPROVED), OFFICERS, "Appeal upheld: Harbour Rapid", id="upheld"),
    pytest.param(council(CaseState.REFUSED), OFFICERS, "Appeal dismissed: Harbour Rapid", id="dismissed"),
    pytest.param(registered_late, ["qc"], "Decision needed: Late Rapid", id="late registration"),
]


@pytest.mark.parametrize(("event", "expected", "subject"), EVENTS)
def test_who_gets_a_mail(
    tournament: Tournament,
    cast: dict[str, User],
    event: Callable[[Tournament, dict[str, User]], Any],
    expected: list[str],
    subject: str,
) -> None:
    event(tournament, cast)

    assert receivers() == expected
    assert Notice.objects.filter(subject=subject).exists()


def test_each_officer_reads_the_decision_in_their_own_language(
    tournament: Tournament, cast: dict[str, User]
) -> None:
    User.objects.filter(pk=cast["officer"].pk).update(language="fr")

    with override("de"):
        decided(Action.REFUSE, "waiting")(tournament, cast)

    french = Notice.objects.get(user=cast["officer"])
    english = Notice.objects.get(user=cast["deputy"])
    assert (french.language, english.language) == ("fr", "en")
    assert french.subject == f"Déclaration refusée : {tournament.name}"
    assert english.subject == f"Registration refused: {tournament.name}"
    assert [f"{settings.SITE_URL}/fr/desk/" in row.text for row in (french, english)] == [True, False]


def test_told_again_nobody_gets_it_twice(tournament: Tournament, cast: dict[str, User]) -> None:
    decided(Action.REFUSE, "waiting")(tournament, cast)
    Notice.objects.update(attempts=1)

    step = tournament.log_entries.get()

    assert (tell(step), receivers()) == (0, OFFICERS)


def test_a_refused_decision_tells_nobody(tournament: Tournament, cast: dict[str, User]) -> None:
    with pytest.raises(RefusedError):
        decided(Action.ALLOW, "withdrawn")(tournament, cast)

    assert receivers() == []


def test_who_turned_decisions_off_gets_none(tournament: Tournament, cast: dict[str, User]) -> None:
    notices.save_wanted_kinds(cast["deputy"], wanted=["appeal"])

    decided(Action.ALLOW, "waiting")(tournament, cast)

    assert receivers() == ["officer"]


def test_an_official_events_mails_go_to_staff(tournament: Tournament, cast: dict[str, User]) -> None:
    Tournament.objects.update(is_official=True)
    tournament.refresh_from_db()

    asked(tournament, cast)

    assert receivers() == ["staff"]


def test_a_decision_not_to_rate_says_why_and_until_when_to_appeal(
    tournament: Tournament, cast: dict[str, User]
) -> None:
    decided(Action.NOT_RATE, "registered")(tournament, cast)

    text = Notice.objects.filter(recipient="officer@example.org").get().text
    assert text.startswith(f"{tournament.name} (SUI-MAIL)\n\n")
    assert "\n\nBy the minutes.\n\n" in text
    assert ("9 March 2026" in text, "24:00" in text) == (True, False)
    assert text.endswith("/desk/tournaments/SUI-MAIL/appeal/new")
