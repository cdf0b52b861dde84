"""Correcting or withdrawing a published report: the effect first, then the record that the next list takes (D-11)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError
from ratings.choices import EntryStatus, LineKind, Status
from ratings.models import Calculation, Correction, CorrectionLine, ListEntry, ParticipantRating, RatingList
from ratings.queries.in_force import load_adoptions
from ratings.services.corrections.lines import Line, line_of
from ratings.services.corrections.recalculation import current_report, recalculated
from ratings.services.publication.due import Mergers, mergers_of
from ratings.services.publication.results import store_participation
from ratings.services.rating import rate_report
from ratings.systems.otb.period import PeriodResult
from ratings.systems.otb.values import UNRATED, Outcome
from ratings.systems.registry import Adoptions, rules_named
from tournaments.choices import Action, ReportState, Stage
from tournaments.models import Participant, Report, Tournament
from tournaments.services.report_corrections import Mark, prepare_correction, replace_published_report
from tournaments.services.trail import record_step


@dataclass(frozen=True, slots=True)
class Effect:
    """What a correction does: the lists that were calculated again and every player's difference."""

    tournament: Tournament
    corrected_lists: tuple[RatingList, ...]
    lines: tuple[Line, ...]


def correct_report(
    tournament: Tournament,
    content: bytes | None,
    *,
    file_name: str,
    reason: str,
    by: Any,
    on: date,
    at: datetime,
    marks: Sequence[Mark] = (),
    is_dry_run: bool = False,
) -> Effect:
    """Replace the report of a published tournament, or withdraw it (no content), and return the effect.

    The same bytes with `marks` correct single games (4.1). One that was withdrawn may come back, as it was or
    corrected.

    Nothing published changes: the next list carries the differences. A dry run writes nothing. `RefusedError`
    where the tournament is not published, the report has errors, or it is the one that stands already.
    """
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        former = _former(locked, content, reason)
        new = prepare_correction(locked, content, file_name=file_name, by=by, on=on, at=at, marks=marks)
        now = mergers_of(locked.kind, date.max, taken_by=None)
        players = _players_of(now, former, new)
        lists = _lists_to_correct(locked, players)
        adoptions = load_adoptions()
        before = _results(lists, players, adoptions)
        replace_published_report(former, new, on=on)
        if new is not None:
            rate_report(new, at=at)
        lines = _lines(locked.kind, lists, before, _results(lists, players, adoptions), now)
        effect = Effect(locked, tuple(lists), lines)
        if is_dry_run:
            transaction.set_rollback(True)
        else:
            _record(effect, former, new, now, reason=reason, by=by, at=at)
    return effect


def _former(tournament: Tournament, content: bytes | None, reason: str) -> Report:
    """Return the report that stands, or the one withdrawn last where another is to take its place."""
    if not reason.strip():
        raise RefusedError(
            [Refusal("reason-missing", _("Give the reason; it is kept and published."), "reason")]
        )
    former = current_report(tournament)
    if former is None and content is not None:
        withdrawn = tournament.reports.filter(state=ReportState.WITHDRAWN)
        former = withdrawn.order_by("version").last()
    if tournament.stage != Stage.PUBLISHED or former is None:
        message = _("%(event)s is not on a published list: submit its report again instead (D-11).")
        raise RefusedError([Refusal("not-published", message % {"event": tournament.event_id})])
    return former


def _players_of(now: Mergers, *reports: Report | None) -> set[int]:
    """Return everybody in the reports, under each FIDE ID that the person ever had."""
    rows = Participant.objects.filter(report__in=[report for report in reports if report is not None])
    matched = rows.filter(player__isnull=False).values_list("player_id", flat=True)
    return now.ids_of(now.person(player_id or 0) for player_id in matched)


