"""Lines of a report that change: by fixes, or from one version to the next."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import zip_longest

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.reports import MarkedDifference, difference
from tournaments.trf.changed_lines import merged_line, player_columns
from tournaments.trf.columns import RecordColumn
from tournaments.trf.fields import in_ranges
from tournaments.trf.header import ROUND_DATES
from tournaments.trf.limits import MAX_ROUNDS
from tournaments.trf.players import TAG
from tournaments.trf.shift import whole_name
from tournaments.trf.tables import ROUNDS

SHOWN = 500
# Longer parts are compared line by line, without a search for moved lines.
MAX_COMPARED = 4_000
# With more fields than these the lines show better what changes.
FIELDS_SHOWN = 4
LABELS = {
    "number": _l("Starting rank"),
    "sex": _l("Sex"),
    "title": _l("Title"),
    "name": _l("Name"),
    "rating": _l("Rating"),
    "federation": _l("Federation"),
    "fide_id": _l("FIDE ID"),
    "birth": _l("Date of birth"),
    "points": _l("Points"),
    "rank": _l("Rank"),
    "opponent": _l("Opponent"),
    "colour": _l("Colour"),
    "code": _l("Result"),
}


# Records of the head with one value.
HEAD = {
    "012": _l("Tournament"),
    "042": _l("First day"),
    "052": _l("Last day"),
    "102": _l("Chief arbiter"),
    "122": _l("Time control"),
    "222": _l("Time control in seconds"),
}


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """A line as it is and as it is to be, and why."""

    line: int
    old: str
    new: str
    why: str

    @property
    def name(self) -> str:
        """Whose line it is."""
        return _name_in(self.old)

    @property
    def difference(self) -> MarkedDifference:
        """Both lines with the columns marked that change."""
        return line_difference(self.old, self.new)


@dataclass(frozen=True, slots=True)
class ChosenChanges:
    """The changes that somebody chose, one a line.

    `left` counts those that want a column which another one changes already, `gone` those that do not fit any more.
    """

    lines: Sequence[ChangedLine]
    left: int = 0
    gone: int = 0


@dataclass(frozen=True, slots=True)
class LineDifference:
    """A line of the former and of the later version, by number; None if one of them does not have the line."""

    former: int | None
    later: int | None
    change: MarkedDifference
    name: str


@dataclass(frozen=True, slots=True)
class Differences:
    """The first differences of two versions, and how many there are in all."""

    lines: Sequence[LineDifference]
    count: int

    @property
    def left_out(self) -> int:
        return self.count - len(self.lines)


def line_difference(old: str, new: str) -> MarkedDifference:
    """Return two texts of a line with what differs, of a player's line and of the head the fields in which they do."""
    return replace(difference(old, new), fields=_changed_fields(old, new))


def _name_in(line: str) -> str:
    """Return the name in a player's line, empty for another line."""
    return player_columns(0)["name"].text(line).strip() if line.startswith(TAG) else ""


def _changed_fields(old: str, new: str) -> list[tuple[str, str, str]]:
    if old[:3] == new[:3] == ROUND_DATES:
        return _changed_dates(old, new)
    if old[:3] == new[:3] and old[:3] in HEAD:
        return [(str(HEAD[old[:3]]), old[3:].strip(), new[3:].strip())]
    if not all(line.startswith(TAG) and line.isprintable() for line in (old, new)):
        return []
    width = max(len(old), len(new))
    columns = player_columns(min(len(ROUNDS.starts(" " * width)), MAX_ROUNDS))
    changed = {name: one for name, one in columns.items() if one.text(old) != one.text(new)}
    rest = [old.ljust(width), new.ljust(width)]
    for one in changed.values():
        rest = [f"{line[: one.first - 1]}{' ' * one.width}{line[one.last :]}" for line in rest]
    is_long = len(changed) > FIELDS_SHOWN or rest[0].rstrip() != rest[1].rstrip()
    fields = defaultdict[str, list[RecordColumn]](list)
    for name, one in columns.items():
        # Of a shifted line each round changes in all that it has.
        fields[field_name(name, is_whole_round=is_long)].append(one)
    texts = {
        name: [" ".join(one.text(line) for one in some).strip() for line in (old, new)]
        for name, some in fields.items()
    }
    if is_long and (whole := whole_name(old, new)):
        texts[str(LABELS["name"])][0] = whole
    return [(name, before, after) for name, (before, after) in texts.items() if before != after]


def _changed_dates(old: str, new: str) -> list[tuple[str, str, str]]:
    """Return the dates of rounds that differ, those of rounds that change alike together."""
    rounds = defaultdict[tuple[str, str], list[int]](list)
    for number, start in enumerate(ROUNDS.starts(max(old, new, key=len)), 1):
        before, after = (line[start : start + ROUNDS.step].strip() for line in (old, new))
        if before != after:
            rounds[before, after].append(number)
    if old[3 : ROUNDS.first - 1].strip() or len(rounds) > FIELDS_SHOWN:
        return []
    return [(" ".join((_("Rounds"), in_ranges(numbers))), *dates) for dates, numbers in rounds.items()]


def field_name(name: str, *, is_whole_round: bool = False) -> str:
    """Return a field of a player's line as a person reads it, of a round with its number."""
    field, _dash, number = name.partition("-")
    if not number:
        return str(LABELS[field])
    place = _("Round %(number)d") % {"number": int(number)}
    return place if is_whole_round else f"{place}, {LABELS[field]}"


def merged_changes(changes: Iterable[ChangedLine]) -> ChosenChanges:
    """Return changes as one a line: those of different columns of a line are made together."""
    by_line: dict[int, list[ChangedLine]] = {}
    for change in changes:
        by_line.setdefault(change.line, []).append(change)
    lines, left = [], 0
    for line, some in sorted(by_line.items()):
        new, left_out = merged_line(some[0].old, [item.new for item in some])
        left += left_out
        lines.append(ChangedLine(line, some[0].old, new, " ".join(dict.fromkeys(item.why for item in some))))
    return ChosenChanges([item for item in lines if item.old != item.new], left=left)


def differences_of(former: Sequence[str], later: Sequence[str]) -> Differences:
    """Return the lines that differ between two versions, in order."""
    pairs = list(_pairs(former, later))
    lines = [_line(former, later, first, second) for first, second in pairs[:SHOWN]]
    return Differences(lines, len(pairs))


def _pairs(former: Sequence[str], later: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    for first, last, start, end in _stretches(former, later):
        for old, new in zip_longest(range(first, last), range(start, end)):
            if old is None or new is None or former[old] != later[new]:
                yield old, new


def _stretches(former: Sequence[str], later: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    # A fix changes a line in its place: versions of equal length need no search.
    if len(former) == len(later) or len(former) + len(later) > MAX_COMPARED:
        yield 0, len(former), 0, len(later)
        return
    # By itself the matcher ignores lines that are frequent in a long text, as blank ones are.
    matcher = SequenceMatcher(None, former, later, autojunk=False)
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag != "equal":
            yield first, last, start, end


def _line(
    former: Sequence[str], later: Sequence[str], first: int | None, second: int | None
) -> LineDifference:
    old = former[first] if first is not None else ""
    new = later[second] if second is not None else ""
    numbers = [None if place is None else place + 1 for place in (first, second)]
    return LineDifference(numbers[0], numbers[1], line_difference(old, new), _name_in(new or old))
