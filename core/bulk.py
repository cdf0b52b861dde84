"""Bulk writing: COPY on PostgreSQL, batches elsewhere. Writing also renews the edition of public pages.

A page that was cached before the last commit is not found again. The edition stands in the cache
`pages`, one for each scope of `settings.PAGE_SCOPES` and one for all other tables.
"""

from __future__ import annotations

import gc
import json
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

from django.conf import settings
from django.core.cache import caches
from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.expressions import RawSQL
from django.utils import translation

from core.models import as_json

BATCH = 2_000
COPY_BATCH = 20_000
MAX_PARAMETERS = 30_000


def write_rows(model: type[models.Model], fields: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
    """Insert rows of plain values, one a field named, and return how many; nothing is validated.

    JSON fields take Python values. The caller opens the transaction.
    """
    columns = _columns(model, fields)
    rows = _with_json(columns, rows)
    write = _copy if connection.vendor == "postgresql" else _insert
    return write(_table(model), _names(columns), len(columns), rows)


def stream_rows(model: type[models.Model], fields: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
    """Insert rows as `write_rows` does, producing them while the database stores earlier ones.

    They must not come from a query on the same connection.
    """
    if connection.vendor != "postgresql":
        return write_rows(model, fields, rows)
    columns = _columns(model, fields)
    with connection.cursor() as cursor:
        return _copied(cursor, _table(model), _names(columns), _with_json(columns, rows))


def write_missing_rows(
    model: type[models.Model], fields: Sequence[str], rows: Sequence[Sequence[Any]]
) -> None:
    """Insert the rows of plain values that are not there yet by a unique constraint; the others stay as they are."""
    columns = _columns(model, fields)
    target = f"INSERT INTO {_table(model)} ({_names(columns)})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            arrays = ", ".join(f"%s::{field.db_type(connection)}[]" for field in columns)
            values = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in columns]
            cursor.execute(f"{target} SELECT * FROM unnest({arrays}) ON CONFLICT DO NOTHING", values)  # noqa: S608
        else:
            marks = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"{target} VALUES ({marks}) ON CONFLICT DO NOTHING", rows)


def insert_from_query(
    rows: models.QuerySet[Any], model: type[models.Model], columns: Mapping[str, Any]
) -> None:
    """Insert the rows of a query inside the database, by an expression for each column of the model.

    The caller opens the transaction.
    """
    quote = connection.ops.quote_name
    aliases = {f"new_{name}": expression for name, expression in columns.items()}
    select, values = rows.values(**aliases).query.sql_with_params()
    names, sources = ", ".join(map(quote, columns)), ", ".join(map(quote, aliases))
    table = quote(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} ({names}) SELECT {sources} FROM ({select}) AS made", values)  # noqa: S608


def update_rows(model: type[models.Model], fields: Sequence[str], rows: Sequence[Sequence[Any]]) -> int:
    """Update fields of existing rows and return how many rows were given; nothing is validated.

    The first field is the primary key; JSON fields take Python values. The caller opens the transaction.
    """
    model_fields = _columns(model, fields)
    key, *columns = [connection.ops.quote_name(str(field.column)) for field in model_fields]
    update = _update_from_copy if connection.vendor == "postgresql" else _update
    update(_table(model), key, columns, _with_json(model_fields, rows))
    return len(rows)


def analyze_tables(*tables: type[models.Model]) -> None:
    """Run ANALYZE so that the planner has current statistics."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for table in tables:
                cursor.execute(f"ANALYZE {connection.ops.quote_name(table._meta.db_table)}")


def ids_subquery(values: Iterable[int]) -> RawSQL:
    """Return integers for a lookup `field__in` as a subquery with one parameter."""
    if connection.vendor == "postgresql":
        # As text: the driver would convert each number separately.
        return RawSQL("SELECT unnest(%s::bigint[])", [f"{{{','.join(map(str, values))}}}"])
    return RawSQL("SELECT value FROM json_each(%s)", [json.dumps(list(values))])


class OctetLength(models.Func):
    """The number of bytes of a column of bytes."""

    arity = 1
    function = "OCTET_LENGTH"
    output_field = models.IntegerField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """SQLite counts the bytes of a blob by its only LENGTH."""
        return self.as_sql(compiler, connection, function="LENGTH", **context)


def batched(rows: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Yield lists of at most `size` items."""
    iterator = iter(rows)
    while batch := list(islice(iterator, size)):
        yield batch


