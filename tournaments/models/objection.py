"""Objections of confirmed players to results of a tournament; they never block a report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, OuterRef, Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from players.choices import CaseKind, CaseState
from players.models import Case
from players.models.cases import own_number, waits


def owed() -> Q:
    """Return the condition that an accepted objection is neither settled nor its correction requested.

    A request that is taken back leaves it owed again.
    """
    its_round = Coalesce(OuterRef("objection__round"), F("resultcorrection__round"))
    requested = waits(CaseKind.RESULT, "tournament", resultcorrection__round=its_round)
    return Q(kind=CaseKind.OBJECTION, state=CaseState.APPROVED, objection__settled_at=None) & ~Q(requested)


class Objection(Case):
    """A player's objection to a result of their own; whoever reports the tournament or directed it answers."""

    KIND = CaseKind.OBJECTION
    STATES: ClassVar[Mapping[str, Any]] = {
        CaseState.WAITING: _("waiting for a reply"),
        CaseState.APPROVED: pgettext_lazy("objection", "accepted"),
        CaseState.REFUSED: pgettext_lazy("objection", "declined"),
        CaseState.WITHDRAWN: _("cancelled"),
    }
    # How the log names the answers.
    ANSWERS: ClassVar[Mapping[str, str]] = {CaseState.APPROVED: "agreed", CaseState.REFUSED: "declined"}

    id = models.BigAutoField(primary_key=True)
    case = own_number()
    round = models.PositiveSmallIntegerField(_("Round"), null=True, blank=True)
    # When the correction that an accepted objection promises was made, or its request refused.
    settled_at = models.DateTimeField(_("Corrected or requested at"), null=True, blank=True)

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _("objection of a player")
        verbose_name_plural = _("objections of players")

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.player_id}"

    def key_of(self) -> str:
        return f"{self.tournament_id} {self.player_id}"

    @property
    def about(self) -> str:
        return str(self.tournament.name)

    @property
    def asked_as(self) -> Any:
        """The player: the account, which may be shown by its address, is for who decides on its claim."""
        return self.player

    @property
    def decided_as(self) -> Any:
        return self.player if self.decided_by_id == self.asked_by_id else self.decided_by

    def facts(self) -> list[tuple[str, str]]:
        rounds = [(gettext("Round"), str(self.round))] if self.round else []
        return [(gettext("Player"), str(self.player)), *rounds]
