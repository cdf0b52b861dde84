"""What players tell the apps above them. Receivers run in the sender's transaction."""

from __future__ import annotations

from django.dispatch import Signal

# Two FIDE IDs turned out to be one person: `player` is merged into `successor`, `by`, `at`. A receiver refuses by
# `RefusedError` where what it holds of `player` cannot follow.
players_merged = Signal()

# Staff look at what merging `player` into `into` would do. Receivers return what is in the way, as text, and what
# becomes of each thing that they hold (`players.services.merging.Foreseen`).
merging_foreseen = Signal()
