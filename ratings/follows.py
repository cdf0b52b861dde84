"""Following by email without an account: request, confirmation by a link, one email per list, one click to end it.

An address is stored as long as it follows something; an unconfirmed one is deleted after 48 hours, with its emails.
No page reveals whether an address follows anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from allauth.account.models import EmailAddress
from django.core import signing
from django.db import transaction
from django.db.models import Count, QuerySet
from django.template.loader import render_to_string
from django.utils.translation import get_language, ngettext, override
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.bulk import batched
from core.errors import just_now
from core.html.dates import list_month
from core.html.figures import signed_points
from core.pages import Page
from core.text_values import read_number
from players import notices
from players.choices import TO_FOLLOWERS, NoticeKind
from players.fide_list.values import MAX_FIDE_ID
from players.models import Federation, Notice, Player
from players.notices import Letter
from ratings.models import Calculation, Correction, Follow, Follower, ListEntry, RatingList, TournamentRating
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
# What a follower gets, on the pages and in the email that asks for the confirmation.
PROMISES = {
    "player": _l("You get one email for each list on which the player has rated games or a correction."),
    "tournament": _l("You get an email when a rating list includes the tournament or a correction of it."),
    "federation": _l(
        "You get one email for each list with tournaments of the federation or rated games of its players."
    ),
}


def subject_of(thing: Any) -> Subject:
    """Return a player, tournament or federation, or that of a follow, as what can be followed.

    Of a merged player it is the one that stays.
    """
    if isinstance(thing, Follow):
        thing = thing.player or thing.tournament or thing.federation
    if isinstance(thing, Player):
        player = thing.merged_into or thing
        return Subject("player", str(player.pk), player.pk, player.name or str(player.pk))
    if isinstance(thing, Tournament):
        return Subject("tournament", thing.event_id, thing.pk, thing.name)
    return Subject("federation", thing.code, thing.code, thing.shown_name)


def subject_named(field: str, key: str) -> Subject | None:
    """Return the player, tournament or federation that a form names; None if there is none."""
    rows: Any = {
        "player": Player.objects.select_related("merged_into").filter(
            pk=read_number(key, most=MAX_FIDE_ID) or 0
        ),
        "tournament": Tournament.objects.filter(event_id=key),
        "federation": Federation.objects.filter(code=key),
    }.get(field)
    # PostgreSQL has no text with a NUL.
    thing = None if rows is None or "\x00" in key else rows.first()
    return subject_of(thing) if thing else None


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
    return {
        by_key[row.player_id]: partial(_player_news, by_key[row.player_id], row, rating_list) for row in rows
    }


def _player_news(subject: Subject, row: Calculation, rating_list: RatingList) -> FollowNews:
    games = ngettext("%(number)d rated game", "%(number)d rated games", row.games) % {"number": row.games}
    figures = {"rating": row.new_rating, "games": games}
    if row.new_rating is None:
        text = _("Unrated, %(games)s")
    elif row.previous_rating is None:
        text = _("Initial rating %(rating)s, %(games)s")
    else:
        figures["change"] = signed_points(row.new_rating - row.previous_rating)
        text = _("Rating %(rating)s (%(change)s), %(games)s")
    page = Page("players:calculation", row.player_id, rating_list.kind, rating_list.date)
    return FollowNews(subject.name, page, text % figures)


def _tournaments(by_key: Mapping[Any, Subject], rating_list: RatingList) -> dict[Subject, Told]:
    """Return the tournaments that a list includes, and those whose corrections it takes."""
    taken = TournamentRating.objects.filter(included_in=rating_list, report__tournament__in=by_key)
    included: set[Any] = set(taken.values_list("report__tournament", flat=True))
    lines = Correction.objects.filter(tournament__in=by_key, lines__taken_by=rating_list)
    keys = lines.order_by().values_list("tournament", flat=True)
    corrected: set[Any] = {pk for pk in keys if pk is not None} - included
    return {
        by_key[pk]: partial(_tournament_news, by_key[pk], is_corrected=pk in corrected)
        for pk in included | corrected
    }


def _tournament_news(subject: Subject, *, is_corrected: bool) -> FollowNews:
    text = (
        _("The list includes a correction of the tournament.")
        if is_corrected
        else _("The list includes the tournament.")
    )
    return FollowNews(subject.name, subject.page, text)


def _federations(by_key: Mapping[Any, Subject], rating_list: RatingList) -> dict[Subject, Told]:
    entries = ListEntry.objects.filter(rating_list=rating_list, federation__in=by_key, games__gt=0).listed()
    players = dict(entries.values_list("federation").annotate(number=Count("pk")).order_by())
    taken = TournamentRating.objects.filter(
        included_in=rating_list, report__tournament__federation__in=by_key
    ).values_list("report__tournament__federation")
    tournaments = dict(taken.annotate(number=Count("pk")).order_by())
    return {
        by_key[code]: partial(
            _federation_news, by_key[code], players.get(code, 0), tournaments.get(code, 0), rating_list
        )
        for code in {*players, *tournaments}
    }


def _federation_news(subject: Subject, players: int, tournaments: int, rating_list: RatingList) -> FollowNews:
    page = Page("ratings:list", rating_list.kind, rating_list.date, rest=f"?federation={subject.key}")
    texts = (
        ngettext("%(number)s tournament", "%(number)s tournaments", tournaments) % {"number": tournaments},
        ngettext("%(number)d player with rated games", "%(number)d players with rated games", players)
        % {"number": players},
    )
    return FollowNews(subject.name, page, ", ".join(texts))


VALID_FOR = timedelta(hours=48)
# Limits per address: confirmation emails within a time, for any sender of requests, and the number of follows.
MAX_CONFIRMATIONS, CONFIRMATIONS_WITHIN = 3, timedelta(hours=24)
MAX_FOLLOWS = 100
BATCH = 500
CONFIRM_SALT, OWN_SALT = "ratings.follows.confirm", "ratings.follows.own"


def ask_to_follow(address: str, subject: Subject, *, language: str, at: datetime) -> None:
    """Email the link that confirms a follow; nothing above the limits of an address.

    The caller cannot see the difference, nor whether the address follows anything.
    """
    # The same address in capitals must not have limits of its own.
    address = address.strip().lower()
    with transaction.atomic():
        follower, _made = Follower.objects.get_or_create(address=address)
        # Counted and written by one at a time, or two requests at once would both be the last that is allowed.
        Follower.objects.select_for_update().get(pk=follower.pk)
        mails = Notice.objects.filter(recipient=follower.address, kind=NoticeKind.FOLLOW)
        recent = mails.filter(created_at__gt=at - CONFIRMATIONS_WITHIN)
        if recent.count() >= MAX_CONFIRMATIONS or follower.follows.count() >= MAX_FOLLOWS:
            return
        values = {"language": language, "asked_at": at}
        followed: dict[str, Any] = {f"{subject.field}_id": subject.pk}
        follow, is_new = Follow.objects.get_or_create(follower=follower, **followed, defaults=values)
        first, last = just_now(at)
        if not is_new and first <= follow.asked_at <= last:
            return  # A second click on the button: the link is on its way.
        if not is_new:
            # A confirmed follow keeps its language; the link of the email is valid from now on.
            renewed = values if follow.confirmed_at is None else {"asked_at": at}
            Follow.objects.filter(pk=follow.pk).update(**renewed)
        page = Page("follow-confirm", signing.dumps(follow.pk, salt=CONFIRM_SALT))
        text = render_to_string(
            "mails/follow.txt",
            {
                "subject": subject,
                "promise": PROMISES[subject.field],
                "link": page.link,
                "hours": VALID_FOR // timedelta(hours=1),
            },
        )
        letter = Letter(
            address, _("Confirm: follow %(name)s") % {"name": subject.name}, text.strip(), language
        )
        key = f"follow:{follow.pk}:{at.isoformat()}"
        notices.post_each([letter], kind=NoticeKind.FOLLOW, key=key, at=at)


def own_address(user: Any) -> str:
    """Return the confirmed email address of an account that is signed in, empty without one."""
    if not user.is_authenticated or not user.email:
        return ""
    confirmed = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True)
    return str(user.email).lower() if confirmed.exists() else ""


def is_followed_by(address: str, subject: Subject) -> bool:
    """Return whether an address has confirmed that it follows something."""
    followed: dict[str, Any] = {f"{subject.field}_id": subject.pk}
    return Follow.objects.filter(follower__address=address, confirmed_at__isnull=False, **followed).exists()


def set_follow(address: str, subject: Subject, *, is_followed: bool, language: str, at: datetime) -> None:
    """Follow something at once by the confirmed address of an account, or no longer; at most 100 things."""
    followed: dict[str, Any] = {f"{subject.field}_id": subject.pk}
    with transaction.atomic():
        if not is_followed:
            for follow in Follow.objects.filter(follower__address=address, **followed):
                end_follow(follow.follower, follow.pk)
            return
        follower, _made = Follower.objects.get_or_create(address=address)
        Follower.objects.select_for_update().get(pk=follower.pk)
        if follower.follows.count() < MAX_FOLLOWS:
            values = {"language": language, "asked_at": at}
            follow, _is_new = Follow.objects.get_or_create(follower=follower, **followed, defaults=values)
            confirm_follow(follow, at=at)


def asked_follow(token: str, *, at: datetime) -> Follow | None:
    """Return the follow of a confirmation link, None for an invalid link or one that has expired."""
    pk = _read_signed(token, CONFIRM_SALT)
    found = with_subjects(Follow.objects.filter(pk=pk)).first() if pk else None
    return found if found and found.asked_at <= at < found.asked_at + VALID_FOR else None


def confirm_follow(follow: Follow, *, at: datetime) -> None:
    """Confirm a follow; a second time changes nothing."""
    Follow.objects.filter(pk=follow.pk, confirmed_at=None).update(confirmed_at=at)


def follower_of(token: str) -> Follower | None:
    """Return the follower of the link in an email; None for an invalid link, or where nothing is followed any more."""
    pk = _read_signed(token, OWN_SALT)
    return Follower.objects.filter(pk=pk).first() if pk else None


def own_page(follower_id: int) -> Page:
    """Return a follower's own page."""
    return Page("follows-own", signing.dumps(follower_id, salt=OWN_SALT))


