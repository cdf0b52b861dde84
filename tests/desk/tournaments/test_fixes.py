"""Fixes of a report: chosen, shown as a difference, then saved as a new version."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from players.models import Federation, LogEntry, Player
from tests import make
from tests.codes import codes_of_form, codes_of_messages
from tests.desk.conftest import PLAYERS, ROUNDS, TODAY, report_of
from tests.log import steps
from tests.tournaments.trf.reports import BASE, RETURNED
from tests.trf_files import Event
from tests.walk.forms import Forms
from tournaments.amendments import Identity, Line
from tournaments.models import Report, Tournament
from tournaments.trf import read_report
from tournaments.trf.limits import MAX_BYTES
from tournaments.worksheet import people_found

PAGE = "/desk/tournaments/SUI-PLAYED/reports/1/"
FACTS: dict[str, Any] = {"start": "2026/02/28", "end": "2026/03/01", "round_dates": ["26/02/28"] * 3}
NO_ID = [(0, "Alder, Ada"), *PLAYERS[1:]]
# The lines of the three players, and their fixes.
ADA, BEN = 11, 12
# Another name of the event, and a line without a FIDE ID: two warnings that want reasons.
NAMELESS = report_of(name="Open of Betaville").replace(b"    1300001", b"           ")
QUERIES = 25
USE_ADA = {"use": f"{ADA}-1300001"}


def upload(client: Client, content: bytes, event_id: str = "SUI-PLAYED") -> Report:
    """Upload the first version of a report, and return it."""
    client.post(f"/desk/tournaments/{event_id}/report", {"report": SimpleUploadedFile("open.trf", content)})
    return Report.objects.get()


@pytest.fixture
def faulty(officer: Client, played: Tournament) -> Report:
    """Return a version with a missing FIDE ID, a wrong federation, and two results of one game."""
    content = Event(NO_ID, ROUNDS, birth_years={1: 1980}, **FACTS).content()
    content = content.replace(b" SUI     1300002", b" FRA     1300002").replace(b"   1 b 0", b"   1 b 1")
    return upload(officer, content)


def choose(client: Client, choice: dict[str, str]) -> str:
    """Press a button of the version's page. Return the redirect target."""
    return client.post(f"{PAGE}choose", choice)["Location"]


def messages_of(answer: Any) -> list[str]:
    return [str(message) for message in answer.context["messages"]]


def group_of(client: Client, code: str, address: str = PAGE) -> Any:
    return group_in(client.get(address), code)


def group_in(answer: Any, code: str) -> Any:
    (group,) = (one for one in answer.context["marked"].groups if one.code == code)
    return group


def open_errors(client: Client) -> int:
    return int(client.get(PAGE).context["marked"].open_counts["error"])


def test_contradiction_is_one_issue_with_three_fixes(officer: Client, faulty: Report) -> None:
    group = group_of(officer, "results-contradict")

    assert (group.count, len(group.findings)) == (1, 1)
    game = group.findings[0]["game"]
    assert (game.white.name, game.black.name, game.white_result, game.black_result) == (
        "Alder, Ada",
        "Birch, Ben",
        "won",
        "won",
    )
    page = officer.get(PAGE).content.decode()
    assert [f'value="1-1:{result}"' in page for result in ("1-0", "1/2-1/2", "0-1")] == [True] * 3


def test_a_line_of_the_differences_and_all_of_them_are_undone_there(officer: Client, faulty: Report) -> None:
    for choice in (USE_ADA, {"decide": "1-1:1-0"}, {"certain": "player-federation"}):
        choose(officer, choice)
    undo = {change.line: keys for change, keys in officer.get(f"{PAGE}fix").context["shown"]}
    place = choose(officer, {"undo": undo[ADA], "show": "differences"})
    ((change, _keys),) = officer.get(f"{PAGE}fix").context["shown"]

    # The game that was decided is in the lines of both players.
    assert (place, change.line, len(undo)) == (f"{PAGE}fix", BEN, 2)
    assert choose(officer, {"undo": "all"}) == PAGE
    assert Report.objects.get().amendments == []


