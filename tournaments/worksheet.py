"""The worksheet of an officer on the check results of a version."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext_lazy as _l

from players.minors import mask_birth_years
from players.models import FormerName, Membership, NameWord, Player
from players.names import find_ids
from players.spelling import words_of
from tournaments.amendments import Amendment, Identity, Joined, Line, Result
from tournaments.checking import CheckedReport, check_contents
from tournaments.corrected_versions import changed_content
from tournaments.drafts import (
    Draft,
    chosen_changes,
    fix_of_problem,
    is_meant,
    loses_letters,
    offered_fixes,
)
from tournaments.line_changes import ChangedLine, line_difference
from tournaments.lookups import KnownPlayers, Lookups
from tournaments.marked_report import FindingGroup, MarkedReport, with_fixes
from tournaments.models import HandedReport
from tournaments.report_people import national_numbers, people_of
from tournaments.reports import stored_bytes
from tournaments.trf import PlayerRecord, read_report
from tournaments.trf import Report as ReadReport
from tournaments.trf.changed_lines import joined_lines
from tournaments.trf.checks.numbers import with_right_numbers
from tournaments.trf.findings import ABOUT_PEOPLE, OF_ANOTHER_PERSON
from tournaments.trf.report import with_field

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
    lookups: Lookups,
) -> MarkedReport:
    """Return a shown report whose findings know what can be chosen for them, what is chosen and what that solves.

    `is_chosen`, `is_solved`, `certain` (what "use all certain ones" chooses), `key` of the amendment that it offers,
    `undo` of the one that is chosen, for players `best`, `others`, `used` and `found`, for games `decided`. At most
    eight queries and those of a check of the draft, however many rows; most are of `find_ids`.
    """
    chosen = {one.key: one for one in report.amendments}
    changes = chosen_changes(report, read, on=on).lines
    solved = _solved(report, read, changes, on=on, lookups=lookups)
    own = _federation_code(report)
    people = people_found(report.findings, read, own=own, on=on, players=lookups.players)
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
    texts = {change.line: change.new for change in changes}
    for group in marked.groups:
        for finding in group.every:
            line = finding["line"]
            key, is_certain = fix_of_problem(read, finding)
            offered = _offered(group, finding, read)
            finding["key"] = offered.key if offered else key
            finding["place"] = finding["key"].partition(" ")[0]
            # Of a person chosen and a line edited each is taken back where it was done.
            edit = next((one for one in _edits(finding) if one in chosen), Line(line, "").key)
            is_own = not chosen.keys().isdisjoint(finding["key"].split())
            finding["undo"] = edit if edit in chosen and not is_own else finding["key"]
            finding["is_edited"] = edit in chosen and not is_own
            finding["is_chosen"] = is_own or finding["is_edited"]
            if finding["is_edited"] and (number := chosen[edit].line) in texts:
                # The line as it was edited, not the fix that the portal offered.
                difference = line_difference(read.lines[number - 1], texts[number])
                finding |= {"shift": None, "changes": [(number, difference)]}
            finding["is_solved"] = all(
                _named(one) in solved for one in (finding, *finding.get("same_problem", ()))
            )
            if group.layout == "people":
                add_person(finding, people.get(line, ()), shown.get(chosen_ids.get(line) or 0))
                if group.is_of_another_person and "person" in finding:
                    _add_owner(finding, shown.get(finding["person"].fide_id))
                if line == search.line:
                    finding |= {"is_asked": True, "words": search.words}
                    finding["found"] = found if search.words.strip() else None
            elif group.layout == "games":
                decided = chosen.get(finding["key"])
                finding["decided"] = decided.result if isinstance(decided, Result) else ""
            else:
                finding["certain"] = is_certain
    return with_fixes(marked, read, texts) if changes else marked


def _solved(
    report: Draft, read: ReadReport, changes: Sequence[ChangedLine], *, on: date, lookups: Lookups
) -> set[tuple[Any, ...]]:
    """Return which findings of a version its draft solves: those that a check of the report with it has no more.

    One with other values, or in another column of the line, is the same one.
    """
    if not changes:
        return set()
    checked = check_contents(
        read_report(changed_content(report, read, changes)),
        report.tournament,
        on=on,
        lookups=lookups,
        pgn=stored_bytes(report.pgn) if report.pgn_sha256 else None,
        is_arbiters=isinstance(report, HandedReport),
    )
    texts = {change.line: change.new for change in changes}
    # A line may become several, or none.
    kept = [number for number in range(1, len(read.lines) + 1) if texts.get(number) != ""]
    former = [number for number in kept for _text in texts.get(number, "").split("\n")]
    left = defaultdict[Any, list[Any]](list)
    for one in checked.findings_as_json():
        named = _named(one | {"line": former[one["line"] - 1] if one["line"] else None})
        left[named[:2]].append(named)
    found = defaultdict[Any, list[Any]](list)
    for named in map(_named, report.findings):
        found[named[:2]].append(named)
    solved = set()
    for place, some in found.items():
        others = [named for named in some if named not in left[place]]
        solved.update(others[max(0, len(left[place]) - len(some) + len(others)) :])
    return solved


def _edits(finding: Mapping[str, Any]) -> list[str]:
    """Return the keys of edits that are of a finding: of its line, and of both lines of a game."""
    game = finding.get("game")
    lines = {game.white.line, game.black.line} if game else set()
    return [Line(line, "").key for line in (finding["line"], *(lines - {finding["line"]}))]


def _named(finding: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what makes a finding one of its own: code and line, then column and values."""
    values = sorted((finding.get("params") or {}).items())
    return finding["code"], finding["line"], finding["column"], tuple(values)


