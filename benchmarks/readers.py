"""`python -m benchmarks.readers`: readers on all pages during a publication, and their waiting times.

Each response must equal that before or that after the publication, byte for byte. Once any reader has the new list,
no later request may return the old one.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import json
import os
import platform
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit
from urllib.request import urlopen

from benchmarks.reports import submission, write_reports
from benchmarks.steps import measure
from benchmarks.world import Size, fide_id, index_of, name, write_list

ROOT = Path(__file__).resolve().parent.parent
READERS = 50
SETTLE_SECONDS = 1.0
CALM_SECONDS = 30.0
KINDS_OF_PAGE = {
    "search": r"/(search|players/)\?",
    "list, first page": r"/lists/\w+/[\d-]+/$",
    "list, last page": r"/lists/\w+/[\d-]+/\?last=1$",
    "player": r"/players/\d+/$",
    "calculation": r"/players/\d+/\w+/[\d-]+/$",
    "tournament": r"/tournaments/[^/?]+/$",
    "API": r"/api/",
}
OTHER = "all others"
PUBLISH = """
from datetime import date
from django.utils import timezone
from ratings.services.publication.publish import publish_list
publish_list("{kind}", date.fromisoformat("{day}"), by=None, at=timezone.now())
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response: status (0 for none), redirect target, and SHA-256 of the body, or why there is none."""

    status: int
    location: str
    digest: str


@dataclass(frozen=True, slots=True)
class Reading:
    """One request of a reader. The times are seconds of one monotonic clock."""

    address: str
    began: float
    ended: float
    answer: Answer


@dataclass(frozen=True, slots=True)
class Watched:
    """A publication with concurrent readers: the responses before, during and after it."""

    before: Mapping[str, Answer]
    after: Mapping[str, Answer]
    readings: Sequence[Reading]
    seconds: float
    texts: Mapping[str, bytes]

    @property
    def changed(self) -> list[str]:
        """The URLs whose response differs after the publication."""
        return [address for address in self.before if self.before[address] != self.after[address]]

    def failed(self) -> list[Reading]:
        """Return the responses that are server errors or refusals."""
        return [item for item in self.readings if item.answer.status not in (200, 302, 404)]

    def halves(self) -> list[Reading]:
        """Return the responses that equal neither the one before nor the one after."""
        return [
            item
            for item in self.readings
            if item.answer not in (self.before[item.address], self.after[item.address])
        ]

    def late(self) -> list[Reading]:
        """Return the old responses to requests that began after another reader had a new one."""
        changed = set(self.changed)
        told = [item for item in self.readings if item.address in changed]
        switched = min(
            (item.ended for item in told if item.answer == self.after[item.address]), default=float("inf")
        )
        return [item for item in told if item.began > switched and item.answer == self.before[item.address]]

    def waits(self) -> list[float]:
        """Return the seconds of all responses, shortest first."""
        return waits_of(self.readings)


def waits_of(readings: Iterable[Reading]) -> list[float]:
    """Return the seconds of responses, shortest first."""
    return sorted(item.ended - item.began for item in readings)


def kind_of_page(address: str) -> str:
    """Return the name of a URL's page type in the figures."""
    names = (name for name, pattern in KINDS_OF_PAGE.items() if re.match(pattern, address))
    return next(names, OTHER)


class Reader:
    """A client with its own IP address, which revalidates what it has.

    `texts` collects each received body by its SHA-256.
    """

    def __init__(self, base: str, number: int, texts: dict[str, bytes]) -> None:
        self._host = urlsplit(base).netloc
        self._caller = f"10.0.{number // 250}.{number % 250 + 1}"
        self._held: dict[str, tuple[str, Answer]] = {}
        self._texts = texts

    def read(self, address: str, *, again: bool = False) -> Answer:
        """Return the response. With `again`, 304 means the response that this reader has."""
        headers = {"X-Forwarded-For": self._caller, "Host": self._host}
        held = self._held.get(address) if again else None
        if held:
            headers["If-None-Match"] = held[0]
        with closing(http.client.HTTPConnection(self._host, timeout=60)) as connection:
            try:
                connection.request("GET", address, headers=headers)
                response = connection.getresponse()
                text = response.read()
            except (OSError, http.client.HTTPException) as error:
                return Answer(0, "", type(error).__name__)
        if held and response.status == 304:
            return held[1]
        digest = hashlib.sha256(text).hexdigest()
        self._texts.setdefault(digest, text)
        answer = Answer(response.status, response.headers.get("Location", ""), digest)
        if tag := response.headers.get("ETag"):
            self._held[address] = tag, answer
        return answer


