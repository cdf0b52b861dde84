"""A federation's register: its columns, who its rows are, and what is written of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.acts import Act
from core.web.sheet_cells import LIMITS
from core.web.sheet_reader import SheetError
from core.web.tables import csv_rows, open_table
from core.web.xlsx_writer import xlsx
from players import register
from players.cases import decide
from players.choices import CaseState
from players.members import set_membership
from players.merging import merge_players
from players.models import Application, Federation, FormerName, LogEntry, Membership, Player
from players.register import RegisterResult, import_register, kept_columns
from players.register_file import COLUMNS, columns_of, keys_of, missing_columns, read_row
from tests import make
from tests.codes import refusal

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
LATER = datetime(2026, 9, 1, 9, 30, tzinfo=UTC)
BORN = date(1980, 5, 6)
HEAD = "FIDE ID;National number;Surname;Given names;Sex;Birth date;Club;District\n"
# What is asked about or refused is the same in both databases; where the mark `database` stands, rows are written.
pytestmark = [pytest.mark.django_db, pytest.mark.page]


@pytest.fixture
def bring(swiss: Federation, tmp_path: Path) -> Any:
    """Return what imports a text, with the head above it unless it has one."""

    def run(
        text: str | bytes, *, head: str = HEAD, by: Any = None, at: datetime = NOW, **given: Any
    ) -> RegisterResult:
        path = tmp_path / "register.csv"
        path.write_bytes(text if isinstance(text, bytes) else (head + text).encode())
        return import_register(path, swiss, act=Act(by, at), **given)

    return run


def counts(done: RegisterResult) -> tuple[int, ...]:
    return done.created, done.changed, done.equal, done.doubtful_count, done.wrong_count


def codes(done: RegisterResult) -> list[str]:
    return [row["why"][0]["code"] for row in (*done.doubtful, *done.wrong)]


def members() -> list[tuple[Any, ...]]:
    rows = Membership.objects.order_by("player__name", "since")
    return list(rows.values_list("player__name", "number", "club", "district", "since", "until"))


@pytest.mark.database
def test_new_players_get_ids_numbers_and_clubs_once(bring: Any, swiss: Federation) -> None:
    text = ";a1;KLEIN;PAUL;M;06.05.1980;SC Alpha;North\n;A2;Wägli;Zoë;W;1990-01-02;SC Beta;\n"

    shown = bring(text, is_dry_run=True)
    before = Player.objects.count(), Membership.objects.count(), LogEntry.objects.count()
    done, again = bring(text), bring(text)

    assert (before, [(row["name"], row["before"]) for row in shown.changes]) == (
        (0, 0, 0),
        [("Klein, Paul", None), ("Wägli, Zoë", None)],
    )
    assert [counts(one) for one in (shown, done, again)] == [
        (2, 0, 0, 0, 0),
        (2, 0, 0, 0, 0),
        (0, 0, 2, 0, 0),
    ]
    assert members() == [
        ("Klein, Paul", "A1", "SC Alpha", "North", NOW.date(), None),
        ("Wägli, Zoë", "A2", "SC Beta", "", NOW.date(), None),
    ]
    assert [*Player.objects.values_list("birth_date", "sex", "federation")] == [
        (BORN, "M", "SUI"),
        (date(1990, 1, 2), "F", "SUI"),
    ]
    assert [*LogEntry.objects.order_by("pk").values_list("area", "action")] == [
        *[("player", "added")] * 4,
        ("federation", "register"),
    ]
    assert LogEntry.objects.get(action="register").changes == [
        {"field": "created", "before": None, "after": 2}
    ]


@pytest.mark.database
def test_another_club_has_its_day_and_another_number_none(bring: Any) -> None:
    bring(";1;Klein;Paul;M;1980-05-06;SC Alpha;North\n")
    done = bring(f"{Player.objects.get().pk};9;Klein;Paul;M;1980-05-06;SC Beta;\n", at=LATER)

    assert counts(done) == (0, 1, 0, 0, 0)
    assert members() == [
        ("Klein, Paul", "1", "SC Alpha", "North", NOW.date(), LATER.date()),
        ("Klein, Paul", "9", "SC Beta", "", LATER.date(), None),
    ]
    player = Player.objects.get()
    assert [
        one.club for day in (NOW, LATER) for one in Membership.objects.on(day.date()).filter(player=player)
    ] == [
        "SC Alpha",
        "SC Beta",
    ]


@pytest.mark.database
def test_other_numbers_and_clubs_are_in_the_log(bring: Any, officer: Any) -> None:
    bring(";1;Klein;Paul;M;1980-05-06;SC Alpha;North\n", by=officer)
    player = Player.objects.get()
    bring(f"{player.pk};9;Klein;Paul;M;1980-05-06;SC Alpha;North\n", by=officer, at=LATER)
    bring(
        f"{player.pk};9;Klein;Paul;M;1980-05-06;SC Beta;North\n",
        by=officer,
        at=datetime(2026, 10, 1, tzinfo=UTC),
    )

    entries = LogEntry.objects.filter(area="player", subject=f"FIDE ID {player.pk}").order_by("pk")
    assert {(one.player_id, one.federation_id, one.by) for one in entries} == {(player.pk, "SUI", officer)}
    assert [
        (one.action, {change["field"]: (change["before"], change["after"]) for change in one.changes})
        for one in entries
    ][1:] == [
        ("edited", {"number": ("1", "9")}),
        ("edited", {"until": (None, "2026-10-01")}),
        (
            "added",
            {
                "federation_id": (None, "SUI"),
                "player_id": (None, player.pk),
                "number": (None, "9"),
                "club": (None, "SC Beta"),
                "district": (None, "North"),
                "since": (None, "2026-10-01"),
            },
        ),
    ]


def test_a_column_that_is_not_there_changes_nothing(bring: Any) -> None:
    bring(";1;Klein;Paul;M;1980-05-06;SC Alpha;North\n")
    done = bring("1;Klein, Paul\n", head="Mitgliedsnr;Name\n", columns={})

    assert (counts(done), members()[0][1:4]) == ((0, 0, 1, 0, 0), ("1", "SC Alpha", "North"))


@pytest.mark.parametrize(
    ("row", "known", "expected"),
    [
        ("{id};;Klein;Paul;M;1980;SC;", {}, []),
        ("{id};;Klein;P.;M;;SC;", {"birth_year": None}, []),
        (";;Klein;Paul;M;1980;SC;", {}, []),
        (";;Klein;Paul;M;1980-05-06;SC;", {"birth_date": BORN}, []),
        (";;Klein;Paul;F;1980;SC;", {}, ["birth-missing"]),
        (";;Klein;Paul;;1980;SC;", {}, ["alike"]),
        (";;Klein;Paul;M;1980;SC;", {"sex": ""}, ["alike"]),
        (";;Klein;Paul;;1980-05-06;SC;", {"birth_date": BORN}, []),
        (";;Paul;Klein;M;1980;SC;", {}, ["alike"]),
        (";;Paul;Klein;M;1980-05-06;SC;", {"birth_date": BORN}, ["alike"]),
        ("{id};;Gross;Paul;M;1980;SC;", {}, ["id-of-another"]),
        ("{id};;Klein;Paul;M;1990;SC;", {}, ["id-of-another"]),
        ("{id};;Klein;Paul;M;1980;SC;", {"federation": "AUT"}, ["other-federation"]),
        ("1300010;;Klein;Paul;M;1980;SC;", {}, ["id-unknown"]),
        (";;Klain;Paul;M;1980-05-06;SC;", {}, ["alike"]),
        (";;Klein;Hans Paul;M;1980-05-06;SC;", {}, ["alike"]),
        (";;Klein;Paul;M;1980-05-06;SC;", {"federation": "AUT"}, ["alike"]),
    ],
)
def test_rows_are_of_known_players_or_doubtful(
    bring: Any, row: str, known: dict[str, Any], expected: list[str]
) -> None:
    federation = make.federation(code=known.pop("federation", "SUI"))
    player = make.player(name="Klein, Paul", federation=federation, **{"birth_year": 1980, **known})

    done = bring(row.format(id=player.pk) + "\n")

    assert codes(done) == expected
    assert (done.changed, Player.objects.count()) == (0 if expected else 1, 1)
    assert Membership.objects.filter(player=player).count() == done.changed


@pytest.mark.parametrize("born", ["1981-05-06", "1979-01-01"])
def test_a_namesake_of_another_age_is_another_person(bring: Any, born: str) -> None:
    make.player(name="Klein, Paul", federation=make.federation(code="AUT"), birth_year=1980)

    assert counts(bring(f";;Klein;Paul;M;{born};SC;\n")) == (1, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (";1;Klein;Paul;M;1980-05-06;;\n;1;Gross;Jan;M;1970-05-06;;", ["number-again"] * 2),
        (";1;Klein;Paul;M;1980-05-06;;\n;1;Klein;Paul;M;1980-05-06;;", []),
        (";1;Klein;Paul;M;1980-05-06;;\n;2;Klein;Paul;M;1980-05-06;;", ["namesakes"]),
        (";1;Klein;Paul;M;1980-05-06;;\n;2;Klain;Paul;M;1980-05-06;;", ["alike-in-file"]),
        (";1;Klein;Paul;M;1980-05-06;;\nnew;2;Klain;Paul;M;1980-02-01;;", []),
    ],
)
def test_rows_of_one_file_that_are_alike(bring: Any, rows: str, expected: list[str]) -> None:
    assert codes(bring(rows + "\n")) == expected


def test_namesakes_are_told_apart_by_their_ids_alone(bring: Any, swiss: Federation) -> None:
    first, second = (make.player(name="Klein, Paul", federation=swiss, birth_year=1980) for _ in range(2))

    doubtful = bring(";7;Klein;Paul;M;1980;;\n")
    done = bring(
        f"{first.pk};7;Klein;Paul;M;1980;;\n{second.pk};8;Klein;Paul;M;1980;;\n{second.pk};;Klein;Paul;M;;X;\n"
    )

    assert (codes(doubtful), doubtful.doubtful[0]["candidates"]) == (["namesakes"], [first.pk, second.pk])
    assert (codes(done), done.changed) == (["same-player"], 2)
    assert codes(bring(f"{first.pk};8;Klein;Paul;M;1980;;\n")) == ["number-of-another"]


MOVES = [
    # The rows' names and numbers, the doubts, and the numbers afterwards.
    ([("Ade", "2"), ("Boo", "1")], [], ["2", "1", "3"]),
    ([("Ade", "9"), ("Boo", "1")], [], ["9", "1", "3"]),
    ([("Boo", "3"), ("Ade", "2"), ("Coo", "1")], [], ["2", "3", "1"]),
    ([("Ade", "2"), ("Boo", "3")], ["number-of-another"] * 2, ["1", "2", "3"]),
    ([("Ade", "2"), ("Xyz", "1")], ["number-of-another", "id-of-another"], ["1", "2", "3"]),
    ([("Ade", "9"), ("new", "1")], [], ["9", "2", "3", "1"]),
]


@pytest.mark.database
@pytest.mark.parametrize(("rows", "doubts", "expected"), MOVES)
def test_numbers_move_from_one_player_to_another_at_once(
    bring: Any, swiss: Federation, rows: list[tuple[str, str]], doubts: list[str], expected: list[str]
) -> None:
    known = {name: make.player(name=f"{name}, Paul", federation=swiss) for name in ("Ade", "Boo", "Coo")}
    bring("".join(f"{one.pk};{n};{name};Paul;M;1980;;\n" for n, (name, one) in enumerate(known.items(), 1)))
    # Somebody of another name has the ID of the second one.
    ids = {name: one.pk for name, one in known.items()} | {"Xyz": known["Boo"].pk, "new": ""}
    text = "".join(
        f"{ids[name]};{number};{'Zorn' if name == 'new' else name};Paul;M;1980-01-01;;\n"
        for name, number in rows
    )

    done, again = bring(text, at=LATER), bring(text, at=LATER)

    assert codes(done) == doubts == codes(again)
    assert [row[1] for row in members()] == expected
    assert (again.created, again.changed) == (0, 0)


@pytest.mark.parametrize(
    ("row", "doubts", "until"),
    [
        ("{id};1;Gross;Anna;F;1980;;", [], NOW.date()),
        (";1;Neumann;Karl;M;1991-01-02;;", [], NOW.date()),
        (";1;Klein;Paul;M;1980-01-02;;", ["other-federation"], None),
    ],
)
def test_the_number_of_a_player_who_left_is_free(
    bring: Any, swiss: Federation, row: str, doubts: list[str], until: date | None
) -> None:
    gone = make.player(name="Klein, Paul", federation=make.federation(code="AUT"))
    Membership.objects.create(player=gone, federation=swiss, number="1", since=date(2026, 1, 1))
    player = make.player(name="Gross, Anna", federation=swiss, sex="F")

    assert codes(bring(row.format(id=player.pk) + "\n")) == doubts
    assert Membership.objects.get(player=gone).until == until


def test_an_officer_enters_the_number_of_a_player_who_left(swiss: Federation, officer: Any) -> None:
    gone = make.player(federation=make.federation(code="AUT"))
    Membership.objects.create(player=gone, federation=swiss, number="1", since=date(2026, 1, 1))
    player = make.player(federation=swiss)

    set_membership(player, number="1", club="", district="", by=officer, at=NOW)

    assert Membership.objects.get(until=None).player == player


def test_who_is_too_much_like_somebody_is_put_before_staff(bring: Any, officer: Any) -> None:
    make.player(name="Klein, Paul", federation=make.federation(code="AUT"), birth_year=1980)
    row = "new;1;Klein;Paul;M;1980-05-06;SC;\n"

    command, asked, again = bring(row), bring(row, by=officer), bring(row, by=officer)
    decide(
        Application.objects.get(),
        CaseState.REFUSED,
        answer="Known.",
        by=make.person("staff"),
        at=NOW,
    )

    assert [codes(one) for one in (command, asked, again)] == [["needs-user"], [], ["waits-for-staff"]]
    assert (asked.asked, Application.objects.count()) == (1, 1)
    assert [one["number"] for one in asked.applications] == [Application.objects.get().number]
    assert codes(bring(row, by=officer)) == ["refused-by-staff"]


@pytest.mark.parametrize(("taken", "number"), [("", "1"), ("1", "")])
def test_an_approved_application_brings_the_number_and_club_of_its_row(
    bring: Any, officer: Any, swiss: Federation, taken: str, number: str
) -> None:
    make.player(name="Klein, Paul", federation=make.federation(code="AUT"), birth_year=1980)
    bring("new;1;Klein;Paul;M;1980-05-06;SC;North\n", by=officer)
    other = make.player(name="Zorn, Ida", federation=swiss)
    set_membership(other, number=taken, club="", district="", by=officer, at=NOW)
    staff = make.person("staff")

    decide(Application.objects.get(), CaseState.APPROVED, answer="Another.", by=staff, at=LATER)

    assert members()[0] == ("Klein, Paul", number, "SC", "North", LATER.date(), None)


def test_a_new_row_of_a_player_with_another_number_is_put_before_staff(bring: Any, officer: Any) -> None:
    bring(";5;Klein;Paul;M;1980-05-06;SC;\n")
    row = ";6;Klein;Paul;M;1980-05-06;SC;\n"

    doubtful, asked, again = bring(row), bring("new" + row, by=officer), bring("new" + row, by=officer)

    assert [codes(one) for one in (doubtful, asked, again)] == [["other-number"], [], ["waits-for-staff"]]
    assert (asked.asked, Application.objects.get().likeness, Player.objects.count()) == (
        1,
        Player.objects.get(),
        1,
    )


def test_staff_are_asked_for_so_many_players_of_one_file(
    bring: Any, officer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    austria = make.federation(code="AUT")
    rows = ""
    for name in ("Klein", "Gross", "Lang"):
        make.player(name=f"{name}, Paul", federation=austria, birth_year=1980)
        rows += f"new;;{name};Paul;M;1980-05-06;SC;\n"
    monkeypatch.setattr(register, "MAX_ASKED", 2)

    done = bring(rows, by=officer)

    assert (done.asked, codes(done), Application.objects.count()) == (2, ["needs-user"], 2)


@pytest.mark.database
def test_former_names_are_read_at_once(
    bring: Any, swiss: Federation, django_assert_max_num_queries: Any
) -> None:
    players = [make.player(name=f"Klein, P{chr(97 + n)}ul", federation=swiss) for n in range(20)]
    FormerName.objects.create(player=players[0], name="Other, Xaver")
    rows = "".join(f"{player.pk};;Other;Xaver;M;1980;SC;\n" for player in players)

    with django_assert_max_num_queries(35):
        done = bring(rows)

    assert (done.changed, set(codes(done)), done.doubtful_count) == (1, {"id-of-another"}, 19)


def test_a_minor_of_another_federation_is_told_by_the_age_band_alone(bring: Any, officer: Any) -> None:
    hiding = make.federation(code="AUT")
    Federation.objects.filter(pk="AUT").update(hides_birth_years_of_minors=True)
    make.player(name="Klein, Paul", federation=hiding, birth_year=2013, birth_date=date(2013, 5, 6))

    found = [
        bring(f";;Klein;Paul;M;{born};;\n", by=officer, is_dry_run=True)
        for born in ("2013-05-06", "2012-09-09")
    ]

    assert [codes(one) for one in found] == [["alike"], ["alike"]]


WRONG = [
    (";;;;M;1980-05-06;;", "surname", "name-empty"),
    (";;Kl<ein;Paul;M;1980-05-06;;", "surname", "name-characters"),
    (";;=Klein;Paul;M;1980-05-06;;", "surname", "name-characters"),
    (";;Kl\u202eein;Paul;M;1980-05-06;;", "surname", "name-hidden"),
    (";;Аlder;Paul;M;1980-05-06;;", "surname", "name-scripts"),
    (f";;{'x' * 101};Paul;M;1980-05-06;;", "surname", "name-too-long"),
    ("12a;;Klein;Paul;M;1980-05-06;;", "fide_id", "fide-id"),
    (";=1+1;Klein;Paul;M;1980-05-06;;", "number", "number"),
    (";;Klein;Paul;X;1980-05-06;;", "sex", "sex"),
    (";;Klein;Paul;M;30/02/1980;;", "birth", "birth"),
    (";;Klein;Paul;M;2026-03-05;;", "birth", "birth"),
    (";;Klein;Paul;M;1899;;", "birth", "birth"),
    (f";;Klein;Paul;M;1980-05-06;{'x' * 81};", "club", "club-too-long"),
    (";;Klein;Paul;M;1980-05-06;SC\u200b Alpha;", "club", "text-hidden"),
    (";;Klein;Paul;M;1980-05-06;;...", "district", "text-empty"),
    (";;Klein;Paul;M;1980-05-06;Аlpha;", "club", "text-scripts"),
    (";;Klein;Paul;;1980-05-06;;", "sex", "sex-missing"),
    (";;Klein;Paul;M;1980;;", "birth", "birth-missing"),
    (";;Pelé;;M;1980-05-06;;", "name", "name-one-word"),
]


def test_a_wrong_row_is_named_and_nothing_of_it_written(bring: Any) -> None:
    rows = [row for row, *_told in WRONG]

    done = bring("\n".join([*rows, ";2;Gross;Jan;M;1970-05-06;;\n"]))

    found = {row["line"]: (row["column"], row["why"][0]["code"]) for row in done.wrong}
    assert found == {line: (column, code) for line, (_row, column, code) in enumerate(WRONG, 2)}
    assert (done.wrong_count, [player.name for player in Player.objects.all()]) == (
        len(WRONG),
        ["Gross, Jan"],
    )


@pytest.mark.parametrize("sign", ["-", "–", "N/A"])
def test_a_sign_for_no_club_is_none(bring: Any, sign: str) -> None:
    bring(f";1;Klein;Paul;M;1980-05-06;{sign};{sign}\n")

    assert members()[0][1:4] == ("1", "", "")


def test_a_name_of_one_word_is_confirmed_for_the_file(bring: Any) -> None:
    assert counts(bring(";;Pelé;;M;1980-05-06;;\n", is_name_right=True)) == (1, 0, 0, 0, 0)


def test_a_row_of_another_federation_is_refused(bring: Any) -> None:
    done = bring("Klein, Paul;M;1980-05-06;AUT\n", head="Name;Sex;Born;Fed\n")
    assert codes(done) == ["federation"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n;;\n",
        b"a;b\n\x00;1\n",
        b'name;sex;born\n"Klein;M;1980\n' + b"x" * 200_000,
        b"PK\x03\x04 no zip",
    ],
    ids=["empty", "blank", "nul", "quotes", "zip"],
)
def test_what_is_no_table_is_refused(bring: Any, content: bytes) -> None:
    with refusal() as refused:
        bring(content)
    assert refused.found[0] in ("no-table", "no-columns")


def test_another_federations_officer_is_refused(bring: Any) -> None:
    with refusal() as refused:
        bring(
            ";1;Klein;Paul;M;1980-05-06;;\n",
            by=make.person("officer", "AUT"),
        )
    assert (refused.found, Player.objects.count()) == (["not-your-federation"], 0)


HEADS = [
    ("name,date of birth,sex", ["name", "birth", "sex"]),
    ("\ufeffsurname;given_names;sex;birth_date", ["surname", "given", "sex", "birth"]),
    (
        "Mitgliedsnr.;FIDE-ID;Nachname;Vorname;Geschlecht;Geb.;Verein;Bezirk",
        ["number", "fide_id", "surname", "given", "sex", "birth", "club", "district"],
    ),
    (
        "N° FFE;Code FIDE;Nom;Prénom;Sexe;Date de naissance;Club;Ligue",
        ["number", "fide_id", "surname", "given", "sex", "birth", "club", "district"],
    ),
    (
        "Nº Licencia;ID FIDE;Apellidos;Nombre;Sexo;Fecha de nacimiento;Club;Provincia",
        ["number", "fide_id", "surname", "given", "sex", "birth", "club", "district"],
    ),
    (
        "Member No\tPlayer\tGender\tYear of birth\tTitle\tFed",
        ["number", "name", "sex", "birth", "title", "federation"],
    ),
    ("ID;Name\n4090080;Klein, Paul", ["fide_id", "name"]),
    (
        (
            "Matricule FLDE;Nom du membre;Prénom;Sexe (M/F);Date of birth (dd.mm.);Licence 2026\n"
            "1;Klein;Paul;M;1980-05-06;oui"
        ),
        ["number", "surname", "given", "sex", "birth", None],
    ),
    ("Name;Club;Games of member\nKlein, Paul;SC Alpha;none", ["name", "club", None]),
    ("Name;Sex;Passport number;Car number\nKlein, Paul;M;1;2", ["name", "sex", None, None]),
    (
        "10001;4090080;Klein;Paul;M;1980-05-06;SC Alpha;North",
        ["number", "fide_id", "surname", "given", "sex", "birth", "club", "district"],
    ),
    ("Klein, Paul;SUI;m;1980;GM;SC Alpha", ["name", "federation", "sex", "birth", "title", "club"]),
]


def rows_of(path: Path) -> Iterator[Any]:
    with open_table(path) as rows:
        yield from rows()


@pytest.mark.parametrize(("line", "expected"), HEADS)
def test_columns_are_told_by_heads_in_four_languages_and_by_cells(
    tmp_path: Path, line: str, expected: list[str]
) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"{line}\n")

    found = columns_of(rows_of(path), kept={}, today=NOW.date())

    assert [found.fields.get(place) for place in range(len(expected))] == expected


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_tables_of_all_encodings_are_read(tmp_path: Path, encoding: str, separator: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"Nom{separator}Prénom\r\n\r\nWägli{separator}Zoë\r\n", encoding=encoding)

    assert list(rows_of(path)) == [(1, ["Nom", "Prénom"]), (3, ["Wägli", "Zoë"])]


def test_a_spreadsheet_of_many_rows_is_read_by_line(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(b"".join(xlsx("A", ["Name", "Born"], [[f"Klein, P{n}", 1980] for n in range(6000)])))

    assert list(rows_of(path))[-1] == (6001, ["Klein, P5999", "1980"])


def test_a_damaged_letter_spoils_its_row_alone(bring: Any) -> None:
    good = ";1;Mérat;André;M;1980-05-06;Çlub;\n;2;Noël;Zoé;F;1981-05-06;;\n".encode()
    bad = b";3;Klein;Paul;M;1982-05-06;Caf\xe9;\n;4;No\xebl;Jan;M;1983-05-06;;\n"

    done = bring(HEAD.encode() + good + bad)

    assert [row[0] for row in members()] == ["Mérat, André", "Noël, Zoé"]
    assert [(row["line"], row["column"], row["why"][0]["code"]) for row in done.wrong] == [
        (4, "club", "damaged"),
        (5, "surname", "damaged"),
    ]


@pytest.mark.parametrize(("rows", "columns", "is_refused"), [(4, 256, False), (5, 1, True), (1, 257, True)])
def test_a_csv_has_the_limits_of_a_sheet(
    monkeypatch: pytest.MonkeyPatch, rows: int, columns: int, is_refused: bool
) -> None:
    monkeypatch.setitem(LIMITS, "register", LIMITS["register"]._replace(rows=4))
    lines = [";" * (columns - 1) + "\n"] * rows

    if is_refused:
        with pytest.raises(SheetError):
            list(csv_rows(lines))
    else:
        assert len(list(csv_rows(lines))) == rows


def test_a_nul_in_a_spreadsheet_is_a_blank(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    sheet = BytesIO(b"".join(xlsx("A", ["Name", "Club"], [["Klein, Paul", "SC NUL Alpha"]])))
    with ZipFile(sheet) as made, ZipFile(path, "w") as escaped:
        for name in made.namelist():
            escaped.writestr(name, made.read(name).replace(b"NUL", b"_x0000_"))

    assert list(rows_of(path))[1] == (2, ["Klein, Paul", "SC Alpha"])


def test_the_mapping_is_kept_for_the_next_file(bring: Any, swiss: Federation) -> None:
    head = "Alpha;Beta;Gamma;Delta\n"
    mapping = {"Alpha": "name", "Gamma": "birth", "Delta": "sex"}
    done = bring("Klein, Paul;x;1980-05-06;M\n", head=head, columns=mapping)
    again = bring("Gross, Jan;x;1970-05-06;M\n", head=head)

    assert (kept_columns(swiss), done.created, again.created) == (mapping, 1, 1)


KEYS = [
    ("Name;Club;Club;Sex;Born", {"Name": "name", "3": "club", "Sex": "sex", "Born": "birth"}),
    ("Name;Club;;Sex;Born", {"Name": "name", "3": "club", "Sex": "sex", "Born": "birth"}),
    ("Name;Club;Клуб;Sex;Born", {"Name": "name", "3": "club", "Sex": "sex", "Born": "birth"}),
    ("Name;Club;Клуб;Sex;Born", {"1": "name", "3": "club", "4": "sex", "5": "birth"}),
    ("Name;Club;Клуб;Sex;Born", {"1": "name", "3": "club", "Sex": "sex", "Born": "birth"}),
    ("Имя;Союз;Клуб;Пол;Год", {"1": "name", "3": "club", "4": "sex", "5": "birth"}),
]


@pytest.mark.parametrize(("head", "columns"), KEYS)
def test_the_columns_that_were_selected_are_read(bring: Any, head: str, columns: dict[str, str]) -> None:
    row = "Klein, Paul;Parent;SC Alpha;M;1980-05-06\n"

    bring(row, head=f"{head}\n", columns=columns)
    # And the mapping that is kept finds them again.
    again = bring(row, head=f"{head}\n")

    assert [member[2] for member in members()] == ["SC Alpha"]
    assert (again.equal, keys_of(head.split(";"))[2]) == (1, "3")


def test_a_head_that_names_several_columns_selects_none(bring: Any) -> None:
    with refusal() as refused:
        bring("Klein, Paul;A;B\n", head="Name;Club;Club\n", columns={"Name": "name", "Club": "club"})
    assert refused.found == ["no-columns"]


def test_columns_that_the_file_has_not_are_refused(bring: Any) -> None:
    with refusal() as refused:
        bring("Klein, Paul;1980-05-06;M\n", head="Name;Born;Sex\n", columns={"Spieler": "name"})
    given = {"Spieler": "name", "2": "birth", "9": "sex", "Sex": "sex"}
    missing = missing_columns(iter([(1, ["A list"]), (3, ["Name", "Born", "Sex"])]), given)
    assert (refused.found, missing) == (["no-columns"], ["Spieler", "9"])


@pytest.mark.database
def test_a_merged_player_keeps_one_membership(bring: Any, swiss: Federation) -> None:
    bring(";1;Klein;Paul;M;1980-05-06;SC Alpha;\n;2;Grossmann;Jan;M;1980-05-06;SC Beta;\n")
    going, staying = Player.objects.order_by("name")
    Player.objects.update(name="Klein, Paul")
    staff = make.person("staff")

    merge_players(going, into=staying, reason="One person.", by=staff, at=LATER)

    assert [(row[1], row[5]) for row in sorted(members(), key=lambda row: row[1])] == [
        ("1", None),
        ("2", LATER.date()),
    ]
    assert set(Membership.objects.values_list("player", flat=True)) == {staying.pk}


@given(st.lists(st.text(max_size=12), max_size=8), st.lists(st.sampled_from(COLUMNS), max_size=8))
def test_any_row_is_read_or_refused(cells: list[str], names: list[str]) -> None:
    columns = columns_of(iter([(1, cells)]), kept={}, today=NOW.date())
    found = read_row((2, cells), columns, federation="SUI", today=NOW.date())

    assert isinstance(found, list) == bool(found if isinstance(found, list) else [])


def test_a_damaged_spreadsheet_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(b"PK\x03\x04" + bytes(2000))
    with pytest.raises(SheetError):
        list(rows_of(path))
