"""Findings: what is wrong or odd in a report, where, and what the line should be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple, Protocol

from tournaments.trf.limits import MAX_FINDINGS


class Severity(StrEnum):
    """What a finding asks for: correction, a sentence of acknowledgement, or nothing."""

    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"


def gettext_noop(text: str) -> str:
    """Mark a text for translation; it is translated where it is shown."""
    return text


ERRORS = {
    "file-too-large": gettext_noop(
        "The file is larger than {limit} MiB; a report is never that large. Upload the report alone."
    ),
    "empty-file": gettext_noop("The file is empty. Export the report again."),
    "html-page": gettext_noop(
        "This is a web page, not a report. Download the TRF itself and upload that file."
    ),
    "pdf-file": gettext_noop(
        "This is a PDF, made to be read and printed. Export the tournament as TRF and upload that file."
    ),
    "office-file": gettext_noop(
        "This is a spreadsheet or a document of an office program. Export the tournament as TRF from the pairing "
        "program and upload that file."
    ),
    "archive-file": gettext_noop("This is an archive. Unpack it and upload the report that is in it."),
    "binary-file": gettext_noop(
        "This is not a text file. Export the tournament as TRF and upload that file."
    ),
    "not-a-report": gettext_noop(
        "No line of the file is a TRF record. Export the tournament as TRF and upload that file."
    ),
    "players-missing": gettext_noop(
        "The report has no player record (001). Export it again with its players."
    ),
    "too-many-lines": gettext_noop(
        "The file has {count} lines; only the first {limit} were read. Upload the report alone."
    ),
    "too-many-players": gettext_noop(
        "The report has more than {limit} players; those from this line on were not read."
    ),
    "too-many-rounds": gettext_noop(
        "The line has more than {limit} rounds; those from this column on were not read."
    ),
    "line-too-long": gettext_noop("The line has {count} characters; only the first {limit} were read."),
    "event-dates-reversed": gettext_noop(
        "The last day, {end}, is before the first, {start}. Correct records 042 and 052."
    ),
    "rounds-a-day": gettext_noop(
        "{count} rounds on {day}; at most {limit} a day can be rated in any kind (3.1, D-16). Correct the "
        "dates."
    ),
    "player-number": gettext_noop("“{text}” is not a starting number from 1 to 9999; the line is not used."),
    "player-number-duplicate": gettext_noop(
        "Starting number {number} was given in line {first} already. Give each player one number."
    ),
    "fide-id-unreadable": gettext_noop(
        "“{text}” is not a FIDE ID: the player cannot be known by it. Enter the number or leave it blank."
    ),
    "fide-id-duplicate": gettext_noop(
        "FIDE ID {fide_id} is that of player {first} in line {first_line} already. Give each player their "
        "own."
    ),
    "round-unreadable": gettext_noop(
        "Round {round} cannot be read: “{text}”. Write opponent, colour and result in their columns."
    ),
    "opponent-unreadable": gettext_noop("“{text}” is not an opponent's starting number (round {round})."),
    "colour-unreadable": gettext_noop("“{text}” is not a colour (round {round}); write w, b or -."),
    "result-unreadable": gettext_noop(
        "“{text}” is not a result (round {round}); write 1 = 0 + - W D L H F U or Z."
    ),
    "bye-with-opponent": gettext_noop(
        "A bye ({result}) in round {round} names opponent {opponent}. Delete the opponent or write the "
        "result."
    ),
    "opponent-missing": gettext_noop(
        "A game in round {round} (colour {colour}, result {result}) names no opponent. Enter the opponent."
    ),
    "opponent-unknown": gettext_noop(
        "Opponent {opponent} of round {round} is not in the report. Correct the number or add the player."
    ),
    "opponent-self": gettext_noop("Player {number} meets themselves in round {round}. Correct the opponent."),
    "pairing-asymmetric": gettext_noop(
        "Round {round}: player {number} names {opponent}, but {opponent} (line {other_line}) names "
        "{other}. Correct one of them."
    ),
    "colours-same": gettext_noop(
        "Round {round}: players {number} and {opponent} (line {other_line}) both have {colour}. Correct "
        "one of them."
    ),
    "colour-missing": gettext_noop(
        "Round {round}: the game of {number} and {opponent} (line {other_line}) lacks a colour. Enter w "
        "and b."
    ),
    "results-contradict": gettext_noop(
        "Round {round}: “{result}” here and “{other_result}” of opponent {opponent} (line {other_line}) "
        "contradict each other. Correct one of them."
    ),
}

WARNINGS = {
    "encoding-broken": gettext_noop(
        "A letter was lost before the file came here (“{text}”). Correct it or export again in UTF-8."
    ),
    "control-character": gettext_noop(
        "The line has an invisible control character (U+{character}). Delete it."
    ),
    "tab": gettext_noop(
        "The line has a tab, which hides its columns. Replace it with blanks as in the proposed line."
    ),
    "shifted-columns": gettext_noop(
        "The columns of the line are shifted. It was read as the proposed line; compare the two."
    ),
    "column-occupied": gettext_noop(
        "Column {column} must be blank; a field beside it is shifted or too long."
    ),
    "record-unknown": gettext_noop(
        "No record of TRF is called “{tag}”; the line is not used. Correct the first three characters or "
        "delete it."
    ),
    "text-outside": gettext_noop(
        "This line does not begin with a record; it is not used. Delete it or join it to the line it "
        "belongs to."
    ),
    "record-duplicate": gettext_noop(
        "Record {tag} was given in line {first} already; this one is not used. Keep the right one."
    ),
    "record-missing": gettext_noop(
        "Record {tag} ({meaning}) is missing or empty. Enter it in the program or add the line."
    ),
    "record-field": gettext_noop(
        "Record {tag} cannot be read in these columns; the line is kept but not used."
    ),
    "event-federation-code": gettext_noop(
        "“{text}” is not a federation's code of three capital letters. Correct record 032."
    ),
    "event-federation-unknown": gettext_noop("No federation has the code “{text}”. Correct record 032."),
    "event-date-unreadable": gettext_noop("“{text}” is not a date. Write it as YYYY/MM/DD."),
    "count-unreadable": gettext_noop("“{text}” is not a number. Correct record {tag}."),
    "player-count": gettext_noop(
        "Record 062 says {said} players; the report has {counted}. Check that no player is missing."
    ),
    "rounds-surplus": gettext_noop(
        "The report is of {said} rounds, but has results of {counted}. Correct the number or the results."
    ),
    "round-date-unreadable": gettext_noop(
        "“{text}” is not a date. Write the day of round {round} as YY/MM/DD."
    ),
    "round-date-outside": gettext_noop(
        "Round {round} on {day} is outside the event, {start} to {end}. Correct record 132, 042 or 052."
    ),
    "round-date-order": gettext_noop(
        "Round {round} on {day} is before the round that precedes it. Correct record 132."
    ),
    "time-control-unreadable": gettext_noop(
        "“{text}” is not an encoded time control such as 900+10. Correct record 222."
    ),
    "time-control-unequal": gettext_noop(
        "White and Black have different times; such games are not rated (1.2)."
    ),
    "time-controls-differ": gettext_noop(
        "Record 122 gives {said} seconds for 60 moves, record 222 gives {counted}. Correct the wrong one."
    ),
    "games-missing": gettext_noop("No game of the report would count: nothing was played over the board."),
    "sex-unknown": gettext_noop("“{text}” is not a sex; write m or w."),
    "title-unknown": gettext_noop(
        "“{text}” is not a title; write GM, IM, FM, CM, WGM, WIM, WFM, WCM or nothing."
    ),
    "name-missing": gettext_noop("Player {number} has no name."),
    "rating-unreadable": gettext_noop("“{text}” is not a rating; it was read as none."),
    "rating-out-of-range": gettext_noop("A rating of {rating} is outside {lowest} to {highest}. Check it."),
    "federation-code": gettext_noop("“{text}” is not a federation's code of three capital letters."),
    "birth-unreadable": gettext_noop(
        "“{text}” is not a date of birth. Write it as YYYY/MM/DD, or YYYY/00/00."
    ),
    "birth-impossible": gettext_noop(
        "Born in {year} is impossible for a player of an event in {event}. Correct the date."
    ),
    "points-unreadable": gettext_noop("“{text}” is not a number of points such as 4.5."),
    "points-mismatch": gettext_noop(
        "The results of player {number} add up to {counted} points, the line says {said}. Check the results."
    ),
    "rank-unreadable": gettext_noop("“{text}” is not a rank."),
    "result-unknown": gettext_noop(
        "“{text}” stands for a result not known (round {round}); the game does not count. Enter the result."
    ),
    "result-missing": gettext_noop(
        "Round {round} has an opponent but no result in either line; the game does not count. Enter the result."
    ),
    "bye-as-result": gettext_noop(
        "Result {result} in round {round} has no opponent. Write F or U for a bye, + or - for a forfeit, "
        "Z for an absence."
    ),
    "played-twice": gettext_noop(
        "Players {number} and {opponent} meet in rounds {first} and {round}; in a Swiss they meet once. "
        "Check the opponents."
    ),
    "team-player-unknown": gettext_noop("Team “{team}” lists player {number}, who is not in the report."),
    "team-player-twice": gettext_noop(
        "Player {number} is in team “{team}” and in “{other}”. A player plays for one team."
    ),
    "team-mates-paired": gettext_noop(
        "Round {round}: players {number} and {opponent} are both in team “{team}”. Correct the opponent or the team."
    ),
    "player-without-team": gettext_noop(
        "Player {number} is in no team. Add the player to the list of a team."
    ),
    "rating-correction-differs": gettext_noop(
        "Round {round}: a comment corrects the result of players {white} and {black} for rating, but their lines "
        "have another result. Correct one of them."
    ),
}

NOTICES = {
    "encoding-guessed": gettext_noop(
        "The file is not in UTF-8; it was read as Windows-1252. Check names with accents."
    ),
    "encoding-utf-16": gettext_noop("The file is in UTF-16; TRF programs expect UTF-8."),
    "line-ends-mixed": gettext_noop("Lines end in different ways; each was read as a line of its own."),
    "findings-left-off": gettext_noop(
        "At least {count} more findings are not shown. Correct these first and check again."
    ),
    "tab-as-blank": gettext_noop("The line has a tab; it was read as a blank."),
    "record-misplaced": gettext_noop("Record {tag} stands after the players; it belongs before them."),
    "record-advised": gettext_noop("Record {tag} ({meaning}) is missing or empty; TRF26 asks for it."),
    "record-field-unused": gettext_noop(
        "Record {tag} cannot be read in these columns. It does not matter for the rating."
    ),
    "rounds-begin-late": gettext_noop(
        "Round 1 was played on {day}, the event began on {start}. Check records 132 and 042."
    ),
    "rounds-end-early": gettext_noop(
        "The last round was played on {day}, the event ended on {end}. Check records 132 and 052."
    ),
    "federation-unknown": gettext_noop("No federation has the code “{text}”. Check it."),
    "event-date-ambiguous": gettext_noop("“{text}” was read as {day}. Write dates as YYYY/MM/DD."),
    "rated-count": gettext_noop("Record 072 says {said} rated players; {counted} have a rating."),
    "team-count": gettext_noop("Record 082 says {said} teams; the report has {counted}."),
    "rounds-unplayed": gettext_noop("The report is of {said} rounds, but has results of {counted} only."),
    "round-dates-count": gettext_noop("Record 132 has {said} dates for {counted} rounds."),
    "player-number-gap": gettext_noop("Starting numbers go to {last}, but there are {count} players."),
    "federation-lower-case": gettext_noop("The federation “{text}” was read in capital letters."),
    "fide-id-again": gettext_noop(
        "FIDE ID {fide_id} is that of player {first} in line {first_line} too; one of the two has played no game."
    ),
    "fide-id-check-digit": gettext_noop(
        "The last digit of FIDE ID {fide_id} does not fit the others. Check it."
    ),
    "rank-duplicate": gettext_noop("Rank {rank} is also that of player {other} in line {other_line}."),
    "rank-order": gettext_noop(
        "Rank {rank} with {points} points stands below {other_points} points of rank {other_rank}."
    ),
    "result-spelling": gettext_noop("“{text}” in round {round} was read as “{meant}”."),
    "bye-as-draw": gettext_noop(
        "A draw without an opponent in round {round} was read as a half-point bye, which is H."
    ),
    "forfeit-asymmetric": gettext_noop(
        "Round {round}: player {number} has a forfeit against {opponent}, who (line {other_line}) names "
        "no opponent."
    ),
    "forfeit-colours": gettext_noop(
        "Round {round}: players {number} and {opponent} both have {colour} in a game not played."
    ),
    "played-again": gettext_noop("Players {number} and {opponent} meet in rounds {first} and {round}."),
    "byes-in-round": gettext_noop("Round {round} has {count} pairing-allocated byes (U); one is usual."),
    "team-empty": gettext_noop("Team “{team}” has no players."),
    "record-player-unknown": gettext_noop("Record {tag} names player {number}, who is not in the report."),
    "record-team-unknown": gettext_noop("Record {tag} names team {number}, which is not in the report."),
    "rating-correction": gettext_noop(
        "Round {round}: the result of players {white} and {black} is corrected for rating. The pairings and points "
        "used another result."
    ),
    "record-round-unknown": gettext_noop("Record {tag} names round {round}; the report has {rounds}."),
}

MESSAGES: Mapping[str, str] = {**ERRORS, **WARNINGS, **NOTICES}
SEVERITIES: Mapping[str, Severity] = {
    **dict.fromkeys(ERRORS, Severity.ERROR),
    **dict.fromkeys(WARNINGS, Severity.WARNING),
    **dict.fromkeys(NOTICES, Severity.NOTICE),
}

ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTICE: 2}


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of a report: an error blocks it, a warning must be acknowledged, a notice informs.

    `line` and `column` count from 1; None is the whole file or the whole line. `fix` is the whole line as it
    should be, where that is certain. `message` is the template of `code` filled with `params`.
    """

    code: str
    severity: Severity
    line: int | None
    column: int | None
    length: int
    message: str
    fix: str | None = None
    params: Mapping[str, str | int] = field(default_factory=dict)

    def with_fix(self, line: str | None) -> Finding:
        """Return the finding with the line as it should be."""
        return replace(self, fix=line)


