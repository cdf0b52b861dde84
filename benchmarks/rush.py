"""`python -m benchmarks.rush`: readers on a publication day, with the portal alone and behind the proxy of deploy/.

Anonymous readers request all types of public pages, few of them often and most rarely (Zipf). Half of the repeated
requests send the validator. The readers share the cores with the portal. Measured before, during and after a
publication (no page is cached when it ends), then at 70% of the wanted rate, with each request at its due time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import cast
from urllib.parse import quote, urlsplit
from urllib.request import urlopen

from benchmarks.steps import MANAGE, machine, measure, play, portal
from benchmarks.world import FEDERATIONS, Size, fide_id, name

CONNECTIONS = 64
# Answers a second that are wanted of the portal alone and of the proxy, and the share at which times are measured.
WANTED = {False: 400, True: 3_000}
SHARE_OF_WANTED = 0.7
PATIENCE_SECONDS = 30.0
AGAIN = 0.5
# So long after a publication nobody gets a page from before it: the proxy keeps pages for 30 seconds. One more is for
# clocks and the network.
LATE_SECONDS = {False: 1.0, True: 31.0}
# A single cached page gives the highest rate for these readers, who share the cores.
KEPT = "/rules/"
PREVIOUS, MONTH = "2026-01-01", "2026-02-01"
PUBLISH = f"""
from datetime import date
from django.utils import timezone
from ratings.publish.publish import publish_list
publish_list("rapid", date.fromisoformat("{MONTH}"), by=None, at=timezone.now())
"""
HEADS = (
    "| readers of | when | answers | a second | errors | late | median | 95 % | 99 % |\n" + "|---" * 9 + "|"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """One response: URL, start and end (one clock), status, and digest of the content."""

    address: int
    began: float
    ended: float
    status: int
    said: int


class Connection(asyncio.Protocol):
    """A persistent connection for one request at a time."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._answer: asyncio.Future[tuple[int, str, bytes]] | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if self._answer and not self._answer.done():
            self._answer.set_exception(ConnectionResetError())

    @property
    def is_open(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    def ask(self, request: bytes) -> asyncio.Future[tuple[int, str, bytes]]:
        """Send a request. Return status, validator and body."""
        self._answer = asyncio.get_running_loop().create_future()
        self._buffer.clear()
        if self._transport is None:
            self._answer.set_exception(ConnectionResetError())
        else:
            self._transport.write(request)
        return self._answer

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0 or self._answer is None or self._answer.done():
            return
        head = self._buffer[:end].decode("latin-1")
        fields = {
            field.partition(":")[0].lower(): field.partition(":")[2].strip()
            for field in head.split("\r\n")[1:]
        }
        status = int(head[9:12])
        if status != 304 and not _is_whole(self._buffer, end + 4, fields):
            return
        self._answer.set_result((status, fields.get("etag", ""), bytes(self._buffer[end + 4 :])))
        if fields.get("connection") == "close" and self._transport:
            self._transport.close()


def _is_whole(buffer: bytearray, start: int, fields: Mapping[str, str]) -> bool:
    if "content-length" in fields:
        return len(buffer) - start >= int(fields["content-length"])
    # From the end of the headers on: an empty body is only the last chunk.
    return buffer.endswith(b"\r\n0\r\n\r\n", start - 2)


class Readers:
    """Readers of one server, each with its own IP address."""

    def __init__(self, base: str, addresses: Sequence[str], *, seed: int) -> None:
        self._host, _, port = urlsplit(base).netloc.partition(":")
        self._port = int(port)
        self.addresses = addresses
        self._weights = list(accumulate(1 / place for place in range(1, len(addresses) + 1)))
        self._chance = random.Random(seed)  # noqa: S311 draws, no secrets
        self._held: dict[int, tuple[str, int]] = {}
        self._open: list[Connection] = []

    async def at_once(self, seconds: float, connections: int) -> list[Reading]:
        """Send requests on all connections without a pause."""
        end = time.monotonic() + seconds
        return await self.as_long(lambda: time.monotonic() < end, connections)

    async def as_long(self, goes_on: Callable[[], bool], connections: int) -> list[Reading]:
        """Send requests on all connections without a pause, as long as it is asked for."""
        return await self._together(self._without_pause(number, goes_on) for number in range(connections))

    async def at_instants(self, seconds: float, rate: float) -> list[Reading]:
        """Send `rate` requests per second. Each waiting time starts when its request was due."""
        # Connections of an earlier event loop cannot be used in this one.
        self._open.clear()
        began = time.monotonic()
        asked = []
        for number in range(int(seconds * rate)):
            due = began + number / rate
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            asked.append(asyncio.create_task(self._ask(self._drawn(), due, number % 200)))
        return await asyncio.gather(*asked)

    async def each(self) -> list[Reading]:
        """Request each URL once, without a validator."""
        self._held.clear()
        self._open.clear()
        return [
            await self._ask(number, time.monotonic(), 0, again=False) for number in range(len(self.addresses))
        ]

    async def _together(self, askers: Iterator[object]) -> list[Reading]:
        # Connections of an earlier event loop cannot be used in this one.
        self._open.clear()
        parts = await asyncio.gather(*askers)  # type: ignore[call-overload]
        return [reading for part in parts for reading in part]

    async def _without_pause(self, number: int, goes_on: Callable[[], bool]) -> list[Reading]:
        found = []
        while goes_on():
            found.append(await self._ask(self._drawn(), time.monotonic(), number))
        return found

    def _drawn(self) -> int:
        return self._chance.choices(range(len(self.addresses)), cum_weights=self._weights)[0]

    async def _ask(self, address: int, began: float, caller: int, *, again: bool = True) -> Reading:
        held = self._held.get(address) if again and self._chance.random() < AGAIN else None
        try:
            connection = await self._connection(caller)
            asked = connection.ask(self._request(address, caller, held))
            status, tag, body = await asyncio.wait_for(asked, PATIENCE_SECONDS)
        except OSError:
            return Reading(address, began, time.monotonic(), 0, 0)
        if connection.is_open:
            self._open.append(connection)
        # Compression pads bodies at random, so the validator, or else body or status, identifies the content.
        digest = held[1] if held and status == 304 else hash(tag or (body if status == 200 else status))
        if tag and status == 200:
            self._held[address] = tag, digest
        return Reading(address, began, time.monotonic(), status, digest)

    async def _connection(self, caller: int) -> Connection:
        while self._open:
            if (connection := self._open.pop()).is_open:
                return connection
        loop, own = asyncio.get_running_loop(), (f"127.0.{1 + caller // 250}.{caller % 250 + 1}", 0)
        _, made = await loop.create_connection(Connection, self._host, self._port, local_addr=own)
        return made

    def _request(self, address: int, caller: int, held: tuple[str, int] | None) -> bytes:
        lines = [
            f"GET {self.addresses[address]} HTTP/1.1",
            f"Host: {self._host}:{self._port}",
            "Accept-Encoding: gzip",
            f"X-Forwarded-For: 10.9.{caller // 250}.{caller % 250 + 1}",
        ]
        if held:
            lines.append(f"If-None-Match: {held[0]}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode()


def addresses(size: Size, events: Sequence[str], *, seed: int = 1) -> list[str]:
    """Return about 1,000 URLs of all types, most popular first: home and the new lists, then random ones."""
    chance = random.Random(seed)  # noqa: S311 draws, no secrets
    players = [fide_id(index) for index in range(0, size.players, max(1, size.players // 500))]
    first = [
        "/",
        "/lists/rapid/",
        "/lists/",
        f"/lists/rapid/{MONTH}/",
        f"/lists/rapid/{PREVIOUS}/",
        "/players/",
    ]
    rest = [f"/players/{player}/" for player in players]
    rest += [f"/players/{player}/rapid/{MONTH}/" for player in players[:100]]
    rest += [f"/api/v1/players/{player}" for player in players[:100]]
    rest += [f"/federations/{code}/" for code in FEDERATIONS]
    rest += [f"/lists/rapid/{day}/?federation={code}" for code in FEDERATIONS for day in (PREVIOUS, MONTH)]
    rest += [
        f"/search?q={quote(name(index))}" for index in range(0, size.players, max(1, size.players // 50))
    ]
    rest += events
    rest += [f"/fr{address}" for address in first]
    rest += ["/lists/feed.atom", "/lists/rapid/feed.atom", "/tournaments/", "/rules/", "/calculators/"]
    rest += ["/api/v1/lists/rapid/latest", "/api/v1/lists/rapid/latest/entries?limit=100"]
    rest += [f"/lists/rapid/{MONTH}/statistics/", f"/lists/rapid/{MONTH}/changes/"]
    chance.shuffle(rest)
    return [*first, *rest]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rush", description=__doc__)
    parser.add_argument("--size", type=float, default=0.02, help="fraction of FIDE's month")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each measurement")
    parser.add_argument("--connections", type=int, default=CONNECTIONS)
    parser.add_argument("--workers", type=int, default=2, help="processes of the web server")
    options = parser.parse_args()
    size = Size(options.size, late=0)
    print(  # noqa: T201
        f"{machine()}; {size.players:,} players, "
        f"{options.connections} connections, {options.workers} web processes\n\n{HEADS}"
    )
    for behind_proxy in (False, True):
        for row in _measured(size, options, behind_proxy=behind_proxy):
            print(row, flush=True)  # noqa: T201


def _measured(size: Size, options: argparse.Namespace, *, behind_proxy: bool) -> Iterator[str]:
    with ExitStack() as stack:
        folder, environment = stack.enter_context(portal())
        environment["BEHIND_PROXY"] = "1"
        measure("static", [[MANAGE, "collectstatic", "--no-input", "--verbosity=0"]], environment)
        play(folder, size, environment)
        base = _served(stack, folder, environment, workers=options.workers, behind_proxy=behind_proxy)
        readers = Readers(base, addresses(size, _tournaments(base)), seed=1)
        what = "the proxy" if behind_proxy else "the portal alone"
        rate = SHARE_OF_WANTED * WANTED[behind_proxy]
        for when, readings, late in _phases(
            readers, environment, options, rate=rate, late_seconds=LATE_SECONDS[behind_proxy]
        ):
            yield _row(what, when, readings, late)
        alone = Readers(base, [KEPT], seed=2)
        floor = asyncio.run(alone.at_once(options.seconds, options.connections))
        yield _row(what, "floor: one kept page", floor, 0)


def _served(
    stack: ExitStack, folder: Path, environment: Mapping[str, str], *, workers: int, behind_proxy: bool
) -> str:
    from tests.processes import web_server
    from tests.proxy import SITE, proxy
    from tests.servers import free_port

    served = web_server(environment, log=folder / "web.log", workers=workers)
    web = stack.enter_context(served)[0]
    if not behind_proxy:
        return web
    port, https_port, folder = free_port(), free_port(), folder / "proxy"
    folder.mkdir()
    # Without TLS, which would cost the Python client more than nginx.
    bare = {
        f"server_name {SITE}": "server_name 127.0.0.1",
        f"listen 127.0.0.1:{https_port} ssl http2;": f"listen 127.0.0.1:{port};",
    }
    stack.enter_context(proxy(folder, web=web, http_port=free_port(), https_port=https_port, replaced=bare))
    return f"http://127.0.0.1:{port}"


def _phases(
    readers: Readers,
    environment: Mapping[str, str],
    options: argparse.Namespace,
    *,
    rate: float,
    late_seconds: float,
) -> Iterator[tuple[str, Sequence[Reading], int]]:
    """Yield the responses before, during and after a publication, and at a rate, with the late ones."""
    asyncio.run(readers.each())
    yield "before", asyncio.run(readers.at_once(options.seconds, options.connections)), 0
    with ThreadPoolExecutor(1) as pool:
        published = pool.submit(_publish, environment)
        during = asyncio.run(readers.as_long(lambda: not published.done(), options.connections))
        published.result()
    done = time.monotonic()
    after = asyncio.run(readers.at_once(options.seconds, options.connections))
    now = {reading.address: reading.said for reading in asyncio.run(readers.each())}
    yield "during", during, 0
    late = [one for one in after if one.began > done + late_seconds and one.said != now[one.address]]
    for one in late:
        print(f"LATE: {readers.addresses[one.address]} ({one.status})", file=sys.stderr)  # noqa: T201
    yield "after", after, len(late)
    yield f"{rate:.0f} a second", asyncio.run(readers.at_instants(options.seconds, rate)), 0


def _publish(environment: Mapping[str, str]) -> None:
    """Publish the rapid list alone, as the workers of deploy/ do: after readers."""
    command = ["nice", "-n", "10", sys.executable, MANAGE, "shell", "--no-imports", "--command", PUBLISH]
    subprocess.run(command, env=dict(environment), check=True)  # noqa: S603 our own command


def _tournaments(base: str) -> list[str]:
    with urlopen(f"{base}/api/v1/tournaments") as answer:  # noqa: S310 our own server
        return [f"/tournaments/{item['event_id']}/" for item in json.load(answer)["results"][:5]]


def _row(what: str, when: str, readings: Sequence[Reading], late: int) -> str:
    waits = sorted(one.ended - one.began for one in readings)
    spent = max(one.ended for one in readings) - min(one.began for one in readings)
    errors = sum(one.status not in (200, 302, 304, 404) for one in readings)
    shown = [f"{1000 * waits[len(waits) * part // 100]:.0f} ms" for part in (50, 95, 99)]
    cells = [what, when, f"{len(waits):,}", f"{len(waits) / spent:,.0f}", str(errors), str(late), *shown]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
