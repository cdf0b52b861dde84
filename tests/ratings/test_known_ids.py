"""A FIDE ID that becomes known after its report was accepted (D-139), and reports checked again when opened."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.test import Client

from players.models import LogEntry, Player
from ratings.models import Correction, ListEntry, ParticipantRating
from tests import codes, make
from tests.conftest import NOW
from tests.ratings.alphaville import FIRST, entry_of, perform_due, publish
from tests.ratings.list_files import Listed, text_list, written
from tests.trf_files import Event
from tournaments.awaited_ids import lines_known_since
from tournaments.inbox import waiting_tasks
from tournaments.known_ids import link_known_ids
from tournaments.models import Report, Tournament
from tournaments.permissions import reported_by

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]
GUEST = 8_970_017
RATED = {fide_id: rating for fide_id, rating in FIRST.items() if rating}
PLAYERS = [*((fide_id, f"Player, P{fide_id}") for fide_id in RATED), (GUEST, "Fremd, Zora")]
# The guest, with starting rank 6, plays all five: 3.5 of 5.
GAMES = [
    [(6, 1, "1-0"), (2, 5, "1/2")],
    [(2, 6, "0-1"), (3, 4, "1-0")],
    [(6, 3, "1/2"), (1, 4, "1-0")],
    [(4, 6, "0-1"), (3, 5, "1-0")],
    [(6, 5, "0-1"), (1, 2, "1/2")],
]


@pytest.fixture
def reported() -> Tournament:
    """Accept a report that names a FIDE ID which nobody has."""
    make.first_list(RATED)
    done = make.submit(Event(PLAYERS, GAMES))
    assert any("8970017" in warning for warning in done["warnings"])
    return Tournament.objects.get()


def guest_known(name: str = "Fremd, Zora", **values: Any) -> Player:
    first = Player.objects.get(pk=1001)
    return Player.objects.create(fide_id=GUEST, name=name, federation=first.federation, sex="M", **values)


def games_of_guest() -> int:
    rating = ParticipantRating.objects.get(number=6, tournament_rating__report__state="accepted")
    return rating.games if rating.player_id else 0


def test_d_139_an_import_links_the_id_and_the_report_is_rated_anew(
    reported: Tournament, tmp_path: Any
) -> None:
    assert games_of_guest() == 0
    guest = Listed(GUEST, "Fremd, Zora", "LUX", born=1995)
    make.run("import_fide_list", written(tmp_path / "foa.txt", text_list(guest)), "--date", "2025-12-01")
    perform_due()

    assert games_of_guest() == 5
    assert LogEntry.objects.filter(stated__0__code="ids-known").count() == 1
    # The same file again is judged by what is known now.
    assert not any("8970017" in warning for warning in make.submit(Event(PLAYERS, GAMES))["warnings"])
    publish("2026-02-01")
    assert entry_of(GUEST).rating is not None


def test_d_139_staff_who_add_the_player_have_the_report_rated_anew(
    reported: Tournament, client: Client
) -> None:
    client.force_login(make.person("staff"))
    values = {"fide_id": GUEST, "surname": "Fremd", "given_names": "Zora", "federation": "SUI", "sex": "F"}
    assert client.post("/admin/players/player/add/", values).status_code == 302
    perform_due()
    assert games_of_guest() == 5


def test_d_139_the_line_of_somebody_else_is_left_to_the_officer(reported: Tournament) -> None:
    guest_known("Quite, Other", birth_year=1960)
    assert link_known_ids(at=NOW) == []
    officer = make.person("officer", reported.federation)
    tasks = waiting_tasks(officer, Tournament.objects.all(), today=date(2026, 1, 25))
    assert [(task.code, task.about) for task in tasks] == [("known-id", reported.name)]


def test_d_139_reports_to_correct_hide_no_other_task(
    reported: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.inbox.MAX_WAITING", 1)
    Tournament.objects.update(stage="published")
    guest_known()
    staff = make.person("staff")

    tasks = waiting_tasks(staff, reported_by(staff), today=date(2026, 2, 3))

    assert [task.code for task in tasks] == ["officer"]


def test_d_139_after_publication_a_correction_is_proposed_with_its_effect(
    reported: Tournament, client: Client
) -> None:
    publish("2026-02-01")
    report = Report.objects.get()
    again = {
        "file_name": "r.trf",
        "reason": "The ID is known.",
        "by": None,
        "on": date(2026, 2, 3),
        "at": NOW,
    }
    with codes.refusal() as refused:
        make.correct_report(Tournament.objects.get(), bytes(report.content), **again)
    assert refused.found == ["same-report"]
    guest_known()
    assert link_known_ids(at=NOW) == []
    assert not any("8970017" in warning for warning in make.submit(Event(PLAYERS, GAMES))["warnings"])

    staff = make.person("staff")
    tasks = waiting_tasks(staff, reported_by(staff), today=date(2026, 2, 3))
    (task,) = (one for one in tasks if one.code == "known-published")
    client.force_login(staff)
    page = client.get(str(task.page))
    (line,) = [line for line in page.context["effect"].lines if line.player_id == GUEST]
    assert (line.before_hundredths, line.kind) == (None, "initial")
    assert not Correction.objects.exists()

    form = page.context["form"]
    sent = {name: form.cleaned_data[name] for name in ("event_id", "seen", "reason")}
    client.post("/admin/ratings/correction/correct/", {**sent, "kept": form.to_keep(), "confirm": "1"})
    assert not lines_known_since().exists()
    publish("2026-03-01")
    listed = ListEntry.objects.get(player=GUEST, rating_list__date="2026-03-01")
    assert listed.rating == line.after_hundredths / 100
