"""The editions of the public pages: each write to the database gives them a new one.

A page that was cached before the last commit is not found again. The edition stands in the cache
`pages`, one for each scope of `settings.PAGE_SCOPES` and one for all other tables.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper

# Where rows wait that change those of a table, which the statement after it names.
STAGED = "staged"
ALL_PAGES = "all"
# A publication that is killed between its last statement and its commit closes the pages for this long.
CLOSED, CLOSED_SECONDS = "closed", 60
READING = frozenset(
    {"SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN", "COMMIT", "SET", "SHOW", "PRAGMA"}
)
READING |= {"EXPLAIN", "ANALYZE", "LOCK"}
FIRST_WORD = re.compile(r"[\s(]*(\w+)")
WRITES = re.compile(r"\b(?:INSERT|UPDATE|DELETE)\b", re.IGNORECASE)
WRITTEN_TABLE = re.compile(
    r"\s*(?:INSERT\s+(?:OR\s+\w+\s+)?INTO|UPDATE|DELETE\s+FROM|(?:CREATE\s+TEMPORARY|DROP)\s+TABLE)"
    r'\s+"?(\w+)',
    re.IGNORECASE,
)
# The form of Django's own updates; any other counts as a write of the whole table.
_SET = r'"\w+" = (?:%s|\("\w+"\."\w+" [+-] %s\))'
UPDATED = re.compile(rf'UPDATE "(?P<table>\w+)" SET (?P<columns>{_SET}(?:, {_SET})*) WHERE ')  # noqa: S608 - a pattern
COLUMN = re.compile(r'"(\w+)" =')


def editions_of(path: str) -> list[str] | None:
    """Return the editions that the page of an address follows from; None while no page may be kept."""
    cache: Any = caches["pages"]
    scopes = [ALL_PAGES, *(scope for scope, part in settings.PAGE_SCOPES.items() if part in path)]
    keys = [_key(scope) for scope in scopes]
    found = cache.get_many(keys)
    for key in keys:
        if key not in found:
            # The first writer wins. Without the cache there is still no edition.
            # Random, not counted up: an emptied cache would begin again with numbers whose pages a proxy still has.
            cache.add(key, secrets.token_hex(8), None)
            found[key] = cache.get(key)
    if hasattr(cache, "is_settled") and not cache.is_settled():
        # A writer whose change is committed may still be about to replace the edition.
        return None
    editions = [found[key] for key in keys]
    return editions if all(value and value != CLOSED for value in editions) else None


def note_statement(
    execute: Callable[..., Any], sql: Any, parameters: Any, many: bool, context: Mapping[str, Any]
) -> Any:
    """Run a statement, as a wrapper of `connection.execute_wrappers`; one that writes gives the pages a new edition."""
    result = execute(sql, parameters, many, context)
    if _is_writing(str(sql)) and not _is_unseen(str(sql)):
        written = WRITTEN_TABLE.match(str(sql))
        note_table(written[1] if written else "", on=context["connection"])
    return result


def note_table(table: str, *, on: BaseDatabaseWrapper | None = None) -> None:
    """Note that rows of a table are written (COPY passes by `note_statement`); "" is a table that nobody knows."""
    table = table.strip('"').lower()
    if table != STAGED and not table.startswith(settings.TABLES_WITHOUT_PAGES):
        scope = next((scope for scope in settings.PAGE_SCOPES if table.startswith(f"{scope}_")), ALL_PAGES)
        _renew_on_commit(scope, on or connections[DEFAULT_DB_ALIAS])


def close_pages() -> None:
    """Bypass cached pages until the transaction is committed. Call it last in the transaction.

    After the commit nobody gets an older page, not even before the edition is renewed.
    """
    replace_edition(ALL_PAGES, CLOSED, CLOSED_SECONDS)
    _renew_on_commit(ALL_PAGES, connections[DEFAULT_DB_ALIAS])


class _Renewal:
    """Sets a new edition. There is one object for each scope, so that a transaction does it once."""

    def __init__(self, scope: str) -> None:
        self._scope = scope

    def __call__(self) -> None:
        replace_edition(self._scope, secrets.token_hex(8), None)


def replace_edition(scope: str, edition: str, seconds: int | None) -> None:
    """Set an edition; nobody finds the former one, also where a full cache takes no new one."""
    pages: Any = caches["pages"]
    # A cache of Django's own, which cannot fail, has no other way.
    getattr(pages, "replace", pages.set)(_key(scope), edition, seconds)


_RENEWALS: dict[str, _Renewal] = {}


def _renew_on_commit(scope: str, connection: BaseDatabaseWrapper) -> None:
    renew = _RENEWALS.setdefault(scope, _Renewal(scope))
    # Django drops entries of a savepoint that is taken back; the next write then adds the renewal again.
    if all(entry[1] is not renew for entry in connection.run_on_commit):
        connection.on_commit(renew)


def _is_writing(sql: str) -> bool:
    """Return whether a statement may change rows; one that is not known to read does."""
    found = FIRST_WORD.match(sql)
    word = found[1].upper() if found else ""
    # What begins with WITH may end in an INSERT or UPDATE.
    return bool(WRITES.search(sql)) if word == "WITH" else word not in READING


def _is_unseen(sql: str) -> bool:
    """Return whether a statement updates only columns that no page shows."""
    found = UPDATED.match(sql)
    if found is None:
        return False
    unseen = settings.COLUMNS_WITHOUT_PAGES.get(found["table"], ())
    return all(column in unseen for column in COLUMN.findall(found["columns"]))


def _key(scope: str) -> str:
    return f"edition:{scope}"
