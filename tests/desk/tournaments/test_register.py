from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

import pytest
from django.test import Client

from players.models import Federation
from tests import make
from tests.codes import codes_of_answer
from tests.log import steps
from tournaments.changed_fields import NOTHING, shown_changes
from tournaments.models import Tournament
from tournaments.portal_reasons import SENTENCES
from tournaments.schedule_field import MAX_ROWS

FILLED = {
    "name": "Spring Rapid of Alphaville",
    "federation": "SUI",
    "city": "Alphaville",
    "kind": "rapid",
    "time_control": "15+10",
    "start": "2026-03-14",
    "end": "2026-03-15",
    "schedule": "2026-03-14 5\n2026-03-15 4",
    "chief_arbiter": "Arbiter, Anna",
    "organiser": "Chess Club Alphaville",
    "is_stated_rated": "on",
}


NEW = "/desk/tournaments/new"


def registered(client: Client, **changes: object) -> Tournament:
    """Register the filled form with changes, and return what was made."""
    client.post(NEW, FILLED | changes)
    return Tournament.objects.get()


def errors_of(answer: object) -> dict[str, list[str]]:
    """Return the error messages of the page's form, by field."""
    return {name: list(messages) for name, messages in answer.context["form"].errors.items()}  # type: ignore[attr-defined]


def test_officer_registers_a_tournament_on_time(officer: Client) -> None:
    answer = officer.post(NEW, FILLED)

    tournament = Tournament.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"/desk/tournaments/{tournament.event_id}/")
    assert (tournament.registration, tournament.base_seconds, tournament.increment_seconds) == (
        "registered",
        900,
        10,
    )
    assert tournament.schedule == ["2026-03-14"] * 5 + ["2026-03-15"] * 4
    assert tournament.registered_on == date(2026, 3, 4)


@pytest.mark.parametrize("who", ["officer", "deputy"])
def test_d135_a_like_event_is_asked_about_and_never_taken_for_the_first(
    officer: Client, signed_in: Callable[[str], Client], who: str
) -> None:
    officer.post(NEW, FILLED)
    first, client = Tournament.objects.get(), officer if who == "officer" else signed_in(who)

    asked = client.post(NEW, FILLED)
    another = client.post(NEW, FILLED | {"is_another": "on"})

    assert codes_of_answer(asked) == {"is_another": ["already-registered"]}
    assert asked.context["like"] == first
    # The question is asked once.
    assert asked.content.decode().count(f"({first.event_id})") == 1
    second = Tournament.objects.exclude(pk=first.pk).get()
    assert another["Location"] == f"/desk/tournaments/{second.event_id}/"


@pytest.mark.parametrize(
    ("start", "state", "reason"),
    [
        ("2026-03-07", "registered", ""),
        ("2026-03-06", "waiting", SENTENCES.state("late")),
        ("2026-03-04", "waiting", SENTENCES.state("late")),
    ],
)
def test_three_days_decide_whether_the_qc_decides(
    officer: Client, start: str, state: str, reason: str
) -> None:
    new = "The hall is new."
    late = {"late_reason": new} if reason else {}
    made = registered(officer, start=start, **late)

    assert (made.registration, steps().get().reason) == (state, f"{reason} {new}" if reason else "")


def test_0_2_a_late_registration_needs_its_reason_at_once(officer: Client) -> None:
    answer = officer.post(NEW, FILLED | {"start": "2026-03-06"})

    message = "Enter the reason for the late registration. The QC reads it."
    assert errors_of(answer) == {"late_reason": [message]}
    assert not Tournament.objects.exists()


def rows(*rounds: tuple[str, str]) -> dict[str, object]:
    """Return a valid form whose schedule is the table of the page."""
    days, times = zip(*rounds, strict=True)
    table = {"schedule_day": days, "schedule_time": times}
    return {name: value for name, value in FILLED.items() if name != "schedule"} | table


