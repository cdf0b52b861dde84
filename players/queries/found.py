"""Players found by the beginnings of their names' words in any order, without accents, or by FIDE ID."""

from __future__ import annotations

from django.db.models import QuerySet

from players.models import NameWord, Player
from players.text import words_of

HIGHEST_ID = 2_147_483_647
# After every letter: a range serves an index on every database where LIKE does not.
BEYOND = "\U0010ffff"


def players_found(players: QuerySet[Player], text: str) -> QuerySet[Player]:
    """Return those of the players whom a text names; a text without a word names nobody."""
    if text.strip().isdecimal():
        number = int(text)
        return players.filter(pk=number) if number <= HIGHEST_ID else players.none()
    words = words_of(text)
    if not words:
        return players.none()
    for word in words:
        named = NameWord.objects.filter(word__gte=word, word__lt=word + BEYOND)
        players = players.filter(pk__in=named.values("player"))
    return players
