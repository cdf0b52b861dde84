"""The tournaments around today, one in each state. Days count from today."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from demo.accounts import OTHER
from demo.history import draw_field, load_start_ratings, noon, seeded_random
from demo.people import HOME, DemoPlayer, fide_id
from demo.reports import DemoEvent, PlayedEvent, play
from players.choices import Role
from players.models import Player
from ratings.runs import perform_now
from tournaments.arbiters import name_arbiter
from tournaments.choices import Action
from tournaments.elsewhere import save_elsewhere
from tournaments.entries import save_entries
from tournaments.handover import hand_over, keep_checked
from tournaments.models import Tournament
from tournaments.qc import decide
from tournaments.registration import register_tournament
from tournaments.reports import Upload, accept_report, upload_report

ARBITER = "Feltgenhauer, Mariette"


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision on a registration: action, day, user and reason."""

    action: Action
    day: int
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Now:
    """A tournament near today: first day, number of days, day of registration, and its later steps.

    `report` is clean (accepted), warnings or errors (checked only), handed (sent by the chief arbiter, not added yet),
    or "" without a report. With `is_named`, the arbiter's account is added as chief arbiter. `entered` are the players
    on the entry list.
    """

    name: str
    city: str
    kind: str
    time: tuple[int, int]
    start: int
    registered: int
    days: int = 1
    federation: str = HOME
    decision: Decision | None = None
    report: str = ""
    submitted: int = 0
    is_hybrid: bool = False
    is_official: bool = False
    is_named: bool = False
    entered: int = 0
    late_reason: str = ""


TOURNAMENTS = (
    Now("Winter Rapid", "Strassen", "rapid", (15, 10), 16, -5, days=2, is_named=True, entered=38),
    Now("Casemates Blitz", "Luxembourg", "blitz", (3, 2), 9, -12, entered=56),
    Now(
        "Small States Rapid Championship",
        "Luxembourg",
        "rapid",
        (15, 10),
        30,
        -30,
        3,
        is_official=True,
        entered=64,
    ),
    Now("Blast Furnace Rapid", "Esch-sur-Alzette", "rapid", (15, 5), -1, -20, days=3, entered=42),
    # Late: less than three days before the first day, so it needs a QC decision.
    Now(
        name="Market Square Blitz",
        city="Diekirch",
        kind="blitz",
        time=(5, 0),
        start=2,
        registered=0,
        entered=31,
        late_reason="The town gave its permission for the square this morning.",
    ),
    Now("Greater Region Hybrid Rapid", "Luxembourg", "rapid", (15, 10), 20, -2, is_hybrid=True),
    Now(
        name="School Break Rapid",
        city="Mamer",
        kind="rapid",
        time=(12, 5),
        start=1,
        registered=-1,
        entered=28,
        late_reason="The school opened its hall to us only yesterday.",
        decision=Decision(Action.ALLOW, 0, Role.QC_CHAIR, "The venue was confirmed only on the last day."),
    ),
    Now(
        name="Café Blitz",
        city="Wasserbillig",
        kind="blitz",
        time=(3, 2),
        start=2,
        registered=0,
        late_reason="The café asked us yesterday.",
        decision=Decision(
            action=Action.REFUSE,
            day=0,
            by=Role.QC_CHAIR,
            reason="Under its regulations, draws are decided by lot. Such results cannot be rated.",
        ),
    ),
    Now(
        name="Sûre Valley Rapid",
        city="Ingeldorf",
        kind="rapid",
        time=(15, 10),
        start=12,
        registered=-20,
        decision=Decision(Action.WITHDRAW, -3, Role.OFFICER, "The organiser could not find a venue."),
    ),
    Now(
        name="Night Train Blitz",
        city="Troisvierges",
        kind="blitz",
        time=(3, 2),
        start=-9,
        registered=-30,
        decision=Decision(
            action=Action.NOT_RATE,
            day=-3,
            by=Role.QC_CHAIR,
            reason="2 rounds were played with 2 minutes per player, not as registered (articles 1.1, 0.4).",
        ),
    ),
    # Finished tournaments without a report: one due for the next list, one overdue, sent by the arbiter.
    Now("Forge Rapid", "Dommeldange", "rapid", (15, 10), -4, -25, is_named=True),
    Now(
        name="Post Horn Rapid",
        city="Asselborn",
        kind="rapid",
        time=(15, 5),
        start=-38,
        registered=-60,
        report="handed",
        submitted=-1,
        is_named=True,
    ),
    Now("Vineyard Rapid", "Schengen", "rapid", (15, 10), -3, -28, report="warnings", submitted=-1),
    Now("Red Rocks Blitz", "Rumelange", "blitz", (3, 2), -7, -21, report="errors", submitted=-4),
    Now("Lakeside Rapid", "Insenborn", "rapid", (15, 10), -7, -35, 2, report="clean", submitted=-2),
    Now("Rhine Falls Blitz", "Schaffhausen", "blitz", (3, 2), 11, -9, federation=OTHER, entered=47),
    Now("Jura Rapid", "Delémont", "rapid", (15, 10), -8, -30, federation=OTHER, report="clean", submitted=-3),
)