def test_choices_of_every_kind_become_one_version(officer: Client, faulty: Report) -> None:
    before, errors = bytes(faulty.content), open_errors(officer)

    places = [choose(officer, {"decide": "1-1:1-0"})]
    solved = errors - open_errors(officer)
    places += [choose(officer, USE_ADA), choose(officer, {"certain": "player-federation"})]
    closed = officer.post(f"{PAGE}accept", {"acknowledgement": "Checked."})
    shown = officer.get(f"{PAGE}fix").context["chosen"]
    answer = officer.post(f"{PAGE}fix")

    assert places == [f"{PAGE}#result-1-1", f"{PAGE}#identity-{ADA}", f"{PAGE}#code-player-federation"]
    assert solved == 1
    message = "Fixes are chosen for this version. Save them as a new version, or undo them."
    assert message in closed.context["form"].errors["__all__"]
    assert [change.line for change in shown.lines] == [ADA, BEN]
    former, made = Report.objects.order_by("version")
    assert answer["Location"] == "/desk/tournaments/SUI-PLAYED/reports/2/"
    assert (bytes(former.content), former.sha256) == (before, hashlib.sha256(before).hexdigest())
    right = Event([(1_300_001, "Alder, Ada"), *PLAYERS[1:]], ROUNDS, birth_years={1: 1980}, **FACTS)
    assert bytes(made.content) == right.content()
    assert (made.version, made.corrected_from, made.file_name) == (2, former, "open-corrected.trf")
    entry = steps().get()
    assert (entry.action, entry.by) == ("report", made.submitted_by)
    assert officer.get("/desk/tournaments/SUI-PLAYED/reports/1/to/2").context["found"].count == 2


def test_certain_match_agrees_in_all_data_and_is_the_only_one(
    officer: Client, faulty: Report, swiss: Federation
) -> None:
    def grades() -> list[tuple[str, tuple[str, ...]]]:
        found = people_found(faulty.findings, read_report(bytes(faulty.content)), own="SUI", on=TODAY)[ADA]
        return [(item.grade, item.differs) for item in found]

    assert grades() == [("sure", ())]
    Player.objects.filter(pk=1_300_001).update(birth_year=1981)
    assert grades() == [("likely", ("year",))]
    Player.objects.filter(pk=1_300_001).update(birth_year=1980)
    make.player(fide_id=1_300_009, name="Alder, Ada", federation=swiss)
    assert grades() == [("likely", ("namesake",)), ("likely", ("namesake",))]


def test_the_year_of_a_minor_of_another_federation_is_not_confirmed(
    officer: Client, faulty: Report, austrian: Federation
) -> None:
    Federation.objects.filter(pk="AUT").update(hides_birth_years_of_minors=True)
    for year in (1980, 2014):
        Player.objects.filter(pk=1_300_001).update(federation=austrian, birth_year=year)
        (found,) = people_found(faulty.findings, read_report(bytes(faulty.content)), own="SUI", on=TODAY)[ADA]
        told = {1980: (1980, ("federation",)), 2014: (None, ("no-year", "federation"))}
        assert (found.player.birth_year, found.differs) == told[year]


def test_all_certain_matches_are_chosen_at_once_and_undone_singly(officer: Client, faulty: Report) -> None:
    def is_in_the_file() -> bool:
        line = officer.get(PAGE).context["marked"].lines[ADA - 1]
        return "1300001" in "".join(piece.text for piece in line.pieces)

    shown = [is_in_the_file()]
    choose(officer, {"certain": "id-missing"})
    shown.append(is_in_the_file())
    chosen = group_of(officer, "id-missing")
    choose(officer, {"undo": f"identity-{ADA}"})

    assert shown == [False, True]
    assert (chosen.solved, chosen.findings[0]["used"].fide_id) == (1, 1_300_001)
    assert (group_of(officer, "id-missing").solved, Report.objects.get().amendments) == (0, [])


def test_all_that_is_certain_is_chosen_at_once_but_not_how_a_game_ended(
    officer: Client, faulty: Report
) -> None:
    choose(officer, {"certain": "all"})

    chosen = {one.key.partition("-")[0] for one in Report.objects.get().amendments}
    assert chosen == {"identity", "fix"}
    assert [group_of(officer, code).solved for code in ("id-missing", "results-contradict")] == [1, 0]


def test_what_is_chosen_for_all_lines_counts_those_that_are_not_shown(
    officer: Client, played: Tournament
) -> None:
    players = [*PLAYERS, *((0, f"Alder, A{number}") for number in range(21))]
    shifted = re.sub("(?m)^(001.{44})", r"\1 ", Event(players, ROUNDS, **FACTS).text()).encode()
    upload(officer, shifted)

    before = group_of(officer, "shifted-columns")
    choose(officer, {"certain": "shifted-columns"})
    after = group_of(officer, "shifted-columns")

    assert (len(before.findings), before.count, before.certain) == (20, 24, 24)
    assert (after.solved, after.certain) == (24, 0)


