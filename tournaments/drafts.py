"""The draft of a version: the amendments that its officer chose and that are not applied yet, kept with the version.

A draft changes no byte of a report. Saved, it becomes the next version. Amendments are chosen one by one, or together
as what findings offer and what the registration has. Reasons typed for warnings are kept beside them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refused
from core.stated import stated_items
from players.models import LogEntry
from tournaments.amended import amended_lines
from tournaments.amendments import Amendment, Fix, Identity, Line, with_amendments
from tournaments.choices import Action, LineAnswer, ReportState
from tournaments.files import MAX_UPLOADS, MEBIBYTE
from tournaments.line_changes import ChosenChanges
from tournaments.models import HandedReport, Report, Tournament
from tournaments.trf import PlayerRecord, read_report
from tournaments.trf import Report as ReadReport
from tournaments.trf.changed_lines import coloured_line, lines_without_rounds
from tournaments.trf.fields import numbers_in
from tournaments.trf.findings import DECIDED, NAMES_ROUNDS, OF_ANOTHER_NAME, SHIFTED

# A version, or a file that its chief arbiter has not sent.
Draft = Report | HandedReport
ALL = "all"
MISSING_RECORDS = frozenset({"record-missing", "record-advised"})
MAX_LETTERS = 2000
LONGEST_LINE = 4000


def chosen_changes(report: Draft, read: ReadReport, *, on: date) -> ChosenChanges:
    """Return the lines that the draft of a version changes; one query where players were chosen."""
    kept, own = fitting(report, read), report.tournament.federation_id
    chosen = amended_lines(read, kept, own=own, on=on, findings=report.findings, must_fit=False)
    return replace(chosen, gone=chosen.gone + len(report.amendments) - len(kept))


def fitting(report: Draft, read: ReadReport) -> list[Amendment]:
    """Return the amendments of a draft; a fix that a later check of the version does not offer is none any more."""
    offered = {one.key for one in offered_fixes(read, report.findings)}
    return [one for one in report.amendments if not isinstance(one, Fix) or one.key in offered]


def choose(report: Draft, read: ReadReport, amendments: Iterable[Amendment], *, on: date) -> None:
    """Add amendments to the draft of a version, each in the place of one with the same key.

    Who a line is goes before what was written there by hand, and the text that a line has already takes an edit back.
    `RefusedError` for what does not fit the version, and for more text than a report has.
    """
    amendments = list(amendments)
    texts = [one.text for one in amendments if isinstance(one, Line)]
    lines = [line for text in texts for line in text.split("\n")]
    if any(len(line) > LONGEST_LINE or not line.replace("\t", " ").isprintable() for line in lines):
        raise refused("line-unusable", _("A line has at most %(most)d characters.") % {"most": LONGEST_LINE})
    identified = {one.line for one in amendments if isinstance(one, Identity)}
    with transaction.atomic():
        former = _lock(report).amendments
        amended_lines(read, amendments, own=report.tournament.federation_id, on=on, beside=former)
        kept = [
            one
            for one in with_amendments(former, amendments)
            if not isinstance(one, Line)
            or (one.line not in identified and one.text.rstrip() != read.lines[one.line - 1].rstrip())
        ]
        # Many edits, each within its limit, would else make a version that cannot be uploaded.
        if sum(len(one.text) for one in kept if isinstance(one, Line)) > MAX_UPLOADS["report"]:
            message = _("The file must be %(size)d MiB or smaller.")
            raise refused("file-too-large", message % {"size": MAX_UPLOADS["report"] // MEBIBYTE})
        _save(report, amendments=kept)


def take_back(report: Draft, keys: str) -> None:
    """Take the amendments with some keys back, or all of them; one that is not there changes nothing."""
    gone = keys.split()
    with transaction.atomic():
        former = _lock(report).amendments
        _save(report, amendments=[one for one in former if ALL not in gone and one.key not in gone])


def keep_reasons(report: Report, reasons: Mapping[str, str]) -> None:
    """Keep the reasons as they were typed, of warnings that the version has; nothing for a version that is decided."""
    codes = {"", *(finding["code"] for finding in report.findings)}
    # PostgreSQL keeps no NUL character.
    texts = {code: text.replace("\x00", "")[:MAX_LETTERS] for code, text in reasons.items() if code in codes}
    typed = {code: text for code, text in texts.items() if text.strip()}
    if report.state != ReportState.CHECKED or typed == report.reasons:
        return
    # Somebody else may decide on the version at this moment.
    with suppress(RefusedError), transaction.atomic():
        _lock(report)
        _save(report, reasons=typed)


def _lock(report: Draft) -> Draft:
    """Return a draft as it is now, locked. `RefusedError` where the version is decided, or the file is sent."""
    # Two officers who choose at once: the second adds to what the first has saved. Without the bytes of the report.
    stored: Draft = type(report).objects.select_for_update().only("amendments").get(pk=report.pk)
    if stored.state != ReportState.CHECKED:
        raise refused(
            "version-decided", _("This version is accepted or replaced, so it can no longer be changed.")
        )
    return stored


def _save(report: Draft, **draft: Any) -> None:
    for name, value in draft.items():
        setattr(report, name, value)
    report.save(update_fields=[*draft])


def offered_fixes(read: ReadReport, findings: Sequence[Mapping[str, Any]]) -> Iterator[Fix]:
    """Yield the fixes that findings, as they are stored, know how to write."""
    for finding in findings:
        line, fix = finding["line"], finding["fix"]
        if fix is not None and line and line <= len(read.lines) and read.lines[line - 1] != fix:
            yield Fix(line, read.lines[line - 1], str(fix))


def fix_of_problem(read: ReadReport, finding: Mapping[str, Any]) -> tuple[str, bool]:
    """Return the keys of what a finding, with those that are one problem with it, offers, and whether it is certain."""
    fixes = [*offered_fixes(read, [finding, *finding.get("same_problem", ())])]
    return " ".join(one.key for one in fixes), bool(fixes) and not any(
        loses_letters(finding, one) for one in fixes
    )


def is_meant(finding: Mapping[str, Any], code: str) -> bool:
    """Return whether a finding has a code, or for `ALL` one about which nobody has to decide."""
    return finding["code"] == code or (code == ALL and finding["code"] not in DECIDED)


def loses_letters(finding: Mapping[str, Any], fix: Fix) -> bool:
    """Return whether a realigned line has no room for all of a name, so that somebody has to look."""
    before, after = ("".join(text.split()) for text in (fix.before, fix.after))
    return finding["code"] == SHIFTED and len(after) < len(before)


def fixes_of(report: Draft, read: ReadReport, keys: str) -> list[Fix]:
    """Return the fixes with some keys; `RefusedError` where no finding of the version offers one of them."""
    wanted = {*keys.split()}
    found = {one.key: one for one in offered_fixes(read, report.findings) if one.key in wanted}
    if not wanted or found.keys() != wanted:
        raise refused("fix-does-not-fit", _("This fix no longer matches the report."))
    return [*found.values()]


def left_out_rounds(report: Draft, read: ReadReport, code: str) -> list[Line]:
    """Return all lines without the rounds that the findings of a code name; `RefusedError` where none does."""
    found = [one for one in report.findings if one["code"] == code] if code in NAMES_ROUNDS else []
    rounds = {number for one in found for number in numbers_in(one["params"]["rounds"])}
    if not rounds:
        raise refused("fix-does-not-fit", _("This fix no longer matches the report."))
    return [Line(line, text.rstrip()) for line, text in lines_without_rounds(read, sorted(rounds)).items()]


def coloured(report: Draft, read: ReadReport, lines: tuple[int, int], number: int, *, on: date) -> list[Line]:
    """Return the lines of a round's game so that the player of the first has White, and the other one Black.

    What is chosen for them stays. `RefusedError` for two lines that name no such game.
    """
    chosen = {one.line: one.new for one in chosen_changes(report, read, on=on).lines if one.line in lines}
    # A line that was realigned has its rounds in other columns.
    texts = [chosen.get(line, text) for line, text in enumerate(read.lines, 1)]
    records = {record.line: record for record in read_report("\r\n".join(texts).encode()).players}
    white, black = (records.get(line) for line in lines)
    if not white or not black or not _meet(white, black, number) or not _meet(black, white, number):
        raise refused("fix-does-not-fit", _("This fix no longer matches the report."))
    return [
        Line(one.line, coloured_line(texts[one.line - 1], one, number, colour))
        for one, colour in ((white, "w"), (black, "b"))
        if one.results[number - 1].colour != colour
    ]


def _meet(one: PlayerRecord, other: PlayerRecord, number: int) -> bool:
    """Return whether a player's line names another player in a round."""
    return number > 0 and [it.opponent for it in one.results[number - 1 : number]] == [other.number]


