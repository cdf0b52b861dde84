"""Files and lines."""

from __future__ import annotations

from tests.tournaments.trf.reports import BASE, WHOLE, added, changed, player, player_changed, without
from tournaments.trf.limits import (
    MAX_BYTES,
    MAX_FINDINGS,
    MAX_LINE_LENGTH,
    MAX_LINES,
    MAX_PLAYERS,
    MAX_ROUNDS,
)

FILES = {
    "file-too-large": (
        b"001 " * (MAX_BYTES // 4 + 1),
        WHOLE,
    ),
    "empty-file": ("\r\n", WHOLE),
    "html-page": (
        "<!DOCTYPE html><html><body>001</body></html>",
        (1, None),
    ),
    "pdf-file": (b"%PDF-1.7", WHOLE),
    "office-file": (
        b"PK\x03\x04" + bytes(26) + b"[Content_Types].xml",
        WHOLE,
    ),
    "archive-file": (
        b"PK\x03\x04" + bytes(26) + b"open.trf",
        WHOLE,
    ),
    "vega-file": (
        "012 Winter Rapid\n001 1|m||Amsel Berta|1900|SUI|1300016|0||1990|2.5|1|2 w 1\n",
        WHOLE,
    ),
    "vega-engine-file": (
        BASE.replace("022 Exampletown", "022 VEGA")
        .replace("032 SUI\n", "")
        .replace("102 Arbiter, Anna\n", "")
        .replace("122 15+10\n", "")
        .replace("132 ", "### "),
        WHOLE,
    ),
    "program-database": (b"SQLite format 3\x00" + bytes(60), WHOLE),
    "program-file": ('{"tournament": {}}', WHOLE),
    "pgn-file": ('[Event "Winter Rapid"]\n', WHOLE),
    "rating-list-file": (
        "ID Number      Name\n1300016        Amsel, Berta\n",
        WHOLE,
    ),
    "table-file": (
        "1;Amsel;SUI;1900;2w1;3b1\n" * 3,
        WHOLE,
    ),
    "two-tournaments": (
        BASE + BASE.replace("Winter Rapid", "Group B"),
        (17, 1),
    ),
    "binary-file": (
        b"\x89PNG" + bytes(60),
        WHOLE,
    ),
    "not-a-report": ("Dear arbiter,\nplease find the report.\n", WHOLE),
    "players-missing": (without("001"), WHOLE),
    "too-many-lines": (
        BASE + "###\n" * MAX_LINES,
        (MAX_LINES, None),
    ),
    "too-many-players": (
        BASE + f"{player(4)}\n" * MAX_PLAYERS,
        (MAX_PLAYERS + 13, None),
    ),
    "too-many-rounds": (
        player_changed(1, ("4 b =", "4 b =  " + "0000 - Z  " * MAX_ROUNDS)),
        (13, 92 + 10 * MAX_ROUNDS),
    ),
    "line-too-long": (
        added("###" + "x" * MAX_LINE_LENGTH),
        (17, MAX_LINE_LENGTH),
    ),
    "encoding-guessed": (
        BASE.replace("Amsel", "Ämsel").encode("cp1252"),
        (13, None),
    ),
    "encoding-utf-16": (BASE.encode("utf-16"), WHOLE),
    "encoding-broken": (changed(("Elster", "El\ufffdter")), (16, 17)),
    "control-character": (changed(("Elster", "El\x07ter")), (16, 17)),
    "line-ends-mixed": (
        BASE.replace("\n", "\r\n", 3),
        WHOLE,
    ),
    "findings-left-off": (
        BASE + "### \n" + "999 x\n" * (MAX_FINDINGS + 1),
        WHOLE,
    ),
}
LINES = {
    "tab": (
        player_changed(4, ("Elster, Fritz  ", "Elster, Fritz\t ")),
        (16, 28),
    ),
    "tab-as-blank": (
        changed(("102 Arbiter, Anna", "102 Arbiter,\tAnna")),
        (10, 13),
    ),
    "shifted-columns": (
        player_changed(4, ("Elster, Fritz  ", "Elster, Fritz ")),
        (16, 48),
    ),
    "column-occupied": (
        player_changed(
            3, ("Drossel, Emil                     1700", "Drossel, Emil                    R1700")
        ),
        (15, 48),
    ),
    "record-unknown": (added("999 something"), (17, 1)),
    "text-outside": (added("    5 b 1"), (17, 1)),
    "record-duplicate": (added("012 Summer Rapid"), (17, 1)),
    "record-misplaced": (without("022") + "022 Exampletown\n", (16, 1)),
    "record-missing": (without("102"), WHOLE),
    "record-advised": (without("132"), WHOLE),
    "record-field": (added("XXR nine"), (17, 5)),
}
