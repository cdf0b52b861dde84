"""Downloads of a list: published files and their compressed files, as the page names them."""

from __future__ import annotations

import gzip
import hashlib
import io
import re
from collections.abc import Callable
from copy import deepcopy
from datetime import date
from typing import Any

import pytest
from django.core.files.storage import storages
from django.test import Client
from django.utils import timezone

from players.models import Federation
from ratings import export, runs
from ratings.archives import make_archives
from ratings.choices import FileFormat, RunState, Work
from ratings.export import NotAsPublishedFileError, export_bytes
from ratings.models import ListArchive, RatingList, Run
from tests import make
from tests.downloads import saved_as
from tests.public.pages import page
from tests.shared import SharedRows

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
PAGE = "/lists/rapid/2026-02-01/"


def test_imported_list_is_sent_again_only_if_it_changed(client: Client) -> None:
    entry = make.entry()
    address = "/lists/rapid/latest/rapid.csv"
    first = client.get(address, follow=True)
    known = {"headers": {"If-None-Match": first["ETag"]}}

    assert ("File-SHA256" in client.get(address), saved_as(first)) == (False, "rapid-2026-01-01.csv")
    assert client.get(address, follow=True, **known).status_code == 304
    Federation.objects.filter(pk=entry.federation_id).update(hides_birth_years_of_minors=True)
    assert client.get(address, follow=True, **known).status_code == 200


def test_cached_page_is_renewed_when_files_are_compressed(client: Client) -> None:
    make.play_month()
    etag = client.get(PAGE)["ETag"]
    make_archives(RatingList.objects.get(kind="rapid", date=date(2026, 2, 1)))
    assert client.get(PAGE, headers={"If-None-Match": etag}).status_code == 200


def test_file_of_an_imported_list_is_written_once_and_sent_by_the_proxy(
    client: Client, settings: Any
) -> None:
    entry = make.entry()
    address = "/lists/rapid/2026-01-01/files/rapid-2026-01-01.csv"
    first = client.get(address)
    content = b"".join(first)
    settings.FILES_BY_PROXY = True
    by_proxy = client.get(address, headers={"x-sends-files": "/files-of-lists/"})["X-Accel-Redirect"]
    path = by_proxy.removeprefix("/files-of-lists/")

    assert (first["Content-Length"], storages["lists"].size(path)) == (str(len(content)), len(content))
    Federation.objects.filter(pk=entry.federation_id).update(hides_birth_years_of_minors=True)
    client.get(address)
    assert (
        storages["lists"].exists(path),
        len(storages["lists"].listdir("imported/rapid-2026-01-01")[1]),
    ) == (False, 1)


@pytest.fixture(scope="module")
def packed_once(rows_of_module: SharedRows) -> RatingList:
    with rows_of_module():
        make.play_month()
        rating_list = RatingList.objects.get(kind="rapid", date=date(2026, 2, 1))
        make_archives(rating_list)
        return rating_list


@pytest.fixture
def packed(packed_once: RatingList, db: None) -> RatingList:
    return deepcopy(packed_once)


def test_page_names_every_file_with_its_checksum(client: Client, packed: RatingList) -> None:
    shown = client.get(PAGE).context["files"]
    labels = [item["label"] for item in shown]
    assert labels[:6] == ["CSV", "CSV (gz)", "CSV (zip)", "JSON", "JSON (gz)", "JSON (zip)"]
    assert [name.rpartition("/")[2] for name in (item["url"] for item in shown[-2:])] == [
        "rapid-2026-02-01.evidence.zip",
        "rapid-2026-02-01.history.csv.zip",
    ]
    assert len(labels) == 14
    for item in shown:
        content = b"".join(client.get(item["url"]))
        assert (len(content), hashlib.sha256(content).hexdigest()) == (item["size"], item["sha256"])


def test_imported_list_is_written_on_request(client: Client, packed: RatingList) -> None:
    """Its page offers the four formats, without checksums, because the portal does not publish these files."""
    before = packed.previous
    assert before is not None
    named = {item["label"]: item for item in client.get(PAGE).context["files"]}
    plain = [named[label] for label in ("TXT", "XML", "CSV", "JSON")]
    shown = client.get("/lists/rapid/2026-01-01/")
    sent = [b"".join(client.get(item["url"])) for item in shown.context["files"]]

    assert [item["label"] for item in shown.context["files"]] == ["TXT", "XML", "CSV", "JSON"]
    assert [client.get(item["url"])["Content-Type"] for item in shown.context["files"]] == [
        client.get(item["url"])["Content-Type"] for item in plain
    ]
    assert sent == [b"".join(export_bytes(before, ending)) for ending in FileFormat]
    assert [item["sha256"] for item in shown.context["files"]] == [""] * 4
    for name in ("rapid-2026-01-01.csv.gz", "rapid-2026-01-01.manifest.json", "rapid-2026-02-01.csv"):
        assert client.get(f"/lists/rapid/2026-01-01/files/{name}").status_code == 404


