from __future__ import annotations

import re
from datetime import UTC, date, datetime
from html import unescape
from typing import Any

import pytest
from django.core import signing
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from core.html.dates import list_month
from core.html.figures import signed_hundredths
from players.models import Player
from ratings.admin.corrections import SALT, PlayerForm, with_players
from ratings.amend.effect import Effect
from ratings.amend.lines import NOTHING, OnList, Taken
from ratings.amend.players import player_seen
from ratings.choices import LineKind
from ratings.lists import read_lists
from ratings.models import Calculation, Correction, CorrectionLine
from tests import make
from tests.codes import codes_of_answer, codes_of_form, codes_of_messages
from tests.shared import SharedRows
from tests.trf_files import PLAYERS, ROUNDS, Event
from tests.walk.forms import Forms
from tournaments.amendment_texts import amendment_texts
from tournaments.amendments import Condition
from tournaments.changed_meanwhile import seen_of
from tournaments.conditions import CORRECTED as CORRECTED_CONDITIONS
from tournaments.log import AuditFilter, page_of
from tournaments.models import Game, Report, Tournament
from tournaments.portal_reasons import SENTENCES
from tournaments.reports import accept_report, upload_report
from tournaments.states import progress_of
from tournaments.trf.limits import MAX_BYTES

pytestmark = [pytest.mark.page, pytest.mark.slow]

PAGE = "/admin/ratings/correction/correct/"
CORRECTED = [[(1, 2, "0-1")], [(2, 3, "1/2")], [(3, 1, "0-1")]]
NOW = datetime(2026, 2, 10, 9, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)


class Browser(Client):
    """A browser that sends what a page has just shown, unless the test says what was seen."""

    def post(self, path: str, data: Any = None, *args: Any, **kwargs: Any) -> Any:
        if "seen" not in data and path == PAGE:
            tournament = Tournament.objects.filter(event_id=data.get("event_id", "")).first()
            data = {"seen": seen_of(tournament) if tournament else "", **data}
        elif "seen" not in data and "fide_id" in path:
            data = {"seen": player_seen(Player.objects.get(pk=1_300_001)), **data}
        return super().post(path, data, *args, **kwargs)


@pytest.fixture
def staff(db: None) -> Client:
    client = Browser()
    client.force_login(make.person("staff"))
    return client


@pytest.fixture(scope="module")
def february(rows_of_module: SharedRows) -> None:
    """Publish the list of February 2026 with one tournament."""
    with rows_of_module():
        make.february("SUI-1", PLAYERS, ROUNDS)


@pytest.fixture
def published(february: None, db: None) -> Tournament:
    """Return a tournament on the list of February 2026."""
    return Tournament.objects.get(event_id="SUI-1")


def turn_round_1(tournament: Tournament) -> None:
    """Correct the published report."""
    content = Event(PLAYERS, CORRECTED, **make.DAYS).content()
    make.correct_report(tournament, content, file_name="b.trf", reason="Turned.", on=NOW.date(), at=NOW)


def corrected_file() -> SimpleUploadedFile:
    return SimpleUploadedFile("b.trf", Event(PLAYERS, CORRECTED, **make.DAYS).content())


def carried(shown: Any) -> dict[str, str]:
    """Return the form of a page with the fields that it carries, as a browser sends it."""
    (fields,) = (fields for _to, fields in Forms(shown.content.decode()).found if "reason" in fields)
    return fields


def test_effect_is_shown_before_the_correction(staff: Client, published: Tournament) -> None:
    answer = staff.post(PAGE, {"event_id": "SUI-1", "report": corrected_file(), "reason": "Round 1."})

    rows = answer.context["rows"]
    assert [(row["player"].fide_id, row["taken"].player_id) for row in rows] == [
        (1_300_001, 1_300_001),
        (1_300_002, 1_300_002),
    ]
    assert f"<h2>{published.name}" in answer.content.decode()
    assert not Correction.objects.exists()
    assert Report.objects.count() == 1


