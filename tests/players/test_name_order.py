"""Names are sorted as people read them, on both databases alike."""

from __future__ import annotations

import pytest

from players.models import Player
from players.names import FoldedName, name_order
from tests import make

IN_ORDER = [
    "Abel, Jo",
    "Ábel, Jo",
    "abel, Zoe",
    "Ägir, Leo",
    "Aguilar, Ana",
    "Cech, Jan",
    "Čech, Jan",
    "Çelik, Can",
    "Dahl, Pia",
    "Đorđević, Ana",
    "Élie, Luc",
    "Öst, Bo",
    "Ost, Cy",
    "Øster, Bo",
    "Łukasik, Jan",
    "Nguyễn, An",
    "Strasse, Eva",
    "Straße, Eva",
    "Šubrt, Ivo",
    "Zarnik, Olvo",
    "Żak, Ewa",
    "Иванов, Иван",
    "王, 伟",
]


def test_names_of_letters_with_accents_are_among_those_without() -> None:
    assert sorted(["Zak", "Änger", "Aal", "Čapek", "Dudek", "Éluard", "Šik", "Sova"], key=name_order) == [
        "Aal",
        "Änger",
        "Čapek",
        "Dudek",
        "Éluard",
        "Šik",
        "Sova",
        "Zak",
    ]


@pytest.mark.django_db
def test_the_database_sorts_as_python_does() -> None:
    for name in IN_ORDER:
        make.player(name=name)
    found = (
        Player.objects.annotate(key=FoldedName("name")).order_by("key", "name").values_list("name", flat=True)
    )
    assert [*found] == sorted(IN_ORDER, key=name_order)