def test_0_2_the_schedule_is_a_table_of_rounds(officer: Client) -> None:
    days = ["2026-03-14", "2026-03-14", "2026-03-14", "2026-03-15"]
    times = ["10:00", "", "11:30", "10:00"]
    typed = rows((days[3], times[3]), (days[0], times[0]), (days[1], times[1]), ("", times[2]), ("", ""))

    officer.post(NEW, typed)

    made = Tournament.objects.get()
    assert (made.schedule, made.round_times) == (days, times)
    shown = officer.get(f"/desk/tournaments/{made.event_id}/").context["schedule"]
    first, second = date(2026, 3, 14), date(2026, 3, 15)
    assert shown == [
        (first, [(2, "1, 3", ["10:00", "11:30"]), (1, "2", [])]),
        (second, [(1, "4", ["10:00"])]),
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("", "10:00"), "Row 1: enter the date as YYYY-MM-DD, for example 2026-03-07."),
        (("14.3.2026", ""), "Row 1: enter the date as YYYY-MM-DD, for example 2026-03-07."),
        (("2026-03-14", "25:00"), "Row 1: enter the start as HH:MM, for example 10:00."),
    ],
)
def test_an_unreadable_row_of_the_schedule_is_named_and_kept(
    officer: Client, row: tuple[str, str], message: str
) -> None:
    answer = officer.post(NEW, rows(row))

    assert errors_of(answer) == {"schedule": [message]}
    assert all(f'value="{text}"' in answer.content.decode() for text in row if text)


@pytest.mark.parametrize("is_table", [True, False])
def test_too_many_rounds_are_refused_and_not_cut(officer: Client, is_table: bool) -> None:
    many = "2026-03-14 99\n" * 20_000
    sent = rows(*[("2026-03-14", "")] * (MAX_ROWS + 1)) if is_table else FILLED | {"schedule": many}

    answer = officer.post(NEW, sent)

    assert codes_of_answer(answer) == {"schedule": ["too-many"]}
    assert answer.content.count(b'name="schedule_day"') == MAX_ROWS


def test_the_rounds_of_a_single_day_need_no_table(officer: Client) -> None:
    day = {"start": "2026-03-14", "end": "2026-03-14", "rounds": "9"}

    officer.post(NEW, rows(("", "")) | day)

    assert Tournament.objects.get().schedule == ["2026-03-14"] * 9


@pytest.mark.parametrize(
    ("button", "shown"),
    [
        ({"add_rows": "1"}, [("2026-03-14", "10:00")] + [("", "")] * 5),
        (
            {"fill_rounds": "1", "rounds": "3"},
            [("2026-03-14", "10:00"), ("2026-03-14", ""), ("2026-03-15", "")],
        ),
    ],
)
def test_the_table_of_rounds_grows_without_a_script_and_keeps_the_form(
    officer: Client, button: dict[str, str], shown: list[tuple[str, str]]
) -> None:
    typed = rows(("2026-03-14", "10:00")) | button
    del typed["is_stated_rated"]

    answer = officer.post(NEW, typed)
    live = officer.post(NEW, typed, headers={"hx-request": "true"})
    form = answer.context["form"]

    assert [page.content.count(b'id="id_schedule"') for page in (answer, live)] == [1, 1]
    table = form["schedule"].subwidgets[0].data["rows"]
    focused = re.findall(r'id="id_schedule_day_(\d+)"[^>]*autofocus', answer.content.decode())
    assert table == shown
    assert focused == (["2"] if "add_rows" in button else [])
    assert form["name"].value() == FILLED["name"]
    assert not form["is_stated_rated"].value()
    assert not Tournament.objects.exists()


def test_a_schedule_is_filled_in_once_the_days_are_there(officer: Client) -> None:
    answer = officer.post(NEW, FILLED | {"end": "", "rounds": "3", "fill_rounds": "1"})

    assert codes_of_answer(answer) == {"rounds": ["other-number", "fill"]}
    # With a script without the button, as long as no row has a date.
    typed = rows(("", ""), ("", "")) | {"rounds": "3"}
    live = officer.post(NEW, typed, headers={"hx-request": "true"})
    table = live.context["form"]["schedule"].subwidgets[0].data["rows"]
    assert [day for day, _start in table] == ["2026-03-14", "2026-03-14", "2026-03-15"]


def test_1_1_the_time_control_decides_the_rating_type(officer: Client) -> None:
    typed = {name: value for name, value in FILLED.items() if name != "kind"}

    officer.post(NEW, typed | {"time_control": "3+2"})

    assert Tournament.objects.get().kind == "blitz"


