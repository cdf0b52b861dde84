"""The commands of docs/operations.md that install, upgrade and restore, run on a machine where nothing is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from benchmarks.world import Size, write_list
from tests.operations.machine import Machine, machine
from tests.processes import PATIENCE
from tests.proxy import SITE, write_certificate

PAGE = (settings.BASE_DIR / "docs" / "operations.md").read_text()
UNITS = (
    "portal-web.socket",
    "portal-web@1",
    "portal-web@2",
    "portal-backup.timer",
    "portal-worker@1",
    "portal-webhooks",
    "portal-beat",
    "nginx",
)
# What stands for others in the machine, which reaches no network: packages are there, libraries are not downloaded,
# nobody types a password, and the certificate is its own authority.
AROUND = """
exec > /var/log/steps 2>&1
set -eux
export PATH=/usr/local/bin:$PATH LD_LIBRARY_PATH=/opt/python/lib CURL_CA_BUNDLE=/etc/ssl/portal/fullchain.pem
export DJANGO_SUPERUSER_PASSWORD=staple-of-7-correct-horses
. /srv/make_environment.sh
apt-get() { dpkg-query --show "${@:3}" > /dev/null; }
make() { make_environment "$2" "$2"; command make "$@"; }
"""
ANSWERED = {'createsuperuser --email "$STAFF"': 'createsuperuser --email "$STAFF" --noinput'}
pytestmark = pytest.mark.machine


def blocks(heading: str) -> list[str]:
    """Return the commands of a section of the page, of either level, a text a step."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0].split("\n### ")[0]
    found = re.findall(r"^ *```sh\n(.*?)^ *```", section, re.MULTILINE | re.DOTALL)
    return [re.sub(r"^ {3,4}", "", step, flags=re.MULTILINE) for step in found]


def steps(kind: str) -> list[str]:
    """Return the steps that install on one machine, or on the first of several."""
    first, servers = blocks("Install on one machine"), blocks("Install on several machines")
    return [*first[:4], *servers, *first[4:]] if kind == "several" else first


@pytest.fixture(scope="module", params=["one", "several"])
def installed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """Return a machine on which all steps were done."""
    script = "".join(steps(request.param))
    packages = " ".join(re.findall(r"apt-get install --yes (.*)", script)).split()
    missing = [
        name
        for name in packages
        if shutil.which("dpkg-query") is None
        or subprocess.run(["dpkg-query", "--show", name], capture_output=True, check=False).returncode
    ]
    if missing:
        pytest.skip(f"packages of Debian are not installed: {', '.join(missing)}")
    certificate = tmp_path_factory.mktemp("certificate")
    write_certificate(certificate)
    with machine(tmp_path_factory.mktemp("machine"), is_bare=True) as bare:
        for name in ("fullchain.pem", "privkey.pem"):
            text = (certificate / name).read_text()
            bare.run(
                "bash", "-c", f"mkdir -p /etc/ssl/portal; cat > /etc/ssl/portal/{name} <<'END'\n{text}END"
            )
        for typed, answered in ANSWERED.items():
            assert typed in script
            script = script.replace(typed, answered)
        follow(bare, script)
        yield bare


def follow(there: Machine, script: str) -> None:
    """Run the commands of the page by one shell, which ends at the first that fails."""
    try:
        there.run("bash", "-c", AROUND + script, seconds=5 * PATIENCE)
    except (AssertionError, subprocess.TimeoutExpired):
        pytest.fail(there.run("tail", "--lines=30", "/var/log/steps"))


def test_the_steps_start_every_unit(installed: Machine) -> None:
    assert [installed.property_of(unit, "ActiveState") for unit in UNITS] == ["active"] * len(UNITS)


def test_pages_come_through_the_proxy(installed: Machine) -> None:
    ask = [
        "curl",
        "--silent",
        "--cacert",
        "/etc/ssl/portal/fullchain.pem",
        "--resolve",
        f"{SITE}:443:127.0.0.1",
    ]
    told = ["--output", "/dev/null", "--write-out", "%{http_code}"]

    found = [
        installed.run(*ask, *told, f"https://{SITE}{path}") for path in ("/", "/lists/", "/health/ready")
    ]

    assert found == ["200", "200", "200"]


def test_the_database_and_its_keys_are_the_portals_alone(installed: Machine) -> None:
    as_postgres = ["runuser", "-u", "postgres", "--", "psql", "--tuples-only", "--no-align", "--command"]
    encoding = (
        "SELECT pg_encoding_to_char(encoding), datdba::regrole FROM pg_database WHERE datname = 'portal'"
    )

    if "DATABASE_URL=" in installed.run("cat", "/etc/portal.env"):
        assert installed.run(*as_postgres, encoding) == "UTF8|portal"
    assert installed.run("stat", "--format=%a %U %G", "/etc/portal.env") == "640 root portal"
    assert installed.run("stat", "--format=%a %U", "/srv/portal/var") == "750 portal"


def test_nothing_of_the_installation_is_missing(installed: Machine) -> None:
    """The first backup is made, and the folders are the portal's."""
    said = installed.manage("check", "--deploy")

    assert sorted(set(re.findall(r"portal\.[EW]\d+", said))) == []


def test_the_steps_of_an_upgrade_and_of_a_restore_can_be_followed(installed: Machine) -> None:
    follow(installed, "".join(blocks("Upgrade without downtime")))
    assert installed.run("readlink", "/srv/portal/current") == "releases/1.1.0"

    follow(installed, "".join(blocks("Backup and restore")))

    assert [installed.property_of(unit, "ActiveState") for unit in UNITS] == ["active"] * len(UNITS)
    assert len(installed.run("ls", "/srv/portal/backups").split()) == 2


@pytest.mark.parametrize("installed", ["one"], indirect=True)
def test_the_steps_move_an_embedded_portal_to_postgresql(installed: Machine, tmp_path: Path) -> None:
    write_list(tmp_path / "list.txt", Size(0.0005))
    # A command takes no more text than a few hundred lines.
    rows = "".join((tmp_path / "list.txt").read_text().splitlines(keepends=True)[:201])
    installed.run("bash", "-c", f"cat > /srv/list.txt <<'END'\n{rows}END\nchmod a+r /srv/list.txt")
    installed.manage("import_fide_list", "/srv/list.txt", "--date", "2026-01-01")
    installed.manage("publish_lists", "2026-02-01")
    verified = [installed.manage("verify_list", kind, "2026-02-01") for kind in ("rapid", "blitz")]
    before = installed.manage("verify_log")
    first, restored, started = blocks("Move from SQLite to PostgreSQL")
    setting_up = blocks("Install on several machines")

    follow(installed, "".join([first, *setting_up, restored, started]))

    assert [installed.property_of(unit, "ActiveState") for unit in UNITS] == ["active"] * len(UNITS)
    assert "DATABASE_URL=postgresql://" in installed.run("cat", "/etc/portal.env")
    assert [installed.manage("verify_list", kind, "2026-02-01") for kind in ("rapid", "blitz")] == verified
    entries = installed.run("cat", "/var/log/steps")
    assert before.splitlines()[-1] in entries
    ask = ["curl", "--silent", "--fail", "--cacert", "/etc/ssl/portal/fullchain.pem"]
    ask += ["--resolve", f"{SITE}:443:127.0.0.1"]
    assert "rating" in installed.run(*ask, f"https://{SITE}/lists/rapid/2026-02-01/")