def test_the_registered_days_are_put_into_the_report_and_taken_back_together(
    officer: Client, played: Tournament
) -> None:
    days = {"start": "2026/02/27", "end": "2026/02/28", "round_dates": ["26/02/27"] * 3}
    content = Event(PLAYERS, ROUNDS, **days).content()
    upload(officer, content)

    choose(officer, {"certain": "event-days"})
    group = group_of(officer, "event-days")
    officer.post(f"{PAGE}fix")
    choose(officer, {"undo": group.undo})
    events = officer.get("/desk/tournaments/SUI-PLAYED/").context["events"]

    # A version of fixes is one step of the history.
    assert ["2" in one.what for one in events if one.at].count(True) == 1
    assert (group.layout, group.count, group.solved) == ("days", 3, 3)
    assert bytes(Report.objects.get(version=2).content) == Event(PLAYERS, ROUNDS, **FACTS).content()
    assert Report.objects.get(version=1).amendments == []


def test_who_had_white_is_said_of_a_game_with_one_colour_on_both_lines(
    officer: Client, played: Tournament
) -> None:
    right = Event(PLAYERS, ROUNDS, **FACTS).content()
    content = right.replace(b"   1 b 0", b"   1 w 0", 1)
    # What is chosen for the line before stays: its columns were shifted.
    line = content.split(b"\r\n")[BEN - 1]
    content = content.replace(line, line[:48] + b" " + line[48:])
    upload(officer, content)

    choose(officer, {"certain": "shifted-columns"})
    place = choose(officer, {"colour": f"{ADA}-{BEN}:1"})
    (finding,) = group_of(officer, "colours-same").findings
    lines = {one.line: one.new for one in officer.get(f"{PAGE}fix").context["chosen"].lines}
    choose(officer, {"undo": finding["undo"]})

    assert (place, finding["is_chosen"], finding["is_solved"]) == (f"{PAGE}#line-{BEN}", True, True)
    assert lines == {BEN: right.decode().split("\r\n")[BEN - 1]}
    assert all(one.what == "fix" for one in Report.objects.get().amendments)


def test_another_player_is_found_by_name(officer: Client, faulty: Report, swiss: Federation) -> None:
    make.player(fide_id=1_300_777, name="Adler, Ada", federation=swiss)

    address = choose(officer, {"find": str(ADA), f"words-{ADA}": "adler"})
    (row,) = group_of(officer, "id-missing", address).findings

    assert address == f"{PAGE}?line={ADA}&words=adler#identity-{ADA}"
    assert [player.fide_id for player in row["found"]] == [1_300_777]
    choose(officer, {"use": f"{ADA}-1300777"})
    assert Report.objects.get().amendments == [Identity(ADA, 1_300_777)]


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"use": f"{ADA}-9999999"}, "No player has FIDE ID 9999999."),
        ({"use": f"{ADA}-1300002"}, "FIDE ID 1300002 is already used in line 12."),
        ({"use": "1-1300001"}, "This line has no place for a FIDE ID. Edit the line."),
        ({"use": "99999999999999-\x00"}, "This line has no place for a FIDE ID. Edit the line."),
        ({"decide": "7-1:1-0"}, "The report does not have this game."),
        ({"decide": "1-1:2-0"}, "This is no result of a game."),
        ({"fix": "fix-12-000000000000"}, "This fix no longer matches the report."),
        ({"fix": " "}, "This fix no longer matches the report."),
        ({"fix": "fix-11-0 " * 5000}, "This fix no longer matches the report."),
    ],
)
def test_a_choice_that_does_not_fit_changes_nothing(
    officer: Client, faulty: Report, choice: dict[str, str], message: str
) -> None:
    answer = officer.post(f"{PAGE}choose", choice, follow=True)

    assert messages_of(answer) == [message]
    # At the top of the page, where the reason is.
    assert "#" not in answer.redirect_chain[-1][0]
    assert Report.objects.get().amendments == []


def test_two_lines_of_one_person_are_joined_by_one_choice(officer: Client, played: Tournament) -> None:
    upload(officer, RETURNED.encode())
    address = choose(officer, {"join": "16-17"})
    chosen = group_of(officer, "lines-of-one-person")
    choose(officer, {"undo": "joined-16-17"})
    undone = Report.objects.get().amendments
    refused = officer.post(f"{PAGE}choose", {"join": "15-17"}, follow=True)
    choose(officer, {"join": "16-17"})
    officer.post(f"{PAGE}fix")

    made = Report.objects.get(version=2)
    assert (address, chosen.solved, undone) == (f"{PAGE}#joined-16-17", 1, [])
    assert codes_of_messages(refused) == ["lines-not-joined"]
    assert read_report(bytes(made.content)).players == read_report(BASE).players