def _offered(group: FindingGroup, finding: dict[str, Any], read: ReadReport) -> Amendment | None:
    """Return what can be chosen for a finding: by its key, as who a line is and how a game ended is still open."""
    line = finding["line"]
    if group.layout == "people":
        return Identity(line)
    if group.layout == "games" and "game" in finding:
        pairing = finding["game"].pairing
        return Result(pairing.round, pairing.white, "")
    if group.code == JOINABLE:
        # Each costs a look at all players.
        if "number" not in finding:
            return None
        first_line = int(finding["params"]["first_line"])
        return Joined(line, first_line) if joined_lines(read, first_line, line) else None
    return None


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


def add_person(
    finding: dict[str, Any], candidates: Sequence[Candidate], chosen: Player | None = None
) -> None:
    """Say who may be on a line: the best candidate, the others, and the one that is chosen."""
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
    findings: Sequence[Mapping[str, Any]],
    read: ReadReport,
    *,
    own: str,
    on: date,
    players: KnownPlayers | None = None,
) -> Mapping[int, Sequence[Candidate]]:
    """Return who the players without an own FIDE ID may be, best first, by line; no query where there are none.

    `own` is the federation of the officer, empty for everybody. `players` are those that were read already.
    """
    if not any(finding["code"] in ABOUT_PEOPLE for finding in findings):
        return {}
    # By starting number: of two lines with one number both are looked for.
    read = with_right_numbers(read)
    lines = {record.number: record.line for record in read.players}
    checked = CheckedReport(read, (), people_of(read, players or KnownPlayers()).players)
    of_another = {one["line"] for one in findings if one["code"] in OF_ANOTHER_PERSON}
    found = suggestions(checked, own=own, on=on, of_another=of_another)
    # The first one is offered as the best; the sort keeps the order of the others.
    return {
        lines[number]: sorted(candidates, key=lambda item: not item.is_sure)
        for number, candidates in found.items()
    }


def certain_amendments(report: Draft, read: ReadReport, code: str, *, on: date) -> list[Amendment]:
    """Return all that is certain for findings of a code, or all: fixes, and players of lines not chosen otherwise."""
    findings = [finding for finding in report.findings if is_meant(finding, code)]
    # "Use all" must not overwrite what the officer decided line by line.
    by_hand = {one.line for one in report.amendments if isinstance(one, Line)}
    settled = by_hand | {one.line for one in report.amendments if isinstance(one, Identity)}
    lines = {finding["line"] for finding in findings if finding["code"] in ABOUT_PEOPLE} - settled
    own = _federation_code(report)
    people = people_found(report.findings, read, own=own, on=on) if lines else {}
    sure = [(line, some[0].player) for line, some in people.items() if line in lines and some[0].is_sure]
    players = [Identity(line, player.fide_id) for line, player in sure]
    fixes = [
        (one, fix) for one in findings if one["line"] not in by_hand for fix in offered_fixes(read, [one])
    ]
    return [*players, *(fix for one, fix in fixes if not loses_letters(one, fix))]


