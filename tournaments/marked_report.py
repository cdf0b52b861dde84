"""The text of a report with its findings beside the lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.errors import Refusal
from core.html.dates import day_in_words
from core.html.figures import local_decimal
from core.html.reports import Columns, Gap, LineMark, MarkedDifference, MarkedLine, excerpt, marked_lines
from tournaments.crosstable import CrosstableBoard
from tournaments.line_changes import LABELS, line_difference
from tournaments.trf import PlayerRecord
from tournaments.trf import Report as TrfReport
from tournaments.trf.columns import RecordColumn, ruler
from tournaments.trf.findings import (
    ABOUT_PEOPLE,
    CODES,
    DECIDED,
    NAMES_ROUNDS,
    OF_A_GAME,
    OF_ANOTHER_PERSON,
    OF_TWO_LINES,
    Finding,
    english_text,
)
from tournaments.trf.limits import MAX_FINDINGS, MAX_LINES
from tournaments.trf.players import TAG as PLAYER_TAG
from tournaments.trf.players import column_of
from tournaments.trf.shift import whole_name
from tournaments.trf.tables import COLUMNS, PLAYER

SEVERITIES = ("error", "warning", "notice")
# How a line is marked that chosen fixes change, and of which nothing is left to do.
SOLVED = "success"
# How many issues of one code are shown at first, more for rows of a table, and how many for a selected code.
MAX_OF_EACH = 20
MAX_ROWS = 200
MAX_OF_ONE = 500
# What the button of a fix says, where the value has a name.
FIX_LABELS = {
    "event-name": _l("Use the registered name"),
    "event-kind": _l("Use the registered time control"),
    "event-time-control": _l("Use the registered time control"),
    "ids-exchanged": _l("Exchange the FIDE IDs"),
    "points-mismatch": _l("Use the sum of the results"),
}
# So many rows are shown unfolded; of notes, which ask for nothing, all or none.
ROWS_SHOWN = 8
NOTES_SHOWN = 3
# What the findings of a code need for each layout but `texts`, and how one of them is shown.
NEEDED = {"people": "person", "games": "game", "shifts": "shift", "days": "days"}
ROWS = {
    "texts": "partials/finding.html",
    "games": "partials/problem_game.html",
    "shifts": "partials/problem_shift.html",
    "days": "partials/problem_days.html",
}


@dataclass(slots=True)
class FindingGroup:
    """The findings of one severity and code, numbered on through the whole report, and the `rest` that is not shown.

    A page gives warnings the field for their `reason`, and notes whether one is given; of an accepted version the
    reason with which they were `acknowledged`.
    """

    severity: str
    code: str
    title: str
    findings: Sequence[dict[str, Any]]
    rest: Sequence[dict[str, Any]] = ()
    reason: Any = None
    is_reasoned: bool = False
    acknowledged: str = ""

    @property
    def every(self) -> Sequence[dict[str, Any]]:
        """The findings with those that are not shown: a button for all of them takes these, too."""
        return [*self.findings, *self.rest]

    @property
    def count(self) -> int:
        return len(self.findings) + len(self.rest)

    @property
    def layout(self) -> str:
        """How issues are shown: as rows with the content of the lines, under a ruler, or else as `texts`."""
        layout = _layout_of(self.code)
        has_all = layout in NEEDED and all(item.get(NEEDED[layout]) for item in self.findings)
        return layout if has_all else "texts"

    @property
    def one_shift(self) -> int | None:
        """The line of the only shifted line that is left to be realigned, None without one or with several."""
        left = [item["line"] for item in self.every if not item.get("is_solved")]
        return left[0] if self.layout == "shifts" and len(left) == 1 else None

    @property
    def is_of_another_person(self) -> bool:
        return self.code in OF_ANOTHER_PERSON

    @property
    def is_decided(self) -> bool:
        return self.code in DECIDED

    @property
    def fix_label(self) -> str:
        """What the button of a fix says."""
        return str(FIX_LABELS.get(self.code, _("Use this fix")))

    @property
    def names_rounds(self) -> bool:
        return self.code in NAMES_ROUNDS

    @property
    def left_out(self) -> int:
        return len(self.rest)

    @property
    def solved(self) -> int:
        """How many the chosen fixes solve."""
        return sum(bool(item.get("is_solved")) for item in self.every)

    @property
    def open_count(self) -> int:
        """How many the chosen fixes leave."""
        return self.count - self.solved

    @property
    def has_matches(self) -> bool:
        return any(item.get("best") or item.get("used") for item in self.every)

    @property
    def certain(self) -> int:
        """How many of them have a fix that is certain and not chosen yet."""
        return sum(bool(item.get("certain")) and not item["is_chosen"] for item in self.every)

    @property
    def place(self) -> str:
        """Where something is left to do: the reason where one can be given, else the findings."""
        return "reason" if self.reason and self.open_count else "code"

    @property
    def undo(self) -> str:
        """The keys of what is chosen for them, to take it back together."""
        return " ".join(item["undo"] for item in self.every if item.get("is_chosen"))

    @property
    def row(self) -> str:
        """The template of one finding, where they are no table."""
        return ROWS.get(self.layout, "")

    @property
    def open_rows(self) -> Sequence[dict[str, Any]]:
        """The first findings; which these are never changes."""
        if self.severity == "notice" and self.layout == "texts" and len(self.findings) > NOTES_SHOWN:
            return []
        return self.findings[:ROWS_SHOWN]

    @property
    def folded_rows(self) -> Sequence[dict[str, Any]]:
        return self.findings[len(self.open_rows) :]

    @property
    def is_edited(self) -> bool:
        """Whether the fields of a line are shown here."""
        return any(item.get("fields") for item in self.findings)

    @property
    def is_unfolded(self) -> bool:
        """Whether somebody works on what else is folded."""
        rows = self.folded_rows
        chosen = [bool(item.get("certain")) for item in rows if item.get("is_chosen")]
        left = [bool(item.get("certain")) for item in rows if not item.get("is_chosen")]
        # All certain fixes at once are chosen on top.
        is_by_hand = bool(chosen and left) and (any(left) or not all(chosen))
        return is_by_hand or any(item.get("is_asked") or item.get("fields") for item in rows)


# A round and a starting rank.
Seat = tuple[Any, int]


def _layout_of(code: str) -> str:
    return CODES[code].layout if code in CODES else "texts"


@dataclass(frozen=True, slots=True)
class MarkedReport:
    """A report as it is shown: its lines with their marks, and what was found, gravest first."""

    lines: Sequence[MarkedLine | Gap]
    groups: Sequence[FindingGroup]
    is_whole: bool
    severity: str = ""

    @property
    def shown_groups(self) -> Sequence[FindingGroup]:
        """The groups of the selected severity, or all groups."""
        return [group for group in self.groups if self.severity in ("", group.severity)]

    @property
    def certain(self) -> int:
        """How many findings have a fix that is certain, needs no decision and is not chosen yet."""
        return sum(group.certain for group in self.groups if not group.is_decided)

    @property
    def counts(self) -> Mapping[str, int]:
        """How many groups of each severity there are, the gravest first."""
        return {severity: sum(one.severity == severity for one in self.groups) for severity in SEVERITIES}

    @property
    def open_counts(self) -> Mapping[str, int]:
        """How many groups the chosen fixes leave of each severity, the gravest first."""
        left = [group.severity for group in self.groups if group.open_count]
        return {severity: left.count(severity) for severity in SEVERITIES}

    @property
    def open_count(self) -> int:
        """How many groups the chosen fixes leave."""
        return sum(self.open_counts.values())


@dataclass(frozen=True, slots=True)
class ShownPart:
    """How much of a report is shown: everything, or the first findings of each code, or more of one code.

    `severity` leaves the groups of the others out, empty for all.
    """

    whole: bool = False
    code: str = ""
    severity: str = ""

    def most(self, code: str) -> int:
        """Return how many findings of a code are shown."""
        if self.whole:
            return MAX_FINDINGS
        if code == self.code:
            return MAX_OF_ONE
        return MAX_ROWS if code in ABOUT_PEOPLE else MAX_OF_EACH


SHORT = ShownPart()
NAME = COLUMNS["name"]
# A name stays in sight beside the rounds, whose dates (132) are in the same columns. A field takes the blank before it.
PLAYER_COLUMNS = Columns(
    tags=(PLAYER_TAG, "132"),
    head=NAME.last,
    fields=[
        (column.first - 1, column.last) for column in PLAYER.columns if column.name not in ("number", "name")
    ],
)


def marked_text(
    read: TrfReport, findings: Sequence[dict[str, Any]], wanted: ShownPart = SHORT
) -> MarkedReport:
    """Return a report with findings as they are stored: numbered gravest first, then by code and place.

    Of many lines only those that the shown findings are about, with those around them.
    """
    groups = list(_groups(findings, read, wanted))
    shown = [
        one for group in groups for item in group.findings for one in (item, *item.get("same_problem", ()))
    ]
    marks = [
        LineMark(item["line"], item["severity"], item["column"], item.get("length") or 1, item["number"])
        for item in shown
        if item["line"]
    ]
    marked = _marked(read.lines, marks)
    parts: Sequence[MarkedLine | Gap] = marked if wanted.whole else excerpt(marked)
    is_whole = len(parts) == len(marked) and not any(group.left_out for group in groups)
    severity = wanted.severity if wanted.severity in SEVERITIES else ""
    return MarkedReport(parts, groups, is_whole, severity)


def with_fixes(marked: MarkedReport, read: TrfReport, texts: Mapping[int, str]) -> MarkedReport:
    """Return a report that shows the new `texts` of lines by number, and only the marks of what they do not solve."""
    # A line that becomes several, or none, keeps its text: the numbers are those of the version.
    new = {number: text for number, text in texts.items() if text and "\n" not in text}
    lines = [new.get(number, line) for number, line in enumerate(read.lines[:MAX_LINES], 1)]
    found = [
        (one, item.get("is_solved"))
        for group in marked.groups
        for item in group.findings
        for one in (item, *item.get("same_problem", ()))
        if one["line"]
    ]
    numbers = {one["line"]: one["number"] for one, _is_solved in reversed(found)}
    marks = [LineMark(line, SOLVED, number=numbers.get(line, 0)) for line in texts]
    for one, is_solved in found:
        if not is_solved:
            # The columns of a new text may be others.
            column = None if one["line"] in new else one["column"]
            marks.append(
                LineMark(one["line"], one["severity"], column, one.get("length") or 1, one["number"])
            )
    shown = _marked(lines, marks)
    has_gaps = any(isinstance(line, Gap) for line in marked.lines)
    return replace(marked, lines=excerpt(shown) if has_gaps else shown)


def _marked(lines: Sequence[str], marks: Sequence[LineMark]) -> list[MarkedLine]:
    # What lies beyond was not read. Of a file of four million blank lines no page can show them all.
    return marked_lines("\n".join(lines[:MAX_LINES]), marks, PLAYER_COLUMNS)


def _groups(findings: Sequence[dict[str, Any]], read: TrfReport, wanted: ShownPart) -> Iterator[FindingGroup]:
    by_code: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for finding in findings:
        by_code.setdefault((finding["severity"], finding["code"]), []).append(finding)
    people = {record.line: record for record in read.players}
    games = _games_of(findings, read, people)
    # That the points of a realigned line are those of its results shows that the shift was guessed right.
    mismatched = {finding["line"] for finding in findings if finding["code"] == "points-mismatch"}
    place = 0
    for (severity, code), some in sorted(by_code.items(), key=lambda item: SEVERITIES.index(item[0][0])):
        subjects = _merge_findings([{**item, **_subject(item, games, people)} for item in some])
        most = wanted.most(code)
        numbered = subjects[:most]
        for item in numbered:
            place += 1
            original = _original(item, read.lines)
            text: dict[str, Any] = {"message": finding_text(item)}
            if (record := people.get(item["line"] or 0)) and record.name not in text["message"]:
                text["name"] = record.name
            if original:
                text["changes"] = _changes(item, read.lines)
            if _layout_of(code) == "shifts":
                line = item["line"]
                is_right = line not in mismatched
                text["shift"] = shift_of(item, original, people.get(line), are_points_right=is_right)
            elif _layout_of(code) == "days":
                text["days"] = _days_of(item, read.lines)
            item |= {**text, "number": place}
            for other in item.get("same_problem", ()):
                other["number"] = place
        yield FindingGroup(severity, code, title_of(code, subjects), numbered, subjects[most:])


def _merge_findings(findings: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return findings of which those of both lines of a game, or of two lines, are one: the other in `same_problem`."""
    first: dict[Any, dict[str, Any]] = {}
    kept = []
    for finding in findings:
        key = finding["game"].game if "game" in finding else None
        if finding["code"] in OF_TWO_LINES:
            key = frozenset((finding["line"], finding["params"].get("other_line", finding["line"])))
        one = first.setdefault(key, finding) if key else finding
        if one is finding:
            kept.append(finding)
        else:
            one.setdefault("same_problem", []).append(finding)
    return kept


