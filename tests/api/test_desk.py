"""Officers' programs: a tournament is registered, its report submitted, accepted and followed, by token alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from jsonschema import Draft202012Validator

from players.models import Federation
from portal.models import User
from tests.api.conftest import ROOT
from tests.api.test_contract import promised
from tests.factories import (
    AppointmentFactory,
    FederationFactory,
    ListEntryFactory,
    PlayerFactory,
    RatingListFactory,
    TournamentFactory,
)
from tests.trf_files import Event
from tournaments.choices import Verb
from tournaments.models import OfficerToken, Report, Tournament
from tournaments.services.tokens import holder_of, issue_token, revoke_token

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
LATER = datetime(2026, 3, 11, 9, 30, tzinfo=UTC)
PLAYERS = [(1_300_001, "Alder, Ada"), (1_300_002, "Birch, Ben"), (1_300_003, "Cedar, Cleo")]
BODY: dict[str, Any] = {
    "name": "Spring Rapid",
    "kind": "rapid",
    "time_control": "15+10",
    "start": "2026-03-09",
    "end": "2026-03-10",
    "city": "Alphaville",
    "chief_arbiter": "Arbiter, Anna",
}
EVENT = Event(
    PLAYERS,
    [[(1, 2, "1-0")], [(2, 3, "1/2")], [(3, 1, "0-1")]],
    name="Spring Rapid",
    start="2026/03/09",
    end="2026/03/10",
)
Call = Callable[..., Any]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    def be(instant: datetime) -> None:
        monkeypatch.setattr(timezone, "now", lambda: instant)

    be(NOW)
    return be


@pytest.fixture
def officer(db: None, clock: Any) -> User:
    swiss: Federation = FederationFactory(code="SUI")
    rating_list = RatingListFactory(date=datetime(2026, 3, 1, tzinfo=UTC).date())
    for (fide_id, name), rating in zip(PLAYERS, (2000, 1900, 1800), strict=True):
        player = PlayerFactory(fide_id=fide_id, name=name, federation=swiss)
        ListEntryFactory(rating_list=rating_list, player=player, rating=rating)
    user: User = AppointmentFactory(role="officer", federation=swiss).user
    return user


@pytest.fixture
def token(officer: User) -> str:
    return issue_token(
        officer, Federation.objects.get(pk="SUI"), name="tool", verbs=list(Verb.values), at=NOW
    )


@pytest.fixture
def call(client: Client, token: str) -> Call:
    """Return a function that calls the API with the token; it asserts the status and what the schema promises."""

    def send(method: str, address: str, body: Any = None, *, status: int = 200, secret: str = token) -> Any:
        content = body if isinstance(body, bytes) else json.dumps(body if body is not None else {}).encode()
        kind = "text/plain" if isinstance(body, bytes) else "application/json"
        headers = {"authorization": f"Bearer {secret}"}
        if method == "get":
            response = client.get(f"{ROOT}{address}", headers=headers)
        else:
            response = client.post(f"{ROOT}{address}", content, content_type=kind, headers=headers)
        assert response.status_code == status, response.content
        if response.status_code < 400:
            assert response["Cache-Control"] == "private, no-store"
        return response.json()

    return send


def held(answer: Any, path: str, method: str = "get", status: str = "200") -> Any:
    """Return an answer that is what the schema promises."""
    Draft202012Validator(promised(path, status, method)).validate(answer)
    return answer


def test_tournament_goes_from_registration_to_rating(call: Call, clock: Call) -> None:
    made = held(call("post", "/tournaments", BODY, status=201), "/tournaments", "post", "201")
    place = f"/tournaments/{made['event_id']}"
    assert (made["federation"], made["registration"]) == ("SUI", "registered")
    progress = held(call("get", f"{place}/progress"), "/tournaments/{event_id}/progress")
    assert (progress["step"], progress["due_list"]) == ("play", "2026-04-01")
    clock(LATER)
    sent = call("post", f"{place}/reports", EVENT.content(), status=201)
    held(sent, "/tournaments/{event_id}/reports", "post", "201")
    assert (sent["version"], sent["error_count"]) == (1, 0)
    preview = held(
        call("get", f"{place}/reports/1/preview"), "/tournaments/{event_id}/reports/{version}/preview"
    )
    assert [player["rating"] for player in preview["players"]] == [2012, 1890, 1798]
    if sent["warning_count"]:
        refused = call("post", f"{place}/reports/1/acceptance", {}, status=409)
        assert [fault["name"] for fault in refused["errors"]] == ["acknowledgement"]
    words = {"acknowledgement": "Checked with the arbiter."}
    accepted = call("post", f"{place}/reports/1/acceptance", words)
    held(accepted, "/tournaments/{event_id}/reports/{version}/acceptance", "post")
    assert accepted["state"] == "accepted"
    assert call("post", f"{place}/reports/1/acceptance", words) == accepted
    listed = held(call("get", f"{place}/reports"), "/tournaments/{event_id}/reports")
    assert [(item["version"], item["state"]) for item in listed["results"]] == [(1, "accepted")]
    held(call("get", f"{place}/reports/1"), "/tournaments/{event_id}/reports/{version}")
    assert call("get", f"{place}/progress")["step"] == "rate"


def test_same_registration_and_same_report_again_change_nothing(call: Call, clock: Call) -> None:
    first = call("post", "/tournaments", BODY, status=201)
    assert call("post", "/tournaments", BODY) == first
    clock(LATER)
    place = f"/tournaments/{first['event_id']}/reports"
    sent = call("post", place, EVENT.content(), status=201)
    clock(datetime(2026, 3, 11, 10, tzinfo=UTC))
    assert call("post", place, EVENT.content())["version"] == sent["version"]
    assert (Tournament.objects.count(), Report.objects.count()) == (1, 1)


def test_late_registration_waits_for_the_qc_0_2(call: Call) -> None:
    made = call("post", "/tournaments", BODY | {"start": "2026-03-05"}, status=201)
    assert made["registration"] == "waiting"


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
    ],
)
def test_wrong_value_is_said_at_its_member(call: Call, change: dict[str, Any], name: str) -> None:
    problem = call("post", "/tournaments", BODY | change, status=400)
    assert {fault["name"] for fault in problem["errors"]} == {name}
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"start": "2026-03-01", "end": "2026-03-02"}, "start"),
        ({"end": "2026-03-08"}, "end"),
        ({"time_control": "3+2"}, "time_control"),
    ],
)
def test_what_the_rules_refuse_is_a_conflict(call: Call, change: dict[str, Any], name: str) -> None:
    problem = call("post", "/tournaments", BODY | change, status=409)
    assert {fault["name"] for fault in problem["errors"]} == {name}


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"nul\x00l", b'{"a":' * 5000, b"x" * 70_000])
def test_body_that_is_no_object_is_a_problem(client: Client, token: str, body: bytes) -> None:
    response = client.post(
        f"{ROOT}/tournaments",
        body,
        content_type="application/json",
        headers={"authorization": f"Bearer {token}"},
    )
    assert response.status_code in (400, 413)
    assert response["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("secret", ["", "x", "x" * 5000, "ü"])
@pytest.mark.parametrize("address", ["/tournaments", "/tournaments/SUI-1/reports"])
def test_without_its_token_nothing_is_done(call: Call, secret: str, address: str) -> None:
    TournamentFactory(event_id="SUI-1", federation__code="SUI")
    call("post", address, BODY if address == "/tournaments" else EVENT.content(), status=401, secret=secret)
    assert Tournament.objects.count() == 1


def test_token_is_for_its_verbs_alone(officer: User, call: Call) -> None:
    TournamentFactory(event_id="SUI-1", federation__code="SUI")
    reading = issue_token(officer, Federation.objects.get(pk="SUI"), name="eyes", verbs=[Verb.READ], at=NOW)
    assert call("get", "/tournaments/SUI-1/progress", secret=reading)["step"]
    call("post", "/tournaments", BODY, status=403, secret=reading)
    call("post", "/tournaments/SUI-1/reports", EVENT.content(), status=403, secret=reading)


@pytest.mark.parametrize("end", ["progress", "reports", "reports/1", "reports/1/preview"])
def test_tournament_of_another_federation_does_not_exist(call: Call, end: str) -> None:
    TournamentFactory(event_id="AUT-1", federation__code="AUT")
    TournamentFactory(event_id="SUI-9", federation__code="SUI", is_official=True)
    for event_id in ("AUT-1", "SUI-9", "NIX", "%00"):
        call("get", f"/tournaments/{event_id}/{end}", status=404)


def test_token_ends_with_the_appointment_and_with_revocation(officer: User, token: str) -> None:
    held_by = holder_of(token, at=NOW)
    assert held_by is not None
    assert OfficerToken.objects.get().last_used_at == NOW
    assert [revoke_token(held_by, at=NOW), revoke_token(held_by, at=NOW)] == [True, False]
    assert holder_of(token, at=NOW) is None
    other = issue_token(officer, held_by.federation, name="b", verbs=["read"], at=NOW)
    officer.appointments.all().delete()
    assert holder_of(other, at=NOW) is None


def test_token_is_shown_once_and_revoked_at_the_desk(client: Client, officer: User) -> None:
    client.force_login(officer)
    page = client.post("/desk/tokens/", {"name": "Tool", "federation": "SUI", "verbs": ["read", "submit"]})
    secret = page.context["made"]
    assert secret in page.content.decode()
    made = OfficerToken.objects.get()
    assert (made.verbs, secret in made.digest) == (["read", "submit"], False)
    assert secret not in client.get("/desk/tokens/").content.decode()
    client.post(f"/desk/tokens/{made.pk}/revoke")
    made.refresh_from_db()
    assert made.revoked_at == NOW


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"name": "x"},
        {"name": "x", "federation": "AUT", "verbs": ["read"]},
        {"name": "x", "verbs": ["all"]},
    ],
)
def test_no_token_for_others_or_without_verbs(client: Client, officer: User, form: dict[str, Any]) -> None:
    FederationFactory(code="AUT")
    client.force_login(officer)
    assert client.post("/desk/tokens/", form).context["made"] == ""
    assert not OfficerToken.objects.exists()


def test_a_page_of_a_new_token_loaded_again_makes_no_second_one(db: None, client: Client) -> None:
    client.force_login(AppointmentFactory(role="officer", federation=FederationFactory(code="SUI")).user)
    form = {"name": "Tool", "federation": "SUI", "verbs": ["read"]}

    answers = [client.post("/desk/tokens/", form) for _ in range(2)]
    OfficerToken.objects.update(revoked_at=NOW)
    later = client.post("/desk/tokens/", form)

    assert [bool(answer.context["made"]) for answer in (*answers, later)] == [True, False, True]
    assert list(answers[1].context["form"].errors) == ["name"]
