"""Reports in TRF: read, check, write. Standard library only."""

from __future__ import annotations

from tournaments.trf.changed_lines import (
    RESULTS,
    decided_lines,
    pairing_of,
    recoloured_lines,
    swapped_lines,
    with_lines,
)
from tournaments.trf.checks import check_report
from tournaments.trf.codes import Severity
from tournaments.trf.findings import Finding
from tournaments.trf.players import PlayerRecord, RoundResult
from tournaments.trf.reader import read_report
from tournaments.trf.report import Pairing, Report, Unplayed, rounds_per_day
from tournaments.trf.time_control import TimeControl, classify, parse_222, parse_time_control
from tournaments.trf.writer import write_report, write_trf16, write_trf26

__all__ = [
    "RESULTS",
    "Finding",
    "Pairing",
    "PlayerRecord",
    "Report",
    "RoundResult",
    "Severity",
    "TimeControl",
    "Unplayed",
    "check_report",
    "classify",
    "decided_lines",
    "pairing_of",
    "parse_222",
    "parse_time_control",
    "read_report",
    "recoloured_lines",
    "rounds_per_day",
    "swapped_lines",
    "with_lines",
    "write_report",
    "write_trf16",
    "write_trf26",
]
