"""Readers on all pages while a list is published.

Each response must equal that before or that after the publication, byte for byte. Once any reader has the new list,
no later request may return the old one.
"""

from __future__ import annotations

import hashlib
import http.client
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from benchmarks.world import index_of, name

READERS = 50


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


class Reader:
    """A client with its own IP address, which revalidates what it has."""

    def __init__(self, base: str, number: int) -> None:
        self._host = urlsplit(base).netloc
        self._caller = f"10.0.{number // 250}.{number % 250 + 1}"
        self._held: dict[str, tuple[str, Answer]] = {}

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
    publishes: Callable[[Sequence[Reading]], None],
    *,
    addresses: Sequence[str],
    readers: int = READERS,
) -> Watched:
    """Let one list be published in its own process while readers request everything. Return their responses.

    `publishes` is given the responses, which become more meanwhile.
    """
    first = Reader(base, 200)
    before = {address: first.read(address) for address in addresses}
    with reading(base, addresses, readers=readers) as readings:
        publishes(readings)
    after = {address: first.read(address) for address in addresses}
    return Watched(before, after, readings)


@contextmanager
def reading(base: str, addresses: Sequence[str], *, readers: int) -> Iterator[list[Reading]]:
    """Let readers request URLs during the block, which is given the list of their requests so far."""
    done = threading.Event()
    readings: list[Reading] = []
    with ThreadPoolExecutor(readers) as pool:
        running = [
            pool.submit(_ask, Reader(base, number), number, addresses, done, readings)
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
    chance = random.Random(seed)
    while not done.is_set():
        address = chance.choice(addresses)
        began = time.monotonic()
        answer = reader.read(address, again=chance.random() < 0.5)
        readings.append(Reading(address, began, time.monotonic(), answer))
