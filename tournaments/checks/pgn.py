"""The games of a PGN, read within bounds, and whether they are those of the report (8.4)."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import chess
import chess.pgn
from django.utils.translation import gettext_noop

from core.text_values import read_number
from core.web.csv_reader import decode_text
from players.fide_list.values import MAX_FIDE_ID
from players.person_names import have_a_word_in_common
from players.spelling import words_of
from tournaments.trf import Finding, Pairing, PlayerRecord, Report
from tournaments.trf.findings import Place, found
from tournaments.trf.report import PENALTIES, field_place

# A PGN of a hybrid event of 2,000 players and 11 rounds has 11,000 games of some 80 half-moves.
MAX_GAMES = 20_000
MAX_PLIES = 2_000_000
# python-chess reads a line again for each comment in it.
LONGEST_LINE = 16_384
LONGEST_TEXT = 100
WANTED_TAGS = frozenset({"White", "Black", "WhiteFideId", "BlackFideId", "Round", "Result"})
# A game from another position or by other rules is no game of chess by the Laws (2.1).
FOREIGN_TAGS = frozenset({"FEN", "Variant"})

# Annotation glyphs have up to three digits; Python refuses to read numbers of thousands.
LONG_GLYPH = re.compile(r"\$[0-9]{4,}")


class TooMuchError(Exception):
    """The PGN has more of something than is read."""

    def __init__(self, limit: int, what: str) -> None:
        super().__init__(what)
        self.limit, self.what = limit, what


@dataclass(frozen=True, slots=True)
class PgnGame:
    """A game of a PGN: `number` from 1 in the file, `error` is why its moves end before the game does.

    `ending` is the result by the last position, else the one written after the moves, empty without both.
    """

    number: int
    white: str
    black: str
    white_id: int | None
    black_id: int | None
    round: str
    result: str
    ending: str
    plies: int
    error: str


def games_of(content: bytes) -> Iterator[PgnGame]:
    """Yield the games of a PGN; `TooMuchError` beyond a bound. Text that is no PGN has none."""
    # Names and tags are stored with the findings, and PostgreSQL keeps no NUL character.
    text = decode_text(content).replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    text = LONG_GLYPH.sub("", text)
    if any(len(line) > LONGEST_LINE for line in text.split("\n")):
        raise TooMuchError(LONGEST_LINE, gettext_noop("characters in a line"))
    handle, left = io.StringIO(text), iter(range(MAX_PLIES))
    for number in range(1, MAX_GAMES + 1):
        reader = chess.pgn.read_game(handle, Visitor=lambda: GameReader(left))
        if reader is None:
            return
        yield reader.game(number)
    # The position in a `StringIO` counts characters, as the slice does.
    if text[handle.tell() :].strip():
        raise TooMuchError(MAX_GAMES, gettext_noop("games"))


class GameReader(chess.pgn.BaseVisitor["GameReader"]):
    """Takes the tags and counts the moves of the main line; comments and variations are passed over.

    `left` has an item for each half-move, or comment, that may still be read.
    """

    def __init__(self, left: Iterator[int]) -> None:
        self.left = left
        self.tags: dict[str, str] = {}
        self.plies = 0
        self.error = ""
        self.ending = ""
        self.board = chess.Board()

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """Store the needed tags."""
        # Servers write the variant or the initial position into ordinary games, too.
        if tagname in FOREIGN_TAGS and tagvalue not in ("", "Standard", "standard", chess.STARTING_FEN):
            self.error = f"{tagname} {tagvalue[:LONGEST_TEXT]}"
        if tagname in WANTED_TAGS:
            self.tags[tagname] = tagvalue[:LONGEST_TEXT].strip()

    def end_headers(self) -> chess.pgn.SkipType | None:
        """Leave out the moves of a game that is not chess by the Laws."""
        return chess.pgn.SKIP if self.error else None

    def begin_variation(self) -> chess.pgn.SkipType:
        """Pass over every variation."""
        return chess.pgn.SKIP

    def visit_board(self, board: chess.Board) -> None:
        """Keep the last position of the main line."""
        self.board = board

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        self.plies += 1
        self._spend()

    def visit_comment(self, comment: str | list[str]) -> None:
        """Pass over a comment; it takes time like a move."""
        self._spend()

    def visit_result(self, result: str) -> None:
        """Keep the result that ends the moves."""
        self.ending = result

    def handle_error(self, error: Exception) -> None:
        """Keep the first error; nothing after it is read."""
        self.error = self.error or str(error)[: 2 * LONGEST_TEXT]

    def result(self) -> GameReader:
        """Return the reader itself, which knows the game."""
        return self

    def _spend(self) -> None:
        if next(self.left, None) is None:
            raise TooMuchError(MAX_PLIES, gettext_noop("half-moves and comments"))

    def game(self, number: int) -> PgnGame:
        """Return what was read as a value."""
        tags = self.tags
        return PgnGame(
            number=number,
            white=tags.get("White", ""),
            black=tags.get("Black", ""),
            white_id=_fide_id(tags.get("WhiteFideId", "")),
            black_id=_fide_id(tags.get("BlackFideId", "")),
            round=tags.get("Round", ""),
            result=tags.get("Result", "") or self.ending,
            # After an illegal move the last position is not where the game ended.
            ending="" if self.error else _result_of_position(self.board) or self.ending.strip("*"),
            plies=self.plies,
            error=self.error,
        )


def _result_of_position(board: chess.Board) -> str:
    """Return the result that a position leaves no doubt of, empty where the game could have gone on."""
    if board.is_checkmate():
        return "0-1" if board.turn == chess.WHITE else "1-0"
    return "1/2-1/2" if board.is_stalemate() or board.is_insufficient_material() else ""


def _fide_id(text: str) -> int | None:
    # Programs write 0 for a player without an ID.
    return read_number(text, most=MAX_FIDE_ID) or None


# The games of a report against those of its PGN: every rated game of a hybrid tournament has one (8.4).
RESULTS = {"1-0": "1", "0-1": "0", "1/2-1/2": "=", "½-½": "="}
SPELLED = {"1": "1-0", "0": "0-1", "=": "1/2-1/2"}
# Both players have made a move (4.1).
FEWEST_PLIES = 2

Names = dict[frozenset[str], int | None]


@dataclass(frozen=True, slots=True)
class PlayersOfReport:
    """The players of a report by FIDE ID and by the words of the name; None where a name is two players'."""

    records: Mapping[int, PlayerRecord]
    by_id: dict[int, int]
    by_name: Names
    forfeits: dict[frozenset[int], list[Pairing]]

    def number_of(self, fide_id: int | None, name: str) -> int | None:
        """Return the starting rank of a player of the PGN: by the ID, else by the whole name, else with an initial."""
        if fide_id in self.by_id:
            return self.by_id[fide_id]
        words = words_of(name)
        # Programs shorten given names in a PGN.
        return self.by_name.get(frozenset(words)) or self.by_name.get(_short(words))


