"""What an officer chooses for a version of a report before its fixes become the next version: kept with the version.

A draft changes no byte of a report. It is a JSON object of five kinds of choices and the reasons that were typed:
`ids` (FIDE ID by line), `results` (by round and White, as `2-4`), `fixes` (keys of changes that findings offer),
`joins` (two lines of one person, as `17-19`), `lines` (lines as somebody wrote them), `reasons` (by code of the
warnings; empty for all others).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import RefusedError, refused
from players.models import Player
from tournaments.choices import LineAnswer, ReportState
from tournaments.messages import NAMES_ROUNDS
from tournaments.models import Report, Tournament
from tournaments.queries.line_changes import ChangedLine, ChosenChanges, certain_changes, merged_changes
from tournaments.services.checks.games_again import numbers_in
from tournaments.services.checks.people import ID_COLUMN, ID_WIDTH
from tournaments.services.file_sizes import MAX_UPLOADS, MEBIBYTE
from tournaments.trf import RESULTS, Pairing, pairing_of
from tournaments.trf import Report as ReadReport
from tournaments.trf.changed_lines import decided_lines, joined_lines, lines_without_rounds
from tournaments.trf.report import with_field

IDS, DECISIONS, FIXES, JOINS, LINES, REASONS = "ids", "results", "fixes", "joins", "lines", "reasons"
# What was said of lines with the FIDE ID of a person of another name, by line (D-130).
ANSWERS = "answers"
CHOICES = (IDS, DECISIONS, FIXES, JOINS, LINES)
# What the two lines of a game may be decided to say.
OVER_THE_BOARD = ("1-0", "1/2-1/2", "0-1")
MISSING_RECORDS = frozenset({"record-missing", "record-advised"})
MAX_LETTERS = 2000
LONGEST_LINE = 4000
MAX_REASONS = 200


def number_of_choices(report: Report) -> int:
    """Return how many fixes are chosen for a version and not saved yet."""
    return sum(len(report.draft.get(kind, {})) for kind in CHOICES)


def chosen_changes(report: Report, read: ReadReport) -> ChosenChanges:
    """Return the lines that the draft of a version changes; one query where players were chosen."""
    draft = report.draft
    # A later check of the version may offer other fixes: a key that is gone is counted, not applied.
    offered = {change.key: change for change in certain_changes(read, report.findings)}
    fixes = [offered[key] for key in draft.get(FIXES, {}) if key in offered]
    others = [*_result_changes(read, draft.get(DECISIONS, {})), *_player_changes(read, draft.get(IDS, {}))]
    others += _joining_changes(read, draft.get(JOINS, {}))
    written = {int(line): text for line, text in draft.get(LINES, {}).items() if int(line) <= len(read.lines)}
    by_hand = [ChangedLine(line, read.lines[line - 1], text, _("Edited")) for line, text in written.items()]
    # A line that somebody wrote by hand is taken as written: a fix of one column would change it again.
    merged = merged_changes([*(item for item in (*others, *fixes) if item.line not in written), *by_hand])
    return ChosenChanges(merged.lines, left=merged.left, gone=len(draft.get(FIXES, {})) - len(fixes))


def use_players(report: Report, read: ReadReport, chosen: Mapping[int, int]) -> None:
    """Choose the FIDE IDs of lines. `RefusedError` for an unknown player, one on another line, or no such line."""
    records = {record.line: record for record in read.players}
    for line in chosen:
        if line not in records or with_field(read, records[line], ID_COLUMN, "") is None:
            raise refused("line-not-of-a-player", _("This line has no place for a FIDE ID. Edit the line."))
    known = set(
        Player.objects.filter(pk__in=chosen.values(), merged_into=None).values_list("fide_id", flat=True)
    )
    with transaction.atomic():
        draft = _lock_draft(report)
        ids = draft.setdefault(IDS, {})
        ids |= {str(line): fide_id for line, fide_id in chosen.items()}
        for line, fide_id in chosen.items():
            if fide_id not in known:
                message = _("No player has FIDE ID %(fide_id)s.") % {"fide_id": fide_id}
                raise refused("player-unknown", message)
            others = [
                at for at, record in records.items() if record.fide_id == fide_id and str(at) not in ids
            ]
            others += [int(at) for at, other in ids.items() if other == fide_id]
            if set(others) - {line}:
                message = _("FIDE ID %(fide_id)s is already used in line %(line)d.")
                values = {"fide_id": fide_id, "line": min(set(others) - {line})}
                raise refused("player-used", message % values)
            # The line as edited before would hide the chosen player.
            draft.get(LINES, {}).pop(str(line), None)
            draft.setdefault(ANSWERS, {})[str(line)] = LineAnswer.OTHER
        _save(report, draft)


def decide_result(report: Report, read: ReadReport, *, round_number: int, white: int, result: str) -> None:
    """Choose what both lines of a game say; `RefusedError` where there is no such game."""
    pairing = pairing_of(read, round_number=round_number, white=white)
    if pairing is None or result not in OVER_THE_BOARD:
        raise refused("game-unknown", _("The report does not have this game."))
    with transaction.atomic():
        draft = _lock_draft(report)
        draft.setdefault(DECISIONS, {})[f"{round_number}-{white}"] = result
        _save(report, draft)


# The columns of a line that say who somebody is: sex, name, date of birth.
PERSON_COLUMNS = ((10, 1), (15, 33), (70, 10))


def keep_owner(report: Report, read: ReadReport, line: int, owner: Player) -> None:
    """Choose to write a line with the data of the player whose FIDE ID it has: they are the same person.

    A year of birth that the caller may not see is left as reported. `RefusedError` for no such line.
    """
    record = next((one for one in read.players if one.line == line), None)
    if record is None or with_field(read, record, ID_COLUMN, "") is None or record.fide_id is None:
        raise refused("line-not-of-a-player", _("This line has no place for a FIDE ID. Edit the line."))
    born: dict[str, Any] = {}
    if owner.birth_year and owner.birth_year != record.birth_year:
        born = {"birth_date": None, "birth_year": owner.birth_year}
    # The width of the name in TRF.
    name = owner.name[:33].strip()
    registered = record._replace(name=name, sex=owner.sex or record.sex, **born).dumps()
    text = read.lines[line - 1].ljust(len(registered))
    for column, width in PERSON_COLUMNS:
        place = slice(column - 1, column - 1 + width)
        text = text[: place.start] + registered[place].ljust(width) + text[place.stop :]
    edit_lines(report, read, {line: text}, answer=LineAnswer.SAME)


def clear_id(report: Report, read: ReadReport, line: int) -> None:
    """Choose to write a line without its FIDE ID, which is another person's; `RefusedError` for no such line."""
    record = next((one for one in read.players if one.line == line), None)
    text = with_field(read, record, ID_COLUMN, " " * ID_WIDTH) if record else None
    if text is None:
        raise refused("line-not-of-a-player", _("This line has no place for a FIDE ID. Edit the line."))
    edit_lines(report, read, {line: text}, answer=LineAnswer.OTHER)


