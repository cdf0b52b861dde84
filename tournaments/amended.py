"""A report with amendments: the lines that they change, and why one cannot be made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from core.errors import RefusedError, refused
from players.minors import mask_birth_years
from players.models import Player
from tournaments.amendments import (
    Amendment,
    Colours,
    Fix,
    Identity,
    Joined,
    Line,
    OfGame,
    Opponent,
    Person,
    Result,
)
from tournaments.line_changes import ChangedLine, ChosenChanges, merged_changes
from tournaments.marked_report import finding_text
from tournaments.models import Game
from tournaments.trf import RESULTS, Pairing, PlayerRecord, pairing_of
from tournaments.trf import Report as ReadReport
from tournaments.trf.changed_lines import decided_lines, joined_lines, recoloured_lines, swapped_lines
from tournaments.trf.report import with_field
from tournaments.trf.tables import COLUMNS

Lines = Mapping[int, str]
NAME_WIDTH = COLUMNS["name"].width
# The columns of a line that say who somebody is.
PERSON_COLUMNS = [COLUMNS[name] for name in ("sex", "name", "birth")]


def amended_lines(
    read: ReadReport,
    amendments: Iterable[Amendment],
    *,
    own: str,
    on: date,
    findings: Iterable[Mapping[str, Any]] = (),
    beside: Iterable[Amendment] = (),
    must_fit: bool = True,
) -> ChosenChanges:
    """Return the lines of a report that amendments change, each once: what they change of a line is changed together.

    A line that was written by hand is taken as written. Years of birth of minors are those that the federation `own`
    sees. `findings` say why of fixes; a FIDE ID that an amendment `beside` them chose is used. `RefusedError` for an
    amendment that does not fit the report; where it need not fit it is counted (`gone`).
    """
    amendments = list(amendments)
    used = _lines_by_id(read, (*beside, *amendments))
    players = _players_named(amendments, own=own, on=on)
    whys = {(item["line"], item["fix"]): finding_text(item) for item in findings if item["fix"] is not None}
    changes: list[ChangedLine] = []
    gone = 0
    for some in _together(amendments):
        try:
            lines = _lines_of(read, some, players, used)
        except RefusedError:
            if must_fit:
                raise
            gone += len(some)
        else:
            why = _why(some[0], players, whys)
            changes += [ChangedLine(line, read.lines[line - 1], text, why) for line, text in lines.items()]
    by_hand = {one.line: one.text for one in amendments if isinstance(one, Line)}
    merged = merged_changes(one for one in changes if by_hand.get(one.line, one.new) == one.new)
    return ChosenChanges(merged.lines, left=merged.left, gone=gone)


def _together(amendments: Sequence[Amendment]) -> Iterator[Sequence[Amendment]]:
    """Yield the results as one: two of one player both change the points. All others one by one."""
    if results := [one for one in amendments if isinstance(one, Result)]:
        yield results
    yield from ([one] for one in amendments if not isinstance(one, Result))


def _players_named(amendments: Iterable[Amendment], *, own: str, on: date) -> dict[int, Player]:
    named = {
        one.fide_id for one in amendments if isinstance(one, Identity | Person) and one.fide_id is not None
    }
    found = Player.objects.filter(pk__in=named) if named else []
    return {player.fide_id: player for player in mask_birth_years([*found], own=own, on=on)}


def _lines_by_id(read: ReadReport, amendments: Iterable[Amendment]) -> Mapping[int, set[int]]:
    """Return the lines that have each FIDE ID, as reported or as chosen."""
    now = {one.line: one.fide_id for one in read.players}
    now |= {one.line: one.fide_id for one in amendments if isinstance(one, Identity)}
    lines: dict[int, set[int]] = {}
    for line, fide_id in now.items():
        if fide_id is not None:
            lines.setdefault(fide_id, set()).add(line)
    return lines


def _lines_of(
    read: ReadReport,
    some: Sequence[Amendment],
    players: Mapping[int, Player],
    used: Mapping[int, set[int]],
) -> Lines:
    match one := some[0]:
        case Result():
            return decided_lines(read, dict(_result_of(read, item) for item in some))  # type: ignore[arg-type]
        case Colours():
            return recoloured_lines(read, game_of(read, one))
        case Opponent():
            return _swapped(read, one)
        case Person():
            return _of_another(read, one, players, used)
        case Identity():
            return _identified(read, one, players, used)
        case Line(line=line, text=text) if 1 <= line <= len(read.lines):
            return {line: text}
        case Fix(line=line) if read.lines[line - 1 : line] == (one.before,):
            return {line: one.after}
        case Line():
            raise refused("line-unknown", _("The report does not have this line."))
        case Fix():
            raise refused("fix-does-not-fit", _("This fix no longer matches the report."))
        case Joined() if lines := joined_lines(read, one.into, one.line):
            return lines
        case Joined():
            raise refused("lines-not-joined", _("These two lines cannot be joined. Edit the lines."))
    # The others say nothing that a line of the report says.
    return {}


def game_of(read: ReadReport, amendment: OfGame) -> Pairing:
    """Return the game that an amendment concerns; `RefusedError` where the report has none."""
    pairing = pairing_of(read, round_number=amendment.round, white=amendment.white)
    if pairing is None:
        raise refused("no-such-game", _("The report does not have this game."), "white")
    return pairing


def numbers_in(read: ReadReport, amendment: OfGame) -> list[int]:
    """Return the starting ranks whom an amendment concerns: the players of the game, and who takes a place in it."""
    pairing = game_of(read, amendment)
    other = [amendment.other] if isinstance(amendment, Opponent) else []
    return [pairing.white, pairing.black, *other]


def result_of(pairing: Pairing | Game) -> str:
    """Return the result of a pairing as a key of `RESULTS`, empty for another."""
    codes = (pairing.white_code, pairing.black_code)
    return next((name for name, pair in RESULTS.items() if pair == codes), "")


def _result_of(read: ReadReport, amendment: Result) -> tuple[Pairing, str]:
    pairing = game_of(read, amendment)
    if amendment.result not in RESULTS:
        raise refused("unknown-result", _("This is no result of a game."), "result")
    if result_of(pairing) == amendment.result:
        raise refused("nothing-changes", _("The report already has this result."), "result")
    return pairing, amendment.result


def _swapped(read: ReadReport, amendment: Opponent) -> Lines:
    """Return the lines of a round in which two participants take each other's place."""
    pairing, other = game_of(read, amendment), amendment.other
    if other not in read.by_number:
        raise refused("opponent-missing", _("Select the player who played this game."), "other")
    if other in (pairing.white, pairing.black):
        message = _("This player already plays this game. For the wrong colours, exchange the colours.")
        raise refused("nothing-changes", message, "other")
    number = pairing.white if amendment.seat == "w" else pairing.black
    return swapped_lines(read, amendment.round, number, other)


