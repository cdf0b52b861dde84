"""Players by name as one types it: without accents, in any order, each word from its beginning, or by FIDE ID.

The work is bounded however many players there are: a word that few names have is looked up first and the others
are sought among its players; where all words are common, only so many players are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import QuerySet

from players.models import NameWord, Player
from players.text import words_of

MOST_WORDS = 5
# So many players are looked up by a word; more than that make it a common one.
NARROW = 500
LOOKED_AT = 20_000
LARGEST_ID = 2**31 - 1
LAST_LETTER = "\U0010ffff"


def find_ids(text: str) -> tuple[list[int], bool]:
    """Return the FIDE IDs that a text names, at most `NARROW`, and whether there may be more."""
    text = text.strip()
    if text.isdecimal():
        return _by_id(text), False
    return _ids_by_words(sorted(words_of(text)[:MOST_WORDS], key=len, reverse=True))


def _by_id(text: str) -> list[int]:
    if len(text) > len(str(LARGEST_ID)) or int(text) > LARGEST_ID:
        return []
    return list(Player.objects.filter(pk=int(text)).values_list("pk", flat=True))


def _ids_by_words(words: Sequence[str]) -> tuple[list[int], bool]:
    for word in words:
        found = list(_with(word)[: NARROW + 1])
        if len(found) <= NARROW:
            ids = list(dict.fromkeys(found))
            return _having(ids, [other for other in words if other != word]), False
    return _by_common(words) if words else ([], False)


def _with(word: str) -> QuerySet[NameWord, int]:
    """Return the players with a word that begins so, whole words first: the order of the index."""
    rows = NameWord.objects.filter(word__gte=word, word__lt=word + LAST_LETTER)
    return rows.order_by("word", "player_id").values_list("player_id", flat=True)


def _having(ids: list[int], words: Iterable[str]) -> list[int]:
    for word in words:
        found = set(_with(word).filter(player_id__in=ids).order_by())
        ids = [player_id for player_id in ids if player_id in found]
    return ids


def _by_common(words: Sequence[str]) -> tuple[list[int], bool]:
    """All words are common: the first players of each, whole words before longer ones, who have all of them."""
    ids = list(dict.fromkeys(_with(words[0])[: LOOKED_AT if words[1:] else NARROW]))
    for word in words[1:]:
        found = set(_with(word)[:LOOKED_AT])
        ids = [player_id for player_id in ids if player_id in found]
    return ids[:NARROW], True
