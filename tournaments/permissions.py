"""Who may do what with tournaments: one predicate a verb."""

from __future__ import annotations

from typing import Any

from django.db.models import (
    Case,
    IntegerField,
    Q,
    QuerySet,
    Value,
    When,
)

from players.choices import Role
from players.models import Invitation
from players.own_matters import stands_in
from players.permissions import can_act_for, federations_of, has_role, is_staff, roles_of
from tournaments.choices import CLOSED_REGISTRATIONS, FilePurpose, Stage
from tournaments.models import (
    Appeal,
    CaseFile,
    HandedReport,
    NamedArbiter,
    ResultCorrection,
    Tournament,
)
from tournaments.models.tournament import REPORTED_BY_STAFF


def can_report(user: Any, tournament: Tournament) -> bool:
    """Return whether the user reports the tournament, and so changes, withdraws and answers for it.

    Officers of its federation do, FIDE staff for official events and those rated by decision (8.1, 0.3).
    """
    if tournament.is_reported_by_staff:
        return is_staff(user)
    return can_act_for(user, tournament.federation_id)


def can_prepare(user: Any, tournament: Tournament) -> bool:
    """Return whether the user reports the tournament and still invites arbiters and players to it."""
    is_closed = tournament.registration in CLOSED_REGISTRATIONS
    return not is_closed and tournament.stage == Stage.PLANNED and can_report(user, tournament)


def can_decide(user: Any, tournament: Tournament | None = None) -> bool:
    """Return whether the user decides for the Qualification Commission, on any tournament (0.2, 0.4)."""
    # FIDE staff only where the whole QC is concerned: the regulations give these decisions to it (0.2, 0.4, D-131).
    return has_role(user, Role.QC_CHAIR) or (
        tournament is not None
        and stands_in(user, Role.QC_CHAIR, {tournament.federation_id}, asked_by=tournament.registered_by_id)
    )


def can_see_queue(user: Any) -> bool:
    """Return whether the user sees the QC queue and all appeals; the QC chair and FIDE Council decide."""
    return can_decide(user) or is_staff(user) or has_role(user, Role.AUDITOR, Role.COUNCIL)


def can_see_case(user: Any, tournament: Tournament | None = None) -> bool:
    """Return whether the user sees and questions the cases of the QC, with its notes: the QC and FIDE staff."""
    return can_decide(user) or is_staff(user)


def can_appeal(user: Any, tournament: Tournament) -> bool:
    """Return whether the user may submit the organiser's appeal: an officer of the federation (0.4)."""
    return tournament.federation_id in federations_of(user)


def can_decide_appeals(user: Any, appeal: Appeal | None = None) -> bool:
    """Return whether the user decides on appeals for FIDE Council (0.4), or in its place (D-131)."""
    return has_role(user, Role.COUNCIL) or (
        appeal is not None
        and stands_in(user, Role.COUNCIL, {appeal.tournament.federation_id}, asked_by=appeal.asked_by_id)
    )


def can_see_audit_log(user: Any) -> bool:
    """Return whether the user may read the whole audit log: FIDE staff and auditors."""
    return is_staff(user) or has_role(user, Role.AUDITOR)


def can_see_drafts(user: Any, tournament: Tournament) -> bool:
    """Return whether the user sees reports, check results and decisions of a tournament before publication."""
    is_watcher = has_role(user, Role.QC_CHAIR, Role.AUDITOR, Role.COUNCIL)
    return is_watcher or can_act_for(user, tournament.federation_id)


def sees_all(user: Any) -> bool:
    """Return whether the user sees the tournaments of all federations."""
    return is_staff(user) or has_role(user, Role.QC_CHAIR, Role.AUDITOR, Role.COUNCIL)


def for_user(user: Any) -> QuerySet[Tournament]:
    """Return the tournaments at the person's desk; another federation's tournament is not among them."""
    if sees_all(user):
        return Tournament.objects.all()
    return Tournament.objects.filter(federation__in=federations_of(user))


