"""Rows for tests: factories of everything that is stored, and small tournaments played, rated and published.

The figures come about through the real services; only the reading of a report's bytes is left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from types import MappingProxyType
from typing import Any

import factory
from django.db.models import QuerySet
from django.utils import timezone
from factory.django import DjangoModelFactory

from players.choices import CaseState
from players.models import Appointment, Claim, Federation, Player
from players.services.cases import decide
from players.services.merging import identity_differences, merge_players, propose_merge
from players.services.name_words import write_name_words
from portal.models import User
from ratings.models import ListEntry, RatingList
from ratings.rate import rate_report
from ratings.services.publication.publish import publish_list
from ratings.systems.otb.listing import imported_entry
from ratings.systems.registry import SHIPPED
from tournaments.choices import Registration, ReportState, Stage
from tournaments.list_dates import ends_in_time
from tournaments.models import Game, HandedReport, Handover, Hold, Objection, Participant, Report, Tournament
from tournaments.models.handed_report import CHECKED

# A result as it is written down, and the codes of both sides in TRF.
CODES = {
    "1-0": ("1", "0"),
    "0-1": ("0", "1"),
    "1/2": ("=", "="),
    "+-": ("+", "-"),
    "-+": ("-", "+"),
    "bye": ("U", ""),
    "half": ("H", ""),
    "absent": ("Z", ""),
}
POINTS = {"1": 2, "+": 2, "U": 2, "=": 1, "H": 1}
Pairing = tuple[int, int, int | None, str]


def noon(day: date) -> datetime:
    """Return noon of a day in UTC."""
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC)


class UserFactory(DjangoModelFactory[User]):
    class Meta:
        model = User

    email = factory.Sequence(lambda n: f"person{n}@example.org")


class FederationFactory(DjangoModelFactory[Federation]):
    class Meta:
        model = Federation
        django_get_or_create = ("code",)

    code = "SUI"
    name = factory.LazyAttribute(lambda made: f"Federation {made.code}")
    continent = "Europe"


class AppointmentFactory(DjangoModelFactory[Appointment]):
    """A person's role: `AppointmentFactory(role="officer", federation=swiss).user` is that officer."""

    class Meta:
        model = Appointment

    user = factory.SubFactory(UserFactory)
    role = "officer"
    federation = factory.Maybe("for_fide", None, factory.SubFactory(FederationFactory))

    class Params:
        for_fide = factory.LazyAttribute(lambda made: made.role in ("qc", "staff", "council", "auditor"))


class PlayerFactory(DjangoModelFactory[Player]):
    """A player who is found by every word of the name."""

    class Meta:
        model = Player
        skip_postgeneration_save = True

    fide_id = factory.Sequence(lambda n: 1_000_001 + n)
    name = factory.LazyAttribute(lambda made: f"Player{made.fide_id}, Pat")
    federation = factory.SubFactory(FederationFactory)
    sex = "M"
    birth_year = 1980

    @factory.post_generation
    def name_words(self, create: bool, extracted: object, **kwargs: object) -> None:
        write_name_words([(self.pk, self.name)])


class ClaimFactory(DjangoModelFactory[Claim]):
    """A claim of a player record, confirmed unless another `state` is named."""

    class Meta:
        model = Claim

    player = factory.SubFactory(PlayerFactory)
    asked_by = factory.SubFactory(UserFactory)
    reason = "r"
    state = CaseState.APPROVED
    asked_at = factory.LazyFunction(timezone.now)
    decided_at = factory.LazyAttribute(
        lambda made: None if made.state == CaseState.WAITING else made.asked_at
    )


def _text_on(day: date) -> str:
    return SHIPPED.text_on(day).slug if SHIPPED.has_text_on(day) else ""


class RatingListFactory(DjangoModelFactory[RatingList]):
    """An imported list; the portal's own ones come from `publish`."""

    class Meta:
        model = RatingList
        django_get_or_create = ("kind", "date")

    kind = "rapid"
    date = date(2026, 1, 1)
    origin = "imported"
    rules = factory.LazyAttribute(lambda made: _text_on(made.date))
    published_at = factory.LazyAttribute(lambda made: noon(made.date))