def fields_of(page: Any) -> Any:
    """Return the fields of the line that a page shows."""
    findings = (one for group in page.context["marked"].groups for one in group.findings)
    return next((one["fields"] for one in findings if "fields" in one), None)


def edit(client: Client, code: str, page: str = PAGE) -> tuple[str, Any]:
    """Press "Edit the line" of an issue. Return the value of the buttons, and the fields."""
    finding = group_of(client, code, page).findings[0]
    value = f"{finding['line']}-{finding['number']}"
    form = fields_of(client.post(f"{page}choose", {"edit": value}, follow=True))
    return value, form


def sent(form: Any, **changed: str) -> dict[str, str]:
    """Return the fields of a line as a browser sends them, some of them changed, of a round as `code_1`."""
    texts = {name: str(form.initial.get(name, "")) for name in form.fields}
    return {f"field-{name}": changed.get(name.replace("-", "_"), text) for name, text in texts.items()}


def test_a_line_is_changed_by_its_fields_in_the_card_of_its_issue(officer: Client, faulty: Report) -> None:
    lines = read_report(bytes(faulty.content)).lines
    value, form = edit(officer, "player-federation")

    typed = sent(form, name="Birch, Benedict", federation="SUI", code_1="0")
    place = choose(officer, typed | {"write": value})
    again = fields_of(officer.get(f"{PAGE}?edit={value}"))
    officer.post(f"{PAGE}fix")

    made = read_report(bytes(Report.objects.get(version=2).content))
    right = lines[BEN - 1].replace("FRA", "SUI").replace("Birch, Ben     ", "Birch, Benedict")
    right = right.replace("1 b 1", "1 b 0")
    marked = [name for name, field in form.fields.items() if "aria-invalid" in field.widget.attrs]
    focused = [name for name, field in form.fields.items() if "autofocus" in field.widget.attrs]
    # The federation is a note.
    assert (marked, focused) == ([], ["number"])
    assert (form.initial["fide_id"], form.initial["opponent-1"]) == ("1300002", "1")
    assert place == f"{PAGE}#F{value.partition('-')[2]}"
    assert (again.initial["name"], again.initial["federation"]) == ("Birch, Benedict", "SUI")
    assert made.lines == (*lines[: BEN - 1], right, *lines[BEN:])


def test_an_edit_solves_only_what_a_check_of_the_report_with_it_has_no_more(
    officer: Client, faulty: Report
) -> None:
    value, form = edit(officer, "player-federation")

    choose(officer, sent(form, code_1="0") | {"write": value})
    groups = officer.get(PAGE).context["marked"].groups
    (edited,) = (one for group in groups if group.code == "player-federation" for one in group.every)
    changed = [(line, old, new) for line, shown in edited["changes"] for _label, old, new in shown.fields]
    assert changed == [(BEN, "1", "0")]
    choose(officer, {"certain": "player-federation"})

    solved = {group.code: group.solved for group in groups}
    wrong = officer.post(f"{PAGE}choose", sent(form, rating="xx") | {"write": value})
    assert group_in(wrong, "player-federation").is_edited
    assert {code for code, number in solved.items() if number} == {"results-contradict"}
    assert {"id-missing", "player-federation"} <= solved.keys()
    # What was written by hand is not overwritten.
    assert [one.key for one in Report.objects.get().amendments] == [f"line-{BEN}"]


def test_a_chosen_person_and_an_edit_of_the_line_are_taken_back_apart(
    officer: Client, faulty: Report
) -> None:
    choose(officer, USE_ADA)
    value, form = edit(officer, "id-missing")
    choose(officer, sent(form, code_1="0") | {"write": value})

    (finding,) = group_of(officer, "id-missing").findings
    choose(officer, {"undo": finding["undo"]})

    assert [one.key for one in Report.objects.get().amendments] == [f"line-{ADA}"]


def test_a_field_that_cannot_be_read_is_refused_in_its_place(officer: Client, faulty: Report) -> None:
    value, form = edit(officer, "player-federation")
    typed = sent(form, rating="xx", federation="XXQ", opponent_1="77", colour_1="q", name="Birch, Benedict")

    pressed = {"write": value, "reason-id-missing": "A tourist."}
    page = officer.post(f"{PAGE}choose", typed | pressed)

    refused = fields_of(page)
    nameless = fields_of(officer.post(f"{PAGE}choose", sent(form, name="") | {"write": value}))
    assert codes_of_form(nameless) == {"name": ["name-missing"]}
    assert codes_of_form(refused) == {
        "rating": ["rating-unreadable"],
        "federation": ["federation-unknown"],
        "opponent-1": ["opponent-unknown"],
        "colour-1": ["colour-unreadable"],
    }
    (focused,) = re.findall("<[^>]* autofocus[^>]*>", page.content.decode())
    assert f'id="{refused["rating"].id_for_label}"' in focused
    assert refused["name"].value() == "Birch, Benedict"
    report = Report.objects.get()
    assert (report.amendments, report.reasons) == ([], {"id-missing": "A tourist."})