def check_games(report: Report, pgn: bytes) -> list[Finding]:
    """Return in what the PGN of the games differs from the report; games of the report that are rated."""
    findings: list[Finding] = []
    games: list[PgnGame] = []
    try:
        games.extend(games_of(pgn))
    except TooMuchError as error:
        return [found("pgn-too-large", limit=error.limit, what=error.what)]
    if not any(game.white or game.plies for game in games):
        return [found("pgn-unreadable")]
    lines = _lines(report)
    left = _by_pair(report, played=True)
    for game in games:
        findings += _check_game(game, lines, left)
    # Every rated game must be in the PGN (8.4): what no game has taken out of `left` is missing there.
    findings += [_missing(pairing, lines) for pairings in left.values() for pairing in pairings]
    return findings


def _lines(report: Report) -> PlayersOfReport:
    names: Names = {}
    for record in report.players:
        words = words_of(record.name)
        # A set, as a name of one word has the same key twice and would count as two players.
        for key in {frozenset(words), _short(words)}:
            if key:
                names[key] = None if key in names else record.number
    by_id = {record.fide_id: record.number for record in report.players if record.fide_id}
    return PlayersOfReport(report.by_number, by_id, names, _by_pair(report, played=False))


def _short(words: list[str]) -> frozenset[str]:
    """Return the surname and the first letter of what follows: `buchfink, c` for Buchfink, Carl and for Buchfink, C."""
    return frozenset((words[0], "," + words[1][0])) if len(words) > 1 else frozenset(words)


def _by_pair(report: Report, *, played: bool) -> dict[frozenset[int], list[Pairing]]:
    """Return the games over the board, or those not played, by the two players, in the order of the rounds."""
    pairs: dict[frozenset[int], list[Pairing]] = defaultdict(list)
    for game in report.games:
        if game.played == played:
            pairs[frozenset((game.white, game.black))].append(game)
    return pairs


