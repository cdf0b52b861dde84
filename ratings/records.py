"""A player's tournaments and games: rows with their figures, scores by colour and strength, opponents, best wins."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, NamedTuple, TypeVar

from django.db.models import Q

from core.sql import ids_subquery
from players.models import Player
from players.names import name_order
from ratings.models import Calculation, CorrectionLine, ParticipantRating, RatingList, TournamentRating
from ratings.next_list import SoFar
from ratings.played import Opponent, PlayedEvent, PlayedGame, calculated_as, with_opponents
from ratings.systems.otb.values import RatedEvent
from tournaments.choices import Kind, ReportState, Stage
from tournaments.lists import Lists

WIN, DRAW, LOSS = 2, 1, 0
# Opponents whose ratings are that close are of the same strength.
ALIKE = 100
REPORT = "tournament_rating__report"
EVENT = f"{REPORT}__tournament"
EVENT_FIELDS = ("event_id", "name", "kind", "start", "end", "federation")
READ = (
    "tournament_rating",
    "participant",
    "player__merged_into",
    "number",
    "own_status",
    "own_rating",
    "own_k",
    "games",
    "half_points",
    "opponents_sum",
    "change_hundredths",
    "outcomes",
    "participant__rank",
    "participant__half_points",
    "tournament_rating__report",
    "tournament_rating__included_in",
    f"{REPORT}__tournament",
    *(f"{EVENT}__{name}" for name in EVENT_FIELDS),
)
Group = TypeVar("Group")


@dataclass(frozen=True, slots=True)
class Score:
    """Games won, drawn and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @classmethod
    def of(cls, games: Iterable[PlayedGame]) -> Score:
        """Return the score of games."""
        found = Counter(game.outcome.half_points for game in games)
        return cls(found[WIN], found[DRAW], found[LOSS])

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def half_points(self) -> int:
        return 2 * self.wins + self.draws


@dataclass(frozen=True, slots=True)
class MetOpponent:
    """An opponent with the score against them."""

    opponent: Opponent
    score: Score


class Meeting(NamedTuple):
    """A game of two players, from either side."""

    own: PlayedGame
    other: PlayedGame


@dataclass(frozen=True, slots=True)
class GamesRecord:
    """What a player's games come to.

    `by_colour` has a score for each kind and colour that occurs; `by_strength` for "stronger", "alike" and "weaker"
    opponents, of games that counted.
    """

    by_colour: dict[tuple[Kind, str], Score] = field(default_factory=dict)
    by_strength: dict[str, Score] = field(default_factory=dict)
    most_met: Sequence[MetOpponent] = field(default_factory=list)
    best_wins: Sequence[PlayedGame] = field(default_factory=list)
    tournaments: int = 0


def former_ids(player_id: int) -> tuple[int, ...]:
    """Return the FIDE IDs that were merged into a player's, in order: their results are the player's, too."""
    rows = Player.objects.filter(merged_into=player_id).order_by("pk")
    return tuple(rows.values_list("pk", flat=True))


def tournaments_of(
    player_ids: Collection[int],
    *,
    lists: Lists[RatingList],
    limit: int | None = None,
    offset: int = 0,
    coming: Sequence[SoFar] = (),
    met: Collection[int] = (),
) -> list[PlayedEvent]:
    """Return the tournaments of a player under all IDs given, the newest first, without steps: `with_results`.

    They are those that one of the lists added, as their reports stand now: corrected, and without those that were
    withdrawn (D-146). With `coming` there are those of the next lists so far; with `met` only those in which one of
    these players took part too. One query, and one where anything was corrected.
    """
    unlisted = {row: one for one in coming for row in one.row.found.rows}
    # Only these lists: a new one would be seen here and nowhere else on the page.
    is_on_list = Q(tournament_rating__included_in__in=ids_subquery(lists.by_id))
    is_corrected = Q(tournament_rating__included_in=None) & Q(**{f"{EVENT}__stage": Stage.PUBLISHED})
    is_standing = Q(**{f"{REPORT}__state": ReportState.ACCEPTED}) & (is_on_list | is_corrected)
    is_shown = is_standing | Q(pk__in=list(unlisted))
    rows = ParticipantRating.objects.filter(is_shown, player__in=player_ids).only(*READ)
    rows = rows.select_related("participant", "player", EVENT).order_by(
        f"-{EVENT}__start", f"-{EVENT}__end", "-pk"
    )
    if met:
        theirs = ParticipantRating.objects.filter(player__in=met)
        rows = rows.filter(tournament_rating__in=theirs.values("tournament_rating"))
    chosen = list(rows[offset : None if limit is None else offset + limit])
    taken = _lists_before_correction(chosen)
    played = []
    for row in chosen:
        tournament = row.tournament_rating.report.tournament_id
        on_list = lists.by_id.get(row.tournament_rating.included_in_id or taken.get(tournament, 0))
        if row.pk in unlisted:
            played.append(_unlisted_tournament(row, unlisted[row.pk]))
        elif on_list is not None:
            played.append(_played(row, on_list, is_corrected=tournament in taken))
    return played


