"""The games of a month as data: what the lists took, in the file, in the command, and never what a minor hides."""

from __future__ import annotations

import csv
import gzip
import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import storages
from django.test import Client

from players.models import Federation, FederationExclusion, Player
from ratings.archives import make_archives, restore_files
from ratings.calculations import explain
from ratings.events import standings_by_number
from ratings.games import COLUMNS, as_csv, games_of_month
from ratings.lists import read_lists
from ratings.models import ListArchive, RatingList, Run, TournamentRating
from ratings.movements import taken_in
from ratings.records import tournaments_of, with_results
from ratings.tasks import keep_old_files_packed
from tests import make
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]
DAY = date(2026, 2, 1)
PATH = "blitz/2026-02-01/games-2026-02-01.csv.gz"
PAIRINGS = [(1, 1, 2, "1-0"), (1, 3, None, "bye"), (2, 2, 3, "1/2"), (2, 1, None, "bye"), (3, 3, 1, "-+")]


@pytest.fixture
def people() -> list[Any]:
    """Return 1001 (1900), 1002 (1800) and 1003, who has no rating, before two lists."""
    people: list[Any] = [
        make.entry(player__fide_id=fide_id, player__birth_year=born, rating=rating).player
        for fide_id, born, rating in ((1001, 1980, 1900), (1002, 2014, 1800))
    ]
    people.append(make.entry(player__fide_id=1003, rating_list__kind="standard").player)
    make.entry(player=people[0], rating_list=make.rating_list(kind="blitz"))
    return people


@pytest.fixture
def played(people: list[Any]) -> Tournament:
    """Rate a tournament of the three."""
    tournament = make.tournament(
        event_id="=1+1", start=date(2026, 1, 10), end=date(2026, 1, 11), schedule=["2026-01-10", "2026-01-10"]
    )
    make.play_and_rate(tournament, people, PAIRINGS)
    return tournament


@pytest.fixture
def month(played: Tournament) -> Tournament:
    for kind in ("rapid", "blitz"):
        make.publish(kind, DAY)
    played.refresh_from_db()
    return played


def rows() -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("".join(as_csv(games_of_month(DAY))), newline="")))


def file_of_games() -> bytes:
    with storages["lists"].open(PATH) as source:
        return bytes(source.read())


@pytest.mark.database
def test_a_row_has_both_sides_of_a_game_as_the_list_rated_it(month: Tournament) -> None:
    won, drawn, forfeited = rows()
    lists = read_lists()
    hero = Player.objects.get(pk=1001)
    (event,) = explain(hero, RatingList.objects.get(kind="rapid", date=DAY), lists).events
    points = {game.outcome.round: game.points for game in event.games}

    assert list(won) == list(COLUMNS)
    assert won == {
        "kind": "rapid", "list_date": "2026-02-01", "event_id": "'=1+1", "round": "1", "date": "2026-01-10",
        "white_id": "1001", "black_id": "1002", "white_rating": "1900", "black_rating": "1800",
        "result": "1-0", "white_code": "1", "black_code": "0", "counts_white": "true", "counts_black": "true",
        "reason_white": "counted-7.3.2", "reason_black": "counted-7.3.2",
        "change_white": f"{(points[1] or 0) / 100:.2f}", "change_black": "-7.20",
    }  # fmt: skip
    assert (drawn["result"], drawn["date"], drawn["white_code"]) == ("1/2-1/2", "2026-01-10", "=")
    # The third round has no day in the schedule.
    assert (forfeited["result"], forfeited["date"]) == ("0-1", "2026-01-11")
    assert (forfeited["counts_white"], forfeited["reason_white"], forfeited["change_white"]) == (
        "false",
        "forfeit-4.1",
        "",
    )


@pytest.mark.database
@pytest.mark.parametrize(("result", "games"), [("1/2", 2), ("1-0", 1)], ids=["half a point", "no point"])
def test_7_2_2_rated_games_of_a_list_are_those_of_its_file(
    people: list[Any], result: str, games: int
) -> None:
    """An unrated player's games count until the list disregards a first tournament without points."""
    field = [*people[:2], make.player()]
    make.play_and_rate(make.tournament(start=date(2026, 1, 10)), field, [(1, 1, 2, "1-0"), (2, 2, 3, result)])
    assert TournamentRating.objects.get().counted_games == 2
    for kind in ("rapid", "blitz"):
        make.publish(kind, DAY)

    counted = [row for row in rows() if "true" in (row["counts_white"], row["counts_black"])]
    assert (taken_in(RatingList.objects.get(kind="rapid", date=DAY)).games, len(counted)) == (games, games)


@pytest.mark.database
def test_9_1_game_that_counts_for_the_opponent_of_an_excluded_player_is_a_rated_game(
    people: list[Any],
) -> None:
    away = make.federation(code="NOR")
    FederationExclusion.objects.create(
        federation=away, excluded_from=date(2026, 1, 5), recorded_at=make.noon(date(2026, 1, 5))
    )
    Player.objects.filter(pk=1002).update(federation=away)
    make.play_and_rate(make.tournament(start=date(2026, 1, 10)), people[:2], [(1, 1, 2, "1-0")])
    for kind in ("rapid", "blitz"):
        make.publish(kind, DAY)
    assert [(row["counts_white"], row["counts_black"]) for row in rows()] == [("true", "false")]
    assert taken_in(RatingList.objects.get(kind="rapid", date=DAY)).games == 1


