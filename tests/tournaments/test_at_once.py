"""Two people at one tournament: one wins, the other is told, and the audit log has one entry."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, date, datetime
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from core.errors import RefusedError
from players import cases
from players.choices import CaseState, Deed
from players.invitations import invite
from tests import make
from tests.log import acts
from tests.tournaments.test_registration import OPEN
from tests.trf_files import PLAYERS, ROUNDS, Event
from tournaments import limits
from tournaments.appeals import AppealRequest, lodge_appeal
from tournaments.changed_meanwhile import seen_of
from tournaments.choices import Action
from tournaments.evidence import add_files
from tournaments.models import Appeal, Report, Tournament
from tournaments.objections import settle_objection
from tournaments.qc import decide
from tournaments.registration import register_all, register_tournament
from tournaments.registration_changes import change_registration
from tournaments.reports import accept_report, upload_report

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("several_writers")]


def both(*acts: Callable[[], object]) -> list[str]:
    """Do everything at once, each on its own connection, and return the codes of what was refused, sorted."""
    start = Barrier(len(acts))

    def one(act: Callable[[], object]) -> str:
        try:
            start.wait(timeout=30)
            act()
        except RefusedError as error:
            return error.refusals[0].code
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(len(acts)) as pool:
        return sorted(pool.map(one, acts))


def deciding(tournament: Tournament, action: Action, by: Any) -> Callable[[], object]:
    """Return a decision of somebody who has the tournament before their eyes as it stands now."""
    seen = Tournament.objects.get(pk=tournament.pk)
    return lambda: decide(seen, action, reason=f"To {action}.", by=by, at=AT)


@pytest.mark.parametrize(
    ("registration", "actions"),
    [
        pytest.param("waiting", (Action.ALLOW, Action.REFUSE), id="two chairs, allow and refuse"),
        pytest.param("waiting", (Action.ALLOW, Action.ALLOW), id="two chairs, both allow"),
        pytest.param("registered", (Action.REFUSE, Action.NOT_RATE), id="two chairs, refuse and not rate"),
        pytest.param("waiting", (Action.WITHDRAW, Action.ALLOW), id="officer withdraws, chair allows"),
        pytest.param("approved", (Action.WITHDRAW, Action.NOT_RATE), id="officer withdraws, chair refuses"),
    ],
)
def test_one_of_two_decisions_stands(registration: str, actions: tuple[Action, Action]) -> None:
    tournament = make.tournament(registration=registration, start=date(2026, 3, 14))
    people = [make.person("qc") for _ in actions]
    acts = [deciding(tournament, action, by) for action, by in zip(actions, people, strict=True)]

    won, lost = both(*acts)

    step = tournament.log_entries.get()
    tournament.refresh_from_db()
    assert (won, step.after) == ("", tournament.registration)
    assert lost == "wrong-state"


def test_one_of_two_members_of_council_decides() -> None:
    tournament = make.tournament(start=date(2026, 2, 20))
    make.play(tournament, [], [])
    tournament.refresh_from_db()
    decide(tournament, Action.NOT_RATE, reason="Two minutes.", by=None, at=AT)
    lodge_appeal(tournament, AppealRequest("facts", "It was 15+10.", "Club"), by=None, at=AT)
    members = [make.person("council") for _ in range(2)]

    def deciding_it(outcome: CaseState, by: Any) -> Callable[[], object]:
        seen = Appeal.objects.get()
        return lambda: cases.decide(seen, outcome, answer="The clocks.", by=by, at=AT)

    outcomes = (CaseState.APPROVED, CaseState.REFUSED)
    acts = [deciding_it(outcome, by) for outcome, by in zip(outcomes, members, strict=True)]

    assert both(*acts) == ["", ""]
    assert tournament.log_entries.filter(action__in=[Action.UPHOLD, Action.DISMISS]).count() == 1


def test_an_objection_is_answered_or_cancelled_and_settled_once() -> None:
    waiting = make.objection()
    officer = make.person("officer", waiting.tournament.federation)
    accepted = make.objection(tournament=waiting.tournament, state="approved", answer="Yes.")

    both(
        lambda: cases.decide(waiting, CaseState.REFUSED, answer="No.", by=officer, at=AT),
        lambda: cases.cancel(waiting, by=waiting.asked_by, at=AT),
        *[lambda: settle_objection(accepted, by=officer, at=AT)] * 3,
    )

    assert acts(action__in=(Deed.ANSWER, Deed.TAKE_BACK)).count() == 1
    assert acts(action=Deed.SETTLE).count() == 1


@pytest.fixture
def over() -> Tournament:
    swiss = make.federation(code="SUI")
    for fide_id, name in PLAYERS:
        make.player(fide_id=fide_id, name=name, federation=swiss)
    return make.tournament(event_id="SUI-OVER", federation=swiss, name="Open of Alphaville")


def uploading(tournament: Tournament, by: Any) -> Callable[[], Report]:
    content = Event(PLAYERS, ROUNDS, round_dates=["26/01/10"] * 3).content()
    return lambda: upload_report(
        tournament, content, file_name="over.trf", by=by, on=date(2026, 1, 20), at=AT
    )


def test_two_officers_upload_the_same_report_and_it_is_kept_once(over: Tournament) -> None:
    officers = [make.person("officer") for _ in range(2)]

    assert both(*(uploading(over, by) for by in officers)) == ["", ""]
    assert over.reports.count() == 1


def test_two_officers_accept_a_report_and_it_is_accepted_once(over: Tournament) -> None:
    report = uploading(over, None)()
    officers = [make.person("officer") for _ in range(2)]

    def accepting(by: Any) -> Callable[[], object]:
        seen = Report.objects.get(pk=report.pk)
        return lambda: accept_report(seen, acknowledgement="Compared.", by=by, on=date(2026, 1, 20), at=AT)

    assert both(*(accepting(by) for by in officers)) == ["", ""]
    games = report.games.filter(is_played=True).count()
    assert (over.log_entries.filter(action=Action.ACCEPT).count(), games) == (1, 3)


def test_d_129_the_same_games_accepted_at_once_for_two_events_come_once(over: Tournament) -> None:
    other = make.tournament(event_id="SUI-OTHER", federation=over.federation, name="Open of Alphaville")
    reports = [uploading(event, None)() for event in (over, other)]
    officer = make.person("officer", over.federation)

    def accepting(report: Report) -> Callable[[], object]:
        return lambda: accept_report(
            report, acknowledgement="Compared.", by=officer, on=date(2026, 1, 20), at=AT
        )

    won, lost = both(*map(accepting, reports))
    assert (won, Report.objects.filter(state="accepted").count()) == ("", 1)
    assert lost


def test_one_of_two_changes_stands_until_the_other_has_looked_again() -> None:
    registered = make.tournament(start=date(2026, 3, 14), city="Alphaville")
    by = make.person("staff")

    def changing(city: str) -> Callable[[], object]:
        held, seen = Tournament.objects.get(pk=registered.pk), seen_of(registered)
        wanted = replace(OPEN, start=held.start, end=held.end, city=city)
        return lambda: change_registration(
            held, wanted, reason="Moved.", by=by, on=AT.date(), at=AT, seen=seen
        )

    won, lost = both(changing("Betaville"), changing("Gammaville"))

    assert (won, lost) == ("", "changed-meanwhile")
    assert registered.log_entries.count() == 1


def test_the_limits_of_an_account_hold_for_what_it_does_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    swiss = make.federation(code="SUI")
    officer = make.person("officer", swiss)
    monkeypatch.setattr(limits, "MAX_OPEN_OF_ACCOUNT", 2)
    monkeypatch.setattr(limits, "MAX_BYTES_A_DAY", 10)

    def registering(number: int) -> Callable[[], object]:
        told = {"by": officer, "on": date(2026, 1, 5), "at": datetime(2026, 1, 5, tzinfo=UTC)}
        return lambda: register_tournament(replace(OPEN, name=f"Open {number}"), **told)

    def adding(tournament: Tournament) -> Callable[[], object]:
        return lambda: add_files(tournament, "report", [("a.pdf", b"%PDF-1")], by=officer, at=AT)

    def inviting(number: int) -> Callable[[], object]:
        told = {"role": "arbiter", "federation": swiss, "by": officer, "at": AT}
        return lambda: invite(f"x{number}@example.org", **told)

    registered = both(*map(registering, range(6)))
    added = both(*map(adding, [make.tournament(federation=swiss) for _ in range(6)]))
    invited = both(*map(inviting, range(24)))

    assert [texts.count("") for texts in (registered, added, invited)] == [2, 1, 20]


def test_the_limit_of_a_federation_holds_for_all_its_accounts_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of each federation as many as are taken; bulk registration for two of them in either order blocks nobody."""
    swiss, austria = (make.federation(code=code) for code in ("SUI", "AUT"))
    told = {"on": date(2026, 1, 5), "at": datetime(2026, 1, 5, tzinfo=UTC)}
    monkeypatch.setattr(limits, "MAX_OPEN_OF_FEDERATION", 4)

    def registering(number: int) -> Callable[[], object]:
        by = make.person("officer", swiss)
        return lambda: register_tournament(replace(OPEN, name=f"Open {number}"), by=by, **told)

    def in_bulk(*codes: str) -> Callable[[], object]:
        by = make.person("staff")
        rows = {
            line: replace(OPEN, name=f"Cup of {codes[0]}", federation_code=code)
            for line, code in enumerate(codes)
        }
        return lambda: register_all(rows, by=by, **told)

    both(in_bulk("SUI", "AUT"), in_bulk("AUT", "SUI"), *map(registering, range(8)))

    planned = [Tournament.objects.filter(federation=code).count() for code in (swiss, austria)]
    assert planned[0] == 4
    assert planned[1] <= 2
