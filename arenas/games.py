"""Record finished games, each once, in the order of their end, and cancel games for fair play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from operator import itemgetter
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from arenas.choices import Cause, Colour, RatingSystem
from arenas.entries import GameEntry
from arenas.ledger import BATCH, Ledger, MemberRating, rows_of_steps, start_of, store_games
from arenas.models import Arena, Change, Game, Member, Rating
from arenas.sentences import Row, Sentence, sentences
from arenas.systems import UNRATED_TIME_CONTROL, System, series_window
from core.bulk import batched
from core.html.figures import MINUS, local_decimal
from ratings.systems.online import values
from ratings.systems.online.values import WHITE_HALF_POINTS, OnlineStep, Past, Side


def reason_in_words(rules: System, game: Any) -> str:
    """Return why a game is not rated, empty for one that is."""
    if not game.unrated:
        return ""
    steps: Iterator[Row] = (
        step for side in game.explanation.values() for step in side["steps"] if step["key"] == game.unrated
    )
    found = sentences(rules, steps)
    return found[0].text if found else str(game.unrated)


@dataclass(frozen=True, slots=True)
class SideShown:
    """One player of a game: exact ratings before and after, None while unrated, and the steps between."""

    colour: str
    member: Member
    rating_at_start: int | None
    before: str | None
    after: str | None
    steps: Sequence[Sentence]

    @property
    def change(self) -> str | None:
        """The exact change, None where there was no rating before or after."""
        if self.before is None or self.after is None:
            return None
        return str(Decimal(self.after) - Decimal(self.before))

    @property
    def signed(self) -> str:
        """The change with its sign, for `figure`; empty where there is none."""
        if self.change is None:
            return ""
        sign = "" if Decimal(self.change) <= 0 else "+"
        return sign + local_decimal(self.change).replace("-", MINUS)


@dataclass(frozen=True, slots=True)
class GameShown:
    """A game with its two sides; `reason` is why it is not rated, empty if rated."""

    game: Game
    white: SideShown
    black: SideShown
    reason: str

    def side_of(self, member: Member) -> SideShown:
        return self.white if self.game.white_id == member.pk else self.black


# What became of a first rating is said before how it was found.
LEADING = ("shown-1200-first-5-games", "provisional-rating")


def games_of(arena: Arena, *, member: Member | None = None, game_id: str = "") -> QuerySet[Game]:
    """Return an arena's games with their members, or those of one member, or the one of the arena's own id."""
    games = Game.objects.filter(arena=arena).select_related("white", "black")
    if member is not None:
        games = games.filter(Q(white=member) | Q(black=member))
    return games.filter(arena_game_id=game_id) if game_id else games


def describe_game(rules: System, game: Game) -> GameShown:
    """Return a game as it is shown; `game` has its members loaded."""
    white, black = (_side(rules, game, *side) for side in game.sides)
    return GameShown(game, white, black, reason_in_words(rules, game))


def _side(rules: System, game: Game, colour: str, member: Member, rating: int | None) -> SideShown:
    stored = game.explanation[colour]
    return SideShown(
        colour=colour,
        member=member,
        rating_at_start=rating,
        before=stored["before"],
        after=stored["after"],
        steps=sorted(sentences(rules, stored["steps"]), key=lambda step: step.key not in LEADING),
    )


RECORDED, KNOWN, REFUSED = "recorded", "known", "refused"
# D-105: by how much an arena's clock may be ahead of the portal's.
CLOCKS_DIFFER = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of one game: recorded now, known already, or refused for the reasons."""

    id: str
    status: str
    game: Game | None = None
    reasons: tuple[str, ...] = ()


OnRecorded = Callable[[int, Recorded], object]


def record_games(arena: Arena, entries: Sequence[GameEntry], *, at: datetime) -> list[Recorded]:
    """Record and rate one batch in one transaction; return an answer a game, in the order given.

    Games are rated in the order of their end, then of their ids. One that ended before another of its members'
    that is rated already is rated now, and is marked as late. A game that is known is left as it is. One that ends
    ahead of the portal's clock, or before a member joined, is refused (D-105).
    """
    try:
        return _record(arena, entries, at=at)
    except IntegrityError:
        # Another worker has just recorded one of these IDs for other members: now it is known.
        return _record(arena, entries, at=at)


