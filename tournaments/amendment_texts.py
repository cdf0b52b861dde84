"""Amendments as people read them: on the page of a request, in the public log, in mails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from players.choices import Area
from tournaments.amendments import (
    Amendment,
    Anew,
    Colours,
    Condition,
    Datum,
    File,
    Fix,
    Identity,
    Joined,
    Line,
    NotRated,
    OfFile,
    OfGame,
    Opponent,
    Person,
    Result,
    Withdrawal,
)
from tournaments.changed_fields import shown_changes
from tournaments.choices import GameMark

SHOWN_RESULTS = {
    "1-0": "1–0",
    "1/2-1/2": "½–½",
    "0-1": "0–1",
    "+/-": "+ : −",
    "-/+": "− : +",
    "-/-": "− : −",
}

NOBODY: Mapping[tuple[int, int], str] = {}


def amendment_text(amendment: Amendment) -> str:
    """Return what an amendment changes, in the language of the page; of a game without its round and players."""
    match amendment:
        case Result(result=result):
            return SHOWN_RESULTS.get(result, result)
        case Colours():
            return _("Colours exchanged")
        case Opponent(seat="w", other=other):
            return _("Another player of the tournament was White: starting rank %(other)d") % {"other": other}
        case Opponent(other=other):
            return _("Another player of the tournament was Black: starting rank %(other)d") % {"other": other}
        case Person(seat="w", fide_id=fide_id):
            return _("Another player was White: FIDE ID %(fide_id)d") % {"fide_id": fide_id}
        case Person(fide_id=fide_id):
            return _("Another player was Black: FIDE ID %(fide_id)d") % {"fide_id": fide_id}
        case NotRated(why=""):
            return _("Rated again")
        case NotRated(why=why, reference=reference):
            return f"{GameMark(why).label} ({reference})"
        case Condition() | Datum():
            area = Area.TOURNAMENT if isinstance(amendment, Condition) else Area.PLAYER
            return str(next(shown_changes([amendment.as_change()], area)))
        case File(name=name):
            return _("Another report: %(name)s") % {"name": name}
        case Withdrawal():
            return capfirst(_("report withdrawn"))
        case Anew():
            return _("Rated again with the lists and FIDE IDs known now")
        case Identity(line=line) | Line(line=line) | Fix(line=line) | Joined(line=line):
            return _("Line %(line)d corrected") % {"line": line}
    assert_never(amendment)


def amendment_texts(
    amendments: Sequence[Amendment], players: Mapping[tuple[int, int], str] = NOBODY
) -> list[str]:
    """Return what amendments beside a file change: conditions first, then games.

    `players` are those of games by the round and White's starting rank, which is shown where they are not known.
    """
    conditions = [one.as_change() for one in amendments if isinstance(one, Condition)]
    others = (one for one in amendments if not isinstance(one, OfFile | Condition))
    return [*map(str, shown_changes(conditions)), *(_game_text(one, players) for one in others)]


def _game_text(amendment: Amendment, players: Mapping[tuple[int, int], str]) -> str:
    """Return an amendment of a game with its round and players, any other as it is."""
    text = amendment_text(amendment)
    if isinstance(amendment, Result) and amendment.before:
        text = f"{SHOWN_RESULTS.get(amendment.before, amendment.before)} → {text}"
    if not isinstance(amendment, OfGame):
        return text
    if names := players.get((amendment.round, amendment.white)):
        place = _("Round %(round)d: %(players)s") % {"round": amendment.round, "players": names}
        return f"{place}, {text}"
    place = _("Round %(round)d, White %(white)d") % {"round": amendment.round, "white": amendment.white}
    return f"{place}: {text}"
