"""Lines whose fields are not in their columns: the offsets at which most fields can be read, and the line with them.

Each field of the table is tried some columns to the left and to the right. A line has as few changes of the offset as
explain it: one after a name that is padded by bytes, by display width or not at all, one before a field edited by hand.
Where blanks are in a field or in a round, no offset makes it readable: rounds are then read as words, and blanks taken
out one after the other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from tournaments.trf.columns import RecordColumn, RecordTable

FAR = 22
# How far in a line, at most, a date or a federation is looked for, and how many of each.
FARTHEST, MOST_ANCHORS = 300, 4
# So many blanks are taken out or put in at one place.
MOST_BLANKS = 3
# Where colour and result stand in the ten columns of a round.
COLOUR_AT, CODE_AT = 5, 7
# What a readable field is worth, one that is not, and a change of the offset; a blank field tells nothing.
READ, UNREAD, ALIGNED, CHANGE = 4, -4, 1, -3
# What a proposal has to gain: one field that can be read in place of one that cannot.
LEAST_GAIN = READ - UNREAD
# How many times fewer fields can then not be read: a line that stays unreadable is of another kind.
FEWER = 4
# Looks at fields in one report; a file that is wrong everywhere need not be tried to its end.
MAX_LOOKS = 400_000
CELL = re.compile(r"(?: {0,3}\d{1,4} {0,3}| {4}) [wWbB\- ] [1=0WDLwdl+\-HFUZhfuzAaXx?*½ ]", re.ASCII)
# The positions of the name, the only field that is cut.
NAME_START, NAME_END = 14, 47
RULED = re.compile(r"[ \d]{4} . .", re.ASCII)
# A round as words: opponent, colour and result, with blanks too many or too few between them.
WORDS = re.compile(r" *(\d{1,4}) *([wWbB-]) *([1=0WDLwdl+\-HFUZhfuzAaXx?*½])(?=[ \d]|$) *", re.ASCII)
# How much nearer to or farther from the one before a round may be than it should.
NEAR = 4
# What a line has at one place of the table only, however far it is shifted: date of birth and federation.
ANCHORS = (
    (re.compile(r"\d{4}[/.-]\d\d[/.-]\d\d", re.ASCII), "birth"),
    (re.compile(r"(?<= )[A-Z]{3}(?= )"), "federation"),
)


class Shift(NamedTuple):
    """A line as it should be, from which column of the table on it differs, and by how many columns to the right."""

    line: str
    column: int
    by: int
    last: int


class ShiftedField(NamedTuple):
    """A field of a table, or a round: its first position in a line, how far it reaches, and the blanks before it."""

    start: int
    end: int
    gap: int
    column: RecordColumn | None
    is_text: bool = False
    is_after_text: bool = False


@dataclass(slots=True)
class Aligner:
    """Tries the table at other offsets, on the lines of one report: those that helped before come first."""

    table: RecordTable
    looks: int = 0
    helped: Counter[int] = field(default_factory=Counter)
    fields: tuple[ShiftedField, ...] = ()

    def __post_init__(self) -> None:
        self.fields = tuple(_fields(self.table))

    def shift_of(self, line: str) -> Shift | None:
        """Return how a line is shifted, None where no other offsets make more of its fields readable."""
        if self.looks > MAX_LOOKS:
            return None
        fields = [*self.fields, *_rounds(self.table, len(line) + FAR)]
        found = self._by_offsets(line, fields)
        if found and not self._unread(found.line):
            return found
        other = self._by_words(line) or self._with_other_blanks(line)
        if other and (not found or self._unread(other.line) < self._unread(found.line)):
            return other
        return found

    def _by_offsets(self, line: str, fields: Sequence[ShiftedField]) -> Shift | None:
        """Return the line with its fields at the offsets at which most of them can be read."""
        best = None
        if self.helped:
            best = self._best(line, fields, {0, *(offset for offset, _ in self.helped.most_common(KEPT))})
        if best is None or best.unread:
            best = self._best(line, fields, {*range(-FAR, FAR + 1), *self._far_offsets(line)}) or best
        if best is None:
            return None
        written = _write_line(line, fields, best.offsets)
        if _loses_more_than_a_name(line, written):
            return None
        self.helped.update(set(best.offsets) - {0})
        changed = next(place for place, offset in enumerate(best.offsets) if offset)
        return Shift(written, fields[changed].start + 1, best.offsets[changed], best.offsets[-1])

    def _far_offsets(self, line: str) -> Iterator[int]:
        """Yield the offsets, however far, at which a date or a federation stands in a line."""
        for pattern, name in ANCHORS:
            first = next((one.first for one in self.table.columns if one.name == name), 0)
            found = islice(pattern.finditer(line[:FARTHEST]), MOST_ANCHORS)
            yield from (match.start() + 1 - first for match in found if first)

    def _by_words(self, line: str) -> Shift | None:
        """Return the line with its rounds as words: opponent, colour and result, whatever the blanks between them."""
        if self.table.repeat is None:
            return None
        head = self._best(line, self.fields, {*range(-FAR, FAR + 1), *self._far_offsets(line)})
        offsets = head.offsets if head else (0,) * len(self.fields)
        first = self.fields[-1].end + offsets[-1]
        rounds = _rounds_as_words(
            line, first, self.table.repeat.first - 1, self.table.repeat.step, offsets[-1]
        )
        if not rounds:
            return None
        written = (
            _write_line(line[:first], self.fields, offsets).ljust(self.table.repeat.first - 1) + rounds.text
        )
        if written == line or self._unread(written) or _loses_more_than_a_name(line, written):
            return None
        changed = next((place for place, offset in enumerate(offsets) if offset), None)
        if changed is None:
            return Shift(written, rounds.column, rounds.by, rounds.last)
        return Shift(written, self.fields[changed].start + 1, offsets[changed], rounds.last)

    def _with_other_blanks(self, line: str) -> Shift | None:
        """Return the line with some blanks less, or more after a field, where all of it can be read only so."""
        for number in range(1, MOST_BLANKS + 1):
            surplus = [at for at in range(4, len(line) - number) if line[at : at + number] == " " * number]
            ends = [3, *(one.end for one in self.fields if one.end < len(line))]
            self.looks += len(surplus + ends) * len(self.fields)
            lines = {line[:at] + line[at + number :]: (at, number) for at in reversed(surplus)}
            lines |= {line[:at] + " " * number + line[at:]: (at, -number) for at in reversed(ends)}
            worths = {other: self._worth_of(other) for other in lines if not self._unread(other)}
            likely = [other for other, worth in worths.items() if worth == max(worths.values())]
            if len(likely) == 1:
                written = likely[0]
                at, by = lines[written]
                starts = [one.start for one in self.fields]
                # What is missing moves the next field, what is too much stands in one.
                near = (
                    [start for start in starts if start >= at]
                    if by < 0
                    else [start for start in starts if start < at]
                )
                return Shift(written, (near[0] if by < 0 else near[-1]) + 1 if near else 1, by, by)
        return None

    def _worth_of(self, line: str) -> int:
        """Return what a line is worth as it stands, more where its fields are in their columns."""
        return sum(_worth(line, one, 0) for one in [*self.fields, *_rounds(self.table, len(line))])

    def _unread(self, line: str) -> int:
        """Return how many fields and rounds of a line cannot be read as it stands."""
        fields = [*self.fields, *_rounds(self.table, len(line))]
        return sum(_worth(line, one, 0) < 0 for one in fields)

    def _best(self, line: str, fields: Sequence[ShiftedField], offsets: set[int]) -> OffsetPath | None:
        """Return the offsets of the fields under which they are worth most, None where the usual ones are as good."""
        self.looks += len(fields) * len(offsets)
        worths = {offset: [_worth(line, one, offset) for one in fields] for offset in offsets}
        likely = sorted(worths, key=lambda offset: (-sum(max(one, 0) for one in worths[offset]), abs(offset)))
        paths = {0: OffsetPath((), 0, 0)}
        for place, one in enumerate(fields):
            before = fields[place - 1] if place else None
            reached: dict[int, OffsetPath] = {}
            for offset in {0, *likely[:KEPT]}:
                worth = worths[offset][place]
                candidates = []
                for former, path in paths.items():
                    if former == offset:
                        candidates.append(path.then(offset, worth))
                    elif (changed := _worth_after(line, before, one, former, offset, worth)) > 0:
                        candidates.append(path.then(offset, changed))
                if candidates:
                    reached[offset] = max(candidates, key=_nearest_of_best)
            paths = reached
        best = max(paths.values(), key=_nearest_of_best)
        changes = sum(one != other for one, other in zip((0, *best.offsets), best.offsets, strict=False))
        gained = best.worth - CHANGE * changes - sum(worths[0])
        is_better = gained >= LEAST_GAIN and FEWER * best.unread <= sum(worth < 0 for worth in worths[0])
        has_number = bool(best.offsets) and worths[best.offsets[0]][0] > 0
        return best if any(best.offsets) and is_better and has_number else None


# So many offsets are followed, besides none: those at which most fields can be read.
KEPT = 5


class OffsetPath(NamedTuple):
    """Offsets of the first fields, what they are worth together, and how many fields cannot be read."""

    offsets: tuple[int, ...]
    worth: int
    unread: int

    def then(self, offset: int, worth: int) -> OffsetPath:
        """Return the path with one field more."""
        changes = offset != (self.offsets[-1] if self.offsets else 0)
        return OffsetPath(
            (*self.offsets, offset), self.worth + worth + CHANGE * changes, self.unread + (worth < 0)
        )


def _nearest_of_best(path: OffsetPath) -> tuple[int, int]:
    """Return what sorts the worthiest path last; of two, the one that is shifted by less: rounds would move else."""
    return path.worth, -abs(path.offsets[-1]) if path.offsets else 0


def _fields(table: RecordTable) -> list[ShiftedField]:
    found: list[ShiftedField] = []
    last = 3
    for column in table.columns:
        is_after_text = bool(found) and found[-1].is_text
        gap = column.first - 1 - last
        found.append(
            ShiftedField(column.first - 1, column.last, gap, column, column.name == "name", is_after_text)
        )
        last = column.last
    return found


def _rounds(table: RecordTable, length: int) -> list[ShiftedField]:
    if table.repeat is None:
        return []
    width = table.repeat.columns[-1].last
    starts = range(table.repeat.first - 1, length, table.repeat.step)
    return [ShiftedField(start, start + width, table.repeat.step - width, None) for start in starts]


class ShiftedRounds(NamedTuple):
    """Rounds in their columns, from which column on they differ and by how much, and how far the last is shifted."""

    text: str
    column: int
    by: int
    last: int


def _rounds_as_words(line: str, at: int, first: int, step: int, offset: int) -> ShiftedRounds | None:
    """Return the rounds that stand in a line from a position on, None where they are no such words.

    `first` is the position of the first round in the table and `offset` how far the field before it is shifted. A gap
    of the width of a round is a round without anything written.
    """
    cells: list[str] = []
    changed: tuple[int, int] | None = None
    while at < len(line):
        match = WORDS.match(line, at)
        if match is None:
            return None
        opponent, colour, code = match.groups()
        blank_rounds = 0
        place = first + len(cells) * step + COLOUR_AT
        drift = match.start(2) - place - offset
        if drift > NEAR:
            blank_rounds = (drift + NEAR) // step
            drift -= blank_rounds * step
        if abs(drift) > NEAR:
            return None
        cells += [*[""] * blank_rounds, f"{opponent:>4} {colour} {code}"]
        start = first + (len(cells) - 1) * step
        # Opponents in four digits or fewer end before the blank; the first part that is not in its columns counts.
        shifts = (
            match.end(1) - start - 4,
            match.start(2) - start - COLOUR_AT,
            match.start(3) - start - CODE_AT,
        )
        by = next((one for one in shifts if one), 0)
        changed = changed or ((start + 1, by) if by else None)
        offset = shifts[-1]
        at = match.end()
    if changed is None:
        return None
    return ShiftedRounds("".join(cell.ljust(step) for cell in cells).rstrip(), *changed, offset)


def _worth(line: str, one: ShiftedField, offset: int) -> int:
    """Return what a field is worth at an offset: readable, blank, or not readable."""
    start = one.start + offset
    if start < 3:
        return UNREAD
    raw = line[start : one.end + offset]
    text = raw.strip()
    between = line[max(3, start - one.gap) : start].strip()
    # A name that is too long may reach as far as to the next field.
    if between and not (one.is_after_text and between.isalpha()):
        return UNREAD
    if not text:
        return 0
    if one.column is None:
        cell = raw.ljust(one.end - one.start)
        return _worth_of_round(cell) if CELL.fullmatch(cell) else 0 if RULED.fullmatch(cell) else UNREAD
    if one.is_text:
        # Where the name is padded too little, the next field is in its columns.
        is_name = not any(letter.isdigit() for letter in text.partition("  ")[0])
        return (READ if is_name else 0) + (ALIGNED if raw[0] != " " else 0)
    if not one.column.kind.is_like(text):
        return UNREAD
    is_left = one.column.kind.is_left
    return READ + (ALIGNED if raw[0 if is_left else -1] != " " else 0)


def _worth_of_round(cell: str) -> int:
    """Return what a readable round is worth: the number of the opponent ends before the blank."""
    return READ + (ALIGNED if cell[3] != " " else 0)


def _worth_after(
    line: str, before: ShiftedField | None, one: ShiftedField, former: int, offset: int, worth: int
) -> int:
    """Return what a field is worth where the offset changes before it; nothing but blanks, or a name's end, is lost."""
    if before is None or before.is_text:
        return worth
    if one.column and not one.gap:
        return UNREAD
    begin = before.end + former
    if offset > former:
        return worth if not line[begin : one.start - one.gap + offset].strip() else UNREAD
    text = line[begin : one.end + offset]
    cell = text.rjust(one.end - one.start)[one.start - one.end :]
    if one.column is None and text[:1] == " " and text.strip() and CELL.fullmatch(cell):
        # Some blanks before it may be missing, and it is in its columns at one of the offsets.
        in_columns = line[one.start + offset : one.end + offset].ljust(one.end - one.start)
        return READ + (ALIGNED if CELL.fullmatch(in_columns) else 0)
    is_whole = len(text) == one.end - one.start and text == text.strip()
    if is_whole and offset == former - one.gap and one.column and one.column.kind.is_like(text):
        # Nothing but the blank before it is missing: `98000181990/00/00`.
        return READ
    number = text.strip() if text[:1] == " " and one.column and not one.column.kind.is_left else ""
    if not number or not one.column or not one.column.kind.is_like(number):
        return worth if not line[one.start - one.gap + offset : begin].strip() else UNREAD
    # A number has blanks before it: some of them may be missing.
    return READ + (ALIGNED if text[-1] != " " else 0)


