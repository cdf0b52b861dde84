"""The match score of two players, and the possible duplicates of a new one.

Candidates are players with the same words in the name, worldwide, and those of the federation born in the same year,
so that the work is limited for any number of players. The score is a whole number from 0 to 100:
up to 60 for the name, up to 40 for the birth date.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import combinations
from operator import itemgetter
from typing import Any

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.sql import ids_subquery, texts_subquery
from players.minors import NOBODY, UNKNOWN, Birth, Minors, birth_of, minors_on, shown_birth
from players.models import NameWord, Player
from players.names import find_ids
from players.permissions import federations_of, is_staff
from players.spelling import in_latin_letters, skeleton, words_of

SAME_NAME, LIKE_NAME, PART_OF_NAME = 60, 45, 30
SAME_DATE, SAME_YEAR, NEAR_DATE = 40, 20, 25
# From here on the officer confirms that it is another person; from there on FIDE staff decide.
WARNING, NEEDS_STAFF = 50, 80
SHOWN = 20
MAX_COMPARED = 20_000
# Sounds that are spelled in several ways in the alphabets that players' names come from.
# Longer ones come before those that they contain.
SOUNDS = (
    ("tsch", "c"),
    ("tch", "c"),
    ("sch", "s"),
    ("shch", "s"),
    ("dzh", "j"),
    ("sh", "s"),
    ("ch", "c"),
    ("cz", "c"),
    ("sz", "s"),
    ("zh", "s"),
    ("kh", "h"),
    ("ph", "f"),
    ("th", "t"),
    ("gh", "g"),
    ("ck", "k"),
    ("ks", "x"),
    ("ou", "u"),
    ("oe", "o"),
    ("ue", "u"),
    ("ae", "a"),
    ("qu", "k"),
)
LETTERS = str.maketrans({"y": "i", "j": "i", "w": "v", "q": "k", "z": "s", "c": "k", "d": "t", "b": "p"})
DOUBLE = re.compile(r"(.)\1+")


@dataclass(frozen=True, slots=True)
class DuplicateMatch:
    """A player who may be the same person, with the score and its reasons."""

    player: Player
    score: int
    reasons: tuple[str | Promise, ...]
    born: Birth = UNKNOWN


@dataclass(frozen=True, slots=True)
class View:
    """Who sees full birth dates: of the players of these federations, of all players if None.

    Of other players only public data are seen: the year, or a minor's age band. Registering namesakes with one birth
    date after the other reveals no more than that (age-bands.md).
    """

    codes: frozenset[str] | None = None
    minors: Minors = NOBODY

    def is_whole(self, player: Player) -> bool:
        """Return whether the birth date of a player is visible."""
        return self.codes is None or player.federation_id in self.codes


EVERYTHING = View()


def view_of(user: Any, *, on: date) -> View:
    """Return what a person sees of births on a day: staff all, officers that of their federations."""
    return EVERYTHING if is_staff(user) else View(federations_of(user), minors_on(on))


@lru_cache(maxsize=50_000)
def rough_sound(word: str) -> str:
    """Return how a folded word sounds, roughly: `yusupov` and `jussupow` give the same."""
    for spelling, sound in SOUNDS:
        word = word.replace(spelling, sound)
    word = DOUBLE.sub(r"\1", word.translate(LETTERS))
    return word[:1] + re.sub("[aeiouh]", "", word[1:])


def compare_player(name: str, birth_date: date, player: Player, view: View = EVERYTHING) -> DuplicateMatch:
    """Return how like a known player is to a person of this name and birth date, as far as the view shows it."""
    known = str(player.name)
    by_name, name_reason = _name_score(words_of(name), words_of(known))
    if by_name < SAME_NAME and not (name.isascii() and known.isascii()):
        # In another alphabet the same name has other letters.
        in_latin = _name_score(words_of(in_latin_letters(name)), words_of(in_latin_letters(known)))
        by_name, name_reason = max((by_name, name_reason), in_latin, key=itemgetter(0))
    if by_name < SAME_NAME and skeleton(name) == skeleton(known):
        by_name, name_reason = SAME_NAME, _("a name that looks the same")
    is_whole = view.is_whole(player)
    born = Birth(year=player.birth_year) if is_whole else birth_of(player, view.minors)
    by_birth, birth_reason = (
        _birth_score(birth_date, player) if is_whole else _shown_score(birth_date, player, born, view.minors)
    )
    # A date of birth alone says nothing: thousands of players share each.
    score = by_name + by_birth if by_name else 0
    reasons = tuple(reason for reason in (name_reason, birth_reason) if reason)
    return DuplicateMatch(player, score, reasons, born)


def find_possible_duplicates(
    name: str, *, birth_date: date, federation_code: str, view: View
) -> list[DuplicateMatch]:
    """Return who may be the same person, most alike first; scores below `WARNING` are left out."""
    ids, _more = find_ids(" ".join(words_of(name)))
    by_words = Player.objects.filter(merged_into=None, pk__in=ids) if ids else ()
    everybody = {player.pk: player for player in (*by_words, *_born_in(federation_code, birth_date.year))}
    found = (compare_player(name, birth_date, player, view) for player in everybody.values())
    alike = [one for one in found if one.score >= WARNING]
    return sorted(alike, key=lambda one: (-one.score, one.player.pk))[:SHOWN]


def _born_in(federation_code: str, year: int | None) -> QuerySet[Player]:
    return Player.objects.filter(merged_into=None, federation=federation_code, birth_year=year)[:MAX_COMPARED]


class Cohort:
    """The players of a federation who were born in a year, read once to compare many new ones with them."""

    def __init__(self, federation_code: str, year: int | None) -> None:
        self._players: defaultdict[str, list[Player]] = defaultdict(list)
        for player in _born_in(federation_code, year) if year else ():
            self.add(player)

    def add(self, player: Player) -> None:
        for key in _keys_of(player.name):
            self._players[key].append(player)

    def named(self, name: str) -> list[Player]:
        """Return the players whose names have the same words."""
        return self._players.get(words_key(name), [])

    def alike(self, name: str) -> list[Player]:
        """Return the players whose names sound alike, or have two words that do."""
        return [player for key in _keys_of(name) for player in self._players.get(key, ())]


@lru_cache(maxsize=50_000)
def words_key(name: str) -> str:
    """Return what names of the same words have in common."""
    return " ".join(sorted(words_of(name)))


@lru_cache(maxsize=1_000)
def _keys_of(name: str) -> frozenset[str]:
    """Return what two names have in common that `_name_score` finds alike."""
    words = words_of(name)
    latin = words if name.isascii() else [*words, *words_of(in_latin_letters(name))]
    sounds = sorted({*map(rough_sound, latin)})
    # Written together or apart, sounding alike as a whole, or in part.
    whole = {words_key(name), f"={''.join(sorted(words))}", f"={' '.join(sounds)}"}
    return frozenset(whole | {f"{one}+{other}" for one, other in combinations(sounds, 2)})


def find_namesakes(names: Collection[str]) -> dict[str, list[Player]]:
    """Return the players of any federation who have the two longest words of a name; three queries for many."""
    wanted = defaultdict[tuple[str, str], list[str]](list)
    for name in names:
        if len(own := sorted(words_of(name), key=len)) > 1:
            wanted[own[-1], own[-2]].append(name)
    first, second = ({pair[place] for pair in wanted} for place in (0, 1))
    # In two steps: with common words the database would begin with the wrong one.
    longest = (
        NameWord.objects.filter(word__in=texts_subquery(first)).order_by().values_list("player_id", "word")
    )
    words = defaultdict[int, list[str]](list)
    for player_id, word in longest:
        words[player_id].append(word)
    others = NameWord.objects.filter(
        word__in=texts_subquery(second), player__in=ids_subquery(words)
    ).order_by()
    found = [
        (player_id, wanted[word, other])
        for player_id, other in others.values_list("player_id", "word")
        for word in words[player_id]
        if (word, other) in wanted
    ]
    standing = Player.objects.filter(merged_into=None, pk__in=ids_subquery({key for key, _names in found}))
    players = {player.pk: player for player in standing}
    namesakes = defaultdict[str, list[Player]](list)
    for player_id, of_pair in found:
        for name in of_pair if player_id in players else ():
            namesakes[name].append(players[player_id])
    return namesakes


def _name_score(mine: list[str], theirs: list[str]) -> tuple[int, str | Promise]:
    if not mine or not theirs:
        return 0, ""
    # A surname may be written together or apart: Alsayed, Al Sayed.
    if sorted(mine) == sorted(theirs) or "".join(sorted(mine)) == "".join(sorted(theirs)):
        return SAME_NAME, _("the same name")
    if sorted(map(rough_sound, mine)) == sorted(map(rough_sound, theirs)):
        return LIKE_NAME, _("a name that sounds alike")
    fewer, more = sorted((set(map(rough_sound, mine)), set(map(rough_sound, theirs))), key=len)
    # A single word, such as a given name, is in thousands of names.
    if len(fewer) > 1 and fewer <= more:
        return PART_OF_NAME, _("a part of the name")
    return 0, ""


def _shown_score(birth_date: date, player: Player, born: Birth, minors: Minors) -> tuple[int, str | Promise]:
    if not born or shown_birth(birth_date.year, player.federation_id, minors, player.pk) != born:
        return 0, ""
    return SAME_YEAR, _("the same age group") if born.band else _("the same year of birth")


def _birth_score(birth_date: date, player: Player) -> tuple[int, str | Promise]:
    known = player.birth_date
    if known is None:
        return (SAME_YEAR, _("the same year of birth")) if player.birth_year == birth_date.year else (0, "")
    if known == birth_date:
        return SAME_DATE, _("the same date of birth")
    # Countries write day and month in a different order, and a slip changes one of the parts.
    swapped = (known.year, known.day, known.month) == (birth_date.year, birth_date.month, birth_date.day)
    parts = zip(known.timetuple()[:3], birth_date.timetuple()[:3], strict=True)
    if swapped or sum(one == other for one, other in parts) == 2:
        return NEAR_DATE, _("almost the same date of birth")
    return 0, ""