def filled_records(report: Draft, read: ReadReport) -> list[Line]:
    """Return the records of the head that are missing or empty, as registered; what is written by hand already stays.

    `RefusedError` where none is missing. Missing ones follow the last record of the head.
    """
    records = _registered_records(report.tournament)
    found = [one for one in report.findings if one["code"] in MISSING_RECORDS and one.get("params")]
    lines_of = {str(one["params"].get("tag")): one["line"] for one in found}
    missing = {tag: line for tag, line in lines_of.items() if tag in records}
    if not missing or not read.lines:
        raise refused("nothing-missing", _("The registration has nothing to fill in."))
    # Records of the head have to come before the players; after them they are a finding of their own.
    first = min((record.line for record in read.players), default=len(read.lines) + 1)
    last = max([line for line in read.header_lines.values() if line < first], default=1)
    former = {one.line: one.text for one in report.amendments if isinstance(one, Line)}
    texts = dict(former)
    for tag, line in sorted(missing.items()):
        if line:
            texts.setdefault(line, records[tag])
        # The second click would else write the record twice.
        elif records[tag] not in texts.get(last, "").split("\n"):
            texts[last] = f"{texts.get(last, read.lines[last - 1])}\n{records[tag]}"
    return [Line(line, text) for line, text in texts.items() if former.get(line) != text]