def _lists_to_correct(tournament: Tournament, players: set[int]) -> list[RatingList]:
    """Return the list that took the tournament, and later ones that gave a first rating out of a pool with it."""
    taken = RatingList.objects.filter(tournament_ratings__report__tournament=tournament).distinct()
    first = taken.order_by("date").first()
    if first is None:
        return []
    initial = Calculation.objects.filter(
        player__in=players,
        result__startswith="initial-",
        new_rating__isnull=False,
        rating_list__kind=tournament.kind,
        rating_list__date__gt=first.date,
    )
    later = RatingList.objects.filter(pk__in=initial.values("rating_list"))
    return [first, *later.order_by("date")]


def _results(
    lists: Iterable[RatingList], players: set[int], adoptions: Adoptions
) -> dict[int, dict[int, PeriodResult]]:
    return {rating_list.pk: recalculated(rating_list, players, adoptions) for rating_list in lists}


def _lines(
    kind: str,
    lists: list[RatingList],
    before: dict[int, dict[int, PeriodResult]],
    after: dict[int, dict[int, PeriodResult]],
    now: Mergers,
) -> tuple[Line, ...]:
    rated_now = _rated_now(kind, after, now)
    found = [
        line_of(
            player_id,
            rating_list,
            before[rating_list.pk][player_id],
            result,
            is_rated_now=player_id in rated_now,
        )
        for rating_list in lists
        for player_id, result in sorted(after[rating_list.pk].items())
    ]
    return tuple(line for line in found if line is not None)


def _rated_now(kind: str, results: dict[int, dict[int, PeriodResult]], now: Mergers) -> set[int]:
    """Return who has a rating on the newest list, with the corrections since, under any ID of theirs."""
    players = {player_id for of_list in results.values() for player_id in of_list}
    newest = RatingList.objects.latest_of(kind)
    entries = ListEntry.objects.filter(rating_list=newest, player__in=players)
    with_rating = entries.filter(status__in=[EntryStatus.LISTED, EntryStatus.WITHHELD])
    rated = set(with_rating.values_list("player_id", flat=True))
    pending = CorrectionLine.objects.filter(taken_by=None, corrected_list__kind=kind, player__in=players)
    for player_id, of_kind, before in pending.order_by("pk").values_list(
        "player_id", "kind", "before_hundredths"
    ):
        if of_kind == LineKind.LOST:
            rated.discard(player_id)
        elif of_kind == LineKind.INITIAL and before is None:
            rated.add(player_id)
    return {player_id for player_id in players if rated & now.ids_of([now.person(player_id)])}


def _record(
    effect: Effect,
    former: Report,
    new: Report | None,
    now: Mergers,
    *,
    reason: str,
    by: Any,
    at: datetime,
) -> None:
    correction = Correction.objects.create(
        tournament=effect.tournament, old_report=former, new_report=new, reason=reason.strip(), by=by, at=at
    )
    participations = _participations(new, now)
    for line in effect.lines:
        row = line.as_row()
        row.correction = correction
        if line.kind in (LineKind.POOL, LineKind.LOST):
            row.participant_rating = _as_unrated(participations.get(now.person(line.player_id)))
        row.save(force_insert=True)
    record_step(effect.tournament, Action.CORRECT, reason=reason.strip(), by=by, at=at)


def _participations(report: Report | None, now: Mergers) -> dict[int, ParticipantRating]:
    """Return the rated lines of a report by the ID that the person has now."""
    rows = ParticipantRating.objects.filter(tournament_rating__report=report, player__isnull=False)
    return {now.person(row.player_id or 0): row for row in rows} if report is not None else {}


def _as_unrated(row: ParticipantRating | None) -> ParticipantRating | None:
    """Store the corrected participation as that of an unrated player, as the pool takes it (7.2.5, D-2)."""
    if row is None or row.own_status == Status.UNRATED:
        return row
    outcomes = [Outcome.from_row(outcome) for outcome in row.outcomes]
    rules = rules_named(row.tournament_rating.rules)
    store_participation(row, UNRATED, rules.rate_again(UNRATED, outcomes))
    row.save()
    return row
