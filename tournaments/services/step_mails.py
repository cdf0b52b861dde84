"""Mails on the steps of the trail: to those who are to know, and to those who have to act next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _l

from players.choices import NoticeKind, Role
from players.services import notices
from tournaments.choices import Action, Registration
from tournaments.models import HandedReport, Tournament, TrailEntry
from tournaments.queries.progress import progress_of


@dataclass(frozen=True, slots=True)
class Letter:
    """What a step is to its readers: the subject, the sentence, the page to open, and the role that has to act."""

    kind: NoticeKind
    subject: str | Promise
    sentence: str | Promise
    page: str = "desk:tournament"
    to: tuple[str, ...] = field(default=())


REPORTERS = "reporters"
DECISION, APPEAL, HANDOVER = NoticeKind.DECISION, NoticeKind.APPEAL, NoticeKind.HANDOVER
TO_REPORTERS: dict[str, Letter] = {
    Action.ALLOW: Letter(DECISION, _l("Allowed: %(name)s"), _l("The QC allowed the tournament (0.2).")),
    Action.REFUSE: Letter(DECISION, _l("Refused: %(name)s"), _l("The QC refused the tournament (0.2).")),
    Action.NOT_RATE: Letter(
        kind=DECISION,
        subject=_l("Not to be rated: %(name)s"),
        sentence=_l("The QC decided not to rate the tournament (0.4)."),
        page="desk:lodge",
    ),
    Action.ASK: Letter(
        APPEAL, _l("The QC asks you: %(name)s"), _l("The QC asks for information."), "desk:answer"
    ),
    Action.QUESTION: Letter(
        kind=APPEAL,
        subject=_l("Under question: %(name)s"),
        sentence=_l("The report is under question; no list takes the tournament until that is closed."),
    ),
    Action.CLEAR: Letter(
        kind=APPEAL,
        subject=_l("Question closed: %(name)s"),
        sentence=_l("The question is closed; the next list that can take the tournament does."),
    ),
    Action.APPEAL: Letter(
        APPEAL, _l("Appealed: %(name)s"), _l("The appeal is lodged; FIDE Council decides."), "desk:appeal"
    ),
    Action.UPHOLD: Letter(
        kind=APPEAL,
        subject=_l("Appeal upheld: %(name)s"),
        sentence=_l("FIDE Council upheld the appeal: the next list that can take it does."),
        page="desk:appeal",
    ),
    Action.DISMISS: Letter(
        kind=APPEAL,
        subject=_l("Appeal dismissed: %(name)s"),
        sentence=_l("FIDE Council dismissed the appeal: it is not rated."),
        page="desk:appeal",
    ),
    Action.HAND_OVER: Letter(
        kind=HANDOVER,
        subject=_l("Handed over: %(name)s"),
        sentence=_l("The chief arbiter handed the report over; take it, or send it back."),
    ),
}
TO_ARBITERS: dict[str, Letter] = {
    Action.TAKE: Letter(
        kind=HANDOVER,
        subject=_l("Taken over: %(name)s"),
        sentence=_l("The report that you handed over was taken; it is submitted without you."),
        page="desk:arbiter",
    ),
    Action.SEND_BACK: Letter(
        kind=HANDOVER,
        subject=_l("Sent back: %(name)s"),
        sentence=_l("The report that you handed over was sent back. Correct it and hand it over again."),
        page="desk:arbiter",
    ),
}
NAMED = Letter(
    kind=HANDOVER,
    subject=_l("You are named chief arbiter: %(name)s"),
    sentence=_l("After the last day you check the report and hand it over on this page."),
    page="desk:arbiter",
)
TO_ACT: dict[str, tuple[Role, Letter]] = {
    Action.ANSWER: (
        Role.QC_CHAIR,
        Letter(APPEAL, _l("Answered: %(name)s"), _l("The officer answered what you asked."), "desk:decision"),
    ),
    Action.QUESTION: (
        Role.QC_CHAIR,
        Letter(
            kind=APPEAL,
            subject=_l("To decide: %(name)s"),
            sentence=_l("A report was put under question; you close the question or decide."),
            page="desk:decision",
        ),
    ),
    Action.APPEAL: (
        Role.COUNCIL,
        Letter(
            kind=APPEAL,
            subject=_l("To decide: the appeal for %(name)s"),
            sentence=_l("An appeal waits for FIDE Council (0.4)."),
            page="desk:appeal",
        ),
    ),
}
WAITS = Letter(
    APPEAL, _l("To decide: %(name)s"), _l("A registration waits for the QC (0.2)."), "desk:decision"
)


def tell(step: TrailEntry) -> int:
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


def _letters(step: TrailEntry) -> Iterator[tuple[Letter, QuerySet[Any]]]:
    if step.action in TO_REPORTERS:
        yield TO_REPORTERS[step.action], reporters_of(step.tournament)
    if step.action in TO_ACT:
        role, letter = TO_ACT[step.action]
        yield letter, _holders(Q(appointments__role=role))
    if step.action in TO_ARBITERS:
        handed = HandedReport.objects.filter(tournament=step.tournament_id, handed_at__isnull=False)
        yield TO_ARBITERS[step.action], _holders(Q(pk__in=handed.values("handed_by")))
    if step.action == Action.NAME:
        named = Q(arbitrations__tournament=step.tournament_id, arbitrations__named_at=step.at)
        yield NAMED, _holders(named)
    if step.action in (Action.REGISTER, Action.CHANGE) and step.registration == Registration.WAITING:
        yield WAITS, _holders(Q(appointments__role=Role.QC_CHAIR))


def _holders(wanted: Q) -> QuerySet[Any]:
    return get_user_model().objects.filter(wanted).distinct().order_by("pk")


def _post(step: TrailEntry, letter: Letter, readers: QuerySet[Any]) -> int:
    tournament = step.tournament
    return notices.post(
        to=readers,
        kind=letter.kind,
        key=f"step:{step.pk}",
        subject=str(letter.subject) % {"name": tournament.name},
        text=_text(step, letter),
        at=step.at,
    )


def _text(step: TrailEntry, letter: Letter) -> str:
    # As it was written: a step may be told with the tournament as it was read before.
    tournament = Tournament.objects.get(pk=step.tournament_id)
    context = {
        "step": step,
        "tournament": tournament,
        "sentence": letter.sentence,
        "progress": progress_of(tournament, today=step.at.astimezone(UTC).date()),
        "page": settings.SITE_URL + reverse(letter.page, args=[tournament.event_id]),
    }
    return render_to_string("mails/step.txt", context).strip()
