"""Requests to addresses that people entered: nothing but public machines, one lookup, certificates, bounds."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from core.web.outbound import OutboundError, addresses_of, is_public, post, target_of

BODY = b'{"event": "test"}'


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.100.100.200", "0.1.2.3",
        "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "192.88.99.1", "168.63.129.16", "240.0.0.1",
        "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1",
        "::ffff:127.0.0.1", "::ffff:93.184.215.14", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1",
        "2002:7f00:1::", "2001:0:7f00:1::", "2001:10::1", "3fff::1", "100::1", "nobody",
    ],
)  # fmt: skip
def test_addresses_that_are_not_public_are_refused(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "8.8.8.8", "2606:4700:4700::1111", "2a00:1450:4001::1"])
def test_public_addresses_are_allowed(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "https:///x", "ftp://example.org/", "https://user@example.org/", "javascript:1",
        "https://user:secret@example.org/", "https://example.org/#part", "https://example.org:22/",
        "https://example.org:99999/", "https://exa mple.org/", "https://example.org/\r\nX: 1", "https://[::1/",
        "https://example.org\\@localhost/", "https://example.org/é", "https://example.org/" + "a" * 500, "",
        f"https://{'a' * 64}.example/",
    ],
)  # fmt: skip
def test_other_addresses_than_https_are_refused(url: str) -> None:
    with pytest.raises(OutboundError):
        target_of(url)


def test_a_target_has_the_name_of_the_server_and_the_path() -> None:
    plain, special = target_of("https://Example.org/hook?a=1"), target_of("https://zürich.example:8443")

    assert (plain.host, plain.port, plain.path, plain.authority) == (
        "example.org",
        443,
        "/hook?a=1",
        "example.org",
    )
    assert (special.authority, special.path) == ("xn--zrich-kva.example:8443", "/")


@pytest.mark.parametrize(
    "url",
    [
        "https://localhost/", "https://127.0.0.1/", "https://[::1]/", "https://2130706433/", "https://0x7f.1/",
        "https://0177.0.0.1/", "https://127.1/", "https://0/", "https://[::ffff:127.0.0.1]/",
        "https://[::ffff:7f00:1]/", "https://169.254.169.254/latest/meta-data/",
    ],
)  # fmt: skip
def test_other_spellings_of_local_addresses_are_refused(url: str) -> None:
    with pytest.raises(OutboundError):
        addresses_of(target_of(url))


def certificate(folder: Path, name: str, *, days: int = 1) -> tuple[Path, Path]:
    """Write a certificate that signs itself, and its key, and return both files."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    names = [x509.DNSName(name), x509.IPAddress(ip_address("127.0.0.1"))]
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=3))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName(names[:1]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    public, private = folder / "certificate.pem", folder / "key.pem"
    public.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return public, private


Answer = Callable[[ssl.SSLSocket], None]


@contextmanager
def tls_server(folder: Path, answer: Answer, *, name: str = "localhost", days: int = 1) -> Iterator[int]:
    """Run a TLS server on this machine for one connection, and yield its port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate(folder, name, days=days))
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(5)

    def serve() -> None:
        try:
            plain, _peer = listener.accept()
            with plain, context.wrap_socket(plain, server_side=True) as connection:
                answer(connection)
        except OSError:
            pass

    server = threading.Thread(target=serve)
    server.start()
    try:
        yield int(listener.getsockname()[1])
    finally:
        listener.close()
        server.join()


def on_this_machine(address: str) -> bool:
    return address in ("127.0.0.1", "::1")


def send(port: int, *, seconds: float = 5) -> int:
    target = target_of(f"https://localhost:{port}/hook")
    return post(target, BODY, headers={"X-Portal-Event": "test"}, allowed=on_this_machine, seconds=seconds)


@pytest.fixture
def trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Trust the certificate that a server of the test writes into this folder."""
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    return tmp_path


def test_the_body_arrives_and_a_redirect_is_not_followed(trusted: Path) -> None:
    received: list[bytes] = []

    def redirect(connection: ssl.SSLSocket) -> None:
        received.append(connection.recv(65536))
        connection.sendall(b"HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1/\r\n\r\n")

    with tls_server(trusted, redirect) as port:
        assert send(port) == 302
    head, _, body = received[0].partition(b"\r\n\r\n")
    assert body == BODY
    assert head.decode().split("\r\n") == [
        "POST /hook HTTP/1.1",
        f"Host: localhost:{port}",
        "Connection: close",
        "X-Portal-Event: test",
        f"Content-Length: {len(BODY)}",
    ]


def test_an_unknown_certificate_is_refused(tmp_path: Path) -> None:
    with (
        tls_server(tmp_path, lambda connection: None) as port,
        pytest.raises(OutboundError, match="certificate"),
    ):
        send(port)


@pytest.mark.parametrize(("name", "days"), [("other.example", 1), ("localhost", -1)])
def test_a_certificate_of_another_name_or_day_is_refused(trusted: Path, name: str, days: int) -> None:
    with (
        tls_server(trusted, lambda connection: None, name=name, days=days) as port,
        pytest.raises(OutboundError, match="certificate"),
    ):
        send(port)


@pytest.mark.slow
def test_an_answer_that_drips_ends_in_time(trusted: Path) -> None:
    def drip(connection: ssl.SSLSocket) -> None:
        connection.recv(65536)
        connection.settimeout(0.05)
        for _ in range(100):
            connection.sendall(b"H")
            threading.Event().wait(0.05)

    start = time.monotonic()
    with tls_server(trusted, drip) as port, pytest.raises(OutboundError, match="in time"):
        send(port, seconds=0.5)
    assert time.monotonic() - start < 5


@pytest.mark.parametrize("answer", [b"", b"220 mail ready\r\n", b"x" * 100_000, b"HTTP/1.1 999 No\r\n"])
def test_what_is_not_http_is_no_answer(trusted: Path, answer: bytes) -> None:
    def talk(connection: ssl.SSLSocket) -> None:
        connection.recv(65536)
        connection.sendall(answer)

    with tls_server(trusted, talk) as port, pytest.raises(OutboundError, match="HTTP"):
        send(port)


def test_the_name_is_resolved_once(trusted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that leads elsewhere at the second look-up is not looked up again."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def counted(host: str, *args: object, **options: object) -> object:
        asked.append(host)
        return real(host, *args, **options)  # type: ignore[arg-type]

    def created(connection: ssl.SSLSocket) -> None:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")

    with tls_server(trusted, created) as port:
        monkeypatch.setattr(socket, "getaddrinfo", counted)
        assert send(port) == 204
    assert asked == ["localhost"]


@pytest.mark.slow
def test_a_slow_resolver_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's resolver knows no limit: a name server that never answers would keep a thread of the portal."""
    answered = threading.Event()

    def never(*_args: object, **_options: object) -> list[object]:
        answered.wait(60)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", never)
    start = time.monotonic()

    with pytest.raises(OutboundError, match="in time"):
        addresses_of(target_of("https://slow.example/"))

    assert time.monotonic() - start < 30
    answered.set()
