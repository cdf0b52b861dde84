"""A wrong result corrected on the crosstable, by clicks: before acceptance, after it, and after publication."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from html import unescape
from typing import Any

import pytest
from django.test import Client

from players.models import Claim, Federation, Notice
from ratings.models import Correction, CorrectionLine
from tests.codes import codes_of_messages
from tests.desk.conftest import NOW, PLAYERS, ROUNDS, TODAY
from tests.factories import (
    AppointmentFactory,
    FederationFactory,
    ListEntryFactory,
    PlayerFactory,
    RatingListFactory,
    TournamentFactory,
    UserFactory,
    noon,
    publish,
)
from tests.shared import SharedRows
from tests.trf_files import Event
from tournaments.models import (
    Game,
    HandedReport,
    NamedArbiter,
    Objection,
    Report,
    ResultCorrection,
    Tournament,
)
from tournaments.services.handover import keep_checked
from tournaments.services.reports import Upload, accept_report, upload_report

MOST_CLICKS = 5
RESULTS = "/desk/tournaments/SUI-PLAYED/results/"
LISTED = [(1_400_001, "Dorn, Dora"), (1_400_002, "Elm, Emil"), (1_400_003, "Fir, Fred")]
HREF = re.compile(r'href="([^"]*)"')


class Reader:
    """Somebody who only follows links and presses buttons that a page shows, counted."""

    def __init__(self, client: Client, page: str) -> None:
        self.client, self.clicks = client, 0
        self.address = page
        self.answer = client.get(page)
        assert self.answer.status_code == 200

    @property
    def html(self) -> str:
        return str(self.answer.content.decode())

    def follow(self, address: str) -> None:
        """Click the link to an address; relative ones begin with `?`."""
        links = [unescape(link) for link in HREF.findall(self.html)]
        assert address in [link.partition("#")[0] for link in links], (address, links)
        base = self.address.partition("?")[0]
        self._open(base + address if address.startswith("?") else address)

    def press(self, name: str, value: str, **typed: str) -> None:
        """Press a button of the page's form, with what is typed and the fields that it hides."""
        assert f'name="{name}" value="{value}"' in self.html
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', self.html))
        self.clicks += 1
        self.answer = self.client.post(self.address, {**hidden, **typed, name: value}, follow=True)
        if self.answer.redirect_chain:
            self.address = self.answer.redirect_chain[-1][0]

    def _open(self, address: str) -> None:
        self.clicks += 1
        self.address = address
        self.answer = self.client.get(address)
        assert self.answer.status_code == 200


@pytest.fixture
def checked(played: Tournament, report_of: Callable[..., bytes]) -> Report:
    return upload_report(played, report_of(), file_name="open.trf", by=None, on=TODAY, at=NOW)


@pytest.fixture
def accepted(checked: Report) -> Report:
    return accept_report(checked, acknowledgement="Checked.", by=None, on=TODAY, at=NOW)


@pytest.fixture(scope="module")
def february(rows_of_module: SharedRows) -> None:
    """Publish the list of February 2026 with one tournament."""
    with rows_of_module():
        federation = FederationFactory(code="SUI", name="Switzerland")
        first = RatingListFactory(kind="rapid", date=date(2026, 1, 1))
        for (fide_id, name), rating in zip(LISTED, (2000, 1900, 1800), strict=True):
            player = PlayerFactory(fide_id=fide_id, name=name, federation=federation)
            ListEntryFactory(rating_list=first, player=player, rating=rating)
        tournament = TournamentFactory(event_id="SUI-1", name="Open", federation=federation)
        day = date(2026, 1, 12)
        days = {"start": "2026/01/10", "end": "2026/01/11", "round_dates": ["26/01/10"] * 3}
        content = Event(LISTED, ROUNDS, **days).content()  # type: ignore[arg-type]
        report = upload_report(tournament, content, file_name="a.trf", by=None, on=day, at=noon(day))
        accept_report(report, acknowledgement="Checked.", by=None, on=day, at=noon(day))
        publish("rapid", date(2026, 2, 1))


@pytest.fixture
def published(february: None, db: None) -> Tournament:
    return Tournament.objects.get(event_id="SUI-1")


