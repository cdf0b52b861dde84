"""Every code of the portal's own has a minimal example that has it, at its place."""

from __future__ import annotations

import hashlib
from datetime import date
from typing import Any

import pytest

from players.models import Membership, Player
from tests import make
from tests.tournaments.portal_examples import (
    EXCHANGED,
    IDS,
    NAMES,
    PORTAL_EXAMPLES,
    Elsewhere,
    PortalExample,
    pgn_of,
)
from tests.tournaments.trf.reports import BASE, changed, corrected, player_changed
from tournaments.checking import CheckedReport, check_contents
from tournaments.lookups import Lookups
from tournaments.models import Game, Participant, Report, Tournament
from tournaments.trf import Finding, read_report
from tournaments.trf.findings import CODES
from tournaments.trf.portal_codes import PORTAL_SECTIONS

pytestmark = pytest.mark.page

RATINGS = (1900, 1800, 1700, 1600)
YEARS = (1990, 1985, 2001, None)
# Whose findings propose a line.
FIXED = {
    "id-merged", "sex", "ids-exchanged", "event-days", "event-name", "event-kind", "event-time-control",
    "player-federation", "title-differs", "rating-differs", "rating-missing",
}  # fmt: skip


def test_every_code_has_an_example() -> None:
    assert set(PORTAL_EXAMPLES) == {code for some in PORTAL_SECTIONS.values() for code in some}


@pytest.mark.django_db
def test_the_report_that_is_spoiled_has_no_fault() -> None:
    assert checked(PortalExample()).findings == ()


@pytest.mark.django_db
def test_the_games_of_the_report_agree_with_it() -> None:
    example = PortalExample(tournament={"is_hybrid": True}, pgn=pgn_of())
    assert checked(example).findings == ()


@pytest.mark.django_db
@pytest.mark.parametrize("code", PORTAL_EXAMPLES)
def test_an_example_has_the_finding_at_its_place_until_it_is_fixed(code: str) -> None:
    example = PORTAL_EXAMPLES[code]
    first = checked(example)
    findings = [item for item in first.findings if item.code == code]
    assert [(item.line, item.column) for item in findings][:1] == [example.place]
    assert findings[0].severity == CODES[code].severity
    assert any(item.fix for item in findings) == (code in FIXED)
    if code in FIXED:
        text, base = corrected(first.report, first.findings), Tournament.objects.get(event_id="BASE")
        again = check_contents(read_report(text.encode()), base, lookups=Lookups(), on=example.on)
        assert code not in codes(again.findings)


@pytest.mark.django_db
def test_lines_with_exchanged_ids_are_not_compared_with_the_owners() -> None:
    found = checked(PORTAL_EXAMPLES["ids-exchanged"])

    assert codes(found.findings) == ["ids-exchanged", "ids-exchanged"]
    assert corrected(found.report, found.findings).splitlines() == BASE.splitlines()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (player_changed(4, ("1300040", "1309990")), ["id-unknown"]),
        (player_changed(4, ("1300040", "1300032")), ["player-twice"]),
        (player_changed(3, ("1300032", "1300040")), ["player-twice"]),
        (player_changed(2, ("2 m ", "2 x ")), ["sex"]),
        (player_changed(2, ("m    Buch", "m XX Buch")), ["title-differs"]),
        (changed(("122 15+10", "122 90+30\n222 5400+30")), ["event-kind", "event-kind"]),
    ],
)
def test_one_cause_has_one_code(text: str, expected: list[str]) -> None:
    assert codes(checked(PortalExample(file=text)).findings) == expected


@pytest.mark.django_db
def test_year_of_another_person_is_no_exchange() -> None:
    of_another = changed(("2001/12/31", "1950/00/00"), of=changed(*EXCHANGED))

    assert "ids-exchanged" not in codes(checked(PortalExample(file=of_another)).findings)


def codes(findings: tuple[Finding, ...]) -> list[str]:
    return [item.code for item in findings]


