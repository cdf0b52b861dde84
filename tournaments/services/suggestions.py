"""Who a player without a FIDE ID, or with a wrong one, may be: by name, year of birth and federation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from players.models import NameWord, Player
from players.spelling import words_of
from tournaments.services.checking import CheckedReport
from tournaments.services.checks.people import ID_COLUMN, ID_WIDTH, is_another
from tournaments.trf import PlayerRecord
from tournaments.trf.report import with_field

# So many lines are looked up, with so many words each, and so many players looked at for all of them.
MOST_LINES = 200
MOST_WORDS = 5
LOOKED_AT = 4_000
# A word that more players have than this tells nothing on its own.
NARROW = 20
SHOWN = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """A player that a line may be of: what agrees with it, and the line with the player's FIDE ID, where certain."""

    player: Player
    common_words: int
    is_same_year: bool
    is_same_federation: bool
    fix: str | None

    @property
    def order(self) -> tuple[int, bool, bool, int]:
        """The best candidate has the least: words in common, then the year, then the federation."""
        return (
            -self.common_words,
            not self.is_same_year,
            not self.is_same_federation,
            self.player.fide_id,
        )


def suggestions(checked: CheckedReport) -> dict[int, tuple[Candidate, ...]]:
    """Return the candidates, best first, for the lines of a report whose player is not known, by starting rank.

    These are lines without a FIDE ID, with one that is not registered, and with that of another person. Three queries.
    """
    doubtful = _doubtful(checked)
    words = {record.number: words_of(record.name)[:MOST_WORDS] for record in doubtful}
    known = {player.fide_id for player in checked.players.values()}
    players = Player.objects.filter(pk__in=_ids(words.values()), merged_into=None, died_on=None)
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
    return {number: some for number, some in candidates.items() if some}


def _doubtful(checked: CheckedReport) -> list[PlayerRecord]:
    known: Mapping[int, Player] = checked.players
    return [
        record
        for record in checked.report.players
        if record.name and (record.number not in known or is_another(record, known[record.number]))
    ][:MOST_LINES]


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
    )
