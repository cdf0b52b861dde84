"""Files and lines."""

from __future__ import annotations

from tests.tournaments.trf.examples.example import WHOLE, Example
from tests.tournaments.trf.reports import BASE, added, changed, player, player_changed, without
from tournaments.trf.limits import (
    MAX_BYTES,
    MAX_FINDINGS,
    MAX_LINE_LENGTH,
    MAX_LINES,
    MAX_PLAYERS,
    MAX_ROUNDS,
)

FILES = {
    "file-too-large": Example(
        "A file beyond any real report; nothing of it is read.",
        b"001 " * (MAX_BYTES // 4 + 1),
        WHOLE,
        "a file of 8 MiB and more",
    ),
    "empty-file": Example("There is nothing to read.", "\r\n", WHOLE),
    "html-page": Example(
        "The page around the report was saved in place of the report.",
        "<!DOCTYPE html><html><body>001</body></html>",
        (1, None),
    ),
    "pdf-file": Example(
        "The tables of the event were sent as they are printed.", b"%PDF-1.7", WHOLE, "%PDF-1.7…"
    ),
    "office-file": Example(
        "The tables of the event were sent as a spreadsheet or a letter.",
        b"PK\x03\x04" + bytes(26) + b"[Content_Types].xml",
        WHOLE,
        "PK\\x03\\x04…[Content_Types].xml…",
    ),
    "archive-file": Example(
        "What was sent may have the report in it; archives are not unpacked here.",
        b"PK\x03\x04" + bytes(26) + b"open.trf",
        WHOLE,
        "PK\\x03\\x04…open.trf…",
    ),
    "vega-file": Example(
        "It has the tags of a report, but its fields are in no columns.",
        "012 Winter Rapid\n001 1|m||Amsel Berta|1900|SUI|1300016|0||1990|2.5|1|2 w 1\n",
        WHOLE,
        "a file of Vega, whose players' fields are between strokes",
    ),
    "vega-engine-file": Example(
        "It has all records of a report, but not the last round.",
        BASE.replace("022 Exampletown", "022 VEGA")
        .replace("032 SUI\n", "")
        .replace("102 Arbiter, Anna\n", "")
        .replace("122 15+10\n", "")
        .replace("132 ", "### "),
        WHOLE,
        "engine26.trf",
    ),
    "program-database": Example(
        "Only its own program reads it.", b"SQLite format 3\x00" + bytes(60), WHOLE, "an SQLite database"
    ),
    "program-file": Example("Only its own program reads it.", '{"tournament": {}}', WHOLE, "a JSON file"),
    "pgn-file": Example("Games have no standings.", '[Event "Winter Rapid"]\n', WHOLE, "games in PGN"),
    "rating-list-file": Example(
        "It has players, but no results.",
        "ID Number      Name\n1300016        Amsel, Berta\n",
        WHOLE,
        "FIDE's list",
    ),
    "table-file": Example(
        "A crosstable needs the data of a registration.",
        "1;Amsel;SUI;1900;2w1;3b1\n" * 3,
        WHOLE,
        "a crosstable as CSV",
    ),
    "two-tournaments": Example(
        "Two groups are two tournaments.",
        BASE + BASE.replace("Winter Rapid", "Group B"),
        (17, 1),
        "two reports in a row",
    ),
    "binary-file": Example(
        "A picture, a database or a pairing program's own file was sent.",
        b"\x89PNG" + bytes(60),
        WHOLE,
        "\\x89PNG…",
    ),
    "not-a-report": Example(
        "A text, but none of its lines is a record.", "Dear arbiter,\nplease find the report.\n", WHOLE
    ),
    "players-missing": Example("A header without players: nothing can be rated.", without("001"), WHOLE),
    "too-many-lines": Example(
        "The rest of the file was not read, so games may be missing.",
        BASE + "###\n" * MAX_LINES,
        (MAX_LINES, None),
        f"{MAX_LINES} comments",
    ),
    "too-many-players": Example(
        "Starting numbers have four digits.",
        BASE + f"{player(4)}\n" * MAX_PLAYERS,
        (MAX_PLAYERS + 13, None),
        f"player 4, {MAX_PLAYERS} times",
    ),
    "too-many-rounds": Example(
        "No event has as many rounds; those beyond were not read.",
        player_changed(1, ("4 b =", "4 b =  " + "0000 - Z  " * MAX_ROUNDS)),
        (13, 92 + 10 * MAX_ROUNDS),
        f"{MAX_ROUNDS} byes more for player 1",
    ),
    "line-too-long": Example(
        "The rest of the line was not read.",
        added("###" + "x" * MAX_LINE_LENGTH),
        (17, MAX_LINE_LENGTH),
        f"a comment of {MAX_LINE_LENGTH} letters",
    ),
    "encoding-guessed": Example(
        "The text is readable, but letters with accents may be others.",
        BASE.replace("Amsel", "Ämsel").encode("cp1252"),
        (13, None),
        "Ämsel in Windows-1252",
    ),
    "encoding-utf-16": Example(
        "Some editors save so; it was read in full.", BASE.encode("utf-16"), WHOLE, "the report in UTF-16"
    ),
    "encoding-broken": Example(
        "A program replaced a letter it could not write.", changed(("Elster", "El\ufffdter")), (16, 17)
    ),
    "control-character": Example(
        "It shifts or hides what follows it.", changed(("Elster", "El\x07ter")), (16, 17)
    ),
    "line-ends-mixed": Example(
        "Files joined or edited by hand; no line is lost.",
        BASE.replace("\n", "\r\n", 3),
        WHOLE,
        "three lines end in CR LF, the others in LF",
    ),
    "findings-left-off": Example(
        "So that a page stays readable.",
        BASE + "### \n" + "999 x\n" * (MAX_FINDINGS + 1),
        WHOLE,
        f"{MAX_FINDINGS + 1} unknown records",
    ),
}
LINES = {
    "tab": Example(
        "A tab stands for any number of columns.",
        player_changed(4, ("Elster, Fritz  ", "Elster, Fritz\t ")),
        (16, 28),
    ),
    "tab-as-blank": Example(
        "Outside player lines it shifts nothing that is used.",
        changed(("102 Arbiter, Anna", "102 Arbiter,\tAnna")),
        (10, 13),
    ),
    "shifted-columns": Example(
        "A name padded by bytes, or a blank too few or too many; the games are read from the line put right.",
        player_changed(4, ("Elster, Fritz  ", "Elster, Fritz ")),
        (16, 48),
    ),
    "column-occupied": Example(
        "One of the two fields beside the column is not what was meant.",
        player_changed(
            3, ("Drossel, Emil                     1700", "Drossel, Emil                    R1700")
        ),
        (15, 48),
    ),
    "record-unknown": Example("What the line says is not used.", added("999 something"), (17, 1)),
    "text-outside": Example("Often the end of a line that was broken in two.", added("    5 b 1"), (17, 1)),
    "record-duplicate": Example("The first one counts.", added("012 Summer Rapid"), (17, 1)),
    "record-misplaced": Example(
        "Other programs may not find it there.", without("022") + "022 Exampletown\n", (16, 1)
    ),
    "record-missing": Example("FIDE asks for it in every report.", without("102"), WHOLE),
    "record-advised": Example(
        "TRF26 asks for it; without dates the rounds a day cannot be counted.", without("132"), WHOLE
    ),
    "record-field": Example("A value that the record cannot have.", added("XXR nine"), (17, 5)),
}