def _subject(
    finding: Mapping[str, Any], games: Mapping[Seat, CrosstableBoard], people: Mapping[int, PlayerRecord]
) -> dict[str, Any]:
    """Return the player or the game that a finding is about, where its code is about one."""
    record = people.get(finding["line"] or 0)
    if record is None:
        return {}
    if _layout_of(finding["code"]) == "people":
        return {"person": record}
    game = games.get(_seat(finding, record)) if finding["code"] in OF_A_GAME else None
    return {"game": game} if game else {}


def _games_of(
    findings: Sequence[Mapping[str, Any]], read: TrfReport, people: Mapping[int, PlayerRecord]
) -> dict[Seat, CrosstableBoard]:
    """Return the games that findings are about, by round and starting rank: each game is looked at once."""
    told = [one for one in findings if one["code"] in OF_A_GAME and one["line"] in people]
    wanted, players = {_seat(one, people[one["line"]]) for one in told}, read.by_number
    return {
        seat: CrosstableBoard(game, players[game.white], players[game.black])
        for game in (read.games if wanted else ())
        for seat in ((game.round, game.white), (game.round, game.black))
        if seat in wanted
    }


def _seat(finding: Mapping[str, Any], record: PlayerRecord) -> Seat:
    return (finding.get("params") or {}).get("round"), record.number


