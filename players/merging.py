"""Merging duplicate players. The old FIDE ID redirects permanently."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.dispatch import Signal
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.errors import Refusal, refused
from core.hooks import Hook
from core.pages import Page
from core.sql import ids_subquery
from players import notices
from players.cases import RULES, CaseRules, CaseTask, cancel_overtaken, every, open_case, player_acts
from players.choices import CaseKind, CaseState, Deed, NoticeKind, Sex
from players.claims import move_claims
from players.members import move_memberships
from players.minors import Minors
from players.models import LogEntry, MergeProposal, Player, Transfer
from players.own_matters import decides_alone, record_alone
from players.permissions import can_act_for, is_staff, refuse_merged
from players.spelling import words_of

# Two FIDE IDs turned out to be one person: `player` is merged into `successor`, `by`, `at`. A receiver refuses by
# `RefusedError` where what it holds of `player` cannot follow.
players_merged = Signal()
# Sent before the players are locked, for what is to be locked before them.
merging_begins = Signal()


@dataclass(frozen=True, slots=True)
class MergeEffect:
    """One effect of a merge: its subject, the value of each FIDE ID, and the outcome.

    An effect with nothing but `outcome` is an obstacle.
    """

    outcome: str
    subject: str = ""
    going: str = ""
    staying: str = ""

    @property
    def is_obstacle(self) -> bool:
        return not self.subject


# Staff look at what merging a player into another would do: what is in the way, and what becomes of each thing held.
merging_foreseen = Hook[[Player, Player], list[MergeEffect]]()


def staying_ids(ids: Collection[int]) -> dict[int, int]:
    """Return the ID that stays for all FIDE IDs of the persons to whom some belong; one query.

    A list calculated who was merged before it under the ID that stayed then, which may be merged today, too.
    """
    staying = Player.objects.filter(pk__in=ids_subquery(ids), merged_into__isnull=False)
    merged = Player.objects.filter(merged_into__in=staying.values("merged_into"))
    return {pk: pk for pk in ids} | {pk: into for pk, into in merged.values_list("pk", "merged_into") if into}


def preview_merge(player: Player, *, into: Player) -> list[MergeEffect]:
    """Return the effects of a merge without saving it. Raise `RefusedError` if it is impossible."""
    check_pair(player, into)
    return [effect for found in merging_foreseen.answers(player, into) for effect in found]


def identity_differences(player: Player, into: Player) -> list[list[str]]:
    """Return in what two records say that they are about different persons: field, value of each ID.

    What one of them does not say is no difference, nor are accents and the order of a name's words. Dates of birth are
    compared in full where both are known, and not told.
    """
    found = []
    if set(words_of(player.name)) != set(words_of(into.name)) and player.name and into.name:
        found.append(["name", player.name, into.name])
    for field in ("sex", "birth_year"):
        going, staying = getattr(player, field), getattr(into, field)
        if going and staying and going != staying:
            found.append([field, str(going), str(staying)])
    if _differ_within_a_year(player.birth_date, into.birth_date):
        # Differences are kept for good, dates of birth are not.
        found.append(["birth_date", "", ""])
    return found


def _differ_within_a_year(going: date | None, staying: date | None) -> bool:
    """Whether two known dates of birth differ in more than the year, which is a difference of its own."""
    return going is not None and staying is not None and going != staying and going.year == staying.year


def compared_records(player: Player, into: Player, *, minors: Minors) -> list[tuple[str, str, str, bool]]:
    """Return two records side by side: field, value of each ID, whether they differ; no year of `minors`."""
    differing = {field for field, *_pair in identity_differences(player, into)}
    rows = []
    for field in ("name", "birth_year", "sex", "federation_id"):
        if field == "birth_year" and any(
            minors.hides(one.birth_year, one.federation_id, one.pk) for one in (player, into)
        ):
            continue
        pair = [getattr(one, field) for one in (player, into)]
        is_other = field in differing or (field == "federation_id" and pair[0] != pair[1])
        values = [str(Sex(value).label) if field == "sex" and value else str(value or "–") for value in pair]
        rows.append((_field_label(field), values[0], values[1], is_other))
    return rows


def _field_label(field: str) -> str:
    return str(Player._meta.get_field(field).verbose_name)  # type: ignore[union-attr]


def shown_differences(differences: Iterable[Sequence[str]]) -> list[MergeEffect]:
    """Return differences as a person reads them; the record that stays keeps its data."""
    rows = []
    for field, *pair in differences:
        label = _field_label(field)
        if field == "birth_date":
            pair = [_("other day or month")] * 2
        going, staying = (str(Sex(value).label) if field == "sex" else value for value in pair)
        rows.append(MergeEffect(staying, label, going, staying))
    return rows


def merge_players(player: Player, *, into: Player, reason: str, by: Any, at: datetime) -> bool:
    """Merge one player into another and return whether this call did.

    Published lists stay as they are; games and ratings follow with the next ones. `RefusedError` also where an app
    above cannot follow (`players_merged`): who played in one round under both IDs is two persons. Where the records
    differ in who they are about, one person alone is refused, and so is an officer of a federation of theirs, or who
    made them alike, where another could decide (D-131): see `propose_merge`.
    """
    if not is_staff(by):
        raise refused("staff-only", _("Only FIDE staff can merge players."))
    _check_reason(reason)
    federations, asked_by = {player.federation_id, into.federation_id}, made_alike_by(by, player, into)
    is_alone = decides_alone(by, federations, asked_by=asked_by)
    with transaction.atomic():
        merging_begins.send(Player)
        going, staying = _lock_both(player, into)
        if going.merged_into_id == staying.pk:
            return False
        # Under the locks: two merges into each other at once would make a circle.
        check_pair(going, staying)
        if differences := identity_differences(going, staying):
            message = _(
                "The records differ (%(what)s). Propose the merge: another member of FIDE staff confirms it."
            )
            what = ", ".join(item.subject for item in shown_differences(differences))
            raise refused("second-person", message % {"what": what})
        _merge(going, staying, reason=reason, by=by, at=at)
        if is_alone:
            record_alone(going.pk, by=by, at=at)
    return True


def made_alike_by(user: Any, *players: Player) -> int | None:
    """Return the user where they corrected who one of two records is about, as if they had proposed to merge them."""
    entries = LogEntry.objects.filter(by=user, player__in=players, action=Deed.EDITED)
    fields = {one["field"] for changes in entries.values_list("changes", flat=True) for one in changes}
    return None if fields.isdisjoint(("name", "sex", "birth_year", "birth_date")) else user.pk


def propose_merge(player: Player, *, into: Player, reason: str, by: Any, at: datetime) -> MergeProposal:
    """Propose to merge two records, for a member of FIDE staff who did not propose it to confirm.

    A rating officer reports two IDs of one person so, of whom one at least is of the own federation (D-141).
    """
    if not can_act_for(by, player.federation_id) and not can_act_for(by, into.federation_id):
        message = _("One of the two players must be of your federation.")
        raise refused("not-yours", message, "player")
    _check_reason(reason)
    with transaction.atomic():
        going, staying = _lock_both(player, into)
        obstacles = [item.outcome for item in preview_merge(going, into=staying) if item.is_obstacle]
        if obstacles:
            raise refused("obstacle", obstacles[0], "player")
        made = MergeProposal(
            player=going,
            into=staying,
            reason=reason.strip(),
            differences=identity_differences(going, staying),
            asked_by=by,
            asked_at=at,
        )
        message = _("A merge of this FIDE ID is already proposed.")
        return open_case(made, second=Refusal("proposed-already", message, "player"))


def _bar(user: Any, proposal: MergeProposal) -> Refusal | None:
    if (bar := _bar_to_cancel(user, proposal)) is not None:
        return bar
    if user.pk != proposal.asked_by_id:
        return None
    return Refusal("second-person", _("Another member of FIDE staff must confirm the merge."))


def _bar_to_cancel(user: Any, proposal: MergeProposal) -> Refusal | None:
    return None if is_staff(user) else Refusal("staff-only", _("FIDE staff decide. You get an email."))


def _begin(proposal: MergeProposal, seen: str | None) -> None:
    merging_begins.send(Player)
    _lock_both(proposal.player, proposal.into)


def _confirm(proposal: MergeProposal, reason: str, *, by: Any, at: datetime) -> None:
    """Merge two records as a second person; `RefusedError` where they have changed since."""
    going, staying = _lock_both(proposal.player, proposal.into)
    check_pair(going, staying)
    if identity_differences(going, staying) != proposal.differences:
        message = _("The records changed after the merge was proposed. Cancel it and propose it again.")
        raise refused("changed-meanwhile", message)
    _merge(going, staying, reason=proposal.reason, by=by, at=at)


def _mail_decision(proposal: MergeProposal, *, at: datetime) -> None:
    values = {"old": proposal.player, "new": proposal.into, "state": CaseState(proposal.state).label}

    def text() -> str:
        line = _("Your request to merge %(old)s into %(new)s: %(state)s.") % values
        return "\n\n".join(filter(None, [line, proposal.answer, Page("desk:case", proposal.number).link]))

    notices.post(
        to=[proposal.asked_by],
        kind=NoticeKind.TRANSFER,
        key=f"merge:{proposal.pk}",
        subject=lambda: _("Merge of %(old)s: %(state)s") % values,
        text=text,
        at=at,
    )


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. It is saved and published."), "reason")


def _lock_both(player: Player, into: Player) -> tuple[Player, Player]:
    # In the order of their IDs: merges of one pair in both directions do not wait for each other.
    rows = Player.objects.select_for_update().filter(pk__in=[player.pk, into.pk]).order_by("pk")
    held = {one.pk: one for one in rows}
    return held[player.pk], held[into.pk]


def _merge(going: Player, staying: Player, *, reason: str, by: Any, at: datetime) -> None:
    going.merged_into = staying
    going.save(update_fields=["merged_into"], by=by, at=at, reason=reason)
    # Whoever was merged into the old ID before leads on to the person at once, not by two steps.
    Player.objects.filter(merged_into=going).update(merged_into=staying)
    # Approved later, it would move a record that only redirects.
    for transfer in Transfer.objects.filter(player=going, state=CaseState.WAITING):
        cancel_overtaken(transfer, by=by, at=at)
    move_claims(going, into=staying, by=by, at=at)
    move_memberships(going, into=staying, on=at.date())
    players_merged.send(Player, player=going, successor=staying, reason=reason.strip(), by=by, at=at)


def _about(proposal: MergeProposal) -> dict[str, Any]:
    rows = shown_differences(proposal.differences)
    return {
        "player_id": proposal.player_id,
        "subject": f"FIDE ID {proposal.player_id}",
        "before": "; ".join(f"{row.subject}: {row.going} / {row.staying}" for row in rows),
        "after": f"FIDE ID {proposal.into_id}",
        "reason": proposal.reason,
    }


RULES[CaseKind.MERGE] = CaseRules(
    task=CaseTask(_l("Confirm merge"), _l("Confirm")),
    related=("into",),
    seen_by=lambda user: Q() if is_staff(user) else Q(asked_by=user),
    # By somebody else than who proposed it.
    waits_for=lambda user, today: every(where=is_staff(user)) & ~Q(asked_by=user),
    bar=_bar,
    bar_to_cancel=_bar_to_cancel,
    begin=_begin,
    grant=_confirm,
    tell=_mail_decision,
    concerned=lambda proposal: {one.federation_id for one in (proposal.player, proposal.into) if one},
    record=player_acts(
        {
            CaseState.WAITING: Deed.PROPOSE,
            CaseState.APPROVED: Deed.MERGE,
            CaseState.REFUSED: Deed.DROP,
            CaseState.WITHDRAWN: Deed.DROP,
        },
        _about,
    ),
)


def check_pair(going: Player, staying: Player) -> None:
    """Raise `RefusedError` unless these are two records that are not merged yet."""
    if going.pk == staying.pk:
        raise refused("same-player", _("Enter two different FIDE IDs."), "into")
    if going.merged_into_id:
        raise refused("merged-already", _("This FIDE ID has already been merged into another one."))
    refuse_merged(staying, field="into")
