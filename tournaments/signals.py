"""What tournaments tell the apps above them. Receivers run in the sender's transaction."""

from __future__ import annotations

from django.dispatch import Signal

# Reports were accepted, or accepted ones came to rest on another registration: `reports`.
reports_accepted = Signal()

# A report is being checked, stored or not: `report` as it was read, `tournament`, `players` by starting rank,
# `lookups`. Receivers return the findings that only they can make.
report_checked = Signal()

# The QC looks at an accepted report: `report`, and `own`, its players and games as they were read. Receivers return the
# indicators that only they can tell.
indicators_wanted = Signal()
