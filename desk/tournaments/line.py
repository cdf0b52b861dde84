"""A line of a report by its fields, changed in the card of its problem."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _l

from core.html.forms import PortalForm
from core.text_values import read_number
from tournaments.drafts import LONGEST_LINE, chosen_changes
from tournaments.line_changes import field_name
from tournaments.marked_report import MarkedReport, finding_text
from tournaments.models import HandedReport, Report
from tournaments.trf import Report as TrfReport
from tournaments.trf import Severity
from tournaments.trf.changed_lines import player_columns, with_texts
from tournaments.trf.columns import RecordColumn, UnreadableError, ruler
from tournaments.trf.fields import federation_codes
from tournaments.trf.findings import SHIFTED
from tournaments.trf.limits import MAX_LINES
from tournaments.trf.players import TAG
from tournaments.worksheet import LineSearch

# The buttons that open the fields, take them, and take the text of the line.
EDIT, WRITE, TEXT = BUTTONS = ("edit", "write", "text")
PREFIX = "field"


class LineForm(PortalForm):
    """The fields of a player's line, and the text of any line. Empty fields are blanks."""

    text = forms.CharField(
        label=_l("Text of the line"),
        required=False,
        strip=False,
        max_length=LONGEST_LINE,
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false", "class": "mono small"}),
    )

    def __init__(
        self,
        data: QueryDict | None,
        *,
        line: str,
        original: str,
        rounds: int,
        names: Mapping[str, str],
    ) -> None:
        """`original` is the line of the file; `rounds` is 0 for one that is no player's; `names` are of players."""
        super().__init__(data, prefix=PREFIX, initial={"text": line})
        # As wide as the line, so that it stays under the ruler of its columns.
        self.fields["text"].widget.attrs["cols"] = max(60, *map(len, line.split("\n"))) + 1
        self.line, self.original, self.names, self.last_round = line, original, names, rounds
        self.columns: Mapping[str, RecordColumn] = player_columns(rounds) if rounds else {}
        for name, column in self.columns.items():
            self.initial[name] = column.text(line)
            self.fields[name] = forms.CharField(
                label=field_name(name),
                required=False,
                max_length=column.width,
                widget=forms.TextInput(attrs={"size": column.width}),
            )

    def mark(self, finding: Mapping[str, Any]) -> None:
        """Mark the fields of the line that a finding is about and that are still as in the file.

        The first one has the focus, so that the page shows it; in a form that was refused that is the wrong one.
        """
        first = finding["column"] or 0
        last = first + (finding.get("length") or 1)
        marked = []
        for name, column in self.columns.items() if finding["severity"] != Severity.NOTICE else ():
            place = slice(column.first - 1, column.last)
            is_still = self.line[place] == self.original[place]
            if is_still and first <= column.last and column.first < last:
                self.fields[name].widget.attrs["aria-invalid"] = "true"
                marked.append(name)
        if not self.is_bound:
            focused = next(iter([*marked, *self.columns, "text"]))
            self.fields[focused].widget.attrs["autofocus"] = True

    def clean(self) -> dict[str, Any]:
        """Refuse what a field that was changed cannot hold, in the words of the check."""
        cleaned = super().clean() or self.cleaned_data
        for name, column in self.columns.items():
            text = cleaned.get(name, "")
            is_lost = name == "name" and not text
            if text == self.initial[name] or not (text or is_lost):
                continue
            code = "name-missing" if is_lost else ""
            try:
                column.kind.read(text)
            except UnreadableError:
                code = column.unread
            except ValueError:
                # Odd and still readable: the check of the new version says so.
                pass
            if name == "federation" and text.upper() not in federation_codes():
                code = "federation-unknown"
            kind, _dash, played = name.partition("-")
            if kind == "opponent" and not code and text.lstrip("0") not in {"", *self.names}:
                code = "opponent-unknown"
            if code:
                own = cleaned.get("number", "")
                params = {"text": text, "opponent": text, "round": played, "number": own}
                message = finding_text({"code": code, "params": params})
                self.add_error(name, forms.ValidationError(message, code=code))
        if wrong := next((name for name in self.fields if name in self.errors), ""):
            self.fields[wrong].widget.attrs["autofocus"] = True
        return cleaned

    def written(self, *, as_text: bool) -> str:
        """Return the line with the fields of a valid form, or its text as typed."""
        cleaned = self.cleaned_data
        if as_text or not self.columns:
            return str(cleaned["text"]).replace("\r\n", "\n").rstrip()
        return with_texts(self.line, self.columns, {name: cleaned[name] for name in self.columns})

    @property
    def person(self) -> Iterator[forms.BoundField]:
        """The fields before the rounds."""
        return (self[name] for name in self.columns if "-" not in name)

    @property
    def fixed(self) -> Sequence[str]:
        """The names of the fields that a chosen fix has changed."""
        places = {name: slice(column.first - 1, column.last) for name, column in self.columns.items()}
        return [
            str(self.fields[name].label)
            for name, place in places.items()
            if self.line[place].strip() != self.original[place].strip()
        ]

    @property
    def rounds(self) -> Iterator[tuple[int, list[forms.BoundField], str]]:
        """Each round with its fields, and the name of the opponent."""
        for number in range(1, self.last_round + 1):
            cells = [self[f"{name}-{number}"] for name in ("opponent", "colour", "code")]
            yield number, cells, self.names.get(str(cells[0].value()).lstrip("0"), "")

    @property
    def ruler(self) -> str:
        """The lines over the text that name its columns."""
        return "\n".join(ruler([column for name, column in self.columns.items() if "-" not in name]))


