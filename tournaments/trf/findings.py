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
    "file-too-large": gettext_noop("The file must be {limit} MiB or smaller. Upload only the report."),
    "empty-file": gettext_noop("The file is empty. Export the report again."),
    "html-page": gettext_noop("This is a web page, not a report. Download the TRF file and upload it."),
    "pdf-file": gettext_noop("This is a PDF file. Export the tournament as TRF and upload that file."),
    "office-file": gettext_noop(
        "This is a spreadsheet or an office document. Export the tournament as TRF from the pairing "
        "program and upload that file."
    ),
    "archive-file": gettext_noop("This is an archive. Unpack it and upload the report in it."),
    "vega-file": gettext_noop(
        "This is Vega's own tournament file. Choose Rating Report, FIDE, Rating Report to FIDE in Vega and upload the "
        "file that it saves."
    ),
    "vega-engine-file": gettext_noop(
        "This is what Vega writes for its pairing engine: it is a round behind, with wrong dates and names. Choose "
        "Rating Report, FIDE, Rating Report to FIDE in Vega after the last round and upload the file that it saves."
    ),
    "program-database": gettext_noop(
        "This is the database of a pairing program. Export the tournament as TRF in the program and upload that "
        "file. From Papi, export with Sharly Chess, or upload the crosstable as CSV to a registered tournament."
    ),
    "program-file": gettext_noop(
        "This is the own file of a program (XML or JSON). Export the tournament as TRF in the program and upload "
        "that file."
    ),
    "pgn-file": gettext_noop(
        "These are games in PGN, not a report. Export the tournament as TRF and upload that file. The PGN belongs "
        "beside the report of a hybrid tournament."
    ),
    "rating-list-file": gettext_noop(
        "This is a rating list, not a report. Export the tournament as TRF and upload that file."
    ),
    "table-file": gettext_noop(
        "This is a table, not a report. Export the tournament as TRF and upload that file, or upload the crosstable "
        "as CSV, XLSX, XLS or ODS on the page of the registered tournament."
    ),
    "two-tournaments": gettext_noop(
        "The file has two tournaments: “{first}”, and from this line on “{second}”. Upload each in a separate file. "
        "Only the first was read."
    ),
    "binary-file": gettext_noop(
        "This is not a text file. Export the tournament as TRF and upload that file."
    ),
    "not-a-report": gettext_noop(
        "The file has no TRF records. Export the tournament as TRF and upload that file."
    ),
    "players-missing": gettext_noop(
        "The report has no player record (001). Export it again with its players."
    ),
    "too-many-lines": gettext_noop(
        "The file has {count} lines. Only the first {limit} were read. Upload only the report."
    ),
    "too-many-players": gettext_noop(
        "The report has more than {limit} players. Those from this line on were not read."
    ),
    "too-many-rounds": gettext_noop(
        "The line has more than {limit} rounds. Those from this column on were not read."
    ),
    "line-too-long": gettext_noop("The line has {count} characters. Only the first {limit} were read."),
    "event-dates-reversed": gettext_noop(
        "The last day, {end}, is before the first, {start}. Correct records 042 and 052."
    ),
    "rounds-a-day": gettext_noop(
        "{count} rounds on {day}. At most {limit} a day can be rated for any rating type (article 3.1, "
        "decision D-16). Correct the dates."
    ),
    "player-number": gettext_noop(
        "“{text}” is not a starting number from 1 to 9999, so the line is ignored."
    ),
    "player-number-duplicate": gettext_noop(
        "Starting number {number} is already in line {first}. Give each player a different number."
    ),
    "player-number-wrong": gettext_noop(
        "Starting number {number} should be {right}: so the opponents name this player, and no other line has it."
    ),
    "fide-id-unreadable": gettext_noop(
        "“{text}” is not a FIDE ID, so the player is unknown. Enter the number or leave it blank."
    ),
    "fide-id-duplicate": gettext_noop(
        "FIDE ID {fide_id} already belongs to player {first} in line {first_line}. Give each player a "
        "different ID."
    ),
    "lines-of-one-person": gettext_noop(
        "Players {first} (line {first_line}) and {number} are one person, FIDE ID {fide_id}, with games in different "
        "rounds. Join the lines: write the games of this line into line {first_line}, and {first} for {number} in the "
        "lines of the opponents."
    ),
    "shifted-columns": gettext_noop(
        "The fields of the line are shifted {direction} by {by} from column {column} on. Use the proposed line."
    ),
    "round-unreadable": gettext_noop(
        "Round {round} cannot be read: “{text}”. Enter opponent, colour and result in their columns."
    ),
    "opponent-unreadable": gettext_noop("“{text}” is not an opponent's starting number (round {round})."),
    "colour-unreadable": gettext_noop("“{text}” is not a colour (round {round}). Enter w, b or -."),
    "result-unreadable": gettext_noop(
        "“{text}” is not a result (round {round}). Enter 1 = 0 + - W D L H F U or Z."
    ),
    "bye-with-opponent": gettext_noop(
        "A bye ({result}) in round {round} names opponent {opponent}. Delete the opponent or enter the "
        "result."
    ),
    "opponent-missing": gettext_noop(
        "A game in round {round} (colour {colour}, result {result}) names no opponent. Enter the opponent."
    ),
    "opponent-unknown": gettext_noop(
        "Opponent {opponent} of round {round} is not in the report. Correct the number or add the player."
    ),
    "opponent-self": gettext_noop(
        "Player {number} is paired with themselves in round {round}. Correct the opponent number."
    ),
    "pairing-asymmetric": gettext_noop(
        "Round {round}: player {number} names {opponent}, but {opponent} (line {other_line}) names "
        "{other}. Correct one of them."
    ),
    "colours-same": gettext_noop(
        "Round {round}: players {number} and {opponent} (line {other_line}) both have {colour}. Correct "
        "one of them."
    ),
    "colour-missing": gettext_noop(
        "Round {round}: the game of {number} and {opponent} (line {other_line}) has no colour. Enter w and b."
    ),
    "results-contradict": gettext_noop(
        "Round {round}: “{result}” contradicts “{other_result}” of opponent {opponent} (line "
        "{other_line}). Correct one of them."
    ),
}

