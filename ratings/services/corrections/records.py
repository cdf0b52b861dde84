"""What is kept of the correction of a game: made at once by who may, else requested of who decides."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby

from django.utils.translation import gettext as _

from core.acts import Act
from core.errors import Refusal
from players.choices import CaseState
from players.services.cases import open_case
from ratings.services.corrections.effect import Effect
from ratings.services.corrections.result_mails import tell_players, tell_who_decides
from ratings.services.corrections.standing import Standing
from tournaments.amendments import OfGame, Person
from tournaments.models import ResultCorrection
from tournaments.services.amended import game_of, numbers_in, result_of
from tournaments.services.objections import settle_objections
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
        ids = ids_of(read, {number for one in some for number in numbers_in(read, one)})
        game = some[0]
        settle_objections(standing.tournament, ids, round_number=game.round, at=act.at)
        if (record := by_game.get((game.round, game.white))) is not None and standing.is_accepted:
            tell_players(record, ids, effect, at=act.at)


def ids_of(read: TrfReport, numbers: Collection[int]) -> list[int]:
    """Return the FIDE IDs of starting ranks, as they are reported."""
    players = read.by_number()
    found = (players[number].fide_id for number in sorted(numbers) if number in players)
    return [fide_id for fide_id in found if fide_id]


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
