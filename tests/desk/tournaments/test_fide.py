"""The page of a tournament at FIDE: number, state and link, the archive, and what a comparison says."""

from __future__ import annotations

import csv
import io
import json
from datetime import date
from typing import Any
from zipfile import ZipFile

import pytest
from django.test import Client

from desk.tournaments.fide import beside_fide
from players.models import Federation, Player
from ratings.models import Comparison
from tests import make
from tests.desk.conftest import NOW
from tests.desk.tournaments.test_register import errors_of
from tournaments.models import Report, Tournament
from tournaments.trf import read_report

PAGE = "/desk/tournaments/SUI-PLAYED/fide"
VALUES = {
    "fide_event": "412345",
    "fide_state": "sent",
    "results_url": "https://results.example/tnr1.aspx?lan=1",
}


def test_number_state_and_link_are_saved_once_and_shown(
    officer: Client, client: Client, played: Tournament
) -> None:
    answers = [officer.post(PAGE, VALUES).status_code for _click in range(2)]
    (step,) = played.log_entries.all()
    public = client.get("/tournaments/SUI-PLAYED/").content.decode()
    of_api = client.get("/api/v1/tournaments/SUI-PLAYED").json()

    assert answers == [302, 302]
    assert (step.action, [one["field"] for one in step.changes]) == (
        "elsewhere",
        ["fide_event", "results_url", "fide_state"],
    )
    assert "412345" in public
    assert f'rel="nofollow noopener" href="{VALUES["results_url"]}"' in public
    assert (of_api["fide_event"], of_api["results_url"]) == (412345, VALUES["results_url"])
    assert "412345" in officer.get("/desk/tournaments/SUI-PLAYED/").content.decode()
    officer.post(PAGE, {})
    played.refresh_from_db()
    assert (played.fide_event, played.fide_state, played.results_url) == (None, "", "")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("results_url", "javascript:alert(1)"),
        ("results_url", "ftp://results.example/1"),
        ("results_url", f"https://results.example/{'x' * 200}"),
        ("fide_event", "0"),
        ("fide_event", str(2**31)),
        ("fide_state", "listed"),
    ],
)
def test_other_values_are_refused(officer: Client, played: Tournament, name: str, value: str) -> None:
    assert [*errors_of(officer.post(PAGE, VALUES | {name: value}))] == [name]
    assert not played.log_entries.exists()


def test_archive_has_both_reports_the_registration_and_the_new_players(
    officer: Client, accepted: Report
) -> None:
    Player.objects.filter(pk=1_300_001).update(birth_date=date(1999, 5, 6), birth_year=1999)
    first, again = (b"".join(officer.get(f"{PAGE}.zip")) for _download in range(2))
    with ZipFile(io.BytesIO(first)) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}

    assert first == again
    assert [*files] == ["report-trf16.trf", "report-trf26.trf", "registration.json", "new-players.csv"]
    games = [
        list(read_report(files[name].encode()).games) for name in ("report-trf16.trf", "report-trf26.trf")
    ]
    assert games[0] == games[1] == list(read_report(bytes(accepted.content)).games)
    assert "\n142 " not in files["report-trf16.trf"]
    assert json.loads(files["registration.json"])["event_id"] == "SUI-PLAYED"
    rows = list(csv.DictReader(io.StringIO(files["new-players.csv"])))
    # An import leaves no entries in the log: these players were registered in the portal.
    assert (rows[0]["fide_id"], rows[0]["birth_year"]) == ("1300001", "1999")
    assert len(rows) == 3
    assert "1999-05-06" not in files["new-players.csv"]


def test_archive_needs_an_accepted_report(officer: Client, played: Tournament) -> None:
    assert officer.get(f"{PAGE}.zip").status_code == 404
    assert not officer.get(PAGE).context["is_accepted"]


def test_comparison_names_the_players_who_differ_and_a_tournament_that_fide_lacks(
    officer: Client, swiss: Federation
) -> None:
    people: list[Any] = [make.entry(rating=rating).player for rating in (1900, 1800)]
    event = make.tournament(event_id="SUI-TWO", federation=swiss, start=date(2026, 1, 10))
    make.play_and_rate(event, people, [(1, 1, 2, "1-0")])
    assert beside_fide(event) is None
    made = make.publish_after(event)
    event.refresh_from_db()
    assert beside_fide(event) is None
    row = {"fide_id": people[0].pk, "name": "Player, P", "field": "games", "here": 1, "there": 0}
    other = row | {"fide_id": 4711, "reason": [{"code": "games"}], "since": "2026-02-01"}
    result = {"equal": 0, "different": [other], "only_here": [], "only_there": []}
    comparison = Comparison.objects.create(
        rating_list=made, file_name="a.txt", sha256="", result=result, at=NOW
    )
    shown = officer.get("/desk/tournaments/SUI-TWO/fide").context["beside"]
    assert (shown.is_missing, shown.players) == (False, [])
    # One of several events may be the one that FIDE lacks, a single one is.
    for events, is_missing in (("SUI-ONE, SUI-TWO", False), ("SUI-TWO", True)):
        reason = [{"code": "missing-there", "events": events}]
        comparison.result["different"][1:] = [row | {"reason": reason, "since": "2026-02-01"}]
        comparison.save()
        shown = officer.get("/desk/tournaments/SUI-TWO/fide").context["beside"]
        assert (shown.is_missing, shown.players) == (is_missing, ["Player, P"])


def test_results_as_csv_name_the_event_elsewhere(client: Client, swiss: Federation) -> None:
    people: list[Any] = [make.entry(rating=rating).player for rating in (1900, 1800)]
    event = make.tournament(event_id="SUI-TWO", start=date(2026, 1, 10), fide_event=412345)
    make.play_and_rate(event, people, [(1, 1, 2, "1-0")])
    make.publish_after(event)
    (row,) = csv.DictReader(io.StringIO(client.get("/tournaments/SUI-TWO/results.csv").content.decode()))
    assert (row["fide_event"], row["results_url"], row["white_result"]) == ("412345", "", "1")