WARNINGS = {
    "encoding-broken": gettext_noop(
        "A character was damaged before the upload (“{text}”). Correct it, or export again in UTF-8."
    ),
    "control-character": gettext_noop(
        "The line has an invisible control character (U+{character}). Delete it."
    ),
    "tab": gettext_noop(
        "The line has a tab, which shifts its columns. Replace it with spaces as in the proposed line."
    ),
    "column-occupied": gettext_noop(
        "Column {column} must be blank. A field next to it is shifted or too long."
    ),
    "record-unknown": gettext_noop(
        "“{tag}” is not a TRF record, so the line is ignored. Correct the first 3 characters or "
        "delete the line."
    ),
    "text-outside": gettext_noop(
        "This line does not start with a record and is ignored. Delete it, or join it to the line it "
        "belongs to."
    ),
    "record-duplicate": gettext_noop(
        "Record {tag} is already in line {first}, so this one is ignored. Keep the correct one."
    ),
    "record-missing": gettext_noop(
        "Record {tag} ({meaning}) is missing or empty. Enter it in the pairing program or add the line."
    ),
    "record-field": gettext_noop(
        "Record {tag} cannot be read in these columns. The line is saved but not used."
    ),
    "event-federation-code": gettext_noop(
        "“{text}” is not a federation code of 3 capital letters. Correct record 032."
    ),
    "event-federation-unknown": gettext_noop("No federation has the code “{text}”. Correct record 032."),
    "event-date-unreadable": gettext_noop("“{text}” is not a date. Enter it as YYYY/MM/DD."),
    "count-unreadable": gettext_noop("“{text}” is not a number. Correct record {tag}."),
    "player-count": gettext_noop(
        "Record 062 says {said} players, but the report has {counted}. Check that no player is missing."
    ),
    "rounds-surplus": gettext_noop(
        "The report gives {said} rounds, but has results of {counted}. Correct the number or the results."
    ),
    "round-date-unreadable": gettext_noop(
        "“{text}” is not a date. Enter the date of round {round} as YY/MM/DD."
    ),
    "round-date-outside": gettext_noop(
        "Round {round} on {day} is outside the tournament, {start} to {end}. Correct record 132, 042 or 052."
    ),
    "round-date-order": gettext_noop(
        "Round {round} on {day} is before the round that precedes it. Correct record 132."
    ),
    "time-control-unreadable": gettext_noop(
        "“{text}” is not an encoded time control, for example 900+10. Correct record 222."
    ),
    "time-control-unequal": gettext_noop(
        "White and Black have different times. Such games are not rated (article 1.2)."
    ),
    "time-controls-differ": gettext_noop(
        "Record 122 gives {said} seconds for 60 moves, record 222 gives {counted}. Correct one of them."
    ),
    "games-missing": gettext_noop("No game of the report is rated: no games were played over the board."),
    "sex-unknown": gettext_noop("“{text}” is not a sex. Enter m or w."),
    "title-unknown": gettext_noop(
        "“{text}” is not a title. Enter GM, IM, FM, CM, WGM, WIM, WFM, WCM or nothing."
    ),
    "player-is-bye": gettext_noop(
        "Player {number} is called “{name}”, which is a bye and not a person. Delete the line, and enter U or F for "
        "the players who name it."
    ),
    "name-missing": gettext_noop("Player {number} has no name. Enter the name."),
    "rating-unreadable": gettext_noop("“{text}” is not a rating and was ignored."),
    "rating-out-of-range": gettext_noop("A rating of {rating} is outside {lowest} to {highest}. Check it."),
    "federation-code": gettext_noop("“{text}” is not a federation code of 3 capital letters."),
    "birth-unreadable": gettext_noop(
        "“{text}” is not a date of birth. Enter it as YYYY/MM/DD or YYYY/00/00."
    ),
    "birth-impossible": gettext_noop(
        "The year of birth {year} is impossible for a player of a tournament in {event}. Correct the date."
    ),
    "event-year-impossible": gettext_noop(
        "The tournament is dated {event}, a year in which none of its players can have played. Correct records 042 and "
        "052."
    ),
    "points-unreadable": gettext_noop("“{text}” is not a number of points, for example 4.5."),
    "points-mismatch": gettext_noop(
        "The results of player {number} add up to {counted} points, but the line says {said}. Check "
        "the results."
    ),
    "rank-unreadable": gettext_noop("“{text}” is not a rank."),
    "result-unknown": gettext_noop(
        "“{text}” means an unknown result in round {round}, so the game is not rated. Enter the result."
    ),
    "result-missing": gettext_noop(
        "Round {round} has an opponent but no result in either line, so the game is not rated. Enter "
        "the result."
    ),
    "result-penalty": gettext_noop(
        "Round {round}: {number} and {opponent} have less than one point together. The game is rated with "
        "each player's own score (decision D-120). Confirm that the arbiter gave a penalty, or enter the result."
    ),
    "bye-as-result": gettext_noop(
        "Result {result} in round {round} has no opponent. Enter F or U for a bye, + or - for a "
        "forfeit, Z for an absence."
    ),
    "played-twice": gettext_noop(
        "Players {number} and {opponent} meet in rounds {first} and {round}. In a Swiss tournament "
        "they meet only once. Check the opponents."
    ),
    "team-player-unknown": gettext_noop("Team “{team}” lists player {number}, who is not in the report."),
    "team-player-twice": gettext_noop(
        "Player {number} is in team “{team}” and in “{other}”. A player can be in one team only."
    ),
    "team-mates-paired": gettext_noop(
        "Round {round}: players {number} and {opponent} are both in team “{team}”. Correct the opponent or the team."
    ),
    "player-without-team": gettext_noop(
        "Player {number} is not in a team. Add the player to the list of a team."
    ),
    "rating-correction-differs": gettext_noop(
        "Round {round}: a comment corrects the result of players {white} and {black} for rating, but their lines "
        "have another result. Correct one of them."
    ),
}

