"""The whole demonstration, created in one transaction. Interrupted, it leaves the portal empty."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from itertools import groupby

from django.db import transaction

from arenas.days import end_arena_day
from arenas.entries import GameEntry, MemberEntry
from arenas.games import cancel_game, record_games, record_stream
from arenas.members import enrol_members
from arenas.models import Arena, Game
from demo.accounts import Account, make_accounts
from demo.current import Present
from demo.history import MONTHS, DemoHistory, Tell, month_after, noon, seeded_random
from demo.people import HOME, everybody, import_clubs, import_starting_list, words
from players.models import Notice, Player
from ratings.choices import RunState, Work
from ratings.lists import read_lists
from ratings.models import FeeRate, ListEntry, Run
from tournaments.models import Tournament


def is_empty() -> bool:
    """Return whether the portal has no player and no tournament."""
    return not Player.objects.exists() and not Tournament.objects.exists()


def make_world(*, today: date, at: datetime, tell: Tell) -> list[Account]:
    """Create the demonstration as of a day, and return its accounts with their passwords.

    It calls what pages and commands call. `tell` receives a message for each step. No email is sent about past
    events.
    """
    with transaction.atomic(), _quiet():
        accounts = make_accounts()
        users = {(str(account.role), account.federation): account.user for account in accounts}
        first_month = month_after(today.replace(day=1), -MONTHS)
        people = everybody(seeded_random("people"), year=first_month.year)
        import_starting_list((person.record for person in people), on=first_month, at=noon(first_month))
        tell(f"{first_month}  starting lists imported: {len(people)} players")
        FeeRate.objects.create(
            valid_from=first_month,
            currency="EUR",
            per_tournament=Decimal("40.00"),
            per_player=Decimal("1.20"),
        )
        officer = users["officer", HOME]
        members = import_clubs(by=officer, at=noon(first_month))
        tell(f"{first_month}  register imported: {members} players of clubs")
        DemoHistory(people, first_month, staff=users["staff", ""], officer=officer, tell=tell).run()
        tournaments = Present(people, users, today, at).run()
        tell(f"{today}  registered around today: {len(tournaments)} tournaments")
        make_arenas(today=today, at=at, tell=tell)
        Notice.objects.all().delete()
        # They are begun after the commit, and nobody is mailed about the past.
        Run.objects.filter(work=Work.MAIL).update(state=RunState.DONE, attempts=1)
    return accounts


@contextmanager
def _quiet() -> Iterator[None]:
    """Disable the log in the block: `tell` reports each step."""
    logging.disable(logging.INFO)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


HANDLES = words(
    "Zugzwang PawnStorm QuietMove IsolaniFan BackRank Fianchetto RookLift MatesInTwo Hedgehog64 OpenFile "
    "h4h5 EnPassant Desperado LuftPlease SlowBishop Kibitzer NightRider PassedPawn Intermezzo Blockader "
    "SkewerMe TempoTempo GambitDeclined LongCastle Underpromotion BishopPair Flagged TimeScramble "
    "KnightOnRim Outpost"
)
LONG_HANDLE = "TheFifteenMinuteRapidSpecialistFromTheVeryNorthOfTheNorth"


SEED = 20_260_301
GAMES = 220
DAYS = 60
JOINED_DAYS = 75
ONE_DAY = timedelta(days=1)
CONTROLS = {
    "foa-rbb": ("15+10", "10+10", "25+10", "3+2", "5+3", "5+0", "1+1", "2+0", "7+7"),
    "chess-online": ("10+0", "5+5"),
    "flyordie": ("5+0", "3+0"),
}
MEMBERS = {"foa-rbb": 26, "chess-online": 14, "flyordie": 12}


@dataclass(frozen=True, slots=True)
class ArenaMember:
    """A member with the strength that decides the games. `fide_id` is None without a FIDE ID."""

    handle: str
    fide_id: int | None
    strength: int
    is_full: bool


def make_arenas(*, today: date, at: datetime, tell: Callable[[str], None]) -> None:
    """Create the three arenas: members, games of the last two months, one late, one cancelled, and the days."""
    for slug, count in MEMBERS.items():
        arena = Arena.objects.filter(slug=slug).first()
        if arena is None or arena.members.exists():
            continue
        chance = random.Random(f"{SEED}-{slug}")  # noqa: S311 draws, no secrets
        people = list(_people(chance, slug, count, today))
        joined = today - timedelta(days=JOINED_DAYS)
        members = [MemberEntry(one.handle, one.fide_id, one.is_full, joined) for one in people]
        enrol_members(arena, members, at=at)
        _play(arena, people, chance, today, at)
        tell(f"{today}  {arena.name}: {len(people)} members, {arena.games.count()} games")


def _people(chance: random.Random, slug: str, count: int, today: date) -> Iterator[ArenaMember]:
    handles = [*chance.sample(HANDLES, count - 1), LONG_HANDLE]
    players = _players(chance, count) if slug == "foa-rbb" else _players(chance, 4)
    for place, handle in enumerate(handles):
        known = place < len(players) and place % 4 != 3
        fide_id, strength = players[place] if known else (None, chance.randint(1100, 1900))
        yield ArenaMember(handle, fide_id, strength, is_full=place != 5)


def _players(chance: random.Random, count: int) -> list[tuple[int, int]]:
    """Return players of the current rapid list with their ratings."""
    newest = read_lists().newest("rapid")
    entries = ListEntry.objects.listed().filter(rating_list=newest).order_by("player_id")
    found = [(row[0], row[1] or 0) for row in entries.values_list("player_id", "rating")]
    return chance.sample(found, min(count, len(found)))


def _play(
    arena: Arena, people: Sequence[ArenaMember], chance: random.Random, today: date, at: datetime
) -> None:
    games = list(_games(arena, people, chance, today))
    late = games.pop(GAMES // 2)
    for day, of_day in groupby(games, key=lambda game: game.played_at.date()):
        record_stream(arena, list(of_day), at=at)
        end_arena_day(arena, day, at=at)
    record_games(arena, [late], at=at)
    cheated = Game.objects.filter(arena=arena, unrated="").order_by("-played_at", "-pk")[7]
    cancel_game(cheated, reason="Computer help in the last game of the evening.", at=at)
    end_arena_day(arena, today - ONE_DAY, at=at)


def _games(
    arena: Arena, people: Sequence[ArenaMember], chance: random.Random, today: date
) -> Iterator[GameEntry]:
    """Yield games spread over the days. In `flyordie` two members often play several in a row."""
    first = datetime.combine(today - timedelta(days=DAYS), time(17), tzinfo=UTC)
    pair: list[ArenaMember] = []
    for number in range(GAMES):
        if arena.slug != "flyordie" or number % 3 == 0:
            pair = chance.sample(people, 2)
        white, black = pair if number % 2 else pair[::-1]
        day, minutes = divmod(number * (DAYS - 1) * 1440 // GAMES, 1440)
        ended = first + timedelta(days=day, minutes=minutes % 300 + number % 7)
        yield GameEntry(
            id=f"{arena.slug}-{number + 1:05}",
            played_at=ended,
            white=white.handle,
            black=black.handle,
            result=_result(white.strength - black.strength, chance),
            time_control=chance.choice(CONTROLS[arena.slug]),
            moves=2 if number == 40 else chance.randint(30, 140),
            white_rating_at_start=None,
            black_rating_at_start=None,
            disconnected="black" if number == 60 else "",
        )


def _result(difference: int, chance: random.Random) -> str:
    """Return a random result: a sixth are draws, and 200 points give odds of 3 to 1."""
    if chance.randrange(6) == 0:
        return "1/2-1/2"
    white = max(5, min(95, 50 + difference // 8))
    return "1-0" if chance.randrange(100) < white else "0-1"
