"""Proposals of the workshop side by side."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from tests.desk.workshop.conftest import tried

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_proposals_are_compared_side_by_side(qc: Client) -> None:
    first, second = tried(qc), tried(qc, name="K 10", cap="", k="10")
    keys = [page.split("/")[-2] for page in (first, second)]
    shown = qc.get("/desk/workshop/compare", {"proposal": keys}).content.decode()
    assert '="proposals-title ' in shown
    assert ">cap 500, K… " in shown
    for text in ("cap 500, K 30", "K 10", "as in the text", "Rapid, February 2026"):
        assert text in shown
    assert "No proposals selected" in qc.get("/desk/workshop/compare?proposal=x").content.decode()


def test_proposals_of_others_are_not_compared(qc: Client, signed_in: Callable[[str], Client]) -> None:
    key = tried(qc).split("/")[-2]
    assert (
        "No proposals selected"
        in signed_in("staff").get("/desk/workshop/compare", {"proposal": key}).content.decode()
    )
