"""A lost second factor is reset by two people of staff, never by its owner (D-131), or by the operator."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.management import call_command
from django.test import Client

from players.choices import Deed
from players.models import LogEntry, Notice
from portal.accounts.lost_factor import VALID_FOR, ask_for_reset, confirm_reset, waiting_request
from portal.models import User
from tests import make
from tests.codes import refusal
from tests.conftest import NOW
from tests.log import acts

pytestmark = pytest.mark.django_db


def staff(name: str) -> User:
    user: User = make.appointment(role="staff", user__email=f"{name}@fide.example").user
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={})
    return user


@pytest.fixture
def people() -> tuple[User, User, User]:
    """Return who lost the second factor, who asks and who confirms."""
    lost, asks, confirms = (staff(name) for name in ("lost", "asks", "confirms"))
    Notice.objects.all().delete()
    return lost, asks, confirms


def test_two_people_reset_it_on_the_page_of_the_account(client: Client, people: tuple[User, ...]) -> None:
    lost, asks, confirms = people
    client.force_login(lost)
    own_session = client.get("/admin/").status_code
    page = f"/admin/portal/user/{lost.pk}/two-factor/"
    first, second = Client(), Client()
    first.force_login(asks)
    second.force_login(confirms)
    asked = first.post(page, {"reason": "Phone stolen"}, follow=True)
    mailed = sorted(Notice.objects.values_list("recipient", flat=True))
    alone = first.post(page, {"seen": LogEntry.objects.get(action=Deed.LOST).pk})
    shown = second.get(page)
    [seen] = re.findall(r'name="seen" value="(\d+)"', shown.content.decode())
    done = second.post(page, {"seen": seen})

    assert (own_session, asked.status_code, done.status_code) == (200, 200, 302)
    assert (alone.status_code, alone.context["button"]) == (200, "")
    assert shown.context["lead"].startswith(f"{asks} asked")
    assert mailed == ["confirms@fide.example", "lost@fide.example"]
    assert not Authenticator.objects.filter(user=lost).exists()
    assert Authenticator.objects.count() == 2
    found = acts(subject=lost.email).values_list("action", "by", "reason")
    assert list(found) == [(Deed.LOST, asks.pk, "Phone stolen"), (Deed.RESET, confirms.pk, "Phone stolen")]
    assert Notice.objects.filter(recipient=lost.email).count() == 2
    # Whoever was signed in signs in again.
    assert client.get("/admin/").status_code == 302


def test_the_one_who_lost_it_neither_asks_nor_confirms_d131(people: tuple[User, ...]) -> None:
    lost, asks, _ = people
    with refusal() as own:
        ask_for_reset(lost, reason="Phone stolen", by=lost, at=NOW)
    ask_for_reset(lost, reason="Phone stolen", by=asks, at=NOW)
    waiting = waiting_request(lost, at=NOW)
    assert waiting is not None
    with refusal() as by_owner:
        confirm_reset(lost, seen=waiting.pk, by=lost, at=NOW)
    with refusal() as by_asker:
        confirm_reset(lost, seen=waiting.pk, by=asks, at=NOW)

    assert [each.found for each in (own, by_owner, by_asker)] == [
        ["not-yours"],
        ["not-yours"],
        ["second-person"],
    ]


def test_a_request_is_confirmed_once_and_ends_after_a_week(people: tuple[User, ...]) -> None:
    lost, asks, confirms = people
    ask_for_reset(lost, reason="Phone stolen", by=asks, at=NOW)
    with refusal() as twice:
        ask_for_reset(lost, reason="Again", by=confirms, at=NOW + timedelta(hours=1))
    waiting = waiting_request(lost, at=NOW + VALID_FOR - timedelta(seconds=1))
    assert waiting is not None
    with refusal() as late:
        confirm_reset(lost, seen=waiting.pk, by=confirms, at=NOW + VALID_FOR)
    confirm_reset(lost, seen=waiting.pk, by=confirms, at=NOW + timedelta(days=1))
    Authenticator.objects.create(user=lost, type=Authenticator.Type.TOTP, data={})
    with refusal() as again:
        confirm_reset(lost, seen=waiting.pk, by=confirms, at=NOW + timedelta(days=2))

    assert (twice.found, late.found, again.found) == (["asked-already"], ["no-request"], ["no-request"])


@pytest.mark.parametrize("role", ["qc", "council", "auditor"])
def test_others_than_staff_do_not_reset_it(client: Client, people: tuple[User, ...], role: str) -> None:
    other = make.person(role)
    with refusal() as refused:
        ask_for_reset(people[0], reason="Phone stolen", by=other, at=NOW)
    client.force_login(other)

    assert refused.found == ["not-yours"]
    assert client.get(f"/admin/portal/user/{people[0].pk}/two-factor/").status_code in (302, 403)


def test_the_operator_resets_that_of_the_last_one(people: tuple[User, ...], capsys: Any) -> None:
    lost = people[0]
    with pytest.raises(SystemExit) as without_reason:
        call_command("reset_second_factor", "LOST@fide.example", reason=" ")
    call_command("reset_second_factor", "LOST@fide.example", reason="Phone stolen")
    with pytest.raises(SystemExit) as without_factor:
        call_command("reset_second_factor", "lost@fide.example", reason="Phone stolen")

    assert (without_reason.value.code, without_factor.value.code) == (1, 1)
    assert not Authenticator.objects.filter(user=lost).exists()
    act = LogEntry.objects.get(action=Deed.RESET)
    assert (act.by, act.by_name.endswith("(command)"), act.reason) == (None, True, "Phone stolen")
    assert list(Notice.objects.values_list("recipient", flat=True)) == [lost.email]