class Place(NamedTuple):
    """Where a finding is: line and column from 1, None for the whole file or line, and how many columns."""

    line: int | None = None
    column: int | None = None
    length: int = 0


WHOLE_FILE = Place()


class Finder(Protocol):
    """Returns the finding of a code with the message and severity that belong to the code."""

    def __call__(self, code: str, place: Place = WHOLE_FILE, /, **params: str | int) -> Finding: ...


def finder(messages: Mapping[str, str], severities: Mapping[str, Severity]) -> Finder:
    """Return what makes findings of a catalogue of codes."""

    def find(code: str, place: Place = WHOLE_FILE, /, **params: str | int) -> Finding:
        return Finding(code, severities[code], *place, messages[code].format(**params), None, params)

    return find


found = finder(MESSAGES, SEVERITIES)


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings by line and column; of more than can be shown, the gravest and each code at least once."""
    kept = sorted(findings, key=_place)
    if len(kept) <= MAX_FINDINGS:
        return tuple(kept)
    first = {id(finding) for finding in {finding.code: finding for finding in reversed(kept)}.values()}
    by_weight = sorted(kept, key=lambda finding: (id(finding) not in first, ORDER[finding.severity]))
    gravest = by_weight[: MAX_FINDINGS - 1]
    gravest.append(found("findings-left-off", count=len(kept) - len(gravest)))
    return tuple(sorted(gravest, key=_place))


def _place(finding: Finding) -> tuple[int, int, str]:
    return finding.line or 0, finding.column or 0, finding.code
