"""A minimal report for every code of a finding: a file that has it, and the line and column, None for the whole."""

from __future__ import annotations

from tests.tournaments.trf.examples.event import EVENT, RECORDS
from tests.tournaments.trf.examples.files import FILES, LINES
from tests.tournaments.trf.examples.players import PLAYERS
from tests.tournaments.trf.examples.rounds import ROUNDS

EXAMPLES: dict[str, tuple[str | bytes, tuple[int | None, int | None]]] = {
    **FILES,
    **LINES,
    **EVENT,
    **PLAYERS,
    **ROUNDS,
    **RECORDS,
}