def _registered_records(tournament: Tournament) -> dict[str, str]:
    """Return the records of a report's head as the registration has them, by their number."""
    values = {
        "012": tournament.name,
        "022": tournament.city,
        "032": tournament.federation_id,
        "042": f"{tournament.start:%Y/%m/%d}",
        "052": f"{tournament.end:%Y/%m/%d}",
        "102": tournament.chief_arbiter,
        "122": tournament.time_control,
    }
    return {tag: " ".join(f"{tag} {value}".split()) for tag, value in values.items() if value}


# From so many lines on, or a tenth of all if that is more, one reason does not answer them.
FEWEST_LINES = 3
CODE = "line-answer"
Items = list[dict[str, Any]]


def line_items(findings: Iterable[Mapping[str, Any]], answers: Mapping[str, str]) -> Items:
    """Return answers by line, as they are kept, to the findings of a version as they are stored."""
    return [
        {"code": CODE, "line": item["line"], "answer": answers[str(item["line"])]}
        | {name: item["params"][name] for name in ("reported", "registered", "fide_id")}
        for item in findings
        if item["code"] in OF_ANOTHER_NAME and str(item["line"]) in answers
    ]


def answers_by(amendments: Iterable[Amendment]) -> dict[str, str]:
    """Return the answers that the choices of who lines are give, by line."""
    identities = [one for one in amendments if isinstance(one, Identity)]
    return {str(one.line): LineAnswer.SAME if one.is_whole else LineAnswer.OTHER for one in identities}


def answers_in_log(tournament: Tournament) -> Items:
    """Return the answers with which earlier versions of a tournament's report were mended."""
    entries = LogEntry.objects.filter(tournament=tournament, action=Action.REPORT, stated__isnull=False)
    return [item for stated in entries.values_list("stated", flat=True) for item in answers_in(stated)]


def line_refusals(
    lines: Collection[int], *, players: int, acknowledgement: str, tournament: Tournament
) -> Iterator[Refusal]:
    """Yield which lines with the FIDE ID of a person of another name are not answered, or are of another person.

    Lines that were answered in an earlier version count: what is left of many is still answered line by line.
    """
    fewest = max(FEWEST_LINES, -(-players // 10))
    if not lines or (len(lines) < fewest and len(lines) + len(answers_in_log(tournament)) < fewest):
        return
    answers = {item["line"]: item["answer"] for item in answers_in(stated_items(acknowledgement))}
    if missing := [line for line in lines if line not in answers]:
        message = _(
            "Answer of each of these lines whether it is the same person as its FIDE ID, or another one: %(lines)s."
        )
        yield Refusal("lines-unanswered-D-130", message % {"lines": ", ".join(map(str, missing))})
    if others := [line for line in lines if answers.get(line) == LineAnswer.OTHER]:
        message = _("These lines have the FIDE ID of another person. Correct or remove it: %(lines)s.")
        yield Refusal("lines-of-others-D-130", message % {"lines": ", ".join(map(str, others))})


def answers_in(stated: Iterable[dict[str, Any]] | None) -> Items:
    """Return the answers by line among the items of a reason."""
    return [item for item in stated or () if item.get("code") == CODE]