def test_ids_of_minors_who_hide_their_year_are_empty(played: Tournament) -> None:
    Federation.objects.update(hides_birth_years_of_minors=True)
    for kind in ("rapid", "blitz"):
        make.publish(kind, DAY)
    # What changes afterwards changes no file.
    Federation.objects.update(hides_birth_years_of_minors=False)
    Player.objects.filter(pk=1002).update(birth_year=1990)
    ids = [(row["white_id"], row["black_id"]) for row in rows()]

    assert ids == [("1001", ""), ("", "1003"), ("1003", "1001")]


@pytest.mark.database
def test_file_is_written_with_the_second_list_and_to_the_same_bytes_after_a_correction(
    played: Tournament,
) -> None:
    rapid = make.publish("rapid", DAY)
    make_archives(rapid)
    assert not ListArchive.objects.filter(name__startswith="games-").exists()
    make_archives(make.publish("blitz", DAY))
    before = file_of_games()
    assert gzip.decompress(before) == "".join(as_csv(games_of_month(DAY))).encode()
    played.refresh_from_db()
    make.correct_report(
        played, None, reason="Not played", by=make.user(is_superuser=True), at=make.noon(date(2026, 2, 9))
    )
    storages["lists"].delete(PATH)
    assert [(one.path, one.is_right) for one in restore_files()] == [(PATH, True)]
    assert file_of_games() == before


def test_file_leaves_out_the_same_minors_when_it_is_written_again(played: Tournament) -> None:
    Player.objects.filter(pk=1003).update(birth_year=2014)
    Federation.objects.update(hides_birth_years_of_minors=True)
    for kind in ("rapid", "blitz"):
        make.publish(kind, DAY)
    make_archives(RatingList.objects.get(kind="blitz", date=DAY))
    before = file_of_games()
    # The child, who is on no list of the month, is no member of the federation any more.
    Player.objects.filter(pk=1003).update(federation=make.federation(code="AUT", name="Austria"))
    storages["lists"].delete(PATH)

    assert [(one.path, one.is_right) for one in restore_files()] == [(PATH, True)]
    assert (file_of_games(), b"1003" in gzip.decompress(before)) == (before, False)
    assert "1003" not in "".join(as_csv(games_of_month(DAY)))


def test_file_of_an_old_month_leaves_out_who_hides_when_it_is_first_written(month: Tournament) -> None:
    Federation.objects.update(hides_birth_years_of_minors=True)
    make_archives(RatingList.objects.get(kind="blitz", date=DAY))
    assert b"1002" not in gzip.decompress(file_of_games())


def test_game_of_a_merged_id_has_the_change_of_the_person(played: Tournament, client: Client) -> None:
    old = make.player(fide_id=1004, birth_year=2014)
    other = make.tournament(event_id="SUI-Q", start=date(2026, 1, 12))
    make.play_and_rate(other, [Player.objects.get(pk=1001), old], [(1, 1, 2, "1-0")])
    by = make.user(is_superuser=True)
    make.merge_by_two(
        old, into=Player.objects.get(pk=1002), reason="One person", by=by, at=make.noon(date(2026, 1, 20))
    )
    for kind in ("rapid", "blitz"):
        make.publish(kind, DAY)
    answers = [
        client.get("/api/v1/games", query).json() for query in ({"event": "SUI-Q"}, {"since": "2026-02-01"})
    ]
    changes = [row["change_black"] for one in answers for row in one["results"] if row["event_id"] == "SUI-Q"]
    assert changes == [changes[0]] * 2
    assert changes[0] is not None
    # The pages of the player and of the tournament, too: their row has the ID that was merged.
    shown = with_results(tournaments_of([1004], lists=read_lists()))
    shown += standings_by_number(TournamentRating.objects.get(report__tournament=other), [2]).values()
    assert [(row.k > 0, row.points is None) for row in shown] == [(True, False)] * 2


def test_former_id_of_a_minor_is_left_out_too(month: Tournament, client: Client) -> None:
    austria = make.federation(code="AUT", name="Austria")
    Federation.objects.filter(code="SUI").update(hides_birth_years_of_minors=True)
    Player.objects.filter(pk=1003).update(federation=austria, merged_into=1002)
    found = client.get("/api/v1/games", {"since": "2026-02-01"}).json()["results"]
    assert {row[name] for row in found for name in ("white_id", "black_id")} == {1001, None}
    assert client.get("/api/v1/games", {"player": 1003}).json()["results"] == []


def test_night_has_missing_files_of_games_written(month: Tournament) -> None:
    Run.objects.all().delete()
    keep_old_files_packed()
    assert list(Run.objects.values_list("work", "subject")) == [("archive", "blitz 2026-02-01")]
    make_archives(RatingList.objects.get(kind="rapid", date=DAY))
    Run.objects.all().delete()
    keep_old_files_packed()
    assert not Run.objects.exists()


def test_command_exports_the_games_as_csv_and_lines_of_json(month: Tournament, tmp_path: Path) -> None:
    paths = {form: tmp_path / f"games.{form}" for form in ("csv", "ndjson")}
    for form, path in paths.items():
        done = make.run("export_games", "2026-02-01", "--format", form, "-o", str(path))
        assert done["size"] == path.stat().st_size
    lines = [json.loads(line) for line in paths["ndjson"].read_text().splitlines()]

    make_archives(RatingList.objects.get(kind="rapid", date=DAY))
    assert paths["csv"].read_bytes() == gzip.decompress(file_of_games())
    assert [(line["white_id"], line["counts_white"], line["change_white"]) for line in lines] == [
        (1001, True, "7.20"),
        (1002, True, "0.00"),
        (1003, False, None),
    ]
    with pytest.raises(make.RefusedCommandError):
        make.run("export_games", "2026-03-01")