@pytest.mark.parametrize("ending", ["txt", "xml", "csv", "json", "txt.zip"])
def test_latest_address_redirects_to_the_newest_file(client: Client, packed: RatingList, ending: str) -> None:
    response = client.get(f"/lists/rapid/latest/rapid.{ending}")
    assert (response.status_code, response["Location"]) == (302, f"{PAGE}files/rapid-2026-02-01.{ending}")
    content = b"".join(client.get(response["Location"]))
    assert response["File-SHA256"] == hashlib.sha256(content).hexdigest()


def test_latest_address_redirects_to_the_newest_list(client: Client, packed: RatingList) -> None:
    response = client.get("/lists/rapid/latest/")
    assert (response.status_code, response["Location"]) == (302, PAGE)


@pytest.mark.parametrize("name", ["blitz.txt", "rapid.pdf", "rapid", "rapid.", "rapid.txt.zip.zip"])
def test_latest_address_of_an_unknown_file_is_a_404(client: Client, packed: RatingList, name: str) -> None:
    assert client.get(f"/lists/rapid/latest/{name}").status_code == 404


def test_compressed_file_is_sent_with_its_validators(client: Client, packed: RatingList) -> None:
    address = f"{PAGE}files/rapid-2026-02-01.csv.gz"
    response = client.get(address)
    assert response["Content-Type"] == "application/gzip"
    assert saved_as(response) == "rapid-2026-02-01.csv.gz"
    assert "Content-Encoding" not in response
    plain = b"".join(client.get(f"{PAGE}files/rapid-2026-02-01.csv"))
    assert gzip.decompress(b"".join(response)) == plain
    assert client.get(address, headers={"If-None-Match": response["ETag"]}).status_code == 304


@pytest.mark.parametrize("ending", ["txt.zip", "csv.gz"])
def test_compressed_file_that_the_folder_of_this_machine_lacks_is_packed_again(
    client: Client, packed: RatingList, ending: str
) -> None:
    """A worker of another machine, with a folder of its own, packed it."""
    item = ListArchive.objects.get(name=f"rapid-2026-02-01.{ending}")
    for lost in (item.path, item.path.rpartition(".")[0]):
        storages["lists"].delete(lost)

    response = client.get(f"{PAGE}files/{item.name}")

    assert (response.status_code, hashlib.sha256(b"".join(response)).hexdigest()) == (200, item.sha256)
    assert storages["lists"].size(item.path) == item.size


def test_lost_history_is_queued_again(client: Client, packed: RatingList) -> None:
    item = ListArchive.objects.get(name="rapid-2026-02-01.history.csv.zip")
    storages["lists"].delete(item.path)
    Run.objects.filter(work=Work.ARCHIVE).update(state=RunState.DONE)
    response = client.get(f"{PAGE}files/{item.name}")
    assert (response.status_code, response["Retry-After"]) == (503, "600")
    assert Run.objects.get(work=Work.ARCHIVE, subject="rapid 2026-02-01").state == RunState.DUE


def test_newest_history_has_its_own_address(client: Client, packed: RatingList) -> None:
    response = client.get("/lists/rapid/history.csv.zip")
    assert response.headers["Location"] == f"{PAGE}files/rapid-2026-02-01.history.csv.zip"
    assert client.get("/lists/blitz/history.csv.zip").status_code == 404


@pytest.mark.parametrize("name", ["rapid-2026-02-01.exe.zip", "x%00.gz", "rapid-2026-02-01.t%00", "y" * 90])
def test_unknown_file_is_a_404(client: Client, packed: RatingList, name: str) -> None:
    assert client.get(f"{PAGE}files/{name}").status_code == 404
    assert page(client, PAGE)


def test_page_offers_the_verifier(client: Client, packed: RatingList) -> None:
    assert b'href="/lists/verify_list.py"' in client.get(f"{PAGE}verify/").content
    response = client.get("/lists/verify_list.py")
    assert saved_as(response) == "verify_list.py"
    assert response.content.startswith(b"#!/usr/bin/env python3")