def test_before_acceptance_a_result_is_a_new_version(officer: Client, checked: Report) -> None:
    reader = Reader(officer, "/desk/")
    reader.follow("/desk/tournaments/SUI-PLAYED/reports/1/")
    reader.follow(RESULTS)
    reader.follow("?game=1-1")
    reader.press("look", "0-1")
    effect = reader.answer.context["game"].effect
    reader.press("correct", "1", reason="The slip says so.")

    made = Report.objects.get(version=2)
    step = made.tournament.audit_entries.latest("pk")
    assert reader.clicks <= MOST_CLICKS
    assert (reader.address, made.state) == ("/desk/tournaments/SUI-PLAYED/reports/2/", "checked")
    assert (made.corrected_from, step.reason) == (checked, "The slip says so.")
    assert list(effect.points) == [(4, 1), (2, 3)]


def test_after_acceptance_the_effect_is_shown_and_a_version_accepted(
    officer: Client, accepted: Report
) -> None:
    reader = Reader(officer, "/desk/tournaments/SUI-PLAYED/")
    reader.follow(RESULTS)
    reader.follow("?game=1-1")
    reader.press("look", "1/2-1/2")
    shown = reader.answer.context["game"].effect
    versions = Report.objects.count()
    reader.press("correct", "1", reason="Signed as a draw.")

    game = Game.objects.get(report__state="accepted", round=1, white=1)
    assert (reader.clicks, versions) == (4, 1)
    assert [side.name for side in shown.sides] == [PLAYERS[0][1], PLAYERS[1][1]]
    assert (game.report.version, game.white_code, game.report.acknowledgement) == (
        2,
        "=",
        "Checked.\nSigned as a draw.",
    )
    assert ResultCorrection.objects.values_list("state", "result_before", "verdict").get() == (
        "made",
        "1-0",
        "1/2-1/2",
    )


def test_d_11_after_publication_staff_decide_what_the_officer_requests(
    signed_in: Callable[[str], Client], published: Tournament
) -> None:
    officer, staff = signed_in("officer"), signed_in("staff")
    reader = Reader(officer, "/desk/tournaments/SUI-1/")
    before = reader.answer.context["step"].task
    reader.follow("/desk/tournaments/SUI-1/results/")
    reader.follow("?game=1-1")
    reader.press("look", "0-1")
    effect = reader.answer.context["game"].effect
    reader.press("correct", "1", reason="Both players confirm it.")
    waiting = officer.get("/desk/tournaments/SUI-1/").context["step"]
    made = Correction.objects.count()
    asked = ResultCorrection.objects.get()
    decider = Reader(staff, "/desk/")
    decider.follow(f"/desk/corrections/{asked.pk}/")
    shown = decider.answer.context["effect"]
    decider.clicks += 1
    hidden = {"seen": decider.answer.context["form"]["seen"].value()}
    decided = {"decision": "grant", "reason": "Confirmed.", **hidden}
    staff.post(f"/desk/corrections/{asked.pk}/", decided)
    again = staff.post(f"/desk/corrections/{asked.pk}/", decided)

    asked.refresh_from_db()
    lines = CorrectionLine.objects.order_by("pk").values_list("player", "difference_hundredths")
    assert (reader.clicks, decider.clicks, made) == (4, 2, 0)
    assert (waiting.code, waiting.owner, waiting.task != before) == ("published", "staff", True)
    assert shown == effect
    assert [side.adjustment for side in effect.sides] == [difference for _player, difference in lines]
    assert (asked.state, asked.decision_reason, again.status_code) == ("made", "Confirmed.", 200)
    assert (Report.objects.get(state="accepted").version, Correction.objects.count()) == (2, 1)
    assert officer.get("/desk/tournaments/SUI-1/").context["step"].task == before


def test_refused_request_changes_nothing(signed_in: Callable[[str], Client], published: Tournament) -> None:
    officer, staff = signed_in("officer"), signed_in("staff")
    address = "/desk/tournaments/SUI-1/results/?game=1-1"
    officer.post(address, {"verdict": "0-1", "correct": "1", "reason": "Wrong."})
    asked = ResultCorrection.objects.get()
    page = f"/desk/corrections/{asked.pk}/"
    twice = officer.post(address, {"verdict": "0-1", "correct": "1", "reason": "Wrong."})
    foreign = signed_in("officer AUT").get(page).status_code
    own = officer.post(page, {"decision": "grant", "reason": "Me."})

    staff.post(page, {"decision": "refuse", "reason": "The slip says 1-0.", "seen": seen(published)})

    asked.refresh_from_db()
    assert (asked.state, Correction.objects.count()) == ("refused", 0)
    assert (twice.context["game"].form.errors.as_data()["__all__"][0].code, foreign) == (
        "correction-waits",
        404,
    )
    assert own.status_code == 403
    assert published.audit_entries.latest("pk").action == "deny-fix"