def test_effect_shows_warnings_of_the_corrected_report(staff: Client, published: Tournament) -> None:
    players = [(1_300_001, "Smith, Joan"), *PLAYERS[1:]]
    file = SimpleUploadedFile("b.trf", Event(players, CORRECTED, **make.DAYS).content())

    answer = staff.post(PAGE, {"event_id": "SUI-1", "report": file, "reason": "Round 1."})

    (warning,) = answer.context["effect"].warnings
    assert warning in unescape(answer.content.decode())


def test_confirmed_correction_uses_the_stored_file(staff: Client, published: Tournament) -> None:
    shown = staff.post(PAGE, {"event_id": "SUI-1", "report": corrected_file(), "reason": "Round 1."})
    sent = carried(shown)

    back = staff.post(PAGE, sent | {"back": "1"})
    answer = staff.post(PAGE, sent | {"confirm": "1"})

    assert [back.context["form"][name].value() for name in ("event_id", "reason")] == ["SUI-1", "Round 1."]
    # Signed anew, maybe in another second.
    assert signing.loads(carried(back)["kept"], salt=SALT) == signing.loads(sent["kept"], salt=SALT)
    assert answer["Location"] == "/admin/ratings/correction/"
    correction = Correction.objects.get()
    assert (correction.reason, CorrectionLine.objects.count()) == ("Round 1.", 2)
    assert correction.new_report is not None
    assert bytes(correction.new_report.content) == Event(PLAYERS, CORRECTED, **make.DAYS).content()


def test_changes_of_a_correction_and_a_calculation_are_in_points(
    staff: Client, published: Tournament
) -> None:
    turn_round_1(published)
    correction = Correction.objects.get()
    line = CorrectionLine.objects.get(player_id=1_300_001)
    calculation = Calculation.objects.get(player_id=1_300_001)

    lines = staff.get(f"/admin/ratings/correction/{correction.pk}/change/").content.decode()
    steps = staff.get(f"/admin/ratings/calculation/{calculation.pk}/change/").content.decode()

    assert signed_hundredths(line.difference_hundredths) in lines
    assert f">{line.difference_hundredths}<" not in lines
    assert signed_hundredths(calculation.change_hundredths) in steps


@pytest.mark.parametrize(("kind", "before"), [(LineKind.LOST, "1624.00"), (LineKind.CHANGE, "+1624.00")])
def test_effect_shows_ratings_without_and_changes_with_a_sign(db: None, kind: LineKind, before: str) -> None:
    january, player = make.RatingListFactory.build(date=date(2026, 1, 1)), make.player()
    line = CorrectionLine(player=player, corrected_list=january, kind=kind, before_hundredths=162_400)
    taken = Taken(player.pk, "rapid", 12_180, 12_180, is_reset=kind == LineKind.LOST)
    players = (OnList(player.pk, "rapid", NOTHING, NOTHING, line),)
    shown = with_players(Effect(None, players=players, taken=(taken,)))

    (group,) = shown["groups"]
    (row,) = group["rows"]
    assert (row["before"], row["taken"], group["highest"]) == (before, taken, 122)
    # What another initial rating brings is no rounding.
    assert taken.rounding == (0 if kind == LineKind.LOST else 12_180)


