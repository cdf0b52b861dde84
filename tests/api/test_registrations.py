"""Registration of tournaments by officers' programs."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from tests.api.conftest import REGISTRATION, ROOT, Call
from tournaments.models import Tournament


def test_late_registration_waits_for_the_qc_0_2(call: Call) -> None:
    late = REGISTRATION | {"start": "2026-03-05"}
    refused = call("post", "/tournaments", late, status=409)
    made = call("post", "/tournaments", late | {"late_reason": "New hall"}, status=201)

    assert [fault["name"] for fault in refused["errors"]] == ["late_reason"]
    assert (made["registration"], len(made["warnings"])) == ("waiting", 2)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"kind": "standard"}, "kind"),
        ({"time_control": "x"}, "time_control"),
        ({"start": "2026-13-01"}, "start"),
        ({"federation": "AUT"}, "federation"),
        ({"nonsense": 1}, "nonsense"),
        ({"is_official": True}, "is_official"),
        ({"name": ""}, "name"),
        ({"name": "x" * 200}, "name"),
        ({"schedule": [{"day": "2026-03-09", "rounds": 0}]}, "rounds"),
        ({"schedule": [{"day": "2026-03-09", "rounds": 16}]}, "schedule"),
        ({"schedule": "2026-03-09 5"}, "schedule"),
        ({"schedule": []}, "schedule"),
    ],
)
def test_error_names_its_field(call: Call, change: dict[str, Any], name: str) -> None:
    problem = call("post", "/tournaments", REGISTRATION | change, status=400)
    assert {fault["name"] for fault in problem["errors"]} == {name}
    assert not Tournament.objects.exists()


def test_refusal_by_the_rules_is_a_409(call: Call) -> None:
    wrong = {"end": "2026-03-08", "time_control": "3+2"}
    problem = call("post", "/tournaments", REGISTRATION | wrong, status=409)
    assert {fault["name"] for fault in problem["errors"]} == {*wrong}


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"nul\x00l", b'{"a":' * 5000, b"x" * 70_000])
def test_invalid_json_body_is_a_problem(client: Client, token: str, body: bytes) -> None:
    response = client.post(
        f"{ROOT}/tournaments",
        body,
        content_type="application/json",
        headers={"authorization": f"Bearer {token}"},
    )
    assert response.status_code in (400, 413)
    assert response["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("more", ['"name": "Another"', '"rounds": NaN'])
def test_a_body_that_programs_read_differently_is_refused(client: Client, token: str, more: str) -> None:
    response = client.post(
        f"{ROOT}/tournaments",
        f"{json.dumps(REGISTRATION)[:-1]}, {more}}}",
        content_type="application/json",
        headers={"authorization": f"Bearer {token}"},
    )
    assert response.status_code == 400
    assert "JSON" in response.json()["detail"]
    assert not Tournament.objects.exists()


def test_d_84_games_per_match_are_registered(call: Call) -> None:
    made = call("post", "/tournaments", REGISTRATION | {"match": True, "games_per_match": 4}, status=201)
    assert made["games_per_match"] == 4
    assert Tournament.objects.get().games_per_match == 4


def test_d_80_waiver_bears_an_earlier_day_and_waits_for_the_qc(call: Call) -> None:
    asked = REGISTRATION | {"match": True, "match_waiver": "Letter 4"}

    late = call("post", "/tournaments", asked | {"match_waiver_on": "2026-03-09"}, status=409)
    call("post", "/tournaments", asked, status=201)

    assert [fault["name"] for fault in late["errors"]] == ["match_waiver_on"]
    waiver = Tournament.objects.values_list("match_waiver", "cases__kind", "cases__state").get()
    assert waiver == ("", "request", "waiting")


def test_d_80_registration_is_not_changed_by_the_api(call: Call) -> None:
    made = call("post", "/tournaments", REGISTRATION, status=201)
    place = f"/tournaments/{made['event_id']}"

    for method in ("put", "patch"):
        call(method, place, REGISTRATION | {"kind": "blitz", "time_control": "3+2"}, status=405)
    assert Tournament.objects.get().kind == "rapid"


def test_d117_part_of_a_long_event_names_the_part_before(call: Call) -> None:
    days = {"start": "2026-03-14", "end": "2026-03-28", "schedule": [{"day": "2026-03-14", "rounds": 2}]}
    later = {"start": "2026-03-29", "end": "2026-04-25", "schedule": [{"day": "2026-04-25", "rounds": 2}]}

    first = call("post", "/tournaments", REGISTRATION | days, status=201)
    wrong = call("post", "/tournaments", REGISTRATION | later | {"continues": "SUI-NONE"}, status=409)
    second = call("post", "/tournaments", REGISTRATION | later | {"continues": first["event_id"]}, status=201)

    assert [(fault["name"], fault["code"]) for fault in wrong["errors"]] == [("continues", "part-unknown")]
    assert (first["continues"], second["continues"]) == (None, first["event_id"])