def _days_of(finding: Mapping[str, Any], lines: Sequence[str]) -> tuple[str, str, str] | None:
    """Return which days a record has, those in the report and the registered ones; None without its line."""
    line, params = finding["line"], finding.get("params") or {}
    if not line or not {"day", "registered_day"} <= params.keys():
        return None
    what = {"042": _("First day"), "052": _("Last day")}.get(lines[line - 1][:3], _("Rounds"))
    return what, *(_show_value(name, params[name]) for name in ("day", "registered_day"))


def _changes(finding: dict[str, Any], lines: Sequence[str]) -> list[tuple[int, MarkedDifference]]:
    """Return the lines that the fix of a finding, with those that are one problem with it, changes, and how."""
    every = ((one, _original(one, lines)) for one in (finding, *finding.get("same_problem", ())))
    return [(one["line"], line_difference(original, one["fix"])) for one, original in every if original]


def _original(finding: dict[str, Any], lines: Sequence[str]) -> str:
    line = finding["line"]
    return lines[line - 1] if finding["fix"] and line and line <= len(lines) else ""


# A shifted line under a ruler of its table: the part that moves, as it came and as it should be.

# Fields before the first one that moves, rounds and columns that are shown: a line may have many rounds.
FIELDS_BEFORE, ROUNDS_SHOWN, CELL = 2, 2, 8