def test_effect_folds_lines_without_adjustment_and_names_the_initial_rating_that_brings_it(db: None) -> None:
    january, february = (make.RatingListFactory.build(date=date(2026, month, 1)) for month in (1, 2))
    player, other = make.player(), make.player()
    lines = [
        CorrectionLine(player=player, corrected_list=january, kind=LineKind.LOST, before_hundredths=162_400),
        CorrectionLine(
            player=player, corrected_list=february, kind=LineKind.INITIAL, after_hundredths=174_500
        ),
        CorrectionLine(player=other, corrected_list=january, kind=LineKind.CHANGE, after_hundredths=0),
        CorrectionLine(player=other, corrected_list=february, kind=LineKind.CHANGE, after_hundredths=0),
    ]
    taken = (
        Taken(player.pk, "rapid", 12_180, 12_180, is_reset=True),
        Taken(other.pk, "rapid", 300, 0, is_reset=False),
    )
    after = [NOTHING, NOTHING._replace(rating=1745), NOTHING, NOTHING]
    players = tuple(
        OnList(line.player_id, "rapid", NOTHING, now, line) for line, now in zip(lines, after, strict=True)
    )
    groups = with_players(Effect(None, players=players, taken=taken))["groups"]

    assert [(len(group["shown"]), len(group["folded"])) for group in groups] == [(1, 0), (1, 0), (1, 1)]
    assert groups[0]["shown"][0]["initial"] == (1745, date(2026, 2, 1))


def test_d_87_report_is_withdrawn_by_a_decision_after_its_effect_was_shown(
    staff: Client, published: Tournament
) -> None:
    form = {"event_id": "SUI-1", "is_withdrawn": "on", "reason": "Never played."}

    shown = staff.post(PAGE, form)
    before = Correction.objects.count()
    staff.post(PAGE, form | {"confirm": "1"})

    assert [len(group["rows"]) for group in shown.context["groups"]] == [len(shown.context["rows"])] == [3]
    assert (before, Correction.objects.get().new_report) == (0, None)
    step = published.log_entries.latest("pk")
    assert (step.action, step.after, step.reason) == ("not-rate", "not-rated", "Never played.")
    row = next(row for row in page_of(AuditFilter()).rows if row.number == step.pk)
    assert (row.what, row.before, row.after) == (
        "withdrew the published report", "published", "withdrawn after publication",
    )  # fmt: skip
    assert progress_of(Tournament.objects.get(), read_lists(), today=NOW.date()).step.code == "appeal"


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"event_id": "SUI-9", "is_withdrawn": "on", "reason": "x"}, "event_id"),
        ({"event_id": "SUI-1", "reason": "x"}, "report"),
        ({"event_id": "SUI-1", "is_withdrawn": "on"}, "reason"),
        ({"event_id": "SUI-1", "kept": "forged", "reason": "x", "confirm": "1"}, "report"),
    ],
)
def test_missing_value_is_an_error_of_its_field(
    staff: Client, published: Tournament, form: dict[str, str], field: str
) -> None:
    answer = staff.post(PAGE, form)

    assert list(answer.context["form"].errors) == [field]
    assert not Correction.objects.exists()


def test_file_and_withdrawal_together_are_refused(staff: Client, published: Tournament) -> None:
    form = {"event_id": "SUI-1", "is_withdrawn": "on", "reason": "x", "report": corrected_file()}

    assert list(staff.post(PAGE, form).context["form"].errors) == ["report"]


def test_file_is_kept_past_the_error_of_another_field(staff: Client, published: Tournament) -> None:
    wrong = staff.post(PAGE, {"event_id": "SUI-9", "report": corrected_file(), "reason": "Round 1."})
    form = {"event_id": "SUI-1", "kept": carried(wrong)["kept"], "reason": "Round 1."}

    assert staff.post(PAGE, form).context["effect"] is not None
    withdrawn = staff.post(PAGE, form | {"is_withdrawn": "on"})
    assert (withdrawn.context["form"].errors, withdrawn.context["form"].content) == ({}, None)


def test_file_that_must_be_replaced_is_not_kept(staff: Client, published: Tournament) -> None:
    large = SimpleUploadedFile("b.trf", b" " * (MAX_BYTES + 1))

    wrong = staff.post(PAGE, {"event_id": "SUI-1", "report": large, "reason": "Round 1."})

    assert list(wrong.context["form"].errors) == ["report"]
    assert 'name="kept"' not in wrong.content.decode()


