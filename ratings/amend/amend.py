"""Amending what was reported: the only way to change it, before and after acceptance and publication.

What becomes of amendments follows from the stage of the tournament and from who makes them: a version, a file to send,
an accepted version, an adjustment on the next list (D-11), or a request that somebody else decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from msgspec import structs

from core.acts import Act, carrying_out
from core.digests import sha256_of
from core.errors import RefusedError, refused
from players.choices import WebhookEvent
from players.own_matters import decides_alone
from players.permissions import is_staff
from ratings.amend.effect import Effect, RatedVersion, marks_of, parts_between, players_between
from ratings.amend.lines import chains_of, record_lines, store_as_rated
from ratings.amend.records import record_corrections, request_corrections, tell_concerned
from ratings.amend.standing import Standing, Way, standing_for
from ratings.choices import ListKind
from ratings.in_force import load_adoptions
from ratings.lists import lock_kinds
from ratings.models import Correction, CorrectionLine, PoolEvent, RatingList
from ratings.rate import rate_report
from tournaments.amended import amended_lines, game_of, result_of
from tournaments.amendments import (
    Amendment,
    Anew,
    Condition,
    File,
    NotRated,
    OfGame,
    Result,
    Withdrawal,
    stored,
    with_amendments,
)
from tournaments.changed_meanwhile import hold_to_what_was_seen, refuse_unseen
from tournaments.choices import TAKEN_BACK, Action, GameMark, ReportState, Stage
from tournaments.conditions import CORRECTED, Conditions
from tournaments.corrected_versions import apply_changes, corrected_name
from tournaments.corrections import (
    change_conditions,
    conditions_with,
    decide_standing,
    prepare_correction,
    rate_again,
    refuse_standing,
    replace_published_report,
)
from tournaments.drafts import fitting
from tournaments.handover import keep_checked
from tournaments.line_changes import ChangedLine
from tournaments.log import record_action
from tournaments.marks import Mark, mark_games
from tournaments.models import Game, Participant, Report, ResultCorrection, Tournament
from tournaments.permissions import can_report
from tournaments.portal_reasons import SENTENCES, with_alone
from tournaments.progress import state_of
from tournaments.registration_changes import Change, stored_change
from tournaments.reports import Upload, accept_report, stored_bytes, upload_report
from tournaments.trf import Report as TrfReport
from tournaments.trf import Severity, read_report
from tournaments.trf.changed_lines import as_written, with_lines
from tournaments.webhooks import tell_of_tournaments


class Plan(NamedTuple):
    """What amendments make of a report: its bytes (None: withdrawn), marks, conditions (None: as they are)."""

    content: bytes | None
    file_name: str
    marks: list[Mark]
    conditions: Conditions | None
    is_anew: bool
    changes: Sequence[ChangedLine] = ()


def amend(
    tournament: Tournament,
    amendments: Sequence[Amendment],
    act: Act,
    *,
    seen: str | None = None,
    shown: Standing | None = None,
    case: ResultCorrection | None = None,
    is_decided: bool = False,
    is_dry_run: bool = False,
) -> Effect:
    """Amend what is reported of a tournament, or request it, and return the effect; a dry run writes nothing.

    `seen` is the number of the newest step that the author saw, `shown` what a page said would come of it; `case` is
    the request that is granted, and what `is_decided` elsewhere the portal carries out. Published lists stay: the next
    ones have the adjustments, of two kinds where the kind is corrected. Withdrawing is a decision not to rate, which
    may be appealed (0.4, D-87); a withdrawn report may come back as a file, unless FIDE Council has the appeal.
    `RefusedError` where the person may not, without a reason, where nothing would differ or a rule stands against it,
    where what was seen is overtaken, and for staff who are officers of the federation (D-131).
    """
    # What a game would change before publication is calculated and not carried out.
    is_look = is_dry_run and all(isinstance(one, OfGame) for one in amendments)
    with carrying_out(is_dry_run=is_dry_run):
        locked, kinds = _hold(tournament, amendments, seen, is_look=is_look)
        standing = standing_for(None if is_decided else act.by, locked)
        act = _with_who_decides(locked, amendments, act, is_decided=is_decided or is_dry_run)
        if standing is None and (act.by is None or can_report(act.by, locked)):
            raise _no_report(locked)
        # Accepted or published since the page was opened, the same click would be another act.
        is_other = standing is None or (shown is not None and _what_comes(shown) != _what_comes(standing))
        if standing is None or is_other:
            raise refused("not-yours", _("You cannot correct this report, or it was replaced meanwhile."))
        _refuse(standing, amendments, act, is_decided=is_decided, is_dry_run=is_dry_run)
        if standing.way == Way.REQUEST and is_dry_run:
            # What is shown is what the request would do, once it is granted.
            standing = replace(standing, way=_way_once_granted(standing))
        # What changes the text, or is of a game, is said of a report that has to be read for it.
        of_read = any(one.changes_text or isinstance(one, OfGame) for one in amendments)
        is_read = standing.report is not None and of_read
        read = read_report(bytes(standing.report.content)) if is_read or not standing.is_published else None
        amendments = [_with_what_was(one, locked, read) for one in amendments]
        if standing.way == Way.PUBLISHED:
            effect = _correct(standing, read, amendments, act, kinds=kinds, is_dry_run=is_dry_run)
        else:
            effect = _change(standing, read, amendments, act, is_look=is_look, is_dry_run=is_dry_run)
        games = [one for one in amendments if isinstance(one, OfGame)]
        if not games or read is None or is_dry_run or case is not None:
            return effect
        records: tuple[ResultCorrection, ...] = ()
        if standing.way == Way.REQUEST:
            effect = amend(tournament, amendments, act, is_dry_run=True)
            records = request_corrections(standing, games, read, act, effect)
        elif standing.way != Way.SEND:
            records = record_corrections(standing, games, read, act)
        effect = replace(effect, records=records)
        tell_concerned(standing, games, read, act, effect)
        return effect


class _OvertakenError(Exception):
    """A list took the tournament while somebody waited for it."""


def _hold(
    tournament: Tournament, amendments: Sequence[Amendment], seen: str | None, *, is_look: bool
) -> tuple[Tournament, list[str]]:
    """Return the tournament as it is, locked with the lists that it concerns, and their kinds; none without a list.

    A list of the kind takes the amendments, or has been published before they are made (D-104). Before publication the
    tournament is enough: a list that is being published holds it. Who only looks holds nothing then.
    """
    now = Tournament.objects.get(pk=tournament.pk)
    is_condition = any(isinstance(one, Condition) for one in amendments)
    kinds: list[str] = []
    if now.stage == Stage.PUBLISHED or is_condition:
        kinds = _kinds_concerned(now, amendments)
        # The kind that the author knows: another one may be corrected meanwhile.
        lock_corrected(tournament, kinds)
    elif is_look:
        refuse_unseen(now, seen)
        return now, kinds
    with suppress(_OvertakenError), transaction.atomic():
        # Under the lock nothing more can come between what the author saw and the act.
        hold_to_what_was_seen(now, seen)
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        if locked.stage == now.stage or locked.stage != Stage.PUBLISHED:
            return locked, kinds
        # Let go again: a list took the tournament meanwhile, and lists are locked first.
        raise _OvertakenError
    return _hold(locked, amendments, seen, is_look=is_look)


def _with_who_decides(
    tournament: Tournament, amendments: Sequence[Amendment], act: Act, *, is_decided: bool
) -> Act:
    """Return the act, which says where staff decide alone what is their own; `RefusedError` where they may not (D-131).

    Whoever looks at the effect, or asks for it, decides nothing yet.
    """
    of_staff = tournament.stage == Stage.PUBLISHED or any(one.is_of_staff for one in amendments)
    is_alone = False
    if of_staff and not is_decided and is_staff(act.by):
        is_alone = decides_alone(act.by, {tournament.federation_id}, asked_by=None)
    return act._replace(reason=with_alone(act.reason.strip(), is_alone=is_alone))


def _what_comes(standing: Standing) -> tuple[Any, ...]:
    return standing.way, getattr(standing.report, "pk", None)


def _way_once_granted(standing: Standing) -> Way:
    if standing.is_published:
        return Way.PUBLISHED
    return Way.ACCEPT if standing.is_accepted else Way.SAVE


def _refuse(
    standing: Standing, amendments: Sequence[Amendment], act: Act, *, is_decided: bool, is_dry_run: bool
) -> None:
    if not amendments:
        raise refused("nothing-changes", _("Nothing was changed."))
    if not act.reason.strip() and not is_dry_run:
        raise refused("reason-missing", _("Enter a reason. It is saved with the report."), "reason")
    if len({one.key for one in amendments}) < len(amendments):
        raise refused("twice", _("Two of these changes are of the same game or field. Make one of them."))
    if len(amendments) > 1 and any(isinstance(one, Withdrawal) for one in amendments):
        raise refused("twice", _("A report that is withdrawn is not changed otherwise."))
    is_decider = is_decided or act.by is None or is_staff(act.by)
    for one in amendments:
        if one.is_of_staff and not is_decider:
            message = _(
                "FIDE staff decide which games of an accepted report are not rated, and correct conditions."
            )
            raise refused("staff-only", message)
        if standing.way == Way.REQUEST and not isinstance(one, OfGame):
            raise refused("staff-only", _("Only the correction of a game can be requested here."))
        if one.is_of_staff and not (standing.is_accepted or standing.is_published):
            raise _no_report(standing.tournament)
        if isinstance(one, Withdrawal | Anew) and not standing.is_published:
            raise _not_published(standing.tournament)


def _no_report(tournament: Tournament) -> RefusedError:
    if state_of(tournament) == TAKEN_BACK:
        return refused("no-report", _("The report was withdrawn after publication."))
    return refused("no-report", _("No report of this tournament has been accepted."))


def _not_published(tournament: Tournament) -> RefusedError:
    """Return why a report that no list has is not corrected as a published one."""
    message = _("%(event)s is not on a published list. Submit its report again instead.")
    return refused("not-published", message % {"event": tournament.event_id})


def _kinds_concerned(tournament: Tournament, amendments: Iterable[Amendment]) -> list[str]:
    wanted = {str(one.after) for one in amendments if isinstance(one, Condition) and one.field == "kind"}
    return sorted({str(tournament.kind), *wanted & set(ListKind.values)})


def lock_corrected(tournament: Tournament, kinds: Sequence[str]) -> None:
    """Lock the lists of the kinds that a correction concerns: each takes it, or was published before (D-104)."""
    lock_kinds(kinds)
    # Asked again under the lock: a correction of the type that came first concerns another kind's lists.
    if not Tournament.objects.filter(pk=tournament.pk, kind=tournament.kind).exists():
        raise refused("changed-meanwhile", _("The rating type of the tournament was changed meanwhile."))


def _with_what_was(amendment: Amendment, tournament: Tournament, read: TrfReport | None) -> Amendment:
    """Return an amendment with what stood there before; `RefusedError` for a game that the report does not have."""
    if isinstance(amendment, OfGame):
        if read is None:
            raise _no_report(tournament)
        game = game_of(read, amendment)
        is_result = isinstance(amendment, Result)
        return structs.replace(amendment, before=result_of(game)) if is_result else amendment
    match amendment:
        case Condition(field=name) if name in CORRECTED:
            before = stored_change({name: getattr(tournament, name)})[name]
            return structs.replace(amendment, before=before)
        case File():
            return structs.replace(amendment, sha256=sha256_of(amendment.content))
    return amendment


def _plan(
    standing: Standing, read: TrfReport | None, amendments: Sequence[Amendment], report: Any, act: Act
) -> Plan:
    """Return what amendments make of a report; `RefusedError` where one does not fit it, or nothing would differ."""
    tournament = standing.tournament
    conditions = [one for one in amendments if isinstance(one, Condition)]
    wanted = conditions_with(tournament, conditions) if conditions else None
    marks = [_as_mark(one, report) for one in amendments if isinstance(one, NotRated)]
    is_anew = any(isinstance(one, Anew) for one in amendments)
    if any(isinstance(one, Withdrawal) for one in amendments):
        return Plan(None, "", marks, wanted, is_anew)
    file = next((one for one in amendments if isinstance(one, File)), None)
    content, name = (file.content, file.name) if file else (bytes(report.content), report.file_name)
    texts = [one for one in amendments if one.changes_text]
    changes: Sequence[ChangedLine] = ()
    if texts:
        if file is not None or read is None:
            read = read_report(content)
        values: dict[str, Any] = {"own": tournament.federation_id, "on": act.on}
        lines, left = amended_lines(read, texts, **values), 0
        if standing.way == Way.SAVE and file is None:
            # The next version has the fixes that were chosen for this one, too.
            draft = fitting(report, read)
            left = amended_lines(read, draft, must_fit=False, **values).left
            lines = amended_lines(read, with_amendments(draft, texts), must_fit=False, **values)
        if lines.left > left:
            message = _(
                "Two of these changes concern the same columns of a line. Make them one after the other."
            )
            raise refused("changes-meet", message)
        changes = lines.lines
        content = as_written(with_lines(read, {one.line: one.new for one in changes}), content)
        name = corrected_name(name)
        white = _whites_in(read, read_report(content))
        marks = [replace(one, white=white.get((one.round, one.white), one.white)) for one in marks]
    return Plan(content, name, marks, wanted, is_anew, changes)


def _whites_in(before: TrfReport, after: TrfReport) -> dict[tuple[int, int], int]:
    """Return who has White in each pairing of another version, by its round and White: the colours may be exchanged."""
    found = {(game.round, frozenset((game.white, game.black))): game.white for game in after.games}
    pairs = {
        (game.round, game.white): (game.round, frozenset((game.white, game.black))) for game in before.games
    }
    return {place: found[pair] for place, pair in pairs.items() if pair in found}


def _as_mark(amendment: NotRated, report: Any) -> Mark:
    """Return the mark that an amendment sets or removes; those of other games stay with their games (D-100)."""
    if amendment.why not in ("", *GameMark.values):
        raise refused("unknown-mark", _("This is no reason why a game is not rated."), "verdict")
    games = Game.objects.filter(report=report, round=amendment.round, white=amendment.white)
    former = games.exclude(mark="").first()
    if not amendment.why and former is None:
        raise refused("nothing-changes", _("This game is already rated."), "verdict")
    reference = amendment.reference.strip()
    if former and (former.mark, former.mark_reference) == (amendment.why, reference):
        raise refused("nothing-changes", _("This game already has this decision."), "verdict")
    why = GameMark(amendment.why) if amendment.why else ""
    return Mark(amendment.round, amendment.white, why, amendment.reference)


def _change(
    standing: Standing,
    read: Any,
    amendments: Sequence[Amendment],
    act: Act,
    *,
    is_look: bool,
    is_dry_run: bool,
) -> Effect:
    """Amend a report that no list has, or look what would come of it; a request changes nothing."""
    tournament, report = standing.tournament, standing.report
    plan = _plan(standing, read, amendments, report, act)
    content = plan.content or b""
    after = read_report(content) if content != bytes(report.content) else read
    before = RatedVersion(copy(tournament), read, marks_of(report))
    changes = change_conditions(tournament, plan.conditions, on=act.on) if plan.conditions else []
    if content == bytes(report.content) and not (plan.marks or changes):
        raise refused("same-report", _("This is already the report."))
    white = _whites_in(read, after)
    marks = {(place[0], white.get(place, 0)): mark for place, mark in before.marks.items()}
    marks |= {(one.round, one.white): str(one.reason) for one in plan.marks}
    effect = Effect(tournament, tuple(amendments), versions=(read, after))
    if standing.way == Way.REQUEST:
        return effect
    # A report with errors has no preview: it could not be rated as it stands. One with reasons for them is accepted.
    has_errors = any(finding["severity"] == Severity.ERROR for finding in report.findings)
    if standing.is_accepted or not getattr(report, "has_errors", has_errors):
        players = players_between(before, RatedVersion(tournament, after, marks), on=act.on)
        effect = replace(effect, players=players)
    if standing.way == Way.ACCEPT and not is_look:
        made = _accept(standing, plan, changes, act)
        return replace(effect, made=made, warnings=made.warnings)
    if is_dry_run:
        return effect
    if standing.way == Way.SEND:
        pgn, values = stored_bytes(report.pgn), (act.by, act.on, act.at)
        return replace(effect, made=keep_checked(tournament, Upload(content, plan.file_name, *values, pgn)))
    return replace(effect, made=_save(report, read, plan, act))


def _save(report: Report, read: TrfReport, plan: Plan, act: Act) -> Report:
    """Make the next version with the amendments, and with the fixes that were chosen for the version before."""
    values: dict[str, Any] = {"by": act.by, "on": act.on, "at": act.at}
    if plan.changes:
        made, _is_new = apply_changes(report, read, plan.changes, reason=act.reason, **values)
        return made
    made = upload_report(report.tournament, plan.content or b"", file_name=plan.file_name, **values)
    record_action(made.tournament, Action.REPORT, reason=act.reason, by=act.by, at=act.at)
    return made


def _accept(standing: Standing, plan: Plan, changes: Sequence[Change], act: Act) -> Report:
    """Accept a version with the amendments in place of the accepted one, or rate that by other conditions or marks."""
    tournament, report = standing.tournament, standing.report
    values: dict[str, Any] = {"by": act.by, "on": act.on, "at": act.at}
    if changes:
        record_action(tournament, Action.CHANGE, reason=act.reason, changes=changes, by=act.by, at=act.at)
    made: Report = report
    if plan.content != bytes(report.content):
        upload = {"file_name": plan.file_name, "pgn": stored_bytes(report.pgn), **values}
        made = upload_report(tournament, plan.content or b"", **upload)
        made.corrected_from = report
        made.save(update_fields=["corrected_from"])
        # The warnings of the accepted version were acknowledged with reasons, and come again with the new one.
        given = report.acknowledgement_stated or [{"words": report.acknowledgement}]
        acknowledgement = SENTENCES.join(given, act.reason) if report.acknowledgement else act.reason
        made = accept_report(made, acknowledgement=acknowledgement, **values)
    elif changes:
        rate_again(report, tournament, on=act.on, at=act.at)
    if plan.marks:
        made = mark_games(tournament, plan.marks, reason=act.reason, by=act.by, at=act.at)
    return made


def _correct(
    standing: Standing,
    read: TrfReport | None,
    amendments: Sequence[Amendment],
    act: Act,
    *,
    kinds: Sequence[str],
    is_dry_run: bool,
) -> Effect:
    """Correct a published report, or withdraw it: the next list takes the differences (D-11)."""
    tournament, former = standing.tournament, standing.report
    if former is None and any(isinstance(one, File) for one in amendments):
        former = tournament.reports.filter(state=ReportState.WITHDRAWN).order_by("version").last()
    if former is None:
        raise _no_report(tournament)
    plan = _plan(standing, read, amendments, former, act)
    refuse_standing(tournament, is_withdrawn=plan.content is None)
    changes = _change_conditions(tournament, plan.conditions, on=act.on) if plan.conditions else []
    values: dict[str, Any] = {"file_name": plan.file_name, "by": act.by, "on": act.on, "at": act.at}
    is_anew = plan.is_anew or bool(changes)
    new = prepare_correction(tournament, plan.content, marks=plan.marks, is_rated_anew=is_anew, **values)
    adoptions, persons = load_adoptions(), _persons_in(former, new)
    before = chains_of(kinds, persons, adoptions)
    replace_published_report(former, new, on=act.on)
    if new is not None:
        # The chain reads the participations that are stored, not the report.
        rate_report(new, at=act.at)
    after = chains_of(kinds, persons, adoptions)
    parts = parts_between(before, after)
    parts["warnings"] = (*(new.warnings if new is not None else ()), *parts["warnings"])
    effect = Effect(tournament, tuple(amendments), **parts)
    effect = replace(effect, corrected_lists=_corrected_lists(tournament, effect.lines))
    if read is not None and new is not None:
        effect = replace(effect, versions=(read, read_report(bytes(new.content))))
    if not is_dry_run:
        effect = replace(effect, made=_record(effect, former, new, changes, act))
        store_as_rated(after)
    return effect


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
    effect: Effect, former: Report, new: Report | None, changes: Sequence[Change], act: Act
) -> Correction:
    tournament = new.tournament if new is not None else former.tournament
    correction = Correction.objects.create(
        tournament=tournament,
        old_report=former,
        new_report=new,
        amendments=[stored(one) for one in effect.amendments],
        by=act.by,
        at=act.at,
        **Correction.columns_of(act.reason),
    )
    record_lines(correction, effect.lines)
    tell_of_tournaments(WebhookEvent.CORRECTED, [(tournament, str(correction.pk))], at=act.at)
    values: dict[str, Any] = {"reason": act.reason, "by": act.by, "at": act.at, "changes": changes}
    decide_standing(tournament, is_withdrawn=new is None, **values)
    return correction
