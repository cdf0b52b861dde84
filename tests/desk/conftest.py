"""Fixtures of the desk: a signed-in client for each role, and a fixed clock."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from players.models import Appointment, Claim, Federation, Player
from portal.models import User
from tests import make
from tests.trf_files import PLAYERS, ROUNDS, Event
from tournaments.changed_meanwhile import seen_of
from tournaments.models import HandedReport, NamedArbiter, Report, Tournament
from tournaments.reports import accept_report, upload_report

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
TODAY = NOW.date()
ARBITER_PAGE = "/desk/arbiter/SUI-PLAYED/"
HANDED = "/desk/tournaments/SUI-PLAYED/handed/1/"
REMARK = "Board 3 was a forfeit."
ADA = PLAYERS[0][0]


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the clock to Wednesday, 4 March 2026, 9:30 UTC."""
    monkeypatch.setattr(timezone, "now", lambda: NOW)


@pytest.fixture
def swiss(db: None) -> Federation:
    return make.federation(code="SUI", name="Switzerland")


@pytest.fixture
def austrian(db: None) -> Federation:
    return make.federation(code="AUT", name="Austria")


@pytest.fixture
def holder(swiss: Federation) -> Appointment:
    """Return an arbiter's role, without a tournament."""
    return make.appointment(role="arbiter", federation=swiss)


@pytest.fixture
def signed_in(swiss: Federation, austrian: Federation) -> Callable[[str], Client]:
    """Return `make.browser`, where both federations are there for it."""
    return make.browser


def seen(event_id: str = "SUI-PLAYED") -> dict[str, str]:
    """Return the newest step of a tournament, as a form opened now contains it."""
    return {"seen": seen_of(Tournament.objects.get(event_id=event_id))}


@pytest.fixture
def officer(swiss: Federation) -> Client:
    return make.browser("officer")


@pytest.fixture
def chair(swiss: Federation) -> Client:
    return make.browser("qc")


@pytest.fixture
def played(swiss: Federation) -> Tournament:
    """Return a finished tournament without a report."""
    for fide_id, name in PLAYERS:
        make.player(fide_id=fide_id, name=name, federation=swiss)
    return make.tournament(
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
    return make.browser(holder.user)


@pytest.fixture
def games() -> bytes:
    """Return the games of the finished tournament as PGN."""
    return Event(PLAYERS, ROUNDS).pgn()


def report_of(**changes: object) -> bytes:
    """Return a valid report of the finished tournament, with optional changes."""
    facts: dict[str, object] = {
        "rounds": ROUNDS,
        "start": "2026/02/28",
        "end": "2026/03/01",
        "round_dates": ["26/02/28"] * 3,
    }
    return Event(PLAYERS, **(facts | changes)).content()  # type: ignore[arg-type]


def not_rated(tournament: Tournament, *, days_ago: int) -> None:
    """Let the QC decide not to rate a tournament, some days before now."""
    Tournament.objects.update(registration="not-rated")
    make.step(
        tournament, "not-rate", "not-rated", reason="Two minutes a player.", at=NOW - timedelta(days=days_ago)
    )


def sent(content: bytes, name: str = "open.trf") -> dict[str, Any]:
    """Return the form with which an arbiter sends a file to be checked."""
    return {"report": SimpleUploadedFile(name, content)}


@pytest.fixture
def handed(arbiter: Client) -> HandedReport:
    """Return a report sent by the arbiter."""
    arbiter.post(ARBITER_PAGE, sent(report_of()))
    arbiter.post(f"{HANDED}over", {"remark": REMARK})
    return HandedReport.objects.get()


@pytest.fixture
def checked(played: Tournament) -> Report:
    return upload_report(played, report_of(), file_name="open.trf", by=None, on=TODAY, at=NOW)


@pytest.fixture
def accepted(checked: Report) -> Report:
    return accept_report(checked, acknowledgement="Checked.", by=None, on=TODAY, at=NOW)


browser = make.browser


@pytest.fixture
def ada(played: Tournament) -> User:
    """Return an account without a role, with a confirmed email."""
    user = make.user(email="ada@chess.example", first_name="Ada", last_name="Alder")
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


@pytest.fixture
def reported(played: Tournament) -> Tournament:
    players = [Player.objects.get(pk=fide_id) for fide_id, _name in PLAYERS]
    make.play(played, players, [(1, 1, 2, "1-0"), (2, 2, 3, "1/2"), (3, 3, 1, "0-1")])
    return played


def claimed(user: User, fide_id: int = ADA, state: str = "approved") -> Claim:
    """Let an account claim the record of a player."""
    return make.claim(player=Player.objects.get(pk=fide_id), asked_by=user, state=state, asked_at=NOW)


@pytest.fixture
def begun(swiss: Federation) -> Tournament:
    """Return a tournament that starts today."""
    return make.tournament(
        event_id="SUI-1",
        name="Spring Rapid",
        city="Alphaville",
        federation=swiss,
        start=date(2026, 3, 4),
        end=date(2026, 3, 5),
        schedule=["2026-03-04"] * 5 + ["2026-03-05"] * 4,
    )
