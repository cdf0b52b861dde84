"""`python -m benchmarks.pages`: time of each public page in the process, on the database of DATABASE_URL.

Players and federations are drawn with a fixed seed. The first call of each page is not counted.
"""

from __future__ import annotations

import argparse
import importlib
import os
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = 60
# Letters of the generated names in another script, as people type them.
CYRILLIC = str.maketrans("abdefgijklmnoprstu", "абдефгийклмнопрсту")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pages", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="pages whose name begins so, for example: suggestions")
    options = parser.parse_args()
    client = _client()
    print("| page | calls | queries | median | 95 % | processor, median |\n|---|---|---|---|---|---|")  # noqa: T201
    for name, addresses in _pages(random.Random(options.seed)):  # noqa: S311 draws, no secrets
        if not name.startswith(options.only):
            continue
        print(_row(name, client, addresses), flush=True)  # noqa: T201


def _client() -> Any:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    os.environ.setdefault("ALLOWED_HOSTS", "testserver")
    # The start of the web server.
    importlib.import_module("portal.wsgi")
    from django.conf import settings
    from django.test import Client

    # A cached page takes a millisecond. Disable the cache to measure rendering.
    settings.KEPT_PAGES_SECONDS = 0
    return Client()


def _pages(chance: random.Random) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each type of page with its URLs."""
    from ratings.entries import DEFAULT, SORTS, keyset_of
    from ratings.lists import read_lists
    from ratings.models import ListEntry
    from tournaments.models import Tournament

    lists = read_lists().of_kind("rapid")
    base = f"/lists/rapid/{lists[0].date}/"
    entries = _drawn(ListEntry.objects.filter(rating_list=lists[0]).listed(), chance)
    names = [entry.name.replace(",", " ").replace(" ", "+") for entry in entries]
    yield "first page", ["/"] * 10
    yield "all lists", ["/lists/"] * 10
    yield "list, first page", [base] * 20
    yield "list, last page", [f"{base}?last=1"] * 20
    yield "list, anywhere", [f"{base}?after={keyset_of(DEFAULT).position(entry)}" for entry in entries]
    for sort in SORTS:
        yield f"list, sorted by {sort}", [f"{base}?sort={sort}", f"{base}?sort=-{sort}"] * 10
    yield "list, one federation", [f"{base}?federation={entry.federation_id}" for entry in entries]
    yield "list, active players", [f"{base}?active=on"] * 20
    continents = sorted({entry.federation.continent for entry in entries} - {""})
    yield "list, one continent", [f"{base}?continent={name}&active=on" for name in continents] * 5
    yield "what a list changed", [f"{base}changes/"] * 20
    yield "list, by name", [f"{base}?q={name}" for name in names]
    yield from _player_pages(entries, lists)
    yield from _searches(entries, names)
    yield "calendar", ["/tournaments/"] * 10
    events = Tournament.objects.filter(reports__rating__included_in__isnull=False).order_by("-start")[:SAMPLE]
    yield "tournament", [f"/tournaments/{event.event_id}/" for event in events]


def _player_pages(entries: Sequence[Any], lists: Sequence[Any]) -> Iterator[tuple[str, Sequence[str]]]:
    yield "player", [f"/players/{entry.player_id}/" for entry in entries]
    yield "player, games", [f"/players/{entry.player_id}/?chart=games" for entry in entries]
    yield "player as of a list", [f"/players/{entry.player_id}/on/{lists[-1].date}/" for entry in entries]
    yield "record", [f"/players/{entry.player_id}/record/" for entry in entries]
    yield "calculation", [f"/players/{entry.player_id}/rapid/{lists[0].date}/" for entry in entries]
    yield "federation", [f"/federations/{entry.federation_id}/" for entry in entries]


def _searches(entries: Sequence[Any], names: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    yield "search, full name", [f"/search?q={name}" for name in names]
    yield "search, three letters", [f"/search?q={name[:3]}" for name in names]
    yield "search, FIDE ID", [f"/players/?q={entry.player_id}" for entry in entries]
    for what, texts in _typed(entries, names).items():
        yield f"suggestions, {what}", [f"/search/suggestions?{urlencode({'q': text})}" for text in texts]


def _typed(entries: Sequence[Any], names: Sequence[str]) -> dict[str, list[str]]:
    """Return what people type into a search, by its form; in a slip, a letter is missing."""
    from tournaments.models import Tournament

    first = [name.split("+")[0] for name in names]
    full = [" ".join(name.split("+")) for name in names]
    beginnings = {f"{number} letters": [name[:number] for name in full] for number in range(2, 9)}
    events = Tournament.objects.order_by("-start").values_list("name", flat=True)[:SAMPLE]
    return {
        **beginnings,
        "given name, 2 letters": [f"{name.split()[1]} {name[:2]}" for name in full],
        "title and name": [f"GM {name}" for name in first],
        "another script": [name.lower().translate(CYRILLIC) for name in first],
        "middle of a name": [name[2:] for name in first],
        "name with a slip": [name[:3] + name[4:] for name in first],
        "tournament with a slip": [name[:2] + name[3:] for name in events],
        "beginning of a FIDE ID": [str(entry.player_id)[:-3] for entry in entries],
    }


def _drawn(entries: Any, chance: random.Random) -> list[Any]:
    """Return random entries of a list, without reading all of it."""
    found = entries.order_by("player_id").values_list("player_id", flat=True)
    first, last = found.first(), found.last()
    drawn = (
        entries.filter(player__gte=chance.randint(first, last)).order_by("player_id") for _ in range(SAMPLE)
    )
    return [found[0] for found in drawn]


def _row(name: str, client: Any, addresses: Sequence[str]) -> str:
    if not addresses:
        return f"| {name} | 0 | | | | |"
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        client.get(addresses[0])
        queries = len(captured)
    measured = [_milliseconds(client, address) for address in addresses]
    walls, processor = (sorted(times) for times in zip(*measured, strict=True))
    median, most = walls[len(walls) // 2], walls[len(walls) * 95 // 100]
    used = processor[len(processor) // 2]
    return f"| {name} | {len(walls)} | {queries} | {median:.0f} ms | {most:.0f} ms | {used:.1f} ms |"


def _milliseconds(client: Any, address: str) -> tuple[float, float]:
    """Return the milliseconds of a call, and the processor time of this process. The database takes the rest."""
    wall, processor = time.perf_counter(), time.process_time()
    response = client.get(address)
    if response.status_code not in (200, 302):
        raise RuntimeError(f"{address} answered {response.status_code}")
    return (time.perf_counter() - wall) * 1000, (time.process_time() - processor) * 1000


if __name__ == "__main__":
    main()