def test_file_and_reason_outlive_a_session_that_ends_before_the_confirmation(
    staff: Client, published: Tournament
) -> None:
    shown = staff.post(PAGE, {"event_id": "SUI-1", "report": corrected_file(), "reason": "Round 1."})
    user = shown.wsgi_request.user
    form = carried(shown)
    staff.logout()
    sent = staff.post(PAGE, form | {"confirm": "Correct report"})
    staff.force_login(user)

    again = staff.get(PAGE)

    assert (sent.status_code, Correction.objects.count()) == (302, 0)
    assert "Round 1.</textarea>" in again.content.decode()
    effect = staff.post(PAGE, form | {"kept": carried(again)["kept"], "seen": ""}).context["effect"]
    assert len(effect.lines) == 2


def test_accepted_report_again_corrects_nothing(staff: Client, published: Tournament) -> None:
    same = SimpleUploadedFile("a.trf", Event(PLAYERS, ROUNDS, **make.DAYS).content())

    answer = staff.post(PAGE, {"event_id": "SUI-1", "report": same, "reason": "x"})

    assert codes_of_answer(answer) == {"__all__": ["same-report"]}


GAME = "/admin/ratings/correction/game/"
EDITOR = "/desk/tournaments/SUI-1/results/?game=1-1"
DECISION = {"verdict": "mark", "mark": "fair-play", "correct": "1"}
FPL = {"reference": "FPL 7/2026", "reason": "Decision of the FPL."}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("SUI-1", None),
        ("open", None),
        ("SUI-9", "unknown"),
        ("Opne", "unknown"),
        ("cup", "several"),
        ("", "required"),
    ],
)
def test_game_to_decide_on_is_found_by_its_tournament(
    staff: Client, published: Tournament, words: str, code: str | None
) -> None:
    for number in (2, 3):
        make.tournament(event_id=f"SUI-{number}", name=f"Cup {number}", federation=published.federation)

    answer = staff.get(GAME, {"event": words})

    if code is None:
        assert answer["Location"] == "/desk/tournaments/SUI-1/results/"
    else:
        assert [error.code for error in answer.context["which"].errors.as_data()["event"]] == [code]
    offered = re.findall(r'type="radio" name="event" value="([^"]+)"', answer.content.decode())
    assert sorted(offered) == (["SUI-2", "SUI-3"] if code == "several" else [])


def test_4_1_decision_on_a_game_is_shown_and_then_made_once(staff: Client, published: Tournament) -> None:
    shown = staff.post(EDITOR, {"look": "mark", "mark": "fair-play"} | FPL)
    before = Correction.objects.count()
    staff.post(EDITOR, DECISION | FPL)
    again = staff.post(EDITOR, DECISION | FPL)
    page = staff.get(f"/admin/ratings/correction/{Correction.objects.get().pk}/change/").content.decode()
    (title,) = re.findall(r"<h1[^>]*>(.*?)</h1>", page, re.DOTALL)
    assert f"{PLAYERS[0][1]} – {PLAYERS[1][1]}" in title
    assert (">−1<" in page, ">-1<" in page) == (True, False)
    assert list_month(date(2026, 3, 1)) in page

    sides = shown.context["game"].effect.sides
    assert [side.name for side in sides] == [PLAYERS[0][1], PLAYERS[1][1]]
    assert before == 0
    assert codes_of_form(again.context["game"].form) == {"verdict": ["nothing-changes"]}
    assert Correction.objects.count() == 1
    lines = CorrectionLine.objects.order_by("pk").values_list("difference_hundredths", "games_difference")
    assert list(lines) == [(side.adjustment, -1) for side in sides]


def test_d_83_single_game_of_unequal_times_is_marked_by_staff(staff: Client, published: Tournament) -> None:
    told = {"mark": "unequal-times", "reference": "Armageddon", "reason": "Black had less time."}

    staff.post(EDITOR, DECISION | told)

    game = Game.objects.exclude(mark="").get(report__state="accepted")
    assert (game.round, game.mark, game.mark_reference) == (1, "unequal-times", "Armageddon")


