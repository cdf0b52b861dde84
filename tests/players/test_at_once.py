"""Two people at one number or one person: one wins, the other sees it, and no FIDE ID is given twice."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.acts import Act
from players.cases import cancel, decide
from players.choices import CaseState
from players.models import Application, Federation, Player, Transfer
from players.register import import_register
from players.registration import NewPlayer, check_digit, register_player
from players.transfers import ask_transfer
from tests import make

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
BORN = date(2010, 5, 6)
NAMES = ("Alder, Ada", "Birch, Ben", "Cedar, Cleo", "Dale, Dan")

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("several_writers")]


def at_once(acts: list[Callable[[], Any]]) -> list[Any]:
    """Do everything at once, each on its own connection, and return what came of it."""
    start = Barrier(len(acts))

    def one(act: Callable[[], Any]) -> Any:
        try:
            start.wait(timeout=30)
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(one, acts))


def application(name: str, federation: Federation) -> Application:
    return make.application(
        federation, at=NOW, name=name, birth_date=BORN, score=100, asked_by=make.person("officer", federation)
    )


def test_four_approvals_at_once_give_four_numbers(swiss: Federation, staff: Any) -> None:
    waiting = [application(name, swiss) for name in NAMES]

    made = at_once([lambda one=one: decide(one, CaseState.APPROVED, by=staff, at=NOW) for one in waiting])

    assert made == [True] * 4
    numbers = sorted(Application.objects.values_list("player", flat=True))
    first = numbers[0] // 10
    assert numbers == [serial * 10 + check_digit(serial) for serial in range(first, first + 4)]


def test_who_names_the_federation_does_not_wait_for_a_registration(swiss: Federation, tmp_path: Path) -> None:
    officer = make.person("officer", swiss)
    path = tmp_path / "register.csv"
    path.write_text("Name;Sex;Born\nBirch, Ben;M;2010-05-06\n")

    with CaptureQueriesContext(connection) as asked:
        register_player(NewPlayer(NAMES[0], swiss, "F", BORN), by=officer, at=NOW)
        import_register(path, swiss, act=Act(officer, NOW))

    locks = [
        one["sql"]
        for one in asked
        if "UPDATE" in one["sql"] and '"players_federation"."code" =' in one["sql"]
    ]
    assert Player.objects.count() == 2
    assert {sql.partition(" FOR ")[2] for sql in locks} == {"NO KEY UPDATE"}


def test_one_application_approved_twice_at_once_gives_one_number(swiss: Federation, staff: Any) -> None:
    waiting = application("Alder, Ada", swiss)
    before = Player.objects.count()

    made = at_once([lambda: decide(waiting, CaseState.APPROVED, by=staff, at=NOW)] * 3)

    assert sorted(made) == [False, False, True]
    assert Player.objects.count() == before + 1


def test_two_officers_who_register_one_person_at_once_make_one(swiss: Federation) -> None:
    people = [make.person(role, swiss) for role in ("officer", "deputy")]
    new = NewPlayer("Alder, Ada", swiss, "F", BORN)

    made = at_once([lambda by=by: register_player(new, by=by, at=NOW) for by in people])

    (player,) = Player.objects.all()
    (shown,) = [one for one in made if isinstance(one, list)]
    assert [one for one in made if isinstance(one, Player)] == [player]
    assert [(one.player, one.score) for one in shown] == [(player, 100)]


def test_a_transfer_is_agreed_or_taken_back_and_never_both(swiss: Federation) -> None:
    asks = make.person("officer", "AUT")
    answers = make.person("officer", swiss)
    player = make.player(federation=swiss)
    transfer = ask_transfer(player, to=Federation.objects.get(code="AUT"), by=asks, at=NOW)

    done = at_once(
        [
            lambda: decide(transfer, CaseState.APPROVED, by=answers, at=NOW),
            lambda: cancel(transfer, by=asks, at=NOW),
        ]
    )

    player.refresh_from_db()
    assert sorted(done) == [False, True]
    outcome = (Transfer.objects.get().state, player.federation_id)
    assert outcome == (("approved", "AUT") if done[0] else ("withdrawn", "SUI"))
