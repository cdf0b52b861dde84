"""What the page of a case says of its kind: what is asked, the words of the decisions, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _l

from core.acts import Act
from core.errors import RefusedError
from core.web.heavy_work import heavy_work
from desk.players.changes import label_changes
from desk.tournaments.results import CHOICES, MAX_LETTERS, lists_taking
from desk.tournaments.shown_effect import shown_effect
from players.choices import OPEN_CLAIMS, CaseKind, CaseState
from players.members import memberships_of
from players.merging import MergeEffect, compared_records, shown_differences
from players.minors import NOBODY, birth_of, minors_for
from players.models import Claim
from players.permissions import can_decide_claim, is_staff
from ratings.amend.amend import amend
from ratings.amend.players import effect_of
from ratings.amend.standing import standing_for
from ratings.events import effect_of_restoring
from ratings.lists import read_lists
from ratings.models import CorrectionLine
from ratings.search import ratings_of
from tournaments.amendment_texts import amendment_text
from tournaments.amendments import Amendment, Opponent
from tournaments.choices import ReportState
from tournaments.crosstable import boards_of
from tournaments.models import Participant
from tournaments.permissions import can_decide_appeals, handed_for
from tournaments.reports import handed_of, versions_of
from tournaments.states import progress_of
from tournaments.time_line import time_line
from tournaments.trf import Report, read_report

PUBLIC_REASON = _l(
    "Public after the correction, or else the reason of the request. Do not name other people."
)
Context = Callable[[HttpRequest, Any], Mapping[str, Any]]


def _nothing(request: HttpRequest, row: Any) -> Mapping[str, Any]:
    return {}


REASON, REFUSE, DECISION = _l("Reason"), _l("Refuse"), _l("Decision")
REASON_DECIDED = _l("Reason for the decision")
REASON_MISSING = _l("Enter a reason. It is shown with the decision.")


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePart:
    """What the page of a case says of its kind: the words of the decisions, and what follows from them.

    `reason_missing` asks for the reason where there is none. `template`, where there is one, shows more of what is
    asked for by the values of `context(request, row)`. A kind whose `if_refused` is empty is never refused; `end` is
    the button that ends what was approved. The person's own words, which the page names `asked`, are the reason of an
    approval without another one if it `repeats_reason`.
    """

    grant: str | Promise
    if_granted: str | Promise
    if_refused: str | Promise = ""
    refuse: str | Promise = REFUSE
    end: str | Promise = ""
    template: str = ""
    context: Context = _nothing
    heading: str | Promise = DECISION
    asked: str | Promise = REASON
    reason: str | Promise = REASON_DECIDED
    reason_help: str | Promise = ""
    reason_missing: str | Promise = REASON_MISSING
    most_letters: int = 400
    repeats_reason: bool = False


def _differences(request: HttpRequest, row: Any) -> Mapping[str, Any]:
    """Return in what two records differ, to staff also what lists do not say."""
    is_ours = is_staff(request.user)
    compared = compared_records(row.player, row.into, minors=NOBODY if is_ours else minors_for(request))
    hidden = [one for one in row.differences if is_ours and one[0] == "birth_date"]
    found = [MergeEffect(new, label, old, new) for label, old, new, _differs in compared if old != new]
    return {"differences": [*found, *shown_differences(hidden)]}


def _birth_of_likeness(request: HttpRequest, row: Any) -> Mapping[str, Any]:
    """Return the birth of the player who is similar, as the federation that asked sees it; staff see all years."""
    minors = NOBODY if is_staff(request.user) else minors_for(request).without(row.federation_id)
    return {"birth": birth_of(row.likeness, minors)}


def _effect_of_change(request: HttpRequest, row: Any) -> Mapping[str, Any]:
    """Return the changed fields and the effect on lists, or the refusals that block the request, for who decides."""
    if row.state != CaseState.WAITING or not is_staff(request.user):
        return {}
    try:
        # What was requested may have become impossible since, as by another change of the player.
        effect = effect_of(row, at=timezone.now())
    except RefusedError as error:
        return {"against": error.refusals}
    return {"effect": effect, "changes": label_changes(effect.changes)}


def _about_claim(request: HttpRequest, row: Any) -> Mapping[str, Any]:
    """Return what the portal has of the record, to compare it with the account, and how many others claim it."""
    player, minors = row.player, minors_for(request)
    # The federation sees the years of its own players.
    if can_decide_claim(request.user, row):
        minors = minors.without(player.federation_id)
    played = Participant.objects.filter(player=player, report__state=ReportState.ACCEPTED)
    others = Claim.objects.filter(player=player, state__in=OPEN_CLAIMS).exclude(pk=row.pk)
    return {
        "birth": birth_of(player, minors),
        "membership": memberships_of([player.pk]).get(player.pk),
        "ratings": ratings_of([player.pk], read_lists().newest_of_each()).get(player.pk, {}),
        "played": [
            one.report.tournament
            for one in played.select_related("report__tournament").order_by("-report__tournament__end")[:3]
        ],
        "others": others.count(),
    }


def _about_appeal(request: HttpRequest, row: Any) -> Mapping[str, Any]:
    """Return the files, what was reported and done with the tournament, and for who decides what upholding does."""
    tournament, lists, today = row.tournament, read_lists(), timezone.now().date()
    entries = list(tournament.log_entries.select_related("by", "appeal").order_by("at", "pk"))
    reports = versions_of(tournament)
    progress = progress_of(tournament, lists, today=today, entries=entries)
    found: dict[str, Any] = {
        "files": row.files.defer("content"),
        "reports": reports[::-1],
        "handed": handed_of(handed_for(request.user, tournament)),
        "events": [one for one in time_line(entries, reports, progress) if one.at],
    }
    if row.state == CaseState.WAITING and can_decide_appeals(request.user, row):
        found["effect"] = effect_of_restoring(tournament, lists, today=today)
    return found


def _named(amendment: Amendment, read: Report) -> str:
    """Return what an amendment changes, and the name of a right opponent, whom it has by starting rank."""
    player = read.by_number.get(amendment.other) if isinstance(amendment, Opponent) else None
    return f"{amendment_text(amendment)}{f', {player.name}' if player else ''}"


def _about_result(request: HttpRequest, row: Any) -> Mapping[str, Any]:
    """Return the game as it is and would be, and while it waits the effect on the report as it is now."""
    # The version that was corrected, not the one that counts now: its starting ranks name the game.
    read = read_report(bytes(row.report.content))
    board = next((one for one in boards_of(read, row.round) if one.pairing.white == row.white), None)
    found: dict[str, Any] = {
        "board": board,
        "now": CHOICES.get(row.result_before, ("–", ""))[0],
        "texts": [_named(one, read) for one in row.amendments],
    }
    source = standing_for(request.user, row.tournament)
    if row.state == CaseState.APPROVED:
        made = CorrectionLine.objects.filter(
            correction__tournament=row.tournament_id, correction__at=row.decided_at
        )
        found["lines"] = made.select_related("player", "corrected_list").defer("corrected_list__manifest")
    if row.state != CaseState.WAITING or source is None or source.report is None:
        return found
    found |= {"source": source, **lists_taking(source, timezone.now().date())}
    act = Act(request.user, timezone.now(), row.reason)
    # The effect rates the tournament with both results: only a few such pages are made at once.
    with heavy_work(request):
        try:
            effect = amend(row.tournament, row.amendments, act, is_dry_run=True)
            found["effect"] = shown_effect(effect, source)
        except RefusedError as error:
            found["against"] = error.refusals
    return found


PARTS = {
    CaseKind.APPLICATION: CasePart(
        grant=_l("Assign a FIDE ID"),
        if_granted=_l("The player is registered with a new FIDE ID."),
        if_refused=_l("The player is not registered. The federation sees the reason."),
        template="desk/cases/application.html",
        context=_birth_of_likeness,
    ),
    CaseKind.TRANSFER: CasePart(
        grant=_l("Approve transfer"),
        if_granted=_l("The next list shows the new federation. Published lists do not change."),
        if_refused=_l("The player stays in the federation. The other side sees the reason."),
    ),
    CaseKind.CHANGE: CasePart(
        grant=_l("Change the data"),
        if_granted=_l("The data change immediately, and the reason is published with the correction."),
        if_refused=_l("The data stay. Only the rating officer sees the reason."),
        template="desk/cases/change.html",
        context=_effect_of_change,
    ),
    CaseKind.MERGE: CasePart(
        grant=_l("Confirm merge"),
        if_granted=_l(
            "The duplicate redirects to the kept FIDE ID permanently. Later lists combine games and ratings."
        ),
        if_refused=_l("Both players stay as they are."),
        template="desk/cases/merge.html",
        context=_differences,
    ),
    CaseKind.CLAIM: CasePart(
        grant=_l("Confirm claim"),
        if_granted=_l("The person sees their own results and can object to them. No rating changes."),
        if_refused=_l("The record stays without an account. The person sees the reason."),
        end=_l("End the claim"),
        template="desk/cases/claim.html",
        context=_about_claim,
        reason_help=_l("The player sees it."),
    ),
    CaseKind.INFORMATION: CasePart(
        grant=_l("Send reply"),
        if_granted=_l("The QC sees the reply. It is saved permanently and cannot be changed."),
        heading=_l("Reply"),
        asked=_l("Asked"),
        reason=_l("Reply"),
        reason_missing=_l("Enter a reply."),
        most_letters=4000,
    ),
    CaseKind.RESULT: CasePart(
        grant=_l("Correct result"),
        if_granted=_l("The report is corrected now, and the reason is published with it."),
        if_refused=_l("The result stays. The person who asked sees the reason."),
        template="desk/cases/result.html",
        context=_about_result,
        reason_help=PUBLIC_REASON,
        most_letters=MAX_LETTERS,
        repeats_reason=True,
    ),
    CaseKind.APPEAL: CasePart(
        grant=_l("Uphold the appeal"),
        if_granted=_l("The tournament is rated on the next possible list. The reasons are public."),
        if_refused=_l("The tournament is not rated, and no list changes. The reasons are public."),
        refuse=_l("Dismiss the appeal"),
        template="desk/cases/appeal.html",
        context=_about_appeal,
        # Under the facts, of which the grounds are the last.
        asked="",
        reason=_l("Reasons of FIDE Council"),
        reason_missing=_l("Enter the reasons. They are public."),
        most_letters=8000,
    ),
}