def use_fixes(report: Report, read: ReadReport, keys: Collection[str]) -> None:
    """Choose changes that findings offer, by their keys; `RefusedError` where one does not fit the version."""
    offered = {change.key for change in certain_changes(read, report.findings)}
    if not keys or not offered.issuperset(keys):
        raise refused("fix-does-not-fit", _("This fix no longer matches the report."))
    with transaction.atomic():
        draft = _lock_draft(report)
        draft.setdefault(FIXES, {}).update(dict.fromkeys(keys, True))
        _save(report, draft)


def join_lines(report: Report, read: ReadReport, first_line: int, second_line: int) -> None:
    """Choose to join two lines of one person; `RefusedError` where they cannot be joined."""
    if not joined_lines(read, first_line, second_line):
        raise refused("lines-not-joined", _("These two lines cannot be joined. Edit the lines."))
    with transaction.atomic():
        draft = _lock_draft(report)
        draft.setdefault(JOINS, {})[f"{first_line}-{second_line}"] = True
        _save(report, draft)


def leave_out_rounds(report: Report, read: ReadReport, code: str) -> None:
    """Choose to write all lines without the rounds that the findings of a code name; `RefusedError` where none does."""
    found = [one for one in report.findings if one["code"] == code] if code in NAMES_ROUNDS else []
    rounds = {number for one in found for number in numbers_in(one["params"]["rounds"])}
    if not rounds:
        raise refused("fix-does-not-fit", _("This fix no longer matches the report."))
    edit_lines(report, read, lines_without_rounds(read, sorted(rounds)))