def test_the_text_of_a_line_is_changed_on_request(officer: Client, faulty: Report) -> None:
    value, form = edit(officer, "id-missing")
    edited = form.line.replace("Alder, Ada ", "Alder, Adah")

    bad = fields_of(officer.post(f"{PAGE}choose", sent(form, text=f"{edited}\x07") | {"text": value}))
    long = fields_of(officer.post(f"{PAGE}choose", sent(form, text="001 " + "x" * 4000) | {"text": value}))
    choose(officer, sent(form, text=edited) | {"text": value})

    assert (codes_of_form(bad), list(codes_of_form(long))) == ({"__all__": ["line-unusable"]}, ["text"])
    assert Report.objects.get().amendments == [Line(ADA, edited)]


@pytest.mark.parametrize("value", ["0-1", "999-1", "12-999", "x", "99999999-1"])
def test_fields_of_a_line_that_is_not_there_are_not_shown(
    officer: Client, faulty: Report, value: str
) -> None:
    assert fields_of(officer.get(f"{PAGE}?edit={value}")) is None
    assert officer.post(f"{PAGE}choose", {"edit": value}).status_code == 302


def test_edited_lines_are_limited_to_the_size_of_a_report(officer: Client, faulty: Report) -> None:
    edits = [Line(BEN, "x" * MAX_BYTES)]
    value, form = edit(officer, "id-missing")
    Report.objects.update(amendments=edits)

    refused = officer.post(f"{PAGE}choose", sent(form, text="001 edited") | {"text": value})

    assert codes_of_form(fields_of(refused)) == {"__all__": ["file-too-large"]}
    assert Report.objects.get().amendments == edits


def test_typed_reasons_are_kept_by_every_button(officer: Client, faulty: Report) -> None:
    choose(officer, USE_ADA | {"reason-id-missing": "A \x00tourist.", "acknowledgement": "Seen."})
    officer.post(f"{PAGE}fix")

    for version in (1, 2):
        assert Report.objects.get(version=version).reasons == {"id-missing": "A tourist.", "": "Seen."}


def test_reasons_typed_with_the_button_that_saves_a_version_are_kept(officer: Client, faulty: Report) -> None:
    choose(officer, USE_ADA)

    officer.post(f"{PAGE}fix", {"acknowledgement": "Seen."})

    assert Report.objects.get(version=2).reasons == {"": "Seen."}


def signed_out(officer: Client, page: str, to: str, fields: dict[str, str]) -> Any:
    """Send a page's form without a session, sign in again, and return what the portal then shows."""
    shown = officer.get(page)
    user = shown.wsgi_request.user
    mark = Forms(shown.content.decode()).found[-1][1]["typed_by"]
    officer.logout()
    sent = officer.post(to, {**fields, "typed_by": mark})
    officer.force_login(user)
    return officer.get(parse_qs(urlsplit(sent["Location"]).query)["next"][0])


def test_reasons_outlive_a_session_that_ends_before_a_version_is_saved(
    officer: Client, faulty: Report
) -> None:
    choose(officer, USE_ADA)

    shown = signed_out(officer, PAGE, f"{PAGE}fix", {"acknowledgement": "Seen."})

    assert shown.context["form"]["acknowledgement"].value() == "Seen."
    assert (Report.objects.count(), shown.context["choices"]) == (1, 1)


def test_search_outlives_a_session_that_ends_under_it(officer: Client, faulty: Report) -> None:
    shown = signed_out(officer, PAGE, f"{PAGE}choose", {"find": str(ADA), f"words-{ADA}": "Alder, A"})

    assert 'value="Alder, A"' in shown.content.decode()


def test_fields_of_a_line_outlive_a_session_that_ends_under_them(officer: Client, faulty: Report) -> None:
    value, form = edit(officer, "id-missing")

    shown = signed_out(officer, PAGE, f"{PAGE}choose", sent(form, name="Alder, Adah") | {"write": value})

    assert fields_of(shown)["name"].value() == "Alder, Adah"
    assert Report.objects.get().amendments == []


