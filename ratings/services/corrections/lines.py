"""The difference that a correction makes to a player on one list, as a line for the next (D-11)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from django.utils.formats import date_format
from django.utils.translation import ngettext

from ratings.choices import LineKind, ListKind
from ratings.ledger.chain import POINT, Chain, chain_of
from ratings.models import Correction, CorrectionLine, RatingList
from ratings.systems.otb.period import PeriodResult
from ratings.systems.registry import Adoptions, key_of_each

NOTHING = PeriodResult("", completed=0, reached_2300=False, reached_2400=False)


def chains_of(kinds: Iterable[str], persons: Iterable[int], adoptions: Adoptions) -> dict[str, Chain]:
    """Return the chain of persons on the lists of each kind, by the facts as they are now."""
    persons = set(persons)
    return {kind: chain_of(kind, persons, adoptions) for kind in kinds}


def lines_between(before: Mapping[str, Chain], after: Mapping[str, Chain]) -> tuple[CorrectionLine, ...]:
    """Return the differences between the chains of each kind, by list and player, as lines that are not stored.

    A player whose account changes without a difference on any list, such as an inactive one, has a line too; one whom
    an imported list has since, none before it (D-142).
    """
    return tuple(line for kind in before for line in _lines_of_kind(before[kind], after[kind]))


def warnings_between(before: Mapping[str, Chain], after: Mapping[str, Chain]) -> tuple[str, ...]:
    """Return sentences on the players of whom nothing is corrected, because an imported list has them (D-142)."""
    players: dict[RatingList, set[int]] = defaultdict(set)
    for kind in before:
        for line in _lines(before[kind], after[kind]):
            if (later := _imported_since(line, after[kind])) is not None:
                players[later].add(line.player_id)
    return tuple(
        ngettext(
            "%(number)d player: nothing is corrected, because the %(kind)s list of %(date)s, which was imported, "
            "replaces the corrected one (decision D-142).",
            "%(number)d players: nothing is corrected, because the %(kind)s list of %(date)s, which was imported, "
            "replaces the corrected one (decision D-142).",
            len(some),
        )
        % {"number": len(some), "kind": ListKind(item.kind).label, "date": date_format(item.date)}
        for item, some in sorted(players.items(), key=lambda pair: pair[0].pk)
    )


def _imported_since(line: CorrectionLine, after: Chain) -> RatingList | None:
    """Return the imported list with the player after the one that a line corrects."""
    later = after.imported.get(after.mergers.held_by(line.player_id))
    return later if later is not None and later.date > line.corrected_list.date else None


def _lines_of_kind(before: Chain, after: Chain) -> list[CorrectionLine]:
    lines: dict[int, list[CorrectionLine]] = defaultdict(list)
    for line in _lines(before, after):
        # What an ID without a rating of its own loses is the person's (D-141).
        if _imported_since(line, after) is None and line.player_id not in after.dropped:
            lines[after.mergers.held_by(line.player_id)].append(line)
    found: list[CorrectionLine] = []
    for player_id, of_player in lines.items():
        effective = [line for line in of_player if _is_effective(line)]
        # Only a line tells the next list to calculate a player again.
        if not effective and after.accounts[player_id] != before.accounts[player_id]:
            effective = of_player[:1]
        found += effective
    return sorted(found, key=lambda line: (line.corrected_list.date, line.player_id))


def record_lines(correction: Correction, lines: Iterable[CorrectionLine]) -> None:
    """Store the lines of a correction, for the next list to take."""
    lines = list(lines)
    for line in lines:
        line.correction = correction
    CorrectionLine.objects.bulk_create(lines)


def _lines(before: Chain, after: Chain) -> Iterator[CorrectionLine]:
    for list_id, rating_list in {**before.lists, **after.lists}.items():
        former, latter = before.results.get(list_id, {}), after.results.get(list_id, {})
        for player_id in sorted(former.keys() | latter.keys()):
            pair = former.get(player_id, NOTHING), latter.get(player_id, NOTHING)
            if pair[0] != pair[1]:
                yield _line(player_id, rating_list, *pair)


def _line(
    player_id: int, rating_list: RatingList, before: PeriodResult, after: PeriodResult
) -> CorrectionLine:
    first, second = _change(before), _change(after)
    line = CorrectionLine(
        player_id=player_id,
        corrected_list=rating_list,
        kind=LineKind.CHANGE,
        games_difference=_games(after) - _games(before),
        change_hundredths=second - first,
    )
    former, latter = _initial(before), _initial(after)
    if _is_by_standard(before) and _is_by_standard(after) and before.base != after.base:
        former, latter = (POINT * (item.base or 0) + item.change for item in (before, after))
    if _is_rated(before) and not _is_rated(after):
        line.kind, line.before_hundredths = LineKind.LOST, (before.rating or before.kept or 0) * POINT
    elif _is_rated(after) and not _is_rated(before):
        line.kind, line.after_hundredths = LineKind.INITIAL, (after.rating or after.kept or 0) * POINT
    elif former is not None and latter is not None:
        line.kind = LineKind.INITIAL if former != latter else LineKind.CHANGE
        _set_difference(line, former, latter)
    elif before.base is None and after.base is None and before.shares != after.shares:
        line.kind = LineKind.POOL
    else:
        _set_difference(line, first, second)
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


def _is_by_standard(result: PeriodResult) -> bool:
    """Return whether a list gave a first rating from a standard rating: FIDE may correct that one (D-125)."""
    return result.outcome in key_of_each("first_by_standard")


def _initial(result: PeriodResult) -> int | None:
    # One that a list withholds is the player's all the same (9.1).
    rating = result.kept if result.rating is None and result.base is None else result.rating
    is_initial = result.base is None or result.outcome in key_of_each("initial")
    return rating * POINT if is_initial and rating is not None else None


def _change(result: PeriodResult) -> int:
    return result.change if result.base is not None else 0


def _games(result: PeriodResult) -> int:
    """Return the games that a list adds to those completed."""
    if result.base is not None:
        return result.games
    return result.completed if result.rating is not None else 0
