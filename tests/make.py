"""The builder of worlds for tests: `from tests import make`, then `make.player()`, `make.person("officer", swiss)`.

Rows of everything that is stored; tournaments played, rated and published; commands run; corrections made. The figures
come about as in the portal; only `play` leaves the reading of a report's bytes out.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

import factory
from django.core.management import call_command
from django.db.models import QuerySet
from django.test import Client, TestCase
from django.utils import timezone
from factory.django import DjangoModelFactory

from core.acts import Act
from players.cases import decide
from players.choices import CaseState
from players.merging import identity_differences, merge_players, propose_merge
from players.models import Application, Appointment, Claim, Federation, LogEntry, Player
from players.name_refusals import write_name_words
from portal.models import User
from ratings.amend.amend import amend
from ratings.amend.effect import Effect
from ratings.amend.players import amend_player, data_amendments
from ratings.models import ListEntry, RatingList
from ratings.publish.judging import StoppedError, explain
from ratings.publish.publish import publish_list
from ratings.rate import rate_report
from ratings.systems.otb.listing import imported_entry
from ratings.systems.registry import SHIPPED
from tests.trf_files import Event
from tournaments.amendments import Amendment, File, NotRated, Withdrawal
from tournaments.changed_meanwhile import seen_of
from tournaments.choices import Registration, ReportState, Stage
from tournaments.conditions import Conditions
from tournaments.corrections import condition_amendments
from tournaments.list_dates import ends_in_time
from tournaments.models import (
    Appeal,
    Game,
    HandedReport,
    Handover,
    Hold,
    Objection,
    Participant,
    Report,
    Tournament,
)
from tournaments.models.handed_report import CHECKED
from tournaments.reports import accept_report, upload_report

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
# What the file of a tournament says of its days.
DAYS: dict[str, Any] = {"start": "2026/01/10", "end": "2026/01/11", "round_dates": ["26/01/10"] * 3}
POINTS = {"1": 2, "+": 2, "U": 2, "=": 1, "H": 1}
FIRST_LIST, NEXT_LIST = date(2026, 1, 1), date(2026, 2, 1)
Pairing = tuple[int, int, int | None, str]
FORM = re.compile(
    r"/desk/tournaments/([^/]+)/(?:change|withdraw|reports/\d+/accept|handed/\d+/(?:take|back))$"
)


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
        made: ListEntry = super()._create(model_class, *args, **(_inferred(values) | values))
        RatingList.objects.filter(pk=made.rating_list.pk).update(listed=made.rating_list.entries.count())
        return made


def _inferred(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the entry of an imported list does not say."""
    inferred = imported_entry(
        rating=values["rating"],
        games=values.get("games", 0),
        k=values["k_factor"],
        birth_year=values["birth_year"],
        is_inactive=values["is_inactive"],
        on=values["rating_list"].date,
    )
    return {
        "completed_games": inferred.completed,
        "reached_2300": inferred.reached_2300,
        "reached_2400": inferred.reached_2400,
        "last_played": inferred.last_played,
        "k_reason": inferred.k_reason,
    }


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


class Desk(Client):
    """A client that sends a tournament's newest step with each form, unless the test sets `seen`."""

    def post(self, path: Any, data: Any = None, *args: Any, **kwargs: Any) -> Any:
        event = FORM.match(path)
        if event and isinstance(data or {}, dict) and "seen" not in (data or {}):
            tournament = Tournament.objects.filter(event_id=event[1]).first()
            data = {**(data or {}), "seen": seen_of(tournament) if tournament else ""}
        return super().post(path, data, *args, **kwargs)


def user(**values: Any) -> User:
    made: User = UserFactory(**values)
    return made


def federation(code: str = "SUI", **values: Any) -> Federation:
    made: Federation = FederationFactory(code=code, **values)
    return made


def appointment(role: str = "officer", **values: Any) -> Any:
    """Return somebody's role; one in a federation where the role has one."""
    return AppointmentFactory(role=role, **values)


def person(role: str, of: Federation | str | None = None) -> User:
    """Return somebody who has a role, in a federation, or the one of a code, where the role has one."""
    held = {"federation": federation(of) if isinstance(of, str) else of} if of else {}
    found: User = AppointmentFactory(role=role, **held).user
    return found


def browser(who: User | str) -> Client:
    """Return a browser in which somebody is signed in: a user, or one with a role as "staff" or "officer AUT"."""
    if isinstance(who, str):
        role, _, code = who.partition(" ")
        is_of_federation = role in ("officer", "deputy", "arbiter")
        who = person(role, code or "SUI") if is_of_federation else person(role)
    client = Desk()
    client.force_login(who)
    return client


def player(**values: Any) -> Player:
    made: Player = PlayerFactory(**values)
    return made


def players(number: int, **values: Any) -> list[Player]:
    return [player(**values) for _ in range(number)]


def claim(**values: Any) -> Claim:
    made: Claim = ClaimFactory(**values)
    return made


def rating_list(**values: Any) -> RatingList:
    made: RatingList = RatingListFactory(**values)
    return made


