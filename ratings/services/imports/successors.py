"""Records of players whom the portal has merged into others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.utils.translation import gettext as _

from players.fide_list import KINDS, ListRecord
from players.models import Player
from ratings.services.imports.people import PERSON


class Successors:
    """Sets the records of merged players aside: their ratings go to the successor who is not in the file."""

    def __init__(self) -> None:
        self.notices: list[str] = []
        self._successors = _successors()
        self._wanted = frozenset(self._successors.values())
        self._seen: set[int] = set()
        self._aside: list[ListRecord] = []

    def others(self, records: Iterable[ListRecord]) -> Iterable[ListRecord]:
        """Return the records of those who are not merged, to be read to the end before `inherited`."""
        return self._watched(records) if self._successors else records

    def inherited(self, kinds: Sequence[str]) -> list[ListRecord]:
        """Return the records of merged players as those of their successors; personal data are the portal's."""
        places = [ListRecord._fields.index(kind) for kind in KINDS if kind in kinds]
        rated = [record for record in self._aside if any(record[place] for place in places)]
        return [heir for record in rated if (heir := self._heir_of(record)) is not None]

    def _watched(self, records: Iterable[ListRecord]) -> Iterator[ListRecord]:
        for record in records:
            if record.fide_id in self._successors:
                self._aside.append(record)
                continue
            if record.fide_id in self._wanted:
                self._seen.add(record.fide_id)
            yield record

    def _heir_of(self, record: ListRecord) -> ListRecord | None:
        successor = self._successors[record.fide_id]
        names = {"merged": record.fide_id, "successor": successor}
        if successor in self._seen:
            message = _(
                "%(merged)s is merged into %(successor)s, who is on the list; the former was skipped."
            )
            self.notices.append(message % names)
            return None
        self._seen.add(successor)
        message = _("%(merged)s is merged into %(successor)s, who got the ratings of the former.")
        self.notices.append(message % names)
        person = Player.objects.values_list(*PERSON).get(pk=successor)
        return ListRecord(*person, *record[len(PERSON) :])


def _successors() -> dict[int, int]:
    """Return the last successor of each merged player."""
    merged = Player.objects.exclude(merged_into=None)
    direct = {player: successor or 0 for player, successor in merged.values_list("pk", "merged_into")}
    return {player: _last(player, direct) for player in direct}


def _last(player: int, direct: dict[int, int]) -> int:
    passed = {player}
    while (following := direct.get(player)) is not None and following not in passed:
        passed.add(following)
        player = following
    return player
