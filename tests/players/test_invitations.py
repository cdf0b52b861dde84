"""Invitations to roles: who may send, confirm, accept and withdraw them, and what is refused."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from players.appointments import end_appointment
from players.choices import CONFIRMED_ROLES
from players.invitations import (
    QUOTAS,
    accept_as,
    accept_invitation,
    confirm_invitation,
    invitation_of,
    invite,
    revoke_invitation,
)
from players.models import Appointment, Federation, Invitation
from tests import make
from tests.codes import refusal
from tests.shared import SharedRows

pytestmark = pytest.mark.page

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
LATER = NOW + timedelta(minutes=1)
SECRET = "x" * 20


@dataclass
class Office:
    """A federation with its rating officer, and two members of FIDE's staff."""

    swiss: Federation
    officer: Any
    staff: Any
    colleague: Any


@pytest.fixture(scope="module")
def built(rows_of_module: SharedRows) -> Office:
    with rows_of_module():
        swiss = make.federation(code="SUI", name="Switzerland")
        staff, colleague = (make.person("staff") for _number in range(2))
        return Office(swiss, make.person("officer", swiss), staff, colleague)


@pytest.fixture
def office(built: Office, db: None) -> Office:
    return deepcopy(built)


def to_arbiter(office: Office, email: str = "new@example.org", at: datetime = NOW) -> tuple[Invitation, str]:
    return invite(email, role="arbiter", federation=office.swiss, by=office.officer, at=at)


def to_fide(office: Office, role: str = "staff") -> tuple[Invitation, str]:
    return invite("new@example.org", role=role, federation=None, by=office.staff, at=NOW)


def test_nobody_invites_oneself_or_to_a_role_that_one_does_not_give(office: Office) -> None:
    with refusal() as oneself:
        to_arbiter(office, office.officer.email.upper())
    with refusal() as higher:
        invite("new@example.org", role="staff", federation=None, by=office.officer, at=NOW)

    assert (oneself.found, higher.found) == (["not-yourself"], ["not-yours-to-give"])


def test_who_has_the_role_is_not_invited_to_it(office: Office) -> None:
    arbiter = make.person("arbiter", office.swiss)

    with refusal() as refused:
        to_arbiter(office, arbiter.email.upper())

    assert refused.found == ["appointed-already"]


def test_second_invitation_replaces_the_first_but_not_within_a_moment(office: Office) -> None:
    _first, token = to_arbiter(office)
    with refusal() as refused:
        to_arbiter(office, at=NOW + timedelta(seconds=1))
    _second, later = to_arbiter(office, at=LATER)

    assert refused.found == ["invited-just-now"]
    assert invitation_of(token, at=LATER) is None
    assert invitation_of(later, at=LATER) is not None


def test_invitations_of_an_hour_are_limited(office: Office) -> None:
    most = QUOTAS[0][0]
    for number in range(most):
        to_arbiter(office, f"new{number}@example.org")

    with refusal() as refused:
        to_arbiter(office)

    assert refused.found == ["too-many-invitations"]


@pytest.mark.parametrize("role", CONFIRMED_ROLES)
def test_role_of_fide_is_confirmed_by_a_second_person_once(office: Office, role: str) -> None:
    invitation, token = to_fide(office, role)

    with refusal() as early:
        accept_as(invitation, user=make.user(email=invitation.email), at=LATER)
    with refusal() as oneself:
        confirm_invitation(invitation, by=office.staff, at=LATER)
    confirmed = confirm_invitation(invitation, by=office.colleague, at=LATER)
    with refusal() as twice:
        confirm_invitation(invitation, by=None, at=LATER, by_name="operator")

    assert (oneself.found, twice.found) == (["second-person"], ["invitation-closed"])
    assert early.found == twice.found
    assert [invitation_of(link, at=LATER) for link in (token, confirmed)] == [None, invitation]


def test_link_works_once_and_not_after_its_time(office: Office) -> None:
    invitation, token = to_arbiter(office)
    assert invitation_of(token, at=invitation.expires_at + timedelta(seconds=1)) is None

    names = {"first_name": "N", "last_name": "E", "password": SECRET}
    user = accept_invitation(invitation, **names, at=LATER)
    with refusal() as twice:
        accept_invitation(invitation, **names, at=LATER)
    with refusal() as again:
        accept_as(invitation, user=user, at=LATER)

    assert (twice.found, len(again.found)) == (["account-exists"], 1)
    assert Appointment.objects.filter(user=user, role="arbiter", federation=office.swiss).count() == 1


def test_invitation_is_accepted_by_whom_it_was_sent_to_alone(office: Office) -> None:
    invitation, _token = to_arbiter(office)

    with refusal() as refused:
        accept_as(invitation, user=make.user(email="other@example.org"), at=LATER)

    assert refused.found == ["sent-to-another"]


def test_who_confirmed_an_invitation_does_not_accept_it(office: Office) -> None:
    invitation, _token = to_fide(office)
    confirm_invitation(invitation, by=office.colleague, at=LATER)
    # The confirming person takes the address of the person invited.
    office.colleague.email = invitation.email

    with refusal() as refused:
        accept_as(invitation, user=office.colleague, at=LATER)

    assert refused.found == ["not-yourself"]


@pytest.mark.parametrize("way", ["role", "account"])
def test_invitation_of_somebody_who_no_longer_gives_the_role_appoints_nobody(
    office: Office, way: str
) -> None:
    invitation, token = to_arbiter(office)
    if way == "role":
        end_appointment(Appointment.objects.get(user=office.officer), by=office.staff, at=NOW)
    else:
        get_user_model().objects.filter(pk=office.officer.pk).update(is_active=False)

    with refusal() as refused:
        accept_as(Invitation.objects.get(), user=make.user(email=invitation.email), at=LATER)

    assert (refused.found, invitation_of(token, at=LATER)) == (["invitation-closed"], None)


def test_invitation_is_withdrawn_once_and_its_link_ends(office: Office) -> None:
    invitation, token = to_arbiter(office)

    withdrawn = [revoke_invitation(invitation, by=office.officer, at=LATER) for _call in range(2)]

    assert withdrawn == [True, False]
    assert invitation_of(token, at=LATER) is None


def test_role_is_taken_by_who_gives_it_once_and_never_from_oneself(office: Office) -> None:
    appointment = make.appointment(role="arbiter", federation=office.swiss)
    own = Appointment.objects.get(user=office.officer)

    with refusal() as oneself:
        end_appointment(own, by=office.officer, at=NOW)
    with refusal() as others:
        end_appointment(own, by=appointment.user, at=NOW)
    ended = [end_appointment(appointment, by=office.officer, at=NOW) for _call in range(2)]

    assert (oneself.found, others.found) == (["own-appointment"], ["not-yours-to-take"])
    assert ended == [True, False]
