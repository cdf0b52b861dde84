from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Federation
from ratings.due_runs import name_of
from ratings.models import Run
from ratings.verifications import NIGHTLY
from tests import make
from tests.desk.conftest import NOW, TODAY, report_of, seen
from tests.growth import find_growing, pages_of
from tournaments.models import Flags, InformationRequest, Report, RequestedChange, Tournament

STANDS = [
    ("waiting", "2026-03-20"),
    ("registered", "2026-02-10"),
    ("registered", "2026-03-25"),
    ("refused", "2026-03-01"),
]


def test_due_reports_are_sorted_by_days_left(officer: Client, played: Tournament, swiss: Federation) -> None:
    make.rating_list(kind="rapid", date=date(2026, 3, 1))
    make.tournament(event_id="SUI-OLDER", federation=swiss, start=date(2026, 1, 20))
    make.tournament(event_id="SUI-COMING", federation=swiss, start=date(2026, 3, 20))
    make.tournament(event_id="SUI-MISSED", federation=swiss, start=date(2025, 11, 20))

    page = officer.get("/desk/")
    desk = page.context["desk"]

    link = 'href="/desk/tournaments/?state=registered"'
    council = make.browser("council").get("/desk/")
    assert [link in one.content.decode() for one in (page, council)] == [True, False]
    assert [
        (row.tournament.event_id, row.progress.days.due_list, row.progress.days.last_day)
        for row in desk.reports_due
    ] == [
        ("SUI-OLDER", date(2026, 2, 1), date(2026, 4, 1)),
        ("SUI-PLAYED", date(2026, 4, 1), date(2026, 6, 1)),
    ]
    assert [row.event_id for row in desk.coming] == ["SUI-COMING"]
    assert [row.event_id for row in desk.missed] == ["SUI-MISSED"]
    assert desk.counts == [("registered", 4)]


def test_tasks_are_one_table_by_deadline_with_one_action_each(
    officer: Client, played: Tournament, swiss: Federation
) -> None:
    make.rating_list(kind="rapid", date=date(2026, 3, 1))
    make.tournament(event_id="SUI-OLDER", name="Older Open", federation=swiss, start=date(2026, 1, 20))
    # Withdrawn after publication: it is rated no more.
    closed = {"registration": "not-rated", "stage": "published", "start": date(2026, 1, 20)}
    make.tournament(event_id="SUI-BACK", federation=swiss, **closed)

    page = officer.get("/desk/")
    desk = page.context["desk"]

    assert (dict(desk.counts)["taken-back"], desk.figures.rated) == (1, 0)
    assert [(task.about, str(task.page), task.what, task.action) for task in desk.tasks] == [
        ("Older Open", "/desk/tournaments/SUI-OLDER/report", "Upload report", "Upload"),
        (played.name, "/desk/tournaments/SUI-PLAYED/report", "Upload report", "Upload"),
    ]
    assert {task.list_date for task in desk.tasks} == {date(2026, 4, 1)}
    # Both have the deadline of the coming list; the older one missed another.
    assert ([len(task.facts) for task in desk.tasks], page.context["overdue"]) == ([1, 0], 0)
    assert [task.deadline for task in desk.tasks] == sorted(task.deadline for task in desk.tasks)
    figures = desk.figures
    assert (figures.year, figures.registered, figures.reported, figures.rated) == (2026, 3, 1, 0)
    assert [day for _label, day in page.context["coming"]["days"]] == [
        date(2026, 3, 29),
        date(2026, 3, 31),
        date(2026, 4, 1),
    ]


def test_report_with_errors_shows_its_next_step(officer: Client, played: Tournament) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    wrong = report_of(start="2026/01/10", end="2026/01/11", round_dates=["26/01/10"] * 3)
    wrong = wrong.replace(b" b 0", b" b 1", 1)
    officer.post("/desk/tournaments/SUI-PLAYED/report", {"report": SimpleUploadedFile("a.trf", wrong)})

    desk = officer.get("/desk/").context["desk"]
    row = desk.reports_due[0]
    page = officer.get("/desk/tournaments/SUI-PLAYED/")
    checked = officer.get("/desk/tournaments/SUI-PLAYED/reports/1/")

    assert row.report == Report.objects.get()
    assert page.context["step"].code == "correct"
    # Lines with one problem count once, on the dashboard as in the check results.
    found = [finding["severity"] for finding in row.report.findings].count("error")
    errors = checked.context["marked"].open_counts["error"]
    assert found > errors > 1
    assert [one.counts["error"] for one in page.context["reports"]] == [errors]
    assert desk.tasks[0].what == f"Correct {errors} errors"
    assert f"Accept report: solve {errors} issues first" in " ".join(checked.content.decode().split())


