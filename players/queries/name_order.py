"""Names in the order in which people read them: letters without accents and case first, then by code point.

The published order of a list, and of equal ratings, stays by code point.
"""

from __future__ import annotations

from typing import Any

from django.db.backends.signals import connection_created
from django.db.models import Func, TextField

from players.spelling import fold

# The Latin letters of Europe and Vietnam; both databases fold these and nothing else, so that they agree.
LETTERS = (range(0x41, 0x5B), range(0xC0, 0x250), range(0x1E00, 0x1F00))
FOLDS = {
    chr(code): plain for letters in LETTERS for code in letters if (plain := fold(chr(code))) != chr(code)
}
SINGLE = {letter: plain for letter, plain in FOLDS.items() if len(plain) == 1}
LONGER = {letter: plain for letter, plain in FOLDS.items() if len(plain) > 1 and plain.isascii()}
# `translate` of PostgreSQL looks for each letter from the first one on: those that stay come first.
FREQUENT = " ,aeinrsolthdmkuvgcyjbpzfwxq.-"
TABLE = str.maketrans(SINGLE | LONGER)


def name_order(name: str) -> tuple[str, str]:
    """Return the sort key of a name: folded, then as it is."""
    return name.translate(TABLE), name


class FoldedName(Func):
    """A name as it is sorted, in the database: `FoldedName("name")`."""

    function = "folded_name"
    arity = 1
    output_field = TextField()

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Replace letters by SQL alone: no function has to be installed."""
        folded_name = "%(expressions)s"
        for letter, plain in LONGER.items():
            folded_name = f"replace({folded_name}, '{letter}', '{plain}')"
        folded_name = (
            f"translate({folded_name}, '{FREQUENT}{''.join(SINGLE)}', '{FREQUENT}{''.join(SINGLE.values())}')"
        )
        # Hundreds of letters are looked up one by one: most names have none of them.
        is_ascii = "octet_length(%(expressions)s) = char_length(%(expressions)s)"
        # By the collation C, `lower` changes ASCII letters alone: a Turkish server would make ı of I.
        in_small = 'lower(%(expressions)s COLLATE "C")'
        template = f"CASE WHEN {is_ascii} THEN {in_small} ELSE {folded_name} END"
        return super().as_sql(compiler, connection, template=template, **context)


def _add_function(sender: Any, connection: Any, **kwargs: Any) -> None:
    # SQLite has no `translate`: the same table is a function of the connection there.
    if connection.vendor == "sqlite":
        connection.connection.create_function(
            "folded_name", 1, lambda name: name and name.translate(TABLE), deterministic=True
        )


connection_created.connect(_add_function, dispatch_uid="players.folded_name")