def test_repeated_fixes_create_one_version(officer: Client, faulty: Report) -> None:
    for _ in range(2):
        choose(officer, USE_ADA)
    answers = [officer.post(f"{PAGE}fix")["Location"] for _ in range(2)]

    assert set(answers) == {"/desk/tournaments/SUI-PLAYED/reports/2/"}
    assert Report.objects.count() == 2
    assert steps().count() == 1


def test_second_officer_is_redirected_to_the_first_ones_version(officer: Client, faulty: Report) -> None:
    deputy = make.browser("deputy")
    choose(officer, USE_ADA)
    officer.post(f"{PAGE}fix")
    choose(deputy, {"decide": "1-1:1-0"})

    answer = deputy.post(f"{PAGE}fix")

    assert len(messages_of(answer)) == 1
    assert "Version 2 was" in messages_of(answer)[0]
    assert Report.objects.count() == 2


def test_reasons_of_groups_are_stored_after_their_codes(officer: Client, played: Tournament) -> None:
    upload(officer, NAMELESS)

    tourist, seen = "A tourist.", "Seen."
    silent = officer.post(f"{PAGE}accept", {"reason-id-missing": tourist})
    officer.post(f"{PAGE}accept", {"reason-id-missing": tourist, "acknowledgement": seen})

    missing = silent.context["missing_reasons"]
    assert list(silent.context["form"].errors) == [f"reason-{code}" for code in missing]
    # Each is named by its warning, not by the name of its field.
    labels = [silent.context["form"][f"reason-{code}"].label for code in missing]
    assert not [label for label in labels if label.lower().startswith("reason-")]
    assert missing
    assert "id-missing" not in missing
    report = Report.objects.get()
    assert (report.state, report.acknowledgement) == ("accepted", f"{tourist} (id-missing)\n{seen}")
    assert (report.amendments, report.reasons) == ([], {})
    assert LogEntry.objects.get(action="accept").reason == report.acknowledgement
    # The code of a warning comes after its reason.
    assert LogEntry.objects.get(action="accept").why == f"{tourist} (id-missing)\n{seen}"
    # On the page each is beside its issue.
    page = officer.get(PAGE)
    group = group_in(page, "id-missing")
    assert (group.acknowledged, page.context["acknowledgement"]) == (tourist, seen)


@pytest.mark.slow
def test_real_event_of_crete_needs_one_pass_and_one_version(
    officer: Client, swiss: Federation, real_data: Path
) -> None:
    content = (real_data / "trf" / "crete_friendship_cup_2024_rapid_team.trf").read_bytes()
    days = {"start": date(2024, 11, 23), "end": date(2024, 11, 24)}
    make.tournament(event_id="SUI-CRETE", federation=swiss, **days)
    Tournament.objects.update(upheld_on=TODAY)
    greece, read = make.federation(code="GRE"), read_report(content)
    with_id = {record.fide_id: record for record in read.players if record.fide_id}
    for number, record in enumerate(with_id.values()):
        # Registered here under other FIDE IDs than in the report.
        told = {"name": record.name.replace(",", ", "), "birth_year": record.birth_year, "sex": record.sex}
        make.player(fide_id=70_000_000 + number, federation=greece, **told)
    page = "/desk/tournaments/SUI-CRETE/reports/1/"

    upload(officer, content, "SUI-CRETE")
    before = group_of(officer, "id-unknown", page)
    officer.post(f"{page}choose", {"certain": "id-unknown"})
    officer.post(f"{page}fix")

    codes = [finding["code"] for finding in Report.objects.get(version=2).findings]
    # One player is on two lines, neither of which is certain.
    assert (before.count, before.certain) == (107, 105)
    assert (Report.objects.count(), codes.count("id-unknown")) == (2, before.count - before.certain)


@pytest.mark.parametrize("unknown", [1, 60])
def test_page_makes_the_same_queries_with_many_unknown_players(
    officer: Client,
    played: Tournament,
    swiss: Federation,
    django_assert_max_num_queries: Callable[..., Any],
    unknown: int,
) -> None:
    names = [f"Player{chr(97 + number // 26)}{chr(97 + number % 26)}, Pat" for number in range(unknown)]
    for name in names:
        make.player(name=name, federation=swiss)
    rounds = [[(1, 2, "1-0")], [(2, 3, "1/2")], [(3, 1, "0-1")]]
    years = dict.fromkeys(range(4, 4 + unknown), 1980)
    event = Event([*PLAYERS, *((0, name) for name in names)], rounds, birth_years=years, **FACTS)
    upload(officer, event.content())
    choose(officer, {"certain": "id-missing"})
    choose(officer, {"undo": "identity-14"})
    # The rail of the first page counts the tasks, which the next ones share.
    officer.get("/desk/")

    with django_assert_max_num_queries(QUERIES):
        page = officer.get(f"{PAGE}?line=14&words=playera")

    group = group_in(page, "id-missing")
    assert (group.count, group.solved) == (unknown, unknown - 1)


