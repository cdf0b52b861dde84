"""Commands in any order with any dates: every list verifies, and the next month can always be published.

`COMMAND_STEPS` is the number of steps (`make fuzz` takes 2,000).
"""

from __future__ import annotations

import os
from datetime import UTC, date, datetime
from pathlib import Path
from random import Random

import pytest
import time_machine
from django.core.management.base import CommandError

from core.commands import WRONG_USE
from ratings.choices import PUBLISHED_KINDS
from ratings.lists import read_lists
from ratings.models import RatingList
from ratings.publish.publish import publication_refusals
from tests import make
from tests.ratings.alphaville import ALL_PLAY, PLAYERS
from tests.ratings.list_files import Listed, text_list, written
from tests.trf_files import Event
from tournaments.choices import Stage
from tournaments.list_dates import lists_after
from tournaments.models import Tournament

STEPS = int(os.environ.get("COMMAND_STEPS", "40"))
TODAY = datetime(2026, 11, 22, 9, tzinfo=UTC)
MONTHS = [date(2025 + number // 12, number % 12 + 1, 1) for number in range(11, 26)]
SLIPS = [date(2062, 12, 1), date(2026, 3, 2), date(2021, 1, 1)]
RESULTS = ("1-0", "1/2", "0-1")

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


class Operator:
    """Calls commands with arguments drawn at random; each is done or refused, nothing else."""

    def __init__(self, folder: Path, rng: Random) -> None:
        self.folder, self.rng = folder, rng
        self.done: dict[str, int] = {}

    def step(self) -> None:
        """Do one thing."""
        acts = [self.import_list, self.submit, self.publish, self.publish_next, self.correct, self.withdraw]
        act = self.rng.choice(acts)
        try:
            act()
        except make.RefusedCommandError as refused:
            if not refused.args[0]["reasons"]:
                raise
        except CommandError as error:
            if error.returncode != WRONG_USE:
                raise
        else:
            self.done[act.__name__] = self.done.get(act.__name__, 0) + 1

    def day(self) -> date:
        return self.rng.choice(MONTHS * 3 + SLIPS)

    def import_list(self) -> None:
        ratings = [(self.rng.randrange(1400, 2400), 3, 20) for _ in PLAYERS]
        records = [
            Listed(fide_id, name, standard=rating, rapid=rating, blitz=rating)
            for (fide_id, name), rating in zip(PLAYERS, ratings, strict=True)
        ]
        path = written(self.folder / "list.txt", text_list(*records[: self.rng.randrange(3, 7)]))
        reason = ["--adopt", "FIDE's is right"] if self.rng.random() < 0.2 else []
        kind = ["--kind", self.rng.choice(["standard", "rapid", "blitz"])] if self.rng.random() < 0.5 else []
        make.run("import_fide_list", path, "--date", self.day().isoformat(), *reason, *kind)

    def publish(self) -> None:
        make.run("publish_lists", self.day().isoformat())

    def publish_next(self) -> None:
        newest = read_lists().newest("rapid")
        make.run("publish_lists", next(lists_after(newest.date if newest else MONTHS[0])).isoformat())

    def submit(self) -> None:
        start = self.day().replace(day=self.rng.randrange(1, 26))
        submitted = start.replace(day=start.day + 2)
        registered = date.fromordinal(start.toordinal() - self.rng.choice([2, 5, 30]))
        event = self._event(f"Open {self.rng.randrange(10**6)}", start)
        kind, control = self.rng.choice([("rapid", "15+10"), ("blitz", "3+2")])
        conditions = ["--kind", kind, "--time-control", control, "--federation", "SUI"]
        days = ["--registered-on", registered.isoformat(), "--submitted-on", submitted.isoformat()]
        make.run("submit_report", written(self.folder / "report.trf", event.content()), *conditions, *days)

    def correct(self) -> None:
        tournament = self._published()
        event = self._event(tournament.name, tournament.start)
        path = written(self.folder / "corrected.trf", event.content())
        make.run("correct_report", tournament.event_id, path, "--reason", "Results were turned.")

    def withdraw(self) -> None:
        make.run("correct_report", self._published().event_id, "--reason", "Not played.")

    def _event(self, name: str, start: date) -> Event:
        rounds = [
            [(white, black, self.rng.choice(RESULTS)) for white, black, _ in pairs] for pairs in ALL_PLAY
        ]
        day = f"{start:%Y/%m/%d}"
        return Event(PLAYERS, rounds, name=name, start=day, end=day)

    def _published(self) -> Tournament:
        found = list(Tournament.objects.filter(stage=Stage.PUBLISHED).order_by("pk"))
        if not found:
            raise CommandError("nothing is published yet", returncode=WRONG_USE)
        return self.rng.choice(found)


@pytest.mark.parametrize("seed", range(2))
def test_commands_in_any_order_leave_every_list_verified(tmp_path: Path, seed: int) -> None:
    operator = Operator(tmp_path, Random(seed))
    with time_machine.travel(TODAY):
        first = [Listed(*player, rapid=(1800, 0, 20), blitz=(1700, 0, 20)) for player in PLAYERS[:5]]
        make.run(
            "import_fide_list", written(tmp_path / "first.txt", text_list(*first)), "--date", "2025-12-01"
        )
        for _ in range(STEPS // 2):
            operator.step()
        for rating_list in RatingList.objects.order_by("date", "kind"):
            answer = make.run("verify_list", rating_list.kind, rating_list.date.isoformat())
            assert answer == {"verified": True, "reasons": []}
    for kind in PUBLISHED_KINDS:
        newest = read_lists().newest(kind)
        assert newest is not None
        following = next(lists_after(newest.date))
        assert publication_refusals(read_lists(), following, today=following, kinds=[kind]) == []
    assert {"publish_next", "submit"} <= operator.done.keys()
