"""nginx with the configuration of deploy/, checked by itself and tried in front of a real web server."""

from __future__ import annotations

import contextlib
import http.client
import json
import shutil
import ssl
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests import make
from tests.processes import environment_of_processes, web_server
from tests.proxy import SITE, configuration, nginx, proxy
from tests.servers import free_port

pytestmark = pytest.mark.machine
IN_SERVICE = {
    "SITE_URL": f"https://{SITE}",
    "BEHIND_PROXY": "1",
    "SECRET_KEY": "k9vJ2mQx7Rt4Wz8Yb3Nc6Pd1" * 3,
}


@pytest.fixture(autouse=True)
def _nginx_is_installed() -> None:
    if nginx() is None:
        pytest.skip("nginx is not installed")


def test_nginx_accepts_the_configuration(tmp_path: Path) -> None:
    # What a version calls old is said as a warning; it is not an error.
    command = [str(nginx()), "-t", "-e", "stderr", "-c", str(configuration(tmp_path, {}))]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, "test is successful" in done.stderr) == (0, True), done.stderr


@pytest.mark.parametrize("keeps_default_site", [False, True])
def test_nginx_of_debian_accepts_it_in_its_own_configuration(
    tmp_path: Path, keeps_default_site: bool
) -> None:
    """As docs/operations.md says: without the site that Debian brings, whose place it takes."""
    own = Path("/etc/nginx")
    if not (own / "sites-available" / "default").exists():
        pytest.skip("this nginx is not Debian's")
    configuration(tmp_path, {})
    here = tmp_path / "etc"
    shutil.copytree(own, here, symlinks=True)
    for name in ("sites-enabled", "conf.d"):
        shutil.rmtree(here / name)
        (here / name).mkdir()
    if keeps_default_site:
        shutil.copy(own / "sites-available" / "default", here / "sites-enabled")
    shutil.copy(tmp_path / "portal.conf", here / "conf.d")
    main = here / "nginx.conf"
    main.write_text(
        main.read_text().replace("/etc/nginx", str(here)).replace("/run/nginx.pid", str(tmp_path / "pid"))
    )

    done = subprocess.run([str(nginx()), "-t", "-c", str(main)], capture_output=True, text=True, check=False)

    assert (done.returncode == 0, "a duplicate default server" in done.stderr) == (
        not keeps_default_site,
        keeps_default_site,
    ), done.stderr


@pytest.mark.django_db(transaction=True)
def test_long_addresses_large_bodies_and_floods_have_answers_that_callers_read(tmp_path: Path) -> None:
    ports = {"http_port": free_port(), "https_port": free_port()}
    environment = environment_of_processes() | IN_SERVICE
    ids = ",".join(str(1_000_000_000 + number) for number in range(1000))
    with (
        web_server(environment, log=tmp_path / "web.log", workers=1) as (web, _),
        proxy(tmp_path, web=web, **ports),
    ):

        def get(path: str, **options: Any) -> tuple[int, dict[str, str], bytes]:
            return fetch(https(ports["https_port"]), path, **options)

        looked_up = [get(f"/api/v1/players?ids={ids}")[0] for _ in range(2)]
        searched = get(f"/tournaments/?q={'x' * 7000}")[0]
        announced = {"Content-Length": str(65 * 1024**2), "Content-Type": "text/plain"}
        large = get("/api/v1/reports/check", method="POST", **announced)
        too_long = get(f"/api/v1/{'x' * 3000}")
        with ThreadPoolExecutor(100) as callers:
            flood = list(callers.map(lambda _: get("/accounts/login/")[0], range(100)))
        public = {get("/lists/")[0] for _ in range(120)}

    assert (looked_up, searched, public) == ([200, 200], 200, {200})
    assert [
        (found[0], found[1]["Content-Type"], json.loads(found[2])["status"]) for found in (large, too_long)
    ] == [
        (413, "application/problem+json", 413),
        (414, "application/problem+json", 414),
    ]
    assert set(flood) == {200, 429}


