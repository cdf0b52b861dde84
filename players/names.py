"""Players by name as one types it: without accents, in any order, each word from its beginning, or by FIDE ID.

The work is bounded however many players there are: a word that few names have is looked up first and the others
are sought among its players; where all words are common, only so many players are looked at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import chain
from operator import or_
from typing import Any

from django.db import connection
from django.db.backends.signals import connection_created
from django.db.models import Case, Func, IntegerField, Q, QuerySet, TextField, Value, When

from core.sql import ids_subquery
from core.text_values import read_number
from players.choices import Title
from players.fide_list.values import MAX_FIDE_ID
from players.models import NameSound, NameWord, Player
from players.person_names import PARTICLES, joined_spellings, parts_of_joined
from players.spelling import edit_distance, fold, in_latin_letters, one_edit_variants, sound_of, words_of

# The Latin letters of Europe and Vietnam; both databases fold these and nothing else, so that they agree.
LETTERS = (range(0x41, 0x5B), range(0xC0, 0x250), range(0x1E00, 0x1F00))
FOLDS = {
    chr(code): plain for letters in LETTERS for code in letters if (plain := fold(chr(code))) != chr(code)
}
SINGLE = {letter: plain for letter, plain in FOLDS.items() if len(plain) == 1}
LONGER = {letter: plain for letter, plain in FOLDS.items() if len(plain) > 1 and plain.isascii()}
# `translate` of PostgreSQL looks for each letter from the first one on: those that stay come first.
FREQUENT = " ,aeinrsolthdmkuvgcyjbpzfwxq.-"
TABLE = str.maketrans(SINGLE | LONGER)


def name_order(name: str) -> tuple[str, str]:
    """Return the sort key of a name: folded, then as it is."""
    return name.translate(TABLE), name


class FoldedName(Func):
    """A name as it is sorted, in the database: `FoldedName("name")`."""

    function = "folded_name"
    arity = 1
    output_field = TextField()

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Replace letters by SQL alone: no function has to be installed."""
        folded_name = "%(expressions)s"
        for letter, plain in LONGER.items():
            folded_name = f"replace({folded_name}, '{letter}', '{plain}')"
        folded_name = (
            f"translate({folded_name}, '{FREQUENT}{''.join(SINGLE)}', '{FREQUENT}{''.join(SINGLE.values())}')"
        )
        # Hundreds of letters are looked up one by one: most names have none of them.
        is_ascii = "octet_length(%(expressions)s) = char_length(%(expressions)s)"
        # By the collation C, `lower` changes ASCII letters alone: a Turkish server would make ı of I.
        in_small = 'lower(%(expressions)s COLLATE "C")'
        template = f"CASE WHEN {is_ascii} THEN {in_small} ELSE {folded_name} END"
        return super().as_sql(compiler, connection, template=template, **context)


def _add_function(sender: Any, connection: Any, **kwargs: Any) -> None:
    # SQLite has no `translate`: the same table is a function of the connection there.
    if connection.vendor == "sqlite":
        connection.connection.create_function(
            "folded_name", 1, lambda name: name and name.translate(TABLE), deterministic=True
        )


connection_created.connect(_add_function, dispatch_uid="players.folded_name")


# Each word may cost a query.
MAX_WORDS = 5
# So many players are looked up by a word; more than that make it a common one.
MAX_FOUND = 500
MAX_EXAMINED = 20_000
MAX_SIMILAR = 40
MIN_ID_DIGITS = 3
# A shorter fragment is in too many words.
MIN_FRAGMENT = 4
# So many ways of joining a particle to a name are tried; a shorter word is not taken for two.
MAX_RESPELLED = 3
MIN_JOINED = 5
TITLES = frozenset(title.casefold() for title in Title.values)
# The last code point: whatever begins with a word sorts before it.
LAST_LETTER = "\U0010ffff"