def test_d_101_removed_mark_has_no_effect_left(staff: Client, published: Tournament) -> None:
    staff.post(EDITOR, DECISION | FPL)
    staff.post(EDITOR, DECISION | {"mark": "rated", "reason": "The appeal was upheld."})

    sums: dict[int, int] = {}
    for line in CorrectionLine.objects.all():
        sums[line.player_id] = sums.get(line.player_id, 0) + line.difference_hundredths
    assert (Correction.objects.count(), sums) == (2, {1_300_001: 0, 1_300_002: 0})


@pytest.mark.parametrize("wrong", [{"mark": "2-0"}, {"reference": ""}, {"reason": ""}])
def test_invalid_decision_is_refused(staff: Client, published: Tournament, wrong: dict[str, str]) -> None:
    answer = staff.post(EDITOR, DECISION | FPL | wrong)

    assert (answer.status_code, Correction.objects.exists()) == (200, False)


PERSON = "/admin/ratings/correction/player/?fide_id=1300001"
NAME = {"surname": "Alder", "given_names": "Ada"}
DATA = NAME | {"federation_id": "SUI", "sex": "M", "birth_year": "1980", "reason": "Passport."}


def test_d_11_player_data_are_corrected_after_their_effect_was_shown(
    staff: Client, published: Tournament
) -> None:
    form = DATA | {"given_names": "Adam", "birth_date": "1980-12-31"}

    shown = staff.post(PERSON, form)
    before = Correction.objects.count()
    back = staff.post(PERSON, carried(shown) | {"back": "1"}).context["form"]
    done = staff.post(PERSON, carried(shown) | {"confirm": "1"})
    again = staff.post(PERSON, form | {"confirm": "1"})

    assert "Alder, Adam" in shown.content.decode()
    assert {name: back[name].value() for name in form} == form
    assert (before, Correction.objects.count()) == (0, 1)
    pages = [
        staff.get(f"/admin/ratings/correction/{end}")
        for end in ("", f"{Correction.objects.get().pk}/change/")
    ]
    texts = amendment_texts(Correction.objects.get().amendments)
    assert [" · ".join(texts) in unescape(page.content.decode()) for page in pages] == [True, True]
    assert done["Location"] == "/admin/players/player/1300001/change/"
    assert Player.objects.values_list("name", "birth_date").get(pk=1_300_001) == (
        "Alder, Adam",
        date(1980, 12, 31),
    )
    assert codes_of_answer(again) == {"__all__": ["nothing-changes"]}
    assert "Alder, Adam" in staff.get("/lists/corrections/").content.decode()


def test_invalid_player_data_are_errors_of_their_fields(db: None) -> None:
    make.federation(code="SUI")
    wrong = [
        ({"surname": ""}, "surname"),
        ({"surname": "<b>"}, "surname"),
        ({"federation_id": "XYZ"}, "federation_id"),
        ({"birth_year": "1700"}, "birth_year"),
        ({"birth_year": "2027"}, "birth_year"),
        ({"birth_date": "1990-05-05"}, "birth_year"),
        ({"birth_date": "31.12.1980"}, "birth_date"),
        ({"reason": ""}, "reason"),
    ]
    assert [list(PlayerForm(DATA | values).errors) for values, _field in wrong] == [
        [field] for _values, field in wrong
    ]
    assert PlayerForm(DATA).errors == {}


@pytest.mark.parametrize("day", ["2027-01-01", "1970-01-01"])
def test_date_of_death_that_cannot_be_is_an_error_of_its_field(
    staff: Client, published: Tournament, day: str
) -> None:
    answer = staff.post(PERSON, DATA | {"died_on": day})

    assert list(answer.context["form"].errors) == ["died_on"]
    assert not Correction.objects.exists()


