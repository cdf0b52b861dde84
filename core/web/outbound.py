"""Requests to addresses that people entered: to public machines over TLS, bounded, and never on behalf of a redirect.

The name is resolved once. Each address found is checked, and the connection goes to one of these very addresses, so
that a name that changes its address in between (DNS rebinding) reaches nothing. Certificates are checked by the name.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.utils.translation import gettext_noop as _

from core.stated import Sentences

MAX_URL_LENGTH = 500
MAX_SECONDS, LOOK_UP_SECONDS = 10.0, 3.0
MAX_HEAD_BYTES = 16 * 1024
MAX_ADDRESSES = 4
HTTPS_PORT, FIRST_FREE_PORT = 443, 1024
STATUS_LINE = re.compile(rb"HTTP/1\.[01] ([1-5]\d\d)(?: |\r|$)")
# Global unicast, without the parts that lead on to IPv4 addresses (Teredo, 6to4) or are for examples.
GLOBAL_IPV6 = ipaddress.ip_network("2000::/3")
OTHER_IPV6 = tuple(
    ipaddress.ip_network(text) for text in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
)
# Public by their numbers, but the relay of 6to4 and the metadata service of a cloud.
OTHER_IPV4 = tuple(ipaddress.ip_network(text) for text in ("192.88.99.0/24", "168.63.129.16/32"))
Allowed = Callable[[str], bool]
# Why a request failed, for those who store it.
FAILURES = Sentences(
    {
        "address-length": _("Enter an https address of at most %(number)d characters."),
        "address-invalid": _("Enter a valid https address."),
        "address-parts": _(
            "Enter an address that starts with https://, without a user name and without “#”."
        ),
        "address-port": _("Enter an address with port 443, or a port from 1024."),
        "address-path": _("Encode special characters in the path of the address."),
        "not-public": _("No public server has this address."),
        "too-slow": _("The server did not answer in time."),
        "certificate": _("The certificate of the server is not valid: %(reason)s"),
        "no-connection": _("The connection failed: %(reason)s"),
        "not-http": _("The server did not answer with HTTP."),
    }
)


class OutboundError(Exception):
    """No answer came, or no address leads to one; the message, one of `FAILURES`, says why."""


def _failure(code: str, **values: Any) -> OutboundError:
    return OutboundError(FAILURES.say(code, **values))


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes: the name as certificates and DNS know it, the port, and path with query."""

    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """Return the value of the header `Host`."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == HTTPS_PORT else f"{name}:{self.port}"


def is_public(address: str) -> bool:
    """Whether an IP address is a public machine's: not private, local, multicast, mapped or of a metadata service."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        return (
            found in GLOBAL_IPV6 and found.is_global and not any(found in network for network in OTHER_IPV6)
        )
    is_other = found.is_multicast or found.is_reserved or any(found in network for network in OTHER_IPV4)
    return found.is_global and not is_other


def target_of(url: str) -> Target:
    """Return where an https address leads; `OutboundError` for any other."""
    if (
        len(url) > MAX_URL_LENGTH
        # `urlsplit` drops tabs and line ends, and browsers read a backslash as a slash: people would see another
        # address.
        or not url.isprintable()
        or any(part.isspace() for part in url)
        or "\\" in url
    ):
        raise _failure("address-length", number=MAX_URL_LENGTH)
    try:
        parts = urlsplit(url)
        port = parts.port or HTTPS_PORT
        host = _host(parts)
    except ValueError as error:
        raise _failure("address-invalid") from error
    # `https://known.example@other.example/` leads to the second of the two.
    if parts.scheme != "https" or not host or parts.username is not None or parts.fragment:
        raise _failure("address-parts")
    # Below 1024 are the services of a system, such as mail, which must not be addressed from here.
    if port != HTTPS_PORT and port < FIRST_FREE_PORT:
        raise _failure("address-port")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not path.isascii():
        raise _failure("address-path")
    return Target(host, port, path)


def _host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    return host if ":" in host or not host else host.encode("idna").decode("ascii")


