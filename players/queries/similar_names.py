"""Players by names that sound alike or differ by a typing error."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When

from players.models import NameSound, NameWord
from players.person_names import PARTICLES
from players.queries.names import LAST_LETTER, MAX_EXAMINED, MAX_SIMILAR, TITLES, with_all_words
from players.spelling import edit_distance, in_latin_letters, one_edit_variants, sound_of, words_of

# A shorter word is a slip away from too many others.
MIN_EDITED_LETTERS = 4
MAX_EDITS = 4
MAX_KNOWN = 5_000
MAX_SIMILAR_WORDS = 4


def find_similar_names(text: str) -> dict[int, int]:
    """Return players with names like a text, at most `MAX_FOUND`, each with how many slips its words are away."""
    words = words_of(in_latin_letters(text))
    words = [word for word in words if word not in TITLES] or words
    # Particles are spelled in many ways: `el Sayed` is Al-Sayed, and `van den Berg` may be Van der Berg.
    own = [word for word in words if word not in PARTICLES]
    return _find_similar(words) or (_find_similar(own) if own and own != words else {})


def _find_similar(words: Sequence[str]) -> dict[int, int]:
    alike = similar_words(sorted(words, key=len, reverse=True)[:MAX_SIMILAR_WORDS])
    if not alike or not all(alike.values()):
        return {}
    first, *others = (_at_distances(distances) for distances in alike.values())
    of_words = [first.order_by("word", "player_id")[:MAX_EXAMINED], *others]
    together = " + ".join(f"word{place}.distance" for place in range(len(of_words)))
    return dict(with_all_words(of_words, order=together))


def _at_distances(distances: Mapping[str, int]) -> QuerySet[NameWord, Any]:
    """Return the players with one of these words, with its distance."""
    at_distance = defaultdict[int, list[str]](list)
    for word, distance in distances.items():
        at_distance[distance].append(word)
    cases = (When(word__in=words, then=Value(distance)) for distance, words in at_distance.items())
    rows = NameWord.objects.filter(word__in=list(distances)).order_by()
    return rows.annotate(distance=Case(*cases, output_field=IntegerField())).values_list(
        "player_id", "distance"
    )


def similar_words(words: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return for each word the words of names like it, at most `MAX_SIMILAR`, each with its distance in slips.

    Like it are those that sound the same, are one slip away or, at no distance, begin with it. One query.
    """
    conditions = [_is_like(word) for word in words]
    if not conditions:
        return {}
    rows = NameSound.objects.filter(reduce(or_, conditions)).order_by("word")
    known = list(rows.values_list("word", "sound")[:MAX_KNOWN])
    return {word: _nearest(word, known) for word in words}


def _is_like(word: str) -> Q:
    condition = Q(word=word)
    if len(word) >= MIN_EDITED_LETTERS:
        condition |= Q(word__in=set(one_edit_variants(word))) | Q(word__gte=word, word__lt=word + LAST_LETTER)
    sound = sound_of(word)
    return condition | Q(sound=sound) if sound else condition


def _nearest(word: str, known: Iterable[tuple[str, str]]) -> dict[str, int]:
    sound, letters = sound_of(word), len(word)
    found: dict[str, int] = {}
    for other, other_sound in known:
        if other == word or (letters >= MIN_EDITED_LETTERS and other.startswith(word)):
            found[other] = 0
        elif abs(len(other) - letters) <= MAX_EDITS and (
            letters >= MIN_EDITED_LETTERS or other_sound == sound
        ):
            distance = edit_distance(word, other)
            if distance == 1 or (sound and other_sound == sound and distance <= MAX_EDITS):
                found[other] = distance
    nearest = sorted(found.items(), key=lambda item: (item[1], len(item[0]), item[0]))
    return dict(nearest[:MAX_SIMILAR])
