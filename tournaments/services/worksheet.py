"""The worksheet of an officer on the check results of a version, and the corrected version.

Possible players, chosen and open fixes; lines corrected in the portal, beside the uploaded file.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import PurePosixPath
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.errors import refused
from players.models import NameWord, Player
from players.queries.minors import Minors, minors_on
from players.queries.names import find_ids
from players.spelling import words_of
from tournaments.choices import LINES_FIXED, PORTAL_REASONS, Action
from tournaments.messages import OF_ANOTHER_PERSON
from tournaments.models import Report, Tournament
from tournaments.queries.line_changes import ChangedLine, certain_changes
from tournaments.queries.lookups import KnownPlayers
from tournaments.queries.report_versions import ABOUT_PEOPLE, MarkedReport
from tournaments.services.audit_log import record_action
from tournaments.services.checking import CheckedReport
from tournaments.services.checks.people import ID_COLUMN, ID_WIDTH
from tournaments.services.drafts import DECISIONS, FIXES, IDS, LINES, REASONS
from tournaments.services.report_people import people_of, without_year
from tournaments.services.reports import upload_report
from tournaments.trf import PlayerRecord
from tournaments.trf import Report as ReadReport
from tournaments.trf.report import with_field
from tournaments.trf.writer import as_written, with_lines

MAX_FOUND = 10


@dataclass(frozen=True, slots=True)
class LineSearch:
    """The line for which somebody looks for another player, and the words or the FIDE ID that were typed."""

    line: int = 0
    words: str = ""


NO_SEARCH = LineSearch()


def with_choices(
    marked: MarkedReport, report: Report, read: ReadReport, search: LineSearch = NO_SEARCH, *, on: date
) -> MarkedReport:
    """Return a shown report whose findings know what can be chosen for them and what is chosen.

    `is_chosen`, `certain` (what "use all certain ones" chooses), for players `best`, `others`, `used` and `found`,
    for games `decided`, for fixes `key`. At most eight queries, however many rows; most are of `find_ids`.
    """
    people = people_found(report, read, on=on)
    ids, _is_cut = find_ids(search.words) if search.line and search.words.strip() else ([], False)
    chosen_ids = report.draft.get(IDS, {})
    owned = [
        finding["person"].fide_id
        for group in marked.groups
        if group.is_of_another_person and group.layout == "people"
        for finding in group.findings
    ]
    players = _players(people, [*chosen_ids.values(), *ids[:MAX_FOUND], *owned], report, on=on)
    found = [
        players[key] for key in ids[:MAX_FOUND] if key in players and players[key].merged_into_id is None
    ]
    for group in marked.groups:
        for finding in group.findings:
            line = str(finding["line"])
            finding["is_edited"] = line in report.draft.get(LINES, {})
            if group.layout == "people":
                _add_person(finding, people.get(finding["line"], ()), players.get(chosen_ids.get(line)))
                if group.is_of_another_person:
                    _add_owner(finding, players.get(finding["person"].fide_id))
                if finding["line"] == search.line:
                    finding |= {"is_asked": True, "words": search.words}
                    finding["found"] = found if search.words.strip() else None
            elif group.layout == "games":
                finding["decided"] = report.draft.get(DECISIONS, {}).get(finding["game"].key, "")
                finding["is_chosen"] = bool(finding["decided"])
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
        differs = _find_differences(finding["person"], owner, words_of(owner.name))
        finding["owner"] = owner
        finding["owner_differs"] = ", ".join(str(DIFFERENCES[key]) for key in differs)


def owner_of(report: Report, read: ReadReport, line: int, *, on: date) -> Player | None:
    """Return the player whose FIDE ID a line has, as the officer of the federation sees them."""
    record = next((one for one in read.players if one.line == line), None)
    player = Player.objects.filter(pk=record.fide_id or 0).first() if record else None
    return mask_birth_years([player], own=_federation_code(report), on=on)[0] if player else None


def people_found(report: Report, read: ReadReport, *, on: date) -> Mapping[int, Sequence[Candidate]]:
    """Return who the players without an own FIDE ID may be, best first, by line; no query where there are none."""
    if not any(finding["code"] in ABOUT_PEOPLE for finding in report.findings):
        return {}
    lines = {record.number: record.line for record in read.players}
    checked = CheckedReport(read, (), people_of(read, KnownPlayers()).players)
    of_another = {one["line"] for one in report.findings if one["code"] in OF_ANOTHER_PERSON}
    found = suggestions(checked, own=_federation_code(report), on=on, of_another=of_another)
    return {lines[number]: _sure_first(candidates) for number, candidates in found.items()}


def sure_players(report: Report, read: ReadReport, code: str, *, on: date) -> dict[int, int]:
    """Return the FIDE IDs that are certain for the lines of one code and not chosen otherwise, by line."""
    lines = {finding["line"] for finding in report.findings if finding["code"] == code}
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
    return sorted(candidates, key=lambda item: not item.is_sure)


# So many lines are looked up, with so many words each, and so many players looked at for all of them.
MAX_LINES = 200
MAX_WORDS = 5
LOOKED_AT = 4_000
# A word that more players have than this identifies no player.
NARROW = 20
SHOWN = 5
DIFFERENCES = {
    "name": _l("name differs"),
    "no-year": _l("no year of birth"),
    "year": _l("year of birth differs"),
    "federation": _l("federation differs"),
    "sex": _l("sex differs"),
    "namesake": _l("another player or line fits too"),
}
# A name of one word identifies no player for certain.
MIN_WORDS = 2


@dataclass(frozen=True, slots=True)
class Candidate:
    """A player that a line may be of: what agrees with it, and the line with the player's FIDE ID, where certain."""

    player: Player
    common_words: int
    is_same_year: bool
    is_same_federation: bool
    fix: str | None
    differs: tuple[str, ...] = ()

    @property
    def is_sure(self) -> bool:
        """Whether nothing differs: the words of the name, year of birth, federation and sex, and nobody else fits."""
        return not self.differs and self.fix is not None

    @property
    def is_plausible(self) -> bool:
        """Whether more than one word of the name agrees, or one and the year of birth."""
        return self.common_words >= MIN_WORDS or self.is_same_year

    @property
    def grade(self) -> str:
        """The certainty: `sure`, `likely` if one fact is missing or differs, else `possible`."""
        if self.is_sure:
            return "sure"
        return "likely" if len(self.differs) == 1 and self.common_words >= MIN_WORDS else "possible"

    @property
    def differences(self) -> str:
        """What differs, in words; empty where nothing does."""
        return ", ".join(str(DIFFERENCES[key]) for key in self.differs)

    @property
    def order(self) -> tuple[int, bool, bool, int]:
        """The best candidate has the least: words in common, then the year, then the federation."""
        return (
            -self.common_words,
            not self.is_same_year,
            not self.is_same_federation,
            self.player.fide_id,
        )


