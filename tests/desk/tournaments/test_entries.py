"""The entry list of a tournament: from FIDE IDs to a file with current ratings for pairing programs."""

from __future__ import annotations

import io
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from players.fide_list import ListRecord, read_list
from players.models import Player
from tests import make
from tests.codes import codes_of_answer
from tests.desk.conftest import PLAYERS, report_of
from tests.desk.tournaments.test_register import errors_of
from tests.public.pages import codes
from tournaments.models import NamedArbiter, Tournament, TournamentEntry
from tournaments.trf import read_report

ADDRESS = "/desk/tournaments/SUI-PLAYED/entries"
FIRST, SECOND, DECEASED = (fide_id for fide_id, _name in PLAYERS[:3])


@pytest.fixture(autouse=True)
def _rated(played: Tournament) -> None:
    rapid = make.rating_list(date=date(2026, 2, 1))
    make.entry(rating_list=rapid, player=Player.objects.get(pk=FIRST), rating=1912, k_factor=20)


def records(content: bytes) -> list[ListRecord]:
    return [one for one in read_list(io.BytesIO(content)) if isinstance(one, ListRecord)]


def test_officer_sees_the_players_with_current_ratings(officer: Client) -> None:
    page = officer.post(ADDRESS, {"ids": f"{SECOND}\n{FIRST}, {SECOND}"})

    assert [(one.player.pk, one.ratings) for one in page.context["entered"].players] == [
        (FIRST, {"rapid": 1912}),
        (SECOND, {}),
    ]


@pytest.mark.parametrize("name", ["players_list_foa.txt", "players_list_xml_foa.xml"])
def test_players_are_downloaded_for_pairing_programs(officer: Client, name: str) -> None:
    answer = officer.post(ADDRESS, {"ids": f"{SECOND} {FIRST}", "file": name})

    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
    found = {one.fide_id: one.rapid and one.rapid.rating for one in records(answer.getvalue())}
    assert found == {FIRST: 1912, SECOND: None}


def test_merged_fide_id_gives_the_player(officer: Client) -> None:
    make.player(fide_id=77, merged_into_id=FIRST)

    answer = officer.post(ADDRESS, {"ids": "77", "file": "players_list.csv"})

    head, row = answer.getvalue().decode().splitlines()
    assert row.split(",")[0] == str(FIRST)
    assert dict(zip(head.split(",")[-6:], row.split(",")[-6:], strict=True)) == {
        "rapid": "1912", "rapid_games": "0", "rapid_k": "20", "blitz": "", "blitz_games": "", "blitz_k": "",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ("", "Enter the FIDE IDs of the players."),
        (f"{FIRST} 999 x", "No player has these FIDE IDs: 999, x. Correct or delete them."),
        (" ".join(map(str, range(1, 1002))), "Enter at most 1,000 FIDE IDs."),
    ],
)
def test_invalid_ids_are_named(officer: Client, ids: str, message: str) -> None:
    answer = officer.post(ADDRESS, {"ids": ids, "file": "players_list_foa.txt"})
    assert errors_of(answer) == {"ids": [message]}


@pytest.mark.parametrize(
    ("typed", "codes"),
    [
        ({"ids": f"{FIRST} 999"}, {"ids": ["unknown"]}),
        ({"ids": f"{FIRST} <script>alert(1)</script>"}, {"ids": ["unknown"]}),
        ({"ids": f"{FIRST}\x00"}, {"ids": ["null_characters_not_allowed"]}),
        ({"ids": "1" * 20_001}, {"ids": ["max_length"]}),
        ({"ids": str(2**63)}, {"ids": ["unknown"]}),
        ({"ids": f"{FIRST}", "player": "Nobody of this name"}, {"player": ["unknown"]}),
        ({"ids": f"{DECEASED}"}, {"ids": ["deceased"]}),
    ],
)
def test_a_wrong_list_is_not_saved(
    officer: Client, typed: dict[str, str], codes: dict[str, list[str]]
) -> None:
    Player.objects.filter(pk=DECEASED).update(died_on=date(2026, 1, 1))
    answer = officer.post(ADDRESS, {**typed, "save": "1"})
    assert (codes_of_answer(answer), TournamentEntry.objects.count()) == (codes, 0)


def test_a_saved_list_is_shown_again_and_everybody_sees_it(officer: Client) -> None:
    answer = officer.post(ADDRESS, {"ids": f"{FIRST}, {SECOND}", "save": "1"})
    assert (answer.status_code, answer["Location"]) == (302, ADDRESS)

    page = officer.get(ADDRESS)
    shown = {name: page.context[name] for name in ("saved", "added", "removed", "may_save")}
    assert shown == {"saved": 2, "added": 0, "removed": 0, "may_save": True}
    assert page.context["form"]["listed"].value().split() == [str(FIRST), str(SECOND)]
    public = Client().get("/tournaments/SUI-PLAYED/entries/")
    assert [one.player.pk for one in public.context["entered"].players] == [FIRST, SECOND]


