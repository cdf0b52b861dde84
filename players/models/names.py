"""Former names of players, and the words of all their names, by which they are found."""

from __future__ import annotations

from django.db import models

from core.models import CodePointCharField
from players.models.player import Player


class FormerName(models.Model):
    """What a player was called before, as after a marriage: reports and searches go on using it. No page shows it."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="former_names", db_index=False)
    name = CodePointCharField(max_length=100)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "name"], name="one_row_a_former_name")]

    def __str__(self) -> str:
        return str(self.name)


class NameWord(models.Model):
    """One word of a player's present or former name without accents and case, for searching in any order."""

    # The index of player and word below serves the foreign key too.
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="name_words", db_index=False)
    word = CodePointCharField(max_length=60)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["word", "player"], name="one_row_a_name_word")]
        # Player searches look for words: only the index is read.
        indexes = [models.Index(fields=["player", "word"], name="words_of_a_player")]

    def __str__(self) -> str:
        return str(self.word)


class NameSound(models.Model):
    """How a word sounds that some name has, once a word: for searching by ear and past a slip of typing."""

    word = CodePointCharField(max_length=60)
    sound = CodePointCharField(max_length=12)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["word"], name="one_sound_a_word")]
        indexes = [models.Index(fields=["sound", "word"], name="words_by_sound")]

    def __str__(self) -> str:
        return f"{self.word}: {self.sound}"
