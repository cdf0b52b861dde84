"""An event longer than 30 days that is registered and reported in monthly parts, each game rated once (D-117)."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from ratings.models import TournamentRating
from ratings.rate import rate_report
from tests import make
from tests.codes import codes_of_answer
from tests.trf_files import Event
from tournaments.checking import check_contents
from tournaments.lookups import Lookups
from tournaments.models import Report, Tournament
from tournaments.reports import accept_report, upload_report
from tournaments.trf import read_report

PLAYERS = [(1001, "Alpha, Anna"), (1002, "Beta, Boris"), (1003, "Gamma, Greta"), (1004, "Delta, Dora")]
ROUNDS = [
    [(1, 2, "1-0"), (3, 4, "0-1")],
    [(4, 1, "1/2"), (2, 3, "1-0")],
    [(1, 3, "1-0"), (2, 4, "1-0")],
    [(2, 1, "0-1"), (4, 3, "1/2")],
]
DAYS = ["26/03/14", "26/03/28", "26/04/11", "26/04/25"]
PART = {
    "name": "Club Championship",
    "federation": "SUI",
    "kind": "rapid",
    "time_control": "15+10",
    "start": "2026-03-14",
    "end": "2026-03-28",
    "schedule": "2026-03-14 1\n2026-03-28 1",
    "chief_arbiter": "Arbiter, Anna",
    "is_stated_rated": "on",
}
SECOND = PART | {"start": "2026-03-29", "end": "2026-04-25", "schedule": "2026-04-11 1\n2026-04-25 1"}
NEW = "/desk/tournaments/new"


def register(officer: Client, values: dict[str, str]) -> Tournament:
    officer.post(NEW, values)
    return Tournament.objects.get(start=date.fromisoformat(values["start"]))


@pytest.fixture
def first(officer: Client) -> Tournament:
    return register(officer, PART)


def report(part: Tournament, *numbers: int) -> bytes:
    """Return a report of some rounds of the event, with the days of a part."""
    return Event(
        PLAYERS,
        [ROUNDS[number - 1] for number in numbers],
        name=part.name,
        start=f"{part.start:%Y/%m/%d}",
        end=f"{part.end:%Y/%m/%d}",
        round_dates=[DAYS[number - 1] for number in numbers],
    ).content()


def accept(part: Tournament, content: bytes) -> Report:
    at = datetime.combine(part.end, datetime.min.time(), UTC).replace(hour=12)
    uploaded = upload_report(part, content, file_name="p.trf", by=None, on=part.end, at=at)
    return accept_report(uploaded, acknowledgement="Seen.", by=None, on=part.end, at=at)


def test_d117_next_part_is_filled_in_from_the_part_before(officer: Client, first: Tournament) -> None:
    form = officer.get(NEW, {"after": first.event_id}).context["form"]
    second = register(officer, SECOND | {"continues": first.event_id})

    assert [form[name].value() for name in ("name", "continues", "start")] == [
        "Club Championship",
        first.event_id,
        date(2026, 3, 29),
    ]
    assert (second.continues, [*first.continuations.all()]) == (first, [second])
    for page in (f"/desk/tournaments/{second.event_id}/", f"/tournaments/{second.event_id}/"):
        assert first.event_id in officer.get(page).content.decode()


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"continues": "SUI-NONE"}, "continues", "part-unknown"),
        ({"start": "2026-03-28", "schedule": "2026-04-11 1"}, "start", "part-overlaps-D-117"),
        ({"end": "2026-04-11", "schedule": "2026-04-11 1"}, "continues", "part-short-D-117"),
        ({"kind": "blitz", "time_control": "5+0"}, "continues", "part-kind"),
    ],
)
def test_d117_part_begins_after_the_part_before(
    officer: Client, first: Tournament, changes: dict[str, str], field: str, code: str
) -> None:
    answer = officer.post(NEW, SECOND | {"continues": first.event_id} | changes)

    assert codes_of_answer(answer)[field] == [code]
    assert Tournament.objects.count() == 1


def test_d117_part_is_continued_once_and_not_moved_into_the_part_before(
    officer: Client, first: Tournament
) -> None:
    second = register(officer, SECOND | {"continues": first.event_id})

    other = officer.post(NEW, SECOND | {"continues": first.event_id, "name": "Championship"})
    page = f"/desk/tournaments/{second.event_id}/change"
    seen = officer.get(page).context["form"]["seen"].value()
    moved = officer.post(
        page,
        SECOND | {"continues": first.event_id, "start": "2026-03-20", "reason": "Earlier.", "seen": seen},
    )
    longer = officer.post(
        page, SECOND | {"continues": first.event_id, "end": "2026-04-26", "reason": "Later.", "seen": seen}
    )

    assert codes_of_answer(other) == {"continues": ["part-taken"]}
    assert codes_of_answer(moved)["start"] == ["part-overlaps-D-117"]
    assert longer.status_code == 302
    second.refresh_from_db()
    assert (second.end, second.continues) == (date(2026, 4, 26), first)


def change(officer: Client, part: Tournament, values: dict[str, str]) -> Any:
    page = f"/desk/tournaments/{part.event_id}/change"
    seen = officer.get(page).context["form"]["seen"].value()
    answer = officer.post(page, values | {"reason": "It is a part.", "seen": seen})
    part.refresh_from_db()
    return answer


def test_d117_which_part_comes_before_is_changed_as_other_conditions_are(
    officer: Client, first: Tournament
) -> None:
    second = register(officer, SECOND)

    wrong = change(officer, second, SECOND | {"continues": "SUI-NONE"})
    before_it_begins = change(officer, second, SECOND | {"continues": first.event_id})
    step = second.log_entries.latest("pk")

    assert codes_of_answer(wrong) == {"continues": ["part-unknown"]}
    assert (before_it_begins.status_code, second.continues, second.registration) == (302, first, "registered")
    assert step.changes == [{"field": "continues", "before": "", "after": first.event_id}]


@pytest.fixture
def people(db: None, officer: Client) -> None:
    march = make.rating_list(date=date(2026, 3, 1))
    for fide_id, name in PLAYERS:
        player = make.player(fide_id=fide_id, name=name, federation_id="SUI")
        make.entry(rating_list=march, player=player, rating=1800)


def test_d117_parts_are_rated_one_after_the_other_and_each_game_once(
    officer: Client, first: Tournament, people: None
) -> None:
    second = register(officer, SECOND | {"continues": first.event_id})
    before = accept(first, report(first, 1, 2))
    rate_report(before, at=timezone.now())

    whole = check_contents(
        read_report(report(second, 1, 2, 3, 4)), second, lookups=Lookups(), on=date(2026, 4, 25)
    )
    right = accept(second, report(second, 3, 4))
    rate_report(right, at=timezone.now())

    wrong = {
        item.code: item.params
        for item in whole.findings
        if item.code in ("rounds-again", "part-rounds-early")
    }
    assert {code: values["rounds"] for code, values in wrong.items()} == {
        "rounds-again": "1–2",
        "part-rounds-early": "1–2",
    }
    rated: Any = TournamentRating.objects.filter(report__tournament__in=[first, second])
    assert sorted(one.report.games.count() for one in rated) == [4, 4]
