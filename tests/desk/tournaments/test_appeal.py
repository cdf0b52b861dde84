"""An appeal of a tournament: lodged with evidence in time, decided by FIDE Council, with its effect (0.4, D-87)."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from players.models import Federation
from ratings.models import RatingList
from ratings.verify.verify import verify_list
from tests import make
from tests.desk.conftest import NOW, PLAYERS, ROUNDS, not_rated, seen
from tests.downloads import saved_as
from tournaments.evidence import MAX_FILE_BYTES
from tournaments.models import Appeal, Tournament

LODGE = "/desk/tournaments/SUI-PLAYED/appeal/new"


TYPED = {"organiser": "Chess Club", "ground": "facts", "statement": "Both days were played at 15+10."}


@pytest.mark.parametrize(
    ("days_ago", "refusals", "status", "lodged"),
    [(0, [], 302, 1), (7, [], 302, 1), (8, ["appeal-late-0.4"], 200, 0)],
)
def test_0_4_the_officer_appeals_up_to_the_seventh_day(
    officer: Client, played: Tournament, days_ago: int, refusals: list[str], status: int, lodged: int
) -> None:
    not_rated(played, days_ago=days_ago)
    evidence = [SimpleUploadedFile("a.png", b"\x89PNG\r\n\x1a\n"), SimpleUploadedFile("b.pdf", b"%PDF-1.7")]

    opened = officer.get(LODGE)
    answer = officer.post(LODGE, TYPED | {"evidence": evidence})

    page, told = opened.content.decode(), opened.context["refusals"]
    assert ([one.code for one in told], 'name="statement"' in page) == (refusals, bool(lodged))
    assert all(str(one.message) in page for one in told)
    assert (answer.status_code, Appeal.objects.count()) == (status, lodged)


def test_too_large_file_does_not_clear_the_form(officer: Client, played: Tournament) -> None:
    not_rated(played, days_ago=1)
    huge = SimpleUploadedFile("film.mp4", b"x" * (MAX_FILE_BYTES + 1))

    form = officer.post(LODGE, TYPED | {"evidence": [huge]}).context["form"]

    assert list(form.errors) == ["evidence"]
    assert {name: form[name].value() for name in TYPED} == TYPED
    assert Appeal.objects.count() == 0


def test_summary_of_what_is_missing_has_no_heading_of_the_page_before_it(
    officer: Client, played: Tournament
) -> None:
    not_rated(played, days_ago=1)
    summary = officer.post(LODGE).content.decode().partition('class="note note-error"')[2]
    assert "0.4" not in summary.partition("<strong>")[2].partition("</strong>")[0]


def test_file_of_an_appeal_is_sent_as_a_download(officer: Client, played: Tournament) -> None:
    not_rated(played, days_ago=1)
    officer.post(LODGE, TYPED | {"evidence": [SimpleUploadedFile("a.html", b"%PDF-<script>")]})

    answer = officer.get("/desk/tournaments/SUI-PLAYED/appeal/files/1")

    assert saved_as(answer) == "a.html.pdf"
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == (
        "application/octet-stream",
        "nosniff",
    )
    assert answer.content == b"%PDF-<script>"
    assert officer.get("/desk/tournaments/SUI-PLAYED/appeal/files/2").status_code == 404


def test_council_upholds_and_the_public_reads_the_reasons(officer: Client, played: Tournament) -> None:
    not_rated(played, days_ago=7)
    officer.post(LODGE, TYPED)
    reason = "The clocks prove it."
    decided = {"verdict": "grant", "reason": reason} | seen()

    page = officer.get("/desk/tournaments/SUI-PLAYED/appeal")["Location"]
    officer.post(page, decided)
    refused = Tournament.objects.get().registration
    done = [make.browser("council").post(page, decided).status_code for _ in "ab"]
    public = Client().get("/tournaments/SUI-PLAYED/").content.decode()

    assert (refused, done, Tournament.objects.get().registration) == (
        "not-rated",
        [302, 302],
        "approved",
    )
    assert (reason in public, "Two minutes" in public) == (True, False)


def test_appeal_shows_what_upholding_it_adds_to_which_list(officer: Client, swiss: Federation) -> None:
    basis = make.rating_list(kind="rapid", date=date(2026, 2, 1))
    players = [make.entry(rating_list=basis).player for _ in range(3)]
    event = make.tournament(event_id="SUI-PLAYED", federation=swiss, start=date(2026, 2, 20))
    make.play_and_rate(event, players, make.round_robin(3))
    event.refresh_from_db()
    not_rated(event, days_ago=1)
    officer.post(LODGE, TYPED)

    effect = make.browser("council").get("/desk/tournaments/SUI-PLAYED/appeal", follow=True).context["effect"]

    assert (effect.list_date, effect.is_published) == (date(2026, 3, 1), False)
    assert (effect.games, effect.players) == (3, 3)


@pytest.mark.slow
def test_d_87_upholding_an_appeal_shows_and_restores_a_withdrawn_published_report(
    officer: Client, swiss: Federation
) -> None:
    event = make.february("SUI-PLAYED", PLAYERS, ROUNDS)
    february = RatingList.objects.latest("date")
    withdrawn: dict[str, Any] = {"file_name": "", "by": None, "on": NOW.date(), "at": NOW}
    make.correct_report(event, None, reason="Two minutes.", **withdrawn)
    officer.post(LODGE, TYPED)
    council = make.browser("council")

    page = council.get("/desk/tournaments/SUI-PLAYED/appeal")["Location"]
    effect = council.get(page).context["effect"]
    done = council.post(page, {"verdict": "grant", "reason": "The clocks."} | seen())
    march = make.publish("rapid", date(2026, 3, 1))

    assert (effect.is_published, effect.games, effect.players) == (True, 3, 3)
    assert (done.status_code, Tournament.objects.get().registration) == (302, "approved")
    ratings = [dict(item.entries.values_list("player", "rating")) for item in (february, march)]
    assert ratings[0] == ratings[1]
    assert [verify_list(item) for item in (february, march)] == [None, None]
