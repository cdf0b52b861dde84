"""The web server's worker: a thread gets a request when all of it has arrived (ADR 20).

gunicorn's own threads wait for the bytes of a request, each for one caller: eight slow callers stop a portal that has
no proxy. Here the loop that accepts connections collects the bytes, and a thread never reads from a socket. A
client that does not read its response is disconnected, so that the thread is free again.
"""

from __future__ import annotations

import contextlib
import fcntl
import re
import struct
import termios
import time
from collections.abc import Callable, Iterator
from errno import ECONNRESET
from functools import partial
from importlib import import_module
from selectors import EVENT_READ
from socket import SHUT_WR
from tempfile import SpooledTemporaryFile
from typing import Any

from gunicorn.http import get_parser  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

# Later than this the answer is 408 (ADR 20). The largest body needs 4.5 Mbit/s to arrive in time.
HEAD_SECONDS, BODY_SECONDS = 10.0, 120.0
# What a caller may still send, and how long the connection stays, after the answer that ends it.
LEAVING_SECONDS, MAX_LEFT = 2.0, 64 * 1024
MAX_HEAD, MAX_BODY = 64 * 1024, 64 * 1024**2
# For each of a thousand connections that is 64 MB of memory; what is longer lies in a file.
IN_MEMORY = PIECE = 64 * 1024
# Limit on disk of all requests that arrive in a process: the largest one is dropped.
MAX_ARRIVING = 8 * MAX_BODY
# A caller takes so many bytes of an answer within the seconds; within fewer while others wait for a thread.
PACE, PATIENT_SECONDS, BUSY_SECONDS, PAUSE = 16 * 1024, 20.0, 2.0, 0.5
# Up to 19 digits: `int` raises for more than 4,300 of them, and an error in the loop ends the worker.
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,19})[ \t]*\r\n", re.IGNORECASE)
# A head with one of these defines the end of its request; only `LENGTH` is supported here.
FRAMED = re.compile(rb"\r\n(?:transfer-encoding|content-length)[ \t]*:", re.IGNORECASE)
# After the line of the request, which names HTTP/1.1.
EXPECTING = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*\r\n", re.IGNORECASE)
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
# Whether the process is alive: answered by the loop, whatever the threads wait for.
LIVE = re.compile(rb"(GET|HEAD) (/health/live)[ ?]")
ALIVE = b'{"status": "ok"}'
ALIVE_HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nCache-Control: max-age=0, no-cache, no-store\r\n"
    b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(ALIVE)
)
TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class IncomingRequest:
    """The bytes of one request, and of what follows it on the same connection, as they come."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - it ends with the request
        self._head = bytearray()
        self._wanted: int | None = None
        self.size = 0
        self.expects = False
        # The answer of the loop itself, where there is one.
        self.answer = b""
        # Nothing can follow a request on its connection that is handed over without its end.
        self.has_end = False

    @property
    def has_head(self) -> bool:
        return self._wanted is not None

    @property
    def is_ready(self) -> bool:
        """Whether a thread may have the request."""
        return self._wanted is not None and self.size >= self._wanted

    @property
    def on_disk(self) -> int:
        """The bytes that it has on disk; a small request has none."""
        return self.size if self.size > IN_MEMORY else 0

    def add(self, part: bytes) -> None:
        """Take the next bytes."""
        self._file.write(part)
        self.size += len(part)
        if self._wanted is None:
            self._head += part
            self._measure(part)

    def _measure(self, part: bytes) -> None:
        """Read the length of the request from its head, once the head is complete.

        A body that is too large or has no length is not awaited: the application refuses it.
        """
        # The blank line may begin in the part before. What is older was searched: bytes that come singly cost no more.
        end = self._head.find(b"\r\n\r\n", max(0, len(self._head) - len(part) - 3)) + 4
        if end < 4:
            # A head that does not end is handed over as it is: gunicorn's parser refuses it by its own limits.
            self._wanted = 0 if len(self._head) > MAX_HEAD else None
            return
        head = bytes(self._head[:end])
        given = LENGTH.search(head)
        length = int(given[1]) if given else 0
        # A second length, or one beside chunks, can mean another end to a proxy, which would let a caller smuggle a
        # request in.
        self.has_end = length <= MAX_BODY and len(FRAMED.findall(head)) == bool(given)
        # A caller of HTTP/1.0 knows no 100 and would take it for the answer (RFC 9110, 10.1.1).
        is_current = head.lstrip(b"\r\n").partition(b"\r\n")[0].upper().endswith(b" HTTP/1.1")
        self.expects = is_current and bool(EXPECTING.search(head))
        self._wanted = end + length if self.has_end else end
        # Blank lines before a request are allowed (RFC 9112, 2.2).
        if live := LIVE.match(head.lstrip(b"\r\n")):
            self.answer = ALIVE_HEAD + (ALIVE if live[1] == b"GET" else b"")
        self._head.clear()

    def pieces(self) -> Iterator[bytes]:
        """Yield only the bytes of the request."""
        self._file.seek(0)
        left = self.size if self._wanted is None or not self.has_end else self._wanted
        while left and (piece := self._file.read(min(left, PIECE))):
            left -= len(piece)
            yield piece

    def end(self) -> bytes:
        """Return what has arrived after the request, and forget all of it."""
        with self._file as file:
            file.seek(self._wanted or 0)
            # A client may send the next request before it has the answer (RFC 9112, 9.3.2).
            return file.read() if self.has_end else b""


class PacedSocket:
    """The socket of a response: a client that reads too slowly is disconnected."""

    def __init__(self, sock: Any, *, is_busy: Callable[[], bool]) -> None:
        self._sock, self._is_busy = sock, is_busy
        # What the system was given, and what the caller had acknowledged of it when the waiting began.
        self._waited, self._given, self._taken = 0.0, 0, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)

    def setblocking(self, flag: bool) -> None:
        """Wait for the caller in pauses after which the pace is looked at."""
        # A send that blocks returns only when the caller takes something, and a silent one never does.
        self._sock.settimeout(PAUSE if flag else 0)

    def sendall(self, data: Any) -> None:
        """Send the bytes; `ConnectionResetError` for a caller who is too slow."""
        rest = memoryview(data)
        while rest:
            rest = rest[self._send_part(rest[:PIECE]) :]

    def sendfile(self, file: Any, offset: int = 0, count: int | None = None) -> int:
        """Send a part of a file and return how many bytes it had."""
        # Not by the system's own `sendfile`, which would not come back to look at the pace.
        file.seek(offset)
        total = 0
        while count is None or total < count:
            piece = file.read(PIECE if count is None else min(PIECE, count - total))
            if not piece:
                break
            self.sendall(piece)
            total += len(piece)
        return total

    def _send_part(self, part: memoryview) -> int:
        began = time.monotonic()
        try:
            number = int(self._sock.send(part))
        except TimeoutError:
            number = 0
        self._given += number
        self._waited += time.monotonic() - began
        # The system asks for more only when a third of its buffer is free: megabytes, which take longer than `PACE`.
        taken = self._given - count_unacknowledged(self._sock)
        if taken - self._taken >= PACE:
            self._waited, self._taken = 0.0, taken
        elif self._waited >= (BUSY_SECONDS if self._is_busy() else PATIENT_SECONDS):
            raise ConnectionResetError(ECONNRESET, "the caller does not take the answer")
        return number


def count_unacknowledged(sock: Any) -> int:
    """Return how many bytes the system has buffered for a client; 0 if unknown."""
    try:
        # Linux counts for TIOCOUTQ of a socket what was sent and is not acknowledged (tcp(7), SIOCOUTQ).
        return int(struct.unpack("i", fcntl.ioctl(sock.fileno(), termios.TIOCOUTQ, bytes(4)))[0])
    except OSError:
        return 0


class WholeRequestWorker(ThreadWorker):
    """gunicorn's worker with threads, whose loop collects requests before a thread sees them."""

    def init_process(self) -> None:
        """Start without requests; the oldest comes first."""
        self._arriving: dict[Any, None] = {}
        # Whose request a thread has, or will have.
        self._handed: set[Any] = set()
        super().init_process()

    def load_wsgi(self) -> None:
        """Load the portal, and what this process needs to serve it."""
        super().load_wsgi()
        import_module("portal.wsgi").start_serving()

    def accept(self, listener: Any) -> None:
        """Add a connection; if all places are taken, replace the one that has been arriving for longest."""
        # One place less than gunicorn's limit, at which it no longer accepts: nobody would be there to replace.
        if self.nr_conns >= self.worker_connections - 1 and self._arriving:
            self._give_up(next(iter(self._arriving)))
        super().accept(listener)

    def enqueue_req(self, conn: Any) -> None:
        """Collect the next request of a connection; all of gunicorn's ways to a thread lead here."""
        # What came with the request before is in its parser, and the poller does not report it again.
        already = conn.parser.unreader.take_buffered() if conn.parser else b""
        conn.arriving, conn.timeout = IncomingRequest(), time.monotonic() + HEAD_SECONDS
        conn.sock.setblocking(False)
        self._arriving[conn] = None
        self.poller.register(conn.sock, EVENT_READ, partial(self._collect, conn))
        self._collect(conn, part=already)

    def _collect(self, conn: Any, _socket: Any = None, *, part: bytes = b"") -> None:
        """Take the bytes that are there, and hand the request over once it is whole."""
        if conn not in self._arriving:
            # What came before in the same round of the loop has ended it.
            return
        try:
            self._take_part(conn, part or conn.sock.recv(PIECE))
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            # The caller is gone, or the disk is full.
            self._forget(conn)
            self._close(conn)
            return
        if conn.arriving.on_disk:
            self._make_room()
        # `_make_room` may just have ended this very request.
        if conn in self._arriving and conn.arriving.is_ready:
            self._forget(conn)
            if conn.arriving.answer:
                self._answer(conn)
                return
            self._handed.add(conn)
            conn.parser = get_parser(self.cfg, conn.arriving.pieces(), conn.client)
            # Or gunicorn makes a parser of its own, which reads from the socket.
            conn.initialized = True
            super().enqueue_req(conn)

    def _answer(self, conn: Any) -> None:
        """Answer without a thread, then let the caller go."""
        with contextlib.suppress(OSError):
            conn.sock.send(conn.arriving.answer)
        conn.arriving.end()
        self._part_from(conn)

    def _make_room(self) -> None:
        """End the largest request that arrives where all of them, those of the threads too, have too much on disk."""
        held = sum(conn.arriving.on_disk for conn in (*self._arriving, *self._handed))
        largest = max(self._arriving, key=lambda conn: conn.arriving.on_disk, default=None)
        if held > MAX_ARRIVING and largest and largest.arriving.on_disk:
            self._give_up(largest)

    def _take_part(self, conn: Any, part: bytes) -> None:
        if not part:
            # The caller has closed its side: what has arrived is no whole request.
            raise ConnectionResetError
        had_head = conn.arriving.has_head
        conn.arriving.add(part)
        if conn.arriving.has_head and not had_head:
            conn.timeout = time.monotonic() + BODY_SECONDS
            if conn.arriving.expects and not conn.arriving.is_ready:
                # curl, for one, waits a second for this before it sends a large body.
                conn.sock.send(CONTINUE)

    def handle(self, conn: Any) -> Any:
        """Answer a request, in a thread; what has arrived after it waits where `finish_request` looks for it."""
        sock = conn.sock
        conn.sock = PacedSocket(sock, is_busy=lambda: not self.tpool._work_queue.empty())
        try:
            stays = super().handle(conn)
        finally:
            conn.sock = sock
        conn.parser.unreader.unread(conn.arriving.end())
        return stays

    def _keepalive_after(self, conn: Any, keepalive: bool) -> bool:
        # Where the end of a request is not known, the next bytes may be the rest of its body.
        return conn.arriving.has_end and bool(super()._keepalive_after(conn, keepalive))

    def finish_request(self, conn: Any, fs: Any) -> None:
        """Keep the connection, or close it without waiting for its client: the loop serves all others."""
        self._handed.discard(conn)
        if fs.cancelled() or fs.exception() or fs.result():
            super().finish_request(conn, fs)
            return
        self._part_from(conn)

    def _part_from(self, conn: Any) -> None:
        """Take what a caller still sends for a while: with bytes unread the end of the answer would be cut off."""
        # RFC 9112, 9.6.
        conn.arriving, conn.timeout = IncomingRequest(), time.monotonic() + LEAVING_SECONDS
        conn.sock.setblocking(False)
        try:
            conn.sock.shutdown(SHUT_WR)
        except OSError:
            self._close(conn)
            return
        conn.left = MAX_LEFT
        self._arriving[conn] = None
        self.poller.register(conn.sock, EVENT_READ, partial(self._let_go, conn))

    def _let_go(self, conn: Any, _socket: Any) -> None:
        """Throw away what a caller sends after the last answer, until there is nothing more."""
        if conn not in self._arriving:
            return
        try:
            got = len(conn.sock.recv(PIECE))
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            got = 0
        conn.left -= got
        if not got or conn.left <= 0:
            self._forget(conn)
            self._close(conn)

    def murder_pending(self) -> None:
        """End the connections whose requests have not arrived in time."""
        now = time.monotonic()
        for conn in [conn for conn in self._arriving if conn.timeout < now]:
            self._give_up(conn)

    def _give_up(self, conn: Any) -> None:
        # Browsers open connections in advance. A 408 on one that sent nothing would be taken as the answer to its next
        # request.
        if conn.arriving.size:
            with contextlib.suppress(OSError):
                conn.sock.send(TOO_SLOW)
        self._forget(conn)
        self._close(conn)

    def _forget(self, conn: Any) -> None:
        del self._arriving[conn]
        self.poller.unregister(conn.sock)

    def _close(self, conn: Any) -> None:
        conn.arriving.end()
        self.nr_conns -= 1
        conn.close()
