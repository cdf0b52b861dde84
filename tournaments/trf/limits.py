"""Limits on the content of a report: hostile uploads cost at most as much as real reports."""

from __future__ import annotations

MAX_BYTES = 4 * 1024 * 1024
MAX_LINES = 50_000
MAX_LINE_LENGTH = 65_536
# Starting numbers have four digits.
MAX_PLAYERS = 9_999
MAX_ROUNDS = 250
MAX_FINDINGS = 5_000
