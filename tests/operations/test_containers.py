"""Image and composition have the commands of the units, variables that exist, and no rights that nobody needs."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings

from portal.environment import VARIABLES

pytestmark = pytest.mark.page

ROOT = settings.BASE_DIR
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
PORTAL = ("web", "worker", "webhooks", "beat")
IMAGE = (ROOT / "Containerfile").read_text()


def command_of_unit(name: str) -> list[str]:
    text = next((ROOT / "deploy" / "systemd").glob(f"portal-{name}[.@]*service")).read_text()
    command = text.split("ExecStart=/srv/portal/current/.venv/bin/")[1].splitlines()[0]
    # The name of one worker of several on a machine; a container has its own.
    return re.sub(r" --hostname \S+@%%h", "", command).split()


@pytest.mark.parametrize("name", PORTAL)
def test_process_has_the_command_of_its_unit(name: str) -> None:
    assert SERVICES[name]["command"] == command_of_unit(name)


@pytest.mark.parametrize("name", SERVICES)
def test_service_is_shut_off_and_watched(name: str) -> None:
    service = SERVICES[name]
    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["user"] not in ("root", "0", "0:0")
    assert name == "prepare" or "test" in service["healthcheck"]


def test_images_are_plain_names() -> None:
    images = {service["image"] for service in SERVICES.values()} | set(
        re.findall(r"^FROM (\S+)", IMAGE, re.MULTILINE)
    )
    assert [
        image for image in images if "/" in image or not re.fullmatch(r"[a-z-]+(:[a-z0-9.-]+)?", image)
    ] == []


def test_variables_exist() -> None:
    named = {name for service in PORTAL for name in SERVICES[service]["environment"]}
    named |= set(re.findall(r"\b(PORTAL_[A-Z_]+)=", IMAGE))
    assert named <= set(VARIABLES)


def test_image_is_made_by_make_and_runs_for_a_user_of_its_own() -> None:
    assert re.findall(r"^RUN (make .*)$", IMAGE, re.MULTILINE) == ["make install"]
    [number] = re.findall(r"^USER (\d+)$", IMAGE, re.MULTILINE)
    assert {SERVICES[name]["user"] for name in PORTAL} == {f"{number}:{number}"}
    ignored = (ROOT / ".containerignore").read_text()
    assert ignored == (ROOT / ".dockerignore").read_text()
    assert {".env", ".git", "var"} <= set(ignored.split())


def test_proxy_reaches_the_web_processes_alone() -> None:
    proxy, web = SERVICES["proxy"], SERVICES["web"]
    assert (proxy["networks"], "network_mode" in proxy) == (["front"], False)
    assert [name for name, service in SERVICES.items() if "front" in service.get("networks", ())] == [
        "web",
        "proxy",
    ]
    assert ("ports" in web, web["environment"]["HOST"]) == (False, "0.0.0.0")  # noqa: S104 - compared
    assert proxy["sysctls"] == {"net.ipv4.ip_unprivileged_port_start": "80"}


def test_proxy_is_told_where_the_web_processes_are_and_can_write(tmp_path: Path) -> None:
    """Its own command, with the folders of the test; the user of the image may write in no other folder."""
    proxy = SERVICES["proxy"]
    written = {folder.partition(":")[0] for folder in proxy["tmpfs"]}
    configured = proxy["command"][-1].partition(" && ")[0].replace("/etc/nginx/conf.d", str(tmp_path))
    given = next(volume for volume in proxy["volumes"] if volume.endswith(":/portal.conf:ro")).split(":")[0]
    command = configured.replace("/portal.conf", str(ROOT / given))

    subprocess.run(["sh", "-c", command], check=True)

    text = (tmp_path / "default.conf").read_text()
    assert ("server web:8000" in text, "server 127.0.0.1:8000" in text) == (True, False)
    places = re.findall(r"^(?:access_log|error_log|proxy_cache_path) (/\S+)", text, re.MULTILINE)
    assert [place for place in places if not any(place.startswith(f"{folder}/") for folder in written)] == []
    assert {"/etc/nginx/conf.d", "/var/log/nginx", "/var/cache/nginx", "/run"} <= written


def test_worker_is_asked_by_a_name_that_every_shell_knows() -> None:
    """A shell without Bash's variables has no HOSTNAME."""
    assert " -name celery@$$(hostname) " in SERVICES["worker"]["healthcheck"]["test"][1]


def test_folders_in_memory_have_options_that_docker_and_podman_know() -> None:
    options = {
        option.partition("=")[0]
        for service in SERVICES.values()
        for folder in service.get("tmpfs", [])
        for option in folder.partition(":")[2].split(",")
    }
    assert options <= {"", "mode", "size"}
