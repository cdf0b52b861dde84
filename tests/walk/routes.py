"""Every address of the portal, read from the URL configuration, and whose objects it is asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from tests.walk.roles import FOREIGN, NOT_NAMED, OF_FIDE, UNKNOWN

# Whom a parameter names: a route with one of them has an object of a federation.
NAMES = {
    "event_id",
    "webhook_id",
    "federation",
    "code",
    "application_id",
    "appointment_id",
    "invitation_id",
    "request_id",
    "transfer_id",
    "claim_id",
    "pk",
}
# Whose key `pk` or `number` is: a named arbiter's or a file's, but in these addresses; and what `name` names.
KEYS = {
    "desk/tokens/": ("pk", "token_key"),
    "/objections/": ("pk", "objection_key"),
    "desk/corrections/": ("pk", "correction_key"),
}
NOTHING = "987654321"
PARAMETER = re.compile(r"\(\?P<(\w+)>.*?\)(?=[-/])|<(?:\w+:)?(\w+)>|\(\[?[^)]*\)")


def pages() -> list[tuple[str, Any]]:
    """Return pattern and view of every address, without the language's part."""
    return list(_walk(get_resolver().url_patterns, ""))


def _walk(entries: Any, before: str) -> Iterator[tuple[str, Any]]:
    for entry in entries:
        pattern = f"{before}{entry.pattern}".replace("^", "")
        if isinstance(entry, URLResolver):
            yield from _walk(entry.url_patterns, pattern)
        elif isinstance(entry, URLPattern):
            yield pattern, entry.callback


def patterns(*, of_api: bool = False) -> list[str]:
    """Return the patterns of all pages, or those of the API."""
    return sorted({pattern for pattern, _view in pages() if pattern.startswith("api/") == of_api})


def address(pattern: str, values: Mapping[str, str]) -> str:
    """Return an address of a pattern; what no value is known for is a number that nothing has."""
    values = dict(values)
    for place, (name, key) in KEYS.items():
        if place in pattern:
            values[name] = values.get(key, NOTHING)

    def value(found: re.Match[str]) -> str:
        return values.get(found[1] or found[2] or "", NOTHING)

    return "/" + re.sub(r"[\\^$]|\\Z", "", PARAMETER.sub(value, pattern))


def names_in(pattern: str) -> set[str]:
    return {found[1] or found[2] or "" for found in PARAMETER.finditer(pattern)}


def is_public(pattern: str) -> bool:
    return not pattern.startswith(("desk/", "admin/", "accounts/", "api/"))


def targets(pattern: str, role: str = "") -> tuple[str, ...]:
    """Return whose objects a route is asked about besides those of the own federation.

    What is public is not another's, and roles change nothing there. To those of FIDE no federation is another one.
    """
    names = names_in(pattern)
    has_owner = bool(names & NAMES)
    if not has_owner or (is_public(pattern) and role):
        return ()
    if role in OF_FIDE:
        return (UNKNOWN,)
    # Where an arbiter does not get to a tournament of the own federation, another one's is out of reach, too.
    return (NOT_NAMED if role == "arbiter" and "event_id" in names else FOREIGN, UNKNOWN)
