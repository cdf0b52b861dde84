"""Registering a player: the name as it will be listed, doubts about it, possible duplicates."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils.translation import override

from players.models import Membership, Player
from players.name_fields import PersonNameFields
from tests import make
from tests.codes import codes_of_form

pytestmark = pytest.mark.django_db


@pytest.fixture
def officer() -> Client:
    client = Client()
    client.force_login(make.person("officer", "SUI"))
    return client


NEW = "/desk/players/new"


TYPED = {"federation": "SUI", "sex": "M", "birth_date": "2000-05-06"}


@pytest.mark.parametrize(
    ("surname", "given_names", "code", "meant"),
    [
        ("KLEIN paul", "", "name-unsplit", "Klein, Paul"),
        ("KLEIN", "PAUL", "name-letters", "Klein, Paul"),
        ("Dr. Klein", "Paul", "name-title", "Klein, Paul"),
    ],
)
def test_name_that_looks_wrong_is_asked_about_and_the_meant_one_taken(
    officer: Client, surname: str, given_names: str, code: str, meant: str
) -> None:
    typed = {**TYPED, "surname": surname, "given_names": given_names}

    asked = officer.post(NEW, typed).context["form"]
    taken = officer.post(NEW, {**typed, "take": meant}).context["form"]
    before = Player.objects.count()
    names = dict(zip(("surname", "given_names"), meant.split(", "), strict=True))
    officer.post(NEW, {**typed, **names})

    assert codes_of_form(asked)["surname"] == [code]
    assert [name.listed for name in asked.doubt.proposals] == [meant]
    assert (taken.listed_name, taken.doubt, before) == (meant, None, 0)
    assert (taken["sex"].value(), taken["birth_date"].value()) == ("M", "2000-05-06")
    assert Player.objects.get().name == meant


@pytest.mark.parametrize(("confirmed", "players"), [("", 0), ("Hoffmann", 0), ("Pelé", 1)])
def test_person_with_one_name_is_registered_once_that_name_is_confirmed(
    officer: Client, confirmed: str, players: int
) -> None:
    officer.post(NEW, {**TYPED, "surname": "Pelé", "confirmed_name": confirmed})

    assert Player.objects.filter(name="Pelé").count() == players


def test_empty_fields_are_named_in_the_order_of_the_form(officer: Client) -> None:
    wrong = [field for field in officer.post(NEW).context["form"] if field.errors]
    with override("de"):
        german = PersonNameFields({})["surname"]
        assert str(german.label) in german.errors[0]

    assert [field.name for field in wrong] == ["surname", "federation", "sex", "birth_date"]
    assert all(str(field.label).lower() in field.errors[0] for field in wrong)
    # What only the service refuses is named together, too.
    doubted = officer.post(NEW, {**TYPED, "surname": "Pelé", "birth_date": "2100-05-06"}).context["form"]
    assert [*doubted.errors] == ["surname", "birth_date"]


def test_name_is_shown_as_listed_while_it_is_typed(officer: Client) -> None:
    told = {"surname": "KLEIN", "given_names": "paul"}

    part = officer.get(NEW, told, headers={"HX-Request": "true", "HX-Target": "listed-name"})

    assert (part.context["form"].listed_name, Player.objects.count()) == ("KLEIN, paul", 0)
    assert part.content.decode().count("<html") == 0
    assert 'value="Klein, Paul"' in part.content.decode()


def test_name_of_a_report_comes_in_two_fields(officer: Client) -> None:
    form = officer.get(NEW, {"name": "Klein, Paul", "federation": "SUI"}).context["form"]

    assert [field.value() for field in form.name_fields] == ["Klein", "Paul"]


def test_an_officer_registers_a_player_after_a_warning(officer: Client) -> None:
    known = make.player(
        name="Alder, Ada", federation=make.federation(code="SUI"), birth_year=2010, birth_date=None
    )
    data = {
        "surname": "Alder",
        "given_names": "Ada",
        "federation": "SUI",
        "sex": "F",
        "birth_date": "2010-05-06",
    }

    warned = officer.post("/desk/players/new", data)
    waits = officer.post("/desk/players/new", {**data, "other_than": f"{known.pk} x"})
    member = {"number": "a7", "club": "SC Alpha", "district": "North"}
    plain = officer.post("/desk/players/new", {**data, **member, "surname": "Birch", "given_names": "Ben"})

    assert [*Membership.objects.values_list("player__name", "number", "club", "district")] == [
        ("Birch, Ben", "A7", "SC Alpha", "North")
    ]
    assert [one.score for one in warned.context["alike"]] == [80]
    assert waits["Location"] == "/desk/cases/"
    assert plain["Location"] == "/desk/players/new"
    assert Player.objects.count() == 2
