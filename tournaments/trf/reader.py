"""Reading a report: every line has its place, none raises, and what cannot be used is a finding."""

from __future__ import annotations

from tournaments.trf.fields import FieldError
from tournaments.trf.findings import Finding, Place, found
from tournaments.trf.header import Header
from tournaments.trf.limits import MAX_LINES, MAX_PLAYERS
from tournaments.trf.records import EVENT_LOADERS, Record, loader_of
from tournaments.trf.records.event import RoundsRecord
from tournaments.trf.records.other import OtherRecord
from tournaments.trf.records.player import PlayerReader, PlayerRecord
from tournaments.trf.records.rounds import RoundResult
from tournaments.trf.report import Report
from tournaments.trf.text import has_mixed_line_ends, is_comment, is_skipped, lines_of, text_of, usual_lines


def read_report(data: bytes | str) -> Report:
    """Return what a file says. Nothing in it raises; faults are in `findings`; time grows with its length.

    A file that is no text, too large or a web page comes back empty with the one error that says so.
    """
    text, findings = text_of(data)
    lines = lines_of(text)
    if any(finding.severity == "error" for finding in findings):
        return Report(lines=lines, findings=tuple(findings))
    if has_mixed_line_ends(text):
        findings.append(found("line-ends-mixed"))
    if len(lines) > MAX_LINES:
        findings.append(found("too-many-lines", Place(MAX_LINES), count=len(lines), limit=MAX_LINES))
    reading = _Reading(findings)
    for at, line in enumerate(usual_lines(lines[:MAX_LINES], findings), 1):
        reading.take(line, at)
    if not reading.knows_a_record:
        return Report(lines=lines, findings=(found("not-a-report"),))
    return reading.report(lines)


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

    def take(self, line: str, at: int) -> None:
        """Read one line without blanks at its end."""
        if line.startswith("001"):
            self._take_player(line, at)
        elif not is_skipped(line):
            self._take_other(line, at)

    def report(self, lines: tuple[str, ...]) -> Report:
        """Return the report of all lines taken."""
        if not self.players:
            self.findings.append(found("players-missing"))
        players = in_equal_rounds(self.players)
        played = len(players[0].results) if players else 0
        # Records of the event come first, so that a report that is written and read again compares equal.
        records = sorted(self.records, key=lambda pair: pair[0].tag not in EVENT_LOADERS)
        return Report(
            **self.header.values(),
            rounds=max(played, *(_announced(record) for record, _ in records), 0),
            players=players,
            records=tuple(record for record, _ in records),
            record_lines=tuple(at for _, at in records),
            header_lines=self.header.lines,
            lines=lines,
            findings=tuple(self.findings),
        )

    def _take_player(self, line: str, at: int) -> None:
        self.knows_a_record = True
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
            self.records.append((OtherRecord(line), at))
        elif line[0] == " ":
            self._take_indented(line, at)
        elif self.header.takes(line, at):
            self.knows_a_record = True
            self._note_misplaced(line, at)
        else:
            self._take_record(line, at)

    def _take_indented(self, line: str, at: int) -> None:
        moved = line.lstrip()
        if moved.startswith("001") or self.header.knows(moved) or loader_of(moved):
            self.findings.append(found("shifted-columns", Place(at, 1)).with_fix(moved))
            self.take(moved, at)
            return
        self.findings.append(found("text-outside", Place(at, 1, len(line))))
        self.records.append((OtherRecord(line), at))

    def _take_record(self, line: str, at: int) -> None:
        load = loader_of(line)
        if load is None:
            self.findings.append(found("record-unknown", Place(at, 1, 3), tag=line[:3]))
            self.records.append((OtherRecord(line), at))
            return
        self.knows_a_record = True
        try:
            self.records.append((load(line), at))
        except FieldError as error:
            place = Place(at, error.column, error.length)
            self.findings.append(found("record-field", place, tag=line[:3]))
            self.records.append((OtherRecord(line), at))

    def _note_misplaced(self, line: str, at: int) -> None:
        if self.players:
            self.findings.append(found("record-misplaced", Place(at, 1, 3), tag=line[:3]))


def in_equal_rounds(players: list[PlayerRecord]) -> tuple[PlayerRecord, ...]:
    """Return the players with as many rounds each as any has something written in."""
    rounds = 0
    for player in players:
        if len(player.results) > rounds:
            rounds = max(rounds, last_round(player.results))
    blank = tuple(RoundResult(number, None, "", "") for number in range(1, rounds + 1))
    return tuple(
        player
        if len(player.results) == rounds
        else player.with_results((player.results + blank[len(player.results) :])[:rounds])
        for player in players
    )


def last_round(results: tuple[RoundResult, ...]) -> int:
    """Return the last round in which anything is written."""
    return next((result.round for result in reversed(results) if result[1:] != (None, "", "")), 0)


def _announced(record: Record) -> int:
    return record.rounds if isinstance(record, RoundsRecord) else 0