@dataclass(frozen=True, slots=True)
class Present:
    """Current events. `users` are the accounts by role and federation. No event is later than `at`."""

    people: Sequence[DemoPlayer]
    users: Mapping[tuple[str, str], Any]
    today: date
    at: datetime

    def run(self) -> list[Tournament]:
        """Register, decide, upload and accept. Return the tournaments in the order of the table."""
        return [self._bring(item) for item in TOURNAMENTS]

    def _bring(self, item: Now) -> Tournament:
        event = self._event(item)
        role, federation = (Role.STAFF, "") if item.is_official else (Role.OFFICER, item.federation)
        by = self.users[role, federation]
        on = self._day(item.registered)
        request = event.conditions(
            round_times=_times(event),
            is_official=item.is_official,
            is_hybrid=item.is_hybrid,
            late_reason=item.late_reason,
        )
        tournament = register_tournament(request, by=by, on=on, at=self._moment(on))
        if item.decision:
            self._decide(tournament, item.decision, item.federation)
        if item.is_named:
            arbiter = self.users[Role.ARBITER, item.federation]
            name_arbiter(tournament, arbiter.email, by=by, at=self._moment(on))
        if item.start > 0:
            self._tell_players(tournament, event, by)
        if item.entered:
            save_entries(tournament, self._choose_players(item, event), by=by, at=self.at)
        if item.report == "handed":
            self._hand_over(tournament, item, event)
        elif item.report:
            self._report(tournament, item, event, by)
        return tournament

    def _choose_players(self, item: Now, event: DemoEvent) -> list[int]:
        rng = seeded_random("entries", item.name, event.start)
        guests = item.entered // 5 if item.federation == HOME else item.entered * 4 // 5
        people = draw_field(rng, self.people, size=item.entered, guests=guests, year=event.start.year)
        ids = [person.fide_id for person in people]
        return list(Player.objects.filter(pk__in=ids, died_on=None).values_list("pk", flat=True))

    def _decide(self, tournament: Tournament, decision: Decision, federation: str) -> None:
        by = self.users[decision.by, federation if decision.by == Role.OFFICER else ""]
        moment = self._moment(self._day(decision.day))
        decide(tournament, decision.action, reason=decision.reason, by=by, at=moment)

    def _report(self, tournament: Tournament, item: Now, event: DemoEvent, by: Any) -> None:
        # A report accepted before this month's list was published would belong to that list.
        on = max(self._day(item.submitted), self.today.replace(day=1))
        values = {"by": by, "on": on, "at": self._moment(on)}
        content = self._play(item, event).content
        report = upload_report(tournament, content, file_name=event.file_name, **values)
        if item.report == "clean":
            # Rated at once: no worker runs while the demonstration is made.
            accept_report(report, acknowledgement="", dispatch=perform_now, **values)

    def _hand_over(self, tournament: Tournament, item: Now, event: DemoEvent) -> None:
        by, on = self.users[Role.ARBITER, item.federation], self._day(item.submitted)
        upload = Upload(self._play(item, event).content, event.file_name, by, on, self._moment(on))
        remark = "2 players came an hour late. Their first games are forfeits."
        hand_over(keep_checked(tournament, upload), remark=remark, by=by, at=self._moment(on))

    def _tell_players(self, tournament: Tournament, event: DemoEvent, by: Any) -> None:
        values = {
            "venue": f"Town hall of {event.city}",
            "entry_email": "open@chess.example",
            "entry_fee": "20 euros, juniors 10 euros",
            "entry_until": event.start - timedelta(days=1),
        }
        save_elsewhere(tournament, values, by=by, at=self.at)

    def _play(self, item: Now, event: DemoEvent) -> PlayedEvent:
        rng = seeded_random(item.name, event.start)
        guests = 6 if item.federation == HOME else 30
        year = event.start.year
        people = draw_field(rng, self.people, size=36, guests=guests, year=year)
        drawn = load_start_ratings(people, kind=event.kind, start=event.start)
        if item.report == "warnings":
            drawn = [
                *drawn[:-2],
                *((_unknown(*pair), 0) for pair in zip(drawn[-2:], (True, False), strict=True)),
            ]
        played = play(rng, event, drawn)
        return _with_contradictions(played) if item.report == "errors" else played

    def _event(self, item: Now) -> DemoEvent:
        start = self._day(item.start)
        return DemoEvent(
            name=item.name,
            city=item.city,
            kind=item.kind,
            time=item.time,
            start=start,
            end=start + timedelta(days=item.days - 1),
            rounds=9 if item.kind == "blitz" else 7,
            arbiter=ARBITER if item.federation == HOME else "Tröstlich, Anselm",
            federation=item.federation,
        )

    def _day(self, days: int) -> date:
        return self.today + timedelta(days=days)

    def _moment(self, day: date) -> datetime:
        return min(noon(day), self.at)


def _times(event: DemoEvent) -> list[str]:
    """Return the start of each round: from 10:00 on each day, 45 minutes after each other."""
    days = list(event.round_dates)
    minutes = [600 + 45 * (number - days.index(day)) for number, day in enumerate(days)]
    return [f"{minute // 60:02}:{minute % 60:02}" for minute in minutes]


def _unknown(entry: tuple[DemoPlayer, int], has_id: bool) -> DemoPlayer:
    """Return an unregistered player, with an unused FIDE ID or without one."""
    person, _ = entry
    record = person.record._replace(fide_id=fide_id(HOME, 9900) if has_id else 0)
    return replace(person, record=record)


def _with_contradictions(played: PlayedEvent) -> PlayedEvent:
    """Return the tournament with two games that both players report as won."""
    boards = list(played.boards)
    wrong = [index for index, board in enumerate(boards) if board.is_played and board.round in (2, 6)]
    for index in (wrong[3], wrong[-5]):
        boards[index] = boards[index]._replace(white_code="1", black_code="1")
    return replace(played, boards=tuple(boards))
