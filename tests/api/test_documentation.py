"""The schema in the repository equals the served one, and `/docs` shows all of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.test import Client

from api.documentation import schema_text
from api.schema import schema
from tests.downloads import media_type

KEPT = Path(settings.BASE_DIR) / "docs" / "openapi.yaml"


def test_schema_in_the_repository_is_not_stale() -> None:
    # To update it: manage.py spectacular --file docs/openapi.yaml
    assert KEPT.read_text(encoding="utf-8") == schema_text(schema())


@pytest.mark.slow
def test_schema_is_served_as_yaml_and_json(client: Client) -> None:
    as_yaml = client.get("/api/v1/schema")
    as_json = client.get("/api/v1/schema?format=json")
    assert media_type(as_yaml) == ("application/yaml", "utf-8")
    assert media_type(as_json) == ("application/json", None)
    assert yaml.load(as_yaml.content, yaml.CSafeLoader) == as_json.json()
    (server,) = as_json.json()["servers"]
    assert server["variables"]["portal"]["default"] == settings.SITE_URL


def test_changelog_is_served_and_begins_with_the_version_of_the_schema(client: Client) -> None:
    answer = client.get("/api/v1/changelog")
    assert media_type(answer) == ("text/markdown", "utf-8")
    versions = re.findall(r"^## (\S+)", answer.content.decode(), re.MULTILINE)
    assert versions[0] == schema()["info"]["version"]


def test_pages_of_the_chapters_show_every_operation_with_its_example(db: None, client: Client) -> None:
    first = client.get("/api/v1/docs").content.decode()
    chapters = sorted({*re.findall(r'href="(/api/v1/docs/[a-z]+)"', first)})
    pages = "".join(client.get(address).content.decode() for address in chapters)
    operations = [item for methods in schema()["paths"].values() for item in methods.values()]
    assert len(operations) == 48
    assert [item["operationId"] for item in operations if f'id="{item["operationId"]}"' not in pages] == []
    assert [item["operationId"] for item in operations if f"#{item['operationId']}" not in first] == []
    assert "events[].rounds[].opponent.fide_id" in pages
    assert pages.count("<summary>Example") > 30
    assert "https://" not in first.partition("<main")[2]
    assert client.get("/api/v1/docs/nothing").status_code == 404
    assert client.get("/api/v1/docs/open.trf").content.startswith(b"012 ")
