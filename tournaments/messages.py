"""Messages of the portal's own findings: English templates by code, filled with the finding's params."""

from __future__ import annotations

PORTAL_MESSAGES = {
    "event-federation": "The report is of an event in {reported}; the tournament is registered by {registered}.",
    "event-name": "The report calls the event “{reported}”; it is registered as “{registered}”.",
    "event-days-missing": "The report does not say (042, 052) on which days the event was played; "
    "those of the registration are taken.",
    "event-days": "The report is of an event on {reported}; the tournament is registered for {registered}. "
    "Upload the report of this tournament, or have the registration changed.",
    "event-not-over": "The tournament ends on {end}; its report can be submitted from that day on.",
    "rounds-a-day-3.1": "{rounds} rounds on {day}; at most {limit} a day are rated (3.1, D-16).",
    "rounds-in-all-3.1": "{rounds} rounds in {days} days; at most {limit} a day are rated (3.1, D-16).",
    "player-twice": "Players {first} and {second} are the same person, FIDE ID {fide_id}. "
    "Give each line its own FIDE ID.",
    "id-missing": "Player {number}, {name}, has no FIDE ID: opponents' games with them do not count, and "
    "nothing is rated for them.",
    "id-unknown": "FIDE ID {fide_id} of player {number}, {name}, is not registered in the portal: they count as "
    "unrated and nothing is rated for them. Register the player or correct the ID.",
    "id-of-used-line": "FIDE ID {fide_id} of player {number}, {name}, stands on another line too; this one has no game "
    "and is left out.",
    "id-of-another": "FIDE ID {fide_id} belongs to {registered}, but the line is of {reported}. Correct the ID if "
    "that is another person.",
    "player-deceased": "{name} died on {died_on} by the portal's records. Check who played.",
    "birth-year": "The report gives {reported} as the year of birth of {name}, the portal {registered}.",
    "player-federation": "The report gives {reported} as the federation of {name}, the portal {registered}.",
    "sex": "The sex of {name} differs from the portal's.",
    "president-average-0.2": "The average rating of the participants is {average}; the President's decision holds "
    "only above {limit} (0.2).",
    "hybrid-pgn-8.4": "The PGN of the games is missing; a hybrid tournament's report comes with it (8.4).",
    "match-players-5": "A match has two players; the report has games of {players}.",
}
