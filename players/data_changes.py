"""Changes of what is recorded of a player, asked for by the federation, decided by FIDE staff."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.errors import Refusal, RefusedError
from core.pages import Page
from players import notices
from players.cases import (
    CaseRules,
    CaseTask,
    only,
    open_case,
    player_acts,
    seen_by_federation,
    staff_decide,
    waits_for_staff,
)
from players.choices import CaseState, Deed, NoticeKind
from players.models import ChangeRequest, Player
from players.name_refusals import doubt_refusals, name_refusals
from players.permissions import can_withdraw_change, refuse_merged, refuse_strangers

FIELDS = ("name", "sex", "birth_date", "died_on")
NOTHING_CHANGES = _l("Enter at least one change. Values equal to the recorded data are ignored.")


def ask_change(
    wanted: ChangeRequest, *, is_name_confirmed: bool = False, by: Any, at: datetime
) -> ChangeRequest:
    """Record that the player's federation asks for a change; nothing is changed by it. What is empty is to stay.

    `is_name_confirmed` where whoever asks says that the name is right, although it looks wrong. `RefusedError` where
    the person does not act for the federation, nothing would change, a day cannot be, or a request of this player
    waits already.
    """
    player = wanted.player
    refuse_strangers(by, player.federation_id, field="player")
    refusals = [*_refusals(player, wanted, at.date(), is_name_confirmed=is_name_confirmed)]
    if refusals:
        raise RefusedError(refusals)
    wanted.federation_id, wanted.asked_by, wanted.asked_at = player.federation_id, by, at
    message = _("This player already has a pending request. Cancel it before you make another.")
    return open_case(wanted, second=Refusal("request-waits", message, "player"))


def change_rules(grant: Callable[..., None]) -> CaseRules:
    """Return how a request is decided; `grant` corrects what lists have too, which is an app above."""
    return CaseRules(
        task=CaseTask(_l("Decide on the data change request")),
        seen_by=seen_by_federation,
        waits_for=waits_for_staff,
        bar=staff_decide,
        bar_to_cancel=only(
            can_withdraw_change, _l("Only the federation that made the request can cancel it.")
        ),
        grant=grant,
        # What is corrected is published with its reason.
        with_reason=(CaseState.APPROVED, CaseState.REFUSED),
        tell=_mail_decision,
        record=player_acts(
            {
                CaseState.WAITING: Deed.ASK_CHANGE,
                CaseState.APPROVED: Deed.CHANGED,
                CaseState.REFUSED: Deed.NOT_CHANGED,
                CaseState.WITHDRAWN: Deed.UNASK,
            },
            _about,
        ),
    )


def _about(request: ChangeRequest) -> dict[str, Any]:
    # What is asked for may be private.
    return {"player_id": request.player_id, "subject": f"FIDE ID {request.player_id}"}


def _mail_decision(request: ChangeRequest, *, at: datetime) -> None:
    values = {"player": request.player, "state": CaseState(request.state).label}

    def text() -> str:
        line = _("Your request to change the data of %(player)s: %(state)s.") % values
        return "\n\n".join(filter(None, [line, request.answer, Page("desk:case", request.number).link]))

    notices.post(
        to=[request.asked_by],
        kind=NoticeKind.TRANSFER,
        key=f"change:{request.pk}",
        subject=lambda: _("Data of %(player)s: %(state)s") % values,
        text=text,
        at=at,
    )


def _refusals(
    player: Player, wanted: ChangeRequest, today: date, *, is_name_confirmed: bool
) -> Iterator[Refusal]:
    refuse_merged(player)
    changed = [name for name in FIELDS if (value := getattr(wanted, name)) and value != getattr(player, name)]
    if not changed:
        yield Refusal("nothing-changes", str(NOTHING_CHANGES))
    if wanted.name:
        yield from name_refusals(wanted.name, field="surname")
    if "name" in changed and not is_name_confirmed:
        yield from doubt_refusals(wanted.name, field="surname")
    born = wanted.birth_date or player.birth_date
    year = born.year if born else player.birth_year
    if wanted.birth_date and wanted.birth_date > today:
        yield Refusal("day-to-come", _("The date must be today or earlier."), "birth_date")
    field = "died_on" if wanted.died_on else "birth_date"
    yield from death_refusals(wanted.died_on or player.died_on, born, year, today, field=field)


def death_refusals(
    died_on: date | None, born: date | None, birth_year: int | None, today: date, *, field: str = "died_on"
) -> Iterator[Refusal]:
    """Yield why nobody born then can have died on a day: it is after today, or before the birth (D-74)."""
    if died_on is None:
        return
    values = {"day": date_format(died_on), "today": date_format(today), "year": birth_year}
    if died_on > today:
        message = _("%(day)s is after today, %(today)s. Enter the date of death.")
        yield Refusal("death-D-74", message % values, field)
    elif birth_year and died_on.year < birth_year:
        message = _(
            "%(day)s is before the year of birth, %(year)s. Enter the date of death, or correct the year."
        )
        yield Refusal("death-D-74", message % values, field)
    elif born and died_on < born:
        yield Refusal(
            "death-D-74", _("The date of death is before the date of birth. Correct one of them."), field
        )
