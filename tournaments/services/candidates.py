"""Whom a line of a report may mean: players like it, the surest first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from django.utils.translation import gettext_lazy as _l

from players.models import FormerName, NameWord, Player
from players.queries.minors import mask_birth_years
from players.spelling import words_of
from tournaments.services.checking import CheckedReport
from tournaments.services.checks.people import ID_COLUMN, ID_WIDTH
from tournaments.trf import PlayerRecord
from tournaments.trf.findings import OF_ANOTHER_PERSON
from tournaments.trf.report import with_field

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
    are known to be so). Four queries.
    `own` is the officer's federation: the years of birth of minors of others are neither shown nor confirmed.
    A candidate for two lines is sure for neither, nor is one of two who fit a line equally.
    """
    doubtful = _doubtful(checked, of_another)
    words = {record.number: words_of(record.name)[:MAX_WORDS] for record in doubtful}
    known = {player.fide_id for player in checked.players.values()}
    # The former ID of a merged player would be a finding of the corrected line again.
    alive = Player.objects.filter(pk__in=_ids(words.values()), merged_into=None, died_on=None)
    players = mask_birth_years([*alive], own=own, on=on)
    found = {player.fide_id: [set(words_of(player.name))] for player in players}
    for fide_id, name in FormerName.objects.filter(player__in=list(found)).values_list("player", "name"):
        found[fide_id].append(set(words_of(name)))
    by_id = {player.fide_id: player for player in players}
    # By word, so that a line is compared with the few players of its words and not with thousands.
    by_word: dict[str, list[int]] = defaultdict(list)
    for fide_id, names in found.items():
        for word in set().union(*names):
            by_word[word].append(fide_id)
    candidates = {}
    for record in doubtful:
        # Who is on another line of the report already cannot be on this one.
        ids = {fide_id for word in words[record.number] for fide_id in by_word[word]} - known
        # The name, present or former, that is most like the line's.
        own_words = set(words[record.number])
        names_of = {fide_id: max(found[fide_id], key=lambda name: len(name & own_words)) for fide_id in ids}
        some = [_candidate(checked, record, by_id[fide_id], names_of[fide_id]) for fide_id in ids]
        candidates[record.number] = tuple(sorted(some, key=lambda item: item.order)[:SHOWN])
    return _mark_ambiguous({number: some for number, some in candidates.items() if some})


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
        fix=with_field(checked.report, record, ID_COLUMN, f"{player.fide_id:>{ID_WIDTH}}"),
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