def seen(tournament: Tournament) -> str:
    return str(tournament.audit_entries.latest("pk").pk)


def test_only_staff_correct_a_published_result_at_once(
    signed_in: Callable[[str], Client], published: Tournament
) -> None:
    form = {"verdict": "-/-", "correct": "1", "reason": "Not played.", "seen": seen(published)}

    answer = signed_in("staff").post("/desk/tournaments/SUI-1/results/?game=1-1", form)

    game = Game.objects.get(report__state="accepted", round=1, white=1)
    assert (answer.status_code, game.white_code, game.black_code, game.is_played) == (302, "-", "-", False)
    assert Correction.objects.get().reason == "Not played."


@pytest.mark.parametrize(
    ("typed", "codes"),
    [
        ({"verdict": "colours"}, ("2", "1")),
        ({"look": "white-player", "verdict": "white-player", "player": "1300009"}, ("1", "2")),
        ({"verdict": "swap-black", "other": "3"}, ("1", "3")),
    ],
    ids=["colours", "player", "opponent"],
)
def test_other_mistakes_are_corrected_in_the_same_editor(
    officer: Client, accepted: Report, swiss: Federation, typed: dict[str, str], codes: tuple[str, str]
) -> None:
    PlayerFactory(fide_id=1_300_009, name="Alder, Anna", federation=swiss)
    form = {"correct": "1", "reason": "Wrong.", **typed}

    answer = officer.post(f"{RESULTS}?game=1-1", form)

    report = accepted.tournament.reports.get(state="accepted")
    game = Game.objects.filter(report=report, round=1).exclude(black=None).get()
    players = dict(report.participants.values_list("number", "player"))
    assert (answer.status_code, codes_of_messages(answer)) == (302, ["result-accept"])
    assert (str(game.white), str(game.black)) == codes
    assert players[1] == (1_300_009 if "player" in typed else 1_300_001)


def test_accepted_objection_is_a_task_until_the_result_is_corrected(
    officer: Client, accepted: Report, signed_in: Callable[[str], Client]
) -> None:
    made = Objection.objects.create(
        tournament=accepted.tournament,
        player_id=PLAYERS[0][0],
        user=AppointmentFactory(role="arbiter").user,
        round=1,
        statement="I drew.",
        raised_at=NOW,
        due_on=TODAY,
    )
    page = "/desk/tournaments/SUI-PLAYED/objections/"
    reply = {f"{made.pk}-decision": "agree", f"{made.pk}-answer": "Yes."}

    answer = officer.post(f"{page}{made.pk}/answer", reply)
    owed = [need.code for need in officer.get("/desk/").context["desk"].work]
    shown = officer.get(page).context["owed"]
    officer.post(answer["Location"], {"verdict": "1/2-1/2", "correct": "1", "reason": "He drew."})

    made.refresh_from_db()
    after = [need.code for need in officer.get("/desk/").context["desk"].work]
    assert answer["Location"] == f"{RESULTS}?game=1-1"
    assert ("owed" in owed, "owed" in after, made.settled_at) == (True, False, NOW)
    assert [one for one, _editor in shown] == [made]


def test_objection_settled_by_a_file_is_no_task(officer: Client, accepted: Report) -> None:
    made = Objection.objects.create(
        tournament=accepted.tournament,
        player_id=PLAYERS[0][0],
        user=AppointmentFactory(role="arbiter").user,
        statement="All wrong.",
        raised_at=NOW,
        due_on=TODAY,
        state="agreed",
        answer="Yes.",
        answered_at=NOW,
    )

    officer.post(f"/desk/tournaments/SUI-PLAYED/objections/{made.pk}/settle")

    made.refresh_from_db()
    assert made.settled_at == NOW


def claimed(fide_id: int) -> Claim:
    """Confirm a record of a player for an account."""
    return Claim.objects.create(
        user=UserFactory(), player_id=fide_id, state="confirmed", reason="Me.", asked_at=NOW, decided_at=NOW
    )


def told(claim: Claim) -> list[str]:
    """Return the keys of the emails about corrections that an account gets, without the numbers."""
    keys = Notice.objects.filter(user=claim.user, kind="claim").order_by("pk").values_list("key", flat=True)
    return [re.sub(r":\d+:", ":", key) for key in keys if key.startswith("corrected")]