# Whom a line of a report may mean: players like it, the surest first.

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
    "number": _l("national number differs"),
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
    are known to be so). Four queries, and one where lines have national numbers.
    `own` is the officer's federation: the years of birth of minors of others are neither shown nor confirmed. Without
    one only the present names count, which everybody may see.
    A candidate for two lines is sure for neither, nor is one of two who fit a line equally.
    """
    doubtful = _doubtful(checked, of_another)
    words = {record.number: words_of(record.name)[:MAX_WORDS] for record in doubtful}
    known = {player.fide_id for player in checked.players.values()}
    # The former ID of a merged player would be a finding of the corrected line again.
    alive = Player.objects.filter(pk__in=_ids(words.values()), merged_into=None, died_on=None)
    players = mask_birth_years([*alive], own=own, on=on)
    found = {player.fide_id: [set(words_of(player.name))] for player in players}
    former = FormerName.objects.filter(player__in=[*found] if own else [])
    for fide_id, name in former.values_list("player", "name"):
        found[fide_id].append(set(words_of(name)))
    by_id = {player.fide_id: player for player in players}
    # By word, so that a line is compared with the few players of its words and not with thousands.
    by_word: dict[str, list[int]] = defaultdict(list)
    for fide_id, names in found.items():
        for word in set().union(*names):
            by_word[word].append(fide_id)
    numbers, candidates = national_numbers(checked.report, own), {}
    held = _held_numbers(own, numbers.values(), by_id) if numbers else {}
    for record in doubtful:
        # Who is on another line of the report already cannot be on this one.
        ids = {fide_id for word in words[record.number] for fide_id in by_word[word]} - known
        # The name, present or former, that is most like the line's.
        own_words = set(words[record.number])
        names_of = {fide_id: max(found[fide_id], key=lambda name: len(name & own_words)) for fide_id in ids}
        some = [_candidate(checked, record, by_id[fide_id], names_of[fide_id]) for fide_id in ids]
        if number := numbers.get(record.number):
            holder = next((fide_id for fide_id, text in held.items() if text == number), None)
            some = [
                replace(item, differs=("number", *item.differs))
                if item.player.fide_id != holder and (holder or held.get(item.player.fide_id))
                else item
                for item in some
            ]
        candidates[record.number] = tuple(sorted(some, key=lambda item: item.order)[:SHOWN])
    return _mark_ambiguous({number: some for number, some in candidates.items() if some})


def _held_numbers(code: str, numbers: Iterable[str], players: Collection[int]) -> dict[int, str]:
    """Return the national numbers of players, and who has some numbers."""
    rows = Membership.objects.present().filter(federation=code).exclude(number="")
    return dict(rows.filter(Q(player__in=players) | Q(number__in=[*numbers])).values_list("player", "number"))


def _mark_ambiguous(candidates: Mapping[int, tuple[Candidate, ...]]) -> dict[int, tuple[Candidate, ...]]:
    """Return candidates of which those are no longer sure who are not the only one."""
    lines = Counter(item.player.fide_id for some in candidates.values() for item in some if item.is_sure)
    unique = {}
    for number, some in candidates.items():
        # A fix of two equal players, or of one player for two lines, would be a guess.
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
        # Without an order the database may stop at the limit instead of sorting every row.
        .order_by()
        .values_list("player_id", flat=True)[:LOOKED_AT]
    )
    holders: dict[str, list[int]] = defaultdict(list)
    rows = NameWord.objects.filter(word__in=longest).order_by().values_list("word", "player_id")
    for word, player_id in rows[:LOOKED_AT]:
        holders[word].append(player_id)
    # A rare word finds the player alone, as where the given name is misspelled.
    return ids.union(*(some for some in holders.values() if len(some) <= NARROW))


def _candidate(
    checked: CheckedReport, record: PlayerRecord, player: Player, names: Collection[str]
) -> Candidate:
    return Candidate(
        player=player,
        common_words=len(set(words_of(record.name)) & set(names)),
        is_same_year=record.birth_year is not None and record.birth_year == player.birth_year,
        is_same_federation=record.federation == player.federation_id,
        fix=with_field(checked.report, record, "fide_id", str(player.fide_id)),
        differs=tuple(find_differences(record, player, names)),
    )


def find_differences(record: PlayerRecord, player: Player, names: Collection[str]) -> Iterator[str]:
    """Yield the differences and missing facts between a line and a player, the most important first."""
    words = set(words_of(record.name))
    # As sets: programs put the surname first or last.
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
