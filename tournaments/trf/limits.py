"""File extensions of reports, and limits on their content: hostile uploads cost at most as much as real reports."""

from __future__ import annotations

# How the names of reports end in a folder.
SUFFIXES = {".trf", ".trfx", ".trf16", ".trf26", ".txt", ".tab"}
MAX_BYTES = 4 * 1024 * 1024
MAX_LINES = 50_000
MAX_LINE_LENGTH = 65_536
MAX_PLAYERS = 9_999
MAX_ROUNDS = 250
MAX_FINDINGS = 5_000
