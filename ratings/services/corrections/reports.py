"""Correcting or withdrawing a published report: the effect first, then the record that the next list takes (D-11)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Any

from django.db.models import Q
from django.dispatch import receiver
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from core.dry_runs import carrying_out
from core.errors import refused
from core.sql import ids_subquery
from players.choices import WebhookEvent
from players.own_matters import decides_alone
from ratings.choices import SENTENCES, ListKind, Status
from ratings.models import (
    Correction,
    CorrectionLine,
    ListEntry,
    ParticipantRating,
    PoolEvent,
    RatingList,
    TournamentRating,
)
from ratings.queries.in_force import load_adoptions
from ratings.rate import rate_report
from ratings.services.corrections.lines import (
    Taken,
    chains_of,
    lines_between,
    record_lines,
    store_as_rated,
    taken_between,
    warnings_between,
)
from ratings.services.list_locks import lock_kinds
from tournaments.choices import ReportState, Stage
from tournaments.conditions import Conditions
from tournaments.models import Appeal, Participant, Report, Tournament
from tournaments.portal_reasons import with_alone
from tournaments.services.changed_meanwhile import hold_to_what_was_seen
from tournaments.services.condition_corrections import change_conditions
from tournaments.services.marks import Mark
from tournaments.services.registration_changes import Change
from tournaments.services.report_corrections import (
    decide_standing,
    prepare_correction,
    refuse_standing,
    replace_published_report,
)
from tournaments.services.tournament_webhooks import tell_of_tournaments
from tournaments.signals import appeal_upheld


@dataclass(frozen=True, slots=True)
class Share:
    """A participant's games and the sum of their changes in hundredths, before K, without and with a correction."""

    participant: Participant
    games: tuple[int, int]
    changes: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Effect:
    """What a correction does: other conditions, and what differs for every player.

    Before publication it changes `shares`; afterwards the next list takes `lines`, by the lists that were calculated
    again. `warnings` are those of the corrected report, each with its line, and of whom nothing is corrected (D-142).
    """

    tournament: Tournament
    corrected_lists: tuple[RatingList, ...] = ()
    lines: tuple[CorrectionLine, ...] = ()
    shares: tuple[Share, ...] = ()
    changes: tuple[Change, ...] = ()
    warnings: tuple[str, ...] = ()
    taken: tuple[Taken, ...] = ()

    @property
    def is_published(self) -> bool:
        return self.tournament.stage == Stage.PUBLISHED


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
    is_rated_anew: bool = False,
    conditions: Conditions | None = None,
    seen: str | None = None,
    is_dry_run: bool = False,
) -> Effect:
    """Replace the report of a published tournament, or withdraw it (no content), and return the effect.

    The same bytes with `marks` correct games (4.1), or rate it anew: by late lists (D-77) or `conditions` (D-82).
    Withdrawing is a decision not to rate, which may be appealed (0.4, D-87). A withdrawn report may come back, as it
    was or corrected, unless FIDE Council has the appeal. Published lists stay: the next ones have the adjustments, of
    two kinds where the kind is corrected. A dry run writes nothing. `RefusedError` if not published, with errors, the
    same as now, overtaken since `seen`, or by staff who are officer of its federation (D-131).
    """
    # Whoever requests a correction may see its effect.
    is_alone = not is_dry_run and decides_alone(by, {tournament.federation_id}, asked_by=None)
    reason = with_alone(reason, is_alone=is_alone)
    with carrying_out(is_dry_run=is_dry_run):
        # A list of the kind takes the correction, or has been published before it is made (D-104).
        kinds = lock_corrected(tournament, conditions)
        # Under the lock nothing more can come between what the author saw and the act.
        hold_to_what_was_seen(tournament, seen)
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        former = _correctable_report(locked, content, reason)
        changes = tuple(_change_conditions(locked, conditions, on=on)) if conditions else ()
        anew: dict[str, Any] = {"marks": marks, "is_rated_anew": is_rated_anew or bool(changes)}
        new = prepare_correction(locked, content, file_name=file_name, by=by, on=on, at=at, **anew)
        adoptions, persons = load_adoptions(), _persons_in(former, new)
        before = chains_of(kinds, persons, adoptions)
        replace_published_report(former, new, on=on)
        if new is not None:
            # The chain reads the participations that are stored, not the report.
            rate_report(new, at=at)
        after = chains_of(kinds, persons, adoptions)
        lines = lines_between(before, after)
        warnings = (*(new.warnings if new is not None else ()), *warnings_between(before, after))
        lists, taken = _corrected_lists(locked, lines), taken_between(before, after, lines)
        effect = Effect(locked, lists, lines, changes=changes, warnings=warnings, taken=taken)
        if not is_dry_run:
            _record(effect, former, new, reason=reason, by=by, at=at)
            store_as_rated(after)
        return effect


