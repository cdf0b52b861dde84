"""Decisions on one game: before publication the event is rated again, afterwards the next list corrects (4.1, D-11)."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.test import Client

from players.models import LogEntry
from ratings.amend.effect import Effect
from ratings.lists import read_lists
from ratings.models import Correction, ParticipantRating
from ratings.records import tournaments_of, with_results
from tests import make
from tests.codes import refusal
from tests.conftest import NOW
from tests.ratings.alphaville import entry_of, perform_due, publish, told
from tournaments.amendments import Amendment, NotRated, Opponent, Person, Result
from tournaments.models import Game, Report, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]

FAIR_PLAY = NotRated(4, 1, why="fair-play", reference="FPL 7/2026")
LATER = date(2026, 2, 10)


def decide(decision: Amendment, **options: Any) -> Effect:
    effect = make.correct_game(Tournament.objects.get(), decision, reason="FPL.", on=LATER, at=NOW, **options)
    perform_due()
    return effect


def test_4_1_before_publication_the_effect_is_shown_first(month: Any) -> None:
    before = list(ParticipantRating.objects.order_by("number").values_list("games", "change_hundredths"))
    shown = decide(FAIR_PLAY, is_dry_run=True)
    assert [(one.player_id, one.before.games, one.after.games) for one in shown.players] == [
        (1001, 4, 3),
        (1004, 4, 3),
    ]
    assert (
        list(ParticipantRating.objects.order_by("number").values_list("games", "change_hundredths")) == before
    )
    assert not LogEntry.objects.filter(action="mark").exists()
    decide(FAIR_PLAY)
    assert ParticipantRating.objects.get(player=1001).games == 3


def test_d11_after_publication_the_next_list_takes_the_difference(month: Any) -> None:
    publish("2026-02-01")
    shown = decide(FAIR_PLAY, is_dry_run=True)
    assert (Correction.objects.count(), Report.objects.count()) == (0, 1)
    done = decide(FAIR_PLAY)
    assert told(shown) == told(done)
    assert [(line.player_id, line.games_difference) for line in done.lines] == [(1001, -1), (1004, -1)]
    before = entry_of(1001).rating
    publish("2026-03-01")
    # The win against 1700 gave 0.15, with K 20 three points.
    assert [line.difference_hundredths for line in done.lines] == [-300, 300]
    assert entry_of(1001, "2026-03-01").rating == before - 3
    (played,) = with_results(tournaments_of([1001], lists=read_lists()))
    assert played.was
    assert played.corrected_on
    assert ((played.was.points or 0) - (played.points or 0), played.corrected_on.date) == (
        300,
        date(2026, 3, 1),
    )
    event = Tournament.objects.get()
    shown = Client().get(f"/tournaments/{event.event_id}/").context["standings"].corrected
    assert (shown.keys(), shown[1001].points) == ({1001, 1004}, played.points)
    (listed,) = Client().get("/tournaments/?view=results").context["rows"]
    assert listed.tournament.is_corrected
    assert 'data-corrected="-300"' in Client().get("/players/1001/rapid/2026-02-01/").content.decode()
    assert make.run("verify_list", "rapid", "2026-03-01")["verified"] is True


def test_d11_result_of_one_game_is_corrected(month: Any, monkeypatch: Any) -> None:
    publish("2026-02-01")
    effect = decide(Result(4, 1, result="1/2-1/2"))
    assert [(line.player_id, line.difference_hundredths) for line in effect.lines] == [
        (1001, -1000),
        (1004, 1000),
    ]
    report = Report.objects.get(state="accepted")
    assert Game.objects.get(report=report, round=4, white=1).white_code == "="
    assert report.version == 2
    page = f"/tournaments/{report.tournament.event_id}/"
    for view in ("rounds/1/", "crosstable/"):
        assert Client().get(page + view).context["corrected_games"] == {(4, 1, 4): (1, 1)}
    # Who gained nothing may have another rank: rows, pages and opponents have the corrected ones.
    monkeypatch.setattr("ratings.events.PAGE", 2)
    for player, rank in ((1002, 3), (1003, 2)):
        report.participants.filter(player=player).update(rank=rank)
    for number, players in ((1, [1001, 1003]), (2, [1002, 1004])):
        shown = Client().get(f"{page}crosstable/?page={number}").context["standings"]
        assert [one.row.player_id for one in shown.rows] == players
        assert (players[number % 2] in shown.corrected, shown.ranks[2], shown.ranks[3]) == (True, 3, 2)


def test_result_is_corrected_before_publication_by_another_version(month: Any) -> None:
    shown = decide(Result(4, 1, result="1/2-1/2"), is_dry_run=True)
    before = Report.objects.count()
    done = decide(Result(4, 1, result="1/2-1/2"))

    report = Report.objects.get(state="accepted")
    assert (before, report.version, done.players) == (1, 2, shown.players)
    assert Game.objects.get(report=report, round=4, white=1).white_code == "="
    assert Correction.objects.count() == 0


def test_d11_earlier_decisions_stand_when_another_follows(month: Any) -> None:
    publish("2026-02-01")
    decide(FAIR_PLAY)
    decide(NotRated(2, 1, why="force-majeure", reference="QC 1/2026"))
    shown = Client().get(f"/tournaments/{Tournament.objects.get().event_id}/").context
    made = [[line.player_id for line in lines] for one, lines in shown["made"] if one.amendments]
    assert made == [[1001, 1002], [1001, 1004]]
    marked = Game.objects.filter(report__state="accepted").exclude(mark="").order_by("round")
    assert list(marked.values_list("round", "mark", "mark_reference")) == [
        (2, "force-majeure", "QC 1/2026"),
        (4, "fair-play", "FPL 7/2026"),
    ]
    decide(NotRated(4, 1))
    assert Game.objects.filter(report__state="accepted").exclude(mark="").count() == 1


WRONG: list[tuple[Amendment, str]] = [
    (NotRated(4, 4, why="fair-play", reference="x"), "no-such-game"),
    (NotRated(99, 1, why="fair-play", reference="x"), "no-such-game"),
    (NotRated(4, 1, why="fair-play", reference=""), "mark-reference-missing"),
    (Result(4, 1, result="1-0"), "nothing-changes"),
    (Person(4, 1, seat="w", fide_id=0), "player-missing"),
    (Opponent(4, 1, seat="w", other=0), "opponent-missing"),
    (Opponent(4, 1, seat="w", other=99), "opponent-missing"),
    (Opponent(4, 1, seat="b", other=1), "nothing-changes"),
    (NotRated(4, 1), "nothing-changes"),
]


@pytest.mark.parametrize("is_published", [False, True])
def test_what_stands_against_a_decision_is_said(month: Any, is_published: bool) -> None:
    if is_published:
        publish("2026-02-01")
    for decision, code in WRONG:
        with refusal() as refused:
            decide(decision)
        assert refused.found == [code], decision
    assert not Game.objects.exclude(mark="").exists()
    # A game may be named from the side of Black.
    assert decide(NotRated(4, 6, why="fair-play", reference="x")).changes is not None