def suggestions(
    checked: CheckedReport, *, own: str, on: date, of_another: Collection[int] = ()
) -> dict[int, tuple[Candidate, ...]]:
    """Return the candidates, best first, for the lines of a report without a known player, by starting rank.

    These are lines without a FIDE ID, with an unknown one, and with that of another person (`of_another` are lines that
    are known to be so). Three queries.
    `own` is the officer's federation: the years of birth of minors of others are neither shown nor confirmed.
    A candidate for two lines is sure for neither, nor is one of two who fit a line equally.
    """
    doubtful = _doubtful(checked, of_another)
    words = {record.number: words_of(record.name)[:MAX_WORDS] for record in doubtful}
    known = {player.fide_id for player in checked.players.values()}
    alive = Player.objects.filter(pk__in=_ids(words.values()), merged_into=None, died_on=None)
    players = mask_birth_years([*alive], own=own, on=on)
    found = {player.fide_id: set(words_of(player.name)) for player in players}
    by_id = {player.fide_id: player for player in players}
    by_word: dict[str, list[int]] = defaultdict(list)
    for fide_id, names in found.items():
        for word in names:
            by_word[word].append(fide_id)
    candidates = {}
    for record in doubtful:
        ids = {fide_id for word in words[record.number] for fide_id in by_word[word]} - known
        some = [_candidate(checked, record, by_id[fide_id], found[fide_id]) for fide_id in ids]
        candidates[record.number] = tuple(sorted(some, key=lambda item: item.order)[:SHOWN])
    return _mark_ambiguous({number: some for number, some in candidates.items() if some})


def mask_birth_years(players: Sequence[Player], *, own: str, on: date) -> list[Player]:
    """Return players as the officer of a federation sees them; no query without a minor of another (age-bands.md)."""
    oldest = Minors(year=on.year).first_year
    if not any(item.federation_id != own and (item.birth_year or 0) >= oldest for item in players):
        return [*players]
    minors = minors_on(on).without(own)
    return [without_year(item, minors) for item in players]


def _mark_ambiguous(candidates: Mapping[int, tuple[Candidate, ...]]) -> dict[int, tuple[Candidate, ...]]:
    """Return candidates of which those are no longer sure who are not the only one."""
    lines = Counter(item.player.fide_id for some in candidates.values() for item in some if item.is_sure)
    unique = {}
    for number, some in candidates.items():
        namesakes = sum(item.is_sure for item in some)
        unique[number] = tuple(
            replace(item, differs=("namesake",))
            if item.is_sure and (namesakes > 1 or lines[item.player.fide_id] > 1)
            else item
            for item in some
        )
    return unique


