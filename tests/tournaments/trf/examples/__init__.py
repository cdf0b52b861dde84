"""A minimal report for every code of a finding: what it means, and a file that has it."""

from __future__ import annotations

from tests.tournaments.trf.examples.event import EVENT, RECORDS
from tests.tournaments.trf.examples.example import Example
from tests.tournaments.trf.examples.files import FILES, LINES
from tests.tournaments.trf.examples.players import PLAYERS
from tests.tournaments.trf.examples.rounds import ROUNDS

__all__ = ["EXAMPLES", "SECTIONS", "Example"]

SECTIONS = {
    "The file": FILES,
    "Lines": LINES,
    "Tournament": EVENT,
    "Players": PLAYERS,
    "Rounds": ROUNDS,
    "Teams and other records": RECORDS,
}
EXAMPLES = {code: example for examples in SECTIONS.values() for code, example in examples.items()}