@pytest.mark.django_db(transaction=True)
def test_slow_and_silent_callers_delay_no_page(tmp_path: Path) -> None:
    ports = {"http_port": free_port(), "https_port": free_port()}
    environment = environment_of_processes() | IN_SERVICE
    body = b"012 Open of Alphaville\r\n042 2026/01/10\r\n"
    with (
        web_server(environment, log=tmp_path / "web.log", workers=1) as (web, _),
        proxy(tmp_path, web=web, **ports),
        contextlib.ExitStack() as stack,
    ):
        callers = [https(ports["https_port"]) for _ in range(100)]
        for caller in callers:
            stack.enter_context(contextlib.closing(caller)).connect()
        # Ten times as many as one process has threads.
        for caller in (slow := callers[:50]):
            caller.putrequest("POST", "/api/v1/reports/check", skip_host=True)
            for name, value in {
                "Host": SITE,
                "Content-Type": "text/plain",
                "Content-Length": str(len(body)),
            }.items():
                caller.putheader(name, value)
            caller.endheaders(body[:4])
        page = ask(https(ports["https_port"]), "/lists/")
        slow[0].send(body[4:])
        late = slow[0].getresponse()

    assert (page[0], late.status) == (200, 200)


class SiteConnection(http.client.HTTPConnection):
    """A connection by https to this machine that asks for the site and takes the certificate for what it is."""

    def connect(self) -> None:
        super().connect()
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        self.sock = trusting.wrap_socket(self.sock, server_hostname=self.name)

    name = SITE


def https(port: int) -> SiteConnection:
    return SiteConnection("127.0.0.1", port, timeout=30)


def ask(connection: http.client.HTTPConnection, path: str, **headers: str) -> tuple[int, dict[str, str]]:
    """Return status and headers of an answer, as a browser that knows the site by its name gets it."""
    return fetch(connection, path, **headers)[:2]