def record_stream(
    arena: Arena,
    entries: Sequence[GameEntry],
    *,
    at: datetime,
    on_recorded: OnRecorded | None = None,
) -> None:
    """Record any number of games, put in order first, batch by batch.

    Call `on_recorded` after each batch with each game's place among the entries and its result. Results are not
    collected here, so that memory does not grow with them.
    """
    for places in batched(_in_order(entries), BATCH):
        answers = record_games(arena, [entries[place] for place in places], at=at)
        if on_recorded is not None:
            for place, answer in zip(places, answers, strict=True):
                on_recorded(place, answer)


def _in_order(entries: Sequence[GameEntry]) -> list[int]:
    """Return the places of the games in the order in which they are rated."""
    return sorted(range(len(entries)), key=lambda place: entries[place].order)


@transaction.atomic
def _record(arena: Arena, entries: Sequence[GameEntry], *, at: datetime) -> list[Recorded]:
    ledger = Ledger(arena, at=at)
    handles = {handle for entry in entries for handle in (entry.white, entry.black)}
    members = {
        str(member.handle): member
        for member in ledger.lock(Member.objects.filter(arena=arena, handle__in=handles))
    }
    ids = [entry.id for entry in entries]
    known = {
        str(game.arena_game_id): game for game in Game.objects.filter(arena=arena, arena_game_id__in=ids)
    }
    answers: dict[int, Recorded] = {}
    for place in _in_order(entries):
        answers[place] = _record_one(ledger, entries[place], members, known)
    # Before the changes, which name the games by their keys.
    store_games([game for game in known.values() if game.pk is None])
    ledger.save()
    return [answers[place] for place in range(len(entries))]


def _record_one(
    ledger: Ledger, entry: GameEntry, members: Mapping[str, Member], known: dict[str, Game]
) -> Recorded:
    unknown = [handle for handle in (entry.white, entry.black) if handle not in members]
    if unknown:
        reasons = tuple(f"{ledger.arena.slug} has no member {handle!r}" for handle in unknown)
        return Recorded(entry.id, REFUSED, reasons=reasons)
    fields = _game_fields(entry, members)
    game = known.get(entry.id)
    if game is None:
        reasons = tuple(_impossible_times(ledger, entry, members))
        if reasons:
            return Recorded(entry.id, REFUSED, reasons=reasons)
        known[entry.id] = game = Game(
            arena=ledger.arena, arena_game_id=entry.id, recorded_at=ledger.at, **fields
        )
        _rate(ledger, game)
        return Recorded(entry.id, RECORDED, game)
    # A game server repeats a batch after a time-out: the same game is no fault, another one under the ID is.
    differing = [name for name, value in fields.items() if getattr(game, name) != value]
    if differing:
        reason = f"the game is already recorded with another {', '.join(differing)}"
        return Recorded(entry.id, REFUSED, reasons=(reason,))
    return Recorded(entry.id, KNOWN, game)


def _impossible_times(ledger: Ledger, entry: GameEntry, members: Mapping[str, Member]) -> Iterator[str]:
    """Yield why a game cannot have ended at the reported time (D-105)."""
    if entry.played_at > ledger.at + CLOCKS_DIFFER:
        now = ledger.at.strftime("%Y-%m-%dT%H:%M:%SZ")
        yield (
            f"the game ended more than 5 minutes after now ({now} by the clock of the portal). Correct "
            "played_at"
        )
    for handle in (entry.white, entry.black):
        joined = members[handle].joined
        if entry.played_at < start_of(joined):
            yield f"{handle!r} joined on {joined.isoformat()}, after the game ended. Correct played_at or joined"


def _game_fields(entry: GameEntry, members: Mapping[str, Member]) -> dict[str, Any]:
    """Return the fields of a game that the arena reports."""
    return {
        "played_at": entry.played_at,
        "white": members[entry.white],
        "black": members[entry.black],
        "result": entry.result,
        "time_control": entry.time_control,
        "moves": entry.moves,
        "white_rating_at_start": entry.white_rating_at_start,
        "black_rating_at_start": entry.black_rating_at_start,
        "disconnected": entry.disconnected,
    }