class ListEntryFactory(DjangoModelFactory[ListEntry]):
    """A player on an imported list, with what the list does not say inferred as an import does (D-12)."""

    class Meta:
        model = ListEntry

    rating_list = factory.SubFactory(RatingListFactory)
    player = factory.SubFactory(PlayerFactory)
    rating = 1800
    k_factor = 20
    name = factory.SelfAttribute("player.name")
    federation = factory.SelfAttribute("player.federation")
    sex = factory.SelfAttribute("player.sex")
    title = factory.SelfAttribute("player.title")
    birth_year = factory.SelfAttribute("player.birth_year")
    is_inactive = False

    @classmethod
    def _create(cls, model_class: type[ListEntry], *args: Any, **values: Any) -> ListEntry:
        inferred = imported_entry(
            rating=values["rating"],
            games=values.get("games", 0),
            k=values["k_factor"],
            birth_year=values["birth_year"],
            is_inactive=values["is_inactive"],
            on=values["rating_list"].date,
        )
        memory = {
            "completed_games": inferred.completed,
            "reached_2300": inferred.reached_2300,
            "reached_2400": inferred.reached_2400,
            "last_played": inferred.last_played,
            "k_reason": inferred.k_reason,
        }
        made: ListEntry = super()._create(model_class, *args, **(memory | values))
        RatingList.objects.filter(pk=made.rating_list.pk).update(listed=made.rating_list.entries.count())
        return made


class TournamentFactory(DjangoModelFactory[Tournament]):
    class Meta:
        model = Tournament

    event_id = factory.Sequence(lambda n: f"SUI-{n + 1}")
    name = factory.LazyAttribute(lambda made: f"Open {made.event_id}")
    city = "Alphaville"
    federation = factory.SubFactory(FederationFactory)
    kind = "rapid"
    base_seconds = factory.LazyAttribute(lambda made: 900 if made.kind == "rapid" else 180)
    increment_seconds = factory.LazyAttribute(lambda made: 10 if made.kind == "rapid" else 2)
    start = date(2026, 1, 10)
    end = factory.LazyAttribute(lambda made: made.start + timedelta(days=1))
    chief_arbiter = "Arbiter, Anna"
    is_stated_rated = True
    registration = Registration.REGISTERED
    registered_on = factory.LazyAttribute(lambda made: made.start - timedelta(days=10))


class ObjectionFactory(DjangoModelFactory[Objection]):
    """An objection of a player to a result, to be answered on its day."""

    class Meta:
        model = Objection

    tournament = factory.SubFactory(TournamentFactory)
    player = factory.SubFactory(PlayerFactory)
    asked_by = factory.SubFactory(UserFactory)
    reason = "s"
    asked_at = factory.LazyFunction(timezone.now)
    due_on = factory.LazyAttribute(lambda made: made.asked_at.date())
    decided_at = factory.LazyAttribute(
        lambda made: None if made.state == CaseState.WAITING else made.asked_at
    )
    state = CaseState.WAITING


def play(
    tournament: Tournament, players: Sequence[Player | None], pairings: Iterable[Pairing], *, version: int = 1
) -> Report:
    """Return the accepted report of a tournament: its players by starting rank from 1, and each pairing.

    A pairing is (round, white, black, result): `(1, 1, 2, "1-0")`, `(1, 3, None, "bye")`. A player who is None
    is one without a FIDE ID.
    """
    pairings = list(pairings)
    content = repr((tournament.event_id, version, pairings)).encode()
    report = Report.objects.create(
        tournament=tournament,
        version=version,
        state=ReportState.ACCEPTED,
        file_name=f"{tournament.event_id}.trf",
        content=content,
        sha256=hashlib.sha256(content).hexdigest(),
        rounds=max((pairing[0] for pairing in pairings), default=0),
        submitted_on=tournament.end,
        submitted_at=noon(tournament.end),
        accepted_on=tournament.end,
    )
    Game.objects.bulk_create(_game(report, pairing) for pairing in pairings)
    Participant.objects.bulk_create(_participants(report, players, pairings))
    Tournament.objects.filter(pk=tournament.pk).update(stage=Stage.REPORTED)
    return report


