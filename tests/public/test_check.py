"""The check and preview without an account: the same issues, nothing stored, rate limits."""

from __future__ import annotations

import re
from typing import Any

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from players.models import Federation, Player
from ratings.models import RatingList, Run
from tests import make
from tests.codes import codes_of_answer
from tests.public.pages import codes, page, text_of
from tests.trf_files import PLAYERS, ROUNDS, Event
from tournaments.models import Report, Tournament

pytestmark = pytest.mark.django_db
PAGE = "/check/"
EVENT = Event(PLAYERS, ROUNDS)


@pytest.fixture
def rated() -> None:
    rating_list = make.rating_list()
    for (fide_id, name), rating in zip(PLAYERS, (2000, 1900, 1800), strict=True):
        make.entry(rating_list=rating_list, player=make.player(fide_id=fide_id, name=name), rating=rating)


def send(client: Client, content: bytes = EVENT.content(), **form: Any) -> Any:
    return client.post(PAGE, {"report": SimpleUploadedFile("open.trf", content), **form})


def sent(shown: Any) -> dict[str, str]:
    """Return the fields of the page; browsers send a text with CRLF, whatever ends the lines of the file."""
    return {"text": re.sub("\n", "\r\n", shown["text"]), "kind": shown["kind"], "work": shown["work"]}


def press(client: Client, shown: Any, **button: str) -> Any:
    """Press a button of the page, and return what it shows then."""
    return client.post(PAGE, {**sent(shown), **button}).context


def test_page_shows_the_report_form(client: Client) -> None:
    assert "Check report" in page(client, PAGE)


def test_issues_are_shown_and_nothing_is_stored(client: Client, rated: None) -> None:
    answer = send(client, EVENT.content().replace(b"1300003", b"1399999"))
    shown = [group.code for group in answer.context["marked"].groups]
    assert "id-unknown" in shown
    kept = answer["Cache-Control"].split(", ")
    assert (answer.status_code, "no-store" in kept, "private" in kept) == (200, True, True)
    assert [model.objects.count() for model in (Report, Tournament, Run)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("open.csv", "This is a crosstable (CSV or a spreadsheet), which has no dates and no time control."),
        ("open.papi", "This is a tournament file of Papi."),
    ],
)
def test_file_that_is_not_trf_is_refused_with_a_hint(client: Client, name: str, reason: str) -> None:
    answer = client.post(PAGE, {"report": SimpleUploadedFile(name, b"No;Name;1\n1;Adams, Eva;2w1\n")})

    assert answer.context["form"].errors["report"][0].startswith(reason)


def test_pasted_text_is_checked_like_the_file(client: Client, rated: None) -> None:
    pasted = client.post(PAGE, {"text": EVENT.text()})
    sent = send(client)
    assert pasted.context["marked"] == sent.context["marked"]


def test_preview_equals_that_of_the_command(client: Client, rated: None) -> None:
    answer = send(client, kind="rapid")
    shown = {row["it"].player.fide_id: row["it"].result.rounded for row in answer.context["shown"].rows}
    # 0.36 and 0.24; −0.36 and −0.14; 0.14 and −0.24; times 20, rounded.
    assert shown == {1_300_001: 12, 1_300_002: -10, 1_300_003: -2}
    assert answer.context["preview"].rated.counted_games == 3


def test_preview_is_of_the_type_that_the_time_control_tells_or_that_is_chosen(
    client: Client, rated: None
) -> None:
    told = send(client).context
    chosen = press(client, told, kind="blitz")

    assert [(one["previewed"], one["preview"] is not None) for one in (told, chosen)] == [
        ("rapid", True),
        ("blitz", True),
    ]


def test_of_two_players_with_one_colour_either_had_white(client: Client, rated: None) -> None:
    shown = send(client, EVENT.content().replace(b"1 b 0", b"1 w 0")).context
    (finding,) = (group.findings[0] for group in shown["marked"].groups if group.code == "colours-same")
    names, keys = zip(*finding["whites"], strict=True)

    changed = [press(client, shown, fix=key)["changes"][0] for key in keys]

    assert names == ("Alder, Ada", "Birch, Ben")
    assert [("1 b 0" in one.new, "2 b 1" in one.new) for one in changed] == [(True, False), (False, True)]


