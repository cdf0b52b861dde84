"""What rating costs: the rates that staff set, what each federation owes for each list (0.2), and the invoices of it.

What an issued invoice says never changes, and its number is never used again.
"""

from __future__ import annotations

from decimal import Decimal

from django.conf import settings
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Case, Exists, F, OuterRef, Q, Value, When
from django.utils.translation import gettext_lazy as _

from core.html.dates import short_date
from core.models import History
from players.models import Federation
from ratings.choices import InvoiceKind, InvoiceState
from ratings.models.rating_list import RatingList

NOT_NEGATIVE = MinValueValidator(Decimal(0))
CURRENCY = RegexValidator(r"\A[A-Z]{3}\Z", _("Three capital letters, for example EUR."))


class FeeRateQuerySet(models.QuerySet["FeeRate"]):
    def used(self) -> FeeRateQuerySet:
        """Those by which a statement was made; they are evidence."""
        return self.filter(statements__isnull=False).distinct()


class FeeRate(models.Model):
    """The rates for lists dated on or after a day, until the next row's. Amounts in whole cents."""

    valid_from = models.DateField(_("for lists dated from"), unique=True)
    currency = models.CharField(_("currency"), max_length=3, validators=[CURRENCY])
    per_tournament = models.DecimalField(
        _("fee per tournament"), max_digits=8, decimal_places=2, validators=[NOT_NEGATIVE]
    )
    per_player = models.DecimalField(
        _("fee per player"), max_digits=8, decimal_places=2, validators=[NOT_NEGATIVE]
    )
    late_fee = models.DecimalField(
        _("late fee"), max_digits=8, decimal_places=2, validators=[NOT_NEGATIVE], default=Decimal(0)
    )
    days_to_pay = models.PositiveSmallIntegerField(_("days to pay"), default=30)
    issuer = models.TextField(
        _("issuer"),
        max_length=500,
        blank=True,
        db_default="",
        help_text=_("Name and address, on each invoice."),
    )
    bank_details = models.TextField(
        _("bank details"),
        max_length=500,
        blank=True,
        help_text=_("Where invoices are paid, on each invoice."),
    )
    history = History()

    objects = FeeRateQuerySet.as_manager()

    class Meta:
        ordering = ["-valid_from"]
        verbose_name = _("fee rate")
        verbose_name_plural = _("fee rates")
        constraints = [
            models.CheckConstraint(
                condition=Q(per_tournament__gte=0, per_player__gte=0, late_fee__gte=0),
                name="fees_are_not_negative",
            ),
            models.CheckConstraint(condition=Q(currency__regex=r"^[A-Z]{3}$"), name="a_currency_has_a_code"),
        ]

    def __str__(self) -> str:
        return f"{short_date(self.valid_from)}, {self.currency}"


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
    tournaments = models.PositiveIntegerField(_("tournaments"))
    players = models.PositiveIntegerField(_("players"))
    amount = models.DecimalField(_("amount"), max_digits=16, decimal_places=2)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("fee statement")
        verbose_name_plural = _("fee statements")
        constraints = [
            models.UniqueConstraint(fields=["rating_list", "federation"], name="one_statement_a_list"),
        ]

    def __str__(self) -> str:
        return f"{self.federation} · {self.rating_list}"


class InvoiceCounter(models.Model):
    """The number of the newest invoice, in its only row. Whoever issues one locks it, so that no number is missing."""

    last = models.PositiveIntegerField(_("newest number"), default=0)

    class Meta:
        verbose_name = _("invoice counter")
        verbose_name_plural = _("invoice counters")

    def __str__(self) -> str:
        return str(self.last)


class InvoiceQuerySet(models.QuerySet["Invoice"]):
    def with_state(self) -> InvoiceQuerySet:
        """With `state` as `shown_state`, by the database."""
        counter = Invoice.objects.filter(of=OuterRef("pk"), kind=InvoiceKind.COUNTER)
        state = Case(
            When(Q(kind=InvoiceKind.COUNTER) | Exists(counter), then=Value(InvoiceState.CANCELLED)),
            When(paid_on__isnull=False, then=Value(InvoiceState.PAID)),
            When(sent_at__isnull=False, then=Value(InvoiceState.SENT)),
            default=Value(InvoiceState.OPEN),
            output_field=models.CharField(),
        )
        return self.annotate(shown_state=state)


class Invoice(models.Model):
    """An invoice, a counter-invoice that cancels one, or one for a late fee.

    `of` is the invoice that it cancels, or that was paid late. Only `sent_at`, `paid_on` and `payment` are ever written
    after it is issued.
    """

    number = models.PositiveIntegerField(_("number"), unique=True)
    kind = models.CharField(_("kind"), max_length=8, choices=InvoiceKind, default=InvoiceKind.FEES)
    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="invoices")
    statement = models.ForeignKey(FeeStatement, on_delete=models.PROTECT, related_name="invoices")
    of = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="followers",
        verbose_name=_("for"),
    )
    currency = models.CharField(_("currency"), max_length=3)
    amount = models.DecimalField(_("amount"), max_digits=16, decimal_places=2)
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    issued_on = models.DateField(_("issued on"))
    due_on = models.DateField(_("due on"))
    issued_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    sent_at = models.DateTimeField(_("sent at"), null=True, blank=True)
    paid_on = models.DateField(_("paid on"), null=True, blank=True)
    payment = models.CharField(_("payment reference"), max_length=120, blank=True)

    objects = InvoiceQuerySet.as_manager()

    class Meta:
        ordering = ["-number"]
        verbose_name = _("invoice")
        verbose_name_plural = _("invoices")
        constraints = [
            models.UniqueConstraint(
                fields=["of", "kind"],
                condition=Q(of__isnull=False),
                name="an_invoice_is_followed_once_a_kind",
            ),
            models.CheckConstraint(
                condition=Q(kind=InvoiceKind.COUNTER, amount__lt=0)
                | (~Q(kind=InvoiceKind.COUNTER) & Q(amount__gt=0)),
                name="counter_invoices_are_negative",
            ),
            models.CheckConstraint(
                condition=Q(due_on__gte=F("issued_on")), name="an_invoice_is_due_after_its_day"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number:06d}"

    @property
    def counter(self) -> Invoice | None:
        """Return the counter-invoice that cancelled it, if there is one."""
        return next((one for one in self.followers.all() if one.kind == InvoiceKind.COUNTER), None)

    @property
    def state(self) -> InvoiceState:
        """Return where the invoice stands, by its dates."""
        if self.kind == InvoiceKind.COUNTER or self.counter is not None:
            return InvoiceState.CANCELLED
        if self.paid_on is not None:
            return InvoiceState.PAID
        return InvoiceState.SENT if self.sent_at is not None else InvoiceState.OPEN


class InvoiceReminder(models.Model):
    """A reminder of an invoice, by its number from 1."""

    invoice = models.ForeignKey(Invoice, on_delete=models.PROTECT, related_name="reminders")
    number = models.PositiveSmallIntegerField(_("number"))
    at = models.DateTimeField(_("sent at"))
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["invoice", "number"]
        verbose_name = _("reminder")
        verbose_name_plural = _("reminders")
        constraints = [
            models.UniqueConstraint(fields=["invoice", "number"], name="a_reminder_is_sent_once"),
        ]

    def __str__(self) -> str:
        return f"{self.invoice_id} {self.number}"