def addresses_of(kind: str, previous: str, month: str, players: Sequence[int]) -> list[str]:
    """Return pages and resources that a publication of the type changes, and some that it must not change."""
    first, last = players[0], players[-1]
    lists = f"/lists/{kind}/"
    api = f"/api/v1/lists/{kind}/"
    of_players = [f"/players/{player}/" for player in players]
    of_players += [f"/api/v1/players/{player}" for player in players]
    return [
        "/",
        "/lists/",
        lists,
        f"{lists}{previous}/",
        f"{lists}{previous}/?last=1",
        f"{lists}{month}/",
        f"{lists}{month}/?last=1",
        f"{lists}{month}/statistics/",
        f"{lists}{month}/files/{kind}-{month}.txt",
        f"{lists}{month}/changes/",
        f"/search?q={quote(name(index_of(first)))}",
        f"/players/?q={last}",
        "/federations/SUI/",
        f"/players/{first}/{kind}/{month}/",
        "/tournaments/",
        "/fr/lists/",
        f"{lists}feed.atom",
        f"{api}latest",
        f"{api}latest/entries?limit=100",
        f"{api}{month}/entries?limit=100",
        "/api/v1/",
        "/api/v1/publications",
        f"/api/v1/players/{first}/calculations/{kind}/latest",
        f"/api/v1/players/{first}/history",
        *of_players,
    ]


def watch(
    base: str,
    publishes: Callable[[Sequence[Reading]], float],
    *,
    addresses: Sequence[str],
    readers: int = READERS,
) -> Watched:
    """Let one list be published in its own process while readers request everything. Return their responses.

    `publishes` is given the responses, which become more meanwhile, and returns the seconds that publishing took.
    """
    texts: dict[str, bytes] = {}
    first = Reader(base, 200, texts)
    before = {address: first.read(address) for address in addresses}
    with reading(base, addresses, readers=readers, texts=texts) as readings:
        seconds = publishes(readings)
    after = {address: first.read(address) for address in addresses}
    return Watched(before, after, readings, seconds, texts)


@contextmanager
def reading(
    base: str, addresses: Sequence[str], *, readers: int, texts: dict[str, bytes]
) -> Iterator[list[Reading]]:
    """Let readers request URLs during the block, which is given the list of their requests so far."""
    done = threading.Event()
    readings: list[Reading] = []
    with ThreadPoolExecutor(readers) as pool:
        running = [
            pool.submit(_ask, Reader(base, number, texts), number, addresses, done, readings)
            for number in range(readers)
        ]
        try:
            yield readings
        finally:
            done.set()
        for asked in running:
            asked.result()


def _ask(
    reader: Reader, seed: int, addresses: Sequence[str], done: threading.Event, readings: list[Reading]
) -> None:
    chance = random.Random(seed)  # noqa: S311 draws, no secrets
    while not done.is_set():
        address = chance.choice(addresses)
        began = time.monotonic()
        answer = reader.read(address, again=chance.random() < 0.5)
        readings.append(Reading(address, began, time.monotonic(), answer))


def publish(environment: Mapping[str, str], kind: str, day: str) -> float:
    code = PUBLISH.format(kind=kind, day=day)
    # The priority of the workers in deploy/.
    nice = ["nice", "-n", "10"]
    command = [*nice, sys.executable, str(ROOT / "manage.py"), "shell", "--no-imports", "-c", code]
    began = time.monotonic()
    subprocess.run(command, env=dict(environment), check=True)  # noqa: S603 our own command
    return time.monotonic() - began


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.readers", description=__doc__)
    parser.add_argument("--size", type=float, default=0.01, help="fraction of FIDE's month")
    parser.add_argument("--readers", type=int, default=READERS)
    parser.add_argument("--workers", type=int, default=2, help="processes of the web server")
    parser.add_argument("--kept", type=Path, default=ROOT / "var" / "readers", help="folder of wrong answers")
    options = parser.parse_args()
    # The only list is January's: late events, in December, would have no list in effect.
    size = Size(options.size, late=0)
    print(  # noqa: T201
        f"{os.cpu_count()} cores, Python {platform.python_version()}; PostgreSQL, {size.players:,} players, "
        f"{size.reports:,} reports, {options.readers} readers, {options.workers} web processes\n\n"
        "| published | seconds | answers | a second | errors | half | late | median | 95 % | 99 % | longest |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|"
    )
    for row in _rows(size, readers=options.readers, workers=options.workers, kept=options.kept):
        print(row, flush=True)  # noqa: T201