@dataclass(frozen=True, slots=True)
class ShownShift:
    """The ruler's three lines, and the line before and after the fix: what stays, and what moves.

    `fields` are those that change. There is no ruler where the name moves, too: it would take the room of the others.
    """

    column: int
    by: int
    is_left: bool
    name: str
    record: PlayerRecord
    ruler: tuple[str, ...] = ()
    before: tuple[str, str] = ("", "")
    after: tuple[str, str] = ("", "")
    new_name: str = ""
    fields: Sequence[tuple[str, str, str]] = ()
    are_points_right: bool = False

    @property
    def rounds(self) -> int:
        """The rounds of the line as it should be."""
        return self.record.rounds.last

    @property
    def is_cut(self) -> bool:
        """Whether the columns have no room for all letters of the name."""
        letters, kept = (len(name.replace(" ", "")) for name in (self.name, self.new_name))
        return bool(kept) and kept < letters


def shift_of(
    finding: Mapping[str, Any], original: str, record: PlayerRecord | None, *, are_points_right: bool
) -> ShownShift | None:
    """Return how a shifted line is shown; None for one of an earlier release, or of another record than a player's.

    `are_points_right` where the points of the realigned line are those of its results.
    """
    params = finding.get("params") or {}
    if "column" not in params or "by" not in params or not finding["fix"] or not original or record is None:
        return None
    fixed, column = str(finding["fix"]), int(params["column"])
    columns = [*PLAYER.columns, *_rounds()]
    after_name = PLAYER.columns.index(NAME) + 1
    first = next((place for place, one in enumerate(columns) if one.first >= column), 0)
    is_left = params.get("direction") == "to the left"
    name = whole_name(original, fixed) or str(params.get("name", ""))
    shift = ShownShift(
        column=column,
        by=int(params["by"]),
        is_left=is_left,
        name=name,
        record=record,
        new_name="" if (kept := NAME.text(fixed)) == name else kept,
        fields=[
            (str(LABELS[one.name]), before, after)
            for one in PLAYER.columns
            for before, after in [(name if one is NAME else one.text(original), one.text(fixed))]
            if before != after
        ],
        are_points_right=are_points_right and record.points is not None,
    )
    if first < after_name:
        return shift
    shown = columns[max(after_name, first - FIELDS_BEFORE) :]
    start, end, at = shown[0].first - 1, shown[-1].last, columns[first].first - 1
    before_at = min(len(original), at - shift.by) if is_left else at
    return replace(
        shift,
        ruler=tuple(text[start:] for text in ruler(shown)),
        before=(original[start:before_at], original[before_at:end]),
        after=(fixed[start:at], fixed[at:end]),
    )