def test_check_shows_the_outcome_and_registers_nothing(officer: Client) -> None:
    answer = officer.post(NEW, FILLED | {"start": "2026-03-05", "preview": "1"})

    outcome = answer.context["check"].outcome
    assert (outcome.waits, outcome.days.due_list, outcome.days.last_day, outcome.last_day_on_time) == (
        True,
        date(2026, 4, 1),
        date(2026, 6, 1),
        date(2026, 3, 2),
    )
    assert answer.context["form"]["name"].value() == FILLED["name"]
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"start": "2026-03-03"}, "start", "after-first-day-0.2"),
        ({"end": "2026-03-13"}, "end", "end-before-start"),
        ({"time_control": "3+2"}, "time_control", "kind-1.1"),
        ({"time_control": "quick"}, "time_control", "time-control"),
        ({"schedule": "2026-03-14 16"}, "schedule", "too-many-3.1"),
        ({"schedule": ""}, "schedule", "required"),
        ({"schedule": "2026-03-20 5"}, "schedule", "outside"),
        ({"schedule": "Saturday five"}, "schedule", "line"),
        ({"end": "2029-03-13"}, "end", "too-long"),
        ({"rounds": "12"}, "rounds", "other-number"),
        ({"start": "2026-03-16", "end": "2026-03-16"}, "schedule", "outside"),
        ({"is_stated_rated": ""}, "is_stated_rated", "required"),
    ],
)
def test_broken_rules_are_shown_at_their_fields(
    officer: Client, changes: dict[str, str], field: str, code: str
) -> None:
    answer = officer.post(NEW, FILLED | changes)
    unnamed = FILLED | changes | {"name": ""}
    live = officer.post(NEW, unnamed, headers={"hx-request": "true"})

    assert (answer.status_code, codes_of_answer(answer)) == (200, {field: [code]})
    is_missing = changes == {"schedule": ""}
    assert codes_of_answer(live) == ({} if is_missing else {field: [code]})
    check = live.context["check"]
    assert [field.name for field in check.missing] == ["name", *["schedule"] * is_missing]
    # What is wrong at its field is not right beside it.
    assert any("1.1" in text for text in check.facts) == (field != "time_control")
    assert any("1.1" not in text for text in check.facts) == (field != "schedule")
    assert f'value="{FILLED["organiser"]}"' in answer.content.decode()
    assert not Tournament.objects.exists()


def test_an_error_in_the_schedule_has_its_place_and_its_row_while_one_types(officer: Client) -> None:
    typed = rows(*[(day, "") for day in ("2026-03-14", "2026-03-15", "2026-03-20")])
    filled = officer.post(NEW, typed | {"rounds": "3", "fill_rounds": "1"}, headers={"hx-request": "true"})
    live = officer.post(NEW, typed, headers={"hx-request": "true"})
    sent = officer.post(NEW, typed)

    assert b'<ul class="errorlist" id="id_schedule_error"></ul>' in filled.content
    assert b'data-days="2026-03-20"' in live.content
    wrong = re.findall(r'value="([^"]*)"\s+aria-invalid="true"\s+id="id_schedule_day', sent.content.decode())
    assert wrong == ["2026-03-20"]


@pytest.mark.parametrize(
    ("changes", "warnings"),
    [
        ({}, 0),
        ({"start": "2026-03-12"}, 1),
        ({"start": "2026-03-12", "end": "2026-03-16"}, 2),
        ({"start": "2026-03-12", "end": "2026-04-16"}, 3),
        ({"end": "2026-03-13"}, 0),
    ],
)
def test_a_day_without_a_round_is_warned_of_and_registered(
    officer: Client, changes: dict[str, str], warnings: int
) -> None:
    checked = officer.post(NEW, FILLED | changes | {"preview": "1"})
    done = officer.post(NEW, FILLED | changes)

    assert len(checked.context["check"].warnings) == warnings
    if "Location" in done:
        told = [message.level_tag for message in officer.get(done["Location"]).context["messages"]]
        assert told == ["success", *["warning"] * warnings]


def test_errors_are_listed_in_the_order_of_the_page(officer: Client) -> None:
    page = officer.post(NEW, {"late_reason": "", "start": "2026-03-05"}).content.decode()
    listed = re.findall(r'<li><a href="#(id_\w+)">', page)
    fields = re.findall(r' id="(id_\w+)"', page)

    assert len(listed) > 4
    assert [name for name in fields if name in listed] == listed


def test_an_officer_cannot_register_for_another_federation(officer: Client) -> None:
    answer = officer.post(NEW, FILLED | {"federation": "AUT"})

    assert list(errors_of(answer)) == ["federation"]
    assert not Tournament.objects.exists()


def test_an_officer_cannot_register_an_official_event(officer: Client) -> None:
    tournament = registered(officer, is_official="on", decided_by="council")

    assert (tournament.is_official, tournament.decided_by) == (False, "")


def test_staff_register_an_official_event_after_its_first_day(signed_in: Callable[[str], Client]) -> None:
    tournament = registered(signed_in("staff"), start="2026-03-01", is_official="on")

    assert (tournament.is_official, tournament.registration) == (True, "registered")


