"""The page of a player, today and as of a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from arenas.members import memberships_of
from arenas.models import Member
from core.web.etags import conditionally, is_anonymous
from players.choices import CaseState
from players.claims import claimed_player, open_claim
from players.federations import unlisted_codes
from players.members import membership_with, with_membership
from players.minors import is_minor, minors_for
from players.models import Claim, HiddenBirthYear, Membership, Player
from players.permissions import can_act_for
from public.as_of import asked_day, lists_as_of
from public.players.addresses import player_or_404
from public.players.charts import chart_of, first_month, years_shown
from ratings.choices import ListKind
from ratings.follows import followed_by, own_address
from ratings.lists import read_lists
from ratings.models import RatingList
from ratings.next_list import SoFar, corrections_to_come, so_far_of
from ratings.played import PlayedEvent
from ratings.pools import pools_on
from ratings.profile import (
    KindProfile,
    has_rows_until,
    person_as_of,
    recent_profiles_of_each,
    telling_rows,
)
from ratings.ranking import Rank, places_of
from ratings.records import former_ids, record_of, tournaments_of, with_results
from ratings.systems.otb.rules import months_after
from tournaments.lists import Lists
from tournaments.models import Objection

RECENT = 10
# The player page summarises this many tournaments, the results page all.
LOOKED_AT = 50
MAX_MET = 5
MAX_CHANGES = 36
MAX_OBJECTIONS = 10


@require_safe
def player(request: HttpRequest, fide_id: int) -> HttpResponse:
    """Show a player: ratings of all types, history, tournaments. A merged FIDE ID redirects."""
    merged = Player.objects.filter(merged_into=OuterRef("pk"))
    chosen: Any = player_or_404(fide_id, with_membership().annotate(has_former_ids=Exists(merged)))
    if chosen.merged_into_id:
        return redirect("players:player", chosen.merged_into_id, permanent=True)
    lists = read_lists()
    if "as-of" in request.GET:
        return redirect("players:player-as-of", fide_id, asked_day(request, lists))
    former = former_ids(fide_id) if chosen.has_former_ids else []
    minors = minors_for(request)
    coming = so_far_of([fide_id], lists)
    figures = [found.figures for found in coming]
    member, arena_members = membership_with(chosen), memberships_of(fide_id)
    # Whatever the page shows: what is not in it would leave an old page with its readers.
    version = (
        "player",
        lists.version,
        former,
        minors,
        figures,
        _club(member),
        [(one.pk, one.handle) for one in arena_members],
        *_person(chosen),
    )
    told: dict[str, Any] = {"member": member, "former": former, "coming": coming}
    return conditionally(
        request,
        lambda: _player_page(request, chosen, lists, arena_members=arena_members, **told),
        version=version,
    )


@require_safe
def player_as_of(request: HttpRequest, fide_id: int, day: date) -> HttpResponse:
    """Show a player as of a list date. The page never changes."""
    chosen = player_or_404(fide_id, with_membership(on=day))
    every = read_lists()
    lists = lists_as_of(every, day)
    member = membership_with(chosen)
    person = (chosen.pk, chosen.name, chosen.merged_into_id, _club(member))
    version = ("player", day, lists.version, *person, every.days, minors_for(request))
    return conditionally(
        request,
        lambda: _player_page(request, chosen, lists, member=member, as_of=day, days=every.days),
        version=version,
    )


def is_own_record(request: HttpRequest, player: Player) -> bool:
    """Return whether the reader has a confirmed claim of the record; no query for anonymous readers."""
    if is_anonymous(request):
        return False
    own = claimed_player(request.user)
    return own is not None and own.pk == player.pk


def _mine(request: HttpRequest, claim: Claim) -> dict[str, Any]:
    """Return what the page has beside that of others for the player: objections, followed pages, year of birth."""
    # By the account: a later claim of the record must not show what another account wrote.
    objections = Objection.objects.filter(asked_by=request.user.pk).select_related("tournament")
    return {
        "objections": objections.order_by("-asked_at", "-pk")[:MAX_OBJECTIONS],
        "followed": followed_by(own_address(request.user)),
        "is_hidden": HiddenBirthYear.objects.filter(player=claim.player).exists(),
        "may_hide": is_minor(claim.player.birth_year, timezone.now().date()),
        "today": timezone.now().date(),
    }


def _club(member: Membership | None) -> tuple[str, str]:
    return (member.club, member.district) if member else ("", "")


def _person(chosen: Player) -> tuple[Any, ...]:
    """Return the personal data that may change between two lists."""
    titles = (chosen.title, chosen.women_title, chosen.other_titles, chosen.foa_title)
    return (
        chosen.pk,
        chosen.name,
        chosen.federation_id,
        chosen.sex,
        chosen.birth_year,
        chosen.died_on,
        *titles,
    )


def _player_page(
    request: HttpRequest,
    chosen: Player,
    lists: Lists[RatingList],
    *,
    member: Membership | None,
    as_of: date | None = None,
    days: Sequence[date] | None = None,
    former: Sequence[int] = (),
    coming: Sequence[SoFar] = (),
    arena_members: Sequence[Member] = (),
) -> HttpResponse:
    years = years_shown(request.GET)
    # Lists of before a merger are found under the former ID only, whatever its age.
    since = first_month(lists, None if former else years)
    of_each = recent_profiles_of_each((chosen.pk, *former), lists, since=since)
    profiles = of_each.pop(chosen.pk)
    if as_of is not None:
        chosen = person_as_of(chosen, profiles, as_of)
    unrated = [one.newest_list for one in profiles if one.rating is None and one.newest_list is not None]
    unrated = [item for item in unrated if item.kind != ListKind.STANDARD]
    pools = pools_on(unrated, chosen.pk) if unrated else {}
    # Who has died has the last ratings, and no rank among those who play.
    places: dict[str, Sequence[Rank]] = {} if chosen.died_on else places_of(profiles)
    history = telling_rows(profiles, since=since)
    claim = None if as_of or is_anonymous(request) else open_claim(request.user)
    own = claim if claim and claim.player_id == chosen.pk else None
    context = {
        "player": chosen,
        "as_of": as_of,
        "member": member,
        "arena_members": arena_members,
        # Officers see the numbers of their own federation (docs/privacy.md).
        "shows_number": not is_anonymous(request) and can_act_for(request.user, chosen.federation_id),
        "days": [
            one
            for one in (lists.days if days is None else days)
            if not chosen.died_on or one <= chosen.died_on
        ],
        "calculated": next(
            (
                {"kind": one.kind, "player": chosen.pk}
                for one in profiles
                if one.rating and one.kind != ListKind.STANDARD
            ),
            None,
        ),
        "rules": next((item.text for item in lists.newest_of_each() if item.text), None),
        "kinds": [_kind(chosen, one, pools, places.get(one.kind, ())) for one in profiles],
        "chart": chart_of(chosen, profiles, lists, request.GET, coming),
        "coming": coming,
        "corrections": corrections_to_come((chosen.pk, *former), coming),
        "history": history[:MAX_CHANGES],
        "has_more_history": bool(years) and (len(history) > MAX_CHANGES or has_rows_until(since, profiles)),
        "former": [
            {"id": key, "history": telling_rows(of_id, since=since)[:MAX_CHANGES]}
            for key, of_id in of_each.items()
        ],
        "is_unlisted": _is_unlisted(chosen, profiles, lists),
        "may_claim": not (as_of or claim or chosen.died_on),
        "claim": own,
        "place": reverse("chess:mine") if own else "",
        "mine": _mine(request, own) if own and own.state == CaseState.APPROVED else None,
        **_results((chosen.pk, *former), lists, coming),
    }
    context["still"] = None if as_of or coming else _no_recent_game(profiles, context["tournaments"])
    context["share_text"] = _share_text(chosen, profiles)
    return render(request, "public/players/player.html", context)


@dataclass(frozen=True, slots=True)
class NoRecentGame:
    """The newest lists have no rated game of a player: the last one where it is known, and until which list it keeps
    them active.
    """

    month: date
    last: PlayedEvent | None
    is_inactive: bool
    active_until: date | None


def _no_recent_game(profiles: Sequence[KindProfile], played: Sequence[PlayedEvent]) -> NoRecentGame | None:
    """Return what to say of a player who is rated but has no rated game on any of the newest lists."""
    newest = [one.newest for one in profiles if one.rating is not None and one.kind != ListKind.STANDARD]
    entries = [row.entry for row in newest if row and row.entry]
    is_inactive, last = (
        all(one.is_inactive for one in entries),
        next((one for one in played if one.row.games), None),
    )
    if not entries or any(row is None or row.games for row in newest) or not (last or is_inactive):
        return None
    on_list = last.on_list if last and not is_inactive else None
    # The list of the last game is the first of those that keep the player active (6.2.2, D-10).
    until = months_after(on_list.date, on_list.text.active_lists - 1) if on_list and on_list.text else None
    return NoRecentGame(max(row.rating_list.date for row in newest if row), last, is_inactive, until)


def _share_text(chosen: Player, profiles: Sequence[KindProfile]) -> str:
    """Return a line for a message: name, ratings and address."""
    ratings = [f"{ListKind(one.kind).label} {one.rating}" for one in profiles if one.rating is not None]
    address = settings.SITE_URL + reverse("players:player", args=[chosen.pk])
    return f"{', '.join([chosen.name or str(chosen.pk), *ratings])} {address}"


def _results(ids: Sequence[int], lists: Lists[RatingList], coming: Sequence[SoFar]) -> dict[str, Any]:
    """Return the latest tournaments, and the results of more of them."""
    played = tournaments_of(ids, lists=lists, limit=LOOKED_AT, coming=coming)
    return {
        "tournaments": with_results(played[:RECENT]),
        "has_more_tournaments": len(played) > RECENT,
        "record": record_of(played, most=MAX_MET),
        "is_cut": len(played) == LOOKED_AT,
    }


def _is_unlisted(chosen: Player, profiles: Sequence[KindProfile], lists: Lists[RatingList]) -> bool:
    """Return whether the newest lists exclude the player's federation. They do not if one of them has the player."""
    day = max((item.date for item in lists.newest_of_each()), default=None)
    own = [one for one in profiles if one.rating is not None and one.kind != ListKind.STANDARD]
    if day is None or any(one.newest_list and one.newest_list.date == day for one in own):
        return False
    return chosen.federation_id in unlisted_codes(day)


def _kind(
    player: Player, profile: KindProfile, pools: dict[int, Any], places: Sequence[Rank]
) -> dict[str, Any]:
    newest = profile.newest
    return {
        "profile": profile,
        "entry": newest.entry if newest else None,
        "last": profile.last_rated if player.died_on else None,
        "places": places,
        "pool": pools.get(profile.newest_list.pk) if profile.newest_list else None,
    }
