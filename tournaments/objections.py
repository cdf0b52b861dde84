"""Objections of confirmed players to their own results.

An objection is work for whoever reports the tournament or directed it. It changes no state and holds no list.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Q, QuerySet
from django.dispatch import receiver
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext_lazy

from core.errors import Refusal, RefusedError, refused
from core.html.dates import day_text
from core.pages import Page
from players import notices
from players.cases import (
    RULES,
    CaseRules,
    CaseTask,
    cancel_overtaken,
    nothing,
    only_who_asked,
    open_case,
    player_acts,
)
from players.choices import Area, CaseKind, CaseState, Deed, NoticeKind
from players.claims import claim_ended, claimed_player
from players.models import Invitation, Notice
from players.models.log import record_act
from tournaments.action_mails import reporters_of
from tournaments.choices import ReportState
from tournaments.models import Objection, Participant, Tournament
from tournaments.models.objection import owed
from tournaments.permissions import (
    arbitrated_by,
    can_answer_objections,
    can_hand_over,
    for_arbiter_or_user,
    reported_by,
)

# The reply is due so many days after the objection; an objection is possible so long after the acceptance.
DAYS_TO_ANSWER, DAYS_TO_OBJECT = 7, 60
MAX_LETTERS = 1000
# So many objections an account submits within the time.
MAX_OBJECTIONS, OBJECTIONS_WITHIN = 5, timedelta(days=30)


def last_day_to_object(accepted_on: date) -> date:
    """Return the last day on which players object to results of a report: after it they are settled."""
    return accepted_on + timedelta(days=DAYS_TO_OBJECT)


def is_open_to_objections(participant: Participant, *, at: datetime) -> bool:
    """Whether the report is accepted, and not so long ago that its results are settled."""
    report = participant.report
    if report.state != ReportState.ACCEPTED or report.accepted_on is None:
        return False
    return at.date() <= last_day_to_object(report.accepted_on)


def submit_objection(
    participant: Participant, *, statement: str, round_number: int | None, by: Any, at: datetime
) -> Objection:
    """Record what a player objects to in their own result, and tell those who answer.

    `round_number` is None for the result as a whole. `RefusedError` where the result is another player's.
    """
    player, tournament = claimed_player(by), participant.report.tournament
    own = participant.player
    # A report keeps the ID as it was reported, also of a player who was merged since.
    if player is None or own is None or player.pk not in (own.pk, own.merged_into_id):
        raise refused("not-your-result", _("You can only object to your own results."))
    _check_objection(participant, statement, round_number, by=by, at=at)
    due_on = at.date() + timedelta(days=DAYS_TO_ANSWER)
    values = {"reason": statement.strip(), "round": round_number, "asked_at": at, "due_on": due_on}
    second = Refusal(
        "objection-open",
        _("You already have an open objection to this tournament. Wait for the reply or cancel it."),
    )
    with transaction.atomic():
        asked = Objection(tournament=tournament, player=player, asked_by=by, **values)
        made = open_case(asked, second=second)
        _tell_who_answers(made, due_on=due_on, at=at)
    return made


def _check_objection(
    participant: Participant, statement: str, round_number: int | None, *, by: Any, at: datetime
) -> None:
    if not is_open_to_objections(participant, at=at):
        message = _("You can object up to %(days)d days after the report is accepted.")
        raise refused("objection-late", message % {"days": DAYS_TO_OBJECT})
    if not statement.strip():
        raise refused("statement-missing", _("Enter what is wrong."), "statement")
    if round_number is not None and not 1 <= round_number <= participant.report.rounds:
        message = _("Enter a round from 1 to %(rounds)d.")
        raise refused("no-such-round", message % {"rounds": participant.report.rounds}, "round_number")
    sent = Objection.objects.filter(asked_by=by, asked_at__gt=at - OBJECTIONS_WITHIN)
    if sent.count() >= MAX_OBJECTIONS:
        message = _("You have submitted %(most)d objections within %(days)d days, which is the limit.")
        raise refused(
            "too-many-objections", message % {"most": MAX_OBJECTIONS, "days": OBJECTIONS_WITHIN.days}
        )


def settle_objections(
    tournament: Tournament, fide_ids: Collection[int], *, round_number: int, at: datetime
) -> int:
    """Note that the result of these players in a round was corrected, or its request refused; return how many.

    An objection to a whole result is settled by the correction of any of its rounds.
    """
    found = accepted_objections(tournament, fide_ids, round_number=round_number)
    return found.filter(settled_at=None).update(settled_at=at)


def accepted_objections(
    tournament: Tournament, fide_ids: Collection[int], *, round_number: int
) -> QuerySet[Objection]:
    """Return the accepted objections of these players to their result in a round, or to the whole result."""
    of_game = Q(round=round_number) | Q(round=None)
    # An objection keeps the ID that the player had when it was submitted.
    of_players = Q(player__in=fide_ids) | Q(player__merged_into__in=fide_ids)
    accepted = Objection.objects.filter(tournament=tournament, state=CaseState.APPROVED)
    return accepted.filter(of_game & of_players).select_related("asked_by", "player")


def settle_objection(objection: Objection, *, by: Any, at: datetime) -> bool:
    """Note that an accepted objection was settled by a corrected file, and return whether this call did."""
    if not can_answer_objections(by, objection.tournament):
        raise RefusedError([_not_yours()])
    with transaction.atomic():
        # Two clicks at once log it once.
        owed = Objection.objects.select_for_update().filter(state=CaseState.APPROVED, settled_at=None)
        held = owed.filter(pk=objection.pk).first()
        if held is None:
            return False
        held.settled_at = at
        held.save(update_fields=["settled_at"])
        record_act(Area.PLAYER, Deed.SETTLE, by=by, at=at, **_about(held) | {"after": "", "reason": ""})
    return True


def remove_objections(user: Any) -> None:
    """Delete what an account that is removed wrote in its objections, also in emails; the replies stay."""
    own = Objection.objects.filter(asked_by=user)
    keys = [f"objection:{pk}" for pk in own.values_list("pk", flat=True)]
    # Emails of earlier releases quoted the objection; their rows stay, so that none is sent twice.
    Notice.objects.filter(kind=NoticeKind.CLAIM, key__in=keys).update(text="")
    own.update(reason="–")


def _tell_who_answers(objection: Objection, *, due_on: date, at: datetime) -> None:
    tournament: Tournament = objection.tournament
    invited = tournament.named_arbiters.exclude(invitation=None).values("invitation__email")
    accepted = Invitation.objects.filter(email__in=invited, accepted_by__isnull=False).values("accepted_by")
    named = Q(arbitrations__tournament=tournament) | Q(pk__in=accepted)
    arbiters = get_user_model().objects.filter(named, is_active=True).distinct()
    # Those who lost the role have no page of the objections any more.
    answering = [user for user in arbiters if can_hand_over(user, tournament)]

    def text() -> str:
        values = {"player": objection.player, "day": day_text(due_on)}
        line = _("%(player)s objects to a result. Reply by %(day)s. The rating does not stop.") % values
        return f"{line}\n\n{Page('desk:objections', tournament.event_id).link}"

    notices.post(
        # An officer or arbiter who played cannot answer their own objection.
        to=[user for user in (*reporters_of(tournament), *answering) if user.pk != objection.asked_by_id],
        kind=NoticeKind.CLAIM,
        key=f"objection:{objection.pk}",
        subject=lambda: _("Objection to a result: %(name)s") % {"name": tournament.name},
        text=text,
        at=at,
    )


def _not_yours() -> Refusal:
    return Refusal("not-yours", _("Only the rating officer and the chief arbiter reply to objections."))


def _bar(user: Any, objection: Objection) -> Refusal | None:
    if objection.asked_by_id == user.pk:
        message = _("You cannot reply to your own objection. Another person must reply.")
        return Refusal("own-objection", message)
    return None if can_answer_objections(user, objection.tournament) else _not_yours()


def _about(objection: Objection) -> dict[str, Any]:
    # What the person wrote can be deleted, so that it is not in the audit log.
    return {
        "player_id": objection.player_id,
        "subject": f"{objection.tournament.event_id}: {objection.player}",
        "after": objection.ANSWERS.get(objection.state, ""),
        "reason": objection.answer,
    }


def _tell_player(objection: Objection, *, at: datetime) -> None:
    def values() -> dict[str, Any]:
        return {"name": objection.tournament.name, "state": objection.get_state_display()}

    def text() -> str:
        line = _("Your objection to %(name)s: %(state)s.") % values()
        address = Page("chess:result", objection.tournament.event_id).link
        return "\n\n".join([line, objection.answer, address])

    notices.post(
        to=[objection.asked_by],
        kind=NoticeKind.CLAIM,
        key=f"objection:{objection.pk}:{objection.state}",
        subject=lambda: _("Objection %(state)s: %(name)s") % values(),
        text=text,
        at=at,
    )


@receiver(claim_ended)
def withdraw_open_objections(sender: Any, *, user: Any, by: Any, at: datetime, **kwargs: Any) -> None:
    """An account without a claim has no results of its own to object to."""
    for objection in Objection.objects.filter(asked_by=user, state=CaseState.WAITING):
        cancel_overtaken(objection, by=by, at=at)


def page_of_objections(row: Any) -> Page:
    """Return the page of the objections to a tournament, where they are answered and settled."""
    return Page("desk:objections", row.tournament.event_id)


def _waits_for(user: Any, today: date) -> Q:
    mine = Q(tournament__in=reported_by(user).values("pk")) | Q(
        tournament__in=arbitrated_by(user).values("pk")
    )
    # Nobody answers an objection of their own.
    return mine & (~Q(asked_by=user) | Q(state=CaseState.APPROVED))


RULES[CaseKind.OBJECTION] = CaseRules(
    task=CaseTask(_l("Reply to the objection"), _l("Reply"), "replies", page_of_objections),
    seen_by=lambda user: Q(tournament__in=for_arbiter_or_user(user).values("pk")),
    waits_for=_waits_for,
    # The correction of the result that was promised.
    task_left=CaseTask(
        _l("Correct result"), pgettext_lazy("report", "Correct"), "reports", page_of_objections
    ),
    still_open=owed(),
    bar=_bar,
    bar_to_cancel=only_who_asked,
    # The correction follows, and settles it.
    grant=nothing,
    with_reason=(CaseState.APPROVED, CaseState.REFUSED),
    # Officers answer for the tournaments of their own federation, never an objection of their own.
    concerned=lambda objection: None,
    record=player_acts(
        {
            CaseState.WAITING: Deed.OBJECT,
            CaseState.APPROVED: Deed.ANSWER,
            CaseState.REFUSED: Deed.ANSWER,
            CaseState.WITHDRAWN: Deed.TAKE_BACK,
        },
        _about,
    ),
    tell=_tell_player,
)
