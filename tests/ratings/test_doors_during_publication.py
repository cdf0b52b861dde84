"""Page, admin, API and command while a list is being published: the author sees that the list came first (D-104)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from ratings.models import Correction, TournamentRating
from tests import make
from tests.ratings.alphaville import PLAYERS
from tests.ratings.test_publication_instant import CORRECTED, FEBRUARY, NOW, acted_during_publication, equal
from tests.test_report_doors import outcome
from tests.trf_files import Event
from tournaments.changed_meanwhile import seen_of
from tournaments.choices import Stage, Verb
from tournaments.models import Tournament
from tournaments.reports import upload_report
from tournaments.tokens import issue_token

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
Door = Callable[[Tournament, Path], Callable[[], list[str]]]
PUBLISHED = Stage.PUBLISHED


@pytest.fixture
def tournament(month: Any, monkeypatch: pytest.MonkeyPatch) -> Tournament:
    """A tournament whose report is rated and whose list is due."""
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    return Tournament.objects.get()


def errors_of(answer: Any) -> list[str]:
    """Return the errors of the form that its author reads on the page."""
    form = answer.context["game"].form if "game" in answer.context else answer.context["form"]
    errors = [error for errors in form.errors.values() for error in errors]
    return [error for error in errors if error in answer.content.decode()]


def page(tournament: Tournament, folder: Path) -> Callable[[], list[str]]:
    chair = make.browser("qc")
    form = {"decision": "not-rate", "reason": "Not played.", "seen": seen_of(tournament)}
    return lambda: errors_of(chair.post(f"/desk/qc/{tournament.event_id}/", form))


def editor(tournament: Tournament, folder: Path) -> Callable[[], list[str]]:
    staff = make.browser("staff")
    form = {"correct": "1", "verdict": "fair-play", "mark": "fair-play", "reference": "FPL 7"}
    form |= {"reason": "Fair Play.", "seen": seen_of(tournament)}
    return lambda: errors_of(staff.post(f"/desk/tournaments/{tournament.event_id}/results/?game=1-1", form))


def api(tournament: Tournament, folder: Path) -> Callable[[], list[str]]:
    content = Event(PLAYERS, CORRECTED).content()
    upload_report(tournament, content, file_name="b.trf", by=None, on=FEBRUARY, at=NOW)
    user = make.person("officer", tournament.federation)
    token = issue_token(user, tournament.federation, name="tests", verbs=[*Verb], at=NOW)
    sent: dict[str, Any] = {
        "content_type": "application/json",
        "headers": {"authorization": f"Bearer {token}"},
    }
    place = f"/api/v1/tournaments/{tournament.event_id}/reports/2/acceptance"
    words = json.dumps({"acknowledgement": "Checked."})
    return lambda: [fault["detail"] for fault in Client().post(place, words, **sent).json()["errors"]]


def command(tournament: Tournament, folder: Path) -> Callable[[], list[str]]:
    path = folder / "b.trf"
    path.write_bytes(Event(PLAYERS, CORRECTED).content())
    days = ["--registered-on=2026-01-05", "--submitted-on=2026-02-01", f"--event-id={tournament.event_id}"]
    given = [str(path), "--kind=rapid", "--time-control=15+10", "--federation=SUI", *days]
    return lambda: list(outcome("submit_report", *given)[0]["reasons"])


MEANWHILE = (
    "A user changed the tournament meanwhile: published. Nothing was saved. Compare your form with the current "
    "data before you send it again."
)
ON_A_LIST = "The tournament is on a published list. FIDE staff can correct it."


@pytest.mark.parametrize(
    ("door", "said"),
    [(page, MEANWHILE), (editor, MEANWHILE), (api, ON_A_LIST), (command, ON_A_LIST)],
    ids=["page", "editor", "API", "command"],
)
def test_d_104_act_during_publication_waits_and_its_author_is_told(
    tournament: Tournament, tmp_path: Path, door: Door, said: str
) -> None:
    act = door(tournament, tmp_path)
    assert said in acted_during_publication(act).result()
    tournament.refresh_from_db()
    assert (tournament.stage, tournament.registration) == (PUBLISHED, "registered")
    assert TournamentRating.objects.get(included_in__isnull=False).report.version == 1
    assert not Correction.objects.exists()
    assert equal(FEBRUARY)
