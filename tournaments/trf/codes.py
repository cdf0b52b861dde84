"""The codes of findings that a report's text alone shows, each declared once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Literal


class Severity(StrEnum):
    """What a finding asks for: correction, a sentence of acknowledgement, or nothing."""

    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True)
class Code:
    """A code: severity, sentence in English, and the title of findings: as one and many, or of the only one.

    `layout` is how a page shows its findings. `of_another` is what says that a line is of another person than its
    FIDE ID (D-118, D-130). What both lines of a game say of it is one problem with `is_of_a_game`, as with the layout
    `games`; so is, with `is_of_two_lines`, what is wrong with two lines at once, with a fix for each. `said_better` is
    the code by which the portal says it with more knowledge. Leaving the rounds out that it names mends one with
    `names_rounds`. An error may be lifted by a reason of its own (D-135) or by the QC (D-129); one reason for all
    other warnings does not answer one that `is_answered_alone`. What `is_of_owner` compares the line with the player
    whose FIDE ID it has. Somebody has to decide on one that `is_decided`, as on games and days, so that no button for
    all fixes takes it.
    """

    severity: Severity
    text: str
    title: tuple[str, str] | str = ""
    layout: Literal["texts", "people", "games", "shifts", "days"] = "texts"
    of_another: Literal["", "name", "person"] = ""
    said_better: str = ""
    is_of_a_game: bool = False
    is_of_two_lines: bool = False
    names_rounds: bool = False
    lifted_by: Literal["", "reason", "qc"] = ""
    is_answered_alone: bool = False
    is_of_owner: bool = False
    is_decided: bool = False


_error, _warning, _notice = (partial(Code, severity) for severity in Severity)


def _n(one: str, many: str) -> tuple[str, str]:
    """Mark a title for translation."""
    return one, many


def _one(text: str) -> str:
    """Mark the title of what a report has once for translation."""
    return text


FILE = {
    "file-too-large": _error("The file must be {limit} MiB or smaller. Upload only the report."),
    "empty-file": _error("The file is empty. Export the report again."),
    "html-page": _error("This is a web page, not a report. Download the TRF file and upload it."),
    "pdf-file": _error("This is a PDF file. Export the tournament as TRF and upload that file."),
    "office-file": _error(
        "This is a spreadsheet or an office document. Export the tournament as TRF from the pairing program and "
        "upload that file."
    ),
    "archive-file": _error("This is an archive. Unpack it and upload the report in it."),
    "vega-file": _error(
        "This is Vega's own tournament file. Choose Rating Report, FIDE, Rating Report to FIDE in Vega and upload "
        "the file that it saves."
    ),
    "vega-engine-file": _error(
        "This is what Vega writes for its pairing engine: it is a round behind, with wrong dates and names. Choose "
        "Rating Report, FIDE, Rating Report to FIDE in Vega after the last round and upload the file that it saves."
    ),
    "program-database": _error(
        "This is the database of a pairing program. Export the tournament as TRF in the program and upload that "
        "file. From Papi, export with Sharly Chess, or upload the crosstable as CSV to a registered tournament."
    ),
    "program-file": _error(
        "This is the own file of a program (XML or JSON). Export the tournament as TRF in the program and upload "
        "that file."
    ),
    "pgn-file": _error(
        "These are games in PGN, not a report. Export the tournament as TRF and upload that file. The PGN belongs "
        "beside the report of a hybrid tournament."
    ),
    "rating-list-file": _error(
        "This is a rating list, not a report. Export the tournament as TRF and upload that file."
    ),
    "table-file": _error(
        "This is a table, not a report. Export the tournament as TRF and upload that file, or upload the crosstable "
        "as CSV, XLSX, XLS or ODS on the page of the registered tournament."
    ),
    "two-tournaments": _error(
        "The file has two tournaments: “{first}”, and from this line on “{second}”. Upload each in a separate file. "
        "Only the first was read."
    ),
    "binary-file": _error(
        "This is neither a report (TRF) nor a table. Export the tournament as TRF and upload that file."
    ),
    "not-a-report": _error("The file has no TRF records. Export the tournament as TRF and upload that file."),
    "players-missing": _error("The report has no player record (001). Export it again with its players."),
    "too-many-lines": _error(
        "The file has {count} lines. Only the first {limit} were read. Upload only the report."
    ),
    "too-many-players": _error(
        "The report has more than {limit} players. Those from this line on were not read."
    ),
    "too-many-rounds": _error(
        "The line has more than {limit} rounds. Those from this column on were not read."
    ),
    "line-too-long": _error(
        "The line has {count} characters. Only the first {limit} were read.",
        _n("%d line is too long", "%d lines are too long"),
    ),
    "encoding-guessed": _notice(
        "The file is not in UTF-8. It was read as {encoding}: {names}. Check the names, or export again in UTF-8."
    ),
    "encoding-utf-16": _notice("The file is in UTF-16, but TRF programs expect UTF-8."),
    "encoding-broken": _warning(
        "A character was damaged before the upload (“{text}”). Correct it, or export again in UTF-8.",
        _n("%d line has a damaged character", "%d lines have damaged characters"),
    ),
    "control-character": _warning(
        "The line has an invisible control character (U+{character}). Delete it.",
        _n("%d line has an invisible character", "%d lines have invisible characters"),
    ),
    "line-ends-mixed": _notice("The file has mixed line endings. Each was read as a line break."),
    "findings-left-off": _notice(
        "At least {count} more issues are not shown. Correct these first and check again."
    ),
}
LINES = {
    "tab": _warning(
        "The line has a tab, which shifts its columns. Replace it with spaces as in the proposed line.",
        _n("%d line has a tab that hides its columns", "%d lines have tabs that hide their columns"),
    ),
    "tab-as-blank": _notice(
        "The line has a tab, which was read as a space.", _n("%d line has a tab", "%d lines have tabs")
    ),
    "shifted-columns": _error(
        "The fields of the line are shifted {direction} by {by} from column {column} on. Use the proposed line.",
        _n("%d line has shifted columns", "%d lines have shifted columns"),
        layout="shifts",
    ),
    "column-occupied": _warning(
        "Column {column} must be blank. A field next to it is shifted or too long.",
        _n(
            "%d line has text in a column that must be blank",
            "%d lines have text in columns that must be blank",
        ),
    ),
    "record-unknown": _warning(
        "“{tag}” is not a TRF record, so the line is ignored. Correct the first 3 characters or delete the line.",
        _n("%d record is not a TRF record", "%d records are not TRF records"),
    ),
    "text-outside": _warning(
        "This line does not start with a record and is ignored. Delete it, or join it to the line it belongs to.",
        _n("%d line has no record", "%d lines have no record"),
    ),
    "record-duplicate": _warning(
        "Record {tag} is already in line {first}, so this one is ignored. Keep the correct one.",
        _n("%d record is given twice", "%d records are given twice"),
    ),
    "record-misplaced": _notice(
        "Record {tag} comes after the players. Move it before them.",
        _n("%d record is after the players", "%d records are after the players"),
    ),
    "record-missing": _warning(
        "Record {tag} ({meaning}) is missing or empty. Enter it in the pairing program or add the line.",
        _n("%d record is missing", "%d records are missing"),
    ),
    "record-advised": _notice(
        "Record {tag} ({meaning}) is missing or empty. TRF26 requires it.",
        _n("%d recommended record is missing", "%d recommended records are missing"),
    ),
    "record-field": _warning(
        "Record {tag} cannot be read in these columns. The line is saved but not used.",
        _n("%d record cannot be read", "%d records cannot be read"),
    ),
}
TOURNAMENT = {
    "event-federation-code": _warning(
        "“{text}” is not a federation code of 3 capital letters. Correct record 032."
    ),
    "event-federation-unknown": _warning("No federation has the code “{text}”. Correct record 032."),
    "record-field-unused": _notice(
        "Record {tag} cannot be read in these columns. It does not affect the rating.",
        _n("%d record for information cannot be read", "%d records for information cannot be read"),
    ),
    "rounds-begin-late": _notice(
        "Round 1 was played on {day}, but the tournament started on {start}. Check records 132 and 042."
    ),
    "rounds-end-early": _notice(
        "The last round was played on {day}, but the tournament ended on {end}. Check records 132 and 052."
    ),
    "event-date-unreadable": _warning("“{text}” is not a date. Enter it as YYYY/MM/DD."),
    "event-date-ambiguous": _notice("“{text}” was read as {day}. Enter dates as YYYY/MM/DD."),
    "event-dates-reversed": _error(
        "The last day, {end}, is before the first, {start}. Correct records 042 and 052."
    ),
    "count-unreadable": _warning("“{text}” is not a number. Correct record {tag}."),
    "player-count": _warning(
        "Record 062 says {said} players, but the report has {counted}. Check that no player is missing.",
        is_decided=True,
    ),
    "rated-count": _notice(
        "Record 072 says {said} rated players, but {counted} have a rating.", is_decided=True
    ),
    "team-count": _notice("Record 082 says {said} teams, but the report has {counted}.", is_decided=True),
    "rounds-unplayed": _notice("The report gives {said} rounds, but has results of only {counted}."),
    "rounds-surplus": _warning(
        "The report gives {said} rounds, but has results of {counted}. Correct the number or the results."
    ),
    "round-date-unreadable": _warning(
        "“{text}” is not a date. Enter the date of round {round} as YY/MM/DD.",
        _n("%d date of a round cannot be read", "%d dates of rounds cannot be read"),
    ),
    "round-date-outside": _warning(
        "The tournament is on {dates}, round {rounds} on {days}. Correct record 132, 042 or 052.",
        _n(
            "%d round is outside the dates of the tournament",
            "%d rounds are outside the dates of the tournament",
        ),
        is_decided=True,
    ),
    "round-date-order": _warning(
        "Round {round} on {day} is before the round that precedes it. Correct record 132.",
        _n("%d round is before an earlier round", "%d rounds are before earlier rounds"),
    ),
    "round-dates-count": _notice("Record 132 has {said} dates for {counted} rounds."),
    "rounds-a-day": _error(
        "{count} rounds on {day}. At most {limit} a day can be rated for any rating type (article 3.1). Correct "
        "the dates.",
        _n("%d date has too many rounds", "%d dates have too many rounds"),
        said_better="rounds-a-day-3.1",
    ),
    "time-control-unreadable": _warning(
        "“{text}” is not an encoded time control, for example 900+10. Correct record 222."
    ),
    "time-control-unequal": _warning(
        "White and Black have different times. Such games are not rated (article 1.2).",
        said_better="unequal-times-1.2",
    ),
    "time-controls-differ": _warning(
        "Record 122 gives {said} seconds for 60 moves, record 222 gives {counted}. Correct one of them."
    ),
    "games-missing": _warning("No game of the report is rated: no games were played over the board."),
}
PLAYERS = {
    "player-number": _error(
        "“{text}” is not a starting number from 1 to 9999, so the line is ignored.",
        _n("%d starting number cannot be used", "%d starting numbers cannot be used"),
    ),
    "player-number-duplicate": _error(
        "Starting number {number} is already in line {first}. Give each player a different number.",
        _n("%d starting number is given twice", "%d starting numbers are given twice"),
    ),
    "player-number-wrong": _error(
        "Starting number {number} should be {right}, the number that the opponents have for this player.",
        _n("%d starting number is wrong", "%d starting numbers are wrong"),
    ),
    "player-number-gap": _notice("Starting numbers go to {last}, but there are {count} players."),
    "sex-unknown": _warning(
        "“{text}” is not a sex. Enter m or w.",
        _n("%d sex cannot be read", "%d sexes cannot be read"),
        said_better="sex",
    ),
    "title-unknown": _warning(
        "“{text}” is not a title. Enter GM, IM, FM, CM, WGM, WIM, WFM, WCM or nothing.",
        _n("%d title cannot be read", "%d titles cannot be read"),
        said_better="title-differs",
    ),
    "name-missing": _warning(
        "Player {number} has no name. Enter the name.",
        _n("%d player has no name", "%d players have no names"),
    ),
    "rating-unreadable": _warning(
        "“{text}” is not a rating. Enter a number or nothing.",
        _n("%d rating cannot be read", "%d ratings cannot be read"),
    ),
    "rating-out-of-range": _warning(
        "A rating of {rating} is outside {lowest} to {highest}. Check it.",
        _n("%d rating is out of range", "%d ratings are out of range"),
    ),
    "federation-code": _warning(
        "“{text}” is not a federation code of 3 capital letters.",
        _n("%d federation is not a code of 3 letters", "%d federations are not codes of 3 letters"),
    ),
    "federation-unknown": _notice(
        "No federation has the code “{text}”. Check it.",
        _n("%d federation is unknown", "%d federations are unknown"),
    ),
    "federation-lower-case": _notice(
        "The federation “{text}” was read in capital letters.",
        _n("%d federation is in small letters", "%d federations are in small letters"),
    ),
    "fide-id-unreadable": _error(
        "“{text}” is not a FIDE ID, so the player is unknown. Enter the number or leave it blank.",
        _n("%d FIDE ID is not a number", "%d FIDE IDs are not numbers"),
    ),
    "fide-id-duplicate": _error(
        "FIDE ID {fide_id} already belongs to player {first} in line {first_line}. Give each player a different ID.",
        _n("%d FIDE ID is on two lines", "%d FIDE IDs are on two lines"),
        said_better="player-twice",
    ),
    "lines-of-one-person": _error(
        "Players {first} (line {first_line}) and {number} are one person, FIDE ID {fide_id}, with games in different "
        "rounds. Join the lines: write the games of this line into line {first_line}, and {first} for {number} in "
        "the lines of the opponents.",
        _n(
            "%d person is on two lines, with games in different rounds",
            "%d persons are on two lines, with games in different rounds",
        ),
    ),
    "fide-id-again": _notice(
        "FIDE ID {fide_id} also belongs to player {first} in line {first_line}. One of the two has played no game.",
        _n("%d FIDE ID is on a second line without games", "%d FIDE IDs are on second lines without games"),
        said_better="id-of-used-line",
    ),
    "fide-id-check-digit": _notice(
        "FIDE ID {fide_id} has a wrong check digit. Check the number.",
        _n("%d FIDE ID has a wrong check digit", "%d FIDE IDs have a wrong check digit"),
        said_better="id-unknown",
    ),
    "birth-unreadable": _warning(
        "“{text}” is not a date of birth. Enter it as YYYY/MM/DD or YYYY/00/00.",
        _n("%d date of birth cannot be read", "%d dates of birth cannot be read"),
    ),
    "birth-impossible": _warning(
        "The year of birth {year} is impossible for a player of a tournament in {event}. Correct the date.",
        _n("%d year of birth is impossible", "%d years of birth are impossible"),
    ),
    "event-year-impossible": _warning(
        "The tournament is dated {event}, a year in which none of its players can have played. Correct records 042 "
        "and 052."
    ),
    "points-unreadable": _warning(
        "“{text}” is not a number of points, for example 4.5.",
        _n("%d number of points cannot be read", "%d numbers of points cannot be read"),
    ),
    "points-mismatch": _warning(
        "The results of player {number} add up to {counted} points, but the line says {said}. Check the results.",
        _n(
            "%d player has points that do not match the results",
            "%d players have points that do not match the results",
        ),
        is_decided=True,
    ),
    "rank-unreadable": _warning(
        "“{text}” is not a rank.", _n("%d rank cannot be read", "%d ranks cannot be read")
    ),
    "ranks-missing": _notice(
        "No player has a rank. Export the report again after the last round, with the final standings."
    ),
    "player-is-bye": _warning(
        "Player {number} is called “{name}”, which is a bye and not a person. Delete the line, and enter U or F for "
        "the players who name it.",
        _n("%d player is a bye and not a person", "%d players are byes and not persons"),
    ),
    "rank-duplicate": _notice(
        "Rank {rank} also belongs to player {other} in line {other_line}.",
        _n("%d rank is given twice", "%d ranks are given twice"),
    ),
    "rank-order": _notice(
        "Rank {rank} with {points} points is below {other_points} points of rank {other_rank}.",
        _n("%d rank does not follow the points", "%d ranks do not follow the points"),
    ),
}
ROUNDS = {
    "round-unreadable": _error(
        "Round {round} cannot be read: “{text}”. Enter opponent, colour and result in their columns.",
        _n("%d round of a player cannot be read", "%d rounds of players cannot be read"),
    ),
    "opponent-unreadable": _error(
        "“{text}” is not an opponent's starting number (round {round}).",
        _n("%d opponent cannot be read", "%d opponents cannot be read"),
    ),
    "colour-unreadable": _error(
        "“{text}” is not a colour (round {round}). Enter w, b or -.",
        _n("%d colour cannot be read", "%d colours cannot be read"),
    ),
    "result-unreadable": _error(
        "“{text}” is not a result (round {round}). Enter 1 = 0 + - W D L H F U or Z.",
        _n("%d result cannot be read", "%d results cannot be read"),
    ),
    "result-unknown": _warning(
        "“{text}” means an unknown result in round {round}, so the game is not rated. Enter the result.",
        _n("%d game has an unknown result", "%d games have an unknown result"),
    ),
    "result-missing": _warning(
        "Round {round} has an opponent but no result in either line, so the game is not rated. Enter the result.",
        _n("%d game has no result", "%d games have no result"),
        layout="games",
    ),
    "result-penalty": _warning(
        "Round {round}: {number} and {opponent} have less than one point together. The game is rated with each "
        "player's own score. Confirm that the arbiter gave a penalty, or enter the result.",
        _n("%d game has a penalty in its result", "%d games have penalties in their results"),
        layout="games",
    ),
    "result-spelling": _notice(
        "“{text}” in round {round} was read as “{meant}”.",
        _n("%d result has an unusual spelling", "%d results have an unusual spelling"),
    ),
    "bye-as-draw": _notice(
        "A draw without an opponent in round {round} was read as a half-point bye (H).",
        _n("%d bye is written as a draw", "%d byes are written as a draw"),
    ),
    "bye-as-result": _warning(
        "Result {result} in round {round} has no opponent. Enter F or U for a bye, + or - for a forfeit, Z for an "
        "absence.",
        _n("%d result has no opponent", "%d results have no opponent"),
    ),
    "bye-with-opponent": _error(
        "A bye ({result}) in round {round} names opponent {opponent}. Delete the opponent or enter the result.",
        _n("%d bye has an opponent", "%d byes have an opponent"),
    ),
    "opponent-missing": _error(
        "A game in round {round} (colour {colour}, result {result}) names no opponent. Enter the opponent.",
        _n("%d game has no opponent", "%d games have no opponent"),
    ),
    "opponent-unknown": _error(
        "Opponent {opponent} of round {round} is not in the report. Correct the number or add the player.",
        _n("%d opponent is not in the report", "%d opponents are not in the report"),
    ),
    "opponent-self": _error(
        "Player {number} is paired with themselves in round {round}. Correct the opponent number.",
        _n("%d player meets themselves", "%d players meet themselves"),
    ),
    "pairing-asymmetric": _error(
        "Round {round}: player {number} names {opponent}, but {opponent} (line {other_line}) names {other}. Correct "
        "one of them.",
        _n("%d pairing is on one of two lines only", "%d pairings are on one of two lines only"),
    ),
    "forfeit-asymmetric": _notice(
        "Round {round}: player {number} has a forfeit against {opponent}, who has no opponent (line {other_line}).",
        _n("%d forfeit is on one of two lines only", "%d forfeits are on one of two lines only"),
    ),
    "colours-same": _error(
        "Round {round}: players {number} and {opponent} (line {other_line}) both have {colour}. Correct one of them.",
        _n("%d game has the same colour on both lines", "%d games have the same colour on both lines"),
        is_of_a_game=True,
    ),
    "colour-missing": _error(
        "Round {round}: the game of {number} and {opponent} (line {other_line}) has no colour. Enter w and b.",
        _n("%d game has no colours", "%d games have no colours"),
        is_of_a_game=True,
    ),
    "forfeit-colours": _notice(
        "Round {round}: players {number} and {opponent} both have {colour} in a game not played.",
        _n("%d forfeit has the same colour on both lines", "%d forfeits have the same colour on both lines"),
        is_of_a_game=True,
    ),
    "results-contradict": _error(
        "Round {round}: “{result}” contradicts “{other_result}” of opponent {opponent} (line {other_line}). Correct "
        "one of them.",
        _n("%d game has contradicting results", "%d games have contradicting results"),
        layout="games",
    ),
    "played-twice": _warning(
        "Players {number} and {opponent} meet in rounds {first} and {round}. In a Swiss tournament they meet only "
        "once. Check the opponents.",
        _n("%d pair of players meets twice", "%d pairs of players meet twice"),
    ),
    "played-again": _notice(
        "Players {number} and {opponent} meet in rounds {first} and {round}.",
        _n("%d pair of players meets again", "%d pairs of players meet again"),
    ),
    "byes-in-round": _notice(
        "Round {round} has {count} pairing-allocated byes (U). One is usual.",
        _n("%d round has more than 1 bye", "%d rounds have more than 1 bye"),
    ),
}
RECORDS = {
    "team-player-unknown": _warning(
        "Team “{team}” lists player {number}, who is not in the report.",
        _n(
            "%d team has a player who is not in the report", "%d teams have players who are not in the report"
        ),
    ),
    "team-player-twice": _warning(
        "Player {number} is in team “{team}” and in “{other}”. A player can be in one team only.",
        _n("%d player is in two teams", "%d players are in two teams"),
    ),
    "team-mates-paired": _warning(
        "Round {round}: players {number} and {opponent} are both in team “{team}”. Correct the opponent or the team.",
        _n("%d game is between players of one team", "%d games are between players of one team"),
    ),
    "player-without-team": _warning(
        "Player {number} is not in a team. Add the player to the list of a team.",
        _n("%d player has no team", "%d players have no team"),
    ),
    "team-empty": _notice(
        "Team “{team}” has no players. Add its players or delete the team.",
        _n("%d team has no players", "%d teams have no players"),
    ),
    "rating-correction": _notice(
        "Round {round}: the result of players {white} and {black} is corrected for rating. The pairings and points "
        "used another result."
    ),
    "rating-correction-differs": _warning(
        "Round {round}: a comment corrects the result of players {white} and {black} for rating, but their lines "
        "have another result. Correct one of them."
    ),
    "record-player-unknown": _notice(
        "Record {tag} names player {number}, who is not in the report.",
        _n("%d record names an unknown player", "%d records name unknown players"),
    ),
    "record-team-unknown": _notice(
        "Record {tag} names team {number}, which is not in the report.",
        _n("%d record names an unknown team", "%d records name unknown teams"),
    ),
    "record-round-unknown": _notice(
        "Record {tag} names round {round}, but the report has {rounds} rounds.",
        _n("%d record names an unknown round", "%d records name unknown rounds"),
    ),
}
OWN_SECTIONS = {
    "The file": FILE,
    "Lines": LINES,
    "Tournament": TOURNAMENT,
    "Players": PLAYERS,
    "Rounds": ROUNDS,
    "Teams and other records": RECORDS,
}
