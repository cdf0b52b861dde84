"""The news of a published list for the followers of players, tournaments and federations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.html.figures import signed_points
from core.pages import Page
from core.text_values import read_number
from players.fide_list.values import MAX_FIDE_ID
from players.models import Federation, Player
from ratings.models import Calculation, Correction, Follow, ListEntry, RatingList, TournamentRating
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class Subject:
    """What can be followed: its name and its page. The field of `Follow` has the same name as the kind."""

    field: str
    key: str
    pk: int | str
    name: str

    @property
    def page(self) -> Page:
        return Page(_PAGES[self.field], self.key)


@dataclass(frozen=True, slots=True)
class FollowNews:
    """A change by a list for one subscription: its page, and one sentence."""

    name: str
    page: Page
    text: str


# The sentence is made for each follower, in the follower's language.
Told = Callable[[], FollowNews]
_PAGES = {
    "player": "players:player",
    "tournament": "tournaments:tournament",
    "federation": "ratings:federation",
}


def subject_of(follow: Follow) -> Subject:
    """Return what is followed; of a merged player the one that stays."""
    if follow.player is not None:
        return subject_of_player(follow.player.merged_into or follow.player)
    if follow.tournament is not None:
        return subject_of_tournament(follow.tournament)
    federation: Federation = follow.federation  # type: ignore[assignment] # follow_of_one_thing
    return subject_of_federation(federation)


def subject_of_player(player: Player) -> Subject:
    """Return a player as what can be followed."""
    return Subject("player", str(player.pk), player.pk, player.name or str(player.pk))


def subject_of_tournament(tournament: Tournament) -> Subject:
    """Return a tournament as what can be followed."""
    return Subject("tournament", tournament.event_id, tournament.pk, tournament.name)


def subject_of_federation(federation: Federation) -> Subject:
    """Return a federation as what can be followed."""
    return Subject("federation", federation.code, federation.code, federation.shown_name)


def subject_named(field: str, key: str) -> Subject | None:
    """Return the player, tournament or federation that a form names; None if there is none."""
    if "\x00" in key:
        # PostgreSQL has no such text.
        return None
    if field == "player":
        fide_id = read_number(key, most=MAX_FIDE_ID) or 0
        player = Player.objects.select_related("merged_into").filter(pk=fide_id).first()
        return subject_of_player(player.merged_into or player) if player else None
    if field == "tournament":
        tournament = Tournament.objects.filter(event_id=key).first()
        return subject_of_tournament(tournament) if tournament else None
    if field == "federation":
        federation = Federation.objects.filter(code=key).first()
        return subject_of_federation(federation) if federation else None
    return None


def news_of(subjects: Iterable[Subject], rating_list: RatingList) -> Mapping[Subject, Told]:
    """Return the news of a published list about each; nothing about those without a change."""
    found: dict[Subject, Told] = {}
    for field, read in (("player", _players), ("tournament", _tournaments), ("federation", _federations)):
        by_key = {subject.pk: subject for subject in subjects if subject.field == field}
        if by_key:
            found |= read(by_key, rating_list)
    return found


def _players(by_key: Mapping[Any, Subject], rating_list: RatingList) -> dict[Subject, Told]:
    rows = (
        Calculation.objects.filter(rating_list=rating_list, player__in=by_key)
        .order_by()
        .defer("value", "found")
    )
    return {by_key[row.player_id]: _player_news(by_key[row.player_id], row, rating_list) for row in rows}


def _player_news(subject: Subject, row: Calculation, rating_list: RatingList) -> Told:
    def news() -> FollowNews:
        page = Page("players:calculation", row.player_id, rating_list.kind, rating_list.date)
        return FollowNews(subject.name, page, _player_sentence(row))

    return news


def _player_sentence(row: Calculation) -> str:
    games = ngettext("%(number)d rated game", "%(number)d rated games", row.games) % {"number": row.games}
    if row.new_rating is None:
        return _("Unrated, %(games)s") % {"games": games}
    figures = {"rating": row.new_rating, "games": games}
    if row.previous_rating is None:
        return _("Initial rating %(rating)s, %(games)s") % figures
    change = signed_points(row.new_rating - row.previous_rating)
    return _("Rating %(rating)s (%(change)s), %(games)s") % (figures | {"change": change})


def _tournaments(by_key: Mapping[Any, Subject], rating_list: RatingList) -> dict[Subject, Told]:
    """Return the tournaments that a list includes, and those whose corrections it takes."""
    taken = TournamentRating.objects.filter(included_in=rating_list, report__tournament__in=by_key)
    included: set[Any] = set(taken.values_list("report__tournament", flat=True))
    lines = Correction.objects.filter(tournament__in=by_key, lines__taken_by=rating_list)
    keys = lines.order_by().values_list("tournament", flat=True)
    corrected: set[Any] = {pk for pk in keys if pk is not None} - included
    return {
        by_key[pk]: _tournament_news(by_key[pk], is_corrected=pk in corrected) for pk in included | corrected
    }


def _tournament_news(subject: Subject, *, is_corrected: bool) -> Told:
    def news() -> FollowNews:
        text = (
            _("The list includes a correction of the tournament.")
            if is_corrected
            else _("The list includes the tournament.")
        )
        return FollowNews(subject.name, subject.page, text)

    return news


def _federations(by_key: Mapping[Any, Subject], rating_list: RatingList) -> dict[Subject, Told]:
    entries = ListEntry.objects.filter(rating_list=rating_list, federation__in=by_key, games__gt=0).listed()
    players = dict(_plain_counts(entries.values_list("federation").annotate(number=Count("pk")).order_by()))
    taken = TournamentRating.objects.filter(
        included_in=rating_list, report__tournament__federation__in=by_key
    ).values_list("report__tournament__federation")
    tournaments = dict(_plain_counts(taken.annotate(number=Count("pk")).order_by()))
    return {
        by_key[code]: _federation_news(
            by_key[code], players.get(code, 0), tournaments.get(code, 0), rating_list
        )
        for code in {*players, *tournaments}
    }


def _plain_counts(rows: Iterable[Sequence[str | int]]) -> list[tuple[str, int]]:
    return [(str(code), int(number)) for code, number in rows]


def _federation_news(subject: Subject, players: int, tournaments: int, rating_list: RatingList) -> Told:
    def news() -> FollowNews:
        page = Page("ratings:list", rating_list.kind, rating_list.date, rest=f"?federation={subject.key}")
        texts = (
            ngettext("%(number)s tournament", "%(number)s tournaments", tournaments)
            % {"number": tournaments},
            ngettext("%(number)d player with rated games", "%(number)d players with rated games", players)
            % {"number": players},
        )
        return FollowNews(subject.name, page, ", ".join(texts))

    return news
