"""The games of a PGN, read within bounds."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import chess
import chess.pgn
from django.utils.translation import gettext_noop

from core.text_values import read_number
from core.web.csv_reader import decode_text
from players.fide_list.values import MAX_FIDE_ID

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


class Bound(StrEnum):
    """What a PGN has more of than is read."""

    GAMES = gettext_noop("games")
    PLIES = gettext_noop("half-moves and comments")
    LINE = gettext_noop("characters in a line")


LIMITS = {Bound.GAMES: MAX_GAMES, Bound.PLIES: MAX_PLIES, Bound.LINE: LONGEST_LINE}


class TooMuchError(Exception):
    """The PGN exceeds a limit."""

    def __init__(self, bound: Bound) -> None:
        super().__init__(bound)
        self.bound = bound


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


@dataclass(slots=True)
class Budget:
    """The half-moves, and comments, that may still be read."""

    plies: int = MAX_PLIES


def games_of(content: bytes) -> Iterator[PgnGame]:
    """Yield the games of a PGN; `TooMuchError` beyond a bound. Text that is no PGN has none."""
    # Names and tags are stored with the findings, and PostgreSQL keeps no NUL character.
    text = decode_text(content).replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    text = LONG_GLYPH.sub("", text)
    if any(len(line) > LONGEST_LINE for line in text.split("\n")):
        raise TooMuchError(Bound.LINE)
    handle, budget = io.StringIO(text), Budget()
    for number in range(1, MAX_GAMES + 1):
        reader = chess.pgn.read_game(handle, Visitor=lambda: GameReader(budget))
        if reader is None:
            return
        yield reader.game(number)
    # The position in a `StringIO` counts characters, as the slice does.
    if text[handle.tell() :].strip():
        raise TooMuchError(Bound.GAMES)


class GameReader(chess.pgn.BaseVisitor["GameReader"]):
    """Takes the tags and counts the moves of the main line; comments and variations are passed over."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
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
        self.budget.plies -= 1
        if self.budget.plies < 0:
            raise TooMuchError(Bound.PLIES)

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
