"""A federation's register: who its rows are, what becomes of each, and writing it.

A row is of the player with its FIDE ID, else with its national number, else of the one player of the federation who has
the name and the birth. Whoever is only like a known player is doubtful: nothing is done for such a row.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from core.acts import Act, carrying_out
from core.bulk import batched, gc_disabled, update_rows, write_rows
from core.errors import refused
from core.sql import Among, ids_subquery
from core.web.sheet_reader import SheetError
from core.web.tables import TableRow, open_table
from players.choices import Area, CaseState, Deed
from players.likeness import (
    EVERYTHING,
    NEEDS_STAFF,
    SAME_NAME,
    WARNING,
    Cohort,
    DuplicateMatch,
    compare_player,
    find_namesakes,
    view_of,
    words_key,
)
from players.members import end_left_memberships
from players.models import Application, Federation, FormerName, Membership, Player, RegisterColumns
from players.models.log import log_written, record_act
from players.name_doubts import doubt_about
from players.permissions import refuse_strangers
from players.person_names import Likeness, compare_names, split_name
from players.register_file import (
    SENTENCES,
    Columns,
    Problem,
    RegisterRow,
    columns_of,
    missing_columns,
    problem_of,
    read_row,
)
from players.registration import (
    NewPlayer,
    create_id_application,
    create_players,
    player_registered,
)
from players.spelling import words_of

BATCH = 50_000
# So many rows are named that were left out, and so many with what changes.
MAX_NAMED, MAX_CHANGES = 10_000, 50
# For so many new players of one file staff are asked.
MAX_ASKED = 200
# From so many years on another year of birth is no slip (D-118).
YEARS_APART = 2
MEMBER_FIELDS = ("federation", "player", "number", "club", "district", "since")
COUNTS = ("rows", "created", "changed", "equal", "asked", "doubtful_count", "wrong_count")


@dataclass(slots=True)
class RegisterResult:
    """What becomes of a register: its rows by outcome. `doubtful` and `wrong` name those left out, with the reason.

    `left` are these rows as the file has them.
    `asked` are new players for whose FIDE IDs FIDE staff are asked, `applications` are these with whom they are like.
    """

    columns: Columns
    rows: int = 0
    created: int = 0
    changed: int = 0
    equal: int = 0
    asked: int = 0
    doubtful_count: int = 0
    wrong_count: int = 0
    doubtful: list[dict[str, Any]] = field(default_factory=list)
    wrong: list[Problem] = field(default_factory=list)
    changes: list[dict[str, Any]] = field(default_factory=list)
    applications: list[dict[str, Any]] = field(default_factory=list)
    left: list[TableRow] = field(default_factory=list)

    def summary(self) -> dict[str, Any]:
        """Return the result as plain values, as it is stored and printed."""
        names = (*COUNTS, "doubtful", "wrong", "changes", "applications")
        return {"columns": self.columns.mapping()} | {name: getattr(self, name) for name in names}

    def add_wrong(self, problems: Sequence[Problem]) -> None:
        self.wrong_count += 1
        self.wrong += problems[: MAX_NAMED - len(self.wrong)]

    def add_doubtful(self, row: RegisterRow, doubt: Doubt) -> None:
        self.doubtful_count += 1
        if len(self.doubtful) < MAX_NAMED:
            item = {"line": row.line, "name": row.name, "why": doubt.items, "candidates": doubt.candidates}
            self.doubtful.append(item)

    def add_change(
        self, line: int, player: Player, before: Sequence[str] | None, after: Sequence[str]
    ) -> None:
        """Add what changes of a player; before is None for a new one."""
        if len(self.changes) < MAX_CHANGES:
            texts = {
                "before": None if before is None else " · ".join(filter(None, before)),
                "after": " · ".join(filter(None, after)),
            }
            self.changes.append({"line": line, "fide_id": player.pk, "name": player.name, **texts})


class Doubt:
    """Why it is not certain who a row is, and the FIDE IDs of those whom it may be."""

    def __init__(self, code: str, candidates: Iterable[Player] = (), **facts: Any) -> None:
        self.items = SENTENCES.say(code, **facts).items
        self.candidates = [player.pk for player in candidates if player.pk > 0]


# Who a row is: a known player, a new one without a FIDE ID yet, or nobody, because of a doubt or what the row lacks;
# None for a new player for whose FIDE ID staff are asked.
Who = Player | Doubt | list[Problem] | None


def import_register(
    path: Path,
    federation: Federation,
    *,
    act: Act,
    by_name: str = "",
    columns: Mapping[str, str] | None = None,
    is_name_right: bool = False,
    is_dry_run: bool = False,
    report: Callable[[int, int], None] | None = None,
    dispatch: Any = None,
) -> RegisterResult:
    """Bring the register of a federation in, and return what becomes of its rows; the same file again changes nothing.

    `columns` are given by their heads or numbers, else they are those of the last file, else as they look; they are
    kept for the next one. `is_name_right` where names that look wrong were confirmed. A dry run does everything and
    writes nothing. `RefusedError` for a file that is no table, or has no column of names.
    """
    # Commands have no user.
    if act.by is not None:
        refuse_strangers(act.by, federation.code)
    kept = kept_columns(federation) if columns is None else columns
    try:
        with open_table(path) as rows, carrying_out(is_dry_run=is_dry_run), gc_disabled():
            # Two registers of one federation at once: the second sees what the first did.
            Federation.objects.select_for_update(no_key=True).get(pk=federation.pk)
            found = columns_of(rows(), kept=kept, today=act.on, is_given=bool(columns))
            if columns and not found.are(columns):
                missing = ", ".join(missing_columns(rows(), columns) or columns)
                message = _(
                    "The file does not have these columns, or has them several times: %(columns)s. Enter other "
                    "headings, or the numbers of the columns."
                )
                raise refused("no-columns", message % {"columns": missing}, "columns")
            if not {"name", "surname"} & {*found.fields.values()}:
                message = _("No column of names is known. Select the columns of the file.")
                raise refused("no-columns", message, "columns")
            RegisterColumns.objects.update_or_create(
                federation=federation, defaults={"columns": found.mapping()}
            )
            job = _Job(federation, found, act, is_name_right=is_name_right)
            job.look_ahead(rows())
            for some in batched(job.read(rows()), BATCH):
                job.do(some)
                if report:
                    report(job.result.rows, job.total)
            job.note_left_out(rows())
            _finish(job.result, path, federation, act=act, by_name=by_name, dispatch=dispatch)
    except SheetError as error:
        raise refused("no-table", str(error), "file") from error
    return job.result


def kept_columns(federation: Federation) -> dict[str, str]:
    """Return the columns of the last register of a federation."""
    kept = RegisterColumns.objects.filter(federation=federation).first()
    return kept.columns if kept else {}


def _finish(
    result: RegisterResult, path: Path, federation: Federation, *, act: Act, by_name: str, dispatch: Any
) -> None:
    if result.created:
        # Reports may have named the new FIDE IDs (D-139).
        player_registered.send(Player, player=None, at=act.at, dispatch=dispatch)
    if result.created or result.changed or result.asked:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        counts = {name: getattr(result, name) for name in COUNTS[1:5]}
        record_act(
            Area.FEDERATION,
            Deed.REGISTER,
            str(federation),
            by=act.by,
            by_name=by_name,
            at=act.at,
            federation=federation,
            after=f"{path.name}, SHA-256 {digest}",
            changes=[
                {"field": name, "before": None, "after": number} for name, number in counts.items() if number
            ],
        )


class _Job:
    """One file on its way in."""

    def __init__(self, federation: Federation, columns: Columns, act: Act, *, is_name_right: bool) -> None:
        self.federation, self.columns, self.act = federation, columns, act
        self.is_name_right = is_name_right
        self.view = EVERYTHING if act.by is None else view_of(act.by, on=act.at.date())
        self.result = RegisterResult(columns)
        self.total = self.twins = 0
        # FIDE IDs in the file, and hashes of what several rows have.
        self.ids: set[int] = set()
        self.repeated: set[int] = set()
        # The line of each player whom a row is.
        self.lines: dict[int, int] = {}
        self.former: Mapping[int, Sequence[str]] = {}
        self.asked = 0

    def read(self, rows: Iterable[TableRow]) -> Iterator[RegisterRow | list[Problem]]:
        """Yield what the rows below the head say; of rows that are the same in every cell the first one counts."""
        seen: set[int] = set()
        for row in rows:
            if row[0] <= self.columns.head:
                continue
            if (key := hash(tuple(row[1]))) in seen:
                self.twins += 1
                continue
            seen.add(key)
            yield read_row(row, self.columns, federation=self.federation.code, today=self.act.on)

    def look_ahead(self, rows: Iterable[TableRow]) -> None:
        """Note what several rows have, before one is written: the first of two is no better than the second."""
        seen: set[int] = set()
        for row in self.read(rows):
            self.total += 1
            if isinstance(row, RegisterRow):
                self.ids.add(row.fide_id or 0)
                for key in {hash(row.number or row), hash(_person_key(row))}:
                    (self.repeated if key in seen else seen).add(key)
        self.total += self.twins
        self.result.rows = self.result.equal = self.twins

    def note_left_out(self, rows: Iterable[TableRow]) -> None:
        """Keep the rows that are left out as the file has them."""
        lines = {item["line"] for item in (*self.result.doubtful, *self.result.wrong)}
        self.result.left = [row for row in rows if row[0] in lines] if lines else []

    def do(self, rows: Sequence[RegisterRow | list[Problem]]) -> None:
        """Find out who some rows are, and write what becomes of them."""
        self.result.rows += len(rows)
        readable = [row for row in rows if isinstance(row, RegisterRow)]
        people = self._people(readable)
        held = self._held(who.pk for who in people.values() if isinstance(who, Player) and who.pk > 0)
        new: list[tuple[RegisterRow, Player]] = []
        known: list[tuple[RegisterRow, Player]] = []
        for row in readable:
            who = people[row.line]
            if isinstance(who, Player) and who.pk > 0 and row.number and not row.fide_id:
                number = held[who.pk].number if who.pk in held else ""
                who = Doubt("other-number", [who]) if number not in ("", row.number) else who
            if isinstance(who, Player):
                (known if who.pk > 0 else new).append((row, who))
            elif isinstance(who, Doubt):
                self.result.add_doubtful(row, who)
            elif isinstance(who, list):
                self.result.add_wrong(who)
            else:
                self.result.asked += 1
        for problems in rows:
            if isinstance(problems, list):
                self.result.add_wrong(problems)
        # Numbers that move are free before others get them.
        moved = {
            held[who.pk].pk
            for row, who in known
            if who.pk in held and row.number and held[who.pk].number not in ("", row.number)
        }
        Membership.objects.filter(pk__in=ids_subquery(moved)).update(number="")
        self._create(new)
        self._update(known, held)

    def _people(self, rows: Sequence[RegisterRow]) -> dict[int, Who]:
        """Return who each row is, by line: first by ID and number, then those of a year of birth together."""
        by_id = self._players({row.fide_id for row in rows if row.fide_id})
        has_number = Among("number", {row.number for row in rows} - {""})
        members = Membership.objects.filter(has_number, federation=self.federation, until=None)
        holders = {member.number: member.player for member in members.select_related("player")}
        self._load_former([*by_id.values(), *holders.values()])
        self._free_of_left(rows, by_id, holders)
        holders = self._standing(rows, by_id, holders)
        found: dict[int, Who] = {}
        left = defaultdict[int | None, list[RegisterRow]](list)
        for row in rows:
            who = self._by_number(row, by_id, holders)
            if who is None:
                left[row.birth_year].append(row)
            else:
                found[row.line] = self._take(row, who) if isinstance(who, Player) else who
        namesakes = find_namesakes({row.name for some in left.values() for row in some})
        for year, some in left.items():
            # One year is in memory at a time, however large the federation.
            cohort = Cohort(self.federation.code, year)
            for row in some:
                found[row.line] = self._by_name(row, cohort, namesakes.get(row.name, ()))
        return found

    def _players(self, ids: Collection[int]) -> dict[int, Player]:
        """Return players by FIDE ID, of a merged one the successor."""
        rows = Player.objects.filter(pk__in=ids_subquery(ids)).select_related("merged_into")
        return {player.pk: player.merged_into or player for player in rows}

    def _load_former(self, players: Iterable[Player]) -> None:
        """Read the former names of some players, in place of those before."""
        rows = FormerName.objects.filter(player__in=ids_subquery({player.pk for player in players}))
        former = defaultdict[int, list[str]](list)
        for player_id, name in rows.values_list("player_id", "name"):
            former[player_id].append(name)
        self.former = former

    def _held(self, players: Iterable[int]) -> dict[int, Membership]:
        rows = Membership.objects.filter(Among("player", players), federation=self.federation, until=None)
        return {row.player_id: row for row in rows}

    def _free_of_left(
        self, rows: Sequence[RegisterRow], by_id: Mapping[int, Player], holders: dict[str, Player]
    ) -> None:
        """Free the numbers of players who have left the federation where rows of other people have them."""
        left = {
            number: player
            for number, player in holders.items()
            if player.federation_id != self.federation.code and hash(number) not in self.repeated
        }
        for row in rows if left else ():
            if (player := left.get(row.number)) is None:
                continue
            is_other = (
                by_id.get(row.fide_id) != player if row.fide_id else self._is_somebody_else(row, player)
            )
            if not is_other:
                del left[row.number]
        for number in left:
            del holders[number]
        end_left_memberships([player.pk for player in left.values()], on=self.act.on)

    def _standing(
        self, rows: Sequence[RegisterRow], by_id: Mapping[int, Player], holders: Mapping[str, Player]
    ) -> dict[str, Player]:
        """Return the holders of numbers without those whom their own rows give other ones, which are free then."""
        own: dict[int, RegisterRow] = {}
        for row in rows:
            if row.fide_id and (player := by_id.get(row.fide_id)):
                own.setdefault(player.pk, row)
        moving: dict[str, str] = {}
        for number, player in holders.items():
            its = own.get(player.pk)
            if its is None or its.number in ("", number):
                continue
            is_first = self.lines.get(player.pk, its.line) == its.line
            if is_first and isinstance(self._by_number(its, by_id, {}), Player):
                moving[its.number] = number
        freed = {*moving.values()}
        standing = {number: player for number, player in holders.items() if number not in freed}
        # Whoever wants a number that stays where it is keeps the own one, which stays too.
        left = [*standing]
        while left:
            if (number := moving.pop(left.pop(), "")) != "":
                standing[number] = holders[number]
                left.append(number)
        return standing

    def _by_number(
        self, row: RegisterRow, by_id: Mapping[int, Player], holders: Mapping[str, Player]
    ) -> Player | Doubt | None:
        """Return the player with the FIDE ID of a row, else with its number; None where it has neither."""
        if row.number and hash(row.number) in self.repeated:
            return Doubt("number-again")
        holder = holders.get(row.number)
        player = by_id.get(row.fide_id) if row.fide_id else holder
        if player is None:
            return Doubt("id-unknown") if row.fide_id else None
        if player.federation_id != self.federation.code:
            return Doubt("other-federation", [player])
        if self._is_somebody_else(row, player):
            return Doubt("id-of-another" if row.fide_id else "number-of-another", [player])
        if holder not in (None, player):
            return Doubt("number-of-another", [holder])
        return player

    def _is_somebody_else(self, row: RegisterRow, player: Player) -> bool:
        """Return whether a row bears the number of somebody of another name or age, as a report's line may (D-118)."""
        if row.birth_year and player.birth_year and abs(row.birth_year - player.birth_year) >= YEARS_APART:
            return True
        names = (player.name, *self.former.get(player.pk, ()))
        return not any(row.name == name or compare_names(row.name, name) == Likeness.SAME for name in names)

    def _take(self, row: RegisterRow, player: Player) -> Player | Doubt:
        line = self.lines.setdefault(player.pk, row.line)
        return player if line == row.line else Doubt("same-player", [player], line=line)

    def _by_name(self, row: RegisterRow, cohort: Cohort, namesakes: Sequence[Player]) -> Who:
        """Return the one player of a name and birth; else whether the person is new, and whom they are like."""
        named = [player for player in cohort.named(row.name) if _may_be(row, player)]
        # In another order the same words are another name: Thomas, Martin is not Martin, Thomas.
        same = [player for player in named if _surname_words(player.name) == _surname_words(row.name)]
        exact = [player for player in same if row.birth_date and player.birth_date == row.birth_date]
        is_once = hash(_person_key(row)) not in self.repeated
        if row.is_new and is_once and self._have_other_numbers(exact, row.number):
            exact = []
        if same := exact or ([] if row.is_new else same):
            if not is_once or len(same) > 1 or same[0].pk < 0 or same[0].pk in self.ids:
                return Doubt("namesakes", same)
            # A year alone says too little, unless the sex agrees.
            is_certain = exact or (row.sex and row.sex == same[0].sex)
            return self._take(row, same[0]) if is_certain else Doubt("alike", same)
        if not row.is_new and (known := [player for player in named if player.pk > 0]):
            return Doubt("alike", known)
        if lacks := [*_lacking(row, is_name_right=self.is_name_right)]:
            return lacks
        new = self._new(row)
        alike = self._alike(new, [*cohort.alike(row.name), *namesakes])
        if row.is_new:
            alike = [one for one in alike if one.score >= NEEDS_STAFF and one.player.pk > 0]
        if not alike:
            # Its line in place of a FIDE ID, until there is one.
            player = new.unregistered(-row.line)
            cohort.add(player)
            return player
        if row.is_new:
            return self._ask_staff(row.line, new, alike[0])
        if (line := -alike[0].player.pk) > 0:
            return Doubt("alike-in-file", line=line)
        return Doubt("alike", [one.player for one in alike])

    def _have_other_numbers(self, players: Sequence[Player], number: str) -> bool:
        """Return whether each of some players has a national number that is not the one of a row."""
        if not number or not players:
            return False
        held = Membership.objects.filter(federation=self.federation, until=None, player__in=players)
        return held.exclude(number__in=("", number)).count() == len(players)

    def _alike(self, new: NewPlayer, players: Iterable[Player]) -> list[DuplicateMatch]:
        """Return who may be the person, most alike first; a namesake of another age is another person."""
        everybody = {player.pk: player for player in players}
        found = (compare_player(new.name, new.birth_date, player, self.view) for player in everybody.values())
        alike = [one for one in found if one.score >= WARNING and (one.score != SAME_NAME or not one.born)]
        return sorted(alike, key=lambda one: (-one.score, -one.player.pk))[:5]

    def _ask_staff(self, line: int, new: NewPlayer, nearest: DuplicateMatch) -> Doubt | None:
        """Apply for a FIDE ID of who is too much like a known player for an officer to decide."""
        # The birth date of a decided application is not kept.
        same = Application.objects.filter(federation=self.federation, name=new.name)
        if same.filter(state=CaseState.WAITING, birth_date=new.birth_date).exists():
            return Doubt("waits-for-staff", [nearest.player])
        if same.filter(state=CaseState.REFUSED).exists():
            return Doubt("refused-by-staff", [nearest.player])
        if self.act.by is None or self.asked >= MAX_ASKED:
            return Doubt("needs-user", [nearest.player])
        self.asked += 1
        made = create_id_application(new, nearest, by=self.act.by, at=self.act.at)
        similar = {"fide_id": nearest.player.pk, "similar": nearest.player.name, "score": nearest.score}
        self.result.applications.append({"line": line, "name": new.name, "number": made.number, **similar})
        return None

    def _new(self, row: RegisterRow) -> NewPlayer:
        """Return the person of a row. One way only in which the name can be meant, as in `KLEIN, Paul`, is taken."""
        doubt = None if self.is_name_right else doubt_about(row.name)
        name = doubt.proposals[0].listed if doubt else row.name
        if row.birth_date is None:
            raise ValueError("a new player has a date of birth")
        number, club, district = _held_after(row, None)
        return NewPlayer(
            name=name,
            federation=self.federation,
            sex=row.sex,
            birth_date=row.birth_date,
            is_name_confirmed=True,
            number=number,
            club=club,
            district=district,
        )

    def _create(self, rows: Sequence[tuple[RegisterRow, Player]]) -> None:
        create_players([player for _row, player in rows], by=self.act.by, at=self.act.at)
        self.result.created += len(rows)
        added = []
        for row, player in rows:
            self.lines[player.pk] = row.line
            held = _held_after(row, None)
            self.result.add_change(row.line, player, None, held)
            if any(held):
                added.append(self._member(player, held))
        self._write([], added)

    def _update(self, rows: Sequence[tuple[RegisterRow, Player]], members: Mapping[int, Membership]) -> None:
        """Write the numbers and clubs that are other ones now; another club has its day."""
        added: list[Membership] = []
        changed: list[tuple[Membership, Membership]] = []
        on = self.act.on
        for row, player in rows:
            old = members.get(player.pk)
            before, after = _held_now(old), _held_after(row, old)
            if before == after:
                self.result.equal += 1
                continue
            self.result.changed += 1
            self.result.add_change(row.line, player, before, after)
            if old and (before[1:] == after[1:] or old.since >= on):
                changed.append((old, self._member(player, after, pk=old.pk, since=old.since)))
                continue
            if old:
                changed.append((old, self._member(player, before, pk=old.pk, since=old.since, until=on)))
            added.append(self._member(player, after))
        self._write(changed, added)

    def _member(self, player: Player, held: tuple[str, str, str], **others: Any) -> Membership:
        number, club, district = held
        values = {"since": self.act.on, "number": number, "club": club, "district": district, **others}
        return Membership(federation_id=self.federation.pk, player_id=player.pk, **values)

    def _write(self, changed: Sequence[tuple[Membership, Membership]], added: Sequence[Membership]) -> None:
        """Write and log memberships: other states of known ones, and new ones."""
        fields = ("id", "number", "club", "district", "until")
        update_rows(Membership, fields, [(new.pk, *_held_now(new), new.until) for _old, new in changed])
        rows = ((row.federation_id, row.player_id, *_held_now(row), row.since) for row in added)
        write_rows(Membership, MEMBER_FIELDS, rows)
        entries = [*changed, *((None, row) for row in added)]
        log_written(entries, by=self.act.by, at=self.act.at)


