"""Players and federations of a list: new ones are created, changed ones updated, nothing else is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from core.bulk import update_rows, write_missing_rows, write_rows
from core.sql import ids_subquery
from players.fide_list import KINDS, ListedRating, ListRecord
from players.members import end_left_memberships
from players.models import Federation, FormerFederation, Player
from players.name_refusals import rename_players, write_name_words
from ratings.choices import SENTENCES
from ratings.imports.decided import decided_fields, is_poorer_spelling
from ratings.imports.outcome import PersonChange
from ratings.ledger import figures

# In the order of `ListRecord`, so that a row and the beginning of a record compare as they are.
PERSON = ("fide_id", *figures.PERSON)
FIELDS = ("fide_id", *(name.removesuffix("_id") for name in figures.PERSON))
WIDTH = len(PERSON)
Person = tuple[Any, ...]
# A player whose federation is not known is of none, as FIDE lists it.
NO_FEDERATION = "NON"
# So many changed players are named with what changes, and so many of whom something else was decided here.
MAX_NAMED, MAX_KEPT = 50, 1_000
# K of those who have reached 2400, at any age.
LEAST_K = 10


class FederationImport:
    """Creates the federations that a list names and the portal does not know, as members."""

    def __init__(self) -> None:
        self._known = set(Federation.objects.values_list("code", flat=True))
        self.notices: list[str] = []

    def ensure(self, codes: Iterable[str]) -> None:
        """Create a federation for each unknown code."""
        for code in sorted({code or NO_FEDERATION for code in codes} - self._known):
            Federation.objects.create(code=code, name=code)
            self._known.add(code)
            self.notices.append(SENTENCES.say("federation-created", federation=code))


class PeopleImport:
    """Brings the personal data of a list in; an older list than one that came before creates players only.

    What was decided here stays, and is `kept`: each player with the fields, the value here and that of the list
    (D-136). `born_otherwise` are those whose year of birth is one of these fields.
    """

    def __init__(self, *, on: date, may_update: bool) -> None:
        self.created = 0
        self.changed = 0
        self.changes: list[PersonChange] = []
        self.kept: list[PersonChange] = []
        self.kept_count = 0
        self.born_otherwise: set[int] = set()
        self.may_update = may_update
        self._on = on
        self._heard: set[str] = set()
        self._is_first = not Player.objects.exists()

    def merge(self, records: Sequence[ListRecord]) -> list[ListRecord]:
        """Create and update the players; return the records, with what the portal knows where they are blank."""
        known = self._load_known(records)
        merged = [_fill_blanks(record, known.get(record.fide_id)) for record in records]
        self._create([record[:WIDTH] for record in merged if record.fide_id not in known])
        if self.may_update:
            self._update(self._changes(merged, known))
        return merged

    def _changes(self, records: list[ListRecord], known: Mapping[int, Person]) -> list[tuple[Person, Person]]:
        """Return what records change; what was decided here, and names spelled more poorly, are put back in them."""
        differing = {
            place: old
            for place, record in enumerate(records)
            if (old := known.get(record.fide_id)) is not None and record[:WIDTH] != old
        }
        for place, old in differing.items():
            if is_poorer_spelling(records[place].name, old[1]):
                records[place] = records[place]._replace(name=old[1])
        decided = decided_fields(
            {records[place][:WIDTH]: old for place, old in differing.items()}, on=self._on
        )
        for place, old in differing.items():
            record = records[place]
            if names := decided.get(record.fide_id):
                self._note_kept(record, old, names)
                records[place] = _with_own(record, old, names)
        pairs = ((records[place][:WIDTH], old) for place, old in differing.items())
        return [(new, old) for new, old in pairs if new != old]

    def _note_kept(self, record: ListRecord, old: Person, names: frozenset[str]) -> None:
        self.kept_count += 1
        if "birth_year" in names:
            self.born_otherwise.add(record.fide_id)
        if len(self.kept) < MAX_KEPT:
            fields = tuple(
                (name, old[place], record[place]) for place, name in enumerate(PERSON) if name in names
            )
            self.kept.append(PersonChange(record.fide_id, old[1], fields))

    def _load_known(self, records: Sequence[ListRecord]) -> dict[int, Person]:
        if self._is_first:
            # No lookup needed: the table was empty, and the reader yields each player once.
            return {}
        players = Player.objects.filter(pk__in=ids_subquery(record.fide_id for record in records)).order_by()
        return {person[0]: person for person in players.values_list(*PERSON)}

    def _create(self, people: Sequence[Person]) -> None:
        if people:
            write_rows(Player, FIELDS, people)
            write_name_words(((person[0], person[1]) for person in people), heard=self._heard)
            self.created += len(people)

    def _update(self, changes: Sequence[tuple[Person, Person]]) -> None:
        if changes:
            update_rows(Player, FIELDS, [new for new, _ in changes])
            rename_players([(new[0], new[1], old[1]) for new, old in changes if new[1] != old[1]])
            place = PERSON.index("federation_id")
            if left := [(new[0], old[place], self._on) for new, old in changes if new[place] != old[place]]:
                write_missing_rows(FormerFederation, ("player", "federation", "until"), left)
                end_left_memberships((fide_id for fide_id, *_left in left), on=self._on)
            self.changed += len(changes)
            room = MAX_NAMED - len(self.changes)
            self.changes += [_change(new, old) for new, old in changes[:room]]


def _change(new: Person, old: Person) -> PersonChange:
    """Return the differences between a list and the portal: the value before and after, by field."""
    pairs = zip(PERSON, old, new, strict=True)
    fields = tuple((name, before, after) for name, before, after in pairs if before != after)
    return PersonChange(new[0], new[1], fields)


def _with_own(record: ListRecord, old: Person, names: frozenset[str]) -> ListRecord:
    """Return a record with the portal's values of some fields.

    A K that FIDE gave for another year of birth is left out, and inferred from the right one (D-12).
    """
    own: list[Any] = [old[place] if name in names else record[place] for place, name in enumerate(PERSON)]
    ratings: Iterable[Any] = record[WIDTH:]
    if "birth_year" in names:
        ratings = tuple(
            replace(item, k=None) if isinstance(item, ListedRating) and item.k != LEAST_K else item
            for item in ratings
        )
    return ListRecord(*own, *ratings)


def _fill_blanks(record: ListRecord, known: Person | None) -> ListRecord:
    """Return the record with a blank name, federation, sex or year filled from the portal: unknown."""
    if record.name and record.federation and record.sex and record.birth_year is not None:
        return record
    if known is None:
        return record if record.federation else record._replace(federation=NO_FEDERATION)
    birth_year = known[8] if record.birth_year is None else record.birth_year
    return record._replace(
        name=record.name or known[1],
        federation=record.federation or known[2],
        sex=record.sex or known[3],
        birth_year=birth_year,
    )


class Successors:
    """Sets the records of merged players aside: their ratings go to the successor who is not in the file."""

    def __init__(self) -> None:
        self.notices: list[str] = []
        merged = Player.objects.filter(merged_into__isnull=False).order_by()
        self._successors = {key: into or 0 for key, into in merged.values_list("pk", "merged_into")}
        self._wanted = frozenset(self._successors.values())
        self._seen: set[int] = set()
        self._aside: list[ListRecord] = []

    def others(self, records: Iterable[ListRecord]) -> Iterable[ListRecord]:
        """Return the records of those who are not merged, to be read to the end before `inherited`."""
        return self._set_successors_aside(records) if self._successors else records

    def inherited(self, kinds: Sequence[str]) -> list[ListRecord]:
        """Return the records of merged players as those of their successors; personal data are the portal's."""
        places = [ListRecord._fields.index(kind) for kind in KINDS if kind in kinds]
        rated = [record for record in self._aside if any(record[place] for place in places)]
        return [heir for record in rated if (heir := self._heir_of(record)) is not None]

    def _set_successors_aside(self, records: Iterable[ListRecord]) -> Iterator[ListRecord]:
        for record in records:
            if record.fide_id in self._successors:
                self._aside.append(record)
                continue
            # Kept for those alone who may inherit: all IDs of a file would be 1.9 million.
            if record.fide_id in self._wanted:
                self._seen.add(record.fide_id)
            yield record

    def _heir_of(self, record: ListRecord) -> ListRecord | None:
        successor = self._successors[record.fide_id]
        names = {"merged": record.fide_id, "successor": successor}
        if successor in self._seen:
            self.notices.append(SENTENCES.say("merged-skipped", **names))
            return None
        self._seen.add(successor)
        self.notices.append(SENTENCES.say("merged-rated", **names))
        # What FIDE still says of the merged ID is not the person's name or federation.
        person = Player.objects.values_list(*PERSON).get(pk=successor)
        return ListRecord(*person, *record[len(PERSON) :])