@contextmanager
def gc_disabled() -> Iterator[None]:
    """Disable garbage collection in the block. Bulk rows create no cycles; this saves about 10%."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _columns(model: type[models.Model], fields: Sequence[str]) -> list[models.Field[Any, Any]]:
    return [model._meta.get_field(name) for name in fields]  # type: ignore[misc]


def _names(columns: Iterable[models.Field[Any, Any]]) -> str:
    return ", ".join(connection.ops.quote_name(str(field.column)) for field in columns)


def _table(model: type[models.Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _with_json(columns: Sequence[Any], rows: Iterable[Sequence[Any]]) -> Iterable[Sequence[Any]]:
    places = {place for place, field in enumerate(columns) if isinstance(field, models.JSONField)}
    if not places:
        return rows
    return ([as_json(value) if place in places else value for place, value in enumerate(row)] for row in rows)


def _copy(table: str, columns: str, width: int, rows: Iterable[Sequence[Any]]) -> int:
    """COPY batch by batch: rows may come from a query on the same connection, which a COPY would block."""
    with connection.cursor() as cursor:
        return sum(_copied(cursor, table, columns, batch) for batch in batched(rows, COPY_BATCH))


def _copied(cursor: Any, table: str, columns: str, rows: Iterable[Sequence[Any]]) -> int:
    written = 0
    note_table(table)
    # COPY is the driver's own: its errors would not be those that Django's callers look for.
    with connection.wrap_database_errors, cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)
            written += 1
    return written


def _insert(table: str, columns: str, width: int, rows: Iterable[Sequence[Any]]) -> int:
    marks = ", ".join(["%s"] * width)
    statement = f"INSERT INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608 names come from the models
    written = 0
    with connection.cursor() as cursor:
        for batch in batched(rows, min(BATCH, MAX_PARAMETERS // width)):
            cursor.executemany(statement, batch)
            written += len(batch)
    return written


# Where rows wait that change those of a table, which the statement after it names.
STAGED = "staged"


def _update_from_copy(table: str, key: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    names = ", ".join((key, *columns))
    values = ", ".join(f"{column} = staged.{column}" for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TEMPORARY TABLE {STAGED} ON COMMIT DROP AS SELECT {names} FROM {table} WITH NO DATA"  # noqa: S608
        )
        _copy(STAGED, names, len(columns) + 1, rows)
        cursor.execute(f"UPDATE {table} SET {values} FROM staged WHERE {table}.{key} = staged.{key}")  # noqa: S608
        cursor.execute(f"DROP TABLE {STAGED}")


def _update(table: str, key: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    values = ", ".join(f"{column} = %s" for column in columns)
    statement = f"UPDATE {table} SET {values} WHERE {key} = %s"  # noqa: S608 names come from the models
    with connection.cursor() as cursor:
        cursor.executemany(statement, [(*row[1:], row[0]) for row in rows])


T = TypeVar("T")


def produce_ahead(items: Iterable[T]) -> Iterator[T]:
    """Yield items; a thread produces the next one while the caller uses the present one.

    Producing must not use the database. Its errors are raised here, in the caller's language. The thread ends with
    the iterator.
    """
    iterator, language = iter(items), translation.get_language()

    def made() -> list[T]:
        with translation.override(language):
            return list(islice(iterator, 1))

    with ThreadPoolExecutor(1) as thread:
        coming = thread.submit(made)
        while item := coming.result():
            coming = thread.submit(made)
            yield item[0]


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
    cache = caches["pages"]
    scopes = [ALL_PAGES, *(scope for scope, part in settings.PAGE_SCOPES.items() if part in path)]
    keys = [_key(scope) for scope in scopes]
    found = cache.get_many(keys)
    for key in keys:
        if key not in found:
            # The first writer wins. Without the cache there is still no edition.
            cache.add(key, secrets.token_hex(8), None)
            found[key] = cache.get(key)
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
    if all(entry[1] is not renew for entry in connection.run_on_commit):
        connection.on_commit(renew)


def _is_writing(sql: str) -> bool:
    """Return whether a statement may change rows; one that is not known to read does."""
    found = FIRST_WORD.match(sql)
    word = found[1].upper() if found else ""
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
