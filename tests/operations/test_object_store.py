"""List files in an object store (a real server that speaks S3), shared by two web machines."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import storages

from portal.environment import read_environment
from ratings.models import ListFile
from tests.processes import environment_of_processes, wait_until, web_server
from tests.ratings.played import play_month
from tests.servers import free_port

BUCKET = "ratings"


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Run the store with an empty bucket; yield the variables that name it."""
    import boto3

    port = free_port()
    variables = {
        "LIST_STORAGE": f"s3://{BUCKET}/published",
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "eu-central-1",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    command = [sys.executable, "-m", "moto.server", "--host", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: _answers(variables["AWS_ENDPOINT_URL"]), seconds=60, what="the store's start")
        client = boto3.client("s3")
        client.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
        client.close()
        yield variables
    finally:
        server.terminate()
        server.wait(20)


def _answers(address: str) -> bool:
    try:
        urllib.request.urlopen(f"{address}/moto-api/", timeout=5).close()  # noqa: S310
    except OSError:
        return False
    return True


@pytest.mark.django_db(transaction=True)
def test_list_in_the_object_store_is_read_on_two_machines(
    store: dict[str, str], settings: Any, tmp_path: Path
) -> None:
    environment = read_environment()
    in_store = {"BACKEND": environment.list_storage, "OPTIONS": environment.list_storage_options}
    settings.STORAGES = {**settings.STORAGES, "lists": in_store}
    published = play_month().published
    assert published is not None
    stored = ListFile.objects.get(rating_list=published, path__endswith=".csv")

    with storages["lists"].open(stored.path) as file:
        content = file.read()
    address = f"/lists/rapid/2026-02-01/files/{stored.path.rpartition('/')[2]}"
    answers = []
    for machine in ("one", "two"):
        variables = environment_of_processes() | {"PORTAL_VAR_DIR": str(tmp_path / machine)}
        with (
            web_server(variables, log=tmp_path / f"{machine}.log", workers=1) as (base, _),
            urllib.request.urlopen(base + address, timeout=30) as answer,  # noqa: S310
        ):
            answers.append(answer.read())

    assert hashlib.sha256(content).hexdigest() == stored.sha256
    assert answers == [content, content]
