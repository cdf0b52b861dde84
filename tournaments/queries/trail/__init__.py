"""The trail of the whole portal: who did what, when, from what to what and why."""

from tournaments.queries.trail.rows import KINDS, TrailFilter, TrailPage, TrailRow, all_rows, page_of

__all__ = ["KINDS", "TrailFilter", "TrailPage", "TrailRow", "all_rows", "page_of"]
