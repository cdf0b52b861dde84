"""Proposals of the QC: a text with other parameters, tried on published lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refused
from ratings.models import TextTrial
from ratings.permissions import can_propose
from ratings.services.text_trials import first_click, names_of_lists, queue_trial, refuse_unknown
from ratings.systems.variants import Parameters
from tournaments.signals import Dispatch

MAX_LISTS, MAX_NAME, MAX_RUNNING = 60, 80, 3
# Trials are done in their order: only the newest ones can still be waiting.
NEWEST = 10


def try_proposal(
    name: str,
    parameters: Parameters,
    months: Iterable[date],
    *,
    by: Any,
    at: datetime,
    dispatch: Dispatch | None = None,
) -> TextTrial:
    """Queue the trial of a proposal on the published lists of months; `RefusedError` where it cannot be."""
    if not can_propose(by):
        raise refused("qc-only", _("Only the QC and FIDE staff can try proposals."))
    refuse_unknown(parameters.text)
    if parameters.initial is not None:
        refuse_unknown(parameters.initial, field="initial")
    if refusals := [*_refusals(name.strip(), parameters)]:
        raise RefusedError(refusals)
    lists = names_of_lists(months)
    if len(lists) > MAX_LISTS:
        message = _("Select fewer months: at most %(most)s lists.") % {"most": MAX_LISTS}
        raise refused("months-too-many", message, "months")
    trial = TextTrial(
        text=parameters.text, name=name.strip(), parameters=parameters.as_row(), lists=lists, by=by, at=at
    )
    with transaction.atomic():
        if (first := first_click(trial)) is not None:
            return first
        _check_running(by)
        return queue_trial(trial, dispatch)


def share_proposal(proposal: TextTrial, *, by: Any, at: datetime) -> None:
    """Show a proposal to the QC, FIDE staff and FIDE Council; `RefusedError` for anybody but its author."""
    if not can_propose(by) or proposal.by_id != by.pk:
        raise refused("author-only", _("Only the author can share a proposal."))
    TextTrial.objects.filter(pk=proposal.pk, shared_at=None).update(shared_at=at)


def _refusals(name: str, parameters: Parameters) -> Iterator[Refusal]:
    if not name or len(name) > MAX_NAME:
        message = _("Enter a name of at most %(most)s characters.") % {"most": MAX_NAME}
        yield Refusal("name-missing", message, "name")
    if parameters.changes_nothing:
        yield Refusal("nothing-changed", _("Enter at least one value that differs from the text."))
    for field, least, most in parameters.out_of_bounds():
        message = _("Enter a number from %(least)s to %(most)s.") % {"least": least, "most": most}
        yield Refusal("out-of-bounds", message, field)


def _check_running(by: Any) -> None:
    own = TextTrial.objects.filter(by=by).exclude(name="").order_by("-pk")[:NEWEST]
    if sum(not trial.is_done for trial in own) >= MAX_RUNNING:
        raise refused("too-many-running", _("Wait until one of your trials is done."))