def follows_of(follower: Follower) -> list[Follow]:
    """Return what a follower has confirmed to follow, the oldest first."""
    return list(with_subjects(follower.follows.filter(confirmed_at__isnull=False)).order_by("pk"))


def followed_by(address: str) -> list[Subject]:
    """Return what an address has confirmed to follow, the oldest first."""
    rows = Follow.objects.filter(follower__address=address, confirmed_at__isnull=False)
    return [subject_of(one) for one in with_subjects(rows).order_by("pk")]


def end_follow(follower: Follower, follow_id: int) -> None:
    """End one follow; with the last one the address is removed."""
    with transaction.atomic():
        follower.follows.filter(pk=follow_id).delete()
        if not follower.follows.exists():
            end_all_follows(follower)


def end_all_follows(follower: Follower) -> None:
    """End everything that a follower follows, and remove the address with its emails."""
    with transaction.atomic():
        # Emails have the address, too: whoever follows nothing is not kept anywhere.
        Notice.objects.filter(recipient=follower.address, kind__in=TO_FOLLOWERS).delete()
        Follower.objects.filter(pk=follower.pk).delete()


def unconfirmed_follows(at: datetime) -> QuerySet[Follow]:
    """Return the follows that nobody confirmed within 48 hours."""
    return Follow.objects.filter(confirmed_at=None, asked_at__lte=at - VALID_FOR)