def test_another_name_is_shown_as_it_will_be_listed_and_asked_about(
    staff: Client, published: Tournament
) -> None:
    typed = DATA | {"surname": "KLEIN paul", "given_names": ""}

    opened = staff.get(PERSON).context["form"]
    listed = staff.get(
        PERSON.partition("?")[0],
        {"surname": "Klein", "given_names": "Paul"},
        headers={"HX-Target": "listed-name"},
    )
    asked = staff.post(PERSON, typed)
    taken = staff.post(PERSON, typed | {"take": "Klein, Paul"}).context["form"]
    shown = staff.post(PERSON, typed | {"confirmed_name": "KLEIN paul"})

    assert [field.value() for field in opened.name_fields] == ["Alder", "Ada"]
    assert listed.context["form"].listed_name == "Klein, Paul"
    assert codes_of_answer(asked) == {"surname": ["name-unsplit"]}
    assert [field.value() for field in taken.name_fields] == ["Klein", "Paul"]
    assert shown.context["effect"].changes == (
        {"field": "name", "before": "Alder, Ada", "after": "KLEIN paul"},
    )


@pytest.mark.parametrize("query", ["", "?fide_id=", "?fide_id=99999999999"])
def test_correction_without_a_player_asks_for_one(staff: Client, published: Tournament, query: str) -> None:
    answer = staff.get(f"/admin/ratings/correction/player/{query}")

    assert (answer.status_code, "player" in answer.context) == (200, False)


@pytest.mark.parametrize(("address", "status"), [(GAME, 302), (PERSON, 302), (EDITOR, 200)])
def test_only_staff_decide_and_correct(
    published: Tournament, client: Client, address: str, status: int
) -> None:
    client.force_login(make.person("officer"))

    assert client.post(address, DATA | DECISION | FPL | {"confirm": "1"}).status_code == status
    assert not Correction.objects.exists()


CONDITIONS = "/admin/ratings/correction/conditions/?event=SUI-1"


def typed_conditions(staff: Client, address: str, **values: str) -> dict[str, str]:
    """Return what the form of conditions sends with other values, all boxes empty."""
    form = staff.get(address).context["form"]
    left = ("report", "kept", "is_match", "is_hybrid", "has_unequal_times")
    return {name: form[name].value() or "" for name in form.fields if name not in left} | values


def test_d_82_conditions_are_corrected_after_the_effect_was_shown(
    staff: Client, published: Tournament
) -> None:
    typed = typed_conditions(staff, CONDITIONS, has_unequal_times="on", reason="Ben had ten minutes.")

    shown = staff.post(CONDITIONS, typed)
    (change,) = shown.context["changes"]
    assert str(change).endswith(": no → yes")
    assert (len(shown.context["rows"]), Correction.objects.count()) == (3, 0)
    confirmed = carried(shown) | {"confirm": "1"}
    answer = staff.post(CONDITIONS, confirmed)

    assert answer["Location"] == "/admin/ratings/correction/"
    assert Correction.objects.get().amendments == [Condition("has_unequal_times", False, True)]
    assert "no → yes" in " ".join(Client().get("/lists/corrections/").content.decode().split())
    assert codes_of_answer(staff.post(CONDITIONS, confirmed)) == {"__all__": ["changed-meanwhile"]}


@pytest.mark.slow
def test_d_82_rating_type_is_corrected_with_lines_on_both_lists(staff: Client, published: Tournament) -> None:
    blitz = make.rating_list(kind="blitz", date=date(2026, 1, 1))
    for (fide_id, _name), rating in zip(PLAYERS, (2000, 1900, 1800), strict=True):
        make.entry(rating_list=blitz, player_id=fide_id, rating=rating)
    make.publish("blitz", date(2026, 2, 1))
    typed = typed_conditions(staff, CONDITIONS, kind="blitz", time_control="3+2", reason="It was 3+2.")

    shown = staff.post(CONDITIONS, typed)
    told = {str(row["line"].corrected_list) for row in shown.context["rows"]}
    assert (len(shown.context["rows"]), len(told), Correction.objects.count()) == (6, 2, 0)
    staff.post(CONDITIONS, carried(shown) | {"confirm": "1"})
    for kind in ("rapid", "blitz"):
        make.publish(kind, date(2026, 3, 1))

    assert Condition("kind", "rapid", "blitz") in Correction.objects.get().amendments
    pages = ["/tournaments/SUI-1/", "/lists/corrections/", "/players/1300001/", "/api/v1/tournaments/SUI-1"]
    pages += [f"/lists/{kind}/2026-0{month}-01/" for kind in ("rapid", "blitz") for month in (2, 3)]
    assert [Client().get(page).status_code for page in pages] == [200] * len(pages)
    page = " ".join(re.sub("<[^>]*>", " ", Client().get("/tournaments/SUI-1/").content.decode()).split())
    assert [page.count(f"It was 3+2. {kind}, March 2026") for kind in ("Rapid", "Blitz")] == [3, 3]


