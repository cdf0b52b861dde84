"""Chief arbiters are named for a tournament, by those who may, and are its arbiters until that ends."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from core.errors import RefusedError
from players.models import Appointment, Federation, Invitation, Notice
from players.services.invitations import accept_invitation, invite
from portal.models import User
from tests.desk.conftest import NOW
from tests.factories import AppointmentFactory, FederationFactory
from tournaments.models import NamedArbiter, Tournament
from tournaments.permissions import arbitrated_by, can_hand_over
from tournaments.services.handover import MAX_NAMED, name_arbiter


def test_nobody_who_is_not_signed_in_is_an_arbiter(played: Tournament) -> None:
    assert not can_hand_over(AnonymousUser(), played)


def test_an_officer_names_an_arbiter_and_ends_that(
    officer: Client, played: Tournament, holder: Appointment
) -> None:
    page = "/desk/tournaments/SUI-PLAYED/arbiters"

    for _ in range(2):
        officer.post(page, {"email": f" {holder.user.email.upper()} "})
    named = NamedArbiter.objects.get()
    is_named = can_hand_over(User.objects.get(pk=holder.user.pk), played)
    ended = officer.post(f"{page}/{named.pk}/end")

    assert (named.user, is_named, ended.status_code) == (holder.user, True, 302)
    assert NamedArbiter.objects.count() == 0
    assert [(step.action, step.reason) for step in played.trail.all()] == [
        ("name", holder.user.email),
        ("unname", holder.user.email),
    ]
    assert Notice.objects.get().recipient == holder.user.email


def test_whoever_is_invited_hands_over_once_they_accepted(officer: Client, played: Tournament) -> None:
    officer.post("/desk/tournaments/SUI-PLAYED/arbiters", {"email": "New@example.org"})
    chief = Appointment.objects.get(role="officer").user
    # The link of the first invitation was lost; the second one, to the same address, is accepted.
    later = NOW + timedelta(minutes=1)
    invitation, _token = invite(
        "new@example.org", role="arbiter", federation=played.federation, by=chief, at=later
    )
    user = accept_invitation(invitation, first_name="N", last_name="E", password="x" * 20, at=later)

    assert Invitation.objects.count() == 2
    assert list(arbitrated_by(user)) == [played]


@pytest.mark.parametrize(("role", "is_named"), [("officer", True), ("deputy", False), ("staff", True)])
def test_deputies_name_those_alone_who_have_the_role(
    signed_in: Callable[[str], Client], played: Tournament, role: str, is_named: bool
) -> None:
    # An officer here, and an arbiter of another federation: no arbiter of this one.
    other = AppointmentFactory(role="arbiter", federation=FederationFactory(code="AUT")).user
    AppointmentFactory(user=other, role="deputy", federation=played.federation)

    answer = signed_in(role).post("/desk/tournaments/SUI-PLAYED/arbiters", {"email": other.email})

    assert (answer.status_code == 302, Invitation.objects.exists()) == (is_named, is_named)


@pytest.mark.parametrize("email", ["", "x", "a@b", "x" * 300 + "@example.org", "a\x00@example.org"])
def test_what_is_no_address_is_refused(officer: Client, played: Tournament, email: str) -> None:
    answer = officer.post("/desk/tournaments/SUI-PLAYED/arbiters", {"email": email})

    assert list(answer.context["form"].errors) == ["email"]


def test_so_many_are_named_and_no_more(played: Tournament, swiss: Federation) -> None:
    chief = AppointmentFactory(role="officer", federation=swiss).user
    for _ in range(MAX_NAMED):
        name_arbiter(
            played, AppointmentFactory(role="arbiter", federation=swiss).user.email, by=chief, at=NOW
        )

    with pytest.raises(RefusedError):
        name_arbiter(
            played, AppointmentFactory(role="arbiter", federation=swiss).user.email, by=chief, at=NOW
        )