def _lists_before_correction(rows: Iterable[ParticipantRating]) -> dict[int, int]:
    """Return the list that took each tournament of which another report is accepted now."""
    corrected = {
        row.tournament_rating.report.tournament_id
        for row in rows
        if row.tournament_rating.included_in_id is None
    }
    if not corrected:
        return {}
    former = TournamentRating.objects.filter(report__tournament__in=corrected, included_in__isnull=False)
    return dict(former.order_by("pk").values_list("report__tournament", "included_in"))


def _unlisted_tournament(row: ParticipantRating, found: SoFar) -> PlayedEvent:
    rated = found.row.events_by_row[row.pk].with_games(row.outcomes)
    # Not stored: the page names the list that is to come like any other.
    on_list = RatingList(kind=found.kind, date=found.list_date)
    return _played(row, on_list, rated=rated, is_provisional=True)


def _played(row: ParticipantRating, on_list: RatingList, **more: Any) -> PlayedEvent:
    tournament = row.tournament_rating.report.tournament
    return PlayedEvent(tournament, row.participant, row, on_list=on_list, **more)


def with_results(played: Sequence[PlayedEvent]) -> list[PlayedEvent]:
    """Return the events, each as its list rated it: one query if there are any, one more for merged IDs, two if
    anything was corrected.
    """
    missing = [one for one in played if one.rated is None]
    if not missing:
        return list(played)
    staying = calculated_as([one.row for one in missing])
    found = Calculation.objects.filter(
        player__in=staying.keys() | set(staying.values()),
        rating_list__in={one.on_list.pk for one in missing if one.on_list},
    )
    rated: dict[int, RatedEvent] = {}
    of_event: dict[tuple[int, str], RatedEvent] = {}
    for row in found.order_by().only("player_id", "value", "found"):
        rated |= row.events_by_row
        person = staying.get(row.player_id, row.player_id)
        of_event |= {(person, item.event.event_id): item for item in row.value.events}
    former, added_by = _before_correction(one for one in missing if one.is_corrected)

    def with_result(one: PlayedEvent) -> PlayedEvent:
        if one.rated:
            return one
        if not one.is_corrected:
            return replace(one, rated=one.row.as_rated(rated.get(one.row.pk)))
        key = one.tournament.pk, one.row.player_id
        # By the corrected report, with the K that the list used.
        of_list = of_event.get((staying[one.row.player_id or 0], one.tournament.event_id))
        now = replace(one, rated=one.row.rated_by(one.tournament, of_list), corrected_on=added_by.get(key))
        row = former.get(key)
        if row is None:
            return now
        was = replace(
            one,
            row=row,
            participant=row.participant,
            rated=row.as_rated(rated.get(row.pk)),
            is_corrected=False,
        )
        return replace(now, was=was)

    return [with_result(one) for one in played]