def test_dashboard_shows_a_refusal_with_its_reason(officer: Client, chair: Client, swiss: Federation) -> None:
    make.tournament(
        event_id="SUI-LATE",
        federation=swiss,
        start=date(2026, 3, 5),
        registration="waiting",
        name="Late Rapid",
    )

    reason = "Four days are missing."
    chair.post("/desk/qc/SUI-LATE/", {"decision": "refuse", "reason": reason} | seen("SUI-LATE"))
    page = officer.get("/desk/")

    assert [row.reason for row in page.context["desk"].decisions] == [reason]
    assert list(page.context["desk"].refused) == []
    assert reason in officer.get("/desk/tournaments/SUI-LATE/").content.decode()


@pytest.mark.slow
def test_pages_make_no_more_queries_with_many_rows(swiss: Federation) -> None:
    def fill(rows: int) -> None:
        for number in range(rows):
            for registration, start in STANDS:
                make.tournament(
                    event_id=f"SUI-{registration}-{start}-{number}",
                    federation=swiss,
                    registration=registration,
                    start=date.fromisoformat(start),
                )

    shown = {"officer": "/desk/", "staff": "/desk/tournaments/", "qc": "/desk/cases/"}
    pages = [page for role, path in shown.items() for page in pages_of(make.browser(role), path)]
    # One more than elsewhere: the page of requests has the last decisions of the QC.
    assert find_growing(fill, pages, most=13) == {}


@pytest.mark.parametrize(
    ("role", "places"),
    [
        ("officer", ["players/new", "cases/", "people/", "tokens/"]),
        ("deputy", ["players/new", "cases/", "tokens/"]),
        ("staff", ["cases/", "people/", "tokens/"]),
        ("qc", ["cases/"]),
        ("arbiter", ["cases/"]),
    ],
)
def test_dashboard_links_to_players_and_people(role: str, places: list[str], db: None) -> None:
    page = make.browser(role).get("/desk/").content.decode()
    offered = ["players/new", "cases/", "people/", "tokens/"]
    assert [place for place in offered if f'href="/desk/{place}"' in page] == places


def test_chart_of_the_month_has_the_tournaments_before_the_next_list(
    officer: Client, swiss: Federation
) -> None:
    for name, start, more in [
        ("Rated Rapid", 2, {"stage": "rated"}),
        ("Owed Rapid", 3, {}),
        ("Late Rapid", 6, {"registration": "waiting"}),
        ("Coming Rapid", 20, {}),
        ("Refused Rapid", 21, {"registration": "refused"}),
    ]:
        day = date(2026, 3, start)
        make.tournament(event_id=name, name=name, federation=swiss, start=day, end=day, **more)
    make.tournament(event_id="NEXT", name="Next Rapid", federation=swiss, start=date(2026, 4, 2))

    desk = officer.get("/desk/").context["desk"]

    assert [(row.name, state) for row, state in desk.month] == [
        ("Rated Rapid", "rated"),
        ("Owed Rapid", "due"),
        ("Late Rapid", "waiting"),
        ("Coming Rapid", "planned"),
    ]


def test_another_month_is_shown_with_its_deadlines_and_tournaments(
    officer: Client, swiss: Federation
) -> None:
    for number in range(30):
        day = date(2026, 3, 20)
        make.tournament(event_id=f"SUI-{number}", federation=swiss, start=day, end=day)
    for month in (2, 4):
        day = date(2026, month, 2)
        make.tournament(event_id=f"SUI-OF-{month}", federation=swiss, start=day, end=day)

    shown = officer.get("/desk/?month=2026-04")

    assert [row.event_id for row, _state in shown.context["desk"].month] == ["SUI-OF-4"]
    assert len(shown.context["desk"].coming) == 25
    assert [day for _label, day in shown.context["coming"]["days"]] == [
        date(2026, 4, 28),
        date(2026, 4, 30),
        date(2026, 5, 1),
    ]
    page = shown.content.decode()
    assert [f'href="?month={month}"' in page for month in ("2026-03", "2026-05")] == [True, True]
    assert [officer.get(f"/desk/?month={text}").status_code for text in ("2026-13", "x")] == [404, 404]


