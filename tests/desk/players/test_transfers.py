"""Requests for transfers, from either side of one."""

from __future__ import annotations

import pytest
from django.test import Client

from players.models import Federation, Transfer
from tests import make
from tests.codes import codes_of_answer

PAGE = "/desk/players/transfers/"


@pytest.mark.parametrize(
    ("to", "codes"),
    [
        ("AUT", {}),
        ("SUI", {"to": ["same-federation"]}),
        ("XYZ", {"to": ["invalid_choice"]}),
    ],
)
def test_officer_asks_once_for_a_transfer(
    officer: Client, swiss: Federation, austrian: Federation, to: str, codes: dict[str, list[str]]
) -> None:
    player = make.player(federation=swiss)

    first = officer.post(PAGE, {"player": player.pk, "to": to})
    second = officer.post(PAGE, {"player": player.pk, "to": to})

    assert (codes_of_answer(first) if codes else {}) == codes
    assert codes_of_answer(second) == (codes or {"__all__": ["transfer-waits"]})
    assert Transfer.objects.count() == (0 if codes else 1)
