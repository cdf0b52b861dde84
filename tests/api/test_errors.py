"""Every invalid input gives a clear problem document and never a 500."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from api.lists import ListsView
from tests.api.conftest import ROOT, Get, Month

UNKNOWN = "Unknown parameter. Valid parameters: "
CODE = "Enter the code as 3 capital letters, for example SUI."


@pytest.mark.parametrize(
    ("address", "fault"),
    [
        ("/lists?kind=bullet", ("kind", '"bullet" is not a valid choice.')),
        ("/lists?kind=rapid&kind=blitz", ("kind", "Parameter sent more than once. Send it once.")),
        ("/lists?date_from=2026-02-30", ("date_from", None)),
        ("/lists?limit=1001", ("limit", "Ensure this value is less than or equal to 1000.")),
        ("/lists?cursor=abc", ("cursor", "Invalid cursor. Use the `next` URL of the previous page.")),
        ("/lists?sort=date", ("sort", UNKNOWN + "cursor, date_from, date_to, kind, limit.")),
        ("/lists/rapid/latest/entries?federation=sui", ("federation", CODE)),
        ("/lists/rapid/latest/entries?active=perhaps", ("active", "Must be a valid boolean.")),
        ("/lists/rapid/latest/entries?rating_from=high", ("rating_from", "A valid integer is required.")),
        (
            "/lists/rapid/latest/entries?format=xlsx",
            ("format", "This format is not available. Valid formats: json."),
        ),
        ("/players", ("q", "Send `q`, `ids`, `club` or `district`.")),
        ("/players?q=", ("q", "This field may not be blank.")),
        ("/federations?code=SUI", ("code", UNKNOWN + "none.")),
    ],
)
def test_wrong_parameter_is_named(
    month: Month, get: Get, address: str, fault: tuple[str, str | None]
) -> None:
    name, detail = fault
    (error,) = get(address, status=400)["errors"]
    assert error["name"] == name
    assert detail in (None, error["detail"])


@pytest.mark.parametrize(
    ("address", "detail"),
    [
        ("/nowhere", "Page not found."),
        ("/players/1%0A", "Page not found."),
        ("/players/7", "No player has FIDE ID 7."),
        ("/players/" + "9" * 40, f"No player has FIDE ID {'9' * 40}."),
        ("/lists/bullet/latest", "Unknown rating type. Valid types: standard, rapid, blitz."),
        ("/lists/blitz/latest", "No blitz list found for latest."),
        ("/lists/rapid/20260201", "Enter the date of a list as YYYY-MM-DD, for example 2026-02-01."),
        ("/lists/rapid/2031-01-01/entries", "No rapid list found for 2031-01-01."),
        ("/publications/rapid-2031-01-01/changes", "No publication has the ID rapid-2031-01-01."),
        ("/tournaments/none", "No tournament has this event ID."),
        ("/tournaments/a%00b", "No tournament has this event ID."),
        (
            "/players/1001/calculations/rapid/2026-01-01",
            "No calculation: this list has no results or corrections for this player.",
        ),
    ],
)
def test_missing_resource_is_a_404(month: Month, get: Get, address: str, detail: str) -> None:
    assert get(address, status=404)["detail"] == detail


def test_unknown_method_is_a_405(month: Month, client: Client) -> None:
    response = client.post(f"{ROOT}/lists", {})
    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD, OPTIONS")
    assert '"GET"' in client.get(f"{ROOT}/reports/check").json()["detail"]


def test_unavailable_format_is_a_406(month: Month, get: Get) -> None:
    problem = get("/lists", status=406, accept="image/png")
    assert problem["title"] == "Not Acceptable"


def test_unexpected_error_is_a_500_problem(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Any, request: Any) -> None:
        raise RuntimeError("unforeseen")

    monkeypatch.setattr(ListsView, "get", fail)
    client.raise_request_exception = False
    response = client.get(f"{ROOT}/lists")
    assert (response.status_code, response["Content-Type"]) == (500, "application/problem+json")
    assert "unforeseen" not in response.content.decode()
    client.raise_request_exception = True
    with pytest.raises(RuntimeError, match="unforeseen"):
        client.get(f"{ROOT}/lists")
