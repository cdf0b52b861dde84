"""Objections of confirmed players to their own results.

An objection is work for whoever reports the tournament or directed it. It changes no state and holds no list.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Q, QuerySet
from django.dispatch import receiver
from django.urls import reverse
from django.utils.translation import gettext as _

from core.errors import Refusal, refused, refusing_second
from core.html.dates import day_text
from players.choices import Area, Deed, NoticeKind
from players.models import Notice
from players.models.log import record_act
from players.services import notices
from players.services.claims import claim_ended, claimed_player
from tournaments.choices import ObjectionState, ReportState
from tournaments.models import Objection, Participant, Tournament
from tournaments.permissions import can_answer_objections
from tournaments.services.action_mails import reporters_of

# The reply is due so many days after the objection; an objection is possible so long after the acceptance.
DAYS_TO_ANSWER, DAYS_TO_OBJECT = 7, 60
MAX_LETTERS = 1000
# So many objections an account submits within the time.
MAX_OBJECTIONS, OBJECTIONS_WITHIN = 5, timedelta(days=30)


def is_open_to_objections(participant: Participant, *, at: datetime) -> bool:
    """Whether the report is accepted, and not so long ago that its results are settled."""
    report = participant.report
    if report.state != ReportState.ACCEPTED or report.accepted_on is None:
        return False
    return (at.date() - report.accepted_on).days <= DAYS_TO_OBJECT


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
    values = {"statement": statement.strip(), "round": round_number, "raised_at": at, "due_on": due_on}
    # One open objection of a player in a tournament, by a constraint: also of two clicks at once.
    with refusing_second(
        Refusal(
            "objection-open",
            _("You already have an open objection to this tournament. Wait for the reply or cancel it."),
        )
    ):
        made = Objection.objects.create(tournament=tournament, player=player, user=by, **values)
        # What the person wrote can be deleted, so that it is not in the audit log.
        _record(Deed.OBJECT, made, by=by, at=at)
        _tell_who_answers(made, at=at)
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
    sent = Objection.objects.filter(user=by, raised_at__gt=at - OBJECTIONS_WITHIN)
    if sent.count() >= MAX_OBJECTIONS:
        message = _("You have submitted %(most)d objections within %(days)d days, which is the limit.")
        raise refused(
            "too-many-objections", message % {"most": MAX_OBJECTIONS, "days": OBJECTIONS_WITHIN.days}
        )


def answer_objection(objection: Objection, *, is_agreed: bool, answer: str, by: Any, at: datetime) -> bool:
    """Answer an objection with a reason, tell the player, and return whether this call did."""
    if objection.user_id == by.pk:
        raise refused(
            "own-objection", _("You cannot reply to your own objection. Another person must reply.")
        )
    if not can_answer_objections(by, objection.tournament):
        raise refused(
            "not-yours-to-answer", _("Only the rating officer and the chief arbiter reply to objections.")
        )
    if not answer.strip():
        raise refused("answer-missing", _("Enter a reason. The player will see it."), "answer")
    state = ObjectionState.AGREED if is_agreed else ObjectionState.DECLINED
    with transaction.atomic():
        waiting = Objection.objects.filter(pk=objection.pk, state=ObjectionState.OPEN)
        if not waiting.update(state=state, answer=answer.strip(), answered_by=by, answered_at=at):
            return False
        _record(Deed.ANSWER, objection, by=by, at=at, after=str(state), reason=answer)
        values = {"name": objection.tournament.name, "state": state.label}
        notices.post(
            to=[objection.user],
            kind=NoticeKind.CLAIM,
            key=f"objection:{objection.pk}:{state}",
            subject=lambda: _("Objection %(state)s: %(name)s") % values,
            text=lambda: "\n\n".join(
                [
                    _("Your objection to %(name)s: %(state)s.") % values,
                    answer.strip(),
                    settings.SITE_URL + reverse("chess:result", args=[objection.tournament.event_id]),
                ]
            ),
            at=at,
        )
    return True


def settle_objections(
    tournament: Tournament, fide_ids: Collection[int], *, round_number: int, at: datetime
) -> int:
    """Note that the result of these players in a round was corrected, or its correction requested; return how many.

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
    agreed = tournament.objections.filter(state=ObjectionState.AGREED)
    return agreed.filter(of_game & of_players).select_related("user")