def hand_report(
    tournament: Tournament,
    *,
    number: int = 1,
    state: str = CaseState.WAITING,
    at: datetime = datetime(2026, 3, 4, 12, tzinfo=UTC),
    by: Any = None,
    content: bytes = b"x",
    sent: Mapping[str, Any] = MappingProxyType({}),
    **facts: Any,
) -> HandedReport:
    """Return a report of a chief arbiter, in a state of its case, or only checked."""
    checked = {"content": content, "sha256": f"{number:064}", "checked_at": at, "checked_by": by}
    made = HandedReport.objects.create(tournament=tournament, number=number, **(checked | facts))
    if state != CHECKED:
        decided = None if state == CaseState.WAITING else at
        case = {"tournament": tournament, "asked_by": by, "asked_at": at, "decided_at": decided}
        Handover.objects.create(file=made, state=state, **(case | {**sent}))
    return made


def put_on_hold(tournaments: QuerySet[Tournament]) -> None:
    """Put the reports of these tournaments, and of no others, on hold."""
    Hold.objects.filter(state=CaseState.WAITING).update(
        state=CaseState.APPROVED, key="", decided_at=noon(date(2026, 1, 1))
    )
    for tournament in tournaments:
        Hold.objects.create(tournament=tournament, reason="Why?", asked_at=noon(date(2026, 1, 1)))


def play_and_rate(
    tournament: Tournament, players: Sequence[Player | None], pairings: Iterable[Pairing]
) -> Report:
    """Return the report of a tournament that was played and rated; the next list takes it."""
    report = play(tournament, players, pairings)
    rate_report(report, at=noon(tournament.end))
    tournament.refresh_from_db()
    return report


def publish(kind: str, on: date) -> RatingList:
    """Publish a list through the services and return it."""
    return publish_list(kind, on, by=None, at=noon(on)).rating_list


def publish_after(tournament: Tournament) -> RatingList:
    """Publish the first list that can take a tournament and return it."""
    month = (tournament.end.replace(day=1) + timedelta(days=31)).replace(day=1)
    while not ends_in_time(tournament.end, month, is_official=tournament.is_official):
        month = (month + timedelta(days=31)).replace(day=1)
    rating_list = publish(tournament.kind, month)
    tournament.refresh_from_db()
    return rating_list


def round_robin(size: int, result: str = "1/2") -> list[Pairing]:
    """Return every pairing of a round robin, one game a round, each with the same result."""
    pairs = [(white, black) for white in range(1, size + 1) for black in range(white + 1, size + 1)]
    return [(number, white, black, result) for number, (white, black) in enumerate(pairs, start=1)]


def _game(report: Report, pairing: Pairing) -> Game:
    number, white, black, result = pairing
    codes = CODES[result]
    return Game(
        report=report,
        round=number,
        white=white,
        black=black,
        white_code=codes[0],
        black_code=codes[1],
        is_played=result in ("1-0", "0-1", "1/2"),
    )


def _participants(
    report: Report, players: Sequence[Player | None], pairings: Sequence[Pairing]
) -> list[Participant]:
    scores = dict.fromkeys(range(1, len(players) + 1), 0)
    for _, white, black, result in pairings:
        scores[white] += POINTS.get(CODES[result][0], 0)
        if black is not None:
            scores[black] += POINTS.get(CODES[result][1], 0)
    order = sorted(scores, key=lambda number: (-scores[number], number))
    return [
        Participant(
            report=report,
            number=number,
            player=player,
            fide_id=player.fide_id if player else None,
            name=player.name if player else f"Guest {number}",
            federation_code=player.federation_id if player else report.tournament.federation_id,
            sex=player.sex if player else "",
            half_points=scores[number],
            rank=order.index(number) + 1,
        )
        for number, player in enumerate(players, start=1)
    ]


def merge_by_two(player: Player, *, into: Player, reason: str, by: Any, at: datetime) -> bool:
    """Merge two records that may differ: one member of staff proposes it, another one confirms."""
    player.refresh_from_db()
    if player.merged_into_id or not identity_differences(player, into):
        return merge_players(player, into=into, reason=reason, by=by, at=at)
    proposal = propose_merge(player, into=into, reason=reason, by=by, at=at)
    return decide(proposal, CaseState.APPROVED, by=AppointmentFactory(role="staff").user, at=at)