def test_an_excluded_federation_registers_nothing(officer: Client, swiss: Federation) -> None:
    make.FederationFactory._meta.model.objects.filter(pk="SUI").update(is_member=False)

    answer = officer.post(NEW, FILLED)

    message = (
        "Switzerland is not a member of FIDE or is excluded, so it cannot register tournaments (article 9.1)."
    )
    assert errors_of(answer) == {"federation": [message]}


def test_officer_withdraws_with_a_reason(officer: Client, swiss: Federation) -> None:
    make.tournament(event_id="SUI-W", federation=swiss, start=date(2026, 4, 1))

    reason = "The hall burnt down."
    without = officer.post("/desk/tournaments/SUI-W/withdraw", {"reason": " "})
    done = officer.post("/desk/tournaments/SUI-W/withdraw", {"reason": reason})

    assert list(errors_of(without)) == ["reason"]
    assert done.status_code == 302
    assert Tournament.objects.get().registration == "withdrawn"
    assert steps().get().reason == reason


@pytest.mark.parametrize(
    ("text", "seconds", "shown"),
    [
        ("25 d5", (1500, 5), "25 d5"),
        ("40/20, 10", (1800, 0), "40/20, 10"),
        ("40/1200+5:600+10", (1900, 5), "40/1200+5:600+10"),
        ("15 min + 10 sec", (900, 10), "15+10"),
    ],
)
def test_1_1_delays_and_several_periods_are_registered(
    officer: Client, text: str, seconds: tuple[int, int], shown: str
) -> None:
    made = registered(officer, time_control=text)

    assert (made.base_seconds, made.increment_seconds, made.time_control) == (*seconds, shown)


def test_d_84_games_per_match_are_registered(officer: Client) -> None:
    made = registered(officer, is_match="on", games_per_match="4")

    page = officer.get(f"/desk/tournaments/{made.event_id}/").content.decode()
    assert made.games_per_match == 4
    assert "Games per match" in page


def test_d_83_times_of_both_players_are_registered_as_unequal(officer: Client) -> None:
    assert registered(officer, time_control="White 15+10, Black 12+10").has_unequal_times


def test_arbiters_are_registered_by_fide_id_from_the_list_of_arbiters(officer: Client) -> None:
    for fide_id, name in ((1_300_001, "Alder, Ada"), (1_300_002, "Birch, Ben")):
        make.player(fide_id=fide_id, name=name, other_titles="FA")

    made = registered(officer, chief_arbiter="1300001", deputies=["Birch, Ben (1300002)", ""])

    arbiters = made.arbiters.values_list("player_id", "is_chief")
    assert (made.chief_arbiter, [*arbiters]) == ("Alder, Ada", [(1_300_001, True), (1_300_002, False)])

    copied = officer.get(f"/desk/tournaments/new?like={made.event_id}").context["form"]
    assert copied["chief_arbiter"].value() == "Alder, Ada (1300001)"
    changed = officer.post(f"/desk/tournaments/{made.event_id}/change", FILLED | {"reason": "Ill."})
    assert (changed.status_code, [*made.arbiters.all()]) == (302, [])
    shown = {one.field: (one.before, one.after) for one in shown_changes(steps().last().changes)}
    assert shown["chief_arbiter"] == ("Alder, Ada (1300001)", FILLED["chief_arbiter"])
    assert shown["deputy_ids"] == ("Birch, Ben (1300002)", NOTHING)


def test_a_fide_id_that_is_not_on_the_list_of_arbiters_is_refused_beside_its_field(officer: Client) -> None:
    make.player(fide_id=1_300_001, other_titles="")
    named = {"chief_arbiter": "1300001", "deputies": ["Birch, Ben"]}

    answer = officer.post(NEW, FILLED | named)

    message = "“{}” is not on the list of arbiters. Enter a FIDE ID from the list."
    assert errors_of(answer) == {
        "chief_arbiter": [message.format("1300001")],
        "deputies": [message.format("Birch, Ben")],
    }
    assert 'value="Birch, Ben"' in answer.content.decode()


@pytest.mark.parametrize(
    ("typed", "special", "deputies"),
    [({}, False, False), ({"is_hybrid": "on"}, True, False), ({"deputies": ["", "x"]}, False, True)],
)
def test_a_fold_is_open_where_it_has_something(
    officer: Client, typed: dict[str, object], special: bool, deputies: bool
) -> None:
    form = officer.post(NEW, FILLED | {"preview": "1"} | typed).context["form"]
    assert (form.has_special_case, form.has_deputies) == (special, deputies)
