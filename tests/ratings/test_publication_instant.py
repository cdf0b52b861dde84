"""A list takes what stood at one instant: acts come before it, or wait and come after publication (D-104)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import date
from functools import partial
from threading import Event as Signal
from typing import Any

import pytest
from django.db import connection, transaction

from players.cases import decide as decide_case
from players.choices import CaseState
from players.exclusions import exclude_federation
from players.models import Player
from ratings.amend.effect import Effect
from ratings.models import Correction, ListEntry, RatingList, TournamentRating
from ratings.publish.publish import list_published, publish_list
from ratings.verify.verify import verify_list
from tests import make
from tests.codes import refusal
from tests.ratings.alphaville import ALL_PLAY, PLAYERS
from tests.ratings.test_corrections_of_conditions import wanted
from tests.trf_files import Event
from tournaments.amendments import NotRated
from tournaments.choices import Action, Stage
from tournaments.holds import place_hold
from tournaments.models import Hold, Report, RequestedChange, Tournament
from tournaments.qc import decide
from tournaments.registration_changes import withdraw_registration
from tournaments.reports import accept_report, upload_report
from tournaments.requested_changes import waiting_request

FEBRUARY, MARCH = date(2026, 2, 1), date(2026, 3, 1)
NOW = make.noon(FEBRUARY)
CORRECTED = [*ALL_PLAY[:4], [(3, 6, "1-0"), (4, 2, "0-1"), (5, 1, "0-1")]]
LogEntry = Callable[[Tournament], object]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def not_rated(tournament: Tournament) -> object:
    by = make.person("qc")
    return decide(tournament, Action.NOT_RATE, reason="Not played.", by=by, at=NOW)


def question(tournament: Tournament) -> object:
    return place_hold(tournament, reason="Was it played?", by=make.person("qc"), at=NOW)


def mark(tournament: Tournament) -> object:
    decision = NotRated(1, 1, why="fair-play", reference="FPL 7")
    return make.correct_game(tournament, decision, reason="Fair Play.", on=FEBRUARY, at=NOW)


def new_version(tournament: Tournament) -> object:
    content = Event(PLAYERS, CORRECTED).content()
    report = upload_report(tournament, content, file_name="b.trf", by=None, on=FEBRUARY, at=NOW)
    return accept_report(report, acknowledgement="Checked.", by=None, on=FEBRUARY, at=NOW)


def granted_withdrawal(tournament: Tournament) -> object:
    request = RequestedChange.objects.get()
    by = make.person("qc")
    return decide_case(request, CaseState.APPROVED, answer="Too few played.", by=by, at=NOW)


def conditions(tournament: Tournament) -> Effect:
    by = make.person("staff")
    unequal = wanted(tournament, has_unequal_times=True)
    return make.correct_conditions(tournament, unequal, reason="Two clocks.", by=by, on=FEBRUARY, at=NOW)


ACTS = [not_rated, question, mark, new_version]


@pytest.fixture
def tournament(month: Any) -> Tournament:
    """A tournament whose report is rated and whose list is due; QC and staff have accounts."""
    return Tournament.objects.get()


def in_another_connection(act: Callable[[], Any]) -> Callable[[], Any]:
    def there() -> Any:
        try:
            return act()
        finally:
            connection.close()

    return there


def acted_during_publication(act: Callable[[], object], on: date = FEBRUARY) -> Future[Any]:
    """Act while the list of a date is written and not yet there: the act waits for it."""
    written, goes_on = Signal(), Signal()

    def wait(sender: Any, **kwargs: Any) -> None:
        written.set()
        goes_on.wait(timeout=60)

    list_published.connect(wait)
    with ThreadPoolExecutor(2) as pool:
        try:
            publish = partial(publish_list, "rapid", on, by=None, at=make.noon(on))
            publication = pool.submit(in_another_connection(publish))
            assert written.wait(timeout=60)
            acted = pool.submit(in_another_connection(act))
            with pytest.raises(TimeoutError):
                acted.result(timeout=0.5)
        finally:
            goes_on.set()
            list_published.disconnect(wait)
        assert publication.result(timeout=60).is_new
    return acted


def equal(on: date) -> bool:
    return verify_list(RatingList.objects.get(kind="rapid", date=on)) is None


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
def test_d_104_act_during_publication_waits_and_is_told(tournament: Tournament, act: LogEntry) -> None:
    seen = Tournament.objects.get(pk=tournament.pk)
    acted = acted_during_publication(lambda: act(seen))
    if act is mark:
        # Marked after publication it is a correction, which the next list takes.
        assert acted.result().made == Correction.objects.get()
    else:
        with refusal():
            acted.result()
    tournament.refresh_from_db()
    assert tournament.stage == Stage.PUBLISHED
    assert not Hold.objects.exists()
    assert TournamentRating.objects.get(included_in__isnull=False).report.version == 1
    assert equal(FEBRUARY)


@pytest.mark.page
@pytest.mark.parametrize(
    "act", [not_rated, question, new_version, mark, conditions], ids=lambda act: act.__name__
)
def test_d_104_act_before_publication_is_taken(tournament: Tournament, act: LogEntry) -> None:
    """On SQLite the publication cannot begin before the act has ended; on PostgreSQL it waits for the tournament."""
    acted, goes_on = Signal(), Signal()

    def held() -> None:
        with transaction.atomic():
            act(tournament)
            acted.set()
            goes_on.wait(timeout=60)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(in_another_connection(held))
        assert acted.wait(timeout=60)
        publication = pool.submit(
            in_another_connection(lambda: publish_list("rapid", FEBRUARY, by=None, at=NOW))
        )
        with pytest.raises(TimeoutError):
            publication.result(timeout=0.5)
        goes_on.set()
        first.result(timeout=60)
        assert publication.result(timeout=60).is_new
    taken = [row.report.version for row in TournamentRating.objects.filter(included_in__isnull=False)]
    assert taken == {new_version: [2], mark: [1], conditions: [1]}.get(act, [])
    if act is conditions:
        assert not TournamentRating.objects.get(included_in__isnull=False).counted_games
    assert equal(FEBRUARY)


def test_d_104_request_granted_during_publication_is_closed(tournament: Tournament) -> None:
    """The list takes the event and closes the request; the chair is told that it is decided."""
    officer = make.person("officer", tournament.federation)
    withdraw_registration(tournament, reason="Too few played.", by=officer, at=NOW)
    assert acted_during_publication(lambda: granted_withdrawal(tournament)).result() is False
    tournament.refresh_from_db()
    assert (tournament.stage, waiting_request(tournament)) == (Stage.PUBLISHED, None)
    assert equal(FEBRUARY)


def test_d_104_conditions_corrected_during_publication_go_into_the_next_list(tournament: Tournament) -> None:
    """The author sees that the tournament is published by now: the effect is one of lines."""
    effect = acted_during_publication(lambda: conditions(tournament)).result()
    march = publish_list("rapid", MARCH, by=None, at=make.noon(MARCH)).rating_list
    assert (effect.is_published, march.correction_lines_taken.count()) == (True, len(effect.lines))
    assert all(equal(on) for on in (FEBRUARY, MARCH))


def test_d_104_death_recorded_during_publication_follows_the_list(tournament: Tournament) -> None:
    """The correction is calculated with the list that is on its way: nothing of it is lost."""
    player = Player.objects.get(pk=1001)

    def undo_death() -> Any:
        return make.correct_player(player, {"died_on": None}, reason="Another person.", at=NOW)

    player.died_on = date(2025, 12, 20)
    player.save()
    lines = acted_during_publication(undo_death).result().lines
    assert {line.corrected_list.date for line in lines} == {FEBRUARY}
    publish_list("rapid", MARCH, by=None, at=make.noon(MARCH))
    assert (
        ListEntry.objects.get(player=1001, rating_list__kind="rapid", rating_list__date=MARCH).rating > 2000
    )
    assert all(equal(on) for on in (FEBRUARY, MARCH))


def test_d_104_exclusion_recorded_during_publication_follows_the_list(tournament: Tournament) -> None:
    def exclude() -> bool:
        return exclude_federation(
            tournament.federation, excluded_from=date(2026, 1, 15), until=None, by=None, at=NOW
        )

    assert acted_during_publication(exclude).result()
    listed = ListEntry.objects.filter(rating_list__kind="rapid").listed()
    assert listed.filter(rating_list__date=FEBRUARY, player__federation=tournament.federation).exists()
    publish_list("rapid", MARCH, by=None, at=make.noon(MARCH))
    assert not listed.filter(rating_list__date=MARCH, player__federation=tournament.federation).exists()
    assert all(equal(on) for on in (FEBRUARY, MARCH))


def test_d_104_correction_during_publication_goes_into_the_next_list(tournament: Tournament) -> None:
    publish_list("rapid", FEBRUARY, by=None, at=NOW)

    def correct() -> Any:
        return make.correct_report(
            Tournament.objects.get(),
            Event(PLAYERS, CORRECTED).content(),
            file_name="b.trf",
            reason="Results were turned.",
            on=MARCH,
        )

    lines = acted_during_publication(correct, MARCH).result().lines
    april = publish_list("rapid", date(2026, 4, 1), by=None, at=make.noon(date(2026, 4, 1))).rating_list
    assert lines
    assert april.correction_lines_taken.count() == len(lines)
    assert all(equal(on) for on in (FEBRUARY, MARCH, date(2026, 4, 1)))


@pytest.mark.page
@pytest.mark.parametrize(
    ("tamper", "named"),
    [
        (lambda: Tournament.objects.update(registration="not-rated"), "registration"),
        (lambda: make.put_on_hold(Tournament.objects.all()), "question"),
        (lambda: Report.objects.update(state="replaced"), "accepted version"),
    ],
    ids=["registration", "question", "version"],
)
def test_d_104_verification_names_what_the_list_ignored(
    tournament: Tournament, tamper: Callable[[], object], named: str
) -> None:
    rating_list = publish_list("rapid", FEBRUARY, by=None, at=NOW).rating_list
    tamper()
    difference = verify_list(rating_list)
    assert difference is not None
    assert (difference.what, difference.where) == (named, tournament.event_id)
