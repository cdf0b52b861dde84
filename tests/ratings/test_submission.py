"""Many reports in one call: what each of them leaves is what it leaves alone."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from threading import Barrier
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.choices import HOLDS
from players.models import Case
from ratings.choices import RunState, Work
from ratings.models import ParticipantRating, Run, TournamentRating
from ratings.rate import rate_report
from ratings.runs import rate_due
from ratings.submission import Submission, Submitted, Terms, submit, submit_group
from tests import make
from tests.codes import refusal
from tests.log import steps
from tests.ratings.alphaville import ALL_PLAY, FIRST, PLAYERS
from tests.trf_files import Event
from tournaments.choices import ReportState
from tournaments.conditions import Conditions
from tournaments.lookups import Lookups
from tournaments.models import Game, Report, Tournament
from tournaments.reports import accept_report

ON = date(2026, 1, 20)
FIELDS = (
    "participant__report__sha256",
    "number",
    "player_id",
    "start_status",
    "start_rating",
    "start_k",
    "games",
    "half_points",
    "opponents_sum",
    "change_hundredths",
    "outcomes",
)
EVENTS = [
    Event(PLAYERS, ALL_PLAY[:3], name="First Open").content(),
    b"nothing that could be read",
    Event(PLAYERS[:4], ALL_PLAY[3:4], name="Second Open").content(),
    Event(PLAYERS, ALL_PLAY[:3], name="First Open").content(),
]


def handed_in(content: bytes, event_id: str = "") -> Submitted:
    times: dict[str, Any] = {"kind": "rapid", "base_seconds": 900, "increment_seconds": 10}
    conditions = Conditions(event_id=event_id, name="", federation_code="SUI", start=ON, end=ON, **times)
    # The same people play the same games on other days (D-129).
    reasons = {"few-games-again": "Played each week."}
    terms = Terms(conditions, registered_on=date(2026, 1, 5), submitted_on=ON, reasons=reasons)
    return Submitted(content, terms, "report.trf")


def with_values(terms: Terms, **values: Any) -> Terms:
    """Return terms with other values, of the submission itself or of the conditions."""
    own = {name: values.pop(name) for name in ("pgn", "qc_approved") if name in values}
    return replace(terms, conditions=replace(terms.conditions, **values), **own)


def together() -> list[Submission]:
    return submit_group([handed_in(content) for content in EVENTS], at=make.noon(ON))


def stored() -> list[Any]:
    return list(
        ParticipantRating.objects.order_by("tournament_rating__report", "number").values_list(*FIELDS)
    )


@pytest.mark.django_db(transaction=True)
def test_reports_submitted_together_are_rated_like_single_ones() -> None:
    make.first_list(FIRST)
    submissions = together()
    assert [item.is_accepted for item in submissions] == [True, False, True, True]
    assert [item.list_date for item in submissions if item.is_accepted] == [date(2026, 2, 1)] * 3
    assert set(Run.objects.values_list("state", "attempts")) == {(RunState.DONE, 1)}
    by_the_group = stored()
    assert len(by_the_group) == 10
    TournamentRating.objects.all().delete()
    for report in Report.objects.all():
        rate_report(report, at=make.noon(ON))
    assert stored() == by_the_group


@pytest.mark.django_db(transaction=True)
def test_more_reports_in_a_group_read_the_adopted_texts_no_more_often() -> None:
    make.first_list(FIRST)

    def readings(*days: int) -> int:
        # Each on a day of its own: no game is rated twice (D-117).
        written = [f"2026/01/{day}" for day in days]
        events = [
            handed_in(Event(PLAYERS, ALL_PLAY[:3], name=f"Open {day}", start=day, end=day).content())
            for day in written
        ]
        with CaptureQueriesContext(connection) as told:
            assert all(item.is_accepted for item in submit_group(events, at=make.noon(ON)))
        return sum('FROM "ratings_adoption"' in query["sql"] for query in told)

    assert readings(10) == readings(11, 12, 13) <= 2


@pytest.mark.django_db(transaction=True)
def test_group_with_an_error_is_rated_one_by_one() -> None:
    """A run that names no report holds nobody up: the others are rated all the same."""
    make.first_list(FIRST)
    together()
    TournamentRating.objects.all().delete()
    Run.objects.update(state=RunState.DUE)
    Run.objects.create(work=Work.RATE, subject="not a report", created_at=make.noon(ON))
    due = [run.subject for run in Run.objects.all()]
    with pytest.raises(ValueError, match="not a report"):
        rate_due(due, Lookups(), at=make.noon(ON) + timedelta(minutes=2))
    assert TournamentRating.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_failed_group_keeps_the_reports_before_the_error() -> None:
    """One that cannot even be read ends the call, as if each had been submitted alone."""
    make.first_list(FIRST)
    broken = Submitted(None, handed_in(EVENTS[0]).terms, "report.trf")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        submit_group([handed_in(EVENTS[0]), broken, handed_in(EVENTS[2])], at=make.noon(ON))
    assert [report.tournament.name for report in Report.objects.all()] == ["First Open"]
    assert TournamentRating.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["open.csv", "open.papi"])
def test_file_that_is_not_trf_is_refused_with_what_to_do(name: str) -> None:
    make.first_list(FIRST)
    table = replace(handed_in(b"No;Name;1\n1;Adams, Eva;2w1\n2;Berg, Ole;1b0\n"), file_name=name)

    (refused,) = submit_group([table], at=make.noon(ON))

    (reason,) = refused.refusals
    assert reason.code in ("table-without-tournament", "other-program")
    assert not Tournament.objects.exists()


def open_of(name: str, start: str, rounds: Sequence[Sequence[tuple[int, int, str]]], **more: Any) -> bytes:
    return Event(PLAYERS, rounds, name=name, start=start, end=start, **more).content()


def changed(content: bytes) -> bytes:
    """The same event with another result of its first game."""
    lines = content.decode().split("\r\n")
    places = [place for place, line in enumerate(lines) if line.startswith(("001    1", "001    6"))]
    for place in places:
        lines[place] = lines[place].replace("   6 w 1", "   6 w 0").replace("   1 b 0", "   1 b 1")
    return "\r\n".join(lines).encode()


RETURN_GAMES = [[(black, white, result) for white, black, result in played] for played in ALL_PLAY]
MANY = [
    (open_of("January Open", "2026/01/08", ALL_PLAY), {"event_id": "SUI-JANUARY"}),
    # The players of the first, on its day: five rounds more.
    (open_of("Evening Open", "2026/01/08", RETURN_GAMES[:2]), {}),
    # The first under another name.
    (open_of("Open of January", "2026/01/08", ALL_PLAY), {}),
    # Another version of the first, which is replaced, and one after it.
    (changed(open_of("January Open", "2026/01/08", ALL_PLAY)), {"event_id": "SUI-JANUARY"}),
    # As this one, by the name alone (D-135).
    (changed(open_of("January Open", "2026/01/08", ALL_PLAY[:4])), {}),
    (open_of("Night Open", "2026/01/08", RETURN_GAMES[3:5]), {}),
    # Registered too late: without a reason, and one that the QC has allowed.
    (open_of("Late Open", "2026/01/06", ALL_PLAY[:1]), {}),
    (open_of("Allowed Open", "2026/01/06", ALL_PLAY[:1]), {"qc_approved": "QC 12/2026"}),
    # No rapid tournament, and none that could be registered.
    (open_of("Slow Open", "2026/01/09", ALL_PLAY[:1]), {"base_seconds": 7200}),
    (open_of("Early Open", "2026/01/04", ALL_PLAY[:1]), {}),
    (open_of("Foreign Open", "2026/01/09", ALL_PLAY[:1]), {"federation_code": "XYZ"}),
    # The first version again takes its place once more.
    (open_of("January Open", "2026/01/08", ALL_PLAY), {"event_id": "SUI-JANUARY"}),
    (b"nothing that could be read", {}),
]


def left() -> list[Any]:
    """What submissions leave, by names that do not depend on keys."""
    event = "tournament__event_id"
    reports = Report.objects.order_by(event, "version")
    entries = steps()
    tournaments = Tournament.objects.order_by("event_id")
    questions = Case.objects.filter(kind__in=HOLDS).order_by(event)
    # Of versions that are replaced by the end of the call nobody asks how they would rate.
    rated = TournamentRating.objects.filter(report__state=ReportState.ACCEPTED)
    ratings = rated.order_by(f"report__{event}", "report__version")
    return [
        list(tournaments.values("event_id", "name", "stage", "registration", "schedule")),
        list(
            reports.values(event, "version", "state", "sha256", "findings", "acknowledgement", "accepted_on")
        ),
        sorted(entries.values_list(event, "action", "after", "reason")),
        list(questions.values(event, "reason", "kind", "state")),
        list(ratings.values(f"report__{event}", "report__version", "counted_games", "rules")),
        list(
            Game.objects.order_by(f"report__{event}", "report__version", "round", "white").values(
                "white_code"
            )
        ),
        stored_by_event(),
    ]


def stored_by_event() -> list[Any]:
    event = "participant__report__tournament__event_id"
    rows = ParticipantRating.objects.filter(participant__report__state=ReportState.ACCEPTED)
    rows = rows.order_by(event, "participant__report__version", "number")
    return list(rows.values_list(*FIELDS))


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_many_reports_store_the_same_as_single_ones() -> None:
    """Checks, versions, decisions and refusals see what came before them in the same call (D-16, 3.1, 0.2)."""
    items = [
        Submitted(content, with_values(handed_in(content).terms, **terms), "report.trf")
        for content, terms in MANY
    ]
    make.first_list(FIRST)
    alone = [submit(item, at=make.noon(ON)) for item in items]
    said_alone = [(item.refusals, item.warnings, item.list_date) for item in alone]
    left_alone = left()
    call_command("flush", interactive=False, verbosity=0)
    make.first_list(FIRST)

    together = submit_group(items, at=make.noon(ON))

    assert [(item.refusals, item.warnings, item.list_date) for item in together] == said_alone
    assert left() == left_alone
    codes = {finding["code"] for report in Report.objects.all() for finding in report.findings}
    assert codes >= {"rounds-again", "player-elsewhere"}
    assert [item.is_accepted for item in together].count(True) == 6


@pytest.mark.django_db(transaction=True)
def test_replaced_version_submitted_again_is_a_new_version() -> None:
    make.first_list(FIRST)
    content = open_of("January Open", "2026/01/08", ALL_PLAY)
    for version in (content, changed(content), content):
        assert submit(handed_in(version, "SUI-JANUARY"), at=make.noon(ON)).is_accepted
    versions = Report.objects.order_by("version").values_list("version", "state")
    assert list(versions) == [(1, "replaced"), (2, "replaced"), (3, "accepted")]
    assert TournamentRating.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_d135_a_file_without_an_event_id_never_takes_the_place_of_a_like_one() -> None:
    make.first_list(FIRST)
    first, second = (open_of("Town Open", "2026/01/08", games) for games in (ALL_PLAY[:2], ALL_PLAY[2:4]))
    made = submit(handed_in(first), at=make.noon(ON))
    assert made.tournament

    group = submit_group([handed_in(second), handed_in(first)], at=make.noon(ON))
    named = submit(handed_in(second, "SUI-B"), at=make.noon(ON))

    assert [[one.code for one in item.refusals] for item in group] == [["already-registered"], []]
    assert made.tournament.event_id in group[0].refusals[0].message
    assert (named.is_accepted, Report.objects.filter(state="accepted").count()) == (True, 2)


@pytest.mark.django_db(transaction=True)
def test_replaced_version_is_not_accepted_from_an_old_page() -> None:
    make.first_list(FIRST)
    content = open_of("January Open", "2026/01/08", ALL_PLAY)
    for version in (content, changed(content)):
        submit(handed_in(version, "SUI-JANUARY"), at=make.noon(ON))
    with refusal() as error:
        accept_report(
            Report.objects.get(version=1), acknowledgement="Seen.", by=None, on=ON, at=make.noon(ON)
        )
    assert error.found == ["replaced"]


@pytest.mark.django_db(transaction=True)
def test_new_games_are_read_again_only_if_one_is_marked(django_assert_max_num_queries: Any) -> None:
    """A mark that staff make between the acceptance and the rating is never missed (4.1)."""
    make.first_list(FIRST)
    item, lookups = handed_in(EVENTS[0]), Lookups()
    submit(item, at=make.noon(ON))
    report = Report.objects.get()
    lookups.add_games(report.pk, Lookups().games_of([report.pk])[report.pk])
    with django_assert_max_num_queries(1):
        held = lookups.games_of([report.pk])[report.pk]
    Game.objects.filter(round=1, white=1).update(mark="fair-play", mark_reference="FPL 7/2026")
    with django_assert_max_num_queries(2):
        marked = lookups.games_of([report.pk])[report.pk]
    stored = Lookups().games_of([report.pk])[report.pk]

    assert sorted(marked) == sorted(stored)
    assert [row[-1] for row in stored if row[-1]] == ["fair-play"]
    assert sorted(held) == sorted((*row[:-1], "") for row in stored)


ANOTHER = {
    "time control": (
        {"base_seconds": 1200, "increment_seconds": 5},
        "Time control: registered 15+10, submitted 20+5.",
    ),
    "match": ({"is_match": True}, "Match (article 5): registered no, submitted yes"),
    "hybrid": ({"is_hybrid": True}, "Hybrid (article 2.1): registered no, submitted yes"),
    "waiver": (
        {"is_match": True, "match_waiver": "Letter 4"},
        (
            "Match (article 5): registered no, submitted yes · Waiver requested beforehand (article 5.2): "
            "registered –, submitted Letter 4"
        ),
    ),
}


@pytest.mark.django_db
@pytest.mark.parametrize("others", ANOTHER)
def test_d_82_same_report_with_other_conditions_is_refused_and_names_them(others: str) -> None:
    make.first_list(FIRST)
    changes, sentence = ANOTHER[others]
    item = handed_in(EVENTS[0])
    before = submit(item, at=make.noon(ON))
    kept = Tournament.objects.values().get()

    again = submit(replace(item, terms=with_values(item.terms, **changes)), at=make.noon(ON))
    same = submit(item, at=make.noon(ON))

    assert (before.is_accepted, again.is_accepted, same.is_accepted) == (True, False, True)
    assert [refusal.code for refusal in again.refusals] == ["other-conditions-D-82"]
    assert sentence in again.refusals[0].message
    assert Tournament.objects.values().get() == kept


@pytest.mark.django_db
def test_d_80_waiver_of_a_submitted_match_needs_the_consent_of_the_qc() -> None:
    make.first_list(FIRST)
    item = handed_in(Event(PLAYERS[:2], [[(1, 2, "1-0")]] * 3, name="Match").content())
    terms = with_values(item.terms, is_match=True, match_waiver="Letter 4")

    refused = submit(replace(item, terms=terms), at=make.noon(ON))
    accepted = submit(replace(item, terms=replace(terms, qc_approved="So be it.")), at=make.noon(ON))

    assert [refusal.code for refusal in refused.refusals] == ["request-open-D-80"]
    assert accepted.is_accepted
    waiver = Tournament.objects.values_list("match_waiver", "match_waiver_on", "cases__state").get()
    assert waiver == ("Letter 4", date(2026, 1, 5), "approved")


@pytest.mark.django_db
def test_d_82_same_report_with_other_games_is_refused() -> None:
    make.first_list(FIRST)
    event = Event(PLAYERS[:2], [[(1, 2, "1-0")]], name="Hybrid")
    item = handed_in(event.content())
    terms = with_values(item.terms, is_hybrid=True, qc_approved="So be it.", pgn=event.pgn())
    other = replace(terms, pgn=event.pgn().replace(b"e4 e5", b"d4 d5"))

    first, again, same = (submit(replace(item, terms=of), at=make.noon(ON)) for of in (terms, other, terms))

    assert (first.is_accepted, again.is_accepted, same.is_accepted) == (True, False, True)
    assert [refusal.code for refusal in again.refusals] == ["other-games-8.4"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer")
def test_two_calls_with_versions_of_one_event_submit_one_after_the_other() -> None:
    make.first_list(FIRST)
    first = open_of("January Open", "2026/01/08", ALL_PLAY)
    assert submit(handed_in(first), at=make.noon(ON)).is_accepted
    versions = [changed(first), changed(first).replace(b"Zytown", b"Alphaville"), first + b"\r\n"]
    start = Barrier(len(versions))

    def one(content: bytes) -> Submission:
        try:
            start.wait(timeout=30)
            return submit(handed_in(content), at=make.noon(ON))
        finally:
            connection.close()

    with ThreadPoolExecutor(len(versions)) as pool:
        list(pool.map(one, versions))

    [tournament] = Tournament.objects.all()
    numbers = list(tournament.reports.order_by("version").values_list("version", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    assert tournament.reports.filter(state=ReportState.ACCEPTED).count() == 1


@pytest.mark.django_db
def test_d135_like_events_without_an_id_are_refused_together_as_one_by_one() -> None:
    make.first_list(FIRST)
    events = [
        Event(PLAYERS, ALL_PLAY[:2], name="First Open").content(),
        Event(PLAYERS, ALL_PLAY[2:4], name="Open, First").content(),
    ]

    first, second = submit_group([handed_in(content) for content in events], at=make.noon(ON))

    assert first.is_accepted
    assert [refusal.code for refusal in second.refusals] == ["already-registered"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("several_writers")
def test_d129_the_same_games_submitted_at_once_for_two_events_come_once() -> None:
    make.first_list(FIRST)
    content = Event(PLAYERS, ALL_PLAY[:3]).content()
    start = Barrier(4)

    def submit_one(event_id: str) -> bool:
        try:
            start.wait(timeout=30)
            [submission] = submit_group([handed_in(content, event_id)], at=make.noon(ON))
            return submission.is_accepted
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        accepted = list(pool.map(submit_one, ["SUI-ONE", "SUI-TWO", "SUI-THREE", "SUI-FOUR"]))
    assert sum(accepted) == 1
    assert Report.objects.filter(state=ReportState.ACCEPTED).count() == 1
