"""Whether the games of a hybrid tournament are those of its PGN (8.4)."""

from __future__ import annotations

from tournaments.checks.inspection import Inspection
from tournaments.trf import Finding


def check_hybrid_games(inspection: Inspection) -> list[Finding]:
    """Return in what the PGN of a hybrid tournament differs from its report (8.4)."""
    if not inspection.tournament.is_hybrid or not inspection.pgn:
        return []
    # Its library makes tables for a tenth of a second: no process waits for them that reads no PGN.
    from tournaments.checks.pgn import check_games

    return check_games(inspection.report, inspection.pgn)