def lock_corrected(tournament: Tournament, conditions: Conditions | None) -> list[str]:
    """Lock the lists of the kinds that a correction concerns, and return the kinds (D-104)."""
    kinds = sorted({str(tournament.kind), str(conditions.kind if conditions else tournament.kind)})
    lock_kinds(kinds)
    # Asked again under the lock: a correction of the type that came first concerns another kind's lists.
    is_same = Tournament.objects.filter(pk=tournament.pk, kind=tournament.kind).exists()
    if not is_same:
        raise refused("changed-meanwhile", _("The rating type of the tournament was changed meanwhile."))
    return kinds


def current_report(tournament: Tournament) -> Report | None:
    """Return the report that stands for a tournament now, None where it was withdrawn."""
    return tournament.reports.filter(state=ReportState.ACCEPTED).first()


def _change_conditions(tournament: Tournament, wanted: Conditions, *, on: date) -> list[Change]:
    """Change the conditions of a published tournament; its events in pools keep the last day that they had (D-82)."""
    former_end = tournament.end
    if wanted.kind != tournament.kind:
        _refuse_without_list(tournament, wanted.kind)
    changes = change_conditions(tournament, wanted, on=on)
    # The first former day stays, whatever is corrected later: by it the lists put events in order (D-82).
    pooled = PoolEvent.objects.filter(tournament=tournament, former_end=None)
    if tournament.end != former_end:
        pooled.update(former_end=former_end)
    return changes


def _refuse_without_list(tournament: Tournament, kind: str) -> None:
    """Refuse another kind where it has no list of the date of the one that took the tournament (D-82)."""
    taken = RatingList.objects.filter(tournament_ratings__report__tournament=tournament)
    day = taken.values_list("date", flat=True).first()
    if day is None or RatingList.objects.filter(kind=kind, date=day).exists():
        return
    message = _("There is no %(kind)s list of %(date)s yet. Publish it first.")
    names = {"kind": ListKind(kind).label, "date": date_format(day)}
    raise refused("list-missing-D-82", message % names, "kind")


def _correctable_report(tournament: Tournament, content: bytes | None, reason: str) -> Report:
    """Return the accepted report, or the one withdrawn last if content replaces it; `RefusedError` without one."""
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. It is saved and published."), "reason")
    former = current_report(tournament)
    if former is None and content is not None:
        withdrawn = tournament.reports.filter(state=ReportState.WITHDRAWN)
        former = withdrawn.order_by("version").last()
    if tournament.stage != Stage.PUBLISHED or former is None:
        message = _("%(event)s is not on a published list. Submit its report again instead (decision D-11).")
        raise refused("not-published", message % {"event": tournament.event_id})
    refuse_standing(tournament, is_withdrawn=content is None)
    return former


def _persons_in(*reports: Report | None) -> set[int]:
    rows = Participant.objects.filter(report__in=[report for report in reports if report is not None])
    matched = rows.filter(player__isnull=False).order_by().values_list("player_id", flat=True)
    return {player_id or 0 for player_id in matched}


def _corrected_lists(tournament: Tournament, lines: Iterable[CorrectionLine]) -> tuple[RatingList, ...]:
    """Return the list that took the tournament, and the others on which something differs."""
    taken = RatingList.objects.filter(tournament_ratings__report__tournament=tournament)
    lists = {item.pk: item for item in (*taken, *(line.corrected_list for line in lines))}
    return tuple(sorted(lists.values(), key=lambda item: item.date))


