"""gunicorn as the portal runs it, without a proxy: slow and silent callers hold up nobody."""

from __future__ import annotations

import contextlib
import http.client
import json
import selectors
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import nullcontext as nothing
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

import pytest

from portal.web_worker import (
    LEAVING_SECONDS,
    MAX_BODY,
    MAX_HEAD,
    PACE,
    IncomingRequest,
    PacedSocket,
    WholeRequestWorker,
)
from tests.processes import PATIENCE, environment_of_processes, web_server

pytestmark = pytest.mark.slow

HEAD = b"POST /api/v1/reports/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n"
# It has 325,000 bytes and costs no work.
LARGE_FILE = b"/static/admin/js/vendor/xregexp/xregexp.js"
REPORT = b"012 Open of Alphaville\r\n042 2026/01/10\r\n"


def announced(length: int) -> bytes:
    return HEAD + f"Content-Length: {length}\r\n\r\n".encode()


@pytest.fixture(scope="module")
def address(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    log = tmp_path_factory.mktemp("web") / "log"
    serves = "tests.portal.hasty_web"
    with web_server(environment_of_processes(), log=log, workers=1, serves=serves) as (base, _):
        host, port = urlsplit(base).netloc.split(":")
        yield host, int(port)


def answers(connection: socket.socket, count: int) -> list[tuple[int, bytes]]:
    """Return status and body of so many answers on one connection."""
    found = []
    with connection.makefile("rb") as file:
        for _ in range(count):
            answer = http.client.HTTPResponse(connection)
            answer.fp.close()
            answer.fp = file
            answer.begin()
            found.append((answer.status, answer.read(int(answer.headers["Content-Length"]))))
    return found


def status_of_a_page(address: tuple[str, int]) -> int:
    """Return the status of a page that needs no database."""
    page = http.client.HTTPConnection(*address, timeout=PATIENCE)
    with contextlib.closing(page):
        page.request("GET", "/edition/")
        return page.getresponse().status


def is_open(connection: socket.socket) -> bool:
    """Return whether the other end has neither sent anything nor ended the connection."""
    connection.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        connection.recv(1)
        return False
    connection.settimeout(PATIENCE)
    return True


@pytest.mark.program
def test_200_slow_bodies_and_200_silent_connections_delay_no_page(address: tuple[str, int]) -> None:
    with contextlib.ExitStack() as stack:
        callers = [stack.enter_context(socket.create_connection(address, PATIENCE)) for _ in range(400)]
        for connection in (slow := callers[::2]):
            connection.sendall(announced(1000) + b"012 ")
        status = status_of_a_page(address)
        # Bodies have minutes: none of them was waited for.
        waiting = [is_open(connection) for connection in slow]
        # Whoever is slow is still answered once all has come.
        slow[0].sendall(b" " * 996)
        late = answers(slow[0], 1)

    assert (status, late[0][0]) == (204, 200)
    assert waiting == [True] * 200


@pytest.mark.program
def test_requests_in_pieces_one_after_the_other_on_one_connection(address: tuple[str, int]) -> None:
    one = announced(len(REPORT)) + REPORT
    assert len(one) > 100
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(one + one[:50])
        connection.sendall(one[50:100])
        # What is left is sent after the first answer: its reader takes all bytes that are there.
        first = answers(connection, 1)
        connection.sendall(one[100:])
        both = first + answers(connection, 1)

    assert [status for status, _ in both] == [200, 200]
    assert json.loads(both[0][1]) == json.loads(both[1][1])


@pytest.mark.program
def test_caller_who_asks_before_sending_is_told_to_go_on(address: tuple[str, int]) -> None:
    head = announced(len(REPORT))[:-2] + b"Expect: 100-continue\r\n\r\n"
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(head)
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(REPORT)
        assert answers(connection, 1)[0][0] == 200


@pytest.mark.program
@pytest.mark.parametrize(
    "length", [b"Transfer-Encoding: chunked", f"Content-Length: {MAX_BODY + 1}".encode()]
)
def test_body_that_is_not_waited_for_is_refused_and_ends_the_connection(
    address: tuple[str, int], length: bytes
) -> None:
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(HEAD + length + b"\r\n\r\n")
        received = b"".join(iter(lambda: connection.recv(65536), b""))

    assert received.startswith(b"HTTP/1.1 4")


def test_head_without_end_is_handed_over_to_be_refused() -> None:
    arriving = IncomingRequest()
    arriving.add(HEAD + b"X: " + b"x" * MAX_HEAD)
    handed = b"".join(arriving.pieces())
    assert (arriving.is_ready, arriving.has_end, len(handed), arriving.end()) == (
        True,
        False,
        arriving.size,
        b"",
    )


def test_large_body_arrives_to_the_byte() -> None:
    body = bytes(range(256)) * 1024
    whole = announced(len(body)) + body
    arriving = IncomingRequest()
    for start in range(0, len(whole) + 7, 4096):
        assert not arriving.is_ready
        arriving.add((whole + b"GET / H")[start : start + 4096])

    assert arriving.is_ready
    assert b"".join(arriving.pieces()) == whole
    assert arriving.end() == b"GET / H"


@pytest.mark.program
def test_callers_who_stay_after_their_answer_delay_no_page(address: tuple[str, int]) -> None:
    # Four threads that waited for them would need 40 seconds.
    number = 20 * 4
    with contextlib.ExitStack() as stack:
        for _ in range(number):
            connection = stack.enter_context(socket.create_connection(address, PATIENCE))
            connection.sendall(b"GET /edition/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            assert connection.recv(12) == b"HTTP/1.1 204"
        began = time.monotonic()
        status = status_of_a_page(address)
        seconds = time.monotonic() - began

    assert status == 204
    assert seconds < number / 4 * LEAVING_SECONDS / 2


@pytest.mark.parametrize("length", [b"Content-Length: " + b"0" * 19 + b"5", b"Content-Length: 5, 5"])
def test_length_that_is_not_understood_lets_nothing_follow(length: bytes) -> None:
    arriving = IncomingRequest()
    arriving.add(HEAD + length + b"\r\n\r\nGET /")
    assert (arriving.is_ready, arriving.has_end, arriving.end()) == (True, False, b"")


def test_caller_of_http_1_0_is_not_told_to_go_on() -> None:
    arriving = IncomingRequest()
    arriving.add(announced(5).replace(b"HTTP/1.1", b"HTTP/1.0")[:-2] + b"Expect: 100-continue\r\n\r\n")
    assert (arriving.has_head, arriving.expects, arriving.end()) == (True, False, b"")


@pytest.mark.program
def test_callers_who_read_nothing_of_a_large_answer_lose_it(address: tuple[str, int]) -> None:
    # Three for each thread, and more bytes for each than the system has room for.
    number, requests = 12, 20
    many = b"GET " + LARGE_FILE + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with contextlib.ExitStack() as stack:
        for _ in range(number):
            caller = stack.enter_context(socket.socket())
            caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            caller.connect(address)
            caller.sendall(many * requests)
        began = time.monotonic()
        # A page waits for one request of each caller: one of them comes when the threads wait for callers.
        statuses = {status_of_a_page(address) for _ in range(requests)}
        seconds = time.monotonic() - began

    assert statuses == {204}
    # A thread gives a caller 20 seconds where nobody waits: a minute for all. Where somebody does, a quarter of one.
    assert seconds < 40


class Caller:
    """A socket that takes so many bytes at each pause, and none in the end."""

    def __init__(self, *takes: int) -> None:
        self.takes, self.got = list(takes), b""

    def fileno(self) -> int:
        raise OSError

    def settimeout(self, seconds: float) -> None:
        self.pause = seconds

    def send(self, part: memoryview) -> int:
        number = min(self.takes.pop(0) if self.takes else 0, len(part))
        if not number:
            time.sleep(self.pause)
            raise TimeoutError
        self.got += part[:number]
        return number


@pytest.mark.parametrize(("busy", "least"), [(True, 0.4), (False, 0.8)])
def test_pace_of_a_caller_is_held_while_waiting(
    monkeypatch: pytest.MonkeyPatch, busy: bool, least: float
) -> None:
    for name, seconds in (("BUSY", 0.4), ("PATIENT", 0.8)):
        monkeypatch.setattr(f"portal.web_worker.{name}_SECONDS", seconds)
    monkeypatch.setattr("portal.web_worker.PAUSE", 0.1)
    caller = Caller(100, 0, PACE)
    paced = PacedSocket(caller, is_busy=lambda: busy)
    paced.setblocking(True)
    began = time.monotonic()
    with pytest.raises(ConnectionResetError):
        paced.sendall(b"x" * (PACE + 101))

    # The first pause does not count any more: enough was taken since.
    assert (len(caller.got), least <= time.monotonic() - began - 0.1) == (PACE + 100, True)


def test_file_is_sent_in_pieces(tmp_path: Path) -> None:
    content = bytes(range(256)) * 1000
    (tmp_path / "file").write_bytes(content)
    caller = Caller(*[50_000] * 10)
    with (tmp_path / "file").open("rb") as file:
        sent = PacedSocket(caller, is_busy=lambda: False).sendfile(file, 10, 200_000)

    assert (sent, caller.got) == (200_000, content[10:200_010])


@pytest.mark.parametrize("kilobytes", [200, 2])
def test_pace_is_that_of_the_caller_not_of_the_buffer_of_the_system(
    kilobytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A buffer of megabytes asks for more after seconds, however steadily the caller reads."""
    monkeypatch.setattr("portal.web_worker.BUSY_SECONDS", 1.0)
    monkeypatch.setattr("portal.web_worker.PAUSE", 0.25)
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as near:
        near.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        near.connect(server.getsockname())
        far, _ = server.accept()
        far.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * 1024**2)
        ended = threading.Event()
        reader = threading.Thread(target=read_slowly, args=(near, kilobytes * 1024 // 20, ended))
        reader.start()
        paced = PacedSocket(far, is_busy=lambda: True)
        paced.setblocking(True)
        try:
            began = time.monotonic()
            with pytest.raises(ConnectionResetError) if kilobytes < PACE // 1024 else nothing():
                while time.monotonic() - began < 2:
                    paced.sendall(b"x" * PACE)
        finally:
            ended.set()
            reader.join()
            far.close()


def read_slowly(sock: socket.socket, size: int, ended: threading.Event) -> None:
    while not ended.wait(0.05):
        sock.recv(size)


class Connection:
    """What the worker's loop needs of a connection."""

    arriving: IncomingRequest

    def __init__(self, sock: socket.socket) -> None:
        self.sock, self.parser, self.close = sock, None, sock.close
        self.client = ("127.0.0.1", 1)


class Loop(contextlib.ExitStack):
    """The worker's loop without a server, with connections whose other ends are at hand."""

    def __enter__(self) -> Self:
        self.worker = WholeRequestWorker.__new__(WholeRequestWorker)
        self.worker.nr_conns, self.worker.poller = 0, self.enter_context(selectors.DefaultSelector())
        self.worker._arriving, self.worker._handed, self.worker.cfg = {}, set(), None
        return self

    def connect(self) -> tuple[socket.socket, Connection]:
        near, far = (self.enter_context(end) for end in socket.socketpair())
        far.setblocking(False)
        connection = Connection(far)
        self.worker.nr_conns += 1
        self.worker.enqueue_req(connection)
        self.callback(lambda: connection.arriving._file.close())
        return near, connection

    def send(self, caller: socket.socket, connection: Connection, size: int) -> None:
        """Send the beginning of a large request, in pieces that the loop takes at once."""
        for piece in [announced(MAX_BODY), *[b" " * 10_000] * (size // 10_000)]:
            if connection in self.worker._arriving:
                caller.sendall(piece)
                self.worker._collect(connection)


def test_bodies_that_arrive_share_a_limit_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("portal.web_worker.MAX_ARRIVING", 330_000)
    with Loop() as loop:
        callers = [loop.connect() for _ in range(4)]
        # The first is small enough for memory.
        for size, (caller, connection) in zip((20_000, 80_000, 200_000, 100_000), callers, strict=True):
            loop.send(caller, connection, size)

        assert list(loop.worker._arriving) == [callers[0][1], callers[1][1], callers[3][1]]
        assert callers[2][0].recv(100).startswith(b"HTTP/1.1 408 ")


def test_bodies_that_threads_have_count_too_and_are_never_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("portal.web_worker.MAX_ARRIVING", 300_000)
    with Loop() as loop:
        (large, at_work), (small, _), (late, _) = callers = [loop.connect() for _ in range(3)]
        loop.send(large, at_work, 250_000)
        loop.worker._forget(at_work)
        loop.worker._handed.add(at_work)
        loop.send(*callers[1], 30_000)
        loop.send(*callers[2], 100_000)

        assert list(loop.worker._arriving) == [callers[1][1]]
        assert late.recv(100).startswith(b"HTTP/1.1 408 ")
        small.setblocking(False)
        with pytest.raises(BlockingIOError):
            small.recv(100)


@pytest.mark.parametrize(("method", "has_body"), [("GET", True), ("HEAD", False)])
def test_the_loop_answers_whether_the_process_is_alive(method: str, has_body: bool) -> None:
    """No thread is needed: this worker has none."""
    with Loop() as loop:
        caller, connection = loop.connect()
        caller.sendall(f"{method} /health/live HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        loop.worker._collect(connection)

        head, _, body = caller.recv(1000).partition(b"\r\n\r\n")
        assert (head.startswith(b"HTTP/1.1 200 OK\r\n"), body == b'{"status": "ok"}') == (True, has_body)
        assert caller.recv(1) == b""
        caller.close()
        loop.worker._let_go(connection, connection.sock)
        assert (loop.worker.nr_conns, loop.worker._arriving) == (0, {})


def test_request_is_counted_until_its_thread_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    submitted: list[Future[bool]] = []

    class Threads:
        def submit(self, *_: object) -> Future[bool]:
            submitted.append(Future())
            return submitted[-1]

    with Loop() as loop:
        loop.worker.tpool = Threads()
        loop.worker.method_queue = Deferring()
        caller, connection = loop.connect()
        monkeypatch.setattr("portal.web_worker.get_parser", lambda *_: None)
        caller.sendall(b"GET / HTTP/1.1\r\n\r\n")
        loop.worker._collect(connection)
        at_work = set(loop.worker._handed)
        connection.arriving.end()
        submitted[0].set_result(False)

        assert (at_work, loop.worker._handed) == ({connection}, set())


class Deferring:
    """The queue of the loop, which is in no hurry here: it does at once what is put into it."""

    def defer(self, callback: Callable[..., None], *args: object) -> None:
        callback(*args)


def test_one_round_of_the_loop_ends_a_connection_whose_turn_comes_after() -> None:
    """Accepting, or making room, ends another connection that the same round has an event of."""
    with Loop() as loop:
        (first, collecting), (second, leaving) = loop.connect(), loop.connect()
        loop.worker._forget(leaving)
        leaving.arriving.end()
        loop.worker.finish_request(leaving, finished())
        first.sendall(b"GET")
        second.sendall(b"GET")
        events = loop.worker.poller.select(0)
        loop.worker._give_up(collecting)
        loop.worker._give_up(leaving)
        for key, _ in events:
            key.data(key.fileobj)

        assert (len(events), loop.worker._arriving, loop.worker.nr_conns) == (2, {}, 0)


def finished() -> Future[bool]:
    """Return what a thread leaves of a request after which the connection ends."""
    future: Future[bool] = Future()
    future.set_result(False)
    return future
