"""What ratings do when tournaments tell them something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.dispatch import receiver
from django.utils.translation import gettext as _

from players.errors import refused
from players.models import Player
from players.signals import players_merged
from ratings.choices import Work
from ratings.models import ListEntry, RatingList
from ratings.services.announcement import announce
from ratings.services.fees import make_statements
from ratings.services.improbable import improbable_results
from ratings.services.reported import check_against_lists
from ratings.services.runs import make_due, name_of
from ratings.signals import list_published
from tournaments.models import Participant, Report, Tournament
from tournaments.queries.indicators import Indicator, Own
from tournaments.signals import indicators_wanted, report_accepted, report_checked
from tournaments.trf import Finding
from tournaments.trf import Report as TrfReport


@receiver(report_accepted)
def rate_accepted_report(sender: Any, *, report: Report, at: datetime, **kwargs: Any) -> None:
    """An accepted report is due to be rated once its transaction is through."""
    make_due(Work.RATE, str(report.pk), at=at)


@receiver(list_published)
def announce_published_list(sender: Any, *, rating_list: RatingList, at: datetime, **kwargs: Any) -> None:
    """Officers hear of a published list once its transaction is through."""
    announce(rating_list, at=at)


@receiver(list_published)
def charge_for_published_list(sender: Any, *, rating_list: RatingList, **kwargs: Any) -> None:
    """Every federation's statement of fees stands with the list."""
    make_statements(rating_list)


@receiver(list_published)
def archive_published_list(sender: Any, *, rating_list: RatingList, at: datetime, **kwargs: Any) -> None:
    """The files of a published list are due to be packed once its transaction is through."""
    make_due(Work.ARCHIVE, name_of(rating_list), at=at)


@receiver(report_checked)
def check_reported_ratings(
    sender: Any, *, report: TrfReport, tournament: Tournament, players: Mapping[int, Player], **kwargs: Any
) -> Iterator[Finding]:
    """A report is held against the lists in force."""
    return check_against_lists(report, tournament, players)


@receiver(indicators_wanted)
def improbable_by_the_ratings(sender: Any, *, report: Report, own: Own, **kwargs: Any) -> list[Indicator]:
    """The QC sees which results are improbable by the lists in force."""
    return [*improbable_results(report, own)]


@receiver(players_merged)
def refuse_merging_of_rated(sender: Any, *, player: Player, **kwargs: Any) -> None:
    """Keep an ID with entries on lists or games in reports from being merged: the next list would show it still."""
    is_listed = ListEntry.objects.filter(player=player).exists()
    if is_listed or Participant.objects.filter(player=player).exists():
        message = _("%(id)s has games or ratings of its own: merge the other ID into this one.")
        raise refused("has-games", message % {"id": player.pk}, "player")