def line_search(query: Mapping[str, str]) -> LineSearch:
    """Return the line and the words of the player search in the page's query string."""
    number = read_number(query.get("line", ""), most=MAX_LINES) or 0
    return LineSearch(number, query.get("words", "")[:100])


def place_of(values: Mapping[str, str]) -> tuple[int, str]:
    """Return the line whose fields are asked for and the issue in whose card, 0 without one."""
    asked = next((values[name] for name in BUTTONS if name in values), "")
    found = re.fullmatch(r"(\d{1,6})-(\d{1,6})", asked, re.ASCII)
    return (int(found[1]), f"F{found[2]}") if found else (0, "")


def line_form(
    report: Report | HandedReport, read: TrfReport, line: int, data: QueryDict | None
) -> LineForm | None:
    """Return the fields of a line as the fixes that are chosen leave it; None where the report has no such line."""
    if not 1 <= line <= len(read.lines):
        return None
    original = read.lines[line - 1]
    shifts = (item for item in report.findings if item["line"] == line and item["code"] == SHIFTED)
    realigned = next((item["fix"] for item in shifts if item["fix"]), original)
    chosen = chosen_changes(report, read, on=timezone.now().date()).lines
    text = next((change.new for change in chosen if change.line == line), realigned)
    record = next((one for one in read.players if one.line == line), None)
    # Columns of a shifted line, or of one that became two, are not those of the fields.
    is_moved = record is not None and text == original and (record.is_moved or record.shift)
    is_player = (
        record is not None and text.startswith(f"{TAG} ") and not {"\t", "\n"} & {*text} and not is_moved
    )
    rounds = max(1, read.rounds_played) if is_player else 0
    return LineForm(
        data if data is not None and f"{PREFIX}-text" in data else None,
        line=text,
        original=original,
        rounds=rounds,
        names={str(one.number): one.name for one in read.players} if is_player else {},
    )


def show_fields(marked: MarkedReport, place: tuple[int, str], form: LineForm | None) -> str:
    """Show the fields of a line in the card of an issue; return the value of its buttons, empty without one."""
    if form is None:
        return ""
    for group in marked.groups:
        for finding in group.findings:
            if (finding["line"], f"F{finding['number']}") == place:
                form.mark(finding)
                finding["fields"] = form
                return f"{finding['line']}-{finding['number']}"
    return ""