def entry(**values: Any) -> ListEntry:
    made: ListEntry = ListEntryFactory(**values)
    return made


def tournament(**values: Any) -> Tournament:
    made: Tournament = TournamentFactory(**values)
    return made


def objection(**values: Any) -> Objection:
    made: Objection = ObjectionFactory(**values)
    return made


def step(tournament: Tournament, action: str, after: str = "", **values: Any) -> LogEntry:
    """Return a step of a tournament in the log."""
    named = {"area": "tournament", "tournament": tournament, "action": action, "after": after}
    return LogEntry.objects.create(**(named | values))


def appeal(decision: LogEntry, *, at: datetime, **values: Any) -> Appeal:
    """Return an appeal against a step, lodged at an instant."""
    usual = {"ground": "facts", "reason": "It was played.", "organiser": "Club", "asked_at": at}
    of = {"tournament": decision.tournament, "decision": decision, "communicated_on": decision.at.date()}
    return Appeal.objects.create(**(of | usual | values))


def application(federation: Federation, *, at: datetime, **values: Any) -> Application:
    """Return an application for a FIDE ID, asked for at an instant."""
    usual = {"name": "Elm, Eva", "sex": "F", "birth_date": date(2010, 1, 1), "score": 90, "asked_at": at}
    usual |= {
        "federation": federation,
        "likeness": values.pop("likeness", None) or player(federation=federation),
    }
    return Application.objects.create(**(usual | values))


def report(tournament: Tournament, *, at: datetime, content: bytes = b"x", **values: Any) -> Report:
    """Return a checked report of a tournament, submitted at an instant."""
    usual = {"version": 1, "state": ReportState.CHECKED, "file_name": "a.trf", "submitted_on": at.date()}
    sha256 = hashlib.sha256(content + repr(values.get("version")).encode()).hexdigest()
    kept = {"tournament": tournament, "content": content, "sha256": sha256, "submitted_at": at}
    return Report.objects.create(**(usual | kept | values))


def first_list(
    ratings: Mapping[int, Any], *, kind: str = "rapid", on: date = date(2026, 1, 1), born: int = 1980
) -> RatingList:
    """Make Swiss players and an imported list of them from {FIDE ID: rating, (rating, K) or None}."""
    swiss = Federation.objects.get_or_create(code="SUI", defaults={"name": "Switzerland"})[0]
    made, people = rating_list(kind=kind, date=on), Player.objects.in_bulk(list(ratings))
    new = [
        Player(fide_id=fide_id, name=f"Player, P{fide_id}", federation=swiss, sex="M", birth_year=born)
        for fide_id in ratings
        if fide_id not in people
    ]
    Player.objects.bulk_create(new)
    write_name_words([(one.pk, one.name) for one in new])
    people |= {one.pk: one for one in new}
    entries = []
    for fide_id, figures in ratings.items():
        if figures is not None:
            rating, k = figures if isinstance(figures, tuple) else (figures, 20)
            data = {name: getattr(people[fide_id], name) for name in ("name", "federation", "sex", "title")}
            values = {"rating_list": made, "player": people[fide_id], "rating": rating, "k_factor": k, **data}
            values |= {"birth_year": born, "is_inactive": False}
            entries.append(ListEntry(**_inferred(values), **values))
    ListEntry.objects.bulk_create(entries)
    RatingList.objects.filter(pk=made.pk).update(listed=made.entries.count())
    return made


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
    """Publish a list and return it."""
    return publish_list(kind, on, by=None, at=noon(on)).rating_list


def publish_explained(kind: str, on: date) -> RatingList:
    """Publish a list of a random world, whose figures somebody explains where they stop it (D-134)."""
    try:
        return publish(kind, on)
    except StoppedError as stopped:
        if stopped.differences:
            raise
        for stop in stopped.open_stops:
            explain(kind, on, stop.seen, "A world of a few players.", by=None, at=noon(on))
    return publish(kind, on)


def publish_after(tournament: Tournament) -> RatingList:
    """Publish the first list that can take a tournament and return it."""
    month = (tournament.end.replace(day=1) + timedelta(days=31)).replace(day=1)
    while not ends_in_time(tournament.end, month, is_official=tournament.is_official):
        month = (month + timedelta(days=31)).replace(day=1)
    rating_list = publish(tournament.kind, month)
    tournament.refresh_from_db()
    return rating_list


def february(event_id: str, players: Sequence[tuple[int, str]], rounds: list[Any]) -> Tournament:
    """Publish the list of February 2026 with the file of a tournament of three players of 2000, 1900 and 1800."""
    swiss = federation(code="SUI")
    first = rating_list(kind="rapid", date=FIRST_LIST)
    for (fide_id, name), rating in zip(players, (2000, 1900, 1800), strict=True):
        entry(rating_list=first, player=player(fide_id=fide_id, name=name, federation=swiss), rating=rating)
    made = tournament(event_id=event_id, name="Open of Alphaville", federation=swiss)
    day = date(2026, 1, 12)
    content = Event(players, rounds, **DAYS).content()
    report = upload_report(made, content, file_name="a.trf", by=None, on=day, at=noon(day))
    accept_report(report, acknowledgement="Checked.", by=None, on=day, at=noon(day))
    publish("rapid", NEXT_LIST)
    made.refresh_from_db()
    return made


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