def _person_key(row: RegisterRow) -> tuple[Any, ...]:
    return (words_key(row.name), row.birth_date or row.birth_year)


def _surname_words(name: str) -> list[str]:
    return sorted(words_of(split_name(name).surname))


def _may_be(row: RegisterRow, player: Player) -> bool:
    """Return whether sex and birth do not tell a row from a player of the name."""
    is_same_sex = not row.sex or not player.sex or row.sex == player.sex
    return is_same_sex and (not row.birth_date or player.birth_date in (None, row.birth_date))


def _lacking(row: RegisterRow, *, is_name_right: bool) -> Iterator[Problem]:
    """Yield what a row needs before its person is registered."""
    if not row.sex:
        yield problem_of(row.line, row.name, "sex-missing", "sex")
    if row.birth_date is None:
        yield problem_of(row.line, row.name, "birth-missing", "birth")
    if not is_name_right and (doubt := doubt_about(row.name)) and len(doubt.proposals) != 1:
        yield problem_of(row.line, row.name, doubt.slip, "name", row.name)


def _held_now(member: Membership | None) -> tuple[str, str, str]:
    return (member.number, member.club, member.district) if member else ("", "", "")


def _held_after(row: RegisterRow, member: Membership | None) -> tuple[str, str, str]:
    """Return number, club and district as a row has them; what it has no column for stays, as a number does."""
    number, club, district = _held_now(member)
    return (
        row.number or number,
        club if row.club is None else row.club,
        district if row.district is None else row.district,
    )
