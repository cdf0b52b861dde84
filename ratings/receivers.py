"""What ratings do when tournaments tell them something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.dispatch import receiver
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from players.choices import NoticeKind, Role, WebhookEvent
from players.models import Federation, Player
from players.services import notices, webhooks
from players.services.merging import MergeEffect, merging_foreseen, players_merged
from players.services.standing import PlayersOfFederation, exclusion_foreseen
from ratings.choices import PUBLISHED_KINDS, EntryStatus, Work
from ratings.models import RatingList, TournamentRating
from ratings.queries.in_force import Lists, load_adoptions
from ratings.queries.list_calendar import list_calendars, with_taken
from ratings.services.corrections.correct import correct_report
from ratings.services.due_runs import make_all_due, make_due, name_of
from ratings.services.fees import make_statements
from ratings.services.follows import has_followers
from ratings.services.mergers import foreseen_on_lists, merge_on_lists
from ratings.services.publication.publish import list_published
from ratings.services.reported import check_against_lists, improbable_results
from tournaments.choices import ReportState, Stage
from tournaments.list_calendar import ListCalendars
from tournaments.models import Appeal, Report, Tournament
from tournaments.queries.lookups import Lookups
from tournaments.queries.patterns import Indicator, Own
from tournaments.services.trail import tell_of_tournaments
from tournaments.signals import (
    Dispatch,
    appeal_upheld,
    first_rated_day_wanted,
    indicators_wanted,
    lists_wanted,
    report_checked,
    reports_accepted,
)
from tournaments.trf import Finding
from tournaments.trf import Report as TrfReport

# Lists of the past that are published while history is moved in are no news.
NEWS_FOR = timedelta(days=31)


@receiver(first_rated_day_wanted)
def first_rated_day(sender: Any, **kwargs: Any) -> date:
    """Tournaments that start before the first adopted text are not registered."""
    return load_adoptions().first_day


@receiver(appeal_upheld)
def restore_published_report(sender: Any, *, appeal: Appeal, at: datetime, **kwargs: Any) -> None:
    """Bring back the published report that was withdrawn, as a correction on the next list (D-87, D-11)."""
    tournament = Tournament.objects.get(pk=appeal.tournament_id)
    withdrawn = tournament.reports.filter(state=ReportState.WITHDRAWN).order_by("version").last()
    if tournament.stage != Stage.PUBLISHED or withdrawn is None:
        return
    correct_report(
        tournament,
        bytes(withdrawn.content),
        file_name=withdrawn.file_name,
        reason=appeal.outcome_reason,
        by=appeal.decided_by,
        on=at.date(),
        at=at,
    )


@receiver(reports_accepted)
def rate_accepted_reports(
    sender: Any, *, reports: Sequence[Report], at: datetime, dispatch: Dispatch | None, **kwargs: Any
) -> None:
    """Accepted reports are due to be rated once their transaction is through.

    What they were rated before does not stand any more: a list that comes first rates them anew (D-100).
    """
    TournamentRating.objects.filter(report__in=reports, included_in=None).delete()
    make_all_due(Work.RATE, [str(report.pk) for report in reports], at=at, dispatch=dispatch)


@receiver(list_published)
def announce_published_list(sender: Any, *, rating_list: RatingList, at: datetime, **kwargs: Any) -> None:
    """Officers hear of a published list once its transaction is through."""
    announce(rating_list, at=at)


@receiver(list_published)
def tell_webhooks(sender: Any, *, rating_list: RatingList, at: datetime, **kwargs: Any) -> None:
    """The webhooks of federations hear of a list, and of their tournaments on it."""
    held = webhooks.listening()
    if not held:
        return
    day = rating_list.date.isoformat()
    url = settings.SITE_URL + reverse("ratings:list", args=[rating_list.kind, rating_list.date])
    data = {"kind": rating_list.kind, "date": day, "players": rating_list.listed, "url": url}
    news = webhooks.News(WebhookEvent.LIST, f"{WebhookEvent.LIST}:{rating_list.kind}:{day}", data)
    webhooks.tell([news], at=at, webhooks=held)
    on_list = Tournament.objects.filter(
        federation__in={one.federation_id for one in held}, reports__rating__included_in=rating_list
    )
    told = [(tournament, day) for tournament in on_list.order_by("event_id")]
    tell_of_tournaments(WebhookEvent.PUBLISHED, told, at=at, listening=held)


@receiver(list_published)
def charge_for_published_list(sender: Any, *, rating_list: RatingList, **kwargs: Any) -> None:
    """Every federation's statement of fees stands with the list."""
    make_statements(rating_list)