def test_a_time_control_of_neither_type_is_no_report_without_issues(client: Client, rated: None) -> None:
    shown = send(client, re.sub(rb"122 .*", b"122 90+30", EVENT.content()))
    assert (shown.context["other_time"], send(client).context["other_time"]) == ("90+30", "")
    assert "time-control" in codes(shown.content.decode())
    assert shown.context["counts"]["error"] == shown.context["marked"].open_counts["error"] + 1


def test_preview_shows_defaults_once_and_exceptions_in_their_rows(client: Client, rated: None) -> None:
    players = [*PLAYERS, (0, "Dale, Dan")]
    rounds = [[(1, 2, "1-0"), (3, 4, "1/2")], [(2, 3, "1/2"), (1, 4, "1-0")], [(3, 1, "0-1"), (2, 4, "1-0")]]

    answer = send(client, Event(players, rounds).content(), kind="rapid")

    shown = answer.context["shown"]
    assert [(row["is_usual"], row["outcome"]) for row in shown.rows] == [(True, None)] * 3 + [(False, None)]
    assert (shown.outcome.count, shown.outcome.of, shown.unknown) == (3, 3, 1)
    assert (shown.left_out.count, shown.left_out.of) == (3, 3)
    assert [row["left_out"] for row in shown.rows] == [[(None, [2])], [(None, [3])], [(None, [1])], []]


def test_one_round_of_two_digits_is_one_round(client: Client, rated: None) -> None:
    make.entry(
        rating_list=RatingList.objects.get(),
        player=make.player(fide_id=1_300_004, name="Dogwood, Dan"),
        rating=1700,
    )
    players = [*PLAYERS, (1_300_004, "Dogwood, Dan")]
    whole = [(1, 2, "1-0"), (3, 4, "0-1")]
    event = Event(players, [*[whole] * 9, whole[:1]])

    shown = text_of(send(client, event.content(), kind="rapid").content.decode())

    assert ("Round 10 is unrated: No opponent" in shown, "Rounds 10" in shown) == (True, False)


def test_no_preview_with_errors_or_before_the_first_rules_d13(client: Client, rated: None) -> None:
    wrong = send(client, EVENT.content().replace(b"   1 b 0", b"   1 b 1"), kind="rapid")
    old = Event(PLAYERS, EVENT.rounds, start="2021/01/10", end="2021/01/11")
    before = send(client, old.content(), kind="rapid")
    for answer in (wrong, before):
        assert answer.context["preview"] is None
        assert "nothing-rated" in codes(answer.content.decode())


def test_issues_do_not_reveal_other_tournaments(client: Client, rated: None) -> None:
    make.tournament(name=EVENT.name)
    codes = {group.code for group in send(client).context["marked"].groups}
    assert codes.isdisjoint({"event-again", "player-elsewhere", "player-rounds-a-day", "event-name"})


@pytest.mark.parametrize(
    ("form", "field", "code"),
    [
        ({}, "report", "required"),
        ({"text": "  "}, "report", "required"),
        ({"report": SimpleUploadedFile("x.trf", b"")}, "report", "empty"),
        ({"text": EVENT.text(), "kind": "bullet"}, "kind", "invalid_choice"),
        ({"text": "x\x00y"}, "text", "null_characters_not_allowed"),
    ],
)
def test_missing_report_is_refused_at_its_field(
    client: Client, form: dict[str, Any], field: str, code: str
) -> None:
    assert codes_of_answer(client.post(PAGE, form))[field] == [code]