def test_d_82_page_is_for_staff_and_asks_for_the_tournament(staff: Client, published: Tournament) -> None:
    assert "tournament" not in staff.get("/admin/ratings/correction/conditions/").context
    wrong = staff.get("/admin/ratings/correction/conditions/?event=SUI-9")
    assert list(wrong.context["which"].errors) == ["event"]
    staff.force_login(make.person("officer"))
    assert staff.get(CONDITIONS).status_code in (302, 403)


def test_8_4_corrected_report_of_a_hybrid_tournament_keeps_its_games(published: Tournament) -> None:
    Report.objects.update(pgn=b'[Round "1"]', pgn_sha256="1" * 64)
    turn_round_1(published)

    new = Report.objects.get(version=2)
    assert (new.state, bytes(new.pgn or b""), new.pgn_sha256) == ("accepted", b'[Round "1"]', "1" * 64)


def test_decision_on_a_game_is_refused_after_another_one_in_between(
    staff: Client, published: Tournament
) -> None:
    seen = staff.get(EDITOR).context["game"].form["seen"].value()
    turn_round_1(published)

    answer = staff.post(EDITOR, DECISION | FPL | {"seen": seen})

    assert (answer.status_code, Correction.objects.count()) == (200, 1)


@pytest.mark.parametrize("is_forged", [False, True])
def test_correction_is_refused_after_another_one_in_between(
    staff: Client, published: Tournament, is_forged: bool
) -> None:
    form = {"event_id": "SUI-1", "is_withdrawn": "on", "reason": "Not played."}
    seen = carried(staff.post(PAGE, form))["seen"]
    turn_round_1(published)

    answer = staff.post(PAGE, form | {"confirm": "1", "seen": "" if is_forged else seen})

    assert codes_of_answer(answer) == {"__all__": ["changed-meanwhile"]}
    assert Correction.objects.count() == 1
    again = carried(staff.post(PAGE, form)) | {"confirm": "1"}
    assert staff.post(PAGE, again).status_code == 302


def test_player_data_are_refused_after_another_correction_in_between(
    staff: Client, published: Tournament
) -> None:
    opened = staff.get(PERSON).context["form"]["seen"].value()
    player = Player.objects.get(pk=1_300_001)
    make.correct_player(player, {"name": "Alder, Adele"}, reason="Passport.", at=NOW)

    answers = [staff.post(PERSON, DATA | {"sex": "F", "confirm": "1", "seen": seen}) for seen in (opened, "")]

    assert [codes_of_answer(answer) for answer in answers] == [{"__all__": ["changed-meanwhile"]}] * 2
    player.refresh_from_db()
    assert (player.name, Correction.objects.count()) == ("Alder, Adele", 1)