def _record(
    effect: Effect,
    former: Report,
    new: Report | None,
    *,
    reason: str,
    by: Any,
    at: datetime,
) -> None:
    correction = Correction.objects.create(
        tournament=effect.tournament,
        old_report=former,
        new_report=new,
        data={change["field"]: [change["before"], change["after"]] for change in effect.changes},
        by=by,
        at=at,
        **Correction.columns_of(reason),
    )
    record_lines(correction, effect.lines)
    tell_of_tournaments(WebhookEvent.CORRECTED, [(effect.tournament, str(correction.pk))], at=at)
    values: dict[str, Any] = {"reason": reason, "by": by, "at": at, "changes": effect.changes}
    decide_standing(effect.tournament, is_withdrawn=new is None, **values)


@receiver(appeal_upheld)
def restore_published_report(*, appeal: Appeal, at: datetime, **kwargs: Any) -> None:
    """Restore a published report that was withdrawn, as a correction on the next list (D-87, D-11)."""
    tournament = Tournament.objects.get(pk=appeal.tournament.pk)
    withdrawn = tournament.reports.filter(state=ReportState.WITHDRAWN).order_by("version").last()
    if tournament.stage != Stage.PUBLISHED or withdrawn is None:
        return
    correct_report(
        tournament,
        bytes(withdrawn.content),
        file_name=withdrawn.file_name,
        reason=appeal.answer,
        by=appeal.decided_by,
        on=at.date(),
        at=at,
    )


def correct_standard_ratings(rating_list: RatingList, *, at: datetime) -> list[Effect]:
    """Correct the published tournaments that a late standard list rates otherwise, and return the effects (D-77)."""
    reason = SENTENCES.state("standard-late", date=rating_list.date)
    return rate_published_anew(_reports_rated_without(rating_list), reason=reason, at=at)


def rate_published_anew(reports: Iterable[Report], *, reason: str, at: datetime) -> list[Effect]:
    """Correct published reports by what is known of the lists in force now, and return the effects (D-11).

    Tournaments in which nothing differs stay as they are. The caller holds the transaction.
    """
    found = []
    for report in reports:
        correct = partial(
            correct_report,
            report.tournament,
            bytes(report.content),
            file_name=report.file_name,
            reason=reason,
            by=None,
            on=at.date(),
            at=at,
            is_rated_anew=True,
        )
        # Tried first: the public log is for corrections that change something.
        if correct(is_dry_run=True).lines:
            found.append(correct())
    return found


def _reports_rated_without(rating_list: RatingList) -> list[Report]:
    """Return the published reports with a player for whom the list would have been in force at the start (D-1).

    In steps: as one statement PostgreSQL took half an hour for some hundred reports that it had no statistics of.
    """
    ratings = TournamentRating.objects.filter(
        Q(standard_basis=None) | Q(standard_basis__date__lt=rating_list.date),
        report__state=ReportState.ACCEPTED,
        report__tournament__stage=Stage.PUBLISHED,
        report__tournament__start__gte=rating_list.date,
    )
    report_of = dict(ratings.order_by().values_list("pk", "report"))
    unrated = ParticipantRating.objects.filter(
        tournament_rating__in=ids_subquery(report_of), player__isnull=False
    )
    pairs = list(unrated.exclude(start_status=Status.RATED).values_list("tournament_rating", "player"))
    entries = ListEntry.objects.filter(rating_list=rating_list).listed()
    players = ids_subquery({player for _rating, player in pairs})
    listed = set(entries.filter(player__in=players).values_list("player", flat=True))
    return _in_order({report_of[rating] for rating, player in pairs if player in listed})


def reports_rated_by_standard(rating_list: RatingList, players: Iterable[int]) -> list[Report]:
    """Return the accepted reports rated with a standard list in which one of the players had no other rating."""
    rows = ParticipantRating.objects.filter(
        tournament_rating__standard_basis=rating_list,
        tournament_rating__report__state=ReportState.ACCEPTED,
        player__in=ids_subquery(players),
    )
    return _in_order(
        set(rows.exclude(start_status=Status.RATED).values_list("tournament_rating__report", flat=True))
    )


def _in_order(report_ids: Collection[int]) -> list[Report]:
    reports = Report.objects.filter(pk__in=ids_subquery(report_ids)).select_related("tournament")
    # The database has no order of its own, and reports must be corrected in the same one each time.
    return list(reports.order_by("tournament__event_id"))
