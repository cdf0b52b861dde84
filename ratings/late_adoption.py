"""Adopting a text of the regulations from a past day: its effect first, then corrections of the next lists (D-132).

What a list would have been by the text is the calculation of its trials, by which the players are found; what the next
lists take of them is the difference of their chains, as with any correction (D-11).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Self

from django.db import transaction
from django.utils.translation import gettext as _

from core.acts import Act
from core.errors import Refusal, RefusedError, refused
from core.pages import Page
from core.sql import ids_subquery
from players import notices
from players.choices import NoticeKind, WebhookEvent
from players.claims import confirmed_claims
from players.models import Player
from players.own_matters import decides_alone, is_staff_there
from ratings.acts_on_lists import (
    cancel_act,
    confirm_act,
    prepare_act,
    refuse_others,
    refuse_without_reason,
)
from ratings.amend.lines import OnList, record_for_players, results_between, store_as_rated
from ratings.choices import PUBLISHED_KINDS, SENTENCES, Origin, Work
from ratings.due_runs import make_due, name_of
from ratings.in_force import load_adoptions
from ratings.ledger.chain import POINT, Chain, chain_of
from ratings.lists import lock_kinds, read_lists
from ratings.models import Adoption, LateAdoption, ParticipantRating, RatingList
from ratings.systems.otb.period import PeriodResult
from ratings.systems.registry import Adoptions, rules_named, texts
from ratings.text_trials import is_rated_otherwise, kept_part, pairing_of
from ratings.verify.entries import EntryDifference, ResultDifference
from ratings.verify.lists import GameDifference, list_differences
from tournaments.amendments import Datum
from tournaments.choices import ReportState, Stage
from tournaments.models import Tournament
from tournaments.signals import Dispatch
from tournaments.webhooks import tell_of_tournaments

# The datum of a player's correction.
TEXT = "text"
Row = dict[str, Any]


@dataclass(slots=True)
class Concerned:
    """Whom another text concerns on published lists, by rating type, with the games that it rates otherwise.

    `games` are their numbers by the name of the list, `event_ids` their tournaments. `texts` are the adoptions by which
    this was found: published lists never change, so that it holds as long as these do.
    """

    texts: list[list[str]]
    persons: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    games: dict[str, int] = field(default_factory=dict)
    event_ids: set[str] = field(default_factory=set)

    def as_row(self) -> Row:
        """Return what is kept with the act, so that its confirmation looks at new lists alone."""
        persons = {kind: sorted(some) for kind, some in self.persons.items()}
        return {
            "texts": self.texts,
            "persons": persons,
            "games": self.games,
            "event_ids": sorted(self.event_ids),
        }

    @classmethod
    def known_by(cls, row: Row | None, adoptions: Adoptions) -> Self:
        """Return what is kept of a row, nothing where it was found by other adoptions."""
        names = [[item.rules.slug, item.first_day.isoformat()] for item in adoptions.rows]
        found = cls(names)
        if row and row["texts"] == names:
            found.games, found.event_ids = dict(row["games"]), set(row["event_ids"])
            for kind, some in row["persons"].items():
                found.persons[kind] |= set(some)
        return found


@dataclass(frozen=True, slots=True)
class LateEffect:
    """What a text for a past day does: each player on each list, the chains with it, and a row for each list."""

    concerned: Concerned
    players: tuple[OnList, ...]
    after: Mapping[str, Chain]
    rows: list[Row]


def prepare(
    text: str,
    first_day: date,
    act: Act,
    *,
    reference: str,
    by_name: str = "",
    dispatch: Dispatch | None = None,
    is_at_once: bool = False,
) -> LateAdoption:
    """Enter a text for a past day and have its effect calculated, `is_at_once` or by a worker.

    The same one again is returned as it is. What nobody else could confirm is confirmed at once, alone (D-131):
    only the operator of the installation, who has no account, prepares it without an account.
    """
    refuse_others(act.by)
    with transaction.atomic():
        lock_kinds(PUBLISHED_KINDS)
        if (made := standing_late(text, first_day)) is None:
            refuse_late(text, first_day, reason=act.reason, reference=reference, on=act.on)
            # One that is confirmed is refused as an adoption is.
            if LateAdoption.objects.filter(first_day=first_day, cancelled_at=None).exists():
                message = _("Another text is prepared from this date. Confirm or cancel that adoption first.")
                raise refused("day-taken", message, "first_day")
            new = LateAdoption(text=text, first_day=first_day)
            made = prepare_act(new, act, reference=reference, by_name=by_name)
            if not is_at_once:
                make_due(Work.LATE, str(made.pk), at=act.at, dispatch=dispatch, by=act.by)
    # A command that was killed in between is given again.
    if is_at_once and made.adoption_id is None:
        perform_effect(made.pk)
        made.refresh_from_db()
        if act.by is None and not is_staff_there():
            made = _confirm(made, act, by_name=by_name, is_alone=True)
    return made


def standing_late(text: str, first_day: date) -> LateAdoption | None:
    """Return the late adoption of a text from a day on that was not cancelled, confirmed or not."""
    return LateAdoption.objects.filter(text=text, first_day=first_day, cancelled_at=None).first()


def refuse_late(text: str, first_day: date, *, reason: str, reference: str, on: date) -> None:
    """Raise `RefusedError` where a text cannot be adopted from a past day; write nothing."""
    if refusals := [*_refusals(text, first_day, reason, reference, on)]:
        raise RefusedError(refusals)


def perform_effect(pk: int) -> None:
    """Calculate the effect of a late adoption that waits, and keep it with it: once, however often it is asked for."""
    waiting = LateAdoption.objects.filter(pk=pk, confirmed_at=None, cancelled_at=None).first()
    if waiting is not None:
        effect = effect_of(waiting.text, waiting.first_day)
        waiting.effect, waiting.concerned = [*map(kept_part, effect.rows)], effect.concerned.as_row()
        waiting.save(update_fields=["effect", "concerned"])


def confirm(late: LateAdoption, act: Act, seen: str | None = None) -> LateAdoption:
    """Adopt a text for a past day as another person than who prepared it: the next lists take the differences.

    `seen` is the effect that the person saw, None where it is read and confirmed at once.
    """
    refuse_others(act.by)
    is_alone = decides_alone(act.by, frozenset(), asked_by=late.prepared_by_id)
    return _confirm(late, act, by_name="", is_alone=is_alone, seen=seen)


def cancel(late: LateAdoption, act: Act) -> LateAdoption:
    """Cancel a late adoption until a list has included it; what it corrected is corrected back (D-101)."""
    refuse_others(act.by)
    refuse_without_reason(act)
    with transaction.atomic():
        found = _locked(late)
        if found.adoption is not None:
            if is_included(found):
                message = _("A list includes this adoption. It can no longer be cancelled.")
                raise refused("adoption-used", message)
            _undo(found, act)
        cancel_act(found, act)
    return found


def is_included(late: LateAdoption) -> bool:
    """Whether a list was published by a late adoption that was confirmed."""
    lists = RatingList.objects.filter(origin=Origin.PUBLISHED, date__gte=late.first_day)
    return any(late.is_known_to(kind, day) for kind, day in lists.values_list("kind", "date"))


def effect_of(text: str, first_day: date, *, known: Row | None = None) -> LateEffect:
    """Return what a text does from a past day on; nothing is written. `known` is a row of `Concerned`."""
    before = load_adoptions()
    pairs = [(row.rules, row.first_day) for row in before.rows]
    after = Adoptions.of([*pairs, (rules_named(text), first_day)])
    return _effect_between(before, after, find_concerned(after, first_day, known=known))


def _effect_between(before: Adoptions, after: Adoptions, concerned: Concerned) -> LateEffect:
    chains = [
        {kind: chain_of(kind, persons, adoptions) for kind, persons in sorted(concerned.persons.items())}
        for adoptions in (before, after)
    ]
    players = results_between(*chains)
    return LateEffect(concerned, players, chains[1], _rows(concerned, players))


def find_concerned(adoptions: Adoptions, first_day: date, *, known: Row | None = None) -> Concerned:
    """Return whom and which games other texts concern, from the published lists and from reports corrected since.

    Each list is calculated again from the published one before it: of whom nothing differs there, nothing differs in
    the chain of lists, either.
    """
    found = Concerned.known_by(known, adoptions)
    lists = RatingList.objects.filter(origin=Origin.PUBLISHED, date__gte=first_day)
    for rating_list in lists.select_related("previous").order_by("date", "kind"):
        if name_of(rating_list) in found.games:
            continue
        persons, games = found.persons[rating_list.kind], set()
        for item in list_differences(rating_list, adoptions):
            if isinstance(item, EntryDifference | ResultDifference):
                persons.add(item.player_id)
            elif isinstance(item, GameDifference) and is_rated_otherwise(item):
                persons.add(item.player_id)
                games.add(pairing_of(item))
        found.games[name_of(rating_list)] = len(games)
        found.event_ids |= {event_id for event_id, _round, _number in games}
    of_report = "tournament_rating__report"
    corrected = ParticipantRating.objects.filter(
        **{
            f"{of_report}__state": ReportState.ACCEPTED,
            f"{of_report}__tournament__stage": Stage.PUBLISHED,
            f"{of_report}__tournament__start__gte": first_day,
        },
        tournament_rating__included_in=None,
        player__isnull=False,
    )
    for kind, player_id in corrected.order_by().values_list(f"{of_report}__tournament__kind", "player_id"):
        found.persons[kind].add(player_id or 0)
    return found


def _rows(concerned: Concerned, players: Iterable[OnList]) -> list[Row]:
    """Return a row for each list: how many players, games and points, and the players, the largest difference first."""
    by_list: dict[str, list[OnList]] = defaultdict(list)
    for one in players:
        if one.line is not None:
            by_list[name_of(one.line.corrected_list)].append(one)
    ids = {one.player_id for some in by_list.values() for one in some}
    names = dict(Player.objects.filter(pk__in=ids_subquery(ids)).values_list("pk", "name"))
    found = []
    for name, games in sorted(concerned.games.items(), key=lambda item: item[0].split(" ")[::-1]):
        of_list, (kind, day) = by_list.get(name, []), name.split(" ")
        differences = [_difference(one, names) for one in of_list]
        differences.sort(key=lambda row: (-abs(row["difference"]), row["fide_id"]))
        found.append(
            {
                "kind": kind,
                "date": day,
                "players": len(differences),
                "games": games,
                "points": sum(row["difference"] for row in differences),
                "differences": differences,
            }
        )
    return found


def _difference(one: OnList, names: Mapping[int, str]) -> Row:
    """Return a player on a list: the ratings as they are and would be, and the unrounded difference in hundredths."""
    return {
        "fide_id": one.player_id,
        "name": names.get(one.player_id, ""),
        "before": _rating_of(one.before),
        "after": _rating_of(one.after),
        "difference": one.line.difference_hundredths if one.line else 0,
    }


def _rating_of(result: PeriodResult) -> int | None:
    return result.rating if result.rating is not None else result.kept


def _confirm(
    late: LateAdoption, act: Act, *, by_name: str, is_alone: bool, seen: str | None = None
) -> LateAdoption:
    with transaction.atomic():
        found = _locked(late)
        if found.adoption is not None:
            return found
        if found.effect is None:
            raise refused("effect-missing", _("The effect is still being calculated. Confirm it then."))
        refuse_late(found.text, found.first_day, reason=found.reason, reference=found.reference, on=act.on)
        # Once more: other corrections and lists may have come since it was shown.
        effect = effect_of(found.text, found.first_day, known=found.concerned)
        shown, found.effect = found.effect, [*map(kept_part, effect.rows)]
        if found.effect == shown and seen in (None, found.seen):
            return _adopt(found, effect, act, by_name=by_name, is_alone=is_alone)
        found.concerned = effect.concerned.as_row()
        found.save(update_fields=["effect", "concerned"])
    # After the commit: what is shown from now on is what the lists take (D-132).
    message = _(
        "The effect has changed since it was shown. Nothing was adopted. Check it, and confirm again."
    )
    raise refused("effect-changed", message)


def _adopt(
    found: LateAdoption, effect: LateEffect, act: Act, *, by_name: str, is_alone: bool
) -> LateAdoption:
    found.adoption = Adoption.objects.create(
        text=found.text,
        first_day=found.first_day,
        reason=found.reason,
        reference=found.reference,
        by=act.by,
        at=act.at,
    )
    lists = read_lists()
    newest = {kind: lists.newest(kind) for kind in PUBLISHED_KINDS}
    found.newest = {kind: item.date.isoformat() for kind, item in newest.items() if item}
    confirm_act(found, act, by_name=by_name, is_alone=is_alone)
    _correct(found, effect, "late-text", act)
    return found


def _undo(found: LateAdoption, act: Act) -> None:
    """Revoke the adoption, and let lines that give back stand beside those that wait."""
    now = load_adoptions()
    Adoption.objects.filter(late=found).update(
        revoked_by=act.by, revoked_at=act.at, revoked_reason=act.reason.strip()
    )
    concerned = find_concerned(now, found.first_day, known=found.concerned)
    _correct(found, _effect_between(now, load_adoptions(), concerned), "late-text-cancelled", act)


def _correct(found: LateAdoption, effect: LateEffect, code: str, act: Act) -> None:
    """Record a correction for each player, with the lines that name text and decision, and tell of them."""
    words = act.reason if code == "late-text-cancelled" else found.reason
    reason = SENTENCES.state(
        code, words=words, text=found.text, date=found.first_day, reference=found.reference
    )
    former = with_text_until(found).slug
    pair = (former, found.text) if code == "late-text" else (found.text, former)
    datum = Datum(field=TEXT, before=pair[0], after=pair[1])
    lines = (one.line for one in effect.players if one.line is not None)
    players = record_for_players(lines, datum, reason, late_adoption=found, by=act.by, at=act.at)
    store_as_rated(effect.after)
    tournaments = Tournament.objects.filter(event_id__in=effect.concerned.event_ids).order_by("event_id")
    version = f"{code}-{found.pk}"
    tell_of_tournaments(WebhookEvent.CORRECTED, [(one, version) for one in tournaments], at=act.at)
    _tell_players(found, code, players, at=act.at)


def with_text_until(found: LateAdoption) -> Any:
    """Return the text that was in force on the first day without the late one."""
    rows = Adoption.objects.filter(revoked_at=None).exclude(late=found)
    pairs = ((rules_named(text), first) for text, first in rows.values_list("text", "first_day"))
    return Adoptions.of(pairs).text_on(found.first_day)


def _tell_players(found: LateAdoption, code: str, player_ids: Iterable[int], *, at: datetime) -> None:
    """Tell the players concerned who have an account, by the page of the adoption."""
    people = {claim.asked_by for claim in confirmed_claims(list(player_ids))}
    values = {"text": found.rules.title}

    def text() -> str:
        if code == "late-text":
            line = _("“%(text)s” was adopted from a past date. The next list corrects your rating.") % values
        else:
            line = (
                _("The adoption of “%(text)s” was cancelled. The next list does not correct your rating.")
                % values
            )
        return f"{line}\n\n{Page('ratings:adoption', found.pk).link}"

    notices.post(
        to=sorted((user for user in people if user is not None), key=lambda user: user.pk),
        kind=NoticeKind.CLAIM,
        key=f"{code}:{found.pk}",
        subject=lambda: _("Rating regulations adopted from a past date"),
        text=text,
        at=at,
    )


def _locked(late: LateAdoption) -> LateAdoption:
    """Lock the lists and return the late adoption as it is; `RefusedError` where it was cancelled."""
    lock_kinds(PUBLISHED_KINDS)
    found = LateAdoption.objects.select_related("adoption").get(pk=late.pk)
    if found.cancelled_at is not None:
        raise refused("cancelled", _("The adoption was cancelled."))
    return found


def _refusals(text: str, first_day: date, reason: str, reference: str, today: date) -> Iterator[Refusal]:
    adoptions = load_adoptions()
    if text not in {rules.slug for rules in texts()}:
        yield Refusal("text-unknown", _("No text is named “%(text)s”.") % {"text": text}, "text")
    elif first_day > today:
        yield Refusal("day-in-future", _("Enter a date up to today."), "first_day")
    elif not adoptions.has_text_on(first_day):
        message = _("No list of the portal follows a text of that date.")
        yield Refusal("no-rules-D-13", message, "first_day")
    elif adoptions.text_on(first_day).slug == text:
        yield Refusal("text-in-force", _("This text is in effect on that date already."), "first_day")
    elif any(row.first_day == first_day for row in adoptions.rows):
        yield Refusal("day-taken", _("Another text is adopted from this very date."), "first_day")
    if not reason.strip():
        yield Refusal("reason-missing", _("Enter a reason. It is saved and published."), "reason")
    if not reference.strip():
        message = _("Enter the reference of the decision of FIDE Council or its President.")
        yield Refusal("reference-missing", message, "reference")


def points_of(hundredths: int) -> float:
    """Return hundredths as points, for JSON."""
    return hundredths / POINT
