"""The page of a case: seen by both sides, decided by who may, with a reason where one is needed."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from core.html.dates import day_text
from players.models import Application, Appointment, Case, Federation, MergeProposal, Player, Transfer
from portal.models import User
from tests import make
from tests.desk.conftest import NOW
from tests.growth import find_growing, pages_of
from tournaments.information_requests import ask_for_information

PAGE = "/desk/cases/"


def page_of(case: Case) -> str:
    return f"{PAGE}{case.number}/"


def page(client: Client, case: Case) -> str:
    return client.get(page_of(case)).content.decode()


def apply(federation: Federation, name: str, by: User) -> Application:
    """Store an application of somebody who resembles a player."""
    return make.application(federation, at=NOW, name=name, asked_by=by)


@pytest.fixture
def application(swiss: Federation) -> Application:
    return apply(swiss, "Elm, Eva", make.user())


@pytest.fixture
def transfer(swiss: Federation) -> Transfer:
    """Return the transfer of a Swiss player that Austria asked for."""
    player = make.player(federation=swiss)
    made = make.browser("officer AUT").post("/desk/players/transfers/", {"player": player.pk, "to": "AUT"})
    asked = Transfer.objects.get()
    assert made["Location"] == page_of(asked)
    return asked


def test_application_shows_the_age_band_of_a_minor_of_another_federation(
    swiss: Federation, officer: Client
) -> None:
    minor = make.player(federation__code="GER", birth_year=NOW.year - 12)
    Federation.objects.filter(pk="GER").update(hides_birth_years_of_minors=True)
    asked = make.application(swiss, at=NOW, likeness=minor, asked_by=make.user())

    shown = [str(one.get(page_of(asked)).context["birth"]) for one in (officer, make.browser("staff"))]

    assert shown == ["U12", str(minor.birth_year)]
    assert str(minor.birth_year) not in page(officer, asked)


@pytest.mark.parametrize(
    ("form", "state", "players"),
    [
        ({"verdict": "grant"}, "approved", 2),
        ({"verdict": "refuse", "reason": "The same person."}, "refused", 1),
        ({"verdict": "refuse", "reason": " "}, "waiting", 1),
        ({"verdict": "cancel"}, "waiting", 1),
        ({"reason": "The same person."}, "waiting", 1),
        ({"verdict": "x", "reason": "The same person."}, "waiting", 1),
    ],
)
def test_staff_decide_on_an_application(
    application: Application, form: dict[str, str], state: str, players: int
) -> None:
    staff = make.browser("staff")
    shown = staff.get(page_of(application)).context

    staff.post(page_of(application), form)

    assert (shown["may_decide"], shown["may_cancel"]) == (True, False)
    assert (Case.objects.get().state, Player.objects.count()) == (state, players)


def test_officer_sees_the_application_and_does_not_decide(application: Application, officer: Client) -> None:
    shown = officer.get(page_of(application)).context
    answer = officer.post(page_of(application), {"verdict": "grant"})

    assert (shown["may_decide"], shown["may_cancel"]) == (False, True)
    assert (answer.status_code, Case.objects.get().state) == (200, "waiting")
    assert make.browser("officer AUT").get(page_of(application)).status_code == 404


def test_federation_of_the_player_approves_a_transfer_once(officer: Client, transfer: Transfer) -> None:
    shown = officer.get(page_of(transfer)).context
    for _click in range(2):
        officer.post(page_of(transfer), {"verdict": "grant"})

    assert (shown["may_decide"], shown["may_cancel"]) == (True, False)
    assert (Case.objects.get().state, Player.objects.get().federation_id) == ("approved", "AUT")


def test_only_who_asked_cancels(officer: Client, transfer: Transfer) -> None:
    refused = officer.post(page_of(transfer), {"verdict": "cancel"})
    states = [Case.objects.get().state]
    make.browser("officer AUT").post(page_of(transfer), {"verdict": "cancel"})
    states.append(Case.objects.get().state)

    assert [one.code for one in refused.context["form"].non_field_errors().as_data()] == ["not-yours"]
    assert states == ["waiting", "withdrawn"]


def test_the_next_case_opens_by_itself(application: Application) -> None:
    going, staying = make.player(), make.player()
    values = {"player": going, "into": staying, "reason": "r", "asked_by": make.user(), "asked_at": NOW}
    merge = MergeProposal.objects.create(**values)
    staff = make.browser("staff")

    first = staff.post(page_of(application), {"verdict": "refuse", "reason": "The same person."})
    second = staff.post(page_of(merge), {"verdict": "refuse", "reason": "Two persons."})

    assert (first["Location"], second["Location"]) == (page_of(merge), "/desk/")


def test_the_next_case_is_one_that_the_user_may_decide(application: Application) -> None:
    staff = make.browser("staff")
    apply(application.federation, "Elm, Edda", Appointment.objects.get(role="staff").user)
    make.appointment(role="staff")

    done = staff.post(page_of(application), {"verdict": "refuse", "reason": "The same person."})

    assert (done["Location"], Case.objects.filter(state="waiting").count()) == ("/desk/", 1)


def test_both_sides_read_the_birth_date_until_the_decision(application: Application, officer: Client) -> None:
    staff = make.browser("staff")
    shown = [day_text(date(2010, 1, 1)) in page(one, application) for one in (officer, staff)]
    staff.post(page_of(application), {"verdict": "grant"})

    assert shown == [True, True]
    assert day_text(date(2010, 1, 1)) not in page(officer, application)


def test_that_days_of_birth_differ_is_for_staff_alone(swiss: Federation) -> None:
    officer = make.browser("officer")
    merge = MergeProposal.objects.create(
        player=make.player(federation=swiss),
        into=make.player(),
        reason="One person.",
        differences=[["birth_date", "", ""]],
        asked_by=Appointment.objects.get(role="officer", federation=swiss).user,
        asked_at=NOW,
    )

    seen = [one.get(page_of(merge)).context["differences"] for one in (officer, make.browser("staff"))]

    hidden = str(Player._meta.get_field("birth_date").verbose_name)
    assert [[row.subject for row in rows].count(hidden) for rows in seen] == [0, 1]


@pytest.mark.parametrize(
    ("former", "kind"),
    [
        ("players/applications/", "application"),
        ("players/changes/", "change"),
    ],
)
def test_former_addresses_lead_to_the_cases(officer: Client, former: str, kind: str) -> None:
    assert officer.get(f"/desk/{former}")["Location"] == f"{PAGE}?kind={kind}"
    assert officer.get(f"{PAGE}?kind=x").status_code == 404


def test_the_list_asks_no_more_queries_with_many_cases(officer: Client, swiss: Federation) -> None:
    def fill(rows: int) -> None:
        for number in range(rows):
            for state, at in (("waiting", None), ("refused", NOW)):
                make.application(
                    swiss,
                    at=NOW,
                    name=f"Elm, {number}",
                    likeness=make.player(),
                    state=state,
                    decided_at=at,
                    asked_by=make.user(),
                )

    assert find_growing(fill, pages_of(officer, PAGE)) == {}


def test_the_list_has_own_registrations_and_the_deadline_of_a_sent_report(
    officer: Client, swiss: Federation
) -> None:
    day = NOW.date()
    waiting = make.tournament(federation=swiss, registration="waiting", start=day, end=day)
    played = make.tournament(federation=swiss, start=day, end=day)
    make.hand_report(played, by=make.person("arbiter", swiss), at=NOW)

    page = officer.get(PAGE).context

    own, others = page["waiting"], page["others"]
    assert [(task.code, task.about) for task in own] == [("handed", played.name)]
    assert [(task.code, task.about) for task in others] == [("registration", waiting.name)]
    # A change of a registration that was approved is told from a new one.
    make.step(waiting, "change", "waiting", before="approved", at=NOW)
    changed = officer.get(PAGE).context["others"]
    assert [task.what == others[0].what for task in changed] == [False]
    assert all(task.deadline for task in (*own, *others))
    # What the QC asks about a registration is one row with it.
    ask_for_information(waiting, "Which hall?", due_on=day, by=make.user(), on=day, at=NOW)
    page = officer.get(PAGE).context
    assert {task.code for task in page["waiting"]} == {"handed", "information"}
    assert page["others"] == []
