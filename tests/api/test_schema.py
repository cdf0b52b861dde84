"""Every response matches the schema and has no undeclared fields."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from jsonschema_rs import Draft202012Validator

from api.schema import parameters_of, schema
from tests.api.conftest import ROOT, Month, assert_promised, closed, closed_schema

OPERATIONS = {
    "": "",
    "/federations": "/federations",
    "/lists": "/lists",
    "/lists/rapid/latest": "/lists/{kind}/{date}",
    "/lists/rapid/2026-01-01/entries": "/lists/{kind}/{date}/entries",
    "/lists/rapid/latest/entries?limit=1": "/lists/{kind}/{date}/entries",
    "/players?q=o": "/players",
    "/players/1001": "/players/{fide_id}",
    "/players/1004": "/players/{fide_id}",
    "/players/1001/history": "/players/{fide_id}/history",
    "/players/1001/calculations/rapid/latest": "/players/{fide_id}/calculations/{kind}/{date}",
    "/players/1004/calculations/rapid/2026-02-01": "/players/{fide_id}/calculations/{kind}/{date}",
    "/games?player=1001": "/games",
    "/tournaments": "/tournaments",
    "/tournaments/SUI-OPEN": "/tournaments/{event_id}",
    "/tournaments/SUI-OPEN/participants": "/tournaments/{event_id}/participants",
    "/publications": "/publications",
    "/publications/rapid-2026-01-01/changes": "/publications/{publication_id}/changes",
    "/reasons": "/reasons",
    "/rules": "/rules",
    "/federations/SUI/history": "/federations/{code}/history",
    "/arbiters?federation=SUI": "/arbiters",
    "/arbiters/1002": "/arbiters/{fide_id}",
    "/calculators/change?fide_id=1001&games=1800:1,unrated:0": "/calculators/change",
    "/calculators/first-rating?games=1800:1": "/calculators/first-rating",
    "/calculators/performance?games=1800:1": "/calculators/performance",
}
PUBLIC = "/tournaments/{event_id}/participants"


@pytest.mark.parametrize(("address", "path"), OPERATIONS.items())
def test_answer_matches_the_schema(month: Month, client: Client, address: str, path: str) -> None:
    response = client.get(f"{ROOT}{address}")
    assert response.status_code == 200, response.content
    assert_promised(response.json(), path)


STREAMS = {
    f"/lists/{{kind}}/{{date}}/{name}.{form}" for name in ("entries", "changes") for form in ("csv", "ndjson")
}


def operations() -> list[tuple[str, dict[str, Any]]]:
    """Return every operation with its path."""
    return [(path, item) for path, methods in schema()["paths"].items() for item in methods.values()]


def test_schema_has_no_names_reserved_in_languages() -> None:
    # Generated Python failed because of a class `List` and a function `list`.
    names = {name.lower() for name in schema()["components"]["schemas"]}
    names |= {item["operationId"] for _path, item in operations()}
    assert names & {"list", "file", "dict", "set", "type", "object", "any", "string", "map", "date"} == set()


def test_operation_ids_are_unique() -> None:
    ids = [item["operationId"] for _path, item in operations()]
    assert sorted(set(ids)) == sorted(ids)


def test_path_parameters_are_in_the_order_of_the_address() -> None:
    for path, item in operations():
        named = [each["name"] for each in parameters_of(schema(), item) if each["in"] == "path"]
        assert named == re.findall(r"{(\w+)}", path)


def test_every_operation_documents_one_type_of_each_body() -> None:
    for path, item in operations():
        assert item["summary"], path
        assert item["description"], path
        for status in item["responses"].keys() & {"200", "201"}:
            assert len(item["responses"][status]["content"]) == 1, path
        assert len(item.get("requestBody", {"content": [1]})["content"]) == 1, path


def test_every_parameter_is_described() -> None:
    parameters = [(path, each) for path, item in operations() for each in parameters_of(schema(), item)]
    assert [(path, each["name"]) for path, each in parameters if not each.get("description")] == []


def test_every_operation_has_an_example_that_matches_the_schema() -> None:
    for path, item in operations():
        for status in item["responses"].keys() & {"200", "201"}:
            (content,) = item["responses"][status]["content"].values()
            given = [each["value"] for each in content.get("examples", {}).values()]
            examples = given or [content["example"]]
            promise = {**closed(content["schema"]), "components": closed_schema()["components"]}
            for example in examples:
                Draft202012Validator(promise).validate(example), path


def test_schema_names_its_server() -> None:
    (server,) = schema()["servers"]
    assert server["url"].format(portal=server["variables"]["portal"]["default"]) == "http://localhost:8000"


def test_every_operation_is_tested_against_the_schema() -> None:
    documented = {path.removeprefix(ROOT) for path, methods in schema()["paths"].items() if "get" in methods}
    # test_arenas.py checks the operations of arenas.
    documented = {path for path in documented if not path.startswith("/arenas")}
    documented -= STREAMS  # test_list_entries.py
    # test_reports.py checks those that need an officer's token.
    documented -= {
        path for path in documented if path.startswith("/tournaments/{event_id}/") and path != PUBLIC
    }
    assert documented == set(OPERATIONS.values())


@pytest.mark.parametrize("address", ["/players/1001", "/tournaments/SUI-OPEN"])
def test_address_also_works_with_a_trailing_slash(month: Month, client: Client, address: str) -> None:
    with_slash = client.get(f"{ROOT}{address}/")
    assert with_slash.status_code == 200
    assert with_slash.json() == client.get(f"{ROOT}{address}").json()


@pytest.mark.parametrize("address", ["/nowhere", "/players/7", "/lists/rapid/2031-01-01", "/lists?limit=0"])
def test_problem_matches_the_schema(month: Month, client: Client, address: str) -> None:
    response = client.get(f"{ROOT}{address}")
    assert response["Content-Type"] == "application/problem+json"
    body = response.json()
    assert body["status"] == response.status_code
    assert_promised(body, "/lists", status="4XX")
