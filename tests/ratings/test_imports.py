"""`import_fide_list`: what comes in, from which files, and what is left alone."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from players.fide_list import ListRecord
from players.models import Federation, FormerFederation, NameWord, Player
from ratings.choices import SENTENCES
from ratings.imports.people import FIELDS, PERSON
from ratings.management.commands.import_fide_list import Command
from ratings.models import ListEntry, RatingList
from ratings.publish.entries import ROW_FIELDS
from ratings.ranking import RankedAmong, rankings_of
from ratings.verify.verify import verify_list
from tests import make
from tests.ratings.list_files import (
    Listed,
    gzipped,
    single_list,
    text_list,
    written,
    xml_list,
    zipped,
)

pytestmark = [pytest.mark.django_db, pytest.mark.page]

PLAYERS = (
    Listed(101, "Zarnik, Olvo", standard=(2410, 0, 10), rapid=(2356, 7, 10), title="GM"),
    Listed(102, "Brandel, Mira", rapid=(1850, 0, 40), sex="F", born=2012, flag="w"),
    Listed(103, "Ostin, Pell", "NOR", blitz=(1720, 3, 20), flag="i"),
    Listed(104, "", "NOR", sex="", born=None),
)
FIGURES = ("rating", "games", "k_factor", "completed_games", "reached_2300", "reached_2400", "last_played")
SHOWN = ("name", "federation", "sex", "title", "birth_year")


def figures_of(fide_id: int, kind: str, on: str = "2026-01-01") -> tuple[Any, ...]:
    entry = ListEntry.objects.filter(player=fide_id, rating_list__kind=kind, rating_list__date=on)
    (figures,) = entry.values_list(*FIGURES)
    return tuple(figures)


def everything() -> dict[str, list[Any]]:
    """Return all that an import may write."""
    return {
        "players": list(Player.objects.order_by("pk").values_list()),
        "words": sorted(NameWord.objects.values_list("player", "word")),
        "lists": list(RatingList.objects.order_by("kind", "date").values_list()),
        "entries": list(ListEntry.objects.order_by("pk").values_list()),
        "federations": list(Federation.objects.order_by("pk").values_list()),
    }


@pytest.mark.database
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("players_list_foa.txt", text_list(*PLAYERS)),
        ("list_xml.zip", zipped(xml_list(*PLAYERS), "players_list_xml_foa.xml")),
    ],
)
def test_combined_list_brings_players_and_three_lists(tmp_path: Path, name: str, content: bytes) -> None:
    path = written(tmp_path / name, content)
    result = make.run("import_fide_list", path, "--date", "2026-01-01")
    seconds = result.pop("seconds")
    assert seconds >= 0
    assert result == {
        "date": "2026-01-01",
        "players": {"read": 4, "created": 4, "changed": 0},
        "kept": [],
        "kept_count": 0,
        "lists": [
            {"kind": "standard", "listed": 1, "created": True},
            {"kind": "rapid", "listed": 2, "created": True},
            {"kind": "blitz", "listed": 1, "created": True},
        ],
        "problems": [],
        "problem_count": 0,
        "repairs": [],
        "compared": [],
        "notices": [],
        "waiting": [],
        "contained": [],
        "warnings": [],
        "reasons": [],
        "written": True,
    }
    assert list(Player.objects.order_by("pk").values_list("pk", *SHOWN)) == [
        (101, "Zarnik, Olvo", "SUI", "M", "GM", 1980),
        (102, "Brandel, Mira", "SUI", "F", "", 2012),
        (103, "Ostin, Pell", "NOR", "M", "", 1980),
        (104, "", "NOR", "", "", None),
    ]


def test_entries_say_what_the_list_implies(tmp_path: Path) -> None:
    """D-12."""
    make.run("import_fide_list", written(tmp_path / "list.txt", text_list(*PLAYERS)), "--date", "2026-01-01")
    first = date(2026, 1, 1)
    assert figures_of(101, "standard") == (2410, 0, 10, 30, True, True, first)
    assert figures_of(101, "rapid") == (2356, 7, 10, 30, True, True, first)
    assert figures_of(102, "rapid") == (1850, 0, 40, 30, False, False, first)
    assert figures_of(103, "blitz") == (1720, 3, 20, 30, False, False, None)


def test_lists_name_their_rules_and_source(tmp_path: Path) -> None:
    make.run("import_fide_list", written(tmp_path / "list.txt", text_list(*PLAYERS)), "--date", "2026-01-01")
    for rating_list in RatingList.objects.all():
        assert (rating_list.origin, rating_list.rules) == ("imported", "fide-rapid-blitz-2024")
        assert (rating_list.manifest["source"], rating_list.manifest["read"]) == ("list.txt", 4)
        assert verify_list(rating_list) is None


def test_list_before_any_rules_has_none_and_makes_no_k_up(tmp_path: Path) -> None:
    players = (Listed(101, rapid=(2356, 7, None)), Listed(102, rapid=(1900, 0, 20)))
    make.run("import_fide_list", written(tmp_path / "list.txt", text_list(*players)), "--date", "2018-12-01")
    assert RatingList.objects.get(kind="rapid").rules == ""
    first = date(2018, 12, 1)
    assert figures_of(101, "rapid", "2018-12-01") == (2356, 7, None, 30, True, False, first)
    assert figures_of(102, "rapid", "2018-12-01") == (1900, 0, 20, 30, False, False, first)


def test_same_file_again_writes_nothing_and_says_so(tmp_path: Path) -> None:
    path = written(tmp_path / "list.txt", text_list(*PLAYERS, "rubbish"))
    make.run("import_fide_list", path, "--date", "2026-01-01", "--force", "Checked.")
    Player.objects.filter(pk=101).update(name="Zarnik, O.")
    before = everything()
    result = make.run("import_fide_list", path, "--date", "2026-01-01")
    assert everything() == before
    assert result["players"] == {"read": 4, "created": 0, "changed": 0}
    assert [item["created"] for item in result["lists"]] == [False, False, False]
    assert [item["listed"] for item in result["lists"]] == [1, 2, 1]
    assert result["problem_count"] == 1


@pytest.mark.database
def test_next_list_writes_changed_players_only(tmp_path: Path) -> None:
    first = written(tmp_path / "first.txt", text_list(*PLAYERS))
    make.run("import_fide_list", first, "--date", "2026-01-01")
    Player.objects.filter(pk=102).update(birth_date=date(2012, 5, 4), died_on=date(2026, 1, 15))
    changed = (
        PLAYERS[0],
        Listed(102, "Brandel Tor, Mira", "NOR", rapid=(1890, 5, 40), sex="F", born=None),
        Listed(103, "", "NOR", blitz=(1720, 0, 20), sex="", flag="i"),
        Listed(105, "Novak, Ilo", rapid=(1700, 5, 40)),
    )
    second = written(tmp_path / "second.txt", text_list(*changed))
    result = make.run("import_fide_list", second, "--date", "2026-02-01")
    assert result["players"] == {"read": 4, "created": 1, "changed": 1}
    player = Player.objects.get(pk=102)
    assert (player.name, player.federation_id, player.birth_year) == ("Brandel Tor, Mira", "NOR", 2012)
    assert (player.birth_date, player.died_on) == (date(2012, 5, 4), date(2026, 1, 15))
    assert Player.objects.get(pk=103).name == "Ostin, Pell"
    assert ListEntry.objects.get(player=103, rating_list__date="2026-02-01").name == "Ostin, Pell"


@pytest.mark.database
def test_d143_lists_that_name_other_federations_keep_the_former_ones_and_an_older_list_none(
    tmp_path: Path,
) -> None:
    # Registered before the first list, in the federation that it names.
    make.player(fide_id=101, federation__code="SUI")
    for month, code in ((2, "SUI"), (3, "NOR"), (4, "NOR"), (1, "SWE"), (5, "SUI"), (6, "")):
        people = text_list(*(Listed(key, federation=code, rapid=(1900, 0, 20)) for key in (101, 102)))
        path = written(tmp_path / f"{month}.txt", people)
        make.run("import_fide_list", path, "--date", f"2026-0{month}-01")
    left = [("SUI", date(2026, 3, 1)), ("NOR", date(2026, 5, 1))]
    for fide_id in (101, 102):
        rows = FormerFederation.objects.filter(player=fide_id).order_by("until")
        assert list(rows.values_list("federation", "until")) == left


def test_players_are_found_by_the_words_of_their_present_name(tmp_path: Path) -> None:
    make.run("import_fide_list", written(tmp_path / "a.txt", text_list(*PLAYERS)), "--date", "2026-01-01")
    renamed = Listed(102, "Brandel Tor, Mira", rapid=(1890, 5, 40), sex="F", born=2012, flag="w")
    content = text_list(PLAYERS[0], renamed)
    make.run("import_fide_list", written(tmp_path / "b.txt", content), "--date", "2026-02-01")
    assert sorted(NameWord.objects.values_list("player", "word")) == [
        (101, "olvo"),
        (101, "zarnik"),
        (102, "brandel"),
        (102, "mira"),
        (102, "tor"),
        (103, "ostin"),
        (103, "pell"),
    ]


def test_dirty_lines_are_named_and_nothing_else_is_lost(tmp_path: Path) -> None:
    far_too_strong = Listed(106, rapid=(9500, 0, 20)).line()
    content = text_list(PLAYERS[0], "no player at all", PLAYERS[1], far_too_strong, PLAYERS[0], PLAYERS[2])
    path = written(tmp_path / "list.txt", content)
    result = make.run("import_fide_list", path, "--date", "2026-01-01", "--force", "Checked.")
    assert [(problem["line"], problem["column"]) for problem in result["problems"]] == [
        (3, None),
        (5, 127),
        (6, None),
    ]
    assert result["problem_count"] == 3
    assert sorted(Player.objects.values_list("pk", flat=True)) == [101, 102, 103]


def test_d119_a_list_with_many_skipped_records_needs_a_reason(tmp_path: Path) -> None:
    path = written(tmp_path / "list.txt", text_list(*PLAYERS, "no player"))
    before = everything()
    with pytest.raises(make.RefusedCommandError):
        make.run("import_fide_list", path, "--date", "2026-01-01")
    assert everything() == before

    result = make.run("import_fide_list", path, "--date", "2026-01-01", "--force", "A line of words.")

    assert result["players"]["created"] == 4
    assert {item.manifest["forced"] for item in RatingList.objects.all()} == {"A line of words."}


def test_d119_a_record_that_comes_twice_is_no_loss(tmp_path: Path) -> None:
    path = written(tmp_path / "list.txt", text_list(*PLAYERS, PLAYERS[0]))
    result = make.run("import_fide_list", path, "--date", "2026-01-01")
    assert (result["players"]["created"], result["problem_count"]) == (4, 1)


def test_d119_a_field_that_cannot_be_read_stays_as_it_was(tmp_path: Path) -> None:
    make.run("import_fide_list", written(tmp_path / "a.txt", text_list(*PLAYERS)), "--date", "2026-01-01")
    line = replace(PLAYERS[0], federation="s  ", sex="?").line()
    stranger = replace(PLAYERS[0], fide_id=105, federation="   ").line()
    small = replace(PLAYERS[1], federation="sui", sex="f").line()
    content = text_list(line.replace(" 1980", " 0999"), stranger, small)

    result = make.run("import_fide_list", written(tmp_path / "b.txt", content), "--date", "2026-02-01")

    assert {item["field"]: item["count"] for item in result["repairs"]} == {
        "federation": 3,
        "sex": 2,
        "birth_year": 1,
    }
    assert (result["problem_count"], result["players"]["changed"]) == (0, 0)
    shown = (
        Player.objects.filter(pk__in=[101, 102, 105])
        .order_by("pk")
        .values_list("federation_id", "birth_year")
    )
    assert [*shown] == [("SUI", 1980), ("SUI", 2012), ("NON", 1980)]
    assert ListEntry.objects.filter(rating_list__date="2026-02-01", federation="").count() == 0


def test_first_twenty_problems_are_printed_and_the_rest_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "list.txt", text_list(*PLAYERS, *["no player"] * 25))
    call_command("import_fide_list", path, "--date", "2026-01-01", "--force", "Checked.")
    *lines, last = capsys.readouterr().out.splitlines()
    assert len([line for line in lines if " skipped: " in line]) == 20
    assert re.findall(r"\d+", last) == ["5"]


def test_json_keeps_a_thousand_problems(tmp_path: Path) -> None:
    path = written(tmp_path / "list.txt", text_list(*PLAYERS, *["no player"] * 1_005))
    result = make.run("import_fide_list", path, "--date", "2026-01-01", "--force", "Checked.")
    assert (len(result["problems"]), result["problem_count"]) == (1_000, 1_005)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("list.txt", b"", "list.txt: The file is empty."),
        ("page.html", b"<!DOCTYPE html><html><body>Not found</body></html>", "page.html: This is a web page"),
        ("report.trf", b"012 Open of Nowhere\r\n022 Nowhere\r\n", "report.trf: This is a tournament report"),
        ("list.txt", text_list(), "list.txt: No player in the file could be read"),
        ("list.txt", text_list("x", "y"), "list.txt: No player in the file could be read"),
        ("list.txt.gz", gzipped(text_list(*PLAYERS))[:-20], "list.txt.gz: The file is damaged or incomplete"),
        (
            "list.txt",
            single_list("rapid", PLAYERS[0]),
            "list.txt: This list has one rating type. Enter it",
        ),
    ],
)
def test_other_files_are_refused_with_the_reason(
    tmp_path: Path, name: str, content: bytes, reason: str
) -> None:
    before = everything()
    with pytest.raises(make.RefusedCommandError) as refused:
        make.run("import_fide_list", written(tmp_path / name, content), "--date", "2026-01-01")
    (given,) = refused.value.args[0]["reasons"]
    assert given[: len(reason)] == reason
    assert everything() == before


@pytest.mark.parametrize(
    ("file", "on", "message"),
    [
        ("missing.txt", "2026-01-01", "missing.txt cannot be read: No such file or directory"),
        (".", "2026-01-01", ". cannot be read: Is a directory"),
        (
            "list.txt",
            "2026-01-15",
            "2026-01-15 is not the date of a list. Lists are dated the first of a month",
        ),
    ],
)
def test_wrong_use_ends_with_2(
    tmp_path: Path, file: str, on: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "list.txt", text_list(*PLAYERS))
    with pytest.raises(CommandError) as error:
        call_command("import_fide_list", file, "--date", on)
    assert (error.value.returncode, str(error.value)) == (2, message)
    assert RatingList.objects.count() == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["list.txt"],
        ["list.txt", "--date", "yesterday"],
        ["list.txt", "--date", "2026-01-01", "--kind", "bullet"],
    ],
)
def test_wrong_options_end_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    command = Command()
    setattr(command, "_called_from_command_line", True)  # noqa: B010 Django keeps it to itself
    parser = command.create_parser("manage.py", "import_fide_list")
    with pytest.raises(SystemExit) as end:
        parser.parse_args(arguments)
    assert end.value.code == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("name", "options", "kind"),
    [
        ("rapid_rating_list.txt", [], "rapid"),
        ("blitz_jan26frl.txt", [], "blitz"),
        ("list.txt", ["--kind", "standard"], "standard"),
    ],
)
def test_single_list_has_its_kind_from_its_name_or_the_option(
    tmp_path: Path, name: str, options: list[str], kind: str
) -> None:
    player = Listed(101, standard=(1900, 1, 20), rapid=(1900, 1, 20), blitz=(1900, 1, 20))
    path = written(tmp_path / name, single_list(kind, player))
    result = make.run("import_fide_list", path, "--date", "2026-01-01", *options)
    assert result["lists"] == [{"kind": kind, "listed": 1, "created": True}]
    assert result["notices"] == []


def test_one_kind_of_a_combined_list_may_be_wanted(tmp_path: Path) -> None:
    path = written(tmp_path / "list.txt", text_list(*PLAYERS))
    result = make.run("import_fide_list", path, "--date", "2026-01-01", "--kind", "rapid")
    assert result["lists"] == [{"kind": "rapid", "listed": 2, "created": True}]
    assert list(RatingList.objects.values_list("kind", flat=True)) == ["rapid"]


def test_unknown_federation_is_created_as_a_member(tmp_path: Path) -> None:
    path = written(tmp_path / "list.txt", text_list(Listed(101, federation="XQZ", rapid=(1900, 0, 20))))
    result = make.run("import_fide_list", path, "--date", "2026-01-01")
    assert result["notices"] == [SENTENCES.state("federation-created", federation="XQZ")]
    federation = Federation.objects.get(code="XQZ")
    assert (federation.name, federation.is_member) == ("XQZ", True)


def test_d_137_a_list_that_lacks_players_of_the_month_before_needs_a_reason(tmp_path: Path) -> None:
    everybody = [Listed(100 + n, rapid=(1900, 0, 20)) for n in range(60)]
    make.run("import_fide_list", written(tmp_path / "a.txt", text_list(*everybody)), "--date", "2026-01-01")
    short = written(tmp_path / "b.txt", text_list(*everybody[:39]))

    with pytest.raises(make.RefusedCommandError, match="21 of the 60"):
        make.run("import_fide_list", short, "--date", "2026-02-01")
    assert not RatingList.objects.filter(date="2026-02-01").exists()

    forced = ["--kind", "rapid", "--force", "FIDE removed them."]
    taken = make.run("import_fide_list", short, "--date", "2026-02-01", *forced)
    assert taken["lists"] == [{"kind": "rapid", "listed": 39, "created": True, "differing": 0}]
    # Few leave a list each month.
    nearly = written(tmp_path / "c.txt", text_list(*everybody[:36]))
    done = make.run("import_fide_list", nearly, "--date", "2026-03-01", "--kind", "rapid")
    assert done["lists"][0]["listed"] == 36


@pytest.mark.parametrize("cut", [60, 5])
def test_d_137_a_list_that_ends_within_a_record_needs_a_reason(tmp_path: Path, cut: int) -> None:
    whole = text_list(*(Listed(100 + n, rapid=(1900, 0, 20)) for n in range(5)))
    path = tmp_path / "cut.txt"
    path.write_bytes((whole.encode() if isinstance(whole, str) else whole)[:-cut])

    with pytest.raises(make.RefusedCommandError):
        make.run("import_fide_list", path, "--date", "2026-01-01")
    assert not RatingList.objects.exists()
    forced = ["--kind", "rapid", "--force", "The rest is unrated."]
    taken = make.run("import_fide_list", path, "--date", "2026-01-01", *forced)
    assert taken["lists"][0]["listed"] == 4


def test_rows_of_players_and_entries_follow_the_fields_of_a_record() -> None:
    """The beginning of a record is written as it is, into both."""
    fields = ("federation_id" if name == "federation" else name for name in ListRecord._fields)
    assert tuple(fields)[: len(PERSON)] == PERSON
    assert ("rating_list", "player", *FIELDS[1:]) == ROW_FIELDS[: len(FIELDS) + 1]


@pytest.mark.database
def test_imported_lists_are_counted_before_their_first_readers_come(
    tmp_path: Path, django_assert_max_num_queries: Any
) -> None:
    make.run("import_fide_list", written(tmp_path / "list.txt", text_list(*PLAYERS)), "--date", "2026-01-01")
    whole = [RankedAmong(rating_list) for rating_list in RatingList.objects.order_by("kind")]
    home = PLAYERS[0].federation
    parts = [*whole, *(replace(part, federation=home) for part in whole if part.rating_list.kind != "blitz")]
    with django_assert_max_num_queries(0):
        rankings = rankings_of(parts)
    totals = {(part.rating_list.kind, part.federation): rankings[part].every.total for part in parts}
    assert totals == {
        ("standard", ""): 1,
        ("rapid", ""): 2,
        ("blitz", ""): 1,
        ("standard", home): 1,
        ("rapid", home): 2,
    }
