"""The invoices of fee statements."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Case, Exists, F, OuterRef, Q, Value, When
from django.utils.translation import gettext_lazy as _

from players.models import Federation
from ratings.choices import InvoiceKind, InvoiceState
from ratings.models.fee import FeeStatement


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
            # The database refuses what two clicks at once would do: cancel or charge twice.
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