@pytest.mark.slow
def test_large_report_shows_only_the_lines_of_its_issues(officer: Client, played: Tournament) -> None:
    players = [(0, f"Player, Number{number}") for number in range(600)]
    content = Event(players, [[(1, 2, "1-0")]] * 3, **FACTS).content()
    upload(officer, content)

    short, one, whole = (
        officer.get(f"{PAGE}{ask}").context["marked"] for ask in ("", "?code=id-missing", "?all=1")
    )

    groups = [{group.code: len(group.findings) for group in marked.groups} for marked in (short, one, whole)]
    assert [found["id-missing"] for found in groups] == [200, 500, 600]
    assert (short.is_whole, whole.is_whole) == (False, True)
    assert len(short.lines) < 300
    assert len(whole.lines) == content.count(b"\n")


def test_missing_records_and_the_name_are_taken_from_the_registration_by_a_button_each(
    officer: Client, played: Tournament
) -> None:
    Tournament.objects.update(city="Alphaville", chief_arbiter="Arbiter, Anna")
    lines = Event(PLAYERS, ROUNDS, name="Another Cup", **FACTS).content().decode().splitlines(keepends=True)
    upload(officer, "".join(line for line in lines if line[:3] not in ("022", "102")).encode())
    key = group_of(officer, "event-name").findings[0]["key"]
    page = officer.get(PAGE).content.decode()
    for press in ({"fill": "record-missing"}, {"fill": "record-missing"}, {"fix": key}):
        choose(officer, press)

    officer.post(f"{PAGE}fix")

    made = read_report(bytes(Report.objects.get(version=2).content))
    assert ['value="record-missing"' in page, f'name="fix" value="{key}"' in page] == [True, True]
    assert (made.name, made.city, made.chief_arbiter) == ("Open of Alphaville", "Alphaville", "Arbiter, Anna")


def test_issues_are_filtered_by_severity_and_actions_and_reasons_remain(
    officer: Client, faulty: Report
) -> None:
    pages = [officer.get(f"{PAGE}?severity={one}") for one in ("", "error", "warning", "notice")]
    place = choose(officer, {**USE_ADA, "severity": "error"})

    every, errors = (page.context["marked"] for page in pages[:2])
    assert {group.severity for group in every.shown_groups} > {"error"}
    assert {group.severity for group in errors.shown_groups} == {"error"}
    assert len(errors.groups) == len(every.groups)
    reasons = {page.content.count(b'name="reason-') for page in pages}
    assert (len(reasons), 0 in reasons) == (1, False)
    assert place == f"{PAGE}?severity=error#identity-{ADA}"


def test_reasons_are_counted_and_a_phrase_fills_one(officer: Client, played: Tournament) -> None:
    upload(officer, NAMELESS)

    before = officer.get(PAGE).context["missing_reasons"]
    place = choose(officer, {"phrase": "id-missing:0"})
    after = officer.get(PAGE).context["missing_reasons"]

    assert (sorted({*before} - {*after}), place) == (["id-missing"], f"{PAGE}#reason-id-missing")
    assert Report.objects.get().reasons["id-missing"]


@pytest.fixture
def borrowed(officer: Client, played: Tournament, swiss: Federation) -> Report:
    """Return a version in which the first player has the FIDE ID of Dorn, Dora."""
    make.player(fide_id=1_300_010, name="Dorn, Dora", federation=swiss, birth_year=1970, sex="F")
    players = [(1_300_010, "Alder, Ada"), *PLAYERS[1:]]
    content = Event(players, ROUNDS, birth_years={1: 1970}, **FACTS).content()
    return upload(officer, content)


def test_owner_of_a_fide_id_is_named_and_the_same_person_gets_the_registered_name(
    officer: Client, borrowed: Report
) -> None:
    finding = group_of(officer, "id-of-another").findings[0]
    place = choose(officer, {"same": str(ADA)})
    saved = officer.post(f"{PAGE}fix", {}, follow=True)

    (record, *_others) = read_report(bytes(Report.objects.get(version=2).content)).players
    codes = [group.code for group in saved.context["marked"].groups]
    assert (finding["owner"].name, finding["owner_differs"]) == ("Dorn, Dora", "name differs, sex differs")
    assert place == f"{PAGE}#identity-{ADA}"
    assert (record.name, record.sex, record.fide_id) == ("Dorn, Dora", "F", 1_300_010)
    assert "id-of-another" not in codes