def test_what_is_not_saved_yet_is_counted(officer: Client) -> None:
    officer.post(ADDRESS, {"ids": f"{FIRST}", "save": "1"})
    page = officer.post(ADDRESS, {"ids": f"{SECOND} {DECEASED}", "drop": f"{DECEASED}"})
    assert [page.context[name] for name in ("saved", "added", "removed")] == [1, 1, 1]
    assert page.context["form"]["listed"].value().split() == [str(SECOND)]
    assert codes(page.content.decode()) == ["not-saved"]
    more = officer.post(ADDRESS, {"listed": f"{FIRST}", "ids": f"{SECOND}"}).context
    assert (len(more["entered"].players), more["form"]["replaces"].help_text) == (2, "Removes 1 player")


def test_unknown_ids_cost_neither_the_list_nor_the_known_ones(officer: Client) -> None:
    listed = {"listed": f"{FIRST}", "ids": f"{SECOND} 999", "player": ""}
    added = officer.post(ADDRESS, listed).context
    replaced = officer.post(ADDRESS, listed | {"replaces": "on"}).context
    right = officer.post(ADDRESS, {"listed": f"{FIRST}", "ids": f"{SECOND}", "replaces": "on"}).context

    shown = [[one.player.pk for one in page["entered"].players] for page in (added, replaced, right)]
    assert shown == [[FIRST, SECOND], [FIRST], [SECOND]]
    fields = [(page["form"]["ids"].value(), page["form"]["listed"].value()) for page in (added, replaced)]
    assert fields == [("999", f"{FIRST}\n{SECOND}"), (listed["ids"], listed["listed"])]
    assert added["form"]["player"].value() == ""
    # Without them, the list can be saved at once.
    assert 'name="save"' in officer.post(ADDRESS, listed).content.decode()


def test_a_removed_player_is_named_and_comes_back(officer: Client) -> None:
    dropped = officer.post(ADDRESS, {"listed": f"{FIRST} {SECOND}", "drop": f"{SECOND}"}).context
    again = officer.post(ADDRESS, {"listed": f"{FIRST}", "undo": f"{SECOND}"}).context
    assert [player.pk for player in dropped["gone"]] == [SECOND]
    assert (again["gone"], again["form"]["listed"].value().split()) == ([], [str(FIRST), str(SECOND)])


@pytest.mark.parametrize("typed", ["", f"{FIRST}"])
def test_a_player_is_added_by_name(officer: Client, typed: str) -> None:
    page = officer.post(ADDRESS, {"listed": typed, "player": PLAYERS[1][1]})
    assert page.context["form"]["listed"].value().split() == [*typed.split(), str(SECOND)]
    assert not page.context["form"]["player"].value()


def test_an_empty_list_is_saved(officer: Client) -> None:
    officer.post(ADDRESS, {"ids": f"{FIRST}", "save": "1"})
    assert officer.post(ADDRESS, {"ids": "", "save": "1"}).status_code == 302
    assert TournamentEntry.objects.count() == 0


@pytest.mark.parametrize(
    ("role", "status"),
    [("officer", 302), ("arbiter", 404), ("officer AUT", 404), ("qc", 403), ("auditor", 403)],
)
def test_those_who_report_the_tournament_save_the_list(role: str, status: int, db: None) -> None:
    answer = make.browser(role).post(ADDRESS, {"ids": f"{FIRST}", "save": "1"})
    assert (answer.status_code, TournamentEntry.objects.count()) == (status, int(status == 302))


def test_a_closed_list_is_only_downloaded(officer: Client, played: Tournament) -> None:
    Tournament.objects.filter(pk=played.pk).update(registration="refused")
    assert officer.get(ADDRESS).context["may_save"] is False
    answer = officer.post(ADDRESS, {"ids": f"{FIRST}", "save": "1"})
    assert codes_of_answer(answer) == {"__all__": ["wrong-state"]}


def test_the_ids_of_the_newest_report_are_filled_in(officer: Client) -> None:
    content = report_of()
    officer.post("/desk/tournaments/SUI-PLAYED/report", {"report": SimpleUploadedFile("open.trf", content)})

    expected = [str(player.fide_id) for player in read_report(content).players]
    assert officer.get(ADDRESS).context["form"]["listed"].value().split() == expected


def test_chief_arbiter_gets_the_entry_list_without_reported_ids(officer: Client) -> None:
    officer.post(
        "/desk/tournaments/SUI-PLAYED/report", {"report": SimpleUploadedFile("open.trf", report_of())}
    )
    arbiter = make.browser("arbiter")
    NamedArbiter.objects.create(
        tournament=Tournament.objects.get(),
        user_id=arbiter.session["_auth_user_id"],
        named_at="2026-01-01T00:00:00Z",
    )

    page = arbiter.get(ADDRESS)
    assert (page.status_code, page.context["form"]["listed"].value()) == (200, "")
    assert "/desk/arbiter/SUI-PLAYED/" in page.content.decode()
