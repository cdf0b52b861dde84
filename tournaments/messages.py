"""The portal's own findings: the codes of each severity, with their messages in English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournaments.trf import Severity
from tournaments.trf.findings import TEMPLATES, finder, gettext_noop

PORTAL_ERRORS = {
    "president-average-0.2": gettext_noop(
        "The average rating of the participants is {average}. The President's decision applies only "
        "above {limit} (article 0.2), so nothing is rated."
    ),
    "event-days": gettext_noop(
        "The report is for a tournament on {reported}. The tournament is registered for {registered}. "
        "Upload the report of this tournament, or change the registration."
    ),
    "unequal-times-1.2": gettext_noop(
        "Record {tag} gives White and Black different times, but the tournament is registered with "
        "equal times. Correct the record, or change the registration (article 1.2, decision D-83)."
    ),
    "match-games-missing": gettext_noop(
        "The match has {players} players, so the report contains several matches. Add the number of "
        "games per match to the registration (article 5, decision D-84)."
    ),
    "event-dates-others": gettext_noop(
        "The rounds were played from {reported} (record 132). The tournament is registered for "
        "{registered}. Upload the report of this tournament, or change the registration (decision "
        "D-85)."
    ),
    "participants-unknown": gettext_noop(
        "No player in the report has a known FIDE ID, so nothing can be rated. Add the FIDE IDs "
        "(decision D-85)."
    ),
    "report-again": gettext_noop(
        "This file is already the accepted report of {name} ({event_id}). Upload the report of this "
        "tournament, or withdraw the other report (decision D-86)."
    ),
    "report-of-others": gettext_noop(
        "{common} of {players} players of this report are in the accepted version {version}. Upload the report of this "
        "tournament, or give the reason why it replaces that version (decision D-135)."
    ),
    "games-again": gettext_noop(
        "All {games} games of this report are in the accepted report of {name} ({event_id}, {start}). Upload the "
        "report of this tournament. Only the QC, which sees this, allows it, with a reason (decision D-129)."
    ),
    "first-rounds-again": gettext_noop(
        "Rounds {rounds} of this report are rounds of the accepted report of {name} ({event_id}, {start}), in the same "
        "order. Leave them out, or give their dates. Only the QC, which sees this, allows it, with a reason (decision "
        "D-129)."
    ),
    "rounds-again": gettext_noop(
        "Rounds {rounds} of this report are in the accepted report of {name} ({event_id}, {start}): {common} games. "
        "Leave them out, because each game is rated once (decision D-117)."
    ),
    "rounds-of-another-kind": gettext_noop(
        "Rounds {rounds} were played as {reported_kind} by the time control, but the tournament is registered as "
        "{registered_kind}. Leave them out, and report them with a tournament of their own (decision D-138)."
    ),
    "part-rounds-early": gettext_noop(
        "Rounds {rounds} were played up to {end}, the last day of the part before, {name} ({event_id}). Leave "
        "them out, because each part begins after the last one ends (decision D-117)."
    ),
    "event-before-lists": gettext_noop(
        "The tournament started on {start}, before the first {kind} list of {first}, so it cannot be "
        "rated (decision D-75)."
    ),
    "event-not-over": gettext_noop("The tournament ends on {end}. You can submit its report from that day."),
    "rounds-a-day-3.1": gettext_noop(
        "{rounds} rounds on {day}. At most {limit} a day are rated (article 3.1, decision D-16)."
    ),
    "rounds-in-all-3.1": gettext_noop(
        "{rounds} rounds in {days} days. At most {limit} a day are rated (article 3.1, decision D-16)."
    ),
    "player-twice": gettext_noop(
        "Players {first} and {second} are the same person, FIDE ID {fide_id}. Give each line its own FIDE ID."
    ),
    "pgn-unreadable": gettext_noop("The PGN has no readable game. Export the games again as PGN text."),
    "pgn-too-large": gettext_noop(
        "The PGN has more than {limit} {what}. The rest was not read. Upload only the games of this "
        "tournament."
    ),
    "pgn-game-missing": gettext_noop(
        "The PGN does not have the game of round {round} between {white} and {black} (article 8.4). Add it."
    ),
    "pgn-result-differs": gettext_noop(
        "Round {round}, {white} against {black}: {reported} in the report, {played} in game {game} of "
        "the PGN. Correct one of them."
    ),
    "pgn-colours-differ": gettext_noop(
        "Round {round}: {white} has White in the report and Black in game {game} of the PGN. Correct "
        "one of them."
    ),
    "pgn-id-differs": gettext_noop(
        "Game {game} of the PGN gives {name} the FIDE ID {played}, but the report has {reported}. "
        "Correct one of them."
    ),
    "pgn-result-contradicts": gettext_noop(
        "Game {game} of the PGN, {white} against {black}: the Result tag says {tag}, but the moves end "
        "in {played}. Correct one of them."
    ),
    "pgn-illegal-move": gettext_noop(
        "Game {game} of the PGN, {white} against {black}, cannot be played after {plies} half-moves: "
        "{reason}. Correct the moves."
    ),
    "pgn-moves-missing": gettext_noop(
        "Game {game} of the PGN, {white} against {black}, has {plies} half-moves. A game in which "
        "only one side moved is not rated (article 4.1). Add the moves, or report a forfeit."
    ),
}

PORTAL_WARNINGS = {
    "event-federation": gettext_noop(
        "The report is for a tournament in {reported}. The tournament is registered by {registered}."
    ),
    "event-name": gettext_noop(
        "The report names the tournament “{reported}”, but it is registered as “{registered}”."
    ),
    "event-days-missing": gettext_noop(
        "The report has no dates (records 042 and 052). The registered dates are used."
    ),
    "event-kind": gettext_noop(
        "The time control in the report, “{reported}”, is for {reported_kind}, but the tournament is "
        "registered as {registered_kind} (article 1.1). Check which is correct."
    ),
    "event-time-control": gettext_noop(
        "The report has the time control “{reported}”. The registered time control is {registered}."
    ),
    "event-rounds": gettext_noop(
        "The report has games in {reported} rounds. The registered schedule has {registered} rounds. Rounds that "
        "differ: {rounds} (decision D-138)."
    ),
    "event-arbiter": gettext_noop(
        "The report names {reported} as chief arbiter. The registration names {registered}."
    ),
    "version-leaves": gettext_noop(
        "The accepted version {version} has {players} players and {games} games that this report does not have: "
        "{names}. They leave if it replaces that version (decision D-135)."
    ),
    "few-games-again": gettext_noop(
        "All {games} games of this report are in the accepted report of {name} ({event_id}, {start}). Explain why they "
        "are other games (decision D-129)."
    ),
    "event-again": gettext_noop(
        "{common} of {games} games are also in the accepted report of “{name}” ({event_id}, {start}). Leave "
        "them out, or explain why they are other games (decision D-117)."
    ),
    "arbiter-id-of-another": gettext_noop(
        "FIDE ID {fide_id} in record {tag} belongs to {registered}, not to {reported}."
    ),
    "id-missing": gettext_noop(
        "Player {number}, {name}, has no FIDE ID. The player gets no rating change, and games against "
        "this player are unrated."
    ),
    "id-unknown": gettext_noop(
        "FIDE ID {fide_id} of player {number}, {name}, is not registered. The player counts as unrated "
        "and gets no rating change. Register the player or correct the ID."
    ),
    "id-of-another": gettext_noop(
        "FIDE ID {fide_id} belongs to {registered}, but this line is for {reported}. Correct the ID if "
        "this is a different person."
    ),
    "id-name-and-year": gettext_noop(
        "FIDE ID {fide_id} belongs to {registered}, born in {registered_year}, but this line is for {reported}, "
        "born in {reported_year}. Correct the ID (decision D-118)."
    ),
    "id-of-namesake": gettext_noop(
        "FIDE ID {fide_id} belongs to {registered}, born in {registered_year}, but this line is for a namesake "
        "born in {reported_year}, such as a parent or a child. Correct the ID (decision D-118)."
    ),
    "birth-year-apart": gettext_noop(
        "FIDE ID {fide_id} belongs to {name}, born in {registered}, but this line gives {reported} as the year of "
        "birth. Check the ID and the year (decision D-118)."
    ),
    "player-deceased": gettext_noop(
        "{name} died on {died_on} according to the portal, but has a later game. Check who played."
    ),
    "player-rounds-a-day": gettext_noop(
        "{name} has {rounds} {kind} rounds on {day}, {others} of them in {events}. At most {limit} a "
        "day are allowed (article 3.1). Check the dates and the player."
    ),
    "pgn-player-unknown": gettext_noop(
        "Game {game} of the PGN, {white} against {black}: {unknown} is not in the report."
    ),
    "pgn-round-differs": gettext_noop(
        "Game {game} of the PGN, {white} against {black}, is in round {played}, but in the report in "
        "round {reported}. Correct the Round tag or the report."
    ),
    "pgn-name-differs": gettext_noop(
        "Game {game} of the PGN gives the FIDE ID of {reported} to {played}. Check who played."
    ),
    "pgn-game-extra": gettext_noop("Game {game} of the PGN, {white} against {black}, is not in the report."),
}

PORTAL_NOTICES = {
    "event-time-control-unread": gettext_noop(
        "The time control in the report, “{reported}”, has no certain reading, so it is not compared with "
        "the registered {registered} (decision D-122). Check that it is the same."
    ),
    "event-round-dates": gettext_noop("The round dates in the report differ from the registered schedule."),
    "arbiter-unknown": gettext_noop("FIDE ID {fide_id} in record {tag} is not registered in the portal."),
    "id-merged": gettext_noop("FIDE ID {fide_id} of {name} was replaced by {successor}."),
    "id-of-used-line": gettext_noop(
        "FIDE ID {fide_id} of player {number}, {name}, is also on another line. This line has no games "
        "and is ignored."
    ),
    "birth-year": gettext_noop(
        "The report gives {reported} as the year of birth of {name}. The portal has {registered}."
    ),
    "player-federation": gettext_noop(
        "The report gives {reported} as the federation of {name}. The portal has {registered}."
    ),
    "sex": gettext_noop("The sex of {name} differs from the portal."),
    "title-differs": gettext_noop(
        "The report gives {name} the title {reported}. The list in effect has {registered}."
    ),
    "rating-differs": gettext_noop(
        "The report gives {name} a rating of {reported}. The list of {list} in effect has "
        "{registered}, which is used."
    ),
    "rating-unlisted": gettext_noop(
        "The report gives {name} a rating of {reported}. The lists in effect have none, so the player "
        "counts as unrated."
    ),
    "performance-outlier": gettext_noop(
        "{name}, rated {rating}, scored {score} of {games}. This is at least {deviations} standard "
        "deviations {direction} the expected score of {expected}. Check the FIDE ID and the results."
    ),
    "player-elsewhere": gettext_noop("{name} also played in “{event}” ({event_id}) on {day}."),
}

PORTAL_MESSAGES: Mapping[str, str] = {**PORTAL_ERRORS, **PORTAL_WARNINGS, **PORTAL_NOTICES}
PORTAL_SEVERITIES: Mapping[str, Severity] = {
    **dict.fromkeys(PORTAL_ERRORS, Severity.ERROR),
    **dict.fromkeys(PORTAL_WARNINGS, Severity.WARNING),
    **dict.fromkeys(PORTAL_NOTICES, Severity.NOTICE),
}
# What says that the line of a player is of another person than its FIDE ID (D-118).
OF_ANOTHER_PERSON = frozenset({"id-of-another", "id-name-and-year", "id-of-namesake"})
# What is mended by leaving the rounds out that it names.
NAMES_ROUNDS = frozenset(
    {"rounds-again", "first-rounds-again", "rounds-of-another-kind", "part-rounds-early"}
)
# Errors that a reason of their own lifts (D-135).
LIFTED_BY_REASON = frozenset({"report-of-others"})
# What only the QC allows, with a reason (D-129).
LIFTED_BY_QC = frozenset({"games-again", "first-rounds-again"})
# What one reason for all other warnings does not answer.
ANSWERED_ALONE = LIFTED_BY_REASON | {"few-games-again"}
# What says so by the name, which is to be answered line by line where it is so of many (D-130).
OF_ANOTHER_NAME = frozenset({"id-of-another", "id-name-and-year"})
portal_finding = finder(PORTAL_MESSAGES, PORTAL_SEVERITIES)


def english_text(finding: Mapping[str, Any]) -> str:
    """Return what a stored finding says in English; one of an earlier release may have other values, and its words."""
    try:
        return TEMPLATES[finding["code"]].format(**(finding.get("params") or {}))
    except (KeyError, IndexError):
        return str(finding.get("message", ""))
