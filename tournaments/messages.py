"""The codes of the portal's own findings: English message by severity, a template for the values of the finding."""

from __future__ import annotations

from collections.abc import Mapping

from tournaments.trf import Severity
from tournaments.trf.findings import finder, gettext_noop

PORTAL_ERRORS = {
    "event-days": gettext_noop(
        "The report is of an event on {reported}; the tournament is registered for {registered}. "
        "Upload the report of this tournament, or have the registration changed."
    ),
    "unequal-times-1.2": gettext_noop(
        "Record {tag} gives White and Black different times; the tournament is registered with equal times. Correct "
        "the record, or have the registration changed (1.2, D-83)."
    ),
    "match-games-missing": gettext_noop(
        "The match has {players} players, so the report is of several matches. Have the number of games of a match "
        "added to the registration (5, D-84)."
    ),
    "event-dates-others": gettext_noop(
        "The rounds were played from {reported} (132); the tournament is registered for {registered}. Upload the "
        "report of this tournament, or have the registration changed (D-85)."
    ),
    "participants-unknown": gettext_noop(
        "No player of the report is known by a FIDE ID, so nothing in it can be rated. Add the FIDE IDs (D-85)."
    ),
    "report-again": gettext_noop(
        "This very file is the accepted report of {name} ({event_id}). Upload the report of this tournament, or have "
        "the other one withdrawn (D-86)."
    ),
    "event-before-lists": gettext_noop(
        "The event began on {start}, before the first {kind} list in force, that of {first}: it cannot be rated "
        "(D-75)."
    ),
    "event-not-over": gettext_noop(
        "The tournament ends on {end}; its report can be submitted from that day on."
    ),
    "rounds-a-day-3.1": gettext_noop(
        "{rounds} rounds on {day}; at most {limit} a day are rated (3.1, D-16)."
    ),
    "rounds-in-all-3.1": gettext_noop(
        "{rounds} rounds in {days} days; at most {limit} a day are rated (3.1, D-16)."
    ),
    "player-twice": gettext_noop(
        "Players {first} and {second} are the same person, FIDE ID {fide_id}. Give each line its own FIDE ID."
    ),
    "pgn-unreadable": gettext_noop(
        "The PGN has no game that can be read. Export the games again as PGN text."
    ),
    "pgn-too-large": gettext_noop(
        "The PGN has more than {limit} {what}; the rest was not read. Upload the games of this event alone."
    ),
    "pgn-game-missing": gettext_noop(
        "The PGN lacks the game of round {round} between {white} and {black} (8.4). Add it."
    ),
    "pgn-result-differs": gettext_noop(
        "Round {round}, {white} against {black}: {reported} in the report, {played} in game {game} "
        "of the PGN. Correct the wrong one."
    ),
    "pgn-colours-differ": gettext_noop(
        "Round {round}: {white} has White in the report and Black in game {game} of the PGN. "
        "Correct the wrong one."
    ),
    "pgn-id-differs": gettext_noop(
        "Game {game} of the PGN gives {name} the FIDE ID {played}; the report has {reported}. Correct the wrong one."
    ),
    "pgn-result-contradicts": gettext_noop(
        "Game {game} of the PGN, {white} against {black}: the Result tag says {tag}, the moves end in {played}. "
        "Correct the wrong one."
    ),
    "pgn-illegal-move": gettext_noop(
        "Game {game} of the PGN, {white} against {black}, cannot be played after {plies} single moves: "
        "{reason}. Correct the moves."
    ),
    "pgn-moves-missing": gettext_noop(
        "Game {game} of the PGN, {white} against {black}, has {plies} single moves; one in which not "
        "both have moved is not rated (4.1). Add the moves, or report a forfeit."
    ),
}

