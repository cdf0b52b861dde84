"""Data change requests: submitted with evidence, approved or refused by staff, with history (9.2, D-11)."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from core.html.dates import day_text
from players.models import ChangeRequest, Notice, Player
from ratings.models import Correction
from tests import make
from tests.desk.conftest import NOW
from tournaments.amendments import Datum

LIST, ASK = "/desk/cases/?kind=change", "/desk/players/changes/new"
NOT_HERS = "The certificate is of another person."
WHY = {"reason": "She married.", "evidence": "Marriage certificate, kept at the office."}

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> Player:
    return make.player(
        name="Alder, Ada",
        federation=make.federation(code="SUI"),
        sex="F",
        birth_year=1980,
        birth_date=date(1980, 5, 30),
    )


@pytest.fixture
def staff() -> Client:
    return make.browser("staff")


@pytest.fixture
def asked(officer: Client, ada: Player) -> ChangeRequest:
    officer.post(ASK, {"player": ada.pk, "surname": "Birch ", "birth_date": "1981-05-30", **WHY})
    return ChangeRequest.objects.get()


def page_of(request: ChangeRequest) -> str:
    return f"/desk/cases/{request.number}/"


@pytest.mark.slow
def test_approved_change_is_saved_with_correction_and_history(
    officer: Client, staff: Client, ada: Player, asked: ChangeRequest
) -> None:
    need = staff.get("/desk/").context["desk"].other_tasks[0]
    shown = staff.get(str(page_of(asked)))
    staff.post(str(page_of(asked)), {"verdict": "grant", "reason": "Certificate seen."})

    assert (need.code, need.about, str(need.page)) == ("change", "Alder, Ada", str(page_of(asked)))
    assert [(before, after) for _label, before, after in shown.context["changes"]] == [
        ("Alder, Ada", "Birch, Ada"),
        (1980, 1981),
        (day_text(date(1980, 5, 30)), day_text(date(1981, 5, 30))),
    ]
    ada.refresh_from_db()
    assert (ada.name, ada.birth_year, ada.birth_date) == ("Birch, Ada", 1981, date(1981, 5, 30))
    asked.refresh_from_db()
    assert (asked.state, asked.decided_at, asked.birth_date) == ("approved", NOW, None)
    correction = Correction.objects.get()
    assert correction.amendments == [
        Datum(field="name", before="Alder, Ada", after="Birch, Ada"),
        Datum(field="birth_year", before="1980", after="1981"),
    ]
    assert correction.reason == "Certificate seen."
    edited = ada.log_entries.get(action="edited")
    assert {"field": "name", "before": "Alder, Ada", "after": "Birch, Ada"} in edited.changes
    assert staff.get("/desk/").context["desk"].other_tasks == []
    told = Notice.objects.get()
    assert (told.recipient, told.key) == (asked.asked_by.email, f"change:{asked.pk}")
    assert (ada.name in told.subject, str(ada.pk) in told.subject) == (False, True)
    assert "Birch" in officer.get(LIST).content.decode()


def test_9_2_a_death_is_reported_by_the_officer_and_marked_by_staff(
    officer: Client, staff: Client, ada: Player
) -> None:
    officer.post(ASK, {"player": ada.pk, "died_on": "2026-02-20", **WHY})
    request = ChangeRequest.objects.get()
    before = Player.objects.get().died_on
    need = staff.get("/desk/").context["desk"].other_tasks[0]

    staff.post(page_of(request), {"verdict": "grant", "reason": "Notice of the federation."})

    assert (before, need.code) == (None, "change")
    assert Player.objects.get().died_on == date(2026, 2, 20)


def test_a_refusal_has_a_reason_and_changes_nothing(
    officer: Client, staff: Client, ada: Player, asked: ChangeRequest
) -> None:
    silent = staff.post(str(page_of(asked)), {"verdict": "refuse", "reason": " "})
    staff.post(str(page_of(asked)), {"verdict": "refuse", "reason": NOT_HERS})
    late = staff.post(str(page_of(asked)), {"verdict": "grant", "reason": "Seen."})

    asked.refresh_from_db()
    assert list(silent.context["form"].errors) == ["reason"]
    assert (asked.state, asked.answer) == ("refused", NOT_HERS)
    assert (late.status_code, Player.objects.get().name, Correction.objects.count()) == (302, "Alder, Ada", 0)
    assert NOT_HERS in Notice.objects.get().text
    assert NOT_HERS in officer.get(LIST).content.decode()


def test_change_made_in_the_meantime_is_not_approved_again(
    staff: Client, ada: Player, asked: ChangeRequest
) -> None:
    Player.objects.update(name="Birch, Ada", birth_year=1981, birth_date=date(1981, 5, 30))

    shown = staff.get(str(page_of(asked)))
    granted = staff.post(str(page_of(asked)), {"verdict": "grant", "reason": "Seen."})

    asked.refresh_from_db()
    assert [one.code for one in shown.context["against"]] == ["nothing-changes"]
    assert (list(granted.context["form"].errors), asked.state) == (["__all__"], "waiting")
    assert Notice.objects.count() == 0


WRONG: list[Any] = [
    pytest.param({"surname": "Alder", "given_names": "Ada"}, ["__all__"], id="what is recorded"),
    pytest.param({}, ["__all__"], id="nothing"),
    pytest.param({"reason": ""}, ["reason", "__all__"], id="nothing, without a reason"),
    pytest.param({"died_on": "2026-03-05"}, ["died_on"], id="dies tomorrow"),
    pytest.param({"died_on": "1980-05-29"}, ["died_on"], id="died before the birth"),
    pytest.param({"birth_date": "2026-03-05"}, ["birth_date"], id="born tomorrow"),
    pytest.param({"birth_date": "1899-01-01"}, ["birth_date"], id="born long ago"),
    pytest.param({"birth_date": "0000-00-00"}, ["birth_date"], id="no day"),
    pytest.param({"surname": "..."}, ["surname"], id="no letters"),
    pytest.param({"surname": "x" * 101}, ["surname"], id="a long name"),
    pytest.param({"surname": "A\x00lder"}, ["surname"], id="NUL"),
    pytest.param({"sex": "X"}, ["sex"], id="no sex"),
    pytest.param({"surname": "Birch", "given_names": "Ada", "reason": ""}, ["reason"], id="no reason"),
    pytest.param({"surname": "Birch", "given_names": "Ada", "evidence": " "}, ["evidence"], id="no evidence"),
    pytest.param(
        {"surname": "Birch", "given_names": "Ada", "player": "2147483648"}, ["player"], id="no such number"
    ),
    pytest.param({"surname": "Birch", "given_names": "Ada", "player": "-1"}, ["player"], id="a number below"),
    pytest.param({"player": "", "reason": ""}, ["player", "reason", "__all__"], id="nobody, and nothing"),
]


@pytest.mark.parametrize(
    ("day", "said"),
    [
        ("2026-03-05", "5 March 2026 is after today, 4 March 2026. Enter the date of death."),
        (
            "1979-12-31",
            "31 December 1979 is before the year of birth, 1980. Enter the date of death, or correct the year.",
        ),
    ],
)
def test_d_74_date_of_death_is_refused_with_the_services_message(
    officer: Client, ada: Player, day: str, said: str
) -> None:
    answer = officer.post(ASK, {"player": ada.pk, "died_on": day, **WHY})

    assert answer.context["form"].errors["died_on"] == [said]
    assert not ChangeRequest.objects.exists()


@pytest.mark.parametrize(("data", "fields"), WRONG)
def test_invalid_value_is_refused_at_its_field(
    officer: Client, ada: Player, data: dict[str, str], fields: list[str]
) -> None:
    answer = officer.post(ASK, {"player": ada.pk, **WHY, **data})

    assert (list(answer.context["form"].errors), ChangeRequest.objects.count()) == (fields, 0)


def test_fields_of_a_chosen_player_have_the_present_values(officer: Client, ada: Player) -> None:
    fields = officer.get(ASK, {"player": ada.pk}).context["form"].fields

    present = {name: getattr(field, "present", None) for name, field in fields.items()}
    assert {name: value for name, value in present.items() if value} == {
        "surname": "Alder",
        "given_names": "Ada",
        "sex": "female",
        "birth_date": "Fri 30 May 1980",
        "died_on": "–",
    }


def test_player_of_another_federation_cannot_be_requested(ada: Player) -> None:
    other = make.browser("officer AUT")

    answer = other.post(ASK, {"player": ada.pk, "surname": "Birch", "given_names": "Ada", **WHY})
    shown = other.get(ASK, {"player": ada.pk})

    assert list(answer.context["form"].errors) == ["player"]
    assert (shown.context["player"], "1980" in shown.content.decode()) == (None, False)


@pytest.mark.parametrize("named", ["x", "", "-1", "9" * 400, "٣", "\x00", "1' OR 1"])
def test_player_in_the_query_may_be_any_text(officer: Client, named: str) -> None:
    assert officer.get(ASK, {"player": named}).context["player"] is None


def test_player_has_at_most_one_open_request(officer: Client, ada: Player, asked: ChangeRequest) -> None:
    again = officer.post(ASK, {"player": ada.pk, "sex": "M", **WHY})

    assert list(again.context["form"].errors) == ["player"]
    with pytest.raises(IntegrityError), transaction.atomic():
        ChangeRequest.objects.create(
            player=ada, federation_id="SUI", sex="M", **WHY, asked_by=asked.asked_by, asked_at=NOW
        )


def test_federation_sees_only_its_own_requests(asked: ChangeRequest) -> None:
    read = {
        role: "Marriage certificate" in make.browser(role).get(LIST).content.decode()
        for role in ("deputy", "officer AUT", "staff")
    }

    assert read == {"deputy": True, "officer AUT": False, "staff": True}
    assert make.browser("officer AUT").get(str(page_of(asked))).status_code == 404


@pytest.mark.parametrize("decision", ["grant", "refuse", "withdraw"])
def test_requested_date_of_birth_is_removed_after_the_decision(
    officer: Client, staff: Client, ada: Player, decision: str
) -> None:
    officer.post(ASK, {"player": ada.pk, "birth_date": "1981-05-30", **WHY})
    made = ChangeRequest.objects.get()
    assert made.birth_date == date(1981, 5, 30)

    if decision == "withdraw":
        officer.post(page_of(made), {"verdict": "cancel"})
    else:
        staff.post(page_of(made), {"verdict": decision, "reason": "Seen."})

    made.refresh_from_db()
    assert (made.state != "waiting", made.birth_date) == (True, None)
    facts = dict(staff.get(page_of(made)).context["case"].facts())
    assert facts["New date of birth"] == "Removed after the decision"
