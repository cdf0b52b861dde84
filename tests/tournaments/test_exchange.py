"""The files of two events swapped at upload, exchanged in one act before publication."""

from __future__ import annotations

from copy import deepcopy
from datetime import date
from typing import Any

import pytest
import time_machine
from django.test import Client

from ratings.models import ListEntry
from ratings.rate import rate_report
from tests import make
from tests.codes import refusal
from tests.shared import SharedRows
from tests.trf_files import Event
from tournaments.choices import RequestSort
from tournaments.exchange import exchange_reports
from tournaments.models import Report, Tournament
from tournaments.reports import accept_report, upload_report
from tournaments.requested_changes import ask_the_qc

pytestmark = pytest.mark.page

ON, DAY = date(2026, 1, 20), date(2026, 1, 10)
NAMES = ("Amsel, Berta", "Buchfink, Carl", "Drossel, Emil", "Elster, Fritz", "Fink, Gerda", "Gimpel, Hans")
PLAYERS = [(1001 + place, name) for place, name in enumerate(NAMES)]
ROUNDS = {
    "rapid": [
        [(1, 6, "1-0"), (2, 5, "1/2"), (3, 4, "0-1")],
        [(1, 2, "1/2"), (5, 3, "1-0"), (6, 4, "1/2")],
        [(3, 1, "1/2"), (2, 6, "1-0"), (4, 5, "1-0")],
    ],
    "blitz": [
        [(6, 1, "1-0"), (5, 2, "1-0"), (4, 3, "1-0")],
        [(2, 1, "0-1"), (3, 5, "1/2"), (4, 6, "1-0")],
        [(1, 3, "0-1"), (5, 4, "1/2"), (6, 2, "1-0")],
    ],
}
RATED = {"rapid": [2005, 1981, 1929, 1944, 1904, 1863], "blitz": [1935, 1891, 1899, 1894, 1864, 1843]}


def content_of(kind: str) -> bytes:
    text = Event(players=PLAYERS, rounds=ROUNDS[kind], name="City Festival", end="2026/01/10").text()
    return text.replace("122 15 minutes plus 10 sec per move\r\n", "").encode()


@pytest.fixture(scope="module")
def swapped_files(rows_of_module: SharedRows) -> dict[str, Tournament]:
    """The rapid and the blitz of a festival, each with the other one's report accepted."""
    with rows_of_module():
        return festival()


@pytest.fixture
def swapped(swapped_files: dict[str, Tournament], db: None) -> dict[str, Tournament]:
    return deepcopy(swapped_files)


def festival() -> dict[str, Tournament]:
    federation = make.federation(code="SUI")
    people = [make.player(fide_id=key, name=name, federation=federation) for key, name in PLAYERS]
    made = {}
    for kind, first, base in (("rapid", 2000, 900), ("blitz", 1950, 300)):
        former = make.rating_list(kind=kind, date=date(2026, 1, 1))
        for place, player in enumerate(people):
            make.entry(rating_list=former, player=player, rating=first - 25 * place, k_factor=20)
        made[kind] = make.tournament(
            event_id=f"SUI-{kind.upper()}", name="City Festival", federation=federation, kind=kind, base_seconds=base,
            increment_seconds=0, start=DAY, end=DAY, schedule=[],
        )  # fmt: skip
    for kind, other in (("rapid", "blitz"), ("blitz", "rapid")):
        accept(made[kind], content_of(other))
    return made


def upload(tournament: Tournament, content: bytes) -> Report:
    return upload_report(tournament, content, file_name="c.trf", by=None, on=ON, at=make.noon(ON))


def accept(tournament: Tournament, content: bytes) -> Report:
    kept = upload(tournament, content)
    return accept_report(kept, acknowledgement="Seen.", by=None, on=ON, at=make.noon(ON))


def exchange(swapped: dict[str, Tournament], **others: Any) -> None:
    facts = {"reason": "The files were swapped.", "by": None, "on": ON, "at": make.noon(ON)} | others
    exchange_reports(swapped["rapid"], swapped["blitz"], **facts)


def test_swapped_reports_are_exchanged_in_one_act(swapped: dict[str, Tournament]) -> None:
    refused = upload(swapped["rapid"], content_of("rapid"))

    exchange(swapped)

    assert "report-again" in [item["code"] for item in refused.findings]
    for kind, tournament in swapped.items():
        accepted = tournament.reports.get(state="accepted")
        step = tournament.log_entries.get(action="report")
        assert bytes(accepted.content) == content_of(kind)
        assert [item.get("code") for item in step.stated or []] == ["exchanged", None]
        rate_report(accepted, at=make.noon(ON))
        entries = ListEntry.objects.filter(rating_list=make.publish(kind, date(2026, 2, 1))).order_by(
            "player"
        )
        assert [*entries.values_list("rating", flat=True)] == RATED[kind]


@pytest.mark.parametrize(
    ("facts", "others", "codes"),
    [
        ({}, {"reason": " "}, {"reason-missing"}),
        ({"stage": "published"}, {}, {"published-D-11"}),
        ({"registration": "not-rated"}, {}, {"registration-not-rated"}),
        ("request", {}, {"request-open-D-80"}),
        ("hold", {}, {"on-hold"}),
        ({"start": date(2026, 1, 11), "end": date(2026, 1, 11)}, {}, None),
    ],
)
def test_both_reports_stay_where_one_cannot_be_exchanged(
    swapped: dict[str, Tournament],
    facts: dict[str, Any] | str,
    others: dict[str, Any],
    codes: set[str] | None,
) -> None:
    before = [*Report.objects.order_by("pk").values_list("tournament", "sha256", "state")]
    if facts == "hold":
        make.put_on_hold(Tournament.objects.filter(pk=swapped["blitz"].pk))
    elif facts == "request":
        ask_the_qc(swapped["blitz"], RequestSort.WITHDRAWAL, reason="Forget it.", by=None, at=make.noon(ON))
    else:
        Tournament.objects.filter(pk=swapped["blitz"].pk).update(**facts)  # type: ignore[arg-type]

    with refusal() as error:
        exchange(swapped, **others)

    found = set(error.found)
    assert found == codes if codes else found
    assert [*Report.objects.order_by("pk").values_list("tournament", "sha256", "state")] == before


@time_machine.travel(make.noon(ON), tick=False)
def test_page_of_the_refused_version_offers_the_exchange(
    swapped: dict[str, Tournament], client: Client
) -> None:
    upload(swapped["rapid"], content_of("rapid"))
    client.force_login(make.person("officer", swapped["rapid"].federation))
    address = "/desk/tournaments/SUI-RAPID/reports/2"

    page = client.get(f"{address}/")
    sent = {"exchange": "SUI-BLITZ", "exchange-reason": "Swapped.", "seen": page.context["seen"]}
    answers = [client.post(f"{address}/accept", sent | {"seen": seen}) for seen in ("0", sent["seen"])]

    assert page.context["may_exchange"] is True
    assert [answer.status_code for answer in answers] == [200, 302]
    assert bytes(swapped["rapid"].reports.get(state="accepted").content) == content_of("rapid")