NOTICES = {
    "encoding-guessed": gettext_noop(
        "The file is not in UTF-8. It was read as {encoding}: {names}. Check the names, or export again in UTF-8."
    ),
    "encoding-utf-16": gettext_noop("The file is in UTF-16, but TRF programs expect UTF-8."),
    "line-ends-mixed": gettext_noop("The file has mixed line endings. Each was read as a line break."),
    "findings-left-off": gettext_noop(
        "At least {count} more issues are not shown. Correct these first and check again."
    ),
    "tab-as-blank": gettext_noop("The line has a tab, which was read as a space."),
    "record-misplaced": gettext_noop("Record {tag} comes after the players. Move it before them."),
    "record-advised": gettext_noop("Record {tag} ({meaning}) is missing or empty. TRF26 requires it."),
    "record-field-unused": gettext_noop(
        "Record {tag} cannot be read in these columns. It does not affect the rating."
    ),
    "rounds-begin-late": gettext_noop(
        "Round 1 was played on {day}, but the tournament started on {start}. Check records 132 and 042."
    ),
    "rounds-end-early": gettext_noop(
        "The last round was played on {day}, but the tournament ended on {end}. Check records 132 and 052."
    ),
    "federation-unknown": gettext_noop("No federation has the code “{text}”. Check it."),
    "event-date-ambiguous": gettext_noop("“{text}” was read as {day}. Enter dates as YYYY/MM/DD."),
    "rated-count": gettext_noop("Record 072 says {said} rated players, but {counted} have a rating."),
    "team-count": gettext_noop("Record 082 says {said} teams, but the report has {counted}."),
    "rounds-unplayed": gettext_noop("The report gives {said} rounds, but has results of only {counted}."),
    "round-dates-count": gettext_noop("Record 132 has {said} dates for {counted} rounds."),
    "player-number-gap": gettext_noop("Starting numbers go to {last}, but there are {count} players."),
    "federation-lower-case": gettext_noop("The federation “{text}” was read in capital letters."),
    "fide-id-again": gettext_noop(
        "FIDE ID {fide_id} also belongs to player {first} in line {first_line}. One of the two has "
        "played no game."
    ),
    "fide-id-check-digit": gettext_noop("FIDE ID {fide_id} has a wrong check digit. Check the number."),
    "ranks-missing": gettext_noop(
        "No player has a rank. Export the report again after the last round, with the final standings."
    ),
    "rank-duplicate": gettext_noop("Rank {rank} also belongs to player {other} in line {other_line}."),
    "rank-order": gettext_noop(
        "Rank {rank} with {points} points is below {other_points} points of rank {other_rank}."
    ),
    "result-spelling": gettext_noop("“{text}” in round {round} was read as “{meant}”."),
    "bye-as-draw": gettext_noop(
        "A draw without an opponent in round {round} was read as a half-point bye (H)."
    ),
    "forfeit-asymmetric": gettext_noop(
        "Round {round}: player {number} has a forfeit against {opponent}, who has no opponent (line "
        "{other_line})."
    ),
    "forfeit-colours": gettext_noop(
        "Round {round}: players {number} and {opponent} both have {colour} in a game not played."
    ),
    "played-again": gettext_noop("Players {number} and {opponent} meet in rounds {first} and {round}."),
    "byes-in-round": gettext_noop("Round {round} has {count} pairing-allocated byes (U). One is usual."),
    "team-empty": gettext_noop("Team “{team}” has no players. Add its players or delete the team."),
    "record-player-unknown": gettext_noop("Record {tag} names player {number}, who is not in the report."),
    "record-team-unknown": gettext_noop("Record {tag} names team {number}, which is not in the report."),
    "rating-correction": gettext_noop(
        "Round {round}: the result of players {white} and {black} is corrected for rating. The pairings and points "
        "used another result."
    ),
    "record-round-unknown": gettext_noop(
        "Record {tag} names round {round}, but the report has {rounds} rounds."
    ),
}

MESSAGES: Mapping[str, str] = {**ERRORS, **WARNINGS, **NOTICES}
SEVERITIES: Mapping[str, Severity] = {
    **dict.fromkeys(ERRORS, Severity.ERROR),
    **dict.fromkeys(WARNINGS, Severity.WARNING),
    **dict.fromkeys(NOTICES, Severity.NOTICE),
}

# What the codes of all catalogues say, those of the portal too.
TEMPLATES: dict[str, str] = {}
ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTICE: 2}


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of a report: an error blocks it, a warning must be acknowledged, a notice informs.

    `line` and `column` count from 1; None is the whole file or the whole line. `fix` is the whole line as it
    should be, where that is certain. What it says is made of `code` and `params` when it is shown.
    """

    code: str
    severity: Severity
    line: int | None
    column: int | None
    length: int
    fix: str | None = None
    params: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """The finding in English."""
        return TEMPLATES[self.code].format(**self.params)

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
    TEMPLATES.update(messages)

    def find(code: str, place: Place = WHOLE_FILE, /, **params: str | int) -> Finding:
        return Finding(code, severities[code], *place, None, params)

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