def addresses_of(target: Target, *, allowed: Allowed = is_public) -> list[tuple[int, str]]:
    """Return family and IP address of a target; `OutboundError` where one of them is not allowed."""
    found = _look_up(target)
    # As the resolver reads the name: 0x7f.1 and 2130706433 are this machine, too.
    addresses = list(dict.fromkeys((int(family), str(place[0])) for family, *_other, place in found))
    if not addresses or not all(allowed(address) for _family, address in addresses):
        # The same words for a name that is not there: nobody learns the names of a private network here.
        raise _failure("not-public")
    return addresses[:MAX_ADDRESSES]


def _look_up(target: Target) -> list[Any]:
    """Return what the system's resolver finds, nothing for a name that is not there; `OutboundError` if it is slow.

    It knows no limit of the caller's and may wait for half a minute: it is left alone then.
    """
    found: SimpleQueue[list[Any]] = SimpleQueue()

    def ask() -> None:
        kind = {"type": socket.SOCK_STREAM, "proto": socket.IPPROTO_TCP}
        try:
            found.put(list(socket.getaddrinfo(target.host, target.port, **kind)))
        except (OSError, UnicodeError):
            found.put([])

    # A process that ends does not wait for a resolver.
    threading.Thread(target=ask, name="look-up", daemon=True).start()
    try:
        return found.get(timeout=LOOK_UP_SECONDS)
    except Empty as error:
        raise _failure("too-slow") from error


def post(
    target: Target,
    body: bytes,
    *,
    headers: Mapping[str, str],
    allowed: Allowed = is_public,
    seconds: float = MAX_SECONDS,
) -> int:
    """Post a body over TLS and return the status code of the answer, whatever it is; redirects are not followed.

    The answer is read up to its status line. `OutboundError` where none came within `seconds`.
    """
    deadline = time.monotonic() + seconds
    addresses = addresses_of(target, allowed=allowed)
    try:
        with _connect(target, addresses, deadline) as connection:
            connection.settimeout(_seconds_left(deadline))
            connection.sendall(_head(target, headers, len(body)) + body)
            return _status(connection, deadline)
    except ssl.SSLCertVerificationError as error:
        raise _failure("certificate", reason=error.verify_message) from error
    except TimeoutError as error:
        raise _failure("too-slow") from error
    except OSError as error:
        raise _failure("no-connection", reason=error.strerror or type(error).__name__) from error


def _connect(target: Target, addresses: list[tuple[int, str]], deadline: float) -> ssl.SSLSocket:
    """Connect to the first address that answers, and check the certificate of the name."""
    *others, last = addresses
    for family, address in others:
        try:
            return _secure(target, family, address, deadline)
        # It is an OSError too, but a wrong certificate is no reason to try the next address.
        except ssl.SSLError:
            raise
        except OSError:
            continue
    return _secure(target, *last, deadline)


def _secure(target: Target, family: int, address: str, deadline: float) -> ssl.SSLSocket:
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    plain = socket.socket(family, socket.SOCK_STREAM)
    try:
        plain.settimeout(_seconds_left(deadline))
        plain.connect((address, target.port))
        plain.settimeout(_seconds_left(deadline))
        return context.wrap_socket(plain, server_hostname=target.host)
    except BaseException:
        plain.close()
        raise


def _head(target: Target, headers: Mapping[str, str], length: int) -> bytes:
    lines = [f"POST {target.path} HTTP/1.1", f"Host: {target.authority}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, f"Content-Length: {length}", "", ""]).encode("ascii")


def _status(connection: ssl.SSLSocket, deadline: float) -> int:
    read = b""
    while b"\n" not in read and len(read) < MAX_HEAD_BYTES:
        connection.settimeout(_seconds_left(deadline))
        # A timeout counts from each read: alone it would let a server send a byte every ten seconds, for ever.
        part = connection.recv(4096)
        if not part:
            break
        read += part
    found = STATUS_LINE.match(read)
    if found is None:
        raise _failure("not-http")
    return int(found[1])


def _seconds_left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