def _rate(ledger: Ledger, game: Game) -> None:
    """Rate a new game with the current ratings; an unrated game changes nothing."""
    value = _as_value(game)
    category = ledger.arena.category_of(game.time_control)
    game.category = category or ""
    reason = ledger.rules.unrated_reason(value)
    if reason is None and category is None:
        reason = OnlineStep(UNRATED_TIME_CONTROL, {"time_control": game.time_control})
    if reason is not None:
        game.unrated = reason.key
        steps = rows_of_steps([reason])
        game.explanation = {side[0]: {"before": None, "after": None, "steps": steps} for side in game.sides}
        return
    seats = [ledger.seat(member.pk, game.category) for member in (game.white, game.black)]
    # Of two games that ended at one instant the ID decides, in any batch.
    order = (game.played_at, str(game.arena_game_id))
    game.is_late = any(seat.is_settled_after(order) for seat in seats)
    past = _earlier_states(ledger, game, seats) if game.is_late else ()
    rated = ledger.rules.rate_game(seats[0].state, seats[1].state, value, ledger.arena.parameters, past)
    game.unrated = rated.unrated.key if rated.unrated else ""
    for colour, seat, outcome in zip(("white", "black"), seats, (rated.white, rated.black), strict=True):
        before = ledger.rules.exact(seat.rating.hundredths)
        ledger.move(seat, outcome, Cause.GAME, on=game.played_at, game=game)
        seat.settle(order)
        after = ledger.rules.exact(seat.rating.hundredths)
        game.explanation[colour] = {"before": before, "after": after, "steps": rows_of_steps(outcome.steps)}


def _earlier_states(ledger: Ledger, game: Game, seats: Sequence[MemberRating]) -> Iterator[tuple[Any, Any]]:
    """Yield the states of both members after their games around a late one, the latest first (D-147).

    None where one of these games was cancelled: its change has left the ratings, but not the states.
    """
    window = series_window(ledger.arena.parameters)
    both = [game.white_id, game.black_id]
    games = Game.objects.filter(
        white__in=both,
        black__in=both,
        category=game.category,
        unrated="",
        played_at__range=(game.played_at - 2 * window, game.played_at + 2 * window),
    )
    if games.filter(cancelled_at__isnull=False).exists():
        return
    for earlier in games.order_by("-pk"):
        rows = Change.objects.filter(
            game=earlier, cause=Cause.GAME, rating__in=[seat.rating for seat in seats]
        )
        states = {change.rating_id: ledger.rules.state_from(change.state) for change in rows}
        if len(states) == len(seats):
            yield states[seats[0].rating.pk], states[seats[1].rating.pk]


def _as_value(game: Game) -> values.OnlineGame:
    day = game.played_at.date()
    white, black = (
        Side(
            member=str(member.handle),
            rating_at_start=rating,
            is_full_member=member.is_full_on(day),
            is_disconnected=game.disconnected == colour,
        )
        for colour, member, rating in game.sides
    )
    return values.OnlineGame(
        ended_at=game.played_at,
        white=white,
        black=black,
        result=values.Result(game.result),
        time_control=game.time_control,
        moves=game.moves,
    )


@transaction.atomic
def cancel_game(game: Game, *, reason: str, at: datetime) -> bool:
    """Reverse a game by a visible change for each member; return False if it is already cancelled.

    The result depends on the remaining games, never on the order of cancelling (D-88). Later games between rated
    members are not rated again: they were rated by the ratings shown.
    """
    ledger = Ledger(game.arena, at=at)
    ledger.lock(Member.objects.filter(pk__in=(game.white_id, game.black_id)))
    # Under the lock on both members: of two who cancel at once the second finds it done.
    cancelled = Game.objects.filter(pk=game.pk, cancelled_at=None)
    if not cancelled.update(cancelled_at=at, cancelled_for=reason):
        return False
    if game.category and not game.unrated:
        for member_id in (game.white_id, game.black_id):
            _reverse(ledger, ledger.seat(member_id, game.category), game, at=at)
    ledger.save()
    return True