def _doubtful(checked: CheckedReport, lines: Collection[int]) -> list[PlayerRecord]:
    known: Mapping[int, Player] = checked.players
    of_another = {item.line for item in checked.findings if item.code in OF_ANOTHER_PERSON} | {*lines}
    return [
        record
        for record in checked.report.players
        if record.name and (record.number not in known or record.line in of_another)
    ][:MAX_LINES]


def _ids(names: Iterable[Collection[str]]) -> set[int]:
    """Return the players who share two words with a name, or one that few have; the longest word is the rarest."""
    longest, others = set(), set()
    for words in names:
        if words:
            rarest = max(words, key=len)
            longest.add(rarest)
            others |= {word for word in words if word != rarest}
    ids = set(
        NameWord.objects.filter(word__in=longest, player__name_words__word__in=others)
        .order_by()
        .values_list("player_id", flat=True)[:LOOKED_AT]
    )
    holders: dict[str, list[int]] = defaultdict(list)
    rows = NameWord.objects.filter(word__in=longest).order_by().values_list("word", "player_id")
    for word, player_id in rows[:LOOKED_AT]:
        holders[word].append(player_id)
    return ids.union(*(some for some in holders.values() if len(some) <= NARROW))


def _candidate(
    checked: CheckedReport, record: PlayerRecord, player: Player, names: Collection[str]
) -> Candidate:
    return Candidate(
        player=player,
        common_words=len(set(words_of(record.name)) & set(names)),
        is_same_year=record.birth_year is not None and record.birth_year == player.birth_year,
        is_same_federation=record.federation == player.federation_id,
        fix=with_field(checked.report, record, ID_COLUMN, f"{player.fide_id:>{ID_WIDTH}}"),
        differs=tuple(_find_differences(record, player, names)),
    )


def _find_differences(record: PlayerRecord, player: Player, names: Collection[str]) -> Iterator[str]:
    """Yield the differences and missing facts between a line and a player, the most important first."""
    words = set(words_of(record.name))
    if words != set(names) or len(words) < MIN_WORDS:
        yield "name"
    if record.birth_year is None or player.birth_year is None:
        yield "no-year"
    elif record.birth_year != player.birth_year:
        yield "year"
    if record.federation != player.federation_id:
        yield "federation"
    if record.sex and player.sex and record.sex != player.sex:
        yield "sex"


LINES_NAMED = 20


def apply_changes(
    report: Report,
    read: ReadReport,
    changes: Sequence[ChangedLine],
    *,
    by: Any,
    on: date,
    at: datetime,
    reason: str = "",
) -> tuple[Report, bool]:
    """Store the report with changed lines as a new version, checked again; return it and whether it is new.

    The history has the reason that somebody gives, without one the numbers of the lines.
    The same changes again return the existing version. `RefusedError` if a line has changed, if another user has
    corrected the version, or if the tournament accepts no report. The former content stays.
    """
    if not changes or any(read.lines[item.line - 1 : item.line] != (item.old,) for item in changes):
        raise refused("fix-does-not-fit", _("This fix no longer matches the report."))
    content = as_written(with_lines(read, {item.line: item.new for item in changes}), bytes(report.content))
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=report.tournament_id)
        same = tournament.reports.filter(sha256=hashlib.sha256(content).hexdigest()).last()
        if same is not None:
            return same, False
        _refuse_where_put_right(report)
        pgn = None if report.pgn is None else bytes(report.pgn)
        name = corrected_name(report.file_name)
        made = upload_report(tournament, content, file_name=name, by=by, on=on, at=at, pgn=pgn)
        made.corrected_from = report
        made.draft = {REASONS: report.draft.get(REASONS, {})}
        made.save(update_fields=["corrected_from", "draft"])
        _note(made, report, changes, reason=reason, by=by, at=at)
    return made, True


def _refuse_where_put_right(report: Report) -> None:
    """Refuse a second correction of a version: it would lose the first officer's changes."""
    other = report.corrected_versions.order_by("version").last()
    if other is not None:
        message = _("Version %(version)d was created from this version meanwhile. Continue there.")
        raise refused("put-right-meanwhile", message % {"version": other.version})


def _note(
    made: Report, former: Report, changes: Sequence[ChangedLine], *, reason: str, by: Any, at: datetime
) -> None:
    named = ", ".join(str(item.line) for item in changes[:LINES_NAMED])
    lines = named if len(changes) <= LINES_NAMED else f"{named} …"
    fixed = PORTAL_REASONS.fill_in(LINES_FIXED, new=made.version, old=former.version, lines=lines)
    record_action(made.tournament, Action.REPORT, reason=reason or fixed, by=by, at=at)


def corrected_name(name: str) -> str:
    """Return the name of the corrected file: `open.trf` becomes `open-corrected.trf`."""
    path = PurePosixPath(name)
    return name if path.stem.endswith("-corrected") else f"{path.stem}-corrected{path.suffix}"