def find_ids(text: str) -> tuple[list[int], bool]:
    """Return the FIDE IDs that a text names by words or numbers, at most `MAX_FOUND`, and whether more may be.

    Names are in Latin letters: another script is sought in these, and as it is written only where nobody is found.
    """
    found = _find_ids(in_latin_letters(text))
    return found if found[0] or text.isascii() else _find_ids(text)


def _find_ids(text: str) -> tuple[list[int], bool]:
    numbers = text.replace(",", " ").split()
    if numbers and all(map(str.isdecimal, numbers)):
        ids = _by_ids(numbers)
        return (ids, False) if ids or numbers[1:] else _by_first_digits(numbers[0])
    words = words_of(text)[:MAX_WORDS]
    # The longest word is the rarest; a title is in too many names to begin with.
    found = _ids_by_words(sorted(words, key=lambda word: (word in TITLES, -len(word))))
    names = [word for word in words if word not in TITLES]
    # Im is a title, and a name.
    if found[0] or not names or names == words:
        return found if found[0] else (_ids_by_parts(words) or _ids_by_fragments(words), False)
    return _find_ids(" ".join(names))


def _ids_by_parts(words: Sequence[str]) -> list[int]:
    """Return the players whose names have these words, written together or apart: `vanderberg` and Van der Berg."""
    for spelled in joined_spellings(words)[:MAX_RESPELLED]:
        ids, _more = _ids_by_words(sorted(spelled, key=len, reverse=True))
        if ids:
            return ids
    longest = max(words, key=len, default="")
    pairs = parts_of_joined(longest) if len(longest) >= MIN_JOINED else []
    if not pairs:
        return []
    halves = (Q(word=first, player__name_words__word=second) for first, second in pairs)
    rows = NameWord.objects.filter(reduce(or_, halves)).order_by("player_id")
    ids = list(dict.fromkeys(rows.values_list("player_id", flat=True)[:MAX_FOUND]))
    return _ids_with_words(ids, [word for word in words if word != longest])


def with_all_words(of_words: Sequence[QuerySet[NameWord, Any]], *, order: str) -> list[tuple[int, Any]]:
    """Return the first `MAX_FOUND` players with a row in each query, each with its lowest `order`.

    The queries are the tables `word0`, `word1` and so on. The database compares: to read all these rows takes longer.
    """
    made = [rows.query.sql_with_params() for rows in of_words]
    tables = " JOIN ".join(
        f"({sql}) AS word{place}{' USING (player_id)' if place else ''}"
        for place, (sql, _values) in enumerate(made)
    )
    query = f"SELECT player_id, MIN({order}) AS lowest FROM {tables}"  # noqa: S608
    query += " GROUP BY player_id ORDER BY lowest, player_id LIMIT %s"
    with connection.cursor() as cursor:
        cursor.execute(query, [*chain.from_iterable(values for _sql, values in made), MAX_FOUND])
        return list(cursor.fetchall())


def _by_ids(texts: Sequence[str]) -> list[int]:
    numbers = (read_number(text, most=MAX_FIDE_ID) for text in texts)
    usable = [number for number in numbers if number is not None]
    return list(Player.objects.filter(pk__in=usable[:MAX_FOUND]).values_list("pk", flat=True))


def _by_first_digits(text: str) -> tuple[list[int], bool]:
    """Return the players whose FIDE IDs begin so, and whether there may be more."""
    if not MIN_ID_DIGITS <= len(text) < len(str(MAX_FIDE_ID)) or text.startswith("0"):
        return [], False
    # Ranges of numbers use the primary key; the digits as text would be compared for every player.
    begins = Q()
    for zeros in range(1, len(str(MAX_FIDE_ID)) - len(text) + 1):
        first = int(text) * 10**zeros
        begins |= Q(pk__gte=first, pk__lt=min(first + 10**zeros, MAX_FIDE_ID))
    rows = Player.objects.filter(begins).order_by("pk").values_list("pk", flat=True)
    found = list(rows[: MAX_FOUND + 1])
    return found[:MAX_FOUND], len(found) > MAX_FOUND