def _before_correction(
    played: Iterable[PlayedEvent],
) -> tuple[dict[tuple[int, int | None], ParticipantRating], dict[tuple[int, int | None], RatingList]]:
    """Return players' lines as the lists took them, and the lists that added the differences; none without played."""
    keys = {(one.tournament.pk, one.row.player_id) for one in played}
    if not keys:
        return {}, {}
    events, players = ({key[place] for key in keys} for place in (0, 1))
    rows = ParticipantRating.objects.filter(
        **{f"{REPORT}__tournament__in": events},
        player__in=players,
        tournament_rating__included_in__isnull=False,
    )
    rows = rows.only(*READ).select_related("participant", "player", EVENT).order_by("pk")
    lines = CorrectionLine.objects.filter(
        correction__tournament__in=events, player__in=players, taken_by__isnull=False
    )
    lines = lines.select_related("taken_by", "correction").defer("taken_by__manifest").order_by("pk")
    return (
        {(row.tournament_rating.report.tournament_id, row.player_id): row for row in rows},
        {
            (line.correction.tournament_id or 0, line.player_id): line.taken_by
            for line in lines
            if line.taken_by
        },
    )


def record_of(played: Iterable[PlayedEvent], *, most: int) -> GamesRecord:
    """Return what the games of published tournaments come to, `most` opponents and wins; one query."""
    published = [one for one in played if not one.is_provisional]
    games = [game for one in with_opponents(published) for game in games_of(one)]
    wins = [game for game in games if game.outcome.half_points == WIN and game.outcome.opponent_rating]
    best = sorted(wins, key=lambda game: (-(game.outcome.opponent_rating or 0), game.tournament.start))
    colours = _scores(games, lambda game: (Kind(game.tournament.kind), game.outcome.colour))
    strengths = _scores(games, _strength)
    return GamesRecord(
        by_colour={key: colours[key] for key in product(Kind, "wb") if key in colours},
        by_strength={key: strengths[key] for key in ("stronger", "alike", "weaker") if key in strengths},
        most_met=_frequent_opponents(games, most),
        best_wins=best[:most],
        tournaments=len(published),
    )


def games_of(event: PlayedEvent) -> Iterator[PlayedGame]:
    """Yield the games really played: those with a colour."""
    return (game for game in event.games if game.outcome.colour and game.outcome.opponent)


def meetings_of(
    player_ids: Collection[int], opponent_ids: Collection[int], *, lists: Lists[RatingList]
) -> list[Meeting]:
    """Return the games of two players under all IDs of both, the newest first, in three queries."""
    played = tournaments_of(player_ids, lists=lists, met=opponent_ids)
    theirs = tournaments_of(opponent_ids, lists=lists, met=player_ids)
    stepped = with_results([*played, *theirs])
    facing = {
        (game.event.row.tournament_rating_id, game.outcome.round, game.event.row.number): game
        for one in stepped[len(played) :]
        for game in games_of(one)
    }
    return [
        Meeting(own=game, other=other)
        for one in stepped[: len(played)]
        for game in sorted(games_of(one), key=lambda game: game.outcome.round, reverse=True)
        if (
            other := facing.get(
                (one.row.tournament_rating_id, game.outcome.round, game.outcome.opponent or 0)
            )
        )
    ]


def _scores(games: Iterable[PlayedGame], group: Callable[[PlayedGame], Group]) -> dict[Group, Score]:
    """Return the score of each group; games whose group is empty are left out."""
    found: dict[Group, list[PlayedGame]] = defaultdict(list)
    for game in games:
        if key := group(game):
            found[key].append(game)
    return {key: Score.of(of_key) for key, of_key in found.items()}


def _strength(game: PlayedGame) -> str:
    difference = game.outcome.difference
    if difference is None:
        return ""
    if abs(difference) <= ALIKE:
        return "alike"
    return "weaker" if difference > 0 else "stronger"


def _frequent_opponents(games: Sequence[PlayedGame], most: int) -> list[MetOpponent]:
    """Return the opponents met more than once, those of the most games first, as they were met last."""
    # Reversed, since the newest games come first, and the last entry of a key stays.
    newest = {game.opponent.fide_id: game.opponent for game in reversed(games) if game.opponent}
    scores = _scores(games, lambda game: (game.opponent.fide_id if game.opponent else None) or 0)
    met = [
        MetOpponent(newest[fide_id], score)
        for fide_id, score in scores.items()
        if fide_id and score.games > 1
    ]
    return sorted(
        met, key=lambda one: (-one.score.games, name_order(one.opponent.name), one.opponent.fide_id or 0)
    )[:most]