@pytest.fixture
def accepted(published: Tournament) -> Tournament:
    """Return a tournament whose report is accepted and on no list yet, with a blitz list that came after it."""
    make.rating_list(kind="blitz", date=date(2026, 3, 1))
    day = date(2026, 2, 7)
    tournament = make.tournament(
        event_id="SUI-2", federation=published.federation, start=day, end=day, name="Open of Alphaville"
    )
    days = {"start": "2026/02/07", "end": "2026/02/07", "round_dates": ["26/02/07"] * 3}
    content = Event(PLAYERS, ROUNDS, **days).content()
    report = upload_report(tournament, content, file_name="a.trf", by=None, on=day, at=make.noon(day))
    # The games are those of the published tournament, which needs a reason of its own (D-129).
    own = {"code": "answer", "finding": "few-games-again", "reason": "Checked."}
    accept_report(
        report, acknowledgement=SENTENCES.join([own], "Checked."), by=None, on=day, at=make.noon(day)
    )
    return tournament


def test_page_states_what_follows_from_a_decision_on_a_game(staff: Client, accepted: Tournament) -> None:
    """A list that is not published yet takes the tournament as it is rated anew; there is no effect to look at."""
    form = DECISION | {"mark": "unequal-times", "reference": "Armageddon", "reason": "Less time."}

    said = {
        event: codes_of_messages(staff.post(EDITOR.replace("SUI-1", event), form))[-1]
        for event in ("SUI-1", "SUI-2")
    }

    assert said == {"SUI-1": "result-published", "SUI-2": "result-accept"}


def test_d_75_rating_type_without_a_list_at_the_start_is_refused(staff: Client, accepted: Tournament) -> None:
    address = CONDITIONS.replace("SUI-1", "SUI-2")
    typed = typed_conditions(staff, address, kind="blitz", time_control="3+2", reason="It was 3+2.")

    shown = staff.post(address, typed)
    confirmed = staff.post(address, typed | {"kept": "", "confirm": "1"})

    codes = [codes_of_answer(answer) for answer in (shown, confirmed)]
    assert codes == [{"__all__": ["event-before-lists"]}] * 2
    assert Tournament.objects.get(event_id="SUI-2").kind == "rapid"


def test_d_80_admin_changes_no_condition_of_a_registration(staff: Client, accepted: Tournament) -> None:
    waiting = make.tournament(
        event_id="SUI-3", federation=accepted.federation, start=date(2026, 2, 9), end=date(2026, 2, 12)
    )
    address = f"/admin/tournaments/tournament/{waiting.pk}/change/"
    form = staff.get(address).context["adminform"].form
    conditions = {"kind": "blitz", "end": "2026-02-20", "is_match": "on", "match_waiver": "Letter 4"}
    inlines = {
        f"{name}-{part}_FORMS": "0" for name in ("reports", "log_entries") for part in ("TOTAL", "INITIAL")
    }
    before = Tournament.objects.filter(pk=waiting.pk).values(*CORRECTED_CONDITIONS, "start").get()

    saved = staff.post(
        address, {"city": "Alphavile", "chief_arbiter": waiting.chief_arbiter, **conditions, **inlines}
    )
    corrected = staff.post(
        CONDITIONS.replace("SUI-1", "SUI-3"),
        typed_conditions(staff, CONDITIONS.replace("SUI-1", "SUI-3"), end="2026-02-13", reason="Longer."),
    )

    assert set(form.fields) == {"city", "chief_arbiter", "organiser", "decision_reference"}
    assert (saved.status_code, Tournament.objects.get(pk=waiting.pk).city) == (302, "Alphavile")
    assert codes_of_answer(corrected) == {"__all__": ["no-report"]}
    assert Tournament.objects.filter(pk=waiting.pk).values(*CORRECTED_CONDITIONS, "start").get() == before


def test_first_page_names_the_tournament_of_an_open_correction(staff: Client, published: Tournament) -> None:
    staff.post(PAGE, {"event_id": "SUI-1", "is_withdrawn": "on", "reason": "Not played.", "confirm": "1"})

    page = staff.get("/admin/")

    assert page.status_code == 200
    named = re.findall(
        r'<th[^>]*scope="row">([^<]+?)\s*<span\s+class="second[^"]*">Not played', page.content.decode()
    )
    assert named == ["Open of Alphaville"]
