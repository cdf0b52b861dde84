"""Changing a registration."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from django.test import Client

from players.models import Federation
from tests import make
from tests.codes import codes_of_answer
from tests.desk.tournaments.conftest import AS_IT_IS, CHANGE, as_shown
from tests.desk.tournaments.test_register import errors_of
from tests.log import steps
from tournaments.arbiter_fields import MAX_DEPUTIES
from tournaments.models import Tournament
from tournaments.portal_reasons import SENTENCES
from tournaments.schedule_field import MAX_ROWS


@pytest.mark.parametrize(
    ("before", "changes", "after"),
    [
        ("registered", {"start": "2026-03-07"}, "registered"),
        ("registered", {"start": "2026-03-06"}, "waiting"),
        ("approved", {"start": "2026-03-04"}, "waiting"),
        ("waiting", {"start": "2026-03-12"}, "registered"),
        ("approved", {"end": "2026-03-20"}, "approved"),
        ("waiting", {"chief_arbiter": "Arbiter, Bruno", "schedule": AS_IT_IS["schedule"]}, "waiting"),
        ("registered", {"is_hybrid": "on"}, "waiting"),
    ],
)
def test_changed_first_day_is_checked_for_three_days_again(
    officer: Client, registered: Tournament, before: str, changes: dict[str, str], after: str
) -> None:
    Tournament.objects.update(registration=before)

    answer = officer.post(CHANGE, as_shown(officer, **changes))

    assert (answer.status_code, Tournament.objects.get().registration) == (302, after)


def test_schedule_that_no_longer_fits_moves_with_the_first_day(
    officer: Client, registered: Tournament
) -> None:
    Tournament.objects.update(round_times=["10:00"] * 9)
    rows = "\n".join(f"{day} {hour}" for day, hour in zip(registered.schedule, ["10:00"] * 9, strict=True))
    moved = AS_IT_IS | {"start": "2026-04-11", "end": "2026-04-12", "schedule": rows}

    assert officer.post(CHANGE, moved).status_code == 302
    registered.refresh_from_db()
    assert registered.schedule == ["2026-04-11"] * 5 + ["2026-04-12"] * 4
    assert registered.round_times == ["10:00"] * 9


def test_rows_of_the_schedule_move_with_the_days_while_they_are_typed(
    officer: Client, registered: Tournament
) -> None:
    def typed(start: str, end: str, former: Any = None) -> Any:
        rows = {"schedule_day": ["2026-03-14", "2026-03-15"], "schedule_time": ["10:00", ""]}
        rows |= {"scheduled_for": "2026-03-14"}
        sent = {name: value for name, value in AS_IT_IS.items() if name != "schedule"} | rows
        if former:
            sent |= {name: former.data.getlist(name) for name in ("schedule_day", "schedule_time")}
            sent["scheduled_for"] = former.data["scheduled_for"]
        live = officer.post(CHANGE, sent | {"start": start, "end": end}, headers={"hx-request": "true"})
        form = live.context["form"]
        assert (b'id="id_schedule"' in live.content) == form.has_other_rows
        return form

    moved = typed("2026-03-07", "2026-03-15")
    longer = typed("2026-03-07", "2026-03-15", moved)
    back = typed("2026-03-14", "2026-03-08", moved)
    later = typed("2026-03-15", "2026-03-15")

    forms = (moved, longer, back, later)
    assert [form.has_other_rows for form in forms] == [True, False, True, True]
    assert [form.data["end"] for form in forms] == ["2026-03-08", "2026-03-15", "2026-03-15", "2026-03-16"]
    assert moved["schedule"].value() == [("2026-03-07", "10:00"), ("2026-03-08", "")]
    assert back["schedule"].value() == [("2026-03-14", "10:00"), ("2026-03-15", "")]
    assert later["schedule"].value() == [("2026-03-15", "10:00"), ("2026-03-16", "")]


def test_the_last_day_and_the_schedule_follow_the_first_day_while_it_is_typed(
    officer: Client, registered: Tournament
) -> None:
    def typed(**changes: str) -> Any:
        return officer.post(CHANGE, AS_IT_IS | changes, headers={"hx-request": "true"})

    later = typed(start="2026-03-21")
    form = later.context["form"]

    assert (form.data["end"], later.content.count(b'name="end"'), form.errors) == ("2026-03-22", 1, {})
    assert {day for day, _start in form["schedule"].value()} == {"2026-03-21", "2026-03-22"}
    for own in ({"end": "2026-03-13"}, {"start": "2026-03-16", "end": "2026-03-13"}):
        kept = typed(**own)
        assert (errors_of(kept).keys(), b'name="end"' in kept.content) == ({"end"}, False)
    assert errors_of(officer.post(CHANGE, AS_IT_IS | {"start": "2026-03-21"})).keys() == {"end"}


def test_schedule_does_not_move_past_the_last_day_there_is(officer: Client, registered: Tournament) -> None:
    last = AS_IT_IS | {"start": "9999-12-31", "end": "9999-12-31"}
    assert "schedule" in errors_of(officer.post(CHANGE, last))


def test_what_the_qc_decides_is_shown_before_it_is_asked(officer: Client, registered: Tournament) -> None:
    typed = AS_IT_IS | {"start": "2026-03-06"}

    looked = officer.post(CHANGE, AS_IT_IS | {"city": "Betaville", "reason": "", "preview": "1"}).context
    shown = officer.post(CHANGE, typed)
    without = officer.post(CHANGE, typed | {"reason": ""})
    live = officer.post(CHANGE, typed | {"reason": ""}, headers={"hx-request": "true"})
    other = officer.post(CHANGE, typed | {"start": "2026-03-05", "told": shown.context["check"].told})

    check = shown.context["check"]
    assert (looked["check"].waits, [one.after for one in looked["check"].made]) == (False, ["Betaville"])
    assert looked["form"].fields["reason"].required
    assert (check.waits, check.sentence) == (True, "Goes to the QC: 1 day late (article 0.2).")
    assert (check.plan.lapses, check.plan.is_final, looked["check"].plan.lapses) == (True, False, False)
    assert [(one.before, one.after) for one in check.made] == [("14 Mar 2026", "6 Mar 2026")]
    pages = (shown, without, live)
    assert without.context["check"].told == check.told != other.context["check"].told
    assert [page.content.count(b'name="told"') for page in pages] == [1, 1, 1]
    assert not steps().exists()
    sent = officer.post(CHANGE, typed | {"told": check.told}, follow=True).context
    assert [(one.before, one.after) for one in sent["waiting_changes"]] == [("14 Mar 2026", "6 Mar 2026")]
    assert sent["has_lapsed"]


def test_d_80_what_is_changed_at_once_is_told_from_what_the_qc_decides(
    officer: Client, registered: Tournament
) -> None:
    Tournament.objects.update(start=date(2026, 3, 3))
    begun = AS_IT_IS | {"start": "2026-03-03", "chief_arbiter": "Arbiter, Bruno", "time_control": "25+5"}

    check = officer.post(CHANGE, begun | {"preview": "1"}).context["check"]
    fields = [[one.field for one in changes] for changes in (check.made, check.requested)]
    assert fields == [["chief_arbiter"], ["time_control"]]
    sent = officer.post(CHANGE, begun | {"told": check.told}, follow=True).context
    assert [one.field for one in sent["waiting_changes"]] == ["time_control"]


def test_d_127_a_late_change_is_said_to_be_public(officer: Client, registered: Tournament) -> None:
    Tournament.objects.update(start=date(2026, 3, 6))
    late = AS_IT_IS | {"start": "2026-03-06", "city": "Betaville", "preview": "1"}

    plan = officer.post(CHANGE, late).context["check"].plan
    assert (plan.goes_to_the_qc, plan.is_shown_in_public) == (False, True)


def test_d_127_another_event_is_sent_to_the_qc_also_while_it_waits(
    officer: Client, registered: Tournament
) -> None:
    waiting = {"start": date(2026, 3, 6), "schedule": [], "registration": "waiting"}
    Tournament.objects.update(**waiting)
    other = AS_IT_IS | {"start": "2026-03-05", "preview": "1"}

    check = officer.post(CHANGE, other).context["check"]
    assert (check.plan.is_other, check.waits, check.level) == (True, True, "warning")
    assert (check.plan.lapses, check.plan.is_final) == (False, True)


def test_what_is_changed_and_changed_back_is_no_change(officer: Client, registered: Tournament) -> None:
    live = officer.post(CHANGE, AS_IT_IS, headers={"hx-request": "true"})
    assert (live.context["check"].plan, live.context["check"].level) == (None, "")


def test_a_reason_is_asked_of_who_changes_something(officer: Client, registered: Tournament) -> None:
    as_it_is = AS_IT_IS | {"reason": ""}
    typed = [as_it_is, as_it_is | {"city": "Betaville"}, as_it_is | {"end": "2026-03-13"}]
    checks = [officer.post(CHANGE, one, headers={"hx-request": "true"}).context["check"] for one in typed]

    assert [len(check.missing) for check in checks] == [0, 1, 1]
    sent = officer.post(CHANGE, as_it_is)
    assert (sent.status_code, errors_of(sent), steps().exists()) == (200, {}, False)


@pytest.mark.parametrize(
    "wrong",
    [
        {"end": "2026-03-13"},
        {"time_control": "3+2"},
        {"schedule": "x"},
        {"schedule": "2026-03-14 16"},
        {"chief_arbiter": "999999"},
        {"deputies": ["999999"]},
    ],
)
def test_what_is_valid_of_a_change_is_shown_beside_an_error(
    officer: Client, registered: Tournament, wrong: dict[str, Any]
) -> None:
    check = officer.post(CHANGE, AS_IT_IS | {"city": "Betaville"} | wrong).context["check"]

    assert (check.level, [one.field for one in check.made]) == ("error", ["city"])


def test_an_error_leaves_its_field_when_it_is_corrected(officer: Client, registered: Tournament) -> None:
    sent = officer.post(CHANGE, AS_IT_IS | {"end": "2026-03-13"})
    assert b'name="marked" value="end"' in sent.content

    live = officer.post(CHANGE, AS_IT_IS | {"marked": "end"}, headers={"hx-request": "true"})
    assert [(field.name, field.errors) for field in live.context["check"].marked] == [("end", [])]


def test_audit_log_has_values_before_and_after(officer: Client, registered: Tournament) -> None:
    officer.post(CHANGE, as_shown(officer, start="2026-03-06", city="Betaville"))

    entry = steps().get()
    assert (entry.action, entry.before, entry.after) == ("change", "registered", "waiting")
    assert entry.stated == SENTENCES.state("changed-late", words=AS_IT_IS["reason"]).items
    assert entry.changes == [
        {"field": "city", "before": "Alphaville", "after": "Betaville"},
        {"field": "start", "before": "2026-03-14", "after": "2026-03-06"},
    ]


def test_values_before_and_after_are_on_pages_and_in_exports(officer: Client, registered: Tournament) -> None:
    officer.post(CHANGE, AS_IT_IS | {"city": "Betaville", "schedule": "2026-03-14 5"})

    auditor = make.browser("auditor")
    rows = auditor.get("/desk/trail/?kind=tournament").context["page"].rows
    (row,) = rows
    city, days = str(row.before).split(" · ")
    assert (
        city.endswith(": Alphaville"),
        days.endswith(": 14 Mar 2026 (rounds 1–5), 15 Mar 2026 (rounds 6–9)"),
    ) == (
        True,
        True,
    )
    city, days = str(row.after).split(" · ")
    assert (city.endswith(": Betaville"), days.endswith(": 14 Mar 2026 (rounds 1–5)")) == (True, True)
    line = json.loads(b"".join(auditor.get("/desk/trail.ndjson?kind=tournament").streaming_content))
    assert line["changes"][0] == {"field": "city", "before": "Alphaville", "after": "Betaville"}
    assert "City: Alphaville → Betaville" in officer.get("/desk/tournaments/SUI-1/").content.decode()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"city": "Betaville", "reason": " "}, "reason"),
        ({"end": "2026-03-13"}, "end"),
        ({"time_control": "3+2"}, "time_control"),
        ({"schedule": "2026-03-14 16"}, "schedule"),
        ({"schedule": ""}, "schedule"),
        ({"rounds": "12"}, "rounds"),
        ({"start": ""}, "start"),
        ({"name": ""}, "name"),
    ],
)
def test_a_change_against_the_rules_is_refused_beside_its_field(
    officer: Client, registered: Tournament, changes: dict[str, str], field: str
) -> None:
    answer = officer.post(CHANGE, AS_IT_IS | changes)
    live = officer.post(CHANGE, AS_IT_IS | changes, headers={"hx-request": "true"})

    assert list(errors_of(answer)) == [field]
    assert list(errors_of(live)) == ([] if field == "reason" else [field])
    assert not steps().exists()


@pytest.mark.parametrize(
    "state",
    [
        {"registration": "refused"},
        {"registration": "withdrawn"},
        {"stage": "reported"},
        {"stage": "published"},
    ],
)
def test_closed_or_reported_tournament_cannot_be_changed(
    officer: Client, registered: Tournament, state: dict[str, str]
) -> None:
    Tournament.objects.update(**state)

    answer = officer.post(CHANGE, AS_IT_IS)

    assert list(errors_of(answer)) == ["__all__"]
    assert officer.get(CHANGE).context["is_possible"] is False


def test_event_id_federation_and_official_status_cannot_change(
    officer: Client, registered: Tournament
) -> None:
    officer.post(CHANGE, AS_IT_IS | {"name": "Autumn Rapid", "federation": "AUT", "is_official": "on"})

    changed = Tournament.objects.get()
    assert (changed.event_id, changed.federation_id, changed.is_official, changed.name) == (
        "SUI-1",
        "SUI",
        False,
        "Autumn Rapid",
    )


def test_form_starts_with_the_registration(officer: Client, registered: Tournament) -> None:
    form: Any = officer.get(CHANGE).context["form"]

    assert form.initial["schedule"] == [("2026-03-14", "")] * 5 + [("2026-03-15", "")] * 4
    assert (form.initial["time_control"], form.initial["start"]) == ("15+10", date(2026, 3, 14))


def test_next_edition_starts_on_the_same_weekday(officer: Client, registered: Tournament) -> None:
    form: Any = officer.get("/desk/tournaments/new", {"like": "SUI-1"}).context["form"]

    assert form.initial["name"] == "Spring Rapid"
    assert (form.initial["start"], form.initial["start"].weekday()) == (date(2027, 3, 13), 5)
    assert form.initial["schedule"] == [("2027-03-13", "")] * 5 + [("2027-03-14", "")] * 4


def test_tournament_of_another_federation_is_no_template(officer: Client, austrian: Federation) -> None:
    make.tournament(event_id="AUT-1", federation=austrian)

    form: Any = officer.get("/desk/tournaments/new", {"like": "AUT-1"}).context["form"]

    assert form.initial == {"is_stated_rated": True}


def test_concurrent_changes_do_not_overwrite_each_other(officer: Client, registered: Tournament) -> None:
    deputy = make.browser("deputy")
    typed = {"seen": officer.get(CHANGE).context["form"]["seen"].value()}
    deputy.post(CHANGE, AS_IT_IS | typed | {"city": "Betaville"})

    refused = officer.post(CHANGE, AS_IT_IS | typed | {"chief_arbiter": "Arbiter, Bruno"})
    kept = Tournament.objects.values_list("city", "chief_arbiter").get()
    form = refused.context["form"]
    again = officer.post(CHANGE, form.data.dict() | {"city": "Betaville"})

    assert codes_of_answer(refused) == {"__all__": ["changed-meanwhile"]}
    assert kept == ("Betaville", "Arbiter, Anna")
    assert (again.status_code, steps().count()) == (302, 2)
    assert Tournament.objects.values_list("city", "chief_arbiter").get() == ("Betaville", "Arbiter, Bruno")


@pytest.mark.parametrize("seen", ["", "x", "-1", "99999999999999999999", "\x00"])
def test_a_forged_step_changes_nothing(officer: Client, registered: Tournament, seen: str) -> None:
    officer.post(CHANGE, AS_IT_IS | {"city": "Betaville"})

    answer = officer.post(CHANGE, AS_IT_IS | {"city": "Gammaville", "seen": seen})

    assert (answer.status_code, Tournament.objects.get().city) == (200, "Betaville")


def test_rows_that_a_button_adds_are_limited(officer: Client, registered: Tournament) -> None:
    typed = AS_IT_IS | {"deputies": ["1"] * 900, "schedule": "2026-03-14 99\n" * 20_000, "add_rows": "1"}

    form = officer.post(CHANGE, typed).context["form"]

    assert len(form["deputies"].value()) == MAX_DEPUTIES + 1
    assert str(form["schedule"]).count('name="schedule_day"') == MAX_ROWS


def test_rows_are_added_to_the_schedule_without_changing_the_registration(
    officer: Client, swiss: Federation
) -> None:
    make.tournament(event_id="SUI-ROWS", federation=swiss, start=date(2026, 3, 14), schedule=["2026-03-14"])
    typed = {name: value for name, value in AS_IT_IS.items() if name != "schedule"}
    table = {"schedule_day": ["2026-03-14"], "schedule_time": ["10:00"], "add_rows": "1", "reason": "More."}

    form = officer.post("/desk/tournaments/SUI-ROWS/change", typed | table).context["form"]

    assert form["schedule"].subwidgets[0].data["rows"] == [("2026-03-14", "10:00")] + [("", "")] * 5
    assert form["reason"].value() == "More."
    assert Tournament.objects.get(event_id="SUI-ROWS").schedule == ["2026-03-14"]