class _Vocabulary:
    """The words of all names as one text, in which a fragment is found in a few milliseconds.

    Words are only ever added: what is new is read as it is needed. A word that no name has any more finds nobody.
    """

    def __init__(self) -> None:
        self.text = "\n"
        self.last: tuple[int, str] = (0, "")

    def words_with(self, fragment: str) -> list[str]:
        """Return words that have a fragment in their middle or at their end, the first `MAX_SIMILAR`; one query."""
        self._read_new()
        found: list[str] = []
        place = self.text.find(fragment)
        while place >= 0 and len(found) < MAX_SIMILAR:
            start, end = self.text.rindex("\n", 0, place) + 1, self.text.index("\n", place)
            found.append(self.text[start:end])
            place = self.text.find(fragment, end)
        return found

    def _read_new(self) -> None:
        rows = list(NameSound.objects.filter(pk__gte=self.last[0]).order_by("pk").values_list("pk", "word"))
        # The last word that was read is gone: these are the words of another database.
        if self.last[0] and (not rows or rows[0] != self.last):
            self.text, self.last = "\n", (0, "")
            self._read_new()
            return
        new = rows[1:] if self.last[0] else rows
        if new:
            self.text += "".join(f"{word}\n" for _pk, word in new)
            self.last = new[-1]


_vocabulary = _Vocabulary()


def _ids_by_fragments(words: Sequence[str]) -> list[int]:
    """Return the players with each word as a part of a word of the name; the longest is the most selective."""
    wanted = sorted(words, key=len, reverse=True)
    if not wanted or len(wanted[0]) < MIN_FRAGMENT:
        return []
    rows = NameWord.objects.filter(word__in=_vocabulary.words_with(wanted[0])).order_by("word", "player_id")
    ids = list(dict.fromkeys(rows.values_list("player_id", flat=True)[:MAX_FOUND]))
    return _ids_with_words(ids, wanted[1:])


def _ids_by_words(words: Sequence[str]) -> tuple[list[int], bool]:
    for word in words:
        found = list(_ids_by_prefix(word)[: MAX_FOUND + 1])
        if len(found) <= MAX_FOUND:
            ids = list(dict.fromkeys(found))
            return _ids_with_words(ids, [other for other in words if other != word]), False
    if len(words) == 1:
        return list(dict.fromkeys(found[:MAX_FOUND])), True
    return _ids_by_common_words(words) if words else ([], False)


def _ids_by_prefix(word: str) -> QuerySet[NameWord, int]:
    """Return the players with a word that begins so, whole words first: the order of the index."""
    rows = NameWord.objects.filter(word__gte=word, word__lt=word + LAST_LETTER)
    return rows.order_by("word", "player_id").values_list("player_id", flat=True)


def _ids_with_words(ids: list[int], words: Iterable[str]) -> list[int]:
    """Return those of some players whose names have all the words; a title that none of them is called is ignored."""
    for word in words:
        found = set(_ids_by_prefix(word).filter(player_id__in=ids_subquery(ids)).order_by()) if ids else set()
        if found or word not in TITLES:
            ids = [player_id for player_id in ids if player_id in found]
    return ids


def _ids_by_common_words(words: Sequence[str]) -> tuple[list[int], bool]:
    """Return players with all of several common words, from the first players of each word, whole words first."""
    of_words = [_ids_by_prefix(word).values_list("word", "player_id")[:MAX_EXAMINED] for word in words]
    return [player_id for player_id, _word in with_all_words(of_words, order="word0.word")], True


def successors_of(player_ids: Iterable[int]) -> dict[int, int]:
    """Return the successor of each merged FIDE ID among these."""
    rows = Player.objects.filter(pk__in=ids_subquery(player_ids), merged_into__isnull=False).order_by()
    return {player_id: successor or 0 for player_id, successor in rows.values_list("pk", "merged_into")}


# Players by names that sound alike or differ by a typing error.

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
