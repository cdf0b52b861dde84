"""Reading a report. It never raises; what cannot be used is a finding."""

from __future__ import annotations

import hashlib
import re
from datetime import date

from tournaments.trf.columns import RecordRow
from tournaments.trf.comments import OtherRecord, comment_of
from tournaments.trf.fields import FieldError
from tournaments.trf.findings import Finding, Place, found, gettext_noop
from tournaments.trf.header import Header
from tournaments.trf.limits import MAX_LINES, MAX_PLAYERS
from tournaments.trf.player_reader import PlayerReader
from tournaments.trf.players import PlayerRecord
from tournaments.trf.report import Record, Report
from tournaments.trf.tables import OF_EVENT, loads, tables_of
from tournaments.trf.text import has_mixed_line_ends, lines_of, text_of, usual_lines


def read_report(data: bytes | str, *, on: date | None = None) -> Report:
    """Read a file. It never raises; problems are in `findings`; the time grows with the length.

    Days that may be of several decades are read as near as can be to the day `on` which it is read (D-121).
    A file that is not text, is too large or is a web page gives an empty report with that error.
    """
    text, findings = text_of(data)
    lines = lines_of(text)
    sha256 = hashlib.sha256(data.encode(errors="replace") if isinstance(data, str) else data).hexdigest()
    if any(finding.severity == "error" for finding in findings):
        return Report(lines=lines, findings=tuple(findings), sha256=sha256)
    if has_mixed_line_ends(text):
        findings.append(found("line-ends-mixed"))
    if len(lines) > MAX_LINES:
        findings.append(found("too-many-lines", Place(MAX_LINES), count=len(lines), limit=MAX_LINES))
    reading = _Reading(findings)
    for at, line in enumerate(usual_lines(lines[:MAX_LINES], findings), 1):
        # Two groups are two tournaments, each with a registration of its own.
        if reading.begins_another(line) and any(later.startswith("001") for later in lines[at:MAX_LINES]):
            names = {"first": reading.header.first, "second": line[3:].strip()}
            findings.append(found("two-tournaments", Place(at, 1, 3), **names))
            break
        reading.read_line(line, at)
    if not reading.knows_a_record:
        return Report(lines=lines, findings=(found("not-a-report"),), sha256=sha256)
    return reading.report(lines, sha256=sha256, on=on)


# What else is read of a report, such as records for the pairing, does not matter for its rating.
FOR_RATING = frozenset({"013", "142", "162", "299", "300", "310", "330", "XXR"})


