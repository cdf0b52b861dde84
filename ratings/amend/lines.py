"""The difference that a correction makes to a player on one list, as a line for the next (D-11)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from django.db.models import F
from django.utils.formats import date_format
from django.utils.translation import ngettext

from core.sql import ids_subquery
from ratings.choices import LineKind, ListKind
from ratings.ledger.chain import POINT, Chain, chain_of
from ratings.ledger.stored import entries_of
from ratings.models import Correction, CorrectionLine, ParticipantRating, RatingList
from ratings.publish.results import store_participation
from ratings.systems.arithmetic import half_away_from_zero_hundredths
from ratings.systems.otb.period import PeriodResult
from ratings.systems.otb.values import RatedEvent
from ratings.systems.registry import Adoptions, key_of_each
from tournaments.amendments import Datum
from tournaments.choices import ReportState, Stage

NOTHING = PeriodResult("", completed=0, reached_2300=False, reached_2400=False)


def chains_of(kinds: Iterable[str], persons: Iterable[int], adoptions: Adoptions) -> dict[str, Chain]:
    """Return the chain of persons on the lists of each kind, by the facts as they are now."""
    persons = set(persons)
    return {kind: chain_of(kind, persons, adoptions) for kind in kinds}


class OnList(NamedTuple):
    """A player on a list: the result as it was and as it is with a correction, and the line of the difference.

    The line is not stored. Of a list that is not published there is none.
    """

    player_id: int
    kind: str
    before: PeriodResult
    after: PeriodResult
    line: CorrectionLine | None = None


def results_between(before: Mapping[str, Chain], after: Mapping[str, Chain]) -> tuple[OnList, ...]:
    """Return the differences between the chains of each kind, by list and player.

    A player whose account changes without a difference on any list, such as an inactive one, has a line too; one whom
    an imported list has since, none before it (D-142).
    """
    return tuple(one for kind in before for one in _results_of_kind(kind, before[kind], after[kind]))


def lines_between(before: Mapping[str, Chain], after: Mapping[str, Chain]) -> tuple[CorrectionLine, ...]:
    """Return the lines of `results_between`."""
    return tuple(one.line for one in results_between(before, after) if one.line is not None)


def warnings_between(before: Mapping[str, Chain], after: Mapping[str, Chain]) -> tuple[str, ...]:
    """Return sentences on the players of whom nothing is corrected, because an imported list has them (D-142)."""
    players: dict[RatingList, set[int]] = defaultdict(set)
    for kind in before:
        for line, _former, _latter in _lines(before[kind], after[kind]):
            if (later := _imported_since(line, after[kind])) is not None:
                players[later].add(line.player_id)
    return tuple(
        ngettext(
            "%(number)d player: nothing is corrected, because the %(kind)s list of %(date)s, which was imported, "
            "replaces the corrected one.",
            "%(number)d players: nothing is corrected, because the %(kind)s list of %(date)s, which was imported, "
            "replaces the corrected one.",
            len(some),
        )
        % {"number": len(some), "kind": ListKind(item.kind).label, "date": date_format(item.date)}
        for item, some in sorted(players.items(), key=lambda pair: pair[0].pk)
    )


def _imported_since(line: CorrectionLine, after: Chain) -> RatingList | None:
    """Return the imported list with the player after the one that a line corrects."""
    later = after.imported.get(after.mergers.held_by(line.player_id))
    return later if later is not None and later.date > line.corrected_list.date else None


def _results_of_kind(kind: str, before: Chain, after: Chain) -> list[OnList]:
    found: dict[int, list[tuple[CorrectionLine, OnList]]] = defaultdict(list)
    for line, former, latter in _lines(before, after):
        # What an ID without a rating of its own loses is the person's (D-141).
        if _imported_since(line, after) is None and line.player_id not in after.dropped:
            holder = after.mergers.held_by(line.player_id)
            found[holder].append((line, OnList(line.player_id, kind, former, latter, line)))
    kept: list[tuple[CorrectionLine, OnList]] = []
    for player_id, of_player in found.items():
        effective = [pair for pair in of_player if _is_effective(pair[0])]
        # Only a line tells the next list to calculate a player again.
        if not effective and after.accounts[player_id] != before.accounts[player_id]:
            effective = of_player[:1]
        kept += effective
    kept.sort(key=lambda pair: (pair[0].corrected_list.date, pair[0].player_id))
    return [one for _line, one in kept]


class Taken(NamedTuple):
    """What the next list takes of a player by a correction, in hundredths: the lines, and what is beside them.

    `is_reset` says that another list has the initial rating: what is beside the lines comes from it.
    """

    player_id: int
    kind: str
    difference: int
    beside: int
    is_reset: bool

    @property
    def rounding(self) -> int:
        """What the lists that took earlier corrections rounded, and what is given back of it (D-101, D-145)."""
        return 0 if self.is_reset else self.beside

    @property
    def points(self) -> int:
        """The difference as the next list adds it, where nothing else is rounded with it."""
        return half_away_from_zero_hundredths(self.difference)


def taken_between(
    before: Mapping[str, Chain], after: Mapping[str, Chain], lines: Iterable[CorrectionLine]
) -> tuple[Taken, ...]:
    """Return what the next list of each kind takes of the players of lines who stay rated (D-145)."""
    found: list[Taken] = []
    of_kind: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    reset: set[tuple[str, int]] = set()
    for line in lines:
        kind = line.corrected_list.kind
        holder = after[kind].mergers.held_by(line.player_id)
        of_kind[kind][holder] += line.difference_hundredths
        if line.kind == LineKind.LOST or (line.kind == LineKind.INITIAL and line.before_hundredths is None):
            reset.add((kind, holder))
    for kind, sums in of_kind.items():
        newest, mergers = max(after[kind].lists.values(), key=lambda item: item.date), after[kind].mergers
        pending = CorrectionLine.objects.filter(
            taken_by=None, corrected_list__kind=kind, player__in=ids_subquery(after[kind].accounts)
        )
        waiting = set(map(mergers.held_by, pending.values_list("player", flat=True)))
        published = entries_of(newest, sums)
        for player_id, total in sorted(sums.items()):
            now = after[kind].accounts[player_id].before(published.get(player_id))
            if now.is_lost or now.first is not None or after[kind].accounts[player_id].exact is None:
                continue
            former = before[kind].accounts[player_id].before(published.get(player_id))
            # Without a line of an earlier correction the list would have added nothing.
            difference = now.difference - (former.difference if player_id in waiting else 0)
            is_reset = (kind, player_id) in reset
            found.append(Taken(mergers.person(player_id), kind, difference, difference - total, is_reset))
    return tuple(found)


def record_lines(correction: Correction, lines: Iterable[CorrectionLine]) -> None:
    """Store the lines of a correction, for the next list to take."""
    lines = list(lines)
    for line in lines:
        line.correction = correction
    CorrectionLine.objects.bulk_create(lines)


def record_for_players(
    lines: Iterable[CorrectionLine], datum: Datum, reason: str, **values: Any
) -> list[int]:
    """Record a correction of each player of the lines, and return the players; `values` are those of the row."""
    by_player: dict[int, list[CorrectionLine]] = defaultdict(list)
    for line in lines:
        by_player[line.player_id].append(line)
    for player_id, own in sorted(by_player.items()):
        values |= {"player_id": player_id, "amendments": [datum], **Correction.columns_of(reason)}
        record_lines(Correction.objects.create(**values), own)
    return sorted(by_player)


def store_as_rated(chains: Mapping[str, Chain]) -> None:
    """Store participations in corrected reports by the status that each player has in them now (7.2.5, D-2, D-146)."""
    for kind, chain in chains.items():
        _store_kind_as_rated(kind, chain)


def _store_kind_as_rated(kind: str, chain: Chain) -> None:
    now, tournament = chain.mergers, "tournament_rating__report__tournament"
    rows = ParticipantRating.objects.filter(
        **{f"{tournament}__kind": kind, f"{tournament}__stage": Stage.PUBLISHED},
        tournament_rating__report__state=ReportState.ACCEPTED,
        tournament_rating__included_in=None,
        player__in=ids_subquery(chain.accounts),
    )
    of_event: dict[tuple[int, str], list[ParticipantRating]] = defaultdict(list)
    for row in rows.annotate(event_id=F(f"{tournament}__event_id")).order_by("number"):
        of_event[now.person(row.player_id or 0), row.event_id].append(row)
    for results in chain.results.values():
        for player_id, result in results.items():
            items: dict[str, list[RatedEvent]] = defaultdict(list)
            for item in result.events:
                items[item.event.event_id].append(item)
            for event_id, of_player in items.items():
                lines = of_event.get((now.person(player_id), event_id), [])
                # One person may have two lines of a report, each under an ID of its own until a list took the merger.
                own = [row for row in lines if row.player_id == player_id]
                chosen = own if len(of_player) < len(lines) else lines
                for line, item in zip(chosen, of_player, strict=False):
                    store_participation(line, item.own, item.participation)
                    line.save()


def _lines(before: Chain, after: Chain) -> Iterator[tuple[CorrectionLine, PeriodResult, PeriodResult]]:
    for list_id, rating_list in {**before.lists, **after.lists}.items():
        former, latter = before.results.get(list_id, {}), after.results.get(list_id, {})
        for player_id in sorted(former.keys() | latter.keys()):
            pair = former.get(player_id, NOTHING), latter.get(player_id, NOTHING)
            if pair[0] != pair[1]:
                steps = (chain.steps.get(list_id, {}).get(player_id) for chain in (before, after))
                yield _line(player_id, rating_list, *pair, *steps), *pair


def _line(
    player_id: int,
    rating_list: RatingList,
    before: PeriodResult,
    after: PeriodResult,
    former: int | None,
    latter: int | None,
) -> CorrectionLine:
    """Return the line of two results; `former` and `latter` are what the list adds to the exact rating by each."""
    first, second = _change(before), _change(after)
    line = CorrectionLine(
        player_id=player_id,
        corrected_list=rating_list,
        kind=LineKind.CHANGE,
        games_difference=_games(after) - _games(before),
        change_hundredths=second - first,
    )
    if _is_rated(before) and not _is_rated(after):
        line.kind, line.before_hundredths = LineKind.LOST, (before.rating or before.kept or 0) * POINT
    elif _is_rated(after) and not _is_rated(before):
        line.kind, line.after_hundredths = LineKind.INITIAL, (after.rating or after.kept or 0) * POINT
    elif former is not None and latter is not None and _is_first(before) and _is_first(after):
        line.kind = LineKind.INITIAL if former != latter else LineKind.CHANGE
        _set_difference(line, former, latter)
    elif before.base is None and after.base is None and before.shares != after.shares:
        line.kind = LineKind.POOL
    else:
        _set_difference(line, first, second)
        if former is not None and latter is not None and _is_first(before) == _is_first(after):
            # Where a list had no change to correct, it would have published this one rounded.
            line.difference_hundredths = latter - former
    return line


def _set_difference(line: CorrectionLine, before: int, after: int) -> None:
    line.before_hundredths, line.after_hundredths = before, after
    line.difference_hundredths = after - before


def _is_effective(line: CorrectionLine) -> bool:
    """Return whether the line itself has a difference that the next list adds."""
    figures = (line.difference_hundredths, line.games_difference, line.change_hundredths)
    return any(figures) or line.kind != LineKind.CHANGE


def _is_rated(result: PeriodResult) -> bool:
    """Return whether a list gave or continued a rating: being under the floor alone does not lose it (D-11)."""
    return result.rating is not None or result.kept is not None or result.base is not None


def _is_first(result: PeriodResult) -> bool:
    """Return whether a list gave a first rating: initial, by a standard rating, or by both (D-113, D-125)."""
    is_by_standard = result.outcome in key_of_each("first-by-standard")
    return result.base is None or is_by_standard or result.outcome in key_of_each("initial")


def _change(result: PeriodResult) -> int:
    return result.change if result.base is not None else 0


def _games(result: PeriodResult) -> int:
    """Return the games that a list adds to those completed."""
    if result.base is not None:
        return result.games
    return result.completed if result.rating is not None else 0
