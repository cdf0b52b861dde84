"""What ratings tell the apps above them. Receivers run in the sender's transaction."""

from __future__ import annotations

from django.dispatch import Signal

# A list was published by the portal: `rating_list`, `at`, and `dispatch` for the work that this makes due.
list_published = Signal()
