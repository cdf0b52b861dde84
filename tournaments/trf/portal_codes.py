"""The codes of findings that only the portal shows, which knows more than the report, each declared once."""

from __future__ import annotations

from tournaments.trf.codes import _error, _n, _notice, _one, _warning

REGISTRATION = {
    "event-days": _error(
        "The report has {day}, the registration has {registered_day}. Correct the wrong date.",
        _n("%d date differs from the registration", "%d dates differ from the registration"),
        layout="days",
    ),
    "event-days-missing": _warning(
        "The report has no dates (records 042 and 052). The registered dates are used."
    ),
    "event-not-over": _error("The tournament ends on {end}. Its report can be accepted from that day."),
    "event-federation": _warning(
        "The report is for a tournament in {reported}. The tournament is registered by {registered}.",
        _one("Another federation than registered"),
    ),
    "event-name": _warning(
        "The report names the tournament “{reported}”, but it is registered as “{registered}”.",
        _one("Another name than registered"),
        # One that is wholly different may be that of another event.
        is_decided=True,
    ),
    "event-kind": _warning(
        "The time control in the report, “{reported}”, is for {reported_kind}, but the tournament is registered as "
        "{registered_kind} (article 1.1). Check which is correct.",
        _one("Another rating type than registered"),
        is_of_two_lines=True,
        is_decided=True,
    ),
    "event-time-control": _warning(
        "The report has the time control “{reported}”. The registered time control is {registered}.",
        _one("Another time control than registered"),
        is_of_two_lines=True,
        is_decided=True,
    ),
    "event-time-control-unread": _notice(
        "The time control in the report, “{reported}”, has no certain reading, so it is not compared with the "
        "registered {registered}. Check that it is the same.",
        _one("The time control was not compared"),
    ),
    "event-rounds": _warning(
        "The report has games in {reported} rounds. The registered schedule has {registered} rounds. Rounds that "
        "differ: {rounds}.",
        _one("Another number of rounds than registered"),
    ),
    "event-round-dates": _notice("The round dates in the report differ from the registered schedule."),
    "event-arbiter": _warning(
        "The report names {reported} as chief arbiter. The registration names {registered}.",
        _one("Another chief arbiter than registered"),
    ),
    "arbiter-unknown": _notice(
        "FIDE ID {fide_id} in record {tag} is not registered in the portal.",
        _n(
            "%d arbiter has a FIDE ID that is not registered",
            "%d arbiters have FIDE IDs that are not registered",
        ),
    ),
    "arbiter-id-of-another": _warning(
        "FIDE ID {fide_id} in record {tag} belongs to {registered}, not to {reported}.",
        _n(
            "%d FIDE ID of an arbiter belongs to another person",
            "%d FIDE IDs of arbiters belong to other people",
        ),
    ),
    "rounds-a-day-3.1": _error(
        "{rounds} rounds on {day}. At most {limit} a day are rated (article 3.1).",
        _n("%d date has too many rounds", "%d dates have too many rounds"),
    ),
    "rounds-in-all-3.1": _error(
        "{rounds} rounds in {days} days. At most {limit} a day are rated (article 3.1)."
    ),
    "unequal-times-1.2": _error(
        "Record {tag} gives White and Black different times, but the tournament is registered with equal times. "
        "Correct the wrong time (article 1.2)."
    ),
    "match-games-missing": _error(
        "The match has {players} players, so the report contains several matches. Add the number of games per match "
        "to the registration (article 5)."
    ),
    "event-dates-others": _error(
        "Record 132 has rounds from {first} to {last}. The tournament is registered from {start} to {end}. Correct the "
        "wrong dates.",
        _one("Rounds outside the registered days"),
    ),
    "participants-unknown": _error(
        "No player in the report has a known FIDE ID, so nothing can be rated. Correct the FIDE IDs."
    ),
    "report-again": _error(
        "This file is already the accepted report of {name} ({event_id}). Upload the report of this tournament, or "
        "withdraw the other report.",
        _one("This is the report of another tournament"),
    ),
    "event-before-lists": _error(
        "The tournament started on {start}, before the first {kind} list of {first}, so it cannot be rated."
    ),
    "president-average-0.2": _error(
        "The average rating of the participants is {average}. The President's decision applies only above {limit} "
        "(article 0.2), so nothing is rated."
    ),
    "report-of-others": _error(
        "{common} of {players} players of this report are in the accepted version {version}. Upload the report of "
        "this tournament, or give the reason why it replaces that version.",
        _one("The accepted version has other players"),
        lifted_by="reason",
        is_answered_alone=True,
    ),
    "version-leaves": _warning(
        "Players of the accepted version {version} who are not in this report: {players} ({names}). Games that are not "
        "in it: {games}. They leave if it replaces that version.",
        _one("The accepted version has more"),
    ),
    "version-games-leave": _warning(
        "Games of the accepted version {version} that are not in this report: {games}. They leave if it replaces that "
        "version.",
        _one("The accepted version has more games"),
    ),
    "games-again": _error(
        "All {games} games of this report are in the accepted report of {name} ({event_id}, {start}). Upload the "
        "report of this tournament. Only the QC, which sees this, allows it, with a reason.",
        _one("All games are already rated"),
        lifted_by="qc",
    ),
    "first-rounds-again": _error(
        "Rounds {rounds} of this report are rounds of the accepted report of {name} ({event_id}, {start}), in the "
        "same order. Leave them out, or give their dates. Only the QC, which sees this, allows it, with a reason.",
        _one("Rounds are already rated"),
        names_rounds=True,
        lifted_by="qc",
    ),
    "few-games-again": _warning(
        "All {games} games of this report are in the accepted report of {name} ({event_id}, {start}). Explain why "
        "they are other games.",
        _one("All games are already rated"),
        is_answered_alone=True,
    ),
    "rounds-again": _error(
        "Rounds {rounds} of this report are in the accepted report of {name} ({event_id}, {start}): {common} games. "
        "Leave them out, because each game is rated once.",
        _n(
            "%d other tournament has whole rounds of this report",
            "%d other tournaments have whole rounds of this report",
        ),
        names_rounds=True,
    ),
    "rounds-of-another-kind": _error(
        "Rounds {rounds} were played as {reported_kind} by the time control, but the tournament is registered as "
        "{registered_kind}. Leave them out, and report them with a tournament of their own.",
        _one("Rounds of another rating type"),
        names_rounds=True,
    ),
    "part-rounds-early": _error(
        "Rounds {rounds} were played up to {end}, the last day of the part before, {name} ({event_id}). Leave them "
        "out, because each part begins after the last one ends.",
        _one("Rounds of the part before"),
        names_rounds=True,
    ),
    "event-again": _warning(
        "{common} of {games} games are also in the accepted report of “{name}” ({event_id}, {start}). Leave them "
        "out, or explain why they are other games.",
        _n("%d other tournament has the same games", "%d other tournaments have the same games"),
    ),
}
PEOPLE = {
    "id-missing": _warning(
        "Player {number}, {name}, has no FIDE ID. The player gets no rating change, and games against this player "
        "are unrated.",
        _n("%d player has no FIDE ID", "%d players have no FIDE ID"),
        layout="people",
    ),
    "national-number": _warning(
        "Player {number}, {name}: nobody of this name and age has the national number {national} in the register of "
        "{federation}. Correct the number, or enter the FIDE ID.",
        _n(
            "%d national number is not that of the player", "%d national numbers are not those of the players"
        ),
    ),
    "id-unknown": _warning(
        "FIDE ID {fide_id} of player {number}, {name}, is not registered. The player counts as unrated and gets no "
        "rating change. Register the player or correct the ID.",
        _n(
            "%d player has a FIDE ID that is not registered",
            "%d players have a FIDE ID that is not registered",
        ),
        layout="people",
    ),
    "id-merged": _notice(
        "FIDE ID {fide_id} of {name} was replaced by {successor}.",
        _n("%d FIDE ID was replaced by another", "%d FIDE IDs were replaced by others"),
    ),
    "id-of-another": _warning(
        "FIDE ID {fide_id} belongs to {registered}, but this line is for {reported}. Correct the ID if this is a "
        "different person.",
        _n("%d FIDE ID belongs to a player of another name", "%d FIDE IDs belong to players of another name"),
        layout="people",
        of_another="name",
    ),
    "id-name-and-year": _warning(
        "FIDE ID {fide_id} belongs to {registered}, born in {registered_year}, but this line is for {reported}, born "
        "in {reported_year}. Correct the ID.",
        _n(
            "%d FIDE ID belongs to a player of another name and age",
            "%d FIDE IDs belong to players of another name and age",
        ),
        layout="people",
        of_another="name",
    ),
    "id-of-namesake": _warning(
        "FIDE ID {fide_id} belongs to {registered}, born in {registered_year}, but this line is for a namesake born "
        "in {reported_year}, such as a parent or a child. Correct the ID.",
        _n("%d FIDE ID may belong to a parent or a child", "%d FIDE IDs may belong to parents or children"),
        layout="people",
        of_another="person",
    ),
    "birth-year-apart": _warning(
        "FIDE ID {fide_id} belongs to {name}, born in {registered}, but this line gives {reported} as the year of "
        "birth. Check the ID and the year.",
        _n(
            "%d player has a year of birth far from that on the list",
            "%d players have years of birth far from those on the list",
        ),
    ),
    "id-of-used-line": _notice(
        "FIDE ID {fide_id} of player {number}, {name}, is also on another line. This line has no games and is "
        "ignored.",
        _n(
            "%d line repeats the FIDE ID of a player and has no game",
            "%d lines repeat the FIDE ID of a player and have no game",
        ),
    ),
    "ids-exchanged": _warning(
        "FIDE ID {fide_id} belongs to {registered}, but this line is for {reported}, whose FIDE ID is in line "
        "{other_line}. Exchange the two FIDE IDs.",
        _n("%d pair of lines has exchanged FIDE IDs", "%d pairs of lines have exchanged FIDE IDs"),
        of_another="name",
        is_of_two_lines=True,
        is_decided=True,
    ),
    "player-twice": _error(
        "FIDE ID {fide_id} of {registered} is on this line, for {reported}, and on line {other_line}. Give each line "
        "its own FIDE ID.",
        _n("%d FIDE ID is on two lines", "%d FIDE IDs are on two lines"),
        layout="people",
        of_another="name",
    ),
    "player-deceased": _warning(
        "{name} died on {died_on} according to the portal, but has a later game. Check who played.",
        _n("%d player has a game after the date of death", "%d players have games after their date of death"),
    ),
    "birth-year": _notice(
        "The report gives {reported} as the year of birth of {name}. The portal has {registered}.",
        _n(
            "%d player has another year of birth on the list",
            "%d players have other years of birth on the list",
        ),
    ),
    "sex": _notice(
        "The sex of {name} differs from the portal.",
        _n("%d player has another sex on the list", "%d players have another sex on the list"),
        is_of_owner=True,
    ),
    "player-federation": _notice(
        "The report gives {reported} as the federation of {name}. The portal has {registered}.",
        _n("%d player has another federation on the list", "%d players have other federations on the list"),
        is_of_owner=True,
    ),
    "title-differs": _notice(
        "The report gives {name} the title {reported}. The list in effect has {registered}.",
        _n("%d player has another title on the list", "%d players have other titles on the list"),
        is_of_owner=True,
    ),
    "rating-differs": _notice(
        "The report gives {name} a rating of {reported}. The list of {list} in effect has {registered}, which is "
        "used.",
        _n("%d player has another rating on the list", "%d players have other ratings on the list"),
        is_of_owner=True,
    ),
    "rating-missing": _notice(
        "The report gives {name} no rating. The list of {list} in effect has {registered}, which is used.",
        _n("%d rated player has no rating in the report", "%d rated players have no ratings in the report"),
        is_of_owner=True,
    ),
    "rating-unlisted": _notice(
        "The report gives {name} a rating of {reported}. The lists in effect have none, so the player counts as "
        "unrated.",
        _n("%d player has a rating in the report only", "%d players have ratings in the report only"),
        is_of_owner=True,
    ),
    "performance-outlier": _notice(
        "{name}, rated {rating}, scored {score} of {games}. This is at least {deviations} standard deviations "
        "{direction} the expected score of {expected}. Check the FIDE ID and the results.",
        _n("%d result is far from the expected score", "%d results are far from the expected score"),
    ),
    "player-elsewhere": _notice(
        "{name} also played in “{event}” ({event_id}) on {day}.",
        _n(
            "%d player also has games in another tournament",
            "%d players also have games in other tournaments",
        ),
    ),
    "player-rounds-a-day": _warning(
        "{name} has {rounds} {kind} rounds on {day}, {others} of them in {events}. At most {limit} a day are allowed "
        "(article 3.1). Check the dates and the player.",
        _n("%d player has too many rounds on one day", "%d players have too many rounds on one day"),
    ),
}
HYBRID = {
    "pgn-unreadable": _error("The PGN has no readable game. Export the games again as PGN text."),
    "pgn-too-large": _error(
        "The PGN has more than {limit} {what}. The rest was not read. Upload only the games of this tournament."
    ),
    "pgn-game-missing": _error(
        "The PGN does not have the game of round {round} between {white} and {black} (article 8.4). Add it.",
        _n("%d game is missing in the PGN", "%d games are missing in the PGN"),
    ),
    "pgn-result-differs": _error(
        "Round {round}, {white} against {black}: {reported} in the report, {played} in game {game} of the PGN. "
        "Correct one of them.",
        _n("%d game has another result in the PGN", "%d games have another result in the PGN"),
    ),
    "pgn-colours-differ": _error(
        "Round {round}: {white} has White in the report and Black in game {game} of the PGN. Correct one of them.",
        _n("%d game has other colours in the PGN", "%d games have other colours in the PGN"),
    ),
    "pgn-id-differs": _error(
        "Game {game} of the PGN gives {name} the FIDE ID {played}, but the report has {reported}. Correct one of "
        "them.",
        _n("%d game has another FIDE ID in the PGN", "%d games have other FIDE IDs in the PGN"),
    ),
    "pgn-round-differs": _warning(
        "Game {game} of the PGN, {white} against {black}, is in round {played}, but in the report in round "
        "{reported}. Correct the Round tag or the report.",
        _n("%d game has another round in the PGN", "%d games have another round in the PGN"),
    ),
    "pgn-result-contradicts": _error(
        "Game {game} of the PGN, {white} against {black}: the Result tag says {tag}, but the moves end in {played}. "
        "Correct one of them.",
        _n("%d game of the PGN contradicts itself", "%d games of the PGN contradict themselves"),
    ),
    "pgn-illegal-move": _error(
        "Game {game} of the PGN, {white} against {black}, cannot be played after {plies} half-moves: {reason}. "
        "Correct the moves.",
        _n("%d game of the PGN has an illegal move", "%d games of the PGN have illegal moves"),
    ),
    "pgn-moves-missing": _error(
        "Game {game} of the PGN, {white} against {black}, has {plies} half-moves. A game in which only one side "
        "moved is not rated (article 4.1). Add the moves, or report a forfeit.",
        _n("%d game of the PGN has too few moves", "%d games of the PGN have too few moves"),
    ),
    "pgn-player-unknown": _warning(
        "Game {game} of the PGN, {white} against {black}: {unknown} is not in the report.",
        _n("%d game of the PGN has an unknown player", "%d games of the PGN have unknown players"),
    ),
    "pgn-name-differs": _warning(
        "Game {game} of the PGN gives the FIDE ID of {reported} to {played}. Check who played.",
        _n("%d game has another name in the PGN", "%d games have other names in the PGN"),
    ),
    "pgn-game-extra": _warning(
        "Game {game} of the PGN, {white} against {black}, is not in the report.",
        _n("%d game of the PGN is not in the report", "%d games of the PGN are not in the report"),
    ),
}
PORTAL_SECTIONS = {
    "Against the registration": REGISTRATION,
    "Against the portal's players and lists": PEOPLE,
    "The games of a hybrid event": HYBRID,
}
