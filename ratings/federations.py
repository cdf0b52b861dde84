"""Federations as everybody sees them: their first players, their tournaments, their standing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery, Window
from django.db.models.functions import Coalesce

from core.bulk import batched
from players.exclusions import PlayersOfFederation, exclusion_foreseen
from players.members import members_of
from players.models import Federation, Membership, Player
from players.models.federation import codes_named
from players.spelling import in_latin_letters
from ratings.choices import PUBLISHED_KINDS, EntryStatus, ListKind
from ratings.counted_once import counted_once
from ratings.entries import LIST_ORDER, Filter, ListRow, entries_of, rows_of
from ratings.highlights import SHOWN, top_average_tenths
from ratings.lists import read_lists
from ratings.models import Judgement, ListEntry, RatingList, TournamentRating
from ratings.ranking import ranking_of
from ratings.search import FoundPlayer, ratings_of
from ratings.systems.judgement import Part
from tournaments.choices import OPEN_REGISTRATIONS, Kind
from tournaments.lists import Lists
from tournaments.models import Tournament
from tournaments.states import is_upcoming

NEXT, RECENT = 5, 10
MIN_LETTERS = 3


@dataclass(frozen=True, slots=True)
class FirstPlayers:
    """The highest rated active players of a federation on the newest list of a kind."""

    rating_list: RatingList
    rows: Sequence[ListRow]
    listed: int

    @property
    def top_average_tenths(self) -> int | None:
        return top_average_tenths([row.entry.rating or 0 for row in self.rows])


@exclusion_foreseen.answered_by
def players_on_lists(federation: Federation) -> dict[str, PlayersOfFederation]:
    """Return how many players an exclusion removes from the newest lists that the portal publishes (9.1)."""
    newest = {kind: read_lists().newest(kind) for kind in PUBLISHED_KINDS}
    rows = {kind: item.entries.filter(federation=federation) for kind, item in newest.items() if item}
    return {
        kind: PlayersOfFederation(
            listed=entries.listed().count(), withheld=entries.filter(status=EntryStatus.WITHHELD).count()
        )
        for kind, entries in rows.items()
    }


def first_players(code: str, lists: Lists[RatingList]) -> list[FirstPlayers]:
    """Return a federation's first players of each kind that the portal rates."""
    found = []
    for rating_list in (lists.newest(kind) for kind in Kind):
        if rating_list is None:
            continue
        ranking = ranking_of(rating_list, federation=code)
        chosen = Filter(federation=code, is_active=True)
        entries = list(entries_of(rating_list, chosen).order_by(*LIST_ORDER)[:SHOWN])
        rows = rows_of(entries, lists.previous(rating_list), ranking)
        found.append(FirstPlayers(rating_list, rows, ranking.total))
    return found


def tournaments_of_federation(code: str, *, today: date) -> tuple[list[Tournament], list[Tournament]]:
    """Return a federation's next tournaments and those that ended last, each with the `total` of its sort."""
    every: QuerySet[Any] = Tournament.objects.filter(federation=code).annotate(total=Window(Count("pk")))
    ahead = every.filter(is_upcoming(today)).order_by("start", "event_id")
    ended = every.filter(end__lt=today).order_by("-start", "event_id")
    return list(ahead[:NEXT]), list(ended[:RECENT])


def registered_tournaments(code: str, *, most: int) -> list[Tournament]:
    """Return the newest tournaments of a federation that take place for the lists."""
    found = Tournament.objects.filter(federation=code, registration__in=OPEN_REGISTRATIONS)
    return list(found.order_by("-start", "event_id")[:most])


def published_on(code: str, lists: Lists[RatingList]) -> list[Tournament]:
    """Return a federation's latest tournaments of those that the lists took in."""
    taken = TournamentRating.objects.filter(report__tournament__federation=code, included_in__in=lists.by_id)
    published = Tournament.objects.filter(pk__in=taken.values("report__tournament"))
    return list(published.order_by("-start", "event_id")[:RECENT])


class FederationMonth(NamedTuple):
    """A federation on a list, with the sums over its players; of an imported list, no more than its players."""

    federation: str
    kind: str
    date: date
    part: Part
    is_imported: bool

    @property
    def kind_label(self) -> str:
        return str(ListKind(self.kind).label)

    @property
    def mean_change(self) -> int | None:
        """The mean change of those who played, in hundredths of a point; None where nobody did."""
        return int(100 * self.part.change / self.part.played) if self.part.played else None

    @property
    def games_each(self) -> int | None:
        """The mean number of rated games of those who played, in tenths."""
        games, players = self.part.games, self.part.played
        return (20 * games + players) // (2 * players) if players else None


