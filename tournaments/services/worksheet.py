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
from tournaments.amendments import Amendment, Fix, Identity, Joined, Line, Result
from tournaments.queries.lookups import KnownPlayers
from tournaments.queries.marked_report import FindingGroup, MarkedReport
from tournaments.services.candidates import DIFFERENCES, Candidate, find_differences, suggestions
from tournaments.services.checking import CheckedReport
from tournaments.services.drafts import Draft, offered_fixes
from tournaments.services.report_people import people_of
from tournaments.trf import Report as ReadReport
from tournaments.trf.changed_lines import joined_lines
from tournaments.trf.checks.numbers import with_right_numbers
from tournaments.trf.findings import ABOUT_PEOPLE, OF_ANOTHER_PERSON

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
    report: Draft,
    read: ReadReport,
    search: LineSearch = NO_SEARCH,
    *,
    on: date,
    players: KnownPlayers | None = None,
) -> MarkedReport:
    """Return a shown report whose findings know what can be chosen for them and what is chosen.

    `is_chosen`, `certain` (what "use all certain ones" chooses), `key` of the amendment that it offers, `undo` of the
    one that is chosen, for players `best`, `others`, `used` and `found`, for games `decided`. At most eight queries,
    however many rows; most are of `find_ids`.
    """
    chosen = {one.key: one for one in report.amendments}
    people = people_found(report, read, on=on, players=players)
    ids, _is_cut = find_ids(search.words) if search.line and search.words.strip() else ([], False)
    chosen_ids = {one.line: one.fide_id for one in report.amendments if isinstance(one, Identity)}
    owned = [
        finding["person"].fide_id
        for group in marked.groups
        if group.is_of_another_person and group.layout == "people"
        for finding in group.findings
    ]
    # Chosen, found and owning players in one query.
    shown = _players(people, [*filter(None, chosen_ids.values()), *ids[:MAX_FOUND], *owned], report, on=on)
    found = [shown[key] for key in ids[:MAX_FOUND] if key in shown and shown[key].merged_into_id is None]
    for group in marked.groups:
        for finding in group.findings:
            line = finding["line"]
            offered = _offered(group, finding, read)
            finding["key"] = offered.key if offered else ""
            finding["undo"] = edit if (edit := Line(line, "").key) in chosen else finding["key"]
            finding["is_edited"] = edit in chosen
            finding["is_chosen"] = finding["undo"] in chosen
            if group.layout == "people":
                _add_person(finding, people.get(line, ()), shown.get(chosen_ids.get(line) or 0))
                if group.is_of_another_person:
                    _add_owner(finding, shown.get(finding["person"].fide_id))
                if line == search.line:
                    finding |= {"is_asked": True, "words": search.words}
                    finding["found"] = found if search.words.strip() else None
            elif group.layout == "games":
                decided = chosen.get(finding["key"])
                finding["decided"] = decided.result if isinstance(decided, Result) else ""
            elif isinstance(offered, Fix):
                finding["certain"] = True
    return marked


def _offered(group: FindingGroup, finding: dict[str, Any], read: ReadReport) -> Amendment | None:
    """Return what can be chosen for a finding: by its key, as who a line is and how a game ended is still open."""
    line = finding["line"]
    if group.layout == "people":
        return Identity(line)
    if group.layout == "games":
        pairing = finding["game"].pairing
        return Result(pairing.round, pairing.white, "")
    if group.code == JOINABLE:
        first_line = int(finding["params"]["first_line"])
        return Joined(line, first_line) if joined_lines(read, first_line, line) else None
    return next(offered_fixes(read, [finding]), None)


def _players(
    people: Mapping[int, Sequence[Candidate]], ids: Sequence[int], report: Draft, *, on: date
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


def _federation_code(report: Draft) -> str:
    return str(report.tournament.federation_id)


def _add_person(finding: dict[str, Any], candidates: Sequence[Candidate], chosen: Player | None) -> None:
    best = candidates[0] if candidates and candidates[0].is_plausible else None
    finding["best"] = best
    finding["others"] = [item for item in candidates if item is not best]
    finding["certain"] = best is not None and best.is_sure
    finding["used"] = chosen


def _add_owner(finding: dict[str, Any], owner: Player | None) -> None:
    """Say whose the FIDE ID of a line is, and in what the line differs."""
    if owner is not None:
        differs = find_differences(finding["person"], owner, words_of(owner.name))
        finding["owner"] = owner
        finding["owner_differs"] = ", ".join(str(DIFFERENCES[key]) for key in differs)


def people_found(
    report: Draft, read: ReadReport, *, on: date, players: KnownPlayers | None = None
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


def certain_amendments(report: Draft, read: ReadReport, code: str, *, on: date) -> list[Amendment]:
    """Return all that is certain for the findings of one code: fixes, and players of lines not chosen otherwise."""
    findings = [finding for finding in report.findings if finding["code"] == code]
    # "Use all" must not overwrite what the officer decided line by line.
    settled = {one.line for one in report.amendments if isinstance(one, Identity | Line)}
    lines = {finding["line"] for finding in findings} - settled
    people = people_found(report, read, on=on) if lines else {}
    sure = [(line, some[0].player) for line, some in people.items() if line in lines and some[0].is_sure]
    players = [Identity(line, player.fide_id) for line, player in sure]
    return [*players, *offered_fixes(read, findings)]


def _sure_first(candidates: Sequence[Candidate]) -> list[Candidate]:
    # The first one is offered as the best; the sort keeps the order of the others.
    return sorted(candidates, key=lambda item: not item.is_sure)
