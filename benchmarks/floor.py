"""`python -m benchmarks.floor WHAT ...`: the lowest possible cost of a step on this machine.

`copy`: copy the rows of a table into one without indexes, by a stream out and a stream in.
`read FOLDER`: read the reports from their files, nothing else.
`rate FOLDER`: read the reports and rate them with constant ratings, store nothing.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from psycopg import Connection

TABLES = ("tournaments_participant", "tournaments_game", "ratings_participantrating", "ratings_calculation")
PUBLISHED = "SELECT id FROM ratings_ratinglist WHERE origin = 'published'"
ENTRIES = f"SELECT * FROM ratings_listentry WHERE rating_list_id IN ({PUBLISHED})"  # noqa: S608


def copy_rows() -> None:
    """Copy the rows that a month of reports and both lists have written, binary, into tables without indexes."""
    import psycopg

    with psycopg.connect(os.environ["DATABASE_URL"]) as connection, tempfile.TemporaryFile() as spool:
        for table in TABLES:
            _copy(connection, table, f"SELECT * FROM {table}", spool)  # noqa: S608
        _copy(connection, "ratings_listentry", ENTRIES, spool)


def _copy(connection: Connection, table: str, query: str, spool: IO[bytes]) -> None:
    spool.seek(0)
    spool.truncate()
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TEMPORARY TABLE floor_{table} (LIKE {table})")
        with cursor.copy(f"COPY ({query}) TO STDOUT (FORMAT binary)") as out:
            for part in out:
                spool.write(part)
        spool.seek(0)
        with cursor.copy(f"COPY floor_{table} FROM STDIN (FORMAT binary)") as into:
            while part := spool.read(1 << 20):
                into.write(part)


def read_reports(folder: Path, *, rates: bool) -> None:
    """Read every report. With `rates`, rate it as if all players had rating 1800 and K 20."""
    from ratings.systems.otb.tournament import GameConditions, rate_tournament
    from ratings.systems.otb.values import ReportedGame, Status, StatusAtStart
    from ratings.systems.registry import SHIPPED
    from tournaments.trf import read_report

    standing = StatusAtStart(Status.RATED, 1800, 20)
    for path in sorted(folder.glob("*.trf")):
        report = read_report(path.read_bytes())
        if rates:
            standings = {player.number: standing for player in report.players}
            games = [ReportedGame(*pairing) for pairing in report.games]
            rate_tournament(SHIPPED.rows[-1].rules, GameConditions(report.rounds), games, standings)


if __name__ == "__main__":
    if sys.argv[1] == "copy":
        copy_rows()
    else:
        read_reports(Path(sys.argv[2]), rates=sys.argv[1] == "rate")
