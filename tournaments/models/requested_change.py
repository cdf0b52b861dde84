"""Changes and withdrawals that officers ask the QC for once a tournament has begun (D-80, D-81)."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.models import ValueField
from players.choices import CaseKind, CaseState
from players.models import Case
from players.models.cases import own_number
from tournaments.amendments import Amendment, Condition
from tournaments.choices import RequestSort
from tournaments.portal_reasons import SENTENCES


class RequestedChange(Case):
    """A change or withdrawal that the officer asks for once the tournament has begun; the QC decides (D-80, D-81).

    `amendments` are its conditions; none of a withdrawal.
    """

    sentences = SENTENCES
    KIND = CaseKind.REQUEST
    STATES = {CaseState.WAITING: _("waiting for QC decision")}

    id = models.BigAutoField(primary_key=True)
    case = own_number()
    sort = models.CharField(_("Request"), max_length=10, choices=RequestSort)
    amendments = ValueField(
        _("Changed fields with old and new values"), of=list[Condition], default=list, blank=True
    )

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _("requested change")
        verbose_name_plural = _("requested changes")

    @property
    def changes(self) -> list[dict[str, Any]]:
        """The changed fields, as a step of the log keeps them."""
        return [one.as_change() for one in self.amendments]

    def __str__(self) -> str:
        return f"{self.tournament} · {self.get_sort_display()}"


class ResultCorrection(Case):
    """A correction of one game: decided at once by whoever may, else requested.

    `amendments` are those of the game; `white` and `black` are its starting ranks in `report`, which it corrects.
    `player` is the right person of a line.
    """

    KIND = CaseKind.RESULT
    STATES = {CaseState.APPROVED: _("corrected")}
    # What its amendments did, from the moment that they are made.
    effect: Any = None

    id = models.BigAutoField(primary_key=True)
    case = own_number()
    report = models.ForeignKey(
        "tournaments.Report", on_delete=models.PROTECT, related_name="result_corrections"
    )
    round = models.PositiveSmallIntegerField(_("Round"))
    white = models.PositiveSmallIntegerField(_("White"))
    black = models.PositiveSmallIntegerField(_("Black"))
    result_before = models.CharField(_("Result before"), max_length=7, blank=True)
    amendments = ValueField(_("Correction"), of=list[Amendment], default=list)

    class Meta:
        ordering = ["asked_at", "pk"]
        verbose_name = _("correction of a result")
        verbose_name_plural = _("corrections of results")

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.round}-{self.white}"

    @property
    def about(self) -> str:
        """The tournament and the game: of one tournament several may wait."""
        text = gettext("%(name)s, round %(round)d, players %(white)d and %(black)d")
        numbers = {"round": self.round, "white": self.white, "black": self.black}
        return text % {"name": self.tournament.name, **numbers}

    def key_of(self) -> str:
        return f"{self.tournament_id} {self.round} {self.white}"
