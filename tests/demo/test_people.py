"""Invented players: valid FIDE IDs, the same in every run."""

from __future__ import annotations

import pytest

from demo.history import seeded_random
from demo.people import LONGEST_NAME, ONLY_NAME, everybody, with_check_digit


@pytest.mark.parametrize("real", [1503014, 2016192, 4100018, 5000017])
def test_check_digit_is_that_of_ids_in_use(real: int) -> None:
    assert with_check_digit(real // 10) == real


def test_fide_ids_and_names_are_unique() -> None:
    people = everybody(seeded_random("people"), year=2026)

    assert len({person.fide_id for person in people}) == len(people) == 445
    names = [person.record.name for person in people]
    assert (names.count(LONGEST_NAME), names.count(ONLY_NAME)) == (1, 1)
    assert "," not in ONLY_NAME


def test_players_are_the_same_in_every_run() -> None:
    assert everybody(seeded_random("people"), year=2026) == everybody(seeded_random("people"), year=2026)
