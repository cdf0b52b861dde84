"""Chief arbiters: added to a tournament by authorised users, with access until they are removed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from core.errors import RefusedError
from players.invitations import accept_invitation, invite
from players.models import Appointment, Federation, Invitation, Notice
from portal.models import User
from tests import make
from tests.desk.conftest import NOW
from tournaments.arbiters import MAX_NAMED, name_arbiter
from tournaments.models import NamedArbiter, Tournament
from tournaments.permissions import arbitrated_by, can_hand_over


def test_anonymous_user_is_no_chief_arbiter(played: Tournament) -> None:
    assert not can_hand_over(AnonymousUser(), played)


def test_officer_adds_and_removes_a_chief_arbiter(
    officer: Client, played: Tournament, holder: Appointment
) -> None:
    page = "/desk/tournaments/SUI-PLAYED/arbiters"

    for _ in range(2):
        officer.post(page, {"email": f" {holder.user.email.upper()} "})
    named = NamedArbiter.objects.get()
    is_named = can_hand_over(User.objects.get(pk=holder.user.pk), played)
    ended = officer.post(f"{page}/{named.pk}/end")
    Tournament.objects.update(stage="rated")
    late = officer.post(page, {"email": holder.user.email})

    assert (named.user, is_named, ended.status_code, late.status_code) == (holder.user, True, 302, 403)
    assert NamedArbiter.objects.count() == 0
    assert [(step.action, step.reason) for step in played.log_entries.all()] == [
        ("name", holder.user.email),
        ("unname", holder.user.email),
    ]
    assert Notice.objects.get().recipient == holder.user.email


def test_the_arbiter_of_the_registration_is_added_without_an_address(
    officer: Client, played: Tournament, holder: Appointment
) -> None:
    page = "/desk/tournaments/SUI-PLAYED/arbiters"
    Tournament.objects.update(chief_arbiter="MÜLLER, Anna")
    other = make.person("arbiter", "AUT")
    for user in (other, holder.user):
        User.objects.filter(pk=user.pk).update(last_name="Muller", first_name="Anna")

    shown = officer.get(page).context["known"]
    refused = officer.post(page, {"known": str(other.pk)})
    officer.post(page, {"known": str(shown.pk)})

    assert (shown, list(refused.context["form"].errors)) == (holder.user, ["email"])
    assert (NamedArbiter.objects.get().user, officer.get(page).context["known"]) == (holder.user, None)


@pytest.mark.database
def test_invited_arbiter_sends_a_report_after_accepting(officer: Client, played: Tournament) -> None:
    officer.post("/desk/tournaments/SUI-PLAYED/arbiters", {"email": "New@example.org"})
    chief = Appointment.objects.get(role="officer").user
    # The link of the first invitation was lost. The second one, to the same email address, is accepted.
    later = NOW + timedelta(minutes=1)
    invitation, _token = invite(
        "new@example.org", role="arbiter", federation=played.federation, by=chief, at=later
    )
    user = accept_invitation(invitation, first_name="N", last_name="E", password="x" * 20, at=later)

    assert Invitation.objects.count() == 2
    assert list(arbitrated_by(user)) == [played]


@pytest.mark.parametrize(("role", "is_named"), [("officer", True), ("deputy", False), ("staff", True)])
def test_deputies_add_only_users_with_the_arbiter_role(played: Tournament, role: str, is_named: bool) -> None:
    # A rating officer here, but an arbiter of another federation: not an arbiter of this one.
    other = make.person("arbiter", "AUT")
    make.appointment(user=other, role="deputy", federation=played.federation)

    answer = make.browser(role).post("/desk/tournaments/SUI-PLAYED/arbiters", {"email": other.email})

    assert (answer.status_code == 302, Invitation.objects.exists()) == (is_named, is_named)


@pytest.mark.parametrize("email", ["", "x", "a@b", "x" * 300 + "@example.org", "a\x00@example.org"])
def test_invalid_email_is_refused(officer: Client, played: Tournament, email: str) -> None:
    answer = officer.post("/desk/tournaments/SUI-PLAYED/arbiters", {"email": email})

    assert list(answer.context["form"].errors) == ["email"]


def test_number_of_chief_arbiters_is_limited(played: Tournament, swiss: Federation) -> None:
    chief = make.person("officer", swiss)
    for _ in range(MAX_NAMED):
        name_arbiter(played, make.person("arbiter", swiss).email, by=chief, at=NOW)

    with pytest.raises(RefusedError):
        name_arbiter(played, make.person("arbiter", swiss).email, by=chief, at=NOW)