def _refuse_used(line: int, fide_id: int, used: Mapping[int, set[int]]) -> None:
    """Refuse a player who has another line already: two of one person would rate that player twice."""
    if others := used.get(fide_id, set()) - {line}:
        message = _("FIDE ID %(fide_id)s is already used in line %(line)d.")
        raise refused("player-used", message % {"fide_id": fide_id, "line": min(others)}, "player")


def _identified(
    read: ReadReport, amendment: Identity, players: Mapping[int, Player], used: Mapping[int, set[int]]
) -> Lines:
    record = next((one for one in read.players if one.line == amendment.line), None)
    # Some lines have no column for a FIDE ID, such as shifted ones.
    if record is None or (blank := with_field(read, record, "fide_id", "")) is None:
        raise refused("line-not-of-a-player", _("This line has no place for a FIDE ID. Edit the line."))
    if amendment.fide_id is None:
        return {record.line: blank}
    player = players.get(amendment.fide_id)
    if record.fide_id != amendment.fide_id:
        _refuse_used(record.line, amendment.fide_id, used)
        # Of two merged records only a line that has it already keeps the former one.
        player = player if player and player.merged_into_id is None else None
    if player is None:
        message = _("No player has FIDE ID %(fide_id)s.") % {"fide_id": amendment.fide_id}
        raise refused("player-unknown", message, "player")
    if amendment.is_whole:
        return {record.line: _with_person(read.lines[record.line - 1], record, player)}
    return {record.line: with_field(read, record, "fide_id", str(player.fide_id)) or ""}


def _of_another(
    read: ReadReport, amendment: Person, players: Mapping[int, Player], used: Mapping[int, set[int]]
) -> Lines:
    """Return the line of a player of a game as that of another player, whose rating it is."""
    pairing, player = game_of(read, amendment), players.get(amendment.fide_id)
    if player is None or player.merged_into_id is not None:
        raise refused("player-missing", _("Enter the name or FIDE ID of the right player."), "player")
    record = read.by_number[pairing.white if amendment.seat == "w" else pairing.black]
    if player.fide_id == record.fide_id:
        raise refused("nothing-changes", _("The report already has this player here."), "player")
    _refuse_used(record.line, player.fide_id, used)
    return {record.line: _as_registered(record, player)}


def _with_person(line: str, record: PlayerRecord, owner: Player) -> str:
    """Return a line with the data of the player whose FIDE ID it has; a year that nobody may see stays as reported."""
    born: dict[str, Any] = {}
    if owner.birth_year and owner.birth_year != record.birth_year:
        born = {"birth_date": None, "birth_year": owner.birth_year}
    name = owner.name[:NAME_WIDTH].strip()
    registered = record._replace(name=name, sex=owner.sex or record.sex, **born).dumps()
    text = line.ljust(len(registered))
    for column in PERSON_COLUMNS:
        place = column.place
        text = text[: place.start] + registered[place].ljust(column.width) + text[place.stop :]
    return text.rstrip()


def _as_registered(record: PlayerRecord, player: Player) -> str:
    """Return the line of another player: the rating is that of the person who was named."""
    return record._replace(
        fide_id=player.fide_id,
        name=player.name[:NAME_WIDTH].strip(),
        sex=player.sex,
        title=player.title or player.women_title,
        federation=player.federation_id,
        # A year of birth may be a minor's of another federation.
        birth_date=None,
        birth_year=None,
        rating=0,
    ).dumps()


def _why(amendment: Amendment, players: Mapping[int, Player], whys: Mapping[tuple[Any, Any], str]) -> str:
    match amendment:
        case Result():
            return _("The result was decided.")
        case Joined():
            return _("Two lines of one person are joined.")
        case Identity(fide_id=int(fide_id)) | Person(fide_id=fide_id):
            player = players[fide_id]
            who = {"fide_id": fide_id, "name": player.name, "federation": player.federation_id}
            return _("The player is %(name)s (%(federation)s), FIDE ID %(fide_id)d.") % who
        case Fix(line=line, after=after):
            return whys.get((line, after), "")
    return _("Edited")
