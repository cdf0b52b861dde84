"""The schema as the page of documentation shows it: chapters of operations with parameters and fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from api.schema import schema


@dataclass(frozen=True, slots=True)
class Line:
    """A parameter or a field: its name, type, whether it is there always, and what it says."""

    name: str
    type: str
    text: str
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one address."""

    anchor: str
    method: str
    path: str
    summary: str
    text: str
    forms: Sequence[str] = ()
    parameters: Sequence[Line] = ()
    fields: Sequence[Line] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Chapter:
    """The operations on one kind of thing."""

    name: str
    text: str
    operations: Sequence[Operation]


@cache
def chapters() -> list[Chapter]:
    """Return the operations by the tags of the schema."""
    document = schema()
    found = list(_operations(document))
    return [
        Chapter(tag["name"], tag["description"], [item for name, item in found if name == tag["name"]])
        for tag in document["tags"]
    ]


def _operations(document: Mapping[str, Any]) -> Iterator[tuple[str, Operation]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            content = operation["responses"]["200"].get("content", {})
            body: dict[str, Any] = next((form["schema"] for form in content.values()), {})
            yield (
                operation["tags"][0],
                Operation(
                    anchor=operation["operationId"],
                    method=method.upper(),
                    path=path,
                    summary=operation.get("summary", ""),
                    text=operation.get("description", ""),
                    forms=list(content),
                    parameters=[_parameter(item) for item in operation.get("parameters", ())],
                    fields=list(_fields(document, body, "")),
                ),
            )


def _parameter(item: Mapping[str, Any]) -> Line:
    return Line(
        item["name"], _type(item["schema"]), _plain(item.get("description", "")), item.get("required", False)
    )


def _fields(document: Mapping[str, Any], body: Mapping[str, Any], prefix: str) -> Iterator[Line]:
    """Yield the fields of an object, those of objects within it after it with the path to them."""
    resolved = _resolved(document, body)
    if resolved.get("type") == "array":
        yield from _fields(document, resolved["items"], f"{prefix}[]")
        return
    for name, inner in resolved.get("properties", {}).items():
        path = f"{prefix}.{name}".lstrip(".")
        whole = _resolved(document, inner)
        yield Line(path, _type(whole), _plain(inner.get("description", whole.get("description", ""))))
        yield from _fields(document, whole, path)


def _resolved(document: Mapping[str, Any], body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema with its reference followed; of a choice the first that is not null."""
    if reference := body.get("$ref"):
        schemas: Mapping[str, Any] = document["components"]["schemas"]
        return _resolved(document, schemas[reference.rpartition("/")[2]])
    for word in ("allOf", "oneOf", "anyOf"):
        if word in body:
            chosen = next(item for item in body[word] if item.get("type") != "null")
            return _resolved(document, chosen)
    return body


def _plain(text: str) -> str:
    """Return a text of the schema without the marks of code."""
    return text.replace("`", "")


def _type(body: Mapping[str, Any]) -> str:
    """Return the type in words: `integer or null`, `string (date)`, `one of a, b`."""
    if choices := body.get("enum"):
        return "one of " + ", ".join(f"{item}" for item in choices if item is not None)
    named = body.get("type", "object")
    words = " or ".join(named) if isinstance(named, list) else str(named)
    return f"{words} ({body['format']})" if "format" in body else words