def test_deadlines_of_an_earlier_month_are_not_overdue(officer: Client, played: Tournament) -> None:
    earlier = officer.get("/desk/?month=2026-01").content.decode()
    coming = officer.get("/desk/").content.decode()

    heads = [
        page.partition('class="sheet parts coming"')[2].partition("</section>")[0]
        for page in (earlier, coming)
    ]
    assert ["overdue" in head for head in heads] == [False, False]
    assert [head.count("left</span>") for head in heads] == [0, 3]


@pytest.mark.parametrize(("on", "is_due"), [(date(2026, 3, 1), False), (date(2026, 2, 1), True)])
def test_staff_see_what_the_next_publication_waits_for(played: Tournament, on: date, is_due: bool) -> None:
    for kind in ("rapid", "blitz"):
        make.rating_list(kind=kind, date=on)
    make.tournament(event_id="SUI-COMING", start=TODAY + timedelta(days=9))
    staff = make.browser("staff")
    page, missing = staff.get("/desk/"), staff.get("/desk/tournaments/?state=missing").context["page"].rows

    check, html = page.context["check"], page.content.decode()
    assert [row.event_id for row in missing] == ([] if is_due else ["SUI-PLAYED"])
    assert (check.month, check.is_due, check.missing, check.has_standard) == (
        date(2026, 3, 1) if is_due else date(2026, 4, 1),
        is_due,
        0 if is_due else 1,
        False,
    )
    shown = ("missing", "unrated", "held", "standard", "requested", "corrections", "rapid", "blitz")
    assert [f'data-check="{name}"' in html for name in shown] == [True] * 8
    assert ('class="button primary" href="/admin/ratings/ratinglist/publish/"' in html) == is_due
    assert "check" not in make.browser("officer").get("/desk/").context


def test_tasks_of_one_sort_are_shown_alone(officer: Client, played: Tournament, swiss: Federation) -> None:
    coming = make.tournament(
        event_id="SUI-NOT", name="Coming Open", federation=swiss, start=date(2026, 3, 20)
    )
    for tournament in (played, coming):
        InformationRequest.objects.create(
            tournament=tournament, reason="Who?", due_on=date(2026, 3, 9), asked_at=timezone.now()
        )

    everything = officer.get("/desk/").context
    replies = officer.get("/desk/?tasks=replies").context
    unknown = officer.get("/desk/?tasks=x").context

    assert [(name, number) for name, _label, number in everything["task_sorts"]] == [
        ("reports", 1),
        ("replies", 2),
    ]
    assert {task.code for task in replies["tasks"]} == {"information"}
    assert [len(shown["tasks"]) for shown in (everything, replies, unknown)] == [3, 2, 3]


def test_flags_never_hide_what_is_to_be_decided(
    chair: Client, played: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desk.work.MAX_WAITING", 1)
    flagged = make.tournament(event_id="SUI-FLAGS", stage="rated", end=TODAY)
    Flags.objects.create(tournament=flagged, reason="x", asked_at=NOW - timedelta(days=3))
    RequestedChange.objects.create(tournament=played, sort="withdrawal", reason="x", asked_at=NOW)

    assert [case.code for case in chair.get("/desk/").context["cases"]] == ["withdrawal"]


def test_an_auditor_reads_first_whether_all_is_verified(db: None) -> None:
    lists = [make.rating_list(date=date(2026, month, 1), origin="published") for month in (1, 2)]
    subjects = [("verify", name_of(one)) for one in lists] + [(work, work) for work in NIGHTLY]
    auditor, found = make.browser("auditor"), []
    for work, subject in subjects:
        shown = auditor.get("/desk/").context["proof"]
        found.append((shown["verified"], shown["is_whole"], shown["lists"][0][0]))
        Run.objects.create(work=work, subject=subject, state="done", created_at=NOW, finished_at=NOW)

    shown = auditor.get("/desk/").context["proof"]
    assert found[:2] == [(0, False, lists[1]), (1, False, lists[1])]
    assert [one[:2] for one in found[2:]] == [(2, False)] * 3
    assert (shown["number"], shown["verified"], shown["is_whole"], shown["failed"]) == (2, 2, True, [])
