"""Invitations, appointments and the sessions that they end, in the browser's terms."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Appointment, Federation, Invitation, Notice
from tests import make
from tests.codes import codes_of_answer, codes_of_messages


def test_a_second_click_sends_no_second_mail(officer: Client) -> None:
    data = {"email": "dora@example.org", "role": "deputy", "federation": "SUI"}

    answers = [officer.post("/desk/people/", data).status_code for _ in range(2)]
    counts = (Invitation.objects.count(), Notice.objects.count())
    Invitation.objects.update(invited_at=timezone.now() - timedelta(minutes=1))
    officer.post("/desk/people/", data)

    assert (answers, counts) == ([302, 302], (1, 1))
    # Later it is meant: the new link takes the place of the former.
    assert (Invitation.objects.filter(revoked_at=None).count(), Notice.objects.count()) == (1, 2)


def test_invitations_are_limited_and_the_limit_is_named(officer: Client) -> None:
    pages = [
        officer.post(
            "/desk/people/", {"email": f"x{number}@example.org", "role": "deputy", "federation": "SUI"}
        )
        for number in range(21)
    ]

    assert [page.status_code for page in pages] == [302] * 20 + [200]
    assert codes_of_answer(pages[-1]) == {"email": ["too-many-invitations"]}
    Invitation.objects.update(invited_at=timezone.now() - timedelta(hours=2))
    later = {"email": "y@example.org", "role": "deputy", "federation": "SUI"}
    assert officer.post("/desk/people/", later).status_code == 302


def test_an_officer_of_one_federation_finds_it_chosen(officer: Client) -> None:
    one = officer.get("/desk/people/").context["form"]["federation"].value()
    Appointment.objects.create(
        user=Appointment.objects.get().user, role="officer", federation=make.federation(code="AUT")
    )
    browser = make.browser(Appointment.objects.earliest("pk").user)

    assert (one, browser.get("/desk/people/").context["form"]["federation"].value()) == ("SUI", None)


def test_staff_see_federations_for_which_somebody_acts(db: None) -> None:
    staff = make.browser("staff")
    for code in ("SUI", "AUT", "GER"):
        make.federation(code=code)
    before = [*staff.get("/desk/people/").context["federations"]]
    make.person("officer", "SUI")
    Federation.objects.filter(pk="AUT").update(officer_name="Alder, Ada")

    after = [one.code for one in staff.get("/desk/people/").context["federations"]]

    assert (before, sorted(after)) == ([], ["AUT", "SUI"])


@pytest.mark.parametrize("page", ["/desk/", "/desk/people/", "/desk/players/new"])
def test_the_desk_is_marked_where_one_is(officer: Client, page: str) -> None:
    current = b"page" if page == "/desk/" else b"true"
    assert b'href="/desk/" aria-current="%s">' % current in officer.get(page).content


@pytest.mark.parametrize("role", ["officer", "staff", "qc"])
def test_an_officer_gives_no_higher_role(officer: Client, role: str) -> None:
    data = {"email": "x@example.org", "role": role, "federation": "SUI"}

    assert officer.post("/desk/people/", data).status_code == 200
    assert Invitation.objects.count() == 0


def test_sessions_end_with_an_appointment(officer: Client) -> None:
    deputy = make.appointment(role="deputy", federation=make.federation(code="SUI"))
    browser = make.browser(deputy.user)

    before = browser.get("/desk/").status_code
    officer.post(f"/desk/people/appointments/{deputy.pk}/end")

    assert (before, browser.get("/desk/").status_code) == (200, 302)


def test_ending_an_appointment_is_confirmed_on_a_page(officer: Client) -> None:
    deputy = make.appointment(role="deputy", federation=make.federation(code="SUI"))
    address = f"/desk/people/appointments/{deputy.pk}/end"
    people = officer.get("/desk/people/").content.decode()

    asked = officer.get(address)

    assert (f'href="{address}"' in people, f'action="{address}"' in people) == (True, False)
    assert f'<form class="form" method="post" action="{address}">' in asked.content.decode()
    assert Appointment.objects.filter(pk=deputy.pk).exists()
    assert officer.post(address)["Location"] == "/desk/people/"
    assert not Appointment.objects.filter(pk=deputy.pk).exists()
    assert officer.get(address)["Location"] == "/desk/people/"


@pytest.mark.parametrize("role", ["officer", "staff"])
def test_own_appointment_is_neither_offered_to_be_ended_nor_ended(role: str, db: None) -> None:
    own = make.appointment(role=role, federation=make.federation(code="SUI") if role == "officer" else None)
    browser = make.browser(own.user)
    address = f"/desk/people/appointments/{own.pk}/end"

    page = browser.get("/desk/people/").content.decode()
    answer = browser.post(address)

    assert address not in page
    assert codes_of_messages(answer) == ["own-appointment"]
    assert Appointment.objects.filter(pk=own.pk).exists()
