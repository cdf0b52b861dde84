"""What the officer says to players of a tournament: venue and entry, shown on its page, hostile addresses refused."""

from __future__ import annotations

import pytest
from django.test import Client

from tests import make
from tests.desk.tournaments.test_register import errors_of
from tournaments.models import Tournament

PAGE = "/desk/tournaments/SUI-PLAYED/for-players"
VALUES = {
    "venue": "Town hall <1>",
    "entry_url": "https://club.example/enter?a=1",
    "entry_email": "open@club.example",
    "entry_fee": "20 euros",
    "entry_until": "2026-01-04",
}


def test_details_for_players_are_saved_once_and_removed(officer: Client, played: Tournament) -> None:
    answers = [officer.post(PAGE, VALUES).status_code for _click in range(2)]
    (step,) = played.log_entries.all()
    played.refresh_from_db()

    assert answers == [302, 302]
    assert (step.action, len(step.changes)) == ("elsewhere", len(VALUES))
    # The log stays, an address of a person does not.
    assert "club.example" not in str([one for one in step.changes if one["field"] == "entry_email"])
    assert (played.venue, str(played.entry_until)) == ("Town hall <1>", "2026-01-04")
    officer.post(PAGE, {})
    played.refresh_from_db()
    assert (played.venue, played.entry_url, played.entry_until) == ("", "", None)
    # Nobody enters a tournament that is rated.
    Tournament.objects.update(stage="rated")
    assert PAGE not in officer.get("/desk/tournaments/SUI-PLAYED/").content.decode()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("entry_url", "javascript:alert(1)"),
        ("entry_email", "nobody"),
        ("entry_email", "a?bcc=x%40y.example&subject=z@club.example"),
        ("venue", "x" * 201),
        ("entry_until", "soon"),
        ("entry_until", "2027-01-01"),
        ("entry_fee", "1" * 121),
    ],
)
def test_wrong_details_are_errors_of_their_field(
    officer: Client, played: Tournament, name: str, value: str
) -> None:
    assert errors_of(officer.post(PAGE, {**VALUES, name: value})).keys() == {name}
    played.refresh_from_db()
    assert played.venue == ""


def test_pages_about_a_tournament_are_tabs_of_those_who_have_them(
    officer: Client, played: Tournament
) -> None:
    def pages_of(client: Client, page: str) -> list[tuple[str, bool]]:
        tabs = client.get(page).context["tabs"]
        return [(tab["url"].removeprefix("/desk/tournaments/SUI-PLAYED/"), tab["current"]) for tab in tabs]

    own, files = pages_of(officer, PAGE), "/desk/tournaments/SUI-PLAYED/files"
    public = "/tournaments/SUI-PLAYED/"
    assert [name for name, _current in own] == [
        "", "results/", "entries", "for-players", "files", "fide", "arbiters", "objections/", public,
    ]  # fmt: skip
    assert [name for name, current in own if current] == ["for-players"]
    assert [name for name, _current in pages_of(make.browser("qc"), files)] == [
        "", "entries", "files", "objections/", public,
    ]  # fmt: skip
