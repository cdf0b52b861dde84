"""Signals of tournaments to the apps above. Receivers run in the sender's transaction."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.dispatch import Signal

# The handler of a queued job after the commit; None sends it to the workers.
Dispatch = Callable[[Any, datetime], None]

# Reports were accepted, or accepted ones came to rest on another registration: `reports`, `at`, and `dispatch` for
# the work that this makes due.
reports_accepted = Signal()

# FIDE Council upheld an appeal: `appeal`, `at`. What a list had taken and lost by the decision comes back (D-87).
appeal_upheld = Signal()
