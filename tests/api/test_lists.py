"""Lists and their files."""

from __future__ import annotations

from hashlib import sha256

from django.test import Client

from tests.api.conftest import ROOT, Get, Month


def test_next_page_is_in_the_link_header(month: Month, client: Client) -> None:
    response = client.get(f"{ROOT}/lists?limit=1")
    assert response["Link"] == f'<{response.json()["next"]}>; rel="next"'


def test_files_match_their_sizes_and_hashes(month: Month, get: Get, client: Client) -> None:
    files = get("/lists/rapid/2026-02-01")["files"]
    sent = {file["format"]: client.get(file["url"]).getvalue() for file in files}
    assert {name: (len(content), sha256(content).hexdigest()) for name, content in sent.items()} == {
        file["format"]: (file["size"], file["sha256"]) for file in files
    }
    assert sorted(sent) == ["csv", "json", "txt", "xml"]
