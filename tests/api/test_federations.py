"""The federations."""

from __future__ import annotations

from players.models import Federation
from tests.api.conftest import Get


def test_federations_are_ordered_by_code(db: None, get: Get) -> None:
    Federation.objects.filter(code="KEN").update(name="Kenya", officer_name="Otieno, Olive", is_member=False)

    rows = get("/federations")["results"]

    assert [row["code"] for row in rows] == sorted({row["code"] for row in rows})
    (kenya,) = [row for row in rows if row["code"] == "KEN"]
    assert (kenya["name"], kenya["officer_name"], kenya["member"]) == ("Kenya", "Otieno, Olive", False)
