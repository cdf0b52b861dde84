"""Makes a world in which the portal and the oracle differ as small as it gets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from tests.ratings.ledger.worlds import Act, Correct, Decide, Publish, Submit, World

Differs = Callable[[World], bool]


def shrunk(world: World, differs: Differs) -> World:
    """Return a smaller world that still differs: fewer acts, fewer games."""
    size = len(world.acts)
    while size:
        smaller = next((item for item in _without_acts(world, size) if differs(item)), None)
        world, size = (world, size // 2) if smaller is None else (smaller, size)
    while smaller := next((item for item in _without_games(world) if differs(item)), None):
        world = smaller
    return world


def _without_acts(world: World, size: int) -> Iterator[World]:
    """Yield the world without some acts in a row; lists go from the end only."""
    for place in range(len(world.acts) - 1, -1, -size):
        dropped = world.acts[max(0, place - size + 1) : place + 1]
        is_end = place == len(world.acts) - 1
        kept = [act for act in dropped if isinstance(act, Publish) and not is_end]
        if len(kept) < len(dropped):
            acts = (*world.acts[: max(0, place - size + 1)], *kept, *world.acts[place + 1 :])
            yield replace(world, acts=tuple(_possible(acts)))


def _possible(acts: Sequence[Act]) -> Iterator[Act]:
    """Yield acts without those on an event that is not played."""
    events: set[str] = set()
    for act in acts:
        if isinstance(act, Submit):
            events.add(act.event_id)
        if not isinstance(act, Correct | Decide) or act.event_id in events:
            yield act


def _without_games(world: World) -> Iterator[World]:
    """Yield the world without one player of an event, or one game, in all of its reports."""
    for event in (act for act in world.acts if isinstance(act, Submit)):
        ids = sorted({fide_id for game in event.games for fide_id in (game.white, game.black)})
        pairs = [game.pair for game in event.games]
        drops = [{pair for pair in pairs if fide_id in pair[1:]} for fide_id in ids]
        drops += [{pair} for pair in pairs]
        decided = {
            act.pair for act in world.acts if isinstance(act, Decide) and act.event_id == event.event_id
        }
        for drop in drops:
            if drop & decided or drop >= set(pairs):
                continue
            acts = tuple(
                replace(act, games=tuple(game for game in act.games if game.pair not in drop))
                if isinstance(act, Submit | Correct) and act.event_id == event.event_id
                else act
                for act in world.acts
            )
            reports = [
                act.games
                for act in acts
                if isinstance(act, Submit | Correct) and act.event_id == event.event_id
            ]
            if all(one != other for one, other in pairwise(reports)):
                yield replace(world, acts=acts)
