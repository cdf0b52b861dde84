"""A world entered into the portal: reports as TRF through the commands, corrections and decisions as pages do.

The clock stands at noon of the day on which something is done.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import time_machine
from django.core.management import call_command

from players.models import Player
from ratings.amend.effect import Effect
from ratings.models import Adoption, ListEntry, RatingList
from tests import make
from tests.ratings.ledger.facts import SHIPPED, Game, Person
from tests.ratings.ledger.worlds import (
    HOST,
    Act,
    Correct,
    Decide,
    Die,
    Exclude,
    ImportStandard,
    Merge,
    Publish,
    Submit,
    World,
)
from tests.ratings.list_files import Listed, single_list
from tests.trf_files import Event as Trf
from tournaments.amendments import NotRated
from tournaments.models import Tournament

KIND = "rapid"
TEXTS = {"2024-12": "fide-rapid-blitz-2024-12"}


class Portal:
    """Enters a world, act by act, with its files in a folder."""

    def __init__(self, world: World, folder: Path) -> None:
        self.world, self.folder = world, folder
        self.submitted: dict[str, Submit] = {}
        self.numbers: dict[str, dict[int, int]] = {}
        self.staff: Any = None

    def begin(self) -> None:
        """Store people and imported lists."""
        self.staff = make.person("staff")
        make.federation(code=HOST)
        players = {person.fide_id: _player(person) for person in self.world.people}
        for on, entries in self.world.imported:
            with time_machine.travel(make.noon(on), tick=False):
                rating_list = make.rating_list(kind=KIND, date=on)
                for fide_id, item in entries:
                    make.entry(
                        rating_list=rating_list,
                        player=players[fide_id],
                        rating=item.rating,
                        k_factor=item.k,
                        is_inactive=item.is_inactive,
                    )
        for first_day, text in self.world.adopted[len(SHIPPED) :]:
            Adoption.objects.create(
                text=TEXTS[text], first_day=first_day, at=make.noon(first_day), reason="Amended."
            )

    def do(self, act: Act, *, is_dry_run: bool = False) -> Effect | None:
        """Do an act; return the effect of a correction, which alone can be tried without being done."""
        effect = None
        with time_machine.travel(make.noon(act.day), tick=False):
            match act:
                case Publish():
                    make.publish_explained(KIND, act.on)
                case Submit():
                    self._submit(act)
                case Correct():
                    effect = self._correct(act, is_dry_run=is_dry_run)
                case Decide():
                    effect = self._decide(act, is_dry_run=is_dry_run)
                case Die():
                    self._die(act)
                case Exclude():
                    until = ["--until", act.until.isoformat()] if act.until else []
                    first = act.first.isoformat()
                    self._run("mark_federation", act.federation, "--excluded-from", first, *until)
                case Merge():
                    old, new = Player.objects.get(pk=act.old), Player.objects.get(pk=act.new)
                    make.merge_by_two(
                        old, into=new, reason="One person.", by=self.staff, at=make.noon(act.day)
                    )
                case ImportStandard():
                    self._import(act)
        return effect

    def _run(self, name: str, *arguments: str) -> Any:
        out = StringIO()
        try:
            call_command(name, *arguments, "--json", stdout=out)
        except SystemExit as end:
            raise make.RefusedCommandError(f"{name} {arguments}: {out.getvalue()}") from end
        return json.loads(out.getvalue())

    def _submit(self, act: Submit) -> None:
        self.submitted[act.event_id] = act
        path = self.folder / "report.trf"
        path.write_bytes(self._content(act.event_id, act.games))
        usual = ["--kind", KIND, "--time-control", "15+10", "--federation", HOST, "--event-id", act.event_id]
        registered = (act.start - timedelta(days=10)).isoformat()
        days = ["--registered-on", registered, "--submitted-on", act.day.isoformat()]
        self._run("submit_report", str(path), *usual, *days)

    def _content(self, event_id: str, games: Sequence[Game]) -> bytes:
        act = self.submitted[event_id]
        ids = sorted({fide_id for game in act.games for fide_id in (game.white, game.black)})
        numbers = {fide_id: number for number, fide_id in enumerate(ids, start=1)}
        self.numbers[event_id] = numbers
        rounds: list[list[tuple[int, int, str]]] = [[] for _ in range(max(game.round for game in act.games))]
        for game in games:
            rounds[game.round - 1].append((numbers[game.white], numbers[game.black], game.result))
        players = [(fide_id, f"Player, P{fide_id}") for fide_id in ids]
        return Trf(players, rounds, name=event_id, start=_trf(act.start), end=_trf(act.end)).content()

    def _correct(self, act: Correct, *, is_dry_run: bool) -> Effect:
        return make.correct_report(
            Tournament.objects.get(event_id=act.event_id),
            self._content(act.event_id, act.games) if act.games else None,
            reason="A correction.",
            on=act.day,
            is_dry_run=is_dry_run,
        )

    def _decide(self, act: Decide, *, is_dry_run: bool) -> Effect:
        number, white, _black = act.pair
        why = "" if act.is_rated else "fair-play"
        decision = NotRated(number, self.numbers[act.event_id][white], why=why, reference="QC 1/2026")
        tournament = Tournament.objects.get(event_id=act.event_id)
        days: dict[str, Any] = {"on": act.day, "at": make.noon(act.day), "is_dry_run": is_dry_run}
        return make.correct_game(tournament, decision, reason="Decided.", **days)

    def _die(self, act: Die) -> None:
        how = ["--died-on", act.died_on.isoformat()] if act.died_on else ["--not-dead"]
        self._run("mark_player", str(act.fide_id), *how, "--reason", "Found out.")

    def _import(self, act: ImportStandard) -> None:
        path = self.folder / f"standard_{act.on:%b%y}frl.txt".lower()
        federations = {person.fide_id: person.federation for person in self.world.people}
        years = {person.fide_id: person.birth_year for person in self.world.people}
        players = [
            Listed(
                fide_id,
                name=f"Player, P{fide_id}",
                federation=federations[fide_id],
                standard=(rating, 0, 20),
                born=years[fide_id],
            )
            for fide_id, rating in act.ratings
        ]
        path.write_bytes(
            single_list("standard", *players).replace(b"JAN26", f"{act.on:%b%y}".upper().encode())
        )
        self._run("import_fide_list", str(path), "--date", act.on.isoformat(), "--kind", "standard")


def _player(person: Person) -> Player:
    federation = make.federation(code=person.federation)
    return make.player(
        fide_id=person.fide_id,
        name=f"Player, P{person.fide_id}",
        federation=federation,
        birth_year=person.birth_year,
    )


def _trf(day: date) -> str:
    return f"{day:%Y/%m/%d}"


def entries_of(on: date) -> dict[int, ListEntry]:
    """Return the stored entries of a list by FIDE ID, those that are not listed included."""
    rating_list = RatingList.objects.get(kind=KIND, date=on)
    return {entry.player_id: entry for entry in ListEntry.objects.filter(rating_list=rating_list)}