def _rounds() -> list[RecordColumn]:
    starts = {number: column_of(number) for number in range(1, ROUNDS_SHOWN + 1)}
    return [
        RecordColumn("", start, start + CELL - 1, label=_("Round %(number)d") % {"number": number})
        for number, start in starts.items()
    ]


# What stored findings say to a reader: each its message, and a group of them a sentence with their number.

# Values that are words of ours, not of the report.
WORDS = frozenset({"meaning", "what", "direction", "kind", "reported_kind", "registered_kind", "encoding"})

# Values that are dates; `first` is in other messages a number.
DAYS = frozenset({"start", "end", "day", "days", "dates", "registered_day", "first", "last", "died_on"})
DAY = re.compile(r"\d{4}-\d\d(-\d\d)?")
# Values with a decimal point.
DECIMALS = frozenset({"score", "expected"})


def finding_text(finding: Mapping[str, Any]) -> str:
    """Return what a finding, as it is stored, says in the language of the page.

    Dates and lists are in words; the English text, which a check by the API or a command gives, has them as
    `2026-01-01` and `rapid 2026-01`. A finding of an earlier release whose values do not fit today's text keeps its
    words.
    """
    values = finding.get("params") or {}
    try:
        template = CODES[finding["code"]].text
        return gettext(template).format(**{name: _show_value(name, value) for name, value in values.items()})
    except (KeyError, IndexError):
        return english_text(finding)


def finding_refusal(finding: Finding, field: str = "") -> Refusal:
    """Return an error of a report as the reason of a refusal, in the language of the page."""
    return Refusal(finding.code, finding_text({"code": finding.code, "params": finding.params}), field)


def _show_value(name: str, value: Any) -> Any:
    """Return a value as a page shows it: words translated, dates in words, numbers and lists as in the language."""
    if name in WORDS:
        return gettext(value)
    if name in DAYS and isinstance(value, str):
        return DAY.sub(lambda day: day_in_words(day[0]), value)
    if name in DECIMALS:
        return local_decimal(value)
    if name == "colour":
        return {"w": gettext("White"), "b": gettext("Black")}.get(value, value)
    if name == "list":
        kind, _, month = value.partition(" ")
        return f"{day_in_words(month)} ({gettext(kind)})"
    return value


def title_of(code: str, findings: Sequence[Mapping[str, Any]]) -> str:
    """Return the title of the findings of one code, as they are stored; of a single one without a title its text."""
    # A finding may be of several rounds.
    count: int = sum((one.get("params") or {}).get("outside", 1) for one in findings)
    if count == 1 and "by" in (findings[0].get("params") or {}):
        by = findings[0]["params"]["by"]
        text = ngettext(
            "Line %(line)d is shifted by %(by)d character",
            "Line %(line)d is shifted by %(by)d characters",
            by,
        )
        return text % {"line": findings[0]["line"], "by": by}
    title = CODES[code].title if code in CODES else ""
    if isinstance(title, tuple):
        return ngettext(*title, count) % count
    if title:
        return gettext(title)
    if count == 1:
        return finding_text(findings[0])
    return ngettext("%d place in the report", "%d places in the report", count) % count