def edit_lines(report: Report, read: ReadReport, lines: Mapping[int, str], *, answer: str = "") -> None:
    """Write lines by hand; the text that a line has already takes the edit back.

    With the `answer` whether they are of the owner of their FIDE ID (D-130).

    `RefusedError` for no such line, and for more text than a report has.
    """
    if any(not 1 <= line <= len(read.lines) for line in lines):
        raise refused("line-unknown", _("The report does not have this line."))
    # A line end in the text would be a new record of the report.
    if any(len(text) > LONGEST_LINE or not text.replace("\t", " ").isprintable() for text in lines.values()):
        raise refused("line-unusable", _("A line has at most %(most)d characters.") % {"most": LONGEST_LINE})
    with transaction.atomic():
        draft = _lock_draft(report)
        edited = draft.setdefault(LINES, {})
        for line, text in lines.items():
            edited.pop(str(line), None)
            if text.rstrip() != read.lines[line - 1].rstrip():
                edited[str(line)] = text.rstrip()
            if answer:
                draft.setdefault(ANSWERS, {})[str(line)] = answer
        # Many edits, each within its limit, would else make a version that cannot be uploaded.
        if sum(map(len, edited.values())) > MAX_UPLOADS["report"]:
            message = _("The file must be %(size)d MiB or smaller.")
            raise refused("file-too-large", message % {"size": MAX_UPLOADS["report"] // MEBIBYTE})
        _save(report, draft)


def registered_records(tournament: Tournament) -> dict[str, str]:
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
    return {tag: f"{tag} {value}" for tag, value in values.items() if value}


def fill_records(report: Report, read: ReadReport, records: Mapping[str, str]) -> None:
    """Choose to write the records of the head that are missing or empty; what is chosen already stays.

    `RefusedError` where none is missing. Missing ones follow the last record of the head.
    """
    found = [one for one in report.findings if one["code"] in MISSING_RECORDS and one.get("params")]
    lines_of = {str(one["params"].get("tag")): one["line"] for one in found}
    missing = {tag: line for tag, line in lines_of.items() if tag in records}
    if not missing or not read.lines:
        raise refused("nothing-missing", _("The registration has nothing to fill in."))
    # Records of the head have to come before the players; after them they are a finding of their own.
    first = min((record.line for record in read.players), default=len(read.lines) + 1)
    last = str(max([line for line in read.header_lines.values() if line < first], default=1))
    with transaction.atomic():
        draft = _lock_draft(report)
        lines = draft.setdefault(LINES, {})
        for tag, line in sorted(missing.items()):
            if line:
                lines.setdefault(str(line), records[tag])
            # The second click would else write the record twice.
            elif records[tag] not in lines.get(last, "").split("\n"):
                lines[last] = f"{lines.get(last, read.lines[int(last) - 1])}\n{records[tag]}"
        _save(report, draft)


def undo_choice(report: Report, kind: str, key: str) -> None:
    """Take a choice back; one that is not there changes nothing."""
    with transaction.atomic():
        draft = _lock_draft(report)
        if kind in CHOICES:
            draft.get(kind, {}).pop(key, None)
            draft.get(ANSWERS, {}).pop(key, None)
        _save(report, draft)


def keep_reasons(report: Report, reasons: Mapping[str, str]) -> None:
    """Keep the reasons as they were typed, of warnings that the version has; nothing for a version that is decided."""
    codes = {"", *(finding["code"] for finding in report.findings)}
    # PostgreSQL keeps no NUL character.
    texts = {code: text.replace("\x00", "")[:MAX_LETTERS] for code, text in reasons.items() if code in codes}
    typed = {code: text for code, text in texts.items() if text.strip()}
    if report.state != ReportState.CHECKED or typed == report.draft.get(REASONS, {}):
        return
    # Somebody else may decide on the version at this moment.
    with suppress(RefusedError), transaction.atomic():
        draft = _lock_draft(report)
        draft[REASONS] = dict([*typed.items()][:MAX_REASONS])
        _save(report, draft)


def _result_changes(read: ReadReport, decided: Mapping[str, str]) -> Iterator[ChangedLine]:
    games: dict[Pairing, str] = {}
    for key, result in decided.items():
        round_number, _dash, white = key.partition("-")
        pairing = pairing_of(read, round_number=int(round_number), white=int(white))
        if pairing is not None and result in RESULTS:
            games[pairing] = result
    for line, text in decided_lines(read, games).items():
        yield ChangedLine(line, read.lines[line - 1], text, _("The result was decided."))


def _joining_changes(read: ReadReport, joins: Mapping[str, bool]) -> Iterator[ChangedLine]:
    for key in joins:
        first, _dash, second = key.partition("-")
        for line, text in joined_lines(read, int(first), int(second)).items():
            yield ChangedLine(line, read.lines[line - 1], text, _("Two lines of one person are joined."))


def _player_changes(read: ReadReport, chosen: Mapping[str, int]) -> Iterator[ChangedLine]:
    players = Player.objects.in_bulk(chosen.values()) if chosen else {}
    records = {str(record.line): record for record in read.players}
    for line, fide_id in chosen.items():
        player, record = players.get(fide_id), records.get(line)
        if player is None or record is None:
            continue
        fix = with_field(read, record, ID_COLUMN, f"{fide_id:>{ID_WIDTH}}")
        if fix is None:
            continue
        who = {"fide_id": player.fide_id, "name": player.name, "federation": player.federation_id}
        why = _("The player is %(name)s (%(federation)s), FIDE ID %(fide_id)d.") % who
        yield ChangedLine(record.line, read.lines[record.line - 1], fix, why)


def _lock_draft(report: Report) -> dict[str, Any]:
    """Return the draft of a version as it is now, locked. `RefusedError` where the version is decided."""
    # Two officers who choose at once: the second adds to what the first has saved. Without the bytes of the report.
    stored = Report.objects.select_for_update().only("draft", "state").get(pk=report.pk)
    if stored.state != ReportState.CHECKED:
        raise refused(
            "version-decided", _("This version is accepted or replaced, so it can no longer be changed.")
        )
    return dict(stored.draft)


def _save(report: Report, draft: dict[str, Any]) -> None:
    report.draft = {kind: values for kind, values in draft.items() if values}
    report.save(update_fields=["draft"])
