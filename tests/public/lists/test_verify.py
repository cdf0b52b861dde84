"""The page on which anybody verifies a list: its commands are run as they are shown."""

from __future__ import annotations

import shutil
import subprocess
import sys
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.files.storage import storages
from django.test import Client

from ratings.models import ListArchive, Run
from tests.ratings.played import play_month

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
PAGE = "/lists/rapid/2026-02-01/verify/"


def content(client: Client, address: str) -> bytes:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return b"".join(answer) if answer.streaming else answer.content


def test_commands_of_the_page_give_the_output_of_the_page(client: Client, tmp_path: Path) -> None:
    play_month()
    shown = client.get(PAGE).context
    for item, name in shown["needed"]:
        address = f"/lists/{item.kind}/{item.date.isoformat()}/files/{name}"
        (tmp_path / name).write_bytes(content(client, address))
    (tmp_path / "verify_list.py").write_bytes(content(client, "/lists/verify_list.py"))
    (tmp_path / "SHA256SUMS").write_bytes(content(client, "/lists/rapid/2026-02-01/SHA256SUMS"))

    def run(text: str) -> str:
        program, *rest = text.split()
        path = sys.executable if program == "python3" else shutil.which(program)
        assert path is not None
        return subprocess.run(
            [path, *rest], cwd=tmp_path, check=True, stdout=subprocess.PIPE, text=True
        ).stdout.strip()

    for name, between in (("complete", "  "), ("unreplaced", "  "), ("calculated", " ")):
        command = shown[name]
        assert run(command.text) == f"{command.matches}{between}{command.rest}", name
    assert "FAILED" not in run("sha256sum --check --ignore-missing SHA256SUMS")


def test_the_archive_has_the_files_of_the_commands(client: Client) -> None:
    play_month()
    needed = client.get(PAGE).context["needed"]
    files = {
        name: content(client, f"/lists/{item.kind}/{item.date.isoformat()}/files/{name}")
        for item, name in needed
    }
    packed = content(client, "/lists/rapid/2026-02-01/verify.zip")
    with ZipFile(BytesIO(packed)) as archive:
        assert archive.testzip() is None
        found = {name: archive.read(name) for name in archive.namelist()}
    assert found == files | {"verify_list.py": content(client, "/lists/verify_list.py")}
    assert content(Client(), "/lists/rapid/2026-02-01/verify.zip") == packed


def test_an_imported_list_has_no_such_archive_and_one_without_evidence_is_prepared(client: Client) -> None:
    play_month()
    assert client.get("/lists/rapid/2026-01-01/verify.zip").status_code == 404
    evidence = ListArchive.objects.get(rating_list__kind="rapid", name="rapid-2026-02-01.evidence.zip")
    storages["lists"].delete(evidence.path)
    assert client.get("/lists/rapid/2026-02-01/verify.zip").status_code == 503


@pytest.mark.parametrize("state", ["done", "failed"])
def test_the_last_verification_and_a_difference_are_shown(client: Client, state: str) -> None:
    play_month()
    error = "" if state == "done" else "entry 1000001: rating 1900, published 1901"
    at = datetime(2026, 2, 1, 6, tzinfo=UTC)
    Run.objects.update_or_create(
        work="verify",
        subject="rapid 2026-02-01",
        defaults={"state": state, "error": error, "created_at": at, "finished_at": at},
    )

    page = client.get(PAGE)

    assert (page.context["is_verified"], page.context["is_different"]) == (state == "done", state != "done")
    assert f'data-verified="{state}"' in page.content.decode()