def test_players_of_a_corrected_game_are_told_when_it_is_decided(
    signed_in: Callable[[str], Client], published: Tournament
) -> None:
    officer, staff = signed_in("officer"), signed_in("staff")
    one, opponent, third = (claimed(fide_id) for fide_id, _name in LISTED)
    Objection.objects.create(
        tournament=published,
        player_id=one.player_id,
        user=one.user,
        round=1,
        statement="I lost.",
        raised_at=NOW,
        due_on=TODAY,
        state="agreed",
        answer="Yes.",
        answered_at=NOW,
    )
    form = {"verdict": "0-1", "correct": "1", "reason": "Slip."}

    def decide(decision: str) -> None:
        asked = ResultCorrection.objects.get(state="waiting")
        hidden = {"seen": seen(published)}
        staff.post(f"/desk/corrections/{asked.pk}/", {"decision": decision, "reason": "Seen.", **hidden})

    officer.post("/desk/tournaments/SUI-1/results/?game=1-1", form)
    before = told(one)
    decide("refuse")
    refused = told(one), told(opponent)
    officer.post("/desk/tournaments/SUI-1/results/?game=1-1", form)
    decide("grant")

    assert (before, refused) == ([], (["corrected:refused"], []))
    assert told(one) == ["corrected:refused", "corrected:made"]
    assert (told(opponent), told(third)) == (["corrected:made"], [])


def test_claim_leads_into_the_results_of_the_player(officer: Client, accepted: Report) -> None:
    claim = claimed(PLAYERS[0][0])

    answer = officer.get(f"/desk/players/claims/{claim.pk}/decide")

    assert answer.context["results"] == [accepted.tournament]
    assert f'href="{RESULTS}?q=Alder%2C%20Ada"' in answer.content.decode()


def test_chief_arbiter_corrects_the_own_file_and_requests_later(
    arbiter: Client, holder: Any, played: Tournament, report_of: Callable[..., bytes], officer: Client
) -> None:
    keep_checked(played, Upload(report_of(), "open.trf", holder.user, TODAY, NOW))
    form = {"verdict": "0-1", "correct": "1", "reason": "Slip."}
    first = arbiter.post(f"{RESULTS}?game=1-1", form)
    report = upload_report(played, report_of(), file_name="o.trf", by=None, on=TODAY, at=NOW)
    accept_report(report, acknowledgement="Checked.", by=None, on=TODAY, at=NOW)

    arbiter.post(f"{RESULTS}?game=1-1", form)
    asked = ResultCorrection.objects.get()
    tasks = [need.url for need in officer.get("/desk/").context["desk"].work]
    page = f"/desk/corrections/{asked.pk}/"
    officer.post(page, {"decision": "grant", "reason": "Slip seen.", "seen": seen(played)})

    asked.refresh_from_db()
    assert first["Location"] == "/desk/tournaments/SUI-PLAYED/handed/2/"
    assert HandedReport.objects.count() == 2
    assert (page in tasks, asked.state) == (True, "made")
    assert played.reports.get(state="accepted").version == 2


def test_only_who_reports_or_directs_corrects(
    signed_in: Callable[[str], Client], accepted: Report, played: Tournament
) -> None:
    statuses = {
        role: signed_in(role).get(RESULTS).status_code
        for role in ("officer", "deputy", "staff", "officer AUT", "qc", "auditor", "council")
    }
    assert statuses == {
        "officer": 200,
        "deputy": 200,
        "staff": 200,
        "officer AUT": 404,
        "qc": 403,
        "auditor": 403,
        "council": 403,
    }
    assert NamedArbiter.objects.count() == 0


def test_reason_is_required_and_what_was_chosen_stays(officer: Client, accepted: Report) -> None:
    answer = officer.post(f"{RESULTS}?game=1-1", {"verdict": "0-1", "correct": "1", "reason": " "})

    game = answer.context["game"]
    assert (game.verdict, game.form.errors.as_data()["reason"][0].code) == ("0-1", "reason-missing")
    assert accepted.tournament.reports.count() == 1


def test_colleagues_step_is_not_overwritten(officer: Client, accepted: Report) -> None:
    form = {"verdict": "0-1", "correct": "1", "reason": "Slip.", "seen": "0"}

    answer = officer.post(f"{RESULTS}?game=1-1", form)

    assert answer.context["game"].form.errors.as_data()["__all__"][0].code == "changed-meanwhile"


def test_unknown_game_is_not_found(officer: Client, accepted: Report) -> None:
    assert [officer.get(f"{RESULTS}?game={name}").status_code for name in ("1-3", "9-9", "x", "1-")] == [
        404
    ] * 4
