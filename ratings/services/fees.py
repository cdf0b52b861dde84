"""The statements of fees, made with the list that they are about (0.2)."""

from __future__ import annotations

from django.db.models import Count, Q

from ratings.models import FeeRate, FeeStatement, RatingList
from ratings.queries.fees import amount_of, charged


def make_statements(rating_list: RatingList) -> None:
    """Make every federation's statement for a list, at the rates valid on the list's date; again changes nothing."""
    rate = FeeRate.objects.filter(valid_from__lte=rating_list.date).order_by("-valid_from").first()
    rows = (
        charged(rating_list)
        .order_by()
        .values_list("report__tournament__federation")
        .annotate(
            tournaments=Count("pk", distinct=True),
            players=Count("participants", filter=Q(participants__games__gt=0)),
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
        ignore_conflicts=True,
    )