class _Reading:
    """What has been read so far of one report."""

    def __init__(self, findings: list[Finding]) -> None:
        self.findings = findings
        self.header = Header(findings)
        self.players: list[PlayerRecord] = []
        self.records: list[tuple[Record, int]] = []
        self.knows_a_record = False
        self.has_surplus_players = False
        self._read_player = PlayerReader().read

    def begins_another(self, line: str) -> bool:
        """Return whether a line is the name of another tournament, after the players of a first one."""
        if not line.startswith("012") or not self.players:
            return False
        name = line[3:].strip()
        return bool(name and self.header.first and name != self.header.first)

    def read_line(self, line: str, at: int) -> None:
        """Read one line without blanks at its end."""
        if line.startswith("001"):
            self._take_player(line, at)
        elif not is_skipped(line):
            self._take_other(line, at)

    def report(self, lines: tuple[str, ...], *, sha256: str, on: date | None) -> Report:
        """Return the report of all lines taken."""
        if not self.players:
            self.findings.append(found("players-missing"))
        players = in_equal_rounds(self.players)
        played = len(players[0].results) if players else 0
        # Records of the event come first, so that a report that is written and read again compares equal.
        records = sorted(self.records, key=lambda pair: pair[0].tag not in OF_EVENT)
        return Report(
            **self.header.values(on=on),
            rounds=max(played, *(_announced_rounds(record) for record, _ in records), 0),
            players=players,
            records=tuple(record for record, _ in records),
            record_lines=tuple(at for _, at in records),
            header_lines=self.header.lines,
            lines=lines,
            findings=tuple(self.findings),
            sha256=sha256,
        )

    def _take_player(self, line: str, at: int) -> None:
        self.knows_a_record = True
        # Starting numbers have four digits.
        if len(self.players) == MAX_PLAYERS:
            if not self.has_surplus_players:
                self.findings.append(found("too-many-players", Place(at), limit=MAX_PLAYERS))
            self.has_surplus_players = True
            return
        player = self._read_player(line, at, self.findings)
        if player:
            self.players.append(player)
        else:
            self.records.append((OtherRecord(line), at))

    def _take_other(self, line: str, at: int) -> None:
        if is_comment(line):
            self.records.append((comment_of(line), at))
        elif line[0] == " ":
            self._take_indented(line, at)
        elif self.header.takes(line, at):
            self.knows_a_record = True
            if self.players:
                self.findings.append(found("record-misplaced", Place(at, 1, 3), tag=line[:3]))
        else:
            self._take_record(line, at)

    def _take_indented(self, line: str, at: int) -> None:
        moved = line.lstrip()
        if moved.startswith("001") or self.header.knows(moved) or tables_of(moved):
            by = len(line) - len(moved)
            shifted = found(
                "shifted-columns",
                Place(at, 1),
                column=1,
                by=by,
                direction=gettext_noop("to the right"),
                name="",
            )
            self.findings.append(shifted.with_fix(moved))
            self.read_line(moved, at)
            return
        self.findings.append(found("text-outside", Place(at, 1, len(line))))
        self.records.append((OtherRecord(line), at))

    def _take_record(self, line: str, at: int) -> None:
        if tables_of(line) is None:
            self.findings.append(found("record-unknown", Place(at, 1, 3), tag=line[:3]))
            self.records.append((OtherRecord(line), at))
            return
        self.knows_a_record = True
        try:
            self.records.append((loads(line), at))
        except FieldError as error:
            place = Place(at, error.column, error.length)
            # What rating does not use is no reason to send the file back.
            code = "record-field" if line[:3] in FOR_RATING else "record-field-unused"
            self.findings.append(found(code, place, tag=line[:3]))
            self.records.append((OtherRecord(line), at))


def in_equal_rounds(players: list[PlayerRecord]) -> tuple[PlayerRecord, ...]:
    """Return the players with as many rounds each as any has something written in."""
    number = 0
    for player in players:
        if len(player.results) > number:
            number = max(number, player.rounds.last)
    return tuple(
        player if len(player.results) == number else player._replace(results=player.rounds.of_length(number))
        for player in players
    )


def _announced_rounds(record: Record) -> int:
    return int(record.get("rounds", 0)) if isinstance(record, RecordRow) else 0


DIGITS = re.compile(r"[\d\s]+")
TENS = re.compile(r"\s{5,}1\s+2[\d\s]*")
DASHES = re.compile(r"[-+=|.\d\s]+")
LEGEND = re.compile(r"(?:DDD|###)\s+SSSS\b")


def is_skipped(line: str) -> bool:
    """Return whether a line is blank, a ruler or its legend, and so has no content."""
    return not line or _is_ruler(line) or bool(LEGEND.match(line))


def is_comment(line: str) -> bool:
    """Return whether a line is a comment: `###` in TRF26, `#` in some programs."""
    return line.startswith("#")


def _is_ruler(line: str) -> bool:
    if "1234567890" in line or "0123456789" in line:
        return bool(DIGITS.fullmatch(line))
    return bool(TENS.fullmatch(line) or ("----" in line and DASHES.fullmatch(line)))


# How the names of reports end in a folder.
SUFFIXES = {".trf", ".trfx", ".trf16", ".trf26", ".txt", ".tab"}