def remove_unconfirmed(at: datetime) -> None:
    """Remove follows that nobody confirmed, addresses that follow nothing, and the emails to them."""
    with transaction.atomic():
        unconfirmed_follows(at).delete()
        for follower in Follower.objects.filter(follows=None):
            end_all_follows(follower)


def with_subjects(rows: QuerySet[Follow]) -> QuerySet[Follow]:
    return rows.select_related("player__merged_into", "tournament", "federation")


def mail_followers(rating_list: RatingList, *, at: datetime) -> None:
    """Queue one email to each follower with news on the list; a second call adds none.

    Followers who confirmed after the publication get none.
    """
    key = f"followed:{rating_list.kind}:{rating_list.date.isoformat()}"
    for ids in batched(Follower.objects.order_by("pk").values_list("pk", flat=True), BATCH):
        rows = Follow.objects.filter(follower__in=ids, confirmed_at__lte=rating_list.published_at)
        follows = list(with_subjects(rows).select_related("follower").order_by("follower", "pk"))
        with transaction.atomic():
            subjects = {follow.pk: subject_of(follow) for follow in follows}
            by_subject = news_of(set(subjects.values()), rating_list)
            of_each: dict[Follower, list[Follow]] = defaultdict(list)
            for follow in follows:
                if subjects[follow.pk] in by_subject:
                    of_each[follow.follower].append(follow)
            letters = []
            for follower, own in of_each.items():
                latest = max(own, key=lambda follow: follow.confirmed_at or follow.asked_at)
                with override(latest.language):
                    # Two follows may lead to one player since a merger.
                    news = [
                        by_subject[subject]()
                        for subject in dict.fromkeys(subjects[follow.pk] for follow in own)
                    ]
                    letters.append(_letter(follower, news, rating_list))
            notices.post_each(letters, kind=NoticeKind.FOLLOWED, key=key, at=at)


def _letter(follower: Follower, news: Sequence[object], rating_list: RatingList) -> Letter:
    names = {"kind": rating_list.get_kind_display(), "month": list_month(rating_list.date)}
    context = {"list": rating_list, "news": news}
    text = render_to_string("mails/followed.txt", context).strip()
    link = str(own_page(follower.pk))
    return Letter(
        follower.address,
        _("Rating list published: %(kind)s, %(month)s") % names,
        text,
        get_language() or "",
        link,
    )


def _read_signed(token: str, salt: str) -> int | None:
    try:
        return int(signing.loads(token, salt=salt))
    except (signing.BadSignature, ValueError):
        return None