def figures_of_lists() -> QuerySet[Judgement]:
    """Return the lists with their figures, by which a federation's history is paged."""
    return Judgement.objects.filter(rating_list__isnull=False)


def months_of(code: str, rows: Iterable[Judgement]) -> list[FederationMonth]:
    """Return a federation on each of these lists."""
    return [
        FederationMonth(
            federation=code,
            kind=row.kind,
            date=row.date,
            part=row.figures.federations.get(code, Part()),
            is_imported=row.figures.games is None,
        )
        for row in rows
    ]


def upcoming_of_each(today: date) -> dict[str, int]:
    """Return how many tournaments of each federation are ahead or being played."""
    rows = Tournament.objects.filter(is_upcoming(today)).order_by().values_list("federation_id")
    return dict(rows.annotate(number=Count("pk")))


def all_federations(words: str = "") -> list[Federation]:
    """Return the federations by their names: all, or those whose code, name or continent has all the words."""
    wanted = in_latin_letters(words).lower().split()
    found = (
        one for one in Federation.objects.order_by() if all(word in _search_text(one) for word in wanted)
    )
    return sorted(found, key=_by_name)


def find_federations(text: str, *, shown: int) -> list[Federation]:
    """Return the federations whose code is a text, or in whose name a word begins with it; from three letters on."""
    text = text.strip()
    # Two letters begin too many names to be a suggestion.
    if len(text) < MIN_LETTERS:
        return []
    is_named = Q(code__iexact=text) | Q(name__istartswith=text) | Q(name__icontains=f" {text}")
    found = Federation.objects.filter(is_named | Q(pk__in=codes_named(text))).order_by()
    return sorted(found, key=_by_name)[:shown]


def _search_text(one: Federation) -> str:
    return in_latin_letters(
        f"{one.code} {one.name} {one.shown_name} {one.continent} {one.continent_name}"
    ).lower()


def _by_name(one: Federation) -> tuple[str, str]:
    # The names are translated: no database can sort them.
    return in_latin_letters(one.shown_name).lower(), one.code


def listed_players(rating_list: RatingList) -> dict[str, int]:
    """Return how many players of each federation a list has; counted once, for a list never changes."""
    entries = ListEntry.objects.filter(rating_list=rating_list).listed().order_by()
    counts = entries.values_list("federation_id").annotate(players=Count("*"))
    return counted_once(f"federations:{rating_list.edition}", dict[str, int], lambda: dict(counts))


# The clubs and districts of a federation, and the players of one with their ratings.

# Districts may be of any size.
BATCH = 5_000


def clubs_of(code: str) -> QuerySet[Membership, Any]:
    """Return the clubs of a federation as district, club and number of players, by district."""
    rows = _present(code).exclude(club="").order_by("district", "club")
    return rows.values_list("district", "club").annotate(players=Count("*"))


def has_clubs(code: str) -> bool:
    return _present(code).exclude(club="").exists()


def as_in_register(code: str, asked: Mapping[str, str]) -> dict[str, str]:
    """Return a club and a district in the capitals of the register; as they are where it has none of the name."""
    found = {}
    for name, text in asked.items():
        known = set(_present(code).order_by().values_list(name, flat=True).distinct())
        # Two clubs may differ in their capitals alone.
        like = [text] if text in known else sorted(one for one in known if one.casefold() == text.casefold())
        found[name] = like[0] if like else text
    return found


def ids_of_club(code: str, *, club: str, district: str, newest: Sequence[RatingList]) -> list[int]:
    """Return the players of a club or district, the highest newest rating first; of all federations without a code."""
    entries = ListEntry.objects.filter(
        rating_list__in=[item.pk for item in newest], player=OuterRef("player")
    )
    best = entries.listed().order_by().values("player").annotate(best=Max("rating")).values("best")
    members = _present(code, club=club, district=district).annotate(best=Coalesce(Subquery(best), 0))
    return list(members.order_by("-best", "player__name", "player").values_list("player_id", flat=True))


def read_players(ids: Sequence[int], newest: Sequence[RatingList]) -> Iterator[FoundPlayer]:
    """Yield players in this order with their newest ratings."""
    for some in batched(ids, BATCH):
        ratings, players = ratings_of(some, newest), Player.objects.in_bulk(some)
        yield from (FoundPlayer(players[pk], ratings.get(pk, {})) for pk in some)


def _present(code: str, **names: str) -> QuerySet[Membership]:
    return members_of(federation=code, **names).filter(player__died_on=None)