def preview_cancellation(game: Game, *, at: datetime) -> list[tuple[Member, str | None, str | None]]:
    """Return of which exact rating, if any, of each member cancelling a game would make which; nothing is written."""
    with transaction.atomic():
        before = _exact_ratings(game)
        cancel_game(game, reason="", at=at)
        after = _exact_ratings(game)
        # Carried out and taken back: what is shown is what the act does, by the same code.
        transaction.set_rollback(True)
    return [
        (member, before[member.pk], after[member.pk])
        for member in (game.white, game.black)
        if member.pk in before and before[member.pk] != after[member.pk]
    ]


def _exact_ratings(game: Game) -> dict[int, str | None]:
    rows = Rating.objects.filter(member__in=(game.white_id, game.black_id), category=game.category)
    exact = game.arena.rules.exact
    return {key: exact(hundredths) for key, hundredths in rows.values_list("member", "hundredths")}


def _reverse(ledger: Ledger, seat: MemberRating, game: Game, *, at: datetime) -> None:
    """Set a member's rating to the result of the remaining games."""
    member_id, rules = seat.rating.member_id, ledger.rules
    changes = list(
        Change.objects.filter(rating=seat.rating).exclude(cause=Cause.CANCELLED).order_by("number")
    )
    # A rating that nothing ever moved has nothing to take back.
    if not changes:
        return
    of_game = {change.game_id: change for change in changes if change.game_id is not None}
    # Games that changed nothing then may count without the cancelled one, as those of a first rating do (D-88).
    games = Game.objects.filter(Q(white=member_id) | Q(black=member_id), category=game.category, unrated="")
    placed = [
        ((change.number, 0), Past(*_states(ledger, change))) for change in changes if change.game_id is None
    ]
    place, others = 0, _changes_of_others(games, member_id)
    for item in games.filter(Q(cancelled_at=None) | Q(pk=game.pk)).order_by("pk"):
        # A game without a change has the place of the one before it in the order of recording.
        change = of_game.get(item.pk)
        place = change.number if change else place
        past = _past(ledger, item, member_id, change, others.get(item.pk))
        if item.pk == game.pk:
            cancelled = past
        else:
            placed.append(((place, item.pk), past))
    standing = [past for _place, past in sorted(placed, key=itemgetter(0))]
    start = rules.state_from(changes[0].state_before)
    ledger.move(
        seat,
        rules.reverse_game(seat.state, start, cancelled, standing, at.date()),
        Cause.CANCELLED,
        on=at,
        game=game,
    )


def _states(ledger: Ledger, change: Change | None) -> tuple[Any, Any]:
    if change is None:
        return None, None
    return ledger.rules.state_from(change.state_before), ledger.rules.state_from(change.state)


def _changes_of_others(games: QuerySet[Game], member_id: int) -> dict[int, int]:
    """Return the games that each opponent had played before, by game."""
    changes = Change.objects.filter(game__in=games, cause=Cause.GAME).exclude(rating__member=member_id)
    return {key or 0: count for key, count in changes.values_list("game", "games_before")}


def _past(
    ledger: Ledger, game: Game, member_id: int, change: Change | None, opponent_games: int | None
) -> Past[Any]:
    """Return a game as a member's past has it."""
    is_white = game.white_id == member_id
    half_points = WHITE_HALF_POINTS[values.Result(game.result)]
    # Whoever was disconnected has lost, whatever the arena wrote (FOA 2.4); other systems know no such rule.
    if game.disconnected and ledger.arena.system == RatingSystem.FOA_RBB:
        half_points = 0 if game.disconnected == Colour.WHITE else 2
    before, after = _states(ledger, change)
    return Past(
        before=before,
        after=after,
        half_points=half_points if is_white else 2 - half_points,
        opponent_rating=ledger.rules.in_units(game.explanation["black" if is_white else "white"]["before"]),
        opponent_at_start=game.black_rating_at_start if is_white else game.white_rating_at_start,
        opponent_games=opponent_games or 0,
        time_control=str(game.time_control),
    )