def settle_objection(objection: Objection, *, by: Any, at: datetime) -> bool:
    """Note that an accepted objection was settled by a corrected file, and return whether this call did."""
    if not can_answer_objections(by, objection.tournament):
        raise refused(
            "not-yours-to-answer", _("Only the rating officer and the chief arbiter reply to objections.")
        )
    owed = Objection.objects.filter(pk=objection.pk, state=ObjectionState.AGREED, settled_at=None)
    with transaction.atomic():
        is_done = bool(owed.update(settled_at=at))
        if is_done:
            _record(Deed.SETTLE, objection, by=by, at=at)
    return is_done


def withdraw_objection(objection: Objection, *, by: Any, at: datetime) -> bool:
    """Cancel one's own objection that waits and return whether this call did."""
    own = Objection.objects.filter(pk=objection.pk, user=by)
    return bool(_withdraw(own, by=by, at=at))


def withdraw_objections_of(user: Any, *, by: Any, at: datetime) -> int:
    """Cancel the open objections of an account whose claim has ended, and return how many: see `claim_ended`."""
    return _withdraw(Objection.objects.filter(user=user), by=by, at=at)


def _withdraw(objections: QuerySet[Objection], *, by: Any, at: datetime) -> int:
    with transaction.atomic():
        # Locked, so that an answer at this moment is not overwritten by the cancellation.
        waiting = list(objections.select_for_update().filter(state=ObjectionState.OPEN))
        Objection.objects.filter(pk__in=[one.pk for one in waiting]).update(state=ObjectionState.WITHDRAWN)
        for one in waiting:
            _record(Deed.TAKE_BACK, one, by=by, at=at)
    return len(waiting)


def remove_objections(user: Any) -> None:
    """Delete what an account that is removed wrote in its objections, also in emails; the replies stay."""
    own = Objection.objects.filter(user=user)
    keys = [f"objection:{pk}" for pk in own.values_list("pk", flat=True)]
    # Emails of earlier releases quoted the statement; their rows stay, so that none is sent twice.
    Notice.objects.filter(kind=NoticeKind.CLAIM, key__in=keys).update(text="")
    own.update(statement="–")


def _tell_who_answers(objection: Objection, *, at: datetime) -> None:
    tournament: Tournament = objection.tournament
    named = Q(arbitrations__tournament=tournament)
    arbiters = get_user_model().objects.filter(named, is_active=True).distinct()

    def text() -> str:
        values = {"player": objection.player, "day": day_text(objection.due_on)}
        line = _("%(player)s objects to a result. Reply by %(day)s. The rating does not stop.") % values
        return f"{line}\n\n{settings.SITE_URL}{reverse('desk:objections', args=[tournament.event_id])}"

    notices.post(
        # An officer or arbiter who played cannot answer their own objection.
        to=[user for user in (*reporters_of(tournament), *arbiters) if user.pk != objection.user_id],
        kind=NoticeKind.CLAIM,
        key=f"objection:{objection.pk}",
        subject=lambda: _("Objection to a result: %(name)s") % {"name": tournament.name},
        text=text,
        at=at,
    )


def _record(
    deed: Deed, objection: Objection, *, by: Any, at: datetime, after: str = "", reason: str = ""
) -> None:
    subject = f"{objection.tournament.event_id}: {objection.player}"
    values: dict[str, Any] = {"player_id": objection.player_id, "after": after, "reason": reason}
    record_act(Area.PLAYER, deed, subject, by=by, at=at, **values)


@receiver(claim_ended)
def withdraw_open_objections(sender: Any, *, user: Any, by: Any, at: datetime, **kwargs: Any) -> None:
    """An account without a claim has no results of its own to object to."""
    withdraw_objections_of(user, by=by, at=at)
