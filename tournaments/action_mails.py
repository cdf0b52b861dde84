"""What those concerned hear by mail of an action on a tournament."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _l

from core.pages import Page
from players import notices
from players.choices import CaseKind, NoticeKind, Role
from players.models import Case, LogEntry
from tournaments.choices import TAKING_BACK, Action, Registration
from tournaments.hooks import existing_lists
from tournaments.models import Tournament
from tournaments.states import progress_of

DECISION, APPEAL, HANDOVER = NoticeKind.DECISION, NoticeKind.APPEAL, NoticeKind.HANDOVER


@dataclass(frozen=True, slots=True)
class ActionLetter:
    """What a step is to its readers: the subject, the sentence and the page to open."""

    kind: NoticeKind
    subject: str | Promise
    sentence: str | Promise
    page: str = "desk:tournament"


TO_REPORTERS: dict[str, ActionLetter] = {
    Action.ALLOW: ActionLetter(
        DECISION, _l("Registration approved: %(name)s"), _l("The QC approved the registration (article 0.2).")
    ),
    Action.REFUSE: ActionLetter(
        DECISION, _l("Registration refused: %(name)s"), _l("The QC refused the registration (article 0.2).")
    ),
    Action.NOT_RATE: ActionLetter(
        kind=DECISION,
        subject=_l("Not rated: %(name)s"),
        sentence=_l("The QC decided not to rate the tournament (article 0.4)."),
        # The officer submits the organiser's appeal, within 7 days of this mail (0.4).
        page="desk:lodge",
    ),
    Action.GRANT: ActionLetter(
        DECISION, _l("Request approved: %(name)s"), _l("The QC approved the request of the rating officer.")
    ),
    Action.DENY: ActionLetter(
        DECISION, _l("Request refused: %(name)s"), _l("The QC refused the request of the rating officer.")
    ),
    Action.RESTORE: ActionLetter(
        DECISION,
        _l("Registration restored: %(name)s"),
        _l("The withdrawn registration was restored."),
    ),
    Action.ASK: ActionLetter(
        APPEAL, _l("The QC needs information: %(name)s"), _l("The QC needs information."), "desk:answer"
    ),
    Action.HOLD: ActionLetter(
        kind=APPEAL,
        subject=_l("Report on hold: %(name)s"),
        sentence=_l("The report is on hold. No list includes the tournament until the hold is released."),
    ),
    Action.CLEAR: ActionLetter(
        kind=APPEAL,
        subject=_l("Hold released: %(name)s"),
        sentence=_l("The hold was released. The next possible list includes the tournament."),
    ),
    Action.UNFLAG: ActionLetter(
        kind=APPEAL,
        subject=_l("Flags dismissed: %(name)s"),
        sentence=_l("The QC reviewed the flags of the report and dismissed them. The report stays as it is."),
    ),
    Action.APPEAL: ActionLetter(
        APPEAL,
        _l("Appeal submitted: %(name)s"),
        _l("The appeal was submitted. FIDE Council decides."),
        "desk:appeal",
    ),
    Action.UPHOLD: ActionLetter(
        kind=APPEAL,
        subject=_l("Appeal upheld: %(name)s"),
        sentence=_l("FIDE Council upheld the appeal. The next possible list includes the tournament."),
        page="desk:appeal",
    ),
    Action.DISMISS: ActionLetter(
        kind=APPEAL,
        subject=_l("Appeal dismissed: %(name)s"),
        sentence=_l("FIDE Council dismissed the appeal. The tournament is not rated."),
        page="desk:appeal",
    ),
    Action.HAND_OVER: ActionLetter(
        kind=HANDOVER,
        subject=_l("Report from the chief arbiter: %(name)s"),
        sentence=_l("The chief arbiter sent the report. Add or return it."),
    ),
}


TAKEN_BACK = ActionLetter(
    kind=DECISION,
    subject=_l("Report withdrawn: %(name)s"),
    sentence=_l("FIDE withdrew the published report, so the tournament is not rated (article 0.4)."),
    page="desk:lodge",
)


def _to_arbiter(subject: Promise, sentence: Promise) -> ActionLetter:
    return ActionLetter(HANDOVER, subject, sentence, "desk:arbiter")


TO_ARBITERS: dict[str, ActionLetter] = {
    Action.TAKE: _to_arbiter(
        subject=_l("Report added: %(name)s"),
        sentence=_l("The rating officer has added your report. You do not need to do anything else."),
    ),
    Action.SEND_BACK: _to_arbiter(
        subject=_l("Report returned: %(name)s"),
        sentence=_l("The report you sent was returned. Correct it and send it again."),
    ),
    Action.KEEP: _to_arbiter(
        subject=_l("Report not returned: %(name)s"),
        sentence=_l("The return was undone. The rating officer has your report again."),
    ),
}
NAMED = _to_arbiter(
    subject=_l("You are chief arbiter: %(name)s"),
    sentence=_l("After the last day, check the report and send it on this page."),
)


def _decision_needed(sentence: str | Promise) -> ActionLetter:
    """Return the letter that asks the QC for a decision."""
    return ActionLetter(
        kind=APPEAL, subject=_l("Decision needed: %(name)s"), sentence=sentence, page="desk:decision"
    )


TO_QC: dict[str, ActionLetter] = {
    Action.ANSWER: ActionLetter(
        APPEAL,
        _l("Reply received: %(name)s"),
        _l("The rating officer replied to your information request."),
        "desk:decision",
    ),
    Action.HOLD: _decision_needed(_l("A report was placed on hold. Release the hold or decide.")),
    Action.REQUEST: _decision_needed(
        _l("The rating officer requests a change or a withdrawal. Approve or refuse it.")
    ),
}
WAITS = _decision_needed(_l("A registration is waiting for a QC decision (article 0.2)."))
TO_COUNCIL = ActionLetter(
    kind=APPEAL,
    subject=_l("Appeal decision needed: %(name)s"),
    sentence=_l("An appeal is waiting for FIDE Council (article 0.4)."),
    page="desk:appeal",
)


def tell(step: LogEntry) -> int:
    """Note the mails on a step, each recipient once however often it is told, and return how many go out.

    Whoever took the step gets none. A registration that waits is told to the QC.
    """
    return sum(_post(step, letter, readers.exclude(pk=step.by_id)) for letter, readers in _letters(step))


def reporters_of(tournament: Tournament) -> QuerySet[Any]:
    """Return whoever reports a tournament: officers and deputies of its federation; staff what no federation does."""
    if tournament.is_reported_by_staff:
        return _holders(Q(appointments__role=Role.STAFF))
    roles = (Role.OFFICER, Role.DEPUTY)
    return _holders(Q(appointments__role__in=roles, appointments__federation=tournament.federation_id))


def _letters(step: LogEntry) -> Iterator[tuple[ActionLetter, QuerySet[Any]]]:
    if step.action in TO_REPORTERS:
        is_taken_back = (step.action, step.before) == TAKING_BACK
        yield TAKEN_BACK if is_taken_back else TO_REPORTERS[step.action], reporters_of(step.tournament)
    if step.action in TO_QC:
        yield TO_QC[step.action], _holders(Q(appointments__role=Role.QC_CHAIR))
    if step.action == Action.APPEAL:
        yield TO_COUNCIL, _holders(Q(appointments__role=Role.COUNCIL))
    if step.action in TO_ARBITERS:
        handed = Case.objects.filter(kind=CaseKind.HANDED, tournament=step.tournament_id)
        # Who only checked a report and never sent it is not concerned.
        yield TO_ARBITERS[step.action], _holders(Q(pk__in=handed.values("asked_by")))
    if step.action == Action.NAME:
        # The step has no field for the person: the instant tells the new naming from the former ones.
        named = Q(arbitrations__tournament=step.tournament_id, arbitrations__named_at=step.at)
        yield NAMED, _holders(named)
    # A change before the first day can make a registration late, so that it waits again (D-80).
    if step.action in (Action.REGISTER, Action.CHANGE) and step.after == Registration.WAITING:
        yield WAITS, _holders(Q(appointments__role=Role.QC_CHAIR))


def _holders(wanted: Q) -> QuerySet[Any]:
    return get_user_model().objects.filter(wanted).distinct().order_by("pk")


def _post(step: LogEntry, letter: ActionLetter, readers: QuerySet[Any]) -> int:
    tournament = step.tournament
    return notices.post(
        to=readers,
        kind=letter.kind,
        # With the recipient the key is unique: a step that is told again sends nothing twice.
        key=f"step:{step.pk}",
        # A function, as each recipient's email is written in their own language.
        subject=lambda: str(letter.subject) % {"name": tournament.name},
        text=lambda: _text(step, letter),
        at=step.at,
    )


def _text(step: LogEntry, letter: ActionLetter) -> str:
    # As it was written: a step may be told with the tournament as it was read before.
    tournament = Tournament.objects.get(pk=step.tournament.pk)
    context = {
        "step": step,
        "tournament": tournament,
        "sentence": letter.sentence,
        # By the day of the step, so that a late mail still names the deadline that followed from it.
        "progress": progress_of(tournament, existing_lists.answer(), today=step.at.astimezone(UTC).date()),
        "page": Page(letter.page, tournament.event_id).link,
    }
    return render_to_string("mails/step.txt", context).strip()
