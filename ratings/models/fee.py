"""What rating costs: the rates that staff set, and what each federation owes for each list (0.2)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.html.dates import short_date
from players.choices import Area
from players.models import Federation
from players.models.log import Logged
from ratings.models.rating_list import RatingList

NOT_NEGATIVE = MinValueValidator(Decimal(0))
CURRENCY = RegexValidator(r"\A[A-Z]{3}\Z", _("Three capital letters, for example EUR."))


class FeeRateQuerySet(models.QuerySet["FeeRate"]):
    def used(self) -> FeeRateQuerySet:
        """Those by which a statement was made; they are evidence."""
        return self.filter(statements__isnull=False).distinct()


class FeeRate(Logged):
    """The rates for lists dated on or after a day, until the next row's. Amounts in whole cents."""

    valid_from = models.DateField(_("For lists dated from"), unique=True)
    currency = models.CharField(_("Currency"), max_length=3, validators=[CURRENCY])
    per_tournament = models.DecimalField(
        _("Fee per tournament"), max_digits=8, decimal_places=2, validators=[NOT_NEGATIVE]
    )
    per_player = models.DecimalField(
        _("Fee per player"), max_digits=8, decimal_places=2, validators=[NOT_NEGATIVE]
    )
    area = Area.FEE

    objects = FeeRateQuerySet.as_manager()

    class Meta:
        ordering = ["-valid_from"]
        verbose_name = _("fee rate")
        verbose_name_plural = _("fee rates")
        constraints = [
            models.CheckConstraint(
                condition=Q(per_tournament__gte=0, per_player__gte=0),
                name="fees_are_not_negative",
            ),
            models.CheckConstraint(condition=Q(currency__regex=r"^[A-Z]{3}$"), name="a_currency_has_a_code"),
        ]

    def __str__(self) -> str:
        return f"{short_date(self.valid_from)}, {self.currency}"

    def log_subject(self) -> dict[str, Any]:
        return {"subject": f"{self.valid_from.isoformat()}, {self.currency}"}


class FeeStatement(models.Model):
    """What a federation owes for one published list. Made with the list, never changed.

    Without a rate none was valid on the list's date, and nothing is owed.
    """

    rating_list = models.ForeignKey(
        RatingList, on_delete=models.PROTECT, related_name="fee_statements", db_index=False
    )
    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="fee_statements")
    rate = models.ForeignKey(
        FeeRate, on_delete=models.PROTECT, null=True, blank=True, related_name="statements"
    )
    tournaments = models.PositiveIntegerField(_("Tournaments"))
    players = models.PositiveIntegerField(_("Players"))
    amount = models.DecimalField(_("Amount"), max_digits=16, decimal_places=2)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("fee statement")
        verbose_name_plural = _("fee statements")
        constraints = [
            models.UniqueConstraint(fields=["rating_list", "federation"], name="one_statement_a_list"),
        ]

    def __str__(self) -> str:
        return f"{self.federation} · {self.rating_list}"