@receiver(list_published)
def archive_published_list(
    sender: Any, *, rating_list: RatingList, at: datetime, dispatch: Dispatch | None, **kwargs: Any
) -> None:
    """The files of a published list are due to be packed once its transaction is through."""
    make_due(Work.ARCHIVE, name_of(rating_list), at=at, dispatch=dispatch)


@receiver(list_published)
def tell_followers_of_published_list(
    sender: Any, *, rating_list: RatingList, at: datetime, dispatch: Dispatch | None, **kwargs: Any
) -> None:
    """The emails to followers of what a list changes are due once its transaction is through."""
    if at.date() - rating_list.date <= NEWS_FOR and has_followers():
        make_due(Work.MAIL, name_of(rating_list), at=at, dispatch=dispatch)


@receiver(report_checked)
def check_reported_ratings(
    sender: Any,
    *,
    report: TrfReport,
    tournament: Tournament,
    players: Mapping[int, Player],
    lookups: Lookups,
    **kwargs: Any,
) -> Iterator[Finding]:
    """A report is held against the lists in force."""
    return check_against_lists(report, tournament, players, lookups.of(Lists))


@receiver(indicators_wanted)
def improbable_by_the_ratings(sender: Any, *, report: Report, own: Own, **kwargs: Any) -> list[Indicator]:
    """The QC sees which results are improbable by the lists in force."""
    return [*improbable_results(report, own)]


@receiver(lists_wanted)
def calendars_of_lists(
    sender: Any, *, today: date, tournaments: Sequence[Tournament], **kwargs: Any
) -> ListCalendars:
    """Those who tell where a tournament stands see which lists are published."""
    return with_taken(list_calendars(today), tournaments)


@receiver(merging_foreseen)
def foresee_on_lists(sender: Any, *, player: Player, into: Player, **kwargs: Any) -> list[MergeEffect]:
    """Staff see what becomes of both IDs' ratings before they merge them."""
    return foreseen_on_lists(player, into)


@receiver(exclusion_foreseen)
def preview_exclusion_on_lists(
    sender: Any, *, federation: Federation, **kwargs: Any
) -> dict[str, PlayersOfFederation]:
    """Staff see how many players an exclusion takes off the lists that the portal publishes (9.1)."""
    newest = {kind: RatingList.objects.latest_of(kind) for kind in PUBLISHED_KINDS}
    rows = {kind: item.entries.filter(federation=federation) for kind, item in newest.items() if item}
    return {
        kind: PlayersOfFederation(
            listed=entries.listed().count(), withheld=entries.filter(status=EntryStatus.WITHHELD).count()
        )
        for kind, entries in rows.items()
    }


@receiver(players_merged)
def take_over_games_and_ratings(
    sender: Any, *, player: Player, successor: Player, reason: str, by: Any, at: datetime, **kwargs: Any
) -> None:
    """What an ID has on lists and in reports follows to the ID that it is merged into."""
    merge_on_lists(player, into=successor, reason=reason, by=by, at=at)


def announce(rating_list: RatingList, *, at: datetime) -> int:
    """Note a mail on a published list to every officer and deputy, once a list, and return how many."""
    if at.date() - rating_list.date > NEWS_FOR:
        return 0
    roles = (Role.OFFICER, Role.DEPUTY)
    officers = get_user_model().objects.filter(appointments__role__in=roles).distinct()
    context = {"list": rating_list, "site": settings.SITE_URL}
    return notices.post(
        to=officers,
        kind=NoticeKind.PUBLICATION,
        key=f"publication:{rating_list.kind}:{rating_list.date.isoformat()}",
        subject=_("%(kind)s list of %(day)s published")
        % {"kind": rating_list.get_kind_display(), "day": rating_list.date.isoformat()},
        text=render_to_string("mails/publication.txt", context).strip(),
        at=at,
    )