@pytest.mark.parametrize(
    "content",
    [b"PK\x03\x04zip", b"%PDF-1.7", b"\x89PNG\r\n", b"\x00" * 500, b"<html>", b"no report", b"\xff\xfe"],
)
def test_file_without_a_report_is_refused_at_its_field(client: Client, content: bytes) -> None:
    answer = send(client, content, kind="rapid")
    assert (len(answer.context["form"].errors["report"]), answer.context["checked"]) == (1, None)


def test_too_large_file_is_refused(client: Client) -> None:
    answer = send(client, b"0" * (5 * 1024 * 1024))
    assert codes_of_answer(answer) == {"report": ["too-large"]}


def test_rate_limit_counts_forms_and_not_pages(client: Client) -> None:
    # Within one minute: the next one would start a new count.
    with time_machine.travel("2026-03-04T09:30:00Z", tick=False):
        answers = [client.post(PAGE, {"text": "001"}).status_code for _ in range(21)]
    assert answers == [*[200] * 20, 429]
    assert client.get(PAGE).status_code == 200


def test_form_needs_a_csrf_token(rated: None) -> None:
    careful = Client(enforce_csrf_checks=True)
    assert send(careful).status_code == 403


def test_help_with_a_limit_is_in_the_language_of_the_page(client: Client) -> None:
    texts = {
        language: str(client.get(f"{language}/check/").context["form"].fields["report"].help_text)
        for language in ("", "/fr")
    }
    assert (texts[""] == texts["/fr"], "Mio" in texts["/fr"]) == (False, True)


@pytest.mark.parametrize(("button", "wanted"), [("certain", "all"), ("certain", "code"), ("fix", "key")])
def test_shifted_line_is_an_error_and_is_realigned_on_the_page(
    client: Client, rated: None, button: str, wanted: str
) -> None:
    line = next(line for line in EVENT.text().splitlines() if line.startswith("001"))
    shifted = EVENT.text().replace(line, line[:47] + " " + line[47:]).encode()
    shifted = shifted.replace(b"\r\n", b"\n") if button == "fix" else shifted

    before = send(client, shifted, kind="rapid").context
    (group,) = [group for group in before["marked"].groups if group.severity == "error"]
    (finding,) = group.findings
    after = press(client, before, **{button: finding.get(wanted, wanted)})
    file = client.post(PAGE, {**sent(after), "download": "1"})
    undone = press(client, after, undo=str(finding["line"]))

    assert (group.code, group.layout, group.one_shift) == ("shifted-columns", "shifts", finding["line"])
    assert ([*finding["shift"].fields][-1], finding["shift"].are_points_right) == (("Rank", "", "1"), True)
    assert (before["preview"], after["marked"].counts["error"], after["preview"] is None) == (None, 0, False)
    assert file.content.decode().splitlines() == EVENT.text().splitlines()
    assert (b"\r" in file.content) is (b"\r" in shifted)
    assert "open-corrected.trf" in file["Content-Disposition"]
    assert [one.line for one in after["changes"]] == [finding["line"]]
    assert (undone["text"], undone["changes"]) == (before["text"], [])


@pytest.mark.parametrize(("is_hidden", "grade"), [(False, "sure"), (True, "likely")])
def test_player_without_fide_id_is_offered_with_what_the_lists_show(
    client: Client, rated: None, is_hidden: bool, grade: str
) -> None:
    today = timezone.now().date()
    player = Player.objects.get(pk=PLAYERS[0][0])
    player.birth_year = today.year - 12
    player.save()
    Federation.objects.filter(pk=player.federation_id).update(hides_birth_years_of_minors=is_hidden)
    players = [(0, PLAYERS[0][1]), *PLAYERS[1:]]
    event = Event(players, EVENT.rounds, birth_years={1: player.birth_year})

    before = send(client, event.content()).context
    (group,) = (one for one in before["marked"].groups if one.code == "id-missing")
    (finding,) = group.findings
    after = press(client, before, fix=finding["key"])

    assert (finding["best"].player, finding["best"].grade, group.certain) == (player, grade, not is_hidden)
    assert str(player.pk) in after["text"]
    assert [one.line for one in after["changes"]] == [finding["line"]]


