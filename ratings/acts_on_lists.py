"""The one protocol of acts on whole lists: who may, prepare, confirm by another person, cancel, log (D-131)."""

from __future__ import annotations

from typing import Any, TypeVar

from django.utils.translation import gettext as _

from core.acts import Act
from core.errors import refused
from players.choices import Deed
from players.models.log import record_act
from players.permissions import is_staff
from ratings.models.adjustment import ActOnLists

T = TypeVar("T", bound=ActOnLists)


def refuse_others(by: Any) -> None:
    """Raise `RefusedError` for anybody who is not FIDE staff; nobody is the operator of the installation."""
    if by is not None and not is_staff(by):
        raise refused("staff-only", _("Only FIDE staff can do this."))


def refuse_without_reason(act: Act) -> None:
    """Raise `RefusedError` for an act that nobody gives a reason for."""
    if not act.reason.strip():
        raise refused("reason-missing", _("Enter a reason. It is saved and published."), "reason")


def prepare_act(item: T, act: Act, *, reference: str, by_name: str) -> T:
    """Store a new act with who prepared it, and log that."""
    item.reason, item.reference = act.reason.strip(), reference.strip()
    item.prepared_by, item.prepared_at = act.by, act.at
    item.prepared_by_name = "" if act.by else by_name
    item.save(force_insert=True)
    _log(Deed.PREPARE, item, act, by_name)
    return item


def confirm_act(item: ActOnLists, act: Act, *, by_name: str, is_alone: bool) -> None:
    """Store who confirmed an act, and log that, apart where one person decided alone."""
    item.confirmed_by, item.confirmed_at, item.is_alone = act.by, act.at, is_alone
    item.confirmed_by_name = "" if act.by else by_name
    item.save()
    for deed in (Deed.APPROVE, Deed.ALONE) if is_alone else (Deed.APPROVE,):
        _log(deed, item, act, by_name)


def cancel_act(item: ActOnLists, act: Act) -> None:
    """Store who cancelled an act, and log that."""
    item.cancelled_by, item.cancelled_at, item.cancelled_reason = act.by, act.at, act.reason.strip()
    item.save()
    _log(Deed.CALL_OFF, item, act, "")


def _log(deed: Deed, item: ActOnLists, act: Act, by_name: str) -> None:
    record_act(item.area, deed, item.subject, by=act.by, by_name=by_name, at=act.at, reason=act.reason)
