"""What is kept of the correction of a game: made at once by who may, else requested of who decides."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby

from django.contrib.auth import get_user_model
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from core.acts import Act
from core.errors import Refusal
from core.pages import Page
from players import notices
from players.cases import open_case
from players.choices import CaseState, NoticeKind, Role
from players.claims import confirmed_claims
from players.models import Player
from ratings.amend.effect import Effect
from ratings.amend.standing import Standing, Way
from ratings.systems.otb.period import PeriodResult
from tournaments.action_mails import reporters_of
from tournaments.amended import game_of, numbers_in, result_of
from tournaments.amendments import OfGame, Person
from tournaments.models import HandedReport, Participant, Report, ResultCorrection
from tournaments.objections import accepted_objections, settle_objections
from tournaments.trf import Report as TrfReport


def request_corrections(
    standing: Standing, amendments: Iterable[OfGame], read: TrfReport, act: Act, effect: Effect
) -> tuple[ResultCorrection, ...]:
    """Ask those who decide for the amendments of games, a request a game, and tell them what a single one would do."""
    message = _("A correction of this game is already requested. Wait for the decision.")
    made, games = [], [*_by_game(amendments)]
    for some in games:
        request = _correction(standing, some, read, act)
        open_case(request, second=Refusal("correction-waits", message))
        tell_who_decides(request, effect if len(games) == 1 else None, is_published=standing.is_published)
        made.append(request)
    return tuple(made)


def record_corrections(
    standing: Standing, amendments: Iterable[OfGame], read: TrfReport, act: Act
) -> tuple[ResultCorrection, ...]:
    """Keep the amendments of games that were made at once, a record a game: nobody waits for anything."""
    made = []
    for some in _by_game(amendments):
        record = _correction(standing, some, read, act)
        record.state, record.decided_by, record.decided_at = CaseState.APPROVED, act.by, act.at
        record.save(force_insert=True)
        made.append(record)
    return tuple(made)


def tell_concerned(
    standing: Standing,
    amendments: Iterable[OfGame],
    read: TrfReport,
    act: Act,
    effect: Effect,
) -> None:
    """Settle the objections to amended games, and tell their players of corrections that count."""
    by_game = {(one.round, one.white): one for one in effect.records if one.state == CaseState.APPROVED}
    for some in _by_game(amendments):
        numbers = {number for one in some for number in numbers_in(read, one)}
        ids = ids_of(standing.report, read, numbers)
        game = some[0]
        if standing.way != Way.REQUEST:
            settle_objections(standing.tournament, ids, round_number=game.round, at=act.at)
        counts = standing.way in (Way.ACCEPT, Way.PUBLISHED)
        if counts and (record := by_game.get((game.round, game.white))) is not None:
            tell_players(record, ids, effect, at=act.at)


def ids_of(report: Report | HandedReport, read: TrfReport, numbers: Collection[int]) -> list[int]:
    """Return the FIDE IDs of starting ranks, as reported and as counted, and those into which they were merged."""
    players = read.by_number
    found = [
        fide_id for number in sorted(numbers) if number in players and (fide_id := players[number].fide_id)
    ]
    if isinstance(report, Report):
        # A line without a FIDE ID may be somebody's by the national number.
        lines = Participant.objects.filter(report=report, number__in=numbers, player__isnull=False)
        found += lines.exclude(player__in=found).order_by("number").values_list("player_id", flat=True)
    merged = Player.objects.filter(pk__in=found, merged_into__isnull=False).order_by("pk")
    return [*found, *(into or 0 for into in merged.values_list("merged_into", flat=True))]


def _by_game(amendments: Iterable[OfGame]) -> Iterator[list[OfGame]]:
    def place(one: OfGame) -> tuple[int, int]:
        return one.round, one.white

    return ([*some] for _game, some in groupby(sorted(amendments, key=place), key=place))


def _correction(
    standing: Standing, amendments: Sequence[OfGame], read: TrfReport, act: Act
) -> ResultCorrection:
    pairing = game_of(read, amendments[0])
    persons = [one.fide_id for one in amendments if isinstance(one, Person)]
    return ResultCorrection(
        tournament=standing.tournament,
        report_id=standing.report.pk,
        round=pairing.round,
        white=pairing.white,
        black=pairing.black,
        result_before=result_of(pairing),
        amendments=[*amendments],
        player_id=persons[0] if persons else None,
        reason=act.reason,
        asked_by=act.by,
        asked_at=act.at,
    )


# The emails about a correction of a result: to those who decide, to who requested it, to the players.

# So many players are named with what a correction does to them; its page has all.
MOST = 10


def tell_who_decides(correction: ResultCorrection, effect: Effect | None, *, is_published: bool) -> None:
    """Tell FIDE staff, before publication the officers, that a correction is requested, and what it would do."""
    tournament = correction.tournament
    staff = Q(appointments__role=Role.STAFF, is_active=True)
    people = get_user_model().objects.filter(staff).distinct() if is_published else reporters_of(tournament)
    values = {"name": tournament.name, "round": correction.round}
    notices.post(
        to=[user for user in people if user.pk != correction.asked_by_id],
        kind=NoticeKind.APPEAL,
        key=f"correction:{correction.pk}",
        subject=lambda: _("Correction of a result requested: %(name)s") % values,
        text=lambda: "\n\n".join(
            [
                _("A correction of a result of round %(round)d is requested. Approve or refuse it.") % values,
                correction.reason,
                *_effect_text(effect),
                Page("desk:case", correction.number).link,
            ]
        ),
        at=correction.asked_at,
    )


def tell_decision(correction: ResultCorrection, effect: Effect | None, *, at: datetime) -> None:
    """Tell whoever requested a correction what was decided, and what it did."""
    if correction.asked_by is None:
        return
    is_made, state = correction.state == CaseState.APPROVED, CaseState(correction.state).label
    values = {"name": correction.tournament.name, "state": state, "round": correction.round}
    subject = _l("Result corrected: %(name)s") if is_made else _l("Correction %(state)s: %(name)s")
    sentence = (
        _l("A result of round %(round)d was corrected, as you requested.")
        if is_made
        else _l("Your request to correct a result of round %(round)d: %(state)s.")
    )
    notices.post(
        to=[correction.asked_by],
        kind=NoticeKind.DECISION,
        key=f"correction:{correction.pk}:{correction.state}",
        subject=lambda: str(subject % values),
        text=lambda: "\n\n".join(
            [
                str(sentence % values),
                correction.answer,
                *_effect_text(effect),
                Page("desk:case", correction.number).link,
            ]
        ),
        at=at,
    )


def tell_players(
    correction: ResultCorrection, fide_ids: Collection[int], effect: Effect | None, *, at: datetime
) -> None:
    """Tell the players of a game that its correction was made, and those who objected that it was refused.

    The accounts are those of confirmed records; whoever decided or requested it knows.
    """
    is_made, tournament = correction.state == CaseState.APPROVED, correction.tournament
    people = {
        one.asked_by for one in accepted_objections(tournament, fide_ids, round_number=correction.round)
    }
    if is_made:
        people |= {claim.asked_by for claim in confirmed_claims(fide_ids)}
    known = {correction.asked_by_id, correction.decided_by_id}
    values = {"name": tournament.name, "round": correction.round}

    def text() -> str:
        if is_made:
            line = _("Your result of round %(round)d of %(name)s was corrected.")
        else:
            line = _("A correction of your result in round %(round)d of %(name)s was refused.")
        address = Page("chess:result", tournament.event_id).link
        return "\n\n".join([line % values, *_effect_text(effect, fide_ids), address])

    notices.post(
        to=sorted((user for user in people if user.pk not in known), key=lambda user: user.pk),
        kind=NoticeKind.CLAIM,
        key=f"corrected:{correction.pk}:{correction.state}",
        subject=lambda: (
            (_("Result corrected: %(name)s") if is_made else _("Correction refused: %(name)s")) % values
        ),
        text=text,
        at=at,
    )


def _effect_text(effect: Effect | None, only: Collection[int] | None = None) -> list[str]:
    """Return what a correction does to its players, or to some of them, as a paragraph; none without a difference."""
    lines = [*_effect_lines(effect, only)] if effect else []
    if more := len(lines[MOST:]):
        lines[MOST:] = [
            ngettext("and %(number)d other player", "and %(number)d other players", more) % {"number": more}
        ]
    return ["\n".join(lines)] if lines else []


def _effect_lines(effect: Effect, only: Collection[int] | None) -> Iterator[str]:
    taken = [one for one in effect.taken if only is None or one.player_id in only]
    players = [one for one in effect.players if only is None or one.player_id in only]
    ids = {one.player_id for one in taken} | {one.player_id for one in players}
    names = dict(Player.objects.filter(pk__in=ids).values_list("pk", "name"))
    for one in taken:
        values = {
            "name": names[one.player_id],
            "points": f"{one.points:+d}".replace("-", "−"),
            "exact": _points(one.difference),
        }
        yield _("%(name)s: %(points)s on the next list (%(exact)s)") % values
    for player in () if effect.is_published else players:
        values = {"before": _result(player.before), "after": _result(player.after)}
        yield _("%(name)s: %(before)s before, %(after)s after") % {"name": names[player.player_id], **values}


def _result(result: PeriodResult) -> str:
    return _points(result.change) if result.rating is None else f"{result.rating} ({_points(result.change)})"


def _points(hundredths: int) -> str:
    return f"{hundredths / 100:+.2f}".replace("-", "−")