def test_a_button_for_all_counts_the_lines_that_are_not_shown(client: Client) -> None:
    players = [(1_300_001 + number, f"Alder, A{number}") for number in range(24)]
    text = Event(players, [[(1, 2, "1-0")]]).text()
    shifted = re.sub("(?m)^(001.{44})", r"\1 ", text)

    shown = client.post(PAGE, {"text": shifted}).context
    before = shown["marked"]
    (group,) = (one for one in before.groups if one.code == "shifted-columns")
    after = press(client, shown, certain=group.code)["marked"]

    assert (len(group.findings), group.count, group.certain, before.certain) == (20, 24, 24, 24)
    assert [one for one in after.groups if one.code == group.code] == []


def test_line_that_has_no_room_for_its_name_is_realigned_by_a_person(client: Client) -> None:
    line = next(line for line in EVENT.text().splitlines() if line.startswith("001"))
    text = EVENT.text().replace(
        line, line[:14] + "Wolfeschlegelsteinhausen-Schwarzenberg, Hubertus" + line[47:]
    )

    before = client.post(PAGE, {"text": text}).context
    (group,) = (one for one in before["marked"].groups if one.code == "shifted-columns")
    after = press(client, before, certain=group.code)["marked"]

    assert (bool(group.findings[0]["key"]), group.certain) == (True, 0)
    assert [one.code for one in after.groups if one.code == group.code] == [group.code]


def test_on_which_days_the_rounds_were_is_left_to_people(client: Client) -> None:
    days: dict[str, Any] = {
        "start": "2026/01/10",
        "end": "2026/01/10",
        "round_dates": ["26/01/10", "26/01/11", "26/01/12"],
    }
    text = Event(PLAYERS, EVENT.rounds, **days).text()

    before = client.post(PAGE, {"text": text}).context
    (finding,) = next(one for one in before["marked"].groups if one.code == "round-date-outside").findings
    after = [
        press(client, before, **form)["text"].splitlines()
        for form in ({"certain": "all"}, {"fix": finding["key"]})
    ]

    assert before["marked"].certain == 0
    assert [lines == text.splitlines() for lines in after] == [True, False]


def test_exchanged_ids_are_one_problem_with_one_fix(client: Client, rated: None) -> None:
    first, second = ("1300001", "1300002")
    text = EVENT.text().replace(first, "#######").replace(second, first).replace("#######", second)

    before = client.post(PAGE, {"text": text}).context
    (group,) = (one for one in before["marked"].groups if one.is_of_another_person)
    after = press(client, before, fix=group.findings[0]["key"])

    assert (group.code, group.count, len(group.findings[0]["changes"])) == ("ids-exchanged", 1, 2)
    # Whose rating a game moves is decided pair by pair.
    assert before["marked"].certain == 0
    assert after["text"].splitlines() == EVENT.text().splitlines()


@pytest.mark.parametrize(
    "work",
    [
        "",
        "[]",
        '{"before": {"999": "x"}}',
        '{"before": {"99999999999999999999": "x"}}',
        '{"offered": [["k", "c", true, 99, "x"]]}',
        f'{{"offered": [["k", "c", true, 1, "{"x" * 9_999}"]]}}',
        f'{{"offered": [["k", "c", true, 1, "x", {"[" * 99_999}]]}}',
    ],
    ids=str.__len__,
)
def test_work_that_no_page_sent_changes_nothing(client: Client, work: str) -> None:
    shown = client.post(PAGE, {"text": EVENT.text(), "work": work, "fix": "k", "undo": "999"}).context

    assert (shown["text"].splitlines(), shown["changes"]) == (EVENT.text().splitlines(), [])


def test_every_form_sends_as_much_text_as_a_file_may_have(client: Client) -> None:
    # As a query a letter beyond ASCII is six bytes or more.
    forms = re.findall("<form[^>]*/check/[^>]*>", send(client).content.decode())

    assert ['enctype="multipart/form-data"' in form for form in forms] == [True, True]