def _rows(size: Size, *, readers: int, workers: int, kept: Path) -> Iterator[str]:
    from tests.processes import web_server
    from tests.servers import postgresql_server, redis_server

    with (
        tempfile.TemporaryDirectory() as folder,
        postgresql_server(shared_buffers="1GB", max_wal_size="4GB") as database,
        redis_server() as redis,
    ):
        environment = os.environ | {
            "DATABASE_URL": database,
            "REDIS_URL": redis,
            "PORTAL_VAR_DIR": str(Path(folder) / "var"),
            "LOG_LEVEL": "WARNING",
            "BEHIND_PROXY": "1",
        }
        play(Path(folder), size, environment)
        with web_server(environment, log=Path(folder) / "web.log", workers=workers) as (base, _):
            for kind in ("rapid", "blitz"):
                watched = _watched(base, environment, kind, size, readers)
                yield _row(kind, watched)
                _keep_wrong(watched, kept)
            yield from _by_page(base, watched, readers=readers)


def _watched(base: str, environment: Mapping[str, str], kind: str, size: Size, readers: int) -> Watched:
    players = [fide_id(index) for index in range(0, size.players, size.players // 10)]
    addresses = [*addresses_of(kind, "2026-01-01", "2026-02-01", players), *tournaments(base)]

    def publishes(_readings: Sequence[Reading]) -> float:
        seconds = publish(environment, kind, "2026-02-01")
        time.sleep(SETTLE_SECONDS)
        return seconds

    return watch(base, publishes, addresses=addresses, readers=readers)


def tournaments(base: str) -> list[str]:
    """Return the pages of some tournaments."""
    with urlopen(f"{base}/api/v1/tournaments") as answer:  # noqa: S310 our own server
        return [f"/tournaments/{item['event_id']}/" for item in json.load(answer)["results"][:5]]


def _by_page(base: str, watched: Watched, *, readers: int) -> Iterator[str]:
    """Yield the waiting times by page type: during the publication, and after it without load."""
    with reading(base, list(watched.before), readers=readers, texts={}) as calm:
        time.sleep(CALM_SECONDS)
    yield "\n| page | during: answers | median | 95 % | 99 % | without: answers | median | 95 % | 99 % |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for page in (*KINDS_OF_PAGE, OTHER):
        cells = [*_waited(page, watched.readings), *_waited(page, calm)]
        yield f"| {' | '.join([page, *cells])} |"


def _waited(page: str, readings: Sequence[Reading]) -> list[str]:
    waits = waits_of(item for item in readings if kind_of_page(item.address) == page)
    return [f"{len(waits):,}", *(_milliseconds(waits, part) for part in (50, 95, 99))]


def _milliseconds(waits: Sequence[float], part: int) -> str:
    return f"{1000 * waits[len(waits) * part // 100]:.0f} ms" if waits else "–"


def play(folder: Path, size: Size, environment: Mapping[str, str]) -> None:
    """Fill the database with a list and the rated reports of its month."""
    source, reports, manage = folder / "list.txt", folder / "reports", str(ROOT / "manage.py")
    write_list(source, size)
    write_reports(reports, size, year=2026, month=1)
    measure("migrate", [[manage, "migrate", "--verbosity=0"]], environment)
    measure("static", [[manage, "collectstatic", "--no-input", "--verbosity=0"]], environment)
    measure("import", [[manage, "import_fide_list", str(source), "--date", "2026-01-01"]], environment)
    measure("reports", [submission(reports, 2)], environment)


def _keep_wrong(watched: Watched, folder: Path) -> None:
    """Save each wrong response beside that before and that after, and print the path."""
    wrong = {item.address: item for item in (*watched.failed(), *watched.halves(), *watched.late())}
    for number, (address, item) in enumerate(sorted(wrong.items()), start=1):
        values = {"before": watched.before[address], "had": item.answer, "after": watched.after[address]}
        folder.mkdir(parents=True, exist_ok=True)
        for when, answer in values.items():
            (folder / f"{number}-{when}").write_bytes(watched.texts.get(answer.digest, b""))
        print(f"WRONG: {address} ({item.answer.status}): {folder}/{number}-*", file=sys.stderr)  # noqa: T201


def _row(kind: str, watched: Watched) -> str:
    waits = watched.waits()
    shown = [_milliseconds(waits, part) for part in (50, 95, 99)]
    wrong = [str(len(found)) for found in (watched.failed(), watched.halves(), watched.late())]
    spent = watched.seconds + SETTLE_SECONDS
    cells = [kind, f"{watched.seconds:.1f}", f"{len(waits):,}", f"{len(waits) / spent:.0f}", *wrong, *shown]
    return f"| {' | '.join(cells)} | {1000 * waits[-1]:.0f} ms |"


if __name__ == "__main__":
    main()