def arbitrated_by(user: Any) -> QuerySet[Tournament]:
    """Return the tournaments of a chief arbiter who still has the role for their federation.

    For an event that no federation reports, the role for any federation suffices.
    """
    codes = [code for role, code in roles_of(user) if role == Role.ARBITER]
    # Being named is not enough: whoever loses the role loses the access to all tournaments with it.
    if not codes:
        return Tournament.objects.none()
    # An invitation belongs to the account with its address, whichever of the links was used.
    addresses = Invitation.objects.filter(accepted_by=user).values("email")
    named = NamedArbiter.objects.filter(Q(user=user) | Q(invitation__email__in=addresses))
    return Tournament.objects.filter(
        Q(federation__in=codes) | REPORTED_BY_STAFF, pk__in=named.values("tournament")
    )


def can_hand_over(user: Any, tournament: Tournament) -> bool:
    """Return whether the user may send the report to those who submit it: the chief arbiters of the tournament."""
    # As `for_arbiter_or_user` read it; an anonymous user has no key.
    if user.pk is not None and getattr(tournament, "arbiter", None) == user.pk:
        return True
    return arbitrated_by(user).filter(pk=tournament.pk).exists()


def can_see_handed(user: Any, tournament: Tournament) -> bool:
    """Return whether the user reads reports that arbiters sent: those arbiters, and users who see drafts."""
    return can_see_drafts(user, tournament) or can_hand_over(user, tournament)


def can_answer_objections(user: Any, tournament: Tournament) -> bool:
    """Return whether the user replies to players' objections: its officers and chief arbiters."""
    return can_report(user, tournament) or can_hand_over(user, tournament)


def can_correct_results(user: Any, tournament: Tournament) -> bool:
    """Return whether the user corrects results, or requests it: those who report the tournament, chief arbiters."""
    return can_report(user, tournament) or can_hand_over(user, tournament)


def can_enter_players(user: Any, tournament: Tournament) -> bool:
    """Return whether the user saves the entry list: those who report the tournament, chief arbiters."""
    return can_report(user, tournament) or can_hand_over(user, tournament)


def can_decide_correction(user: Any, correction: ResultCorrection) -> bool:
    """Return whether the user decides on a requested correction: staff once it is published, else its officers."""
    tournament = correction.tournament
    return is_staff(user) if tournament.stage == Stage.PUBLISHED else can_report(user, tournament)


def can_see_objections(user: Any, tournament: Tournament) -> bool:
    """Return whether the user reads players' objections: users who reply to them, and users who see drafts."""
    return can_see_drafts(user, tournament) or can_answer_objections(user, tournament)


def file_purposes_for(user: Any, tournament: Tournament) -> list[str]:
    """Return which files the person adds: who reports the tournament any but those of appeals, arbiters their own."""
    if can_report(user, tournament):
        return [FilePurpose.LATENESS, FilePurpose.WAIVER, FilePurpose.REPORT]
    return [FilePurpose.REPORT] if can_hand_over(user, tournament) else []


def files_for(user: Any, tournament: Tournament) -> QuerySet[CaseFile]:
    """Return the files with a tournament that the person sees: arbiters only their reports."""
    files = CaseFile.objects.filter(tournament=tournament)
    return files if can_see_drafts(user, tournament) else files.filter(purpose=FilePurpose.REPORT)


def handed_for(user: Any, tournament: Tournament) -> QuerySet[HandedReport]:
    """Return the arbiters' reports of a tournament that the user may read.

    Only the arbiters see one that was checked and not sent.
    """
    if can_hand_over(user, tournament):
        return HandedReport.objects.filter(tournament=tournament)
    return HandedReport.objects.filter(tournament=tournament, handover__isnull=False)


def for_arbiter_or_user(user: Any) -> QuerySet[Tournament]:
    """Return the tournaments at the person's desk, and those that the person was named for, as `arbiter` tells."""
    named = arbitrated_by(user)
    is_named = When(pk__in=named.values("pk"), then=Value(user.pk))
    # Noted in the same query: a page asks several predicates about its tournament.
    return (for_user(user) | named).annotate(
        arbiter=Case(is_named, default=None, output_field=IntegerField())
    )


def reported_by(user: Any) -> QuerySet[Tournament]:
    """Return the tournaments that a person reports: their federations', and for staff those that no federation does."""
    wanted = Q(federation__in=federations_of(user)) & ~REPORTED_BY_STAFF
    if is_staff(user):
        wanted |= REPORTED_BY_STAFF
    return Tournament.objects.filter(wanted)
