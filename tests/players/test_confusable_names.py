"""One person, one FIDE ID: names that look alike are found, and letters that nobody can tell apart are refused."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.test import Client

from players.likeness import compare_player
from players.models import Player
from players.name_refusals import name_refusals
from players.names import find_ids
from players.registration import NewPlayer, register_player
from players.spelling import LOOK_ALIKE, skeleton, words_of
from tests import make
from tests.codes import refusal
from tests.conftest import NOW

BORN = date(2000, 5, 6)
pytestmark = pytest.mark.page


@pytest.mark.parametrize(
    "name",
    [
        "Аlder, Ada",
        "АLDER, АDА",
        "Alder, Αda",
        "A1der, Ada",
        "Al\u200bder, Ada",
        "Al\u034fder, Ada",
        "A\ufe0flder, Ada",
        "\u202eAlder, Ada",
        "AIder, Ada",
    ],
)
def test_names_that_look_the_same_have_one_skeleton(name: str) -> None:
    assert skeleton(name) == skeleton("Alder, Ada")


@pytest.mark.parametrize(
    ("one", "other"), [("Сора, Ра", "Copa, Pa"), ("Τοτο, Νοα", "Toto, Noa"), ("Bernard", "Bemard")]
)
def test_names_in_another_alphabet_have_the_skeleton_of_the_latin_ones(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


def test_other_names_have_another_skeleton() -> None:
    names = [
        "Alder, Ada",
        "Elder, Ada",
        "Alder, Eda",
        "Müller, Jan",
        "Miller, Jan",
        "Петров, Иван",
        "Petrov, Ivan",
    ]

    assert len({skeleton(name) for name in names}) == len(names)
    assert all(len(chr(target)) == 1 for target in LOOK_ALIKE.values())


@pytest.mark.parametrize(
    ("known", "name", "score"),
    [
        ("Testman, Oscar", "Тестман, Оскар", 85),
        ("Petrov, Ivan", "Петров, Иван", 100),
        ("Петров, Иван", "Petrov, Ivan", 100),
        ("Παπάς, Νίκος", "Papas, Nikos", 100),
        ("Petrov, Ivan", "Сидоров, Олег", 0),
    ],
)
def test_same_name_in_another_alphabet_is_a_possible_duplicate(
    db: None, known: str, name: str, score: int
) -> None:
    player = make.player(name=known, birth_date=BORN)

    assert compare_player(name, BORN, player).score == score


def test_search_finds_look_alikes(db: None) -> None:
    known = make.player(name="Alder, Ada")

    assert find_ids("Аlder")[0] == [known.pk]
    assert words_of("Al\u200bder, Аdа") == ["alder", "ada"]


@pytest.mark.parametrize("name", ["Сора, Ра", "Copa, Pa"])
def test_a_name_that_looks_the_same_is_the_same_name(db: None, name: str) -> None:
    known = make.player(name="Copa, Pa", birth_year=2000, birth_date=None)

    assert compare_player(name, BORN, known).score == 80


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("Alder, Ada", []),
        ("O'Brien-Smith, Anna Maria", []),
        ("Þórðarson, Ævar Łukasz", []),
        ("Петров, Иван", []),
        ("Аlder, Ada", ["name-scripts"]),
        ("Alder 2, Ada", ["name-digits"]),
        ("Al\u200bder, Ada", ["name-hidden"]),
        ("Al\u034fder, Ada", ["name-hidden"]),
        ("Al\ufe0fder, Ada", ["name-hidden"]),
        ("Alder\U000e0101, Ada", ["name-hidden"]),
        ("Alder\u202e, Ada", ["name-hidden"]),
        ("Alder\x07, Ada", ["name-hidden"]),
        ("<b>Alder", ["name-characters"]),
        ("=Alder", ["name-characters"]),
        ("\u200b\u2060", ["name-empty", "name-hidden"]),
        ("\u3164", ["name-empty", "name-hidden"]),
        (" . ", ["name-empty"]),
    ],
)
def test_names_that_are_refused(name: str, codes: list[str]) -> None:
    assert [refusal.code for refusal in name_refusals(name)] == codes


def test_staff_take_the_few_real_exceptions() -> None:
    assert [*name_refusals("Алиса Smith 3rd", by_staff=True)] == []
    assert [refusal.code for refusal in name_refusals("=Al\u200bder", by_staff=True)] == [
        "name-hidden",
        "name-characters",
    ]


@pytest.fixture
def officer(db: None) -> Any:
    return make.person("officer", "SUI")


def test_the_service_registers_no_such_name(officer: Any) -> None:
    new = NewPlayer("Аlder, Ada", make.federation(code="SUI"), "F", BORN)

    with refusal() as refused:
        register_player(new, by=officer, at=NOW)
    assert refused.found == ["name-scripts"]


@pytest.mark.parametrize("name", ["Аlder, Ada", "Alder 2, Ada", "=Alder", "Al\u200bder", "\u3164"])
def test_the_desk_shows_why(officer: Any, client: Client, name: str) -> None:
    client.force_login(officer)
    data = {"surname": name, "federation": "SUI", "sex": "F", "birth_date": "2000-05-06"}

    answer = client.post("/desk/players/new", data)

    assert (answer.status_code, Player.objects.count()) == (200, 0)
    assert "surname" in answer.context["form"].errors


def test_the_admin_refuses_hidden_characters(client: Client, db: None) -> None:
    client.force_login(make.person("staff"))
    make.federation(code="SUI")
    data = {"fide_id": 1300001, "surname": "Al\u200bder", "federation": "SUI", "sex": "F", "birth_year": 2000}

    answer = client.post("/admin/players/player/add/", data)

    assert (answer.status_code, Player.objects.count()) == (200, 0)