def fetch(
    connection: http.client.HTTPConnection, path: str, *, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of an answer."""
    with contextlib.closing(connection):
        connection.request(method, path, headers={"Host": SITE, **headers})
        answer = connection.getresponse()
        body = answer.read()
        return answer.status, dict(answer.getheaders()), body


@pytest.mark.django_db(transaction=True)
def test_portal_behind_the_proxy(tmp_path: Path) -> None:
    ports = {"http_port": free_port(), "https_port": free_port()}
    environment = environment_of_processes() | IN_SERVICE
    with (
        web_server(environment, log=tmp_path / "web.log", workers=1) as (web, _),
        proxy(tmp_path, web=web, **ports),
    ):
        plain = ask(http.client.HTTPConnection("127.0.0.1", ports["http_port"]), "/lists/?a=1")
        page = ask(https(ports["https_port"]), "/accounts/login/", **{"X-Forwarded-Proto": "http"})
        figures = ask(https(ports["https_port"]), "/metrics", **{"X-Forwarded-For": "127.0.0.1"})
        alive = ask(https(ports["https_port"]), "/health/live")
        other_host = [
            ask(http.client.HTTPConnection("127.0.0.1", ports["http_port"]), "/", Host="evil.example"),
            ask(https(ports["https_port"]), "/", Host="evil.example"),
        ]
        stranger = https(ports["https_port"])
        stranger.name = "evil.example"
        with pytest.raises(ssl.SSLError):
            ask(stranger, "/")

    assert [(status, "Location" in headers) for status, headers in other_host] == [(421, False)] * 2
    assert (plain[0], plain[1]["Location"]) == (308, f"https://{SITE}/lists/?a=1")
    assert page[0] == 200
    assert page[1]["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains; preload"
    name, *attributes = page[1]["Set-Cookie"].split("; ")
    assert name.startswith("__Host-csrftoken=")
    assert {"HttpOnly", "Path=/", "SameSite=Lax", "Secure"} <= set(attributes)
    assert len(page[1]["X-Request-ID"]) == 32
    assert "nginx/" not in page[1]["Server"]
    assert (figures[0], alive[0]) == (404, 200)


@pytest.mark.django_db(transaction=True)
def test_proxy_keeps_the_pages_of_anonymous_readers(tmp_path: Path) -> None:
    player = make.player()
    address = f"/players/{player.pk}/"
    ports = {"http_port": free_port(), "https_port": free_port()}
    environment = environment_of_processes() | IN_SERVICE
    with (
        web_server(environment, log=tmp_path / "web.log", workers=1) as (web, _),
        proxy(tmp_path, web=web, **ports),
    ):
        asked = [
            ask(https(ports["https_port"]), address, **headers)[1]
            for headers in (
                {},
                {},
                {"Cookie": "a=b"},
                {"Authorization": "Token x"},
                {"HX-Request": "true"},
                {},
            )
        ]
        others = ["/lists/rapid/2031-01-01/", f"/api/v1/players/{player.pk}", "/api/v1/players/1"]
        twice = [[ask(https(ports["https_port"]), other) for _ in range(2)] for other in others]
        own = [ask(https(ports["https_port"]), "/check/")[1] for _ in range(2)]

    identifiers = [headers["X-Request-ID"] for headers in asked]
    assert identifiers[0] == identifiers[1] == identifiers[5]
    assert len(set(identifiers)) == 4
    assert [first[0] for first, _again in twice] == [404, 200, 404]
    assert all(first[1]["X-Request-ID"] == again[1]["X-Request-ID"] for first, again in twice)
    assert not any("RateLimit-Remaining" in headers for answers in twice for _status, headers in answers)
    # With the token of a form.
    assert own[0]["X-Request-ID"] != own[1]["X-Request-ID"]


def test_logs_of_the_proxy_have_no_address_that_lets_in(tmp_path: Path) -> None:
    ports = {"http_port": free_port(), "https_port": free_port()}
    secret = "MTpzZWNyZXQ6c2VjcmV0"
    addresses = {
        f"/invitations/{secret}/": "/invitations/...",
        f"/follows/own/{secret}/": "/follows/own/...",
        f"/fr//invitations/{secret}/?a=1": "/fr/invitations/...",
        f"/accounts/deadlines/{secret}.ics": "/accounts/deadlines/...",
        f"/de/accounts/notifications/off/{secret}": "/de/accounts/notifications/off/...",
        f"/accounts/confirm-email/{secret}/": "/accounts/confirm-email/...",
        f"/es/accounts/signup/{secret}/": "/es/accounts/signup/...",
        f"/follows/confirm/{secret}/": "/follows/confirm/...",
        f"/accounts/%70assword/reset/key/1-{secret}/": "/accounts/password/reset/key/...",
        f"/ACCOUNTS/deadlines/{secret}.ics": "/ACCOUNTS/deadlines/...",
        f"/accounts/login/?next=/invitations/{secret}/": "/accounts/login/",
        f"/fr/accounts/reauthenticate/?next=%2Finvitations%2F{secret}%2F": "/fr/accounts/reauthenticate/",
        "/lists/?kind=rapid": "/lists/?kind=rapid",
    }
    # Nobody answers behind the proxy: what it logs itself is the same.
    with proxy(tmp_path, web=f"http://127.0.0.1:{free_port()}", **ports):
        for address in addresses:
            ask(http.client.HTTPConnection("127.0.0.1", ports["http_port"]), address)
            ask(https(ports["https_port"]), address)
        ask(
            https(ports["https_port"]),
            f"/invitations/{secret}/",
            Referer=f"https://{SITE}/invitations/{secret}/",
        )

    log = (tmp_path / "access.log").read_text()
    assert secret not in log
    logged = [line.split('"')[1].split()[1] for line in log.splitlines()]
    # Each worker of nginx writes when it is done with a request, in an order of their own.
    expected = [shown for shown in addresses.values() for _ in range(2)] + ["/invitations/..."]
    assert sorted(logged) == sorted(expected)
    # nginx says what it could not reach, of all pages but those.
    errors = (tmp_path / "log").read_text()
    assert (secret in errors, '"GET /lists/?kind=rapid' in errors) == (False, True)


@pytest.mark.django_db(transaction=True)
def test_proxy_passes_compressed_pages_on_and_keeps_each_once(tmp_path: Path) -> None:
    address = f"/players/{make.player().pk}/"
    ports = {"http_port": free_port(), "https_port": free_port()}
    environment = environment_of_processes() | IN_SERVICE
    offers = ["gzip, deflate, br, zstd", "br;q=1.0, gzip;q=0.8", "br", "gzip", "gzip, deflate", "identity"]
    with (
        web_server(environment, log=tmp_path / "web.log", workers=1) as (web, _),
        proxy(tmp_path, web=web, **ports),
    ):
        ask(https(ports["https_port"]), address)
        answers = [ask(https(ports["https_port"]), address, **{"Accept-Encoding": offer}) for offer in offers]
        private = ask(
            https(ports["https_port"]),
            address,
            **{"Accept-Encoding": offers[0], "Cookie": "__Host-sessionid=x"},
        )

    encodings = [headers.get("Content-Encoding") for _, headers in answers]
    assert encodings == ["br", "br", "br", "gzip", "gzip", None]
    identifiers = [headers["X-Request-ID"] for _, headers in answers]
    assert (identifiers[0] == identifiers[1], identifiers[3] == identifiers[4]) == (True, True)
    assert len({headers["ETag"].removeprefix("W/") for _, headers in answers}) == 1
    assert private[1]["Content-Encoding"] == "gzip"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("has_folder", [True, False])
def test_proxy_sends_the_files_of_lists_that_the_portal_has_read(
    tmp_path: Path, settings: Any, has_folder: bool
) -> None:
    make.play_month()
    folder = settings.STORAGES["lists"]["OPTIONS"]["location"]
    address = "/lists/rapid/2026-02-01/files/rapid-2026-02-01.txt"
    ports = {"http_port": free_port(), "https_port": free_port()}
    options = {"LIST_STORAGE_OPTIONS": json.dumps({"location": folder})}
    environment = environment_of_processes() | IN_SERVICE | options
    here = {"/srv/portal/var/lists/": f"{folder}/" if has_folder else f"{tmp_path}/nowhere/"}
    with (
        web_server(environment, log=tmp_path / "web.log", workers=1) as (web, _),
        proxy(tmp_path, web=web, replaced=here, **ports),
    ):

        def get(**headers: str) -> tuple[int, dict[str, str], bytes]:
            return fetch(https(ports["https_port"]), address, **headers)

        first, second = get(), get()
        held = get(**{"If-None-Match": first[1]["ETag"]})
        part = get(Range="bytes=0-9", **{"If-Range": first[1]["ETag"]})
        head = get(method="HEAD")
        outside = ask(https(ports["https_port"]), f"/files-of-lists{address}")
        path = Path(folder, "rapid/2026-02-01/rapid-2026-02-01.txt")
        path.write_bytes(b"X" + path.read_bytes()[1:])
        altered = get()

    assert [one[0] for one in (first, second, held, head, outside)] == [200, 200, 304, 200, 404]
    assert first[2] == second[2] != b""
    assert (part[0], part[2]) == ((206, first[2][:10]) if has_folder else (200, first[2]))
    assert head[2] == b""
    assert (altered[0], altered[2]) == (200, first[2])
    # The proxy's own file has what the portal says of it.
    changing = {"Date", "X-Request-ID", "Accept-Ranges", "Connection"}
    told = [{name: one[1][name] for name in one[1].keys() - changing} for one in (first, second)]
    assert told[0] == told[1]
    assert ("Accept-Ranges" in first[1], "Accept-Ranges" in second[1]) == (False, has_folder)
