"""The worksheet of an officer on the check results of a version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from players.models import Player
from players.queries.minors import mask_birth_years
from players.queries.names import find_ids
from players.spelling import words_of
from tournaments.messages import OF_ANOTHER_PERSON
from tournaments.models import Report
from tournaments.queries.line_changes import certain_changes
from tournaments.queries.lookups import KnownPlayers
from tournaments.queries.marked_report import ABOUT_PEOPLE, MarkedReport
from tournaments.services.candidates import DIFFERENCES, Candidate, find_differences, suggestions
from tournaments.services.checking import CheckedReport
from tournaments.services.drafts import DECISIONS, FIXES, IDS, JOINS, LINES
from tournaments.services.report_people import people_of
from tournaments.trf import Report as ReadReport
from tournaments.trf.changed_lines import joined_lines
from tournaments.trf.checks.numbers import with_right_numbers

MAX_FOUND = 10
JOINABLE = "lines-of-one-person"


@dataclass(frozen=True, slots=True)
class LineSearch:
    """The line for which somebody looks for another player, and the words or the FIDE ID that were typed."""

    line: int = 0
    words: str = ""


NO_SEARCH = LineSearch()


def with_choices(
    marked: MarkedReport,
    report: Report,
    read: ReadReport,
    search: LineSearch = NO_SEARCH,
    *,
    on: date,
    players: KnownPlayers | None = None,
) -> MarkedReport:
    """Return a shown report whose findings know what can be chosen for them and what is chosen.

    `is_chosen`, `certain` (what "use all certain ones" chooses), for players `best`, `others`, `used` and `found`,
    for games `decided`, for fixes `key`. At most eight queries, however many rows; most are of `find_ids`.
    """
    people = people_found(report, read, on=on, players=players)
    ids, _is_cut = find_ids(search.words) if search.line and search.words.strip() else ([], False)
    chosen_ids = report.draft.get(IDS, {})
    owned = [
        finding["person"].fide_id
        for group in marked.groups
        if group.is_of_another_person and group.layout == "people"
        for finding in group.findings
    ]
    # Chosen, found and owning players in one query.
    shown = _players(people, [*chosen_ids.values(), *ids[:MAX_FOUND], *owned], report, on=on)
    found = [shown[key] for key in ids[:MAX_FOUND] if key in shown and shown[key].merged_into_id is None]
    for group in marked.groups:
        for finding in group.findings:
            line = str(finding["line"])
            finding["is_edited"] = line in report.draft.get(LINES, {})
            if group.layout == "people":
                _add_person(finding, people.get(finding["line"], ()), shown.get(chosen_ids.get(line)))
                if group.is_of_another_person:
                    _add_owner(finding, shown.get(finding["person"].fide_id))
                if finding["line"] == search.line:
                    finding |= {"is_asked": True, "words": search.words}
                    finding["found"] = found if search.words.strip() else None
            elif group.layout == "games":
                finding["decided"] = report.draft.get(DECISIONS, {}).get(finding["game"].key, "")
                finding["is_chosen"] = bool(finding["decided"])
            elif group.code == JOINABLE:
                first_line = int(finding["params"]["first_line"])
                can_join = joined_lines(read, first_line, finding["line"])
                finding["key"] = f"{first_line}-{line}" if can_join else ""
                finding["is_chosen"] = finding["key"] in report.draft.get(JOINS, {})
            else:
                change = next(certain_changes(read, [finding]), None)
                finding["key"] = finding["certain"] = change.key if change else ""
                finding["is_chosen"] = finding["key"] in report.draft.get(FIXES, {})
            finding["is_chosen"] = finding["is_chosen"] or finding["is_edited"]
    return marked


def _players(
    people: Mapping[int, Sequence[Candidate]], ids: Sequence[int], report: Report, *, on: date
) -> dict[int, Player]:
    """Return players by FIDE ID; one query where not all of them are candidates."""
    known = {item.player.fide_id: item.player for some in people.values() for item in some}
    others = set(ids) - known.keys()
    if not others:
        return known
    found = Player.objects.in_bulk(others).values()
    return known | {
        item.fide_id: item for item in mask_birth_years([*found], own=_federation_code(report), on=on)
    }


def _federation_code(report: Report) -> str:
    return str(report.tournament.federation_id)


def _add_person(finding: dict[str, Any], candidates: Sequence[Candidate], chosen: Player | None) -> None:
    best = candidates[0] if candidates and candidates[0].is_plausible else None
    finding["best"] = best
    finding["others"] = [item for item in candidates if item is not best]
    finding["certain"] = best is not None and best.is_sure
    finding["used"] = chosen
    finding["is_chosen"] = chosen is not None


def _add_owner(finding: dict[str, Any], owner: Player | None) -> None:
    """Say whose the FIDE ID of a line is, and in what the line differs."""
    if owner is not None:
        differs = find_differences(finding["person"], owner, words_of(owner.name))
        finding["owner"] = owner
        finding["owner_differs"] = ", ".join(str(DIFFERENCES[key]) for key in differs)


def owner_of(report: Report, read: ReadReport, line: int, *, on: date) -> Player | None:
    """Return the player whose FIDE ID a line has, as the officer of the federation sees them."""
    record = next((one for one in read.players if one.line == line), None)
    player = Player.objects.filter(pk=record.fide_id or 0).first() if record else None
    return mask_birth_years([player], own=_federation_code(report), on=on)[0] if player else None


def people_found(
    report: Report, read: ReadReport, *, on: date, players: KnownPlayers | None = None
) -> Mapping[int, Sequence[Candidate]]:
    """Return who the players without an own FIDE ID may be, best first, by line; no query where there are none.

    `players` are those that were read already.
    """
    if not any(finding["code"] in ABOUT_PEOPLE for finding in report.findings):
        return {}
    # By starting number: of two lines with one number both are looked for.
    read = with_right_numbers(read)
    lines = {record.number: record.line for record in read.players}
    checked = CheckedReport(read, (), people_of(read, players or KnownPlayers()).players)
    of_another = {one["line"] for one in report.findings if one["code"] in OF_ANOTHER_PERSON}
    found = suggestions(checked, own=_federation_code(report), on=on, of_another=of_another)
    return {lines[number]: _sure_first(candidates) for number, candidates in found.items()}


def sure_players(report: Report, read: ReadReport, code: str, *, on: date) -> dict[int, int]:
    """Return the FIDE IDs that are certain for the lines of one code and not chosen otherwise, by line."""
    lines = {finding["line"] for finding in report.findings if finding["code"] == code}
    # "Use all" must not overwrite what the officer decided line by line.
    settled = {int(line) for kind in (IDS, LINES) for line in report.draft.get(kind, {})}
    return {
        line: candidates[0].player.fide_id
        for line, candidates in people_found(report, read, on=on).items()
        if line in lines - settled and candidates[0].is_sure
    }


def certain_keys(report: Report, read: ReadReport, code: str) -> list[str]:
    """Return the keys of the changes that the findings of one code offer."""
    findings = [finding for finding in report.findings if finding["code"] == code]
    return [change.key for change in certain_changes(read, findings)]


def _sure_first(candidates: Sequence[Candidate]) -> list[Candidate]:
    # The first one is offered as the best; the sort keeps the order of the others.
    return sorted(candidates, key=lambda item: not item.is_sure)
