"""nginx with the configuration of deploy/, as tests and benchmarks put it in front of web processes."""

from __future__ import annotations

import contextlib
import grp
import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.processes import kill_at_once, wait_until

SITE = "ratings.example.org"
GIVEN = Path(__file__).resolve().parent.parent / "deploy" / "nginx" / "portal.conf"
FOLDERS = "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin"


def nginx() -> str | None:
    """Return the path of nginx; None where it is not installed."""
    return shutil.which("nginx", path=FOLDERS)


def configuration(folder: Path, replaced: Mapping[str, str]) -> Path:
    """Write the configuration of deploy/ into one that nginx can start with here; return its path."""
    write_certificate(folder)
    text = GIVEN.read_text().replace("/etc/ssl/portal", str(folder))
    text = text.replace("/var/cache/nginx/portal", str(folder / "kept"))
    text = text.replace("/var/log/nginx/portal.log", str(folder / "access.log"))
    for old, new in replaced.items():
        assert old in text
        text = text.replace(old, new)
    (folder / "portal.conf").write_text(text)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    # Its workers would be nobody's otherwise, who cannot write in a folder of a test.
    account = (
        f"user {pwd.getpwuid(os.geteuid()).pw_name} {grp.getgrgid(os.getegid()).gr_name};"
        if os.geteuid() == 0
        else ""
    )
    whole = f"{account} daemon off; pid {folder}/pid; error_log stderr;\n"
    whole += "worker_processes auto; events { worker_connections 4096; }\n"
    whole += f"http {{ access_log off; {temporary} include {folder}/portal.conf; }}\n"
    (folder / "nginx.conf").write_text(whole)
    return folder / "nginx.conf"


@contextlib.contextmanager
def proxy(
    folder: Path, *, web: str, http_port: int, https_port: int, replaced: Mapping[str, str] | None = None
) -> Iterator[None]:
    """Run nginx in front of a web server until the block ends.

    `replaced` changes more of the configuration than ports and the address of the web server.
    """
    here = {
        "server 127.0.0.1:8000": f"server {urlsplit(web).netloc}",
        "    listen [::]:80;\n": "",
        "    listen [::]:80 default_server;\n": "",
        "    listen [::]:443 ssl http2;\n": "",
        "    listen [::]:443 ssl http2 default_server;\n": "",
        "listen 80": f"listen 127.0.0.1:{http_port}",
        "listen 443 ssl": f"listen 127.0.0.1:{https_port} ssl",
        **(replaced or {}),
    }
    command = [str(nginx()), "-e", "stderr", "-c", str(configuration(folder, here))]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, stderr=log, start_new_session=True)
    try:
        wait_until(lambda: (folder / "pid").exists(), what="nginx's start")
        yield
    finally:
        server.terminate()
        server.wait(60)
        kill_at_once(server)


def write_certificate(folder: Path) -> None:
    """Write a certificate of a day for the site, signed by itself, where the configuration looks for it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, SITE)])
    now = datetime.now(UTC)
    paper = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    paper = paper.serial_number(x509.random_serial_number()).not_valid_before(now - timedelta(hours=1))
    signed = paper.not_valid_after(now + timedelta(days=1)).sign(key, hashes.SHA256())
    pem = serialization.Encoding.PEM
    (folder / "fullchain.pem").write_bytes(signed.public_bytes(pem))
    form, secret = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "privkey.pem").write_bytes(key.private_bytes(pem, form, secret))
