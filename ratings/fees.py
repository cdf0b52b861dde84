"""Fee statements of federations, written with each list (0.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, QuerySet

from players.choices import Role
from players.permissions import federations_of, has_role, is_staff
from ratings.models import FeeRate, FeeStatement, RatingList, TournamentRating
from tournaments.models import Tournament

# Fees are for players with at least one game in the tournament that counts.
PLAYERS = Count("participants", filter=Q(participants__games__gt=0))


def make_statements(rating_list: RatingList) -> None:
    """Make every federation's statement for a list, at the rates valid on the list's date; again changes nothing."""
    rate = FeeRate.objects.filter(valid_from__lte=rating_list.date).order_by("-valid_from").first()
    rows = (
        charged_ratings(rating_list)
        .order_by()
        .values_list("report__tournament__federation")
        .annotate(
            tournaments=Count("pk", distinct=True),
            players=PLAYERS,
        )
    )
    FeeStatement.objects.bulk_create(
        [
            FeeStatement(
                rating_list=rating_list,
                federation_id=code,
                rate=rate,
                tournaments=tournaments,
                players=players,
                amount=amount_of(rate, tournaments=tournaments, players=players),
            )
            for code, tournaments, players in rows
        ],
        # A statement that is there may be paid: it stays as it is.
        ignore_conflicts=True,
    )


@dataclass(frozen=True, slots=True)
class FeeLine:
    """One tournament of a statement; the amount is exact to the cent."""

    tournament: Tournament
    players: int
    amount: Decimal


def lines_of(statement: FeeStatement) -> Sequence[FeeLine]:
    """Return the tournaments of a statement in the order of their days; their amounts add up to its own."""
    ratings = (
        charged_ratings(statement.rating_list)
        .annotate(players=PLAYERS)
        .filter(report__tournament__federation=statement.federation_id)
        .select_related("report__tournament")
        .defer("report__content", "report__pgn", "report__findings")
        .order_by("report__tournament__start", "report__tournament__event_id")
    )
    return [
        FeeLine(
            row.report.tournament,
            row.players,
            amount_of(statement.rate, tournaments=1, players=row.players),
        )
        for row in ratings
    ]


def charged_ratings(rating_list: RatingList) -> QuerySet[TournamentRating]:
    """Return the ratings of a list for which a federation pays.

    Official events and those rated by decision of Council or the President are no federation's (0.2, 0.3).
    """
    return TournamentRating.objects.filter(
        included_in=rating_list, report__tournament__is_official=False, report__tournament__decided_by=""
    )


def amount_of(rate: FeeRate | None, *, tournaments: int, players: int) -> Decimal:
    """Return what so many tournaments and players cost, exact to the cent; nothing where no rate was valid."""
    if rate is None:
        return Decimal("0.00")
    return rate.per_tournament * tournaments + rate.per_player * players


def statements_of(user: Any) -> QuerySet[FeeStatement]:
    """Return the statements that the person reads: the federations' own; staff and auditors all."""
    statements = FeeStatement.objects.select_related("rating_list", "federation", "rate")
    if is_staff(user) or has_role(user, Role.AUDITOR):
        return statements
    return statements.filter(federation__in=federations_of(user))
