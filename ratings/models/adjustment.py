"""Acts on whole lists, and adjustments of one by a formula (D-133)."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.models import account_field
from players.choices import Area
from ratings.choices import ListKind
from ratings.models.rating_list import RatingList
from ratings.systems.arithmetic import in_decimals
from ratings.systems.otb.adjustment import Adjustment


class ActOnLists(models.Model):
    """An act with its reason and the reference of its decision, both public.

    Names are of the operator of the installation, who has no account. `is_alone`: confirmed by who prepared it, as
    nobody else could.
    """

    area: ClassVar[Area]

    reason = models.TextField(_("Reason"))
    reference = models.CharField(_("Reference"), max_length=200)
    prepared_by = account_field(verbose_name=_("Prepared by"))
    prepared_by_name = models.CharField(max_length=254, blank=True)
    prepared_at = models.DateTimeField(_("Prepared at"))
    confirmed_by = account_field(verbose_name=_("Confirmed by"))
    confirmed_by_name = models.CharField(max_length=254, blank=True)
    confirmed_at = models.DateTimeField(_("Confirmed at"), null=True, blank=True)
    is_alone = models.BooleanField(_("Decided by one person alone"), default=False)
    cancelled_by = account_field(verbose_name=_("Cancelled by"))
    cancelled_at = models.DateTimeField(_("Cancelled at"), null=True, blank=True)
    cancelled_reason = models.TextField(_("Reason for cancelling"), blank=True)

    class Meta:
        abstract = True

    @property
    def subject(self) -> str:
        """What the log calls the act."""
        return str(self)


class ListAdjustmentQuerySet(models.QuerySet["ListAdjustment"]):
    """Adjustments by what became of them."""

    def standing(self) -> ListAdjustmentQuerySet:
        """Return those that were not cancelled, confirmed or not."""
        return self.filter(cancelled_at=None)

    def confirmed(self) -> ListAdjustmentQuerySet:
        """Return those that the list of their date takes, or has taken."""
        return self.standing().filter(confirmed_at__isnull=False)

    def formulas(self, kind: str) -> dict[date, Adjustment]:
        """Return the formula of each list of a kind that the portal adjusts, by the date of the list; one query."""
        return {row.list_date: row.formula for row in self.confirmed().filter(kind=kind)}


class ListAdjustment(ActOnLists):
    """A formula for one list: prepared by one person, confirmed by another (D-131), cancelled until it is published.

    The share is an exact fraction, such as `2/5`.
    """

    area = Area.LIST
    kind = models.CharField(_("Rating type"), max_length=8, choices=ListKind)
    list_date = models.DateField(_("Date of the list"))
    limit = models.PositiveSmallIntegerField(_("Limit"))
    is_above = models.BooleanField(_("Ratings above the limit"), default=False)
    share = models.CharField(_("share"), max_length=20)
    least = models.PositiveSmallIntegerField(_("Least rating"), null=True, blank=True)
    objects = ListAdjustmentQuerySet.as_manager()

    class Meta:
        ordering = ["-list_date", "kind", "-pk"]
        verbose_name = _("adjustment of a list")
        verbose_name_plural = _("adjustments of lists")
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "list_date"],
                # A list has one formula; another may be prepared once this one is cancelled.
                condition=Q(cancelled_at__isnull=True),
                name="one_adjustment_a_list",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.list_date.isoformat()}"

    @property
    def formula(self) -> Adjustment:
        return Adjustment(
            limit=self.limit, share=Fraction(self.share), is_above=self.is_above, least=self.least
        )

    @property
    def share_text(self) -> str:
        """The share as a decimal where that is exact, else as a fraction."""
        share = Fraction(self.share)
        decimals = in_decimals(share, places=4)
        return decimals if Fraction(decimals) == share else self.share


def adjustment_on(rating_list: RatingList) -> ListAdjustment | None:
    """Return the adjustment that a list took, or that one which is not published yet takes."""
    if rating_list.pk is not None and not rating_list.is_adjusted:
        return None
    return (
        ListAdjustment.objects.confirmed().filter(kind=rating_list.kind, list_date=rating_list.date).first()
    )