def checked(example: PortalExample) -> CheckedReport:
    """Return the example's report as the portal checks it, with what the portal knows."""
    swiss = make.federation()
    for fide_id, name, year, rating in zip(IDS, NAMES, YEARS, RATINGS, strict=True):
        _player(fide_id, name, year, rating, example.listed.get(fide_id, {}))
    for fide_id, values in example.players.items():
        Player.objects.update_or_create(pk=fide_id, defaults={"federation": swiss, **values})
    for fide_id, number in example.numbers.items():
        Membership.objects.create(player_id=fide_id, federation=swiss, number=number, since=example.on)
    twin = _elsewhere(example.elsewhere) if example.elsewhere else None
    before = twin if example.elsewhere and example.elsewhere.is_part_before else None
    tournament = _tournament(
        "BASE", name="Winter Rapid", chief_arbiter="Arbiter, Anna", continues=before, **example.tournament
    )
    if example.elsewhere and example.elsewhere.is_former_version:
        Report.objects.update(tournament=tournament)
        tournament.stage = "reported"
    return check_contents(
        read_report(example.file.encode()), tournament, lookups=Lookups(), on=example.on, pgn=example.pgn
    )


def _player(fide_id: int, name: str, year: int | None, rating: int, listed: Any) -> None:
    is_first = fide_id == IDS[0]
    player = make.player(
        fide_id=fide_id,
        name=name,
        sex="F" if is_first else "M",
        women_title="WFM" if is_first else "",
        birth_year=year,
    )
    if not listed.get("absent"):
        values = {"rating": rating, "women_title": player.women_title, **listed}
        make.entry(rating_list=make.rating_list(), player=player, **{**values, "rating": values["rating"]})


def _tournament(event_id: str, **values: Any) -> Tournament:
    days = {"start": date(2026, 1, 10), "end": date(2026, 1, 11)}
    defaults: dict[str, Any] = {
        "federation_id": "SUI",
        "kind": "rapid",
        "base_seconds": 900,
        "increment_seconds": 10,
        "registration": "registered",
        "registered_on": date(2026, 1, 1),
        "decision_reference": "C-1" if values.get("decided_by") else "",
    }
    return Tournament.objects.create(event_id=event_id, **{**defaults, **days, **values})


def _elsewhere(other: Elsewhere) -> Tournament:
    twin = _tournament(
        "TWIN", name="Twin Cup", start=other.start, end=other.end or other.start, kind=other.kind
    )
    report = Report.objects.create(
        tournament=twin,
        version=1,
        state="accepted",
        file_name="twin.trf",
        content=other.file.encode(),
        sha256=hashlib.sha256(other.file.encode()).hexdigest(),
        rounds=max((number for number, *_ in other.games), default=0),
        submitted_on=other.start,
        submitted_at=f"{other.start}T12:00:00Z",
    )
    numbers = sorted({number for _, white, black, _ in other.games for number in (white, black)})
    Participant.objects.bulk_create(
        Participant(report=report, number=number, player_id=IDS[number - 1]) for number in numbers
    )
    complement = {"1": "0", "0": "1", "=": "="}
    Game.objects.bulk_create(
        Game(
            report=report,
            round=number,
            white=white,
            black=black,
            white_code=code,
            black_code=complement[code],
            is_played=True,
        )
        for number, white, black, code in other.games
    )
    return twin


def test_the_base_is_the_pure_packages_base() -> None:
    assert PortalExample().file == BASE


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("code", "queries"), [("sex", 7), ("id-merged", 9), ("event-again", 12), ("player-rounds-a-day", 11)]
)
def test_a_check_is_a_few_queries(code: str, queries: int, django_assert_max_num_queries: Any) -> None:
    example = PORTAL_EXAMPLES[code]
    checked(example)
    tournament = Tournament.objects.select_related("federation").get(event_id="BASE")
    with django_assert_max_num_queries(queries):
        check_contents(
            read_report(example.file.encode()), tournament, lookups=Lookups(), on=example.on, pgn=example.pgn
        )