def _check_game(
    game: PgnGame, lines: PlayersOfReport, left: dict[frozenset[int], list[Pairing]]
) -> Iterator[Finding]:
    """Yield what is wrong with a game, and take its pairing out of those left."""
    named: dict[str, str | int] = {"game": game.number, "white": game.white, "black": game.black}
    white, black = (
        lines.number_of(game.white_id, game.white),
        lines.number_of(game.black_id, game.black),
    )
    if white is None or black is None:
        unknown = game.white if white is None else game.black
        yield found("pgn-player-unknown", **named, unknown=unknown or "?")
        return
    pair = frozenset((white, black))
    # Boards write a game without moves for a forfeit.
    if game.plies < FEWEST_PLIES and _is_forfeit(game, lines.forfeits.get(pair, []), left.get(pair, [])):
        return
    pairing = _find_pairing(left.get(pair, []), game, white)
    if pairing is None:
        yield found("pgn-game-extra", **named)
        return
    yield from _names(game, lines, white, black)
    yield from _tags(game, pairing)
    yield from _agreement(game, pairing, white, lines)
    if game.error:
        yield found("pgn-illegal-move", **named, plies=game.plies, reason=game.error)
    elif game.plies < FEWEST_PLIES:
        yield found("pgn-moves-missing", **named, plies=game.plies)


def _is_forfeit(game: PgnGame, forfeits: list[Pairing], played: list[Pairing]) -> bool:
    """Return whether a game without moves is of a round in which the two did not play, or of no other game."""
    round_text = game.round.split(".")[0].lstrip("0")
    return any(str(pairing.round) == round_text or not played for pairing in forfeits)


def _find_pairing(pairings: list[Pairing], game: PgnGame, white: int) -> Pairing | None:
    """Return the pairing that a game is of: of several between two players that of its round, else of its colours."""
    if not pairings:
        return None
    # The PGN standard allows `3.1` for the first board of round 3.
    round_text = game.round.split(".")[0]

    def fit(pairing: Pairing) -> tuple[bool, bool]:
        return str(pairing.round) == round_text.lstrip("0"), pairing.white == white

    best = max(pairings, key=fit)
    # Two players may meet several times: each game of the PGN stands for one pairing.
    pairings.remove(best)
    return best


def _names(game: PgnGame, lines: PlayersOfReport, white: int, black: int) -> Iterator[Finding]:
    """Yield whose FIDE ID in the PGN is that of a player of another name, or another one than in the report."""
    for number, name, fide_id in ((white, game.white, game.white_id), (black, game.black, game.black_id)):
        own_id = lines.records[number].fide_id
        # The report decides who is rated, so its line gets the finding and not the game.
        if fide_id and own_id and fide_id != own_id:
            ids = {"played": fide_id, "reported": own_id}
            place = field_place(lines.records[number], "fide_id")
            yield found("pgn-id-differs", place, game=game.number, name=name, **ids)
        if not have_a_word_in_common(lines.records[number].name, name):
            who = {"reported": lines.records[number].name, "played": name}
            place = Place(lines.records[number].line, 15, 33)
            yield found("pgn-name-differs", place, game=game.number, **who)


def _tags(game: PgnGame, pairing: Pairing) -> Iterator[Finding]:
    """Yield a Round tag of another round, and a Result tag that the moves contradict."""
    named: dict[str, str | int] = {"game": game.number, "white": game.white, "black": game.black}
    round_text = game.round.split(".")[0]
    if round_text.isdecimal() and int(round_text) != pairing.round:
        yield found("pgn-round-differs", **named, played=round_text, reported=pairing.round)
    if game.ending and RESULTS.get(game.result) != RESULTS.get(game.ending):
        yield found("pgn-result-contradicts", **named, tag=game.result, played=game.ending)


def _agreement(game: PgnGame, pairing: Pairing, white: int, lines: PlayersOfReport) -> Iterator[Finding]:
    named: dict[str, str | int] = {"round": pairing.round, "game": game.number}
    place = _place(pairing, lines)
    if pairing.white != white:
        yield found("pgn-colours-differ", place, **named, white=lines.records[pairing.white].name)
        return
    # A penalty hides how the game ended: the PGN may have either result (D-120).
    is_penalty = (pairing.white_code, pairing.black_code) in PENALTIES
    if not is_penalty and RESULTS.get(game.result) != pairing.white_code:
        names = {"white": lines.records[pairing.white].name, "black": lines.records[pairing.black].name}
        results = {"reported": SPELLED[pairing.white_code], "played": game.result or "*"}
        yield found("pgn-result-differs", place, **named, **names, **results)


def _missing(pairing: Pairing, lines: PlayersOfReport) -> Finding:
    names = {"white": lines.records[pairing.white].name, "black": lines.records[pairing.black].name}
    return found("pgn-game-missing", _place(pairing, lines), round=pairing.round, **names)


def _place(pairing: Pairing, lines: PlayersOfReport) -> Place:
    record = lines.records[pairing.white]
    return Place(record.line, record.column_of(pairing.round), 8)
