"""A random federation as it is stored: people, imported lists, accepted reports; publishing makes the lists."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import date, timedelta

from players.models import Federation as FederationRow
from players.models import FederationExclusion, Player
from tests import make
from tests.ratings.systems.federations import Contest, Federation, Person
from tournaments.choices import ReportState, Stage
from tournaments.models import Game, Participant, Report, Tournament


def store(federation: Federation, *, until: date = date.max) -> dict[int, Player]:
    """Store the federation with all that was imported, and what was reported until a day; return its players."""
    players = {person.number: _person(person) for person in federation.people}
    rapid = make.rating_list(kind="rapid", date=federation.imported_on)
    for person in federation.people:
        if person.rating is not None:
            make.entry(
                rating_list=rapid,
                player=players[person.number],
                rating=person.rating,
                k_factor=person.k,
                is_inactive=person.is_inactive,
            )
    for day in federation.standard_dates:
        standard = make.rating_list(kind="standard", date=day)
        for person in federation.people:
            if day in person.standard:
                make.entry(rating_list=standard, player=players[person.number], rating=person.standard[day])
    accept(federation, players, until=until)
    return players


def accept(
    federation: Federation, players: dict[int, Player], *, until: date, since: date = date.min
) -> None:
    """Store what was reported after a day and until another: a third list takes all that is there (D-76)."""
    for contest in federation.contests:
        if since < contest.list_date <= until:
            _contest(contest, players)


def months_of(federation: Federation) -> Iterator[date]:
    """Store the federation month by month, and yield the date of each list to be published."""
    since = date.min
    players = store(federation, until=since)
    for day in federation.list_dates:
        accept(federation, players, since=since, until=day)
        yield day
        since = day


def _person(person: Person) -> Player:
    code = f"X{person.number:02d}"
    federation: FederationRow = make.federation(code=code)
    if person.excluded_from is not None:
        FederationExclusion.objects.create(
            federation=federation,
            excluded_from=person.excluded_from,
            until=person.excluded_until,
            recorded_at=make.noon(person.excluded_from),
        )
    return make.player(
        fide_id=person.number,
        federation=federation,
        birth_year=person.birth_year,
        died_on=person.died_on,
    )


def _contest(contest: Contest, players: dict[int, Player]) -> Report:
    """Store a contest with its accepted report; accepted so that the list of the contest is the first to take it."""
    tournament = Tournament.objects.create(
        event_id=contest.event_id,
        name=f"Contest {contest.event_id}",
        federation=make.federation(code="X01"),
        kind="rapid",
        base_seconds=900,
        increment_seconds=10,
        has_unequal_times=contest.has_unequal_times,
        start=contest.start,
        end=contest.end,
        is_match=contest.is_match,
        match_waiver="asked for" if contest.has_waiver else "",
        is_stated_rated=True,
        registration="registered",
        registered_on=contest.start - timedelta(days=10),
        stage=Stage.REPORTED,
    )
    report = Report.objects.create(
        tournament=tournament,
        version=1,
        state=ReportState.ACCEPTED,
        file_name="contest.trf",
        content=contest.event_id.encode(),
        sha256=hashlib.sha256(contest.event_id.encode()).hexdigest(),
        rounds=contest.rounds,
        submitted_on=contest.list_date,
        submitted_at=make.noon(contest.list_date),
        accepted_on=contest.list_date,
    )
    Participant.objects.bulk_create(
        Participant(report=report, number=number, player=players[number], fide_id=number)
        for number in contest.players
    )
    Game.objects.bulk_create(
        Game(
            report=report,
            round=number,
            white=white,
            black=black,
            white_code=white_code,
            black_code=black_code,
            is_played=is_played,
            mark=mark,
            mark_reference="QC 1/2023" if mark else "",
        )
        for number, white, black, white_code, black_code, is_played, mark in contest.games
    )
    return report