@dataclass
class Month:
    """What was played: `hero` is in every tournament, `newcomer` has no rating before it."""

    hero: Player
    newcomer: Player
    others: list[Player]
    tournaments: list[Tournament] = field(default_factory=list)
    first: RatingList | None = None
    published: RatingList | None = None

    @property
    def everybody(self) -> list[Player]:
        return [self.hero, *self.others, self.newcomer]


def play_month(size: int = 1, *, kind: str = "rapid", is_published: bool = True) -> Month:
    """Return a month of `size` tournaments with `size` opponents besides the newcomer.

    The hero, rated 1900, beats the others and draws with the newcomer, who meets nobody else.
    """
    first = rating_list(kind=kind, date=FIRST_LIST)
    hero = entry(rating_list=first, rating=1900, player__name="Hero, Hanna").player
    others = [
        entry(rating_list=first, rating=1700 - place, player__name=f"Other, Otto {place}").player
        for place in range(size)
    ]
    month = Month(hero, player(name="Newcomer, Nora"), others, first=first)
    pairings = [
        (number, white, black, "1-0" if white == 1 else "1/2")
        for number, white, black, _ in round_robin(size + 1)
    ]
    pairings.append((len(pairings) + 1, 1, size + 2, "1/2"))
    for place in range(size):
        event = tournament(kind=kind, start=date(2026, 1, 10 + place))
        play_and_rate(event, month.everybody, pairings)
        month.tournaments.append(event)
    if is_published:
        month.published = publish(kind, NEXT_LIST)
        for event in month.tournaments:
            event.refresh_from_db()
    return month


class RefusedCommandError(Exception):
    """A command ended with 1."""


def run(name: str, *arguments: str | bytes) -> Any:
    """Run a command with --json and return what it printed; `RefusedCommandError` where it ends with 1.

    Bytes are the content of a report, of which the command gets the file.
    """
    printed, code = io.StringIO(), 0
    with (
        TemporaryDirectory() as folder,
        TestCase.captureOnCommitCallbacks(execute=True),
        redirect_stdout(printed),
        redirect_stderr(io.StringIO()),
    ):
        words = [_written(Path(folder), item) if isinstance(item, bytes) else item for item in arguments]
        try:
            call_command(name, *words, "--json")
        except SystemExit as end:
            code = int(end.code or 0)
    result = json.loads(printed.getvalue())
    if code == 1:
        raise RefusedCommandError(result)
    assert code == 0
    return result


def _written(folder: Path, content: bytes) -> str:
    path = folder / "report.trf"
    path.write_bytes(content)
    return str(path)


def submit(event: Event, *extra: str, registered: str = "2026-01-05", submitted: str = "2026-01-20") -> Any:
    """Submit the report of an event by the command, with the usual days, and return what it printed."""
    usual = ["--kind", "rapid", "--time-control", "15+10", "--federation", "SUI"]
    days = ["--registered-on", registered, "--submitted-on", submitted]
    return run("submit_report", event.content(), *usual, *days, *extra)


def correct_game(tournament: Tournament, amendment: Amendment, **act: Any) -> Effect:
    """Amend one game of a report; `act` as in `correct`."""
    return correct(tournament, [amendment], **act)


def correct_report(
    tournament: Tournament,
    content: bytes | None,
    *,
    file_name: str = "corrected.trf",
    marks: Sequence[NotRated] = (),
    **act: Any,
) -> Effect:
    """Put another file in the place of a report, with marks of games; without a file the report is withdrawn."""
    file = Withdrawal() if content is None else File(name=file_name, content=content)
    return correct(tournament, [file, *marks], **act)


def correct_conditions(
    tournament: Tournament,
    wanted: Conditions,
    *,
    content: bytes | None = None,
    file_name: str = "corrected.trf",
    **act: Any,
) -> Effect:
    """Correct the conditions of a tournament, with another file where the report says otherwise too."""
    amendments: list[Amendment] = [*condition_amendments(tournament, wanted)]
    if content is not None:
        amendments.append(File(name=file_name, content=content))
    return correct(tournament, amendments, **act)


def correct(
    tournament: Tournament,
    amendments: Sequence[Amendment],
    *,
    on: date | None = None,
    at: datetime | None = None,
    by: Any = None,
    reason: str = "Wrong results.",
    **options: Any,
) -> Effect:
    """Make amendments on a day, or at an instant."""
    return amend(tournament, amendments, Act(by, at or noon(on or date.max), reason, on), **options)


def correct_player(
    player: Player,
    data: Mapping[str, Any],
    *,
    at: datetime,
    by: Any = None,
    reason: str = "A slip.",
    **options: Any,
) -> Effect:
    """Correct data that are recorded of a player."""
    return amend_player(player, data_amendments(data), Act(by, at, reason), **options)