def alter(path: str, change: Callable[[bytes], bytes]) -> None:
    with storages["lists"].open(path) as source:
        content = source.read()
    storages["lists"].delete(path)
    storages["lists"].save(path, io.BytesIO(change(content)))


@pytest.mark.parametrize("name", ["txt", "csv.zip"])
def test_proxy_sends_a_file_that_was_read_as_published(
    client: Client, packed: RatingList, settings: Any, name: str
) -> None:
    settings.FILES_BY_PROXY = True
    address, asked = f"{PAGE}files/rapid-2026-02-01.{name}", {"x-sends-files": "/files-of-lists/"}
    path = f"rapid/2026-02-01/rapid-2026-02-01.{name}"
    first = client.get(address, headers=asked)
    content = b"".join(first)
    again = client.get(address, headers=asked)
    assert (again.content, again["X-Accel-Redirect"]) == (b"", f"/files-of-lists/{path}")
    for header in ("ETag", "Content-Type", "Content-Disposition", "Cache-Control", "Last-Modified"):
        assert again[header] == first[header]
    assert client.get(address).streaming
    alter(path, lambda content: content[:-1] + b"X")
    assert "X-Accel-Redirect" not in client.get(address, headers=asked)
    alter(path, lambda _altered: content)
    assert client.get(address, headers=asked).streaming


def test_files_are_sent_by_the_portal_without_a_proxy(client: Client, packed: RatingList) -> None:
    for _ in range(2):
        response = client.get(f"{PAGE}files/rapid-2026-02-01.txt", headers={"x-sends-files": "/x/"})
        assert b"".join(response)


def altered(content: bytes) -> bytes:
    return content[:20] + b"X" + content[21:]


def restored_by_workers() -> None:
    assert Run.objects.get(work=Work.FILES).state == RunState.DUE
    with pytest.raises(runs.NotAsPublishedError):
        runs.perform(Work.FILES, Work.FILES, at=timezone.now())


def test_a_large_file_altered_on_the_disk_is_never_downloaded_whole(
    client: Client, packed: RatingList, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Read in several chunks, as a file of many megabytes is.
    monkeypatch.setattr(export, "CHUNK", 100)
    address = f"{PAGE}files/rapid-2026-02-01.txt"
    before = b"".join(client.get(address))
    path = "rapid/2026-02-01/rapid-2026-02-01.txt"
    alter(path, altered)

    response = client.get(address)
    parts: list[bytes] = []
    with pytest.raises(NotAsPublishedFileError, match=re.escape(path)):
        parts.extend(response)

    assert 0 < len(b"".join(parts)) < len(before) == int(response["Content-Length"])
    restored_by_workers()
    assert b"".join(client.get(address)) == before


def test_a_small_file_altered_on_the_disk_is_written_from_the_entries(
    client: Client, packed: RatingList
) -> None:
    address = f"{PAGE}files/rapid-2026-02-01.txt"
    before = b"".join(client.get(address))
    alter("rapid/2026-02-01/rapid-2026-02-01.txt", altered)

    response = client.get(address)

    assert (b"".join(response), int(response["Content-Length"])) == (before, len(before))
    restored_by_workers()


@pytest.mark.parametrize("ending", ["csv.zip", "evidence.zip"])
def test_a_small_compressed_file_altered_on_the_disk_is_being_prepared(
    client: Client, packed: RatingList, ending: str
) -> None:
    address = f"{PAGE}files/rapid-2026-02-01.{ending}"
    before = b"".join(client.get(address))
    alter(f"rapid/2026-02-01/rapid-2026-02-01.{ending}", altered)

    response = client.get(address)

    assert (response.status_code, response["Retry-After"]) == (503, "600")
    restored_by_workers()
    assert b"".join(client.get(address)) == before


def test_a_file_of_another_size_is_written_from_the_entries_at_once(
    client: Client, packed: RatingList
) -> None:
    address = f"{PAGE}files/rapid-2026-02-01.txt"
    before = b"".join(client.get(address))
    alter("rapid/2026-02-01/rapid-2026-02-01.txt", lambda content: content + b"more")

    assert b"".join(client.get(address)) == before


def test_a_compressed_file_of_another_size_is_packed_again(client: Client, packed: RatingList) -> None:
    address = f"{PAGE}files/rapid-2026-02-01.txt.gz"
    before = b"".join(client.get(address))
    alter("rapid/2026-02-01/rapid-2026-02-01.txt.gz", lambda content: content[:-1])

    assert b"".join(client.get(address)) == before
