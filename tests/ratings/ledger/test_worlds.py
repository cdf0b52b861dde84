"""The portal against the oracle over random worlds: no fact is lost, whatever the day on which it is entered.

`LEDGER_WORLDS=200 pytest ...` for a long run, `LEDGER_SEED=17` for the world of a seed.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from ratings.amend.effect import Effect
from ratings.lists import read_lists
from ratings.models import Calculation, RatingList
from ratings.records import record_of, tournaments_of, with_results
from tests.ratings.ledger.compare import compare
from tests.ratings.ledger.facts import Facts
from tests.ratings.ledger.oracle import History, Lists, Recorded
from tests.ratings.ledger.portal import KIND, Portal
from tests.ratings.ledger.worlds import (
    Act,
    Correct,
    Decide,
    Die,
    Exclude,
    ImportStandard,
    Merge,
    Publish,
    World,
    facts_of,
    world_of,
)
from tests.tools.verifier import download, run
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]
FIRST = int(os.environ.get("LEDGER_SEED", "1"))
SEEDS = range(FIRST, FIRST + int(os.environ.get("LEDGER_WORLDS", "1")))


class ShowsFirst(Portal):
    """Shows what each correction would do before it is made, and notes what the next list then takes (D-145)."""

    def __init__(self, world: World, folder: Path) -> None:
        super().__init__(world, folder)
        self.alone: list[Effect] = []
        self.shown: list[tuple[date, int, int]] = []
        self.taken: list[tuple[date, int, int]] = []

    def do(self, act: Act, *, is_dry_run: bool = False) -> Effect | None:
        """Do an act; what a correction shows is what is done."""
        is_correction = isinstance(act, Correct | Decide)
        shown = super().do(act, is_dry_run=True) if is_correction else None
        done = super().do(act)
        if shown is not None and done is not None:
            assert [shown.taken, figures_of(shown)] == [done.taken, figures_of(done)]
            self.alone.append(done)
        if isinstance(act, Die | Exclude | Merge | ImportStandard):
            # They correct lists, too: the next one takes both.
            self.alone += [Effect(Tournament())] * 2
        if isinstance(act, Publish):
            # Of several corrections each shows what it does after those before it.
            if len(self.alone) == 1:
                rows = Calculation.objects.filter(rating_list__date=act.on, rating_list__kind=KIND)
                of_list = dict(rows.values_list("player", "correction_hundredths"))
                for one in self.alone[0].taken:
                    self.shown.append((act.on, one.player_id, one.difference))
                    self.taken.append((act.on, one.player_id, of_list.get(one.player_id, 0)))
            self.alone.clear()
        return done


@pytest.mark.parametrize("seed", SEEDS)
def test_d_110_d_145_every_line_and_page_is_that_of_the_oracle_and_as_it_was_shown(
    seed: int, tmp_path: Path
) -> None:
    """The verifier in one file agrees with each list, too, from its evidence and the list before."""
    portal = ShowsFirst(world_of(seed), tmp_path)
    assert differences(portal) == []
    assert portal.taken == portal.shown


def figures_of(effect: Effect) -> list[tuple[int, str, int]]:
    return [(line.player_id, str(line.corrected_list), line.difference_hundredths) for line in effect.lines]


def differences(portal: Portal) -> list[str]:
    """Return what differs on the first list that does."""
    found: list[str] = []
    for compared in compare(portal):
        rating_list = RatingList.objects.get(kind=KIND, date=compared.list_date)
        found += map(str, compared.differences)
        if run(download(rating_list, portal.folder)):
            found.append(f"{rating_list} is not verified")
    return found or list(pages_that_differ(facts_of(portal.world), compared.lists))


def pages_that_differ(facts: Facts, published: Lists) -> Iterator[str]:
    """Yield what the pages of players show otherwise than it counts: a corrected event by its report of today (D-146).

    The others stand as their lists took them. K is the one that the list used. Nobody is asked who died: games before a
    death that is undone count by corrections alone.
    """
    lists, histories = read_lists(), {on: History(facts, on, published) for on in facts.published}
    today = History(facts, date.max, published)
    merged = {item.old: item.since for item in facts.mergers}
    died = {item.fide_id for item in facts.deaths}
    for person in facts.people:
        ids = today.ids(person.fide_id, today.on)
        if person.fide_id in merged or not died.isdisjoint(ids):
            continue
        rows = with_results(tournaments_of(ids, lists=lists))
        shown, expected, rounding = (Counter[tuple[str, str]]() for _ in range(3))
        for row in rows:
            k = row.k if row.points is not None else None
            changes = Fraction(row.row.change_hundredths, 100)
            _add(shown, row.tournament.event_id, Recorded(row.row.games, 0, k, changes))
            if row.row.start_rating is None and k:
                # By a current rating (7.2.5), which may be another by the point that D-101 allows.
                rounding[row.tournament.event_id, "change"] += k * row.row.games
        shown.update((game.tournament.event_id, "wins") for game in record_of(rows, most=1000).best_wins)
        corrected = {row.tournament.event_id for row in rows if row.is_corrected}
        corrected |= {event.event_id for event in facts.events if not today.games(event)}
        for event in facts.events:
            then, now = (
                [history.record(one, event) for one in ids if event.taken_by < merged.get(one, date.max)]
                for history in (histories[event.taken_by], today)
            )
            k = next((one.k for one in then if one and one.k), None)
            for one in now if event.event_id in corrected else then:
                if one is not None:
                    _add(expected, event.event_id, replace(one, k=one.k and (k or one.k)))
        for key in sorted(shown.keys() | expected.keys()):
            if abs(shown[key] - expected[key]) > rounding[key]:
                yield f"page of {person.fide_id}: {key}, expected {expected[key]}, found {shown[key]}"


def _add(found: Counter[tuple[str, str]], event_id: str, item: Recorded) -> None:
    found[event_id, "games"] += item.games
    found[event_id, "wins"] += item.wins
    if item.k is not None and item.changes is not None:
        found[event_id, "change"] += int(100 * item.k * item.changes)
