"""Fixtures of the desk: a signed-in client for each role, and a fixed clock."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from players.models import Appointment, Claim, Federation, LogEntry, Player
from portal.models import User
from tests.factories import (
    AppointmentFactory,
    ClaimFactory,
    FederationFactory,
    PlayerFactory,
    TournamentFactory,
    UserFactory,
    play,
)
from tests.trf_files import Event
from tournaments.models import HandedReport, NamedArbiter, Report, Tournament
from tournaments.services.changed_meanwhile import seen_of
from tournaments.services.reports import accept_report, upload_report

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
TODAY = NOW.date()
PLAYERS = [(1_300_001, "Alder, Ada"), (1_300_002, "Birch, Ben"), (1_300_003, "Cedar, Cleo")]
FORM = re.compile(
    r"/desk/tournaments/([^/]+)/(?:change|withdraw|reports/\d+/accept|handed/\d+/(?:take|back))$"
)
ARBITER_PAGE = "/desk/arbiter/SUI-PLAYED/"
HANDED = "/desk/tournaments/SUI-PLAYED/handed/1/"
REMARK = "Board 3 was a forfeit."
ADA = PLAYERS[0][0]
ROUNDS = [[(1, 2, "1-0")], [(2, 3, "1/2")], [(3, 1, "0-1")]]


class Desk(Client):
    """A client that sends a tournament's newest step with each form, unless the test sets `seen`."""

    def post(self, path: str, data: Any = None, *args: Any, **kwargs: Any) -> Any:
        event = FORM.match(path)
        if event and isinstance(data or {}, dict) and "seen" not in (data or {}):
            tournament = Tournament.objects.filter(event_id=event[1]).first()
            data = {**(data or {}), "seen": seen_of(tournament) if tournament else ""}
        return super().post(path, data, *args, **kwargs)


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the clock to Wednesday, 4 March 2026, 9:30 UTC."""
    monkeypatch.setattr(timezone, "now", lambda: NOW)


@pytest.fixture
def swiss(db: None) -> Federation:
    return FederationFactory(code="SUI", name="Switzerland")


@pytest.fixture
def austrian(db: None) -> Federation:
    return FederationFactory(code="AUT", name="Austria")


@pytest.fixture
def holder(swiss: Federation) -> Appointment:
    """Return an arbiter's role, without a tournament."""
    return AppointmentFactory(role="arbiter", federation=swiss)


@pytest.fixture
def signed_in(swiss: Federation, austrian: Federation) -> Callable[[str], Client]:
    """Return a function from a role to a client that is signed in with it."""

    def sign_in(role: str) -> Client:
        name, _, code = role.partition(" ")
        federation = {"AUT": austrian, "": swiss}[code]
        client = Desk()
        client.force_login(
            AppointmentFactory(role=name).user
            if name in ("qc", "staff", "council", "auditor")
            else AppointmentFactory(role=name, federation=federation).user
        )
        return client

    return sign_in


def seen(event_id: str = "SUI-PLAYED") -> dict[str, str]:
    """Return the newest step of a tournament, as a form opened now contains it."""
    return {"seen": seen_of(Tournament.objects.get(event_id=event_id))}


@pytest.fixture
def officer(signed_in: Callable[[str], Client]) -> Client:
    return signed_in("officer")


@pytest.fixture
def chair(signed_in: Callable[[str], Client]) -> Client:
    return signed_in("qc")


@pytest.fixture
def played(swiss: Federation) -> Tournament:
    """Return a finished tournament without a report."""
    for fide_id, name in PLAYERS:
        PlayerFactory(fide_id=fide_id, name=name, federation=swiss)
    return TournamentFactory(
        event_id="SUI-PLAYED",
        name="Open of Alphaville",
        federation=swiss,
        start=date(2026, 2, 28),
        end=date(2026, 3, 1),
    )


@pytest.fixture
def arbiter(holder: Appointment, played: Tournament) -> Client:
    """Return the client of the finished tournament's chief arbiter."""
    NamedArbiter.objects.create(tournament=played, user=holder.user, named_at=NOW)
    client = Client()
    client.force_login(holder.user)
    return client


@pytest.fixture
def games() -> bytes:
    """Return the games of the finished tournament as PGN."""
    return Event(PLAYERS, ROUNDS).pgn()


@pytest.fixture
def report_of() -> Callable[..., bytes]:
    """Return a function that writes a valid report of the finished tournament, with optional changes."""

    def write(**changes: object) -> bytes:
        facts: dict[str, object] = {
            "rounds": ROUNDS,
            "start": "2026/02/28",
            "end": "2026/03/01",
            "round_dates": ["26/02/28"] * 3,
        }
        return Event(PLAYERS, **(facts | changes)).content()  # type: ignore[arg-type]

    return write


def not_rated(tournament: Tournament, *, days_ago: int) -> None:
    """Let the QC decide not to rate a tournament, some days before now."""
    Tournament.objects.update(registration="not-rated")
    LogEntry.objects.create(
        area="tournament",
        tournament=tournament,
        action="not-rate",
        after="not-rated",
        reason="Two minutes a player.",
        at=NOW - timedelta(days=days_ago),
    )


def sent(content: bytes, name: str = "open.trf") -> dict[str, Any]:
    """Return the form with which an arbiter sends a file to be checked."""
    return {"report": SimpleUploadedFile(name, content)}


@pytest.fixture
def handed(arbiter: Client, report_of: Callable[..., bytes]) -> HandedReport:
    """Return a report sent by the arbiter."""
    arbiter.post(ARBITER_PAGE, sent(report_of()))
    arbiter.post(f"{HANDED}over", {"remark": REMARK})
    return HandedReport.objects.get()


@pytest.fixture
def checked(played: Tournament, report_of: Callable[..., bytes]) -> Report:
    return upload_report(played, report_of(), file_name="open.trf", by=None, on=TODAY, at=NOW)


@pytest.fixture
def accepted(checked: Report) -> Report:
    return accept_report(checked, acknowledgement="Checked.", by=None, on=TODAY, at=NOW)


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def ada(played: Tournament) -> User:
    """Return an account without a role, with a confirmed email."""
    user: User = UserFactory(email="ada@chess.example", first_name="Ada", last_name="Alder")
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


@pytest.fixture
def reported(played: Tournament) -> Tournament:
    players = [Player.objects.get(pk=fide_id) for fide_id, _name in PLAYERS]
    play(played, players, [(1, 1, 2, "1-0"), (2, 2, 3, "1/2"), (3, 3, 1, "0-1")])
    return played


def claimed(user: User, fide_id: int = ADA, state: str = "approved") -> Claim:
    """Let an account claim the record of a player."""
    made: Claim = ClaimFactory(
        player=Player.objects.get(pk=fide_id), asked_by=user, state=state, asked_at=NOW
    )
    return made


@pytest.fixture
def begun(swiss: Federation) -> Tournament:
    """Return a tournament that starts today."""
    tournament: Tournament = TournamentFactory(
        event_id="SUI-1",
        name="Spring Rapid",
        city="Alphaville",
        federation=swiss,
        start=date(2026, 3, 4),
        end=date(2026, 3, 5),
        schedule=["2026-03-04"] * 5 + ["2026-03-05"] * 4,
    )
    return tournament