def _loses_more_than_a_name(line: str, written: str) -> bool:
    """Return whether a line put right has not all that was in it, but for the end of a name that is too long."""
    before, after = ("".join(text.split()) for text in (line, written))
    if before == after:
        return False
    head, tail = ("".join(text.split()) for text in (written[:NAME_END], written[NAME_END:]))
    return not (before.startswith(head) and before.endswith(tail))


def whole_name(line: str, written: str) -> str | None:
    """Return the name in a line that `written` has in its columns, with the end that is cut there; None where more of
    the line is another."""
    if _loses_more_than_a_name(line, written):
        return None
    places = [place for place, letter in enumerate(line) if not letter.isspace()]
    before, after = ("".join(text.split()) for text in (written[:NAME_START], written[NAME_END:]))
    of_name = places[len(before) : len(places) - len(after)]
    return line[of_name[0] : of_name[-1] + 1] if of_name else ""


def _write_line(line: str, fields: Sequence[ShiftedField], offsets: tuple[int, ...]) -> str:
    """Return the line with each field in its columns; a name that is too long is cut."""
    written = line[:3]
    begin = 3
    for place, (one, offset) in enumerate(zip(fields, offsets, strict=True)):
        start, end = max(begin, one.start + offset), one.end + offset
        after = fields[place + 1] if place + 1 < len(fields) else None
        if after and one.is_text and offsets[place + 1] != offset:
            # The next field begins nearer or farther: what stands before it is all there is of the name.
            end = after.start - after.gap + offsets[place + 1]
            text = " ".join(line[start:end].split())[: one.end - one.start].rstrip()
        else:
            text = line[start:end].rjust(min(one.end - one.start, len(line) - one.start - offset))
            if one.column is None and CELL.fullmatch(text.ljust(one.end - one.start)):
                # An opponent ends before the blank.
                text = text[:4].strip().rjust(4) + text[4:]
        written = written.ljust(one.start) + text
        begin = end
    return written.rstrip()
