"""What stored findings say to a reader: each its message, and a group of them a sentence with their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, ngettext_lazy

from core.html.dates import day_in_words
from core.html.figures import local_decimal
from tournaments.messages import english_text
from tournaments.trf.findings import TEMPLATES

# Values that are words of ours, not of the report.
WORDS = frozenset({"meaning", "what", "direction", "kind", "reported_kind", "registered_kind", "encoding"})

# Values that are dates; `first` is in other messages a number.
DAYS = frozenset({"start", "end", "day", "first", "died_on"})
# Values with a decimal point.
DECIMALS = frozenset({"score", "expected"})


def finding_text(finding: Mapping[str, Any]) -> str:
    """Return what a finding, as it is stored, says in the language of the page.

    Dates and lists are in words; the English text, which the API and the commands give, has them as `2026-01-01` and
    `rapid 2026-01`. A finding of an earlier release whose values do not fit today's text keeps the words that it has.
    """
    values = finding.get("params") or {}
    try:
        template = TEMPLATES[finding["code"]]
        return gettext(template).format(**{name: _show_value(name, value) for name, value in values.items()})
    except (KeyError, IndexError):
        return english_text(finding)


def _show_value(name: str, value: Any) -> Any:
    """Return a value as a page shows it: words translated, dates in words, numbers and lists as in the language."""
    if name in WORDS:
        return gettext(value)
    if name in DAYS and isinstance(value, str):
        return day_in_words(value)
    if name in DECIMALS:
        return local_decimal(value)
    if name == "list":
        kind, _, month = value.partition(" ")
        return f"{day_in_words(month)} ({gettext(kind)})"
    return value


def title_of(code: str, findings: Sequence[Mapping[str, Any]]) -> str:
    """Return the title of the findings of one code, as they are stored; of a single one without a title its text."""
    count = len(findings)
    if count == 1 and "by" in (findings[0].get("params") or {}):
        by = findings[0]["params"]["by"]
        text = ngettext(
            "Line %(line)d is shifted by %(by)d character",
            "Line %(line)d is shifted by %(by)d characters",
            by,
        )
        return text % {"line": findings[0]["line"], "by": by}
    title = TITLES.get(code)
    if title is not None:
        return str(title % count)
    if count == 1:
        return finding_text(findings[0])
    return ngettext("%d place in the report", "%d places in the report", count) % count


TITLES: Mapping[str, Promise] = {
    "id-missing": ngettext_lazy("%d player has no FIDE ID", "%d players have no FIDE ID"),
    "id-unknown": ngettext_lazy(
        "%d player has a FIDE ID that is not registered", "%d players have a FIDE ID that is not registered"
    ),
    "id-of-another": ngettext_lazy(
        "%d FIDE ID belongs to a player of another name", "%d FIDE IDs belong to players of another name"
    ),
    "id-name-and-year": ngettext_lazy(
        "%d FIDE ID belongs to a player of another name and age",
        "%d FIDE IDs belong to players of another name and age",
    ),
    "id-of-namesake": ngettext_lazy(
        "%d FIDE ID may belong to a parent or a child", "%d FIDE IDs may belong to parents or children"
    ),
    "birth-year-apart": ngettext_lazy(
        "%d player has a year of birth far from that on the list",
        "%d players have years of birth far from those on the list",
    ),
    "id-merged": ngettext_lazy("%d FIDE ID was replaced by another", "%d FIDE IDs were replaced by others"),
    "id-of-used-line": ngettext_lazy(
        "%d line repeats the FIDE ID of a player and has no game",
        "%d lines repeat the FIDE ID of a player and have no game",
    ),
    "lines-of-one-person": ngettext_lazy(
        "%d person is on two lines, with games in different rounds",
        "%d persons are on two lines, with games in different rounds",
    ),
    "player-twice": ngettext_lazy("%d player is on two lines", "%d players are on two lines"),
    "fide-id-unreadable": ngettext_lazy("%d FIDE ID is not a number", "%d FIDE IDs are not numbers"),
    "fide-id-duplicate": ngettext_lazy("%d FIDE ID is on two lines", "%d FIDE IDs are on two lines"),
    "fide-id-again": ngettext_lazy(
        "%d FIDE ID is on a second line without games", "%d FIDE IDs are on second lines without games"
    ),
    "fide-id-check-digit": ngettext_lazy(
        "%d FIDE ID has a wrong check digit", "%d FIDE IDs have a wrong check digit"
    ),
    "results-contradict": ngettext_lazy(
        "%d game has contradicting results", "%d games have contradicting results"
    ),
    "result-missing": ngettext_lazy("%d game has no result", "%d games have no result"),
    "result-penalty": ngettext_lazy(
        "%d game has a penalty in its result", "%d games have penalties in their results"
    ),
    "player-is-bye": ngettext_lazy(
        "%d player is a bye and not a person", "%d players are byes and not persons"
    ),
    "result-unknown": ngettext_lazy("%d game has an unknown result", "%d games have an unknown result"),
    "result-unreadable": ngettext_lazy("%d result cannot be read", "%d results cannot be read"),
    "result-spelling": ngettext_lazy(
        "%d result has an unusual spelling", "%d results have an unusual spelling"
    ),
    "colours-same": ngettext_lazy(
        "%d game has the same colour on both lines", "%d games have the same colour on both lines"
    ),
    "colour-missing": ngettext_lazy("%d game has no colours", "%d games have no colours"),
    "colour-unreadable": ngettext_lazy("%d colour cannot be read", "%d colours cannot be read"),
    "pairing-asymmetric": ngettext_lazy(
        "%d pairing is on one of two lines only", "%d pairings are on one of two lines only"
    ),
    "opponent-unreadable": ngettext_lazy("%d opponent cannot be read", "%d opponents cannot be read"),
    "opponent-missing": ngettext_lazy("%d game has no opponent", "%d games have no opponent"),
    "opponent-unknown": ngettext_lazy(
        "%d opponent is not in the report", "%d opponents are not in the report"
    ),
    "opponent-self": ngettext_lazy("%d player meets themselves", "%d players meet themselves"),
    "bye-with-opponent": ngettext_lazy("%d bye has an opponent", "%d byes have an opponent"),
    "bye-as-result": ngettext_lazy("%d result has no opponent", "%d results have no opponent"),
    "bye-as-draw": ngettext_lazy("%d bye is written as a draw", "%d byes are written as a draw"),
    "byes-in-round": ngettext_lazy("%d round has more than 1 bye", "%d rounds have more than 1 bye"),
    "forfeit-asymmetric": ngettext_lazy(
        "%d forfeit is on one of two lines only", "%d forfeits are on one of two lines only"
    ),
    "forfeit-colours": ngettext_lazy(
        "%d forfeit has the same colour on both lines", "%d forfeits have the same colour on both lines"
    ),
    "played-twice": ngettext_lazy("%d pair of players meets twice", "%d pairs of players meet twice"),
    "played-again": ngettext_lazy("%d pair of players meets again", "%d pairs of players meet again"),
    "points-mismatch": ngettext_lazy(
        "%d player has points that do not match the results",
        "%d players have points that do not match the results",
    ),
    "points-unreadable": ngettext_lazy(
        "%d number of points cannot be read", "%d numbers of points cannot be read"
    ),
    "rank-unreadable": ngettext_lazy("%d rank cannot be read", "%d ranks cannot be read"),
    "rank-duplicate": ngettext_lazy("%d rank is given twice", "%d ranks are given twice"),
    "rank-order": ngettext_lazy("%d rank does not follow the points", "%d ranks do not follow the points"),
    "player-number": ngettext_lazy("%d starting number cannot be used", "%d starting numbers cannot be used"),
    "player-number-duplicate": ngettext_lazy(
        "%d starting number is given twice", "%d starting numbers are given twice"
    ),
    "player-number-wrong": ngettext_lazy("%d starting number is wrong", "%d starting numbers are wrong"),
    "player-without-team": ngettext_lazy("%d player has no team", "%d players have no team"),
    "player-deceased": ngettext_lazy(
        "%d player has a game after the date of death", "%d players have games after their date of death"
    ),
    "player-rounds-a-day": ngettext_lazy(
        "%d player has too many rounds on one day", "%d players have too many rounds on one day"
    ),
    "player-elsewhere": ngettext_lazy(
        "%d player also has games in another tournament", "%d players also have games in other tournaments"
    ),
    "player-federation": ngettext_lazy(
        "%d player has another federation on the list", "%d players have other federations on the list"
    ),
    "performance-outlier": ngettext_lazy(
        "%d result is far from the expected score", "%d results are far from the expected score"
    ),
    "birth-year": ngettext_lazy(
        "%d player has another year of birth on the list", "%d players have other years of birth on the list"
    ),
    "birth-unreadable": ngettext_lazy("%d date of birth cannot be read", "%d dates of birth cannot be read"),
    "birth-impossible": ngettext_lazy("%d year of birth is impossible", "%d years of birth are impossible"),
    "sex": ngettext_lazy("%d player has another sex on the list", "%d players have another sex on the list"),
    "sex-unknown": ngettext_lazy("%d sex cannot be read", "%d sexes cannot be read"),
    "name-missing": ngettext_lazy("%d player has no name", "%d players have no names"),
    "title-unknown": ngettext_lazy("%d title cannot be read", "%d titles cannot be read"),
    "title-differs": ngettext_lazy(
        "%d player has another title on the list", "%d players have other titles on the list"
    ),
    "rating-unreadable": ngettext_lazy("%d rating cannot be read", "%d ratings cannot be read"),
    "rating-out-of-range": ngettext_lazy("%d rating is out of range", "%d ratings are out of range"),
    "rating-differs": ngettext_lazy(
        "%d player has another rating on the list", "%d players have other ratings on the list"
    ),
    "rating-unlisted": ngettext_lazy(
        "%d player has a rating in the report only", "%d players have ratings in the report only"
    ),
    "federation-code": ngettext_lazy(
        "%d federation is not a code of 3 letters", "%d federations are not codes of 3 letters"
    ),
    "federation-unknown": ngettext_lazy("%d federation is unknown", "%d federations are unknown"),
    "federation-lower-case": ngettext_lazy(
        "%d federation is in small letters", "%d federations are in small letters"
    ),
    "arbiter-unknown": ngettext_lazy(
        "%d arbiter has a FIDE ID that is not registered", "%d arbiters have FIDE IDs that are not registered"
    ),
    "arbiter-id-of-another": ngettext_lazy(
        "%d FIDE ID of an arbiter belongs to another person",
        "%d FIDE IDs of arbiters belong to other people",
    ),
    "team-player-unknown": ngettext_lazy(
        "%d team has a player who is not in the report", "%d teams have players who are not in the report"
    ),
    "team-player-twice": ngettext_lazy("%d player is in two teams", "%d players are in two teams"),
    "team-mates-paired": ngettext_lazy(
        "%d game is between players of one team", "%d games are between players of one team"
    ),
    "team-empty": ngettext_lazy("%d team has no players", "%d teams have no players"),
    "round-unreadable": ngettext_lazy(
        "%d round of a player cannot be read", "%d rounds of players cannot be read"
    ),
    "round-date-unreadable": ngettext_lazy(
        "%d date of a round cannot be read", "%d dates of rounds cannot be read"
    ),
    "round-date-outside": ngettext_lazy(
        "%d round is outside the dates of the tournament", "%d rounds are outside the dates of the tournament"
    ),
    "round-date-order": ngettext_lazy(
        "%d round is before an earlier round", "%d rounds are before earlier rounds"
    ),
    "rounds-a-day": ngettext_lazy("%d date has too many rounds", "%d dates have too many rounds"),
    "rounds-a-day-3.1": ngettext_lazy("%d date has too many rounds", "%d dates have too many rounds"),
    "record-missing": ngettext_lazy("%d record is missing", "%d records are missing"),
    "record-advised": ngettext_lazy("%d recommended record is missing", "%d recommended records are missing"),
    "record-duplicate": ngettext_lazy("%d record is given twice", "%d records are given twice"),
    "record-unknown": ngettext_lazy("%d record is not a TRF record", "%d records are not TRF records"),
    "record-field": ngettext_lazy("%d record cannot be read", "%d records cannot be read"),
    "record-field-unused": ngettext_lazy(
        "%d record for information cannot be read", "%d records for information cannot be read"
    ),
    "record-misplaced": ngettext_lazy("%d record is after the players", "%d records are after the players"),
    "record-player-unknown": ngettext_lazy(
        "%d record names an unknown player", "%d records name unknown players"
    ),
    "record-team-unknown": ngettext_lazy("%d record names an unknown team", "%d records name unknown teams"),
    "record-round-unknown": ngettext_lazy(
        "%d record names an unknown round", "%d records name unknown rounds"
    ),
    "text-outside": ngettext_lazy("%d line has no record", "%d lines have no record"),
    "line-too-long": ngettext_lazy("%d line is too long", "%d lines are too long"),
    "control-character": ngettext_lazy(
        "%d line has an invisible character", "%d lines have invisible characters"
    ),
    "tab": ngettext_lazy(
        "%d line has a tab that hides its columns", "%d lines have tabs that hide their columns"
    ),
    "tab-as-blank": ngettext_lazy("%d line has a tab", "%d lines have tabs"),
    "shifted-columns": ngettext_lazy("%d line has shifted columns", "%d lines have shifted columns"),
    "column-occupied": ngettext_lazy(
        "%d line has text in a column that must be blank", "%d lines have text in columns that must be blank"
    ),
    "encoding-broken": ngettext_lazy("%d line has a damaged character", "%d lines have damaged characters"),
    "rounds-again": ngettext_lazy(
        "%d other tournament has whole rounds of this report",
        "%d other tournaments have whole rounds of this report",
    ),
    "event-again": ngettext_lazy(
        "%d other tournament has the same games", "%d other tournaments have the same games"
    ),
    "pgn-game-missing": ngettext_lazy("%d game is missing in the PGN", "%d games are missing in the PGN"),
    "pgn-game-extra": ngettext_lazy(
        "%d game of the PGN is not in the report", "%d games of the PGN are not in the report"
    ),
    "pgn-result-differs": ngettext_lazy(
        "%d game has another result in the PGN", "%d games have another result in the PGN"
    ),
    "pgn-result-contradicts": ngettext_lazy(
        "%d game of the PGN contradicts itself", "%d games of the PGN contradict themselves"
    ),
    "pgn-colours-differ": ngettext_lazy(
        "%d game has other colours in the PGN", "%d games have other colours in the PGN"
    ),
    "pgn-round-differs": ngettext_lazy(
        "%d game has another round in the PGN", "%d games have another round in the PGN"
    ),
    "pgn-id-differs": ngettext_lazy(
        "%d game has another FIDE ID in the PGN", "%d games have other FIDE IDs in the PGN"
    ),
    "pgn-name-differs": ngettext_lazy(
        "%d game has another name in the PGN", "%d games have other names in the PGN"
    ),
    "pgn-player-unknown": ngettext_lazy(
        "%d game of the PGN has an unknown player", "%d games of the PGN have unknown players"
    ),
    "pgn-illegal-move": ngettext_lazy(
        "%d game of the PGN has an illegal move", "%d games of the PGN have illegal moves"
    ),
    "pgn-moves-missing": ngettext_lazy(
        "%d game of the PGN has too few moves", "%d games of the PGN have too few moves"
    ),
}
