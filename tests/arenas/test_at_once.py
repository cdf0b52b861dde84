"""Several at once, killed in the middle, in any order: every game once, and ratings as if nothing had happened."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arenas.days import end_arena_day
from arenas.entries import GameEntry, read_game
from arenas.games import record_games, record_stream
from arenas.members import load_arenas
from arenas.models import Arena, Change, Game, Member, Rating
from tests.arenas.played import AT, START, enrol, everything, ratings, sent
from tests.faults.processes import kill_before, statements_of

pytestmark = pytest.mark.slow

HANDLES = ("ada", "ben", "cyd", "dan", "eva", "fay")
RESULTS = ("1-0", "0-1", "1/2-1/2")


def stream(count: int, *, seed: int = 1, moved: timedelta = timedelta(minutes=7)) -> list[dict[str, Any]]:
    """Return games among six members, in the order of their ends."""
    chance = random.Random(seed)
    games = []
    for number in range(count):
        white, black = chance.sample(HANDLES, 2)
        ended = (START + moved * number).isoformat()
        games.append(sent(number, white, black, chance.choice(RESULTS), played_at=ended))
    return games


def made(slug: str, system: str = "flyordie") -> Arena:
    """Return a new arena with the six members."""
    arena = Arena.objects.create(slug=slug, name=slug, system=system)
    enrol(arena, *HANDLES)
    return arena


def in_one_process(slug: str, rows: list[dict[str, Any]], system: str = "flyordie") -> dict[str, str | None]:
    """Return the ratings that a stream gives when nothing disturbs it."""
    arena = made(slug, system)
    record_stream(arena, [read_game(row) for row in rows], at=AT)
    return ratings(arena)


@pytest.fixture
def _arenas(transactional_db: None) -> None:
    load_arenas(using="default")


@pytest.mark.usefixtures("_arenas")
def test_two_batches_at_once_with_the_same_games_record_each_once() -> None:
    rows = stream(120)
    arena = made("twice")

    def post(batch: list[dict[str, Any]]) -> list[str]:
        try:
            answers = record_games(arena, [read_game(row) for row in batch], at=AT)
            return [answer.status for answer in answers]
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(post, [rows, rows[::-1], rows, rows]))

    assert sorted(status for batch in told for status in batch) == ["known"] * 360 + ["recorded"] * 120
    assert Game.objects.filter(arena=arena, is_late=False).count() == 120
    assert ratings(arena) == in_one_process("alone", rows)


@pytest.mark.usefixtures("_arenas")
def test_overlapping_batches_at_once_give_what_one_after_the_other_gives() -> None:
    """Members and games overlap; whichever batch comes second finds its earlier games late, and says so."""
    rows = stream(120)
    first, second = rows[:80], rows[40:]
    arena = made("at-once")

    def post(batch: list[dict[str, Any]]) -> None:
        try:
            record_games(arena, [read_game(row) for row in batch], at=AT)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(post, [second, first]))

    outcomes = []
    for slug, order in (("one-way", (first, second)), ("other-way", (second, first))):
        other = made(slug)
        for batch in order:
            record_games(other, [read_game(row) for row in batch], at=AT)
        outcomes.append(everything(other))
    assert Game.objects.filter(arena=arena).count() == 120
    assert everything(arena) in outcomes


@pytest.mark.usefixtures("_arenas")
def test_numbers_of_changes_have_no_gap_and_each_continues_the_one_before() -> None:
    arena = made("chain")
    batches = [stream(60, seed=seed, moved=timedelta(minutes=seed)) for seed in (1, 2, 3)]
    entries = [
        [read_game({**row, "id": f"{place}-{row['id']}"}) for row in batch]
        for place, batch in enumerate(batches)
    ]

    def post(batch: list[GameEntry]) -> None:
        try:
            record_games(arena, batch, at=AT)
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(post, entries))

    for rating in Rating.objects.filter(member__arena=arena):
        changes = list(Change.objects.filter(rating=rating).order_by("number"))
        assert [change.number for change in changes] == list(range(1, rating.version + 1))
        assert [change.before for change in changes[1:]] == [change.after for change in changes[:-1]]
        assert changes[-1].after == rating.hundredths


@pytest.mark.usefixtures("_arenas")
def test_import_killed_in_the_middle_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arenas.games.BATCH", batch := 50)
    rows = stream(130, moved=timedelta(minutes=1))
    arena, other = made("killed"), made("one-batch")
    source = tmp_path / "games.jsonl"
    source.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    first = [read_game(row) for row in rows[:batch]]
    statements = statements_of(lambda: record_stream(other, first, at=AT))

    def import_games() -> None:
        call_command("import_games", "killed", str(source), stdout=StringIO())

    kill_before(len(statements) * 3 // 2, import_games)
    games = Game.objects.filter(arena=arena)
    half = games.count()

    import_games()

    assert half == batch
    assert games.filter(is_late=False).count() == len(rows)
    assert ratings(arena) == in_one_process("undisturbed", rows)


# Each writes hundreds of rows.
FEW = settings.default.max_examples // 2
SYSTEMS = st.sampled_from(["foa-rbb", "chess-online", "flyordie"])
ROWS = st.lists(
    st.tuples(
        st.permutations(HANDLES).map(lambda handles: handles[:2]),
        st.sampled_from(RESULTS),
        st.integers(0, 3_000),
        st.sampled_from(["15+10", "3+2", "1+1", "9+9"]),
        st.sampled_from([1, 30]),
    ),
    max_size=25,
)


def _rows(drawn: list[Any]) -> list[dict[str, Any]]:
    return [
        sent(
            number,
            *pair,
            result,
            played_at=(START + timedelta(minutes=minutes)).isoformat(),
            time_control=control,
            moves=moves,
        )
        for number, (pair, result, minutes, control, moves) in enumerate(drawn)
    ]


def _given_ratings(arena: Arena) -> Arena:
    """Let half of the members begin with a rating, so that something happens in `foa-rbb`."""
    for rating in Rating.objects.filter(member__arena=arena, member__handle__in=HANDLES[:3]):
        if arena.system == "foa-rbb":
            rating.state |= {"rating": 1800_00, "was_unrated": False}
            rating.hundredths = 1800_00
            rating.save()
    return arena


def _played(slug: str, system: str, batches: list[list[dict[str, Any]]]) -> Any:
    arena = _given_ratings(made(slug, system))
    for batch in batches:
        record_stream(arena, [read_game(row) for row in batch], at=AT)
    return everything(arena)


@pytest.mark.page
@pytest.mark.django_db
@settings(max_examples=FEW, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(system=SYSTEMS, drawn=ROWS, data=st.data())
def test_order_and_batching_of_a_stream_make_no_difference(system: str, drawn: list[Any], data: Any) -> None:
    rows = _rows(drawn)
    shuffled = data.draw(st.permutations(rows))
    ordered = sorted(rows, key=lambda row: (row["played_at"], row["id"]))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=3)))
    batches = [ordered[low:high] for low, high in zip([0, *cuts], [*cuts, len(rows)], strict=True)]
    with transaction.atomic():
        whole = _played("whole", system, [shuffled])
        pieces = _played("pieces", system, batches)
        again = _played("again", system, [*batches, rows])
        transaction.set_rollback(True)

    assert pieces == whole
    assert again == whole


@pytest.mark.page
@pytest.mark.django_db
@settings(max_examples=FEW, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(system=SYSTEMS, drawn=ROWS)
def test_replay_of_an_arena_from_its_games_gives_the_same_ratings(system: str, drawn: list[Any]) -> None:
    """Games come in any order, some of them late; replayed in the order in which they came, nothing differs."""
    with transaction.atomic():
        arena = _given_ratings(made("original", system))
        for row in _rows(drawn):
            record_games(arena, [read_game(row)], at=AT)
        end_arena_day(arena, START.date() + timedelta(days=4), at=AT)
        replayed = _given_ratings(made("replayed", system))
        for game in Game.objects.filter(arena=arena).select_related("white", "black").order_by("pk"):
            record_games(replayed, [_entry(game)], at=AT)
        end_arena_day(replayed, START.date() + timedelta(days=4), at=AT)
        found = [everything(arena), everything(replayed)]
        transaction.set_rollback(True)

    assert found[0] == found[1]


@pytest.mark.page
@pytest.mark.django_db
@settings(max_examples=FEW, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(drawn=ROWS)
def test_changes_between_established_members_add_up_to_zero(drawn: list[Any]) -> None:
    """With the same K on both sides no point comes or goes: `foa-rbb`, K 20 and 10."""
    with transaction.atomic():
        arena = made("zero", "foa-rbb")
        for rating in Rating.objects.filter(member__arena=arena):
            rating.state |= {"rating": 1800_00, "was_unrated": False}
            rating.hundredths = 1800_00
            rating.save()
        record_stream(arena, [read_game(row) for row in _rows(drawn)], at=AT)
        total = sum(Rating.objects.filter(member__arena=arena).values_list("hundredths", flat=True))
        members = Member.objects.filter(arena=arena).count()
        transaction.set_rollback(True)

    assert total == 3 * members * 1800_00


def _entry(game: Game) -> GameEntry:
    return GameEntry(
        id=str(game.arena_game_id),
        played_at=game.played_at,
        white=str(game.white.handle),
        black=str(game.black.handle),
        result=game.result,
        time_control=game.time_control,
        moves=game.moves,
        white_rating_at_start=game.white_rating_at_start,
        black_rating_at_start=game.black_rating_at_start,
        disconnected=game.disconnected,
    )
