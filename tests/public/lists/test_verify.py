"""The page on which anybody verifies a list: its commands are run as they are shown."""

from __future__ import annotations

import re
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
from django.utils import timezone

from core.html.states import shape
from ratings.models import ListArchive, RatingList, Run
from tests import make

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
PAGE = "/lists/rapid/2026-02-01/verify/"


def content(client: Client, address: str) -> bytes:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return b"".join(answer) if answer.streaming else answer.content


def test_commands_of_the_page_give_the_output_of_the_page(client: Client, tmp_path: Path) -> None:
    make.play_month()
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
    make.play_month()
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
    make.play_month()
    assert client.get("/lists/rapid/2026-01-01/verify.zip").status_code == 404
    evidence = ListArchive.objects.get(rating_list__kind="rapid", name="rapid-2026-02-01.evidence.zip")
    storages["lists"].delete(evidence.path)
    assert client.get("/lists/rapid/2026-02-01/verify.zip").status_code == 503


@pytest.mark.parametrize(
    ("run", "state"),
    [(None, "unverified"), ("due", "unverified"), ("done", "verified"), ("failed", "different")],
)
def test_every_page_says_the_same_of_a_list(
    client: Client, monkeypatch: pytest.MonkeyPatch, run: str | None, state: str
) -> None:
    make.play_month()
    Run.objects.all().delete()
    at = datetime(2026, 2, 1, 6, tzinfo=UTC)
    monkeypatch.setattr(timezone, "now", lambda: at)
    lists = [("verify", f"{one.kind} {one.date}") for one in RatingList.objects.filter(origin="published")]
    for work, subject in [*lists, ("log", "log"), ("files", "files"), ("store", "store")] if run else ():
        Run.objects.create(work=work, subject=subject, state=run, created_at=at, finished_at=at)
    user = make.person("staff")
    user.is_staff = user.is_superuser = True
    user.save()
    make.appointment(role="auditor", user=user)
    client.force_login(user)
    word = re.compile(r'class="state state-(unverified|verified|different)"')

    pages = [client.get(path).content.decode() for path in (PAGE, "/desk/", "/admin/")]

    assert [set(word.findall(page)) for page in pages] == [{state}] * 3
    # What is not verified is not ticked.
    claims, tick = pages[0].partition("claims")[2].partition("</ul>")[0], shape("ring-tick", css_class="icon")
    assert claims.count(tick) == 3 * (state == "verified")
