"""The figures of lists, what stopped a list before it was published, and how that was explained (D-134)."""

from __future__ import annotations

from django.db import models
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from core.html.dates import list_month
from core.models import ValueField, account_field
from ratings.choices import ListKind
from ratings.models.rating_list import RatingList
from ratings.systems.judgement import ListFigures, Stop


class Judgement(models.Model):
    """A list with its figures, or a candidate that was stopped before it was one (`rating_list` is None).

    `differences` are those that the second engine found, each as FIDE ID, name, what was expected and what is there.
    """

    kind = models.CharField(_("Rating type"), max_length=8, choices=ListKind)
    date = models.DateField(_("Date"))
    rating_list = models.OneToOneField(
        RatingList, on_delete=models.CASCADE, null=True, blank=True, related_name="judgement"
    )
    figures = ValueField(_("Figures"), of=ListFigures, default=ListFigures)
    stops = ValueField(_("Out of bounds"), of=list[Stop], default=list, blank=True)
    differences = ValueField(_("Differences"), of=list[list[str]], default=list, blank=True)
    judged_at = models.DateTimeField(_("Judged at"))

    class Meta:
        ordering = ["-date", "kind"]
        verbose_name = _("figures of a list")
        verbose_name_plural = _("figures of lists")
        constraints = [
            models.UniqueConstraint(fields=["kind", "date"], name="one_judgement_a_kind_and_date"),
        ]

    def __str__(self) -> str:
        return f"{capfirst(ListKind(self.kind).label)}, {list_month(self.date)}"


class Explanation(models.Model):
    """Why a figure of a list is out of bounds and right all the same: of what was seen, never changed.

    `is_alone`: an officer of the federation explained its figure, as nobody else could (D-131).
    """

    kind = models.CharField(_("Rating type"), max_length=8, choices=ListKind)
    date = models.DateField(_("Date"))
    code = models.CharField(_("Figure"), max_length=60)
    value = models.BigIntegerField(_("Value"))
    # Empty of what was explained before causes were kept.
    cause = models.CharField(_("Checksum of what is behind the figure"), max_length=16, blank=True)
    reason = models.TextField(_("Reason"))
    by = account_field(verbose_name=_("Explained by"))
    by_name = models.CharField(_("Explained by"), max_length=254, blank=True)
    at = models.DateTimeField(_("Date and time"))
    is_alone = models.BooleanField(_("Decided by one person alone"), default=False)

    class Meta:
        ordering = ["-date", "kind", "code", "pk"]
        verbose_name = _("explanation of a figure")
        verbose_name_plural = _("explanations of figures")
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "date", "code", "value", "cause"], name="one_explanation_a_cause"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code}, {list_month(self.date)}"