PORTAL_WARNINGS = {
    "event-federation": gettext_noop(
        "The report is of an event in {reported}; the tournament is registered by {registered}."
    ),
    "event-name": gettext_noop(
        "The report calls the event “{reported}”; it is registered as “{registered}”."
    ),
    "event-days-missing": gettext_noop(
        "The report does not say (042, 052) on which days the event was played; "
        "those of the registration are taken."
    ),
    "event-kind": gettext_noop(
        "The time control of the report, “{reported}”, is that of a {reported_kind} event; the tournament is "
        "registered as {registered_kind} (1.1). Check which is right."
    ),
    "event-time-control": gettext_noop(
        "The time control of the report is “{reported}”; {registered} is registered."
    ),
    "event-rounds": gettext_noop(
        "The report is of {reported} rounds; the registered schedule has {registered}."
    ),
    "event-arbiter": gettext_noop(
        "The report names {reported} as chief arbiter; the registration {registered}."
    ),
    "event-again": gettext_noop(
        "{common} of the {games} games of this report are also in that of “{name}” ({event_id}, {start}), "
        "with the same players and results. An event is rated once: check that this is another one."
    ),
    "president-average-0.2": gettext_noop(
        "The average rating of the participants is {average}; the President's decision holds "
        "only above {limit} (0.2): nothing is rated."
    ),
    "arbiter-id-of-another": gettext_noop(
        "FIDE ID {fide_id} in record {tag} belongs to {registered}, not to {reported}."
    ),
    "id-missing": gettext_noop(
        "Player {number}, {name}, has no FIDE ID: opponents' games with them do not count, and "
        "nothing is rated for them."
    ),
    "id-unknown": gettext_noop(
        "FIDE ID {fide_id} of player {number}, {name}, is not registered in the portal: they count as "
        "unrated and nothing is rated for them. Register the player or correct the ID."
    ),
    "id-of-another": gettext_noop(
        "FIDE ID {fide_id} belongs to {registered}, but the line is of {reported}. Correct the ID if "
        "that is another person."
    ),
    "player-deceased": gettext_noop(
        "{name} died on {died_on} by the portal's records, and has a game after that. Check who played."
    ),
    "player-rounds-a-day": gettext_noop(
        "{name} has {rounds} {kind} rounds on {day}, {others} of them in {events}; at most {limit} "
        "a day are allowed (3.1). Check the days and the player."
    ),
    "pgn-player-unknown": gettext_noop(
        "Game {game} of the PGN, {white} against {black}: {unknown} is not a player of the report."
    ),
    "pgn-round-differs": gettext_noop(
        "Game {game} of the PGN, {white} against {black}, is of round {played}; the report has it in round "
        "{reported}. Correct the Round tag or the report."
    ),
    "pgn-name-differs": gettext_noop(
        "Game {game} of the PGN gives the FIDE ID of {reported} to {played}. Check who played."
    ),
    "pgn-game-extra": gettext_noop(
        "Game {game} of the PGN, {white} against {black}, is not among the games of the report."
    ),
}

PORTAL_NOTICES = {
    "event-round-dates": gettext_noop("The report dates the rounds otherwise than the registered schedule."),
    "arbiter-unknown": gettext_noop("FIDE ID {fide_id} in record {tag} is not registered in the portal."),
    "id-merged": gettext_noop("FIDE ID {fide_id} of {name} was replaced by {successor}."),
    "id-of-used-line": gettext_noop(
        "FIDE ID {fide_id} of player {number}, {name}, stands on another line too; this one has no game "
        "and is left out."
    ),
    "birth-year": gettext_noop(
        "The report gives {reported} as the year of birth of {name}, the portal {registered}."
    ),
    "player-federation": gettext_noop(
        "The report gives {reported} as the federation of {name}, the portal {registered}."
    ),
    "sex": gettext_noop("The sex of {name} differs from the portal's."),
    "title-differs": gettext_noop(
        "The report gives {name} the title {reported}; on the list in force it is {registered}."
    ),
    "rating-differs": gettext_noop(
        "The report gives {name} a rating of {reported}; on the list in force of {list} it is "
        "{registered}, which is taken."
    ),
    "rating-unlisted": gettext_noop(
        "The report gives {name} a rating of {reported}; on the lists in force they have none and count "
        "as unrated."
    ),
    "performance-outlier": gettext_noop(
        "{name}, rated {rating}, scored {score} of {games} where {expected} were to be expected: "
        "{deviations} standard deviations {direction} or more. Check the ID and the results."
    ),
    "player-elsewhere": gettext_noop("{name} also played in “{event}” ({event_id}) on {day}."),
}

PORTAL_MESSAGES: Mapping[str, str] = {**PORTAL_ERRORS, **PORTAL_WARNINGS, **PORTAL_NOTICES}
PORTAL_SEVERITIES: Mapping[str, Severity] = {
    **dict.fromkeys(PORTAL_ERRORS, Severity.ERROR),
    **dict.fromkeys(PORTAL_WARNINGS, Severity.WARNING),
    **dict.fromkeys(PORTAL_NOTICES, Severity.NOTICE),
}
portal_finding = finder(PORTAL_MESSAGES, PORTAL_SEVERITIES)