def test_other_person_loses_the_fide_id_or_gets_the_right_one(officer: Client, borrowed: Report) -> None:
    found = officer.get(f"{PAGE}?line={ADA}&words=")
    choose(officer, {"clear": str(ADA)})
    (cleared,) = officer.get(f"{PAGE}fix").context["chosen"].lines
    choose(officer, USE_ADA)

    (finding,) = group_in(found, "id-of-another").findings
    assert finding["best"].player.fide_id == 1_300_001
    assert ("1300010" in cleared.old, "1300010" in cleared.new) == (True, False)
    assert Report.objects.get().amendments == [Identity(ADA, 1_300_001)]


def test_the_search_for_a_player_has_suggestions(officer: Client, faulty: Report) -> None:
    pages = [officer.get(address).content.decode() for address in (PAGE, f"{PAGE}?line={ADA}")]

    without, asked = (page.count('data-suggest="/search/suggestions"') for page in pages)
    assert (asked - without, f'id="words-{ADA}"' in pages[1]) == (1, True)


def test_a_shifted_line_is_one_problem_under_a_ruler_and_is_realigned(
    officer: Client, played: Tournament
) -> None:
    right = Event(PLAYERS, ROUNDS, birth_years={1: 1980}, **FACTS).content()
    line = right.split(b"\r\n")[ADA - 1]
    shifted = right.replace(line, line[:57] + line[58:])
    upload(officer, shifted)

    group = group_of(officer, "shifted-columns")
    (finding,) = group.findings
    page = officer.get(PAGE).content.decode()
    _value, form = edit(officer, "shifted-columns")
    choose(officer, {"fix": finding["key"]})
    officer.post(f"{PAGE}fix")

    # The fields have the line as it should be: nothing is wrong in them.
    assert not any("aria-invalid" in field.widget.attrs for field in form.fields.values())
    shift = finding["shift"]
    assert (group.layout, group.count, finding["line"]) == ("shifts", 1, ADA)
    assert (shift.column, shift.by, shift.is_left, shift.record.fide_id) == (58, 1, True, 1_300_001)
    assert [place in page for place in (f"Realign line {ADA}", "├─────────┤")] == [True, True]
    assert bytes(Report.objects.get(version=2).content) == right


def test_exchanged_ids_are_one_issue_that_is_fixed_and_undone_at_once(
    officer: Client, played: Tournament
) -> None:
    (ada, name), (ben, other), third = PLAYERS
    content = Event([(ben, name), (ada, other), third], ROUNDS, **FACTS).content()
    upload(officer, content)
    group = group_of(officer, "ids-exchanged")
    (finding,) = group.findings

    place = choose(officer, {"fix": finding["key"]})
    chosen = group_of(officer, "ids-exchanged")
    lines = [one.new for one in officer.get(f"{PAGE}fix").context["chosen"].lines]
    undone = choose(officer, {"undo": chosen.findings[0]["undo"]})

    assert (group.count, chosen.solved, [str(ada) in line for line in lines]) == (1, 1, [True, False])
    assert (place == undone, Report.objects.get().amendments) == (True, [])


def test_an_issue_of_two_lines_is_solved_with_both(officer: Client, played: Tournament) -> None:
    right = b"122 15 minutes plus 10 sec per move"
    upload(officer, report_of().replace(right, b"122 20+10\r\n222 1200+10"))
    Report.objects.update(amendments=[Line(9, right.decode())])

    group = group_of(officer, "event-time-control")
    choose(officer, {"fix": group.findings[0]["key"]})

    assert (group.count, group.solved) == (1, 0)
    assert group_of(officer, "event-time-control").solved == 1


def test_typed_reason_is_kept_when_the_differences_or_a_severity_are_shown(
    officer: Client, faulty: Report
) -> None:
    typed = {"reason-id-missing": "Seen."}

    shown = [choose(officer, typed | press) for press in ({"show": "differences"}, {"severity": "error"})]

    assert shown == [f"{PAGE}fix", f"{PAGE}?severity=error"]
    assert Report.objects.get().reasons == {"id-missing": "Seen."}


def test_more_than_eight_issues_of_a_kind_are_folded(officer: Client, played: Tournament) -> None:
    players = [(0, f"Alder, A{number}") for number in range(12)]
    content = Event(players, [[(1, 2, "1-0")]], **FACTS | {"round_dates": ["26/02/28"]}).content()
    upload(officer, content)

    group = group_of(officer, "id-missing")

    assert (len(group.open_rows), len(group.folded_rows), group.is_unfolded) == (8, 4, False)
