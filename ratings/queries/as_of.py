"""A person as a list showed them: whoever looks back sees what stood then, whatever was changed since."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from datetime import date

from players.models import Player
from ratings.models import ListEntry
from ratings.queries.profile import KindProfile

SHOWN = ("name", "sex", "title", "women_title", "other_titles", "foa_title", "birth_year", "federation")


def person_as_of(player: Player, profiles: Sequence[KindProfile], day: date) -> Player:
    """Return the player with the personal data of the newest entry up to a day; never to be saved.

    Without an entry only the name and the FIDE ID are known to have been so.
    """
    shown = copy(player)
    if shown.died_on and shown.died_on > day:
        shown.died_on = None
    entry = _newest_entry(profiles)
    if entry is not None:
        for name in SHOWN:
            setattr(shown, name, getattr(entry, name))
    return shown


def _newest_entry(profiles: Sequence[KindProfile]) -> ListEntry | None:
    rows = [row for profile in profiles for row in profile.rows if row.entry is not None]
    newest = max(rows, key=lambda row: row.rating_list.date, default=None)
    return newest.entry if newest else None
