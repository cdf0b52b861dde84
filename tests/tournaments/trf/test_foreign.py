"""Files that are no report, two reports in one, and names in other encodings: one sentence says what it is."""

from __future__ import annotations

import pytest

from tests.tournaments.trf.reports import BASE, player, player_changed
from tournaments.trf import check_report, read_report
from tournaments.trf.changed_lines import as_written, with_lines

FOREIGN: dict[str, tuple[str | bytes, str]] = {
    "Vega": (
        "012 Open\n142 1.0 0.5\n001 1|m||Muller Jean|1500|LUX|9800018|0||1990|2.0|1|2 w 1\n",
        "vega-file",
    ),
    "engine file of Vega": (
        (
            "012 Open\n022 VEGA\n042 2126-02-01\n052 2126-02-01\n142 3\n"
            "001    1 m FM AmselBerta                        1901 LUX           0 1990/04/02  1.0    1     2 w 1\n"
        ),
        "vega-engine-file",
    ),
    "Access": (b"\x00\x01\x00\x00Standard Jet DB\x00" + bytes(80), "program-database"),
    "SQLite": (b"SQLite format 3\x00" + bytes(80), "program-database"),
    "XML": ('<?xml version="1.0"?><tournament name="Open"><player/></tournament>', "program-file"),
    "JSON": ('{"name": "Open", "players": []}', "program-file"),
    "PGN": ('[Event "Open"]\n[White "A"]\n\n1. e4 e5 1-0\n', "pgn-file"),
    "rating list": (
        "ID Number      Name                     Fed\n1300016        Amsel, Berta\n",
        "rating-list-file",
    ),
    "rating list as XML": (
        "<!-- c -->\n<playerslist>\n<player>\n<fideid>1300016</fideid>\n",
        "rating-list-file",
    ),
    "crosstable with semicolons": ("Rk;Name;Fed;Rtg;1;2\n" + "1;Amsel;SUI;1900;2w1;3b1\n" * 4, "table-file"),
    "crosstable with tabs": ("Rk\tName\tFed\tRtg\t1\n" + "1\tAmsel\tSUI\t1900\t2w1\n" * 4, "table-file"),
    "crosstable with commas": ("Rk,Name,Fed,Rtg,1\n" + "1,Amsel,SUI,1900,2w1\n" * 4, "table-file"),
    "page of results": ("<table><tr><td>Amsel</td></tr></table>", "html-page"),
    "XHTML": ('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"></html>', "html-page"),
    "letter": ("Dear colleagues,\nplease find the results below.\n", "not-a-report"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_foreign_file_is_one_error_that_says_what_it_is(name: str) -> None:
    content, code = FOREIGN[name]
    report = read_report(content)
    assert ([item.code for item in check_report(report)], report.players) == ([code], ())


def test_two_tournaments_in_one_file_are_one_error_and_the_first_is_read() -> None:
    report = read_report(BASE + BASE.replace("Winter Rapid", "Group B"))
    (finding,) = check_report(report)
    assert (finding.code, finding.line, dict(finding.params)) == (
        "two-tournaments",
        17,
        {"first": "Winter Rapid", "second": "Group B"},
    )
    assert report.players == read_report(BASE).players


@pytest.mark.parametrize("name", ["BYE", "Bye, Bye", "bye 1", "SPIELFREI", "Exempt", "Descansa"])
def test_a_player_called_bye_is_no_person(name: str) -> None:
    report = read_report(player_changed(4, ("Elster, Fritz", f"{name:13}"), ("1300040", "       ")))
    assert [item.line for item in check_report(report) if item.code == "player-is-bye"] == [16]


@pytest.mark.parametrize("name", ["Byerly, Tom", "Freilos-Maier", "Libreros, Ana"])
def test_a_name_that_begins_like_a_bye_is_a_person(name: str) -> None:
    report = read_report(player_changed(4, ("Elster, Fritz", f"{name:13}"), ("1300040", "       ")))
    assert "player-is-bye" not in {item.code for item in check_report(report)}


# Names in an encoding, and whether another one reads their bytes as well.
ENCODED = {
    "cp1252": ["Müller, Jürgen", "Núñez García, L", "Kvaløy, Aksel", "Þórsson, Guðmu", "Lefèvre, Hélène"],
    "cp1250": ["Šťastný, Jiří", "Dvořák, Tomáš", "Łękowski, Paweł", "Ţepeş, Ştefan", "Žižek, Črt"],
    "iso8859_2": ["Šťastný, Jiří", "Łękowski, Paweł", "Kraśnicki, Bła"],
    "cp1251": ["Иванов, Пётр", "Кузнецова, Анна", "Шевченко, Їжак"],
    "koi8_r": ["Иванов, Пётр", "Сидоров, Егор"],
    "iso8859_5": ["Иванов, Пётр", "Кузнецова, Анна", "Жуков, Михаил"],
    "cp866": ["Сидоров, Егор", "Щербакова, Юлия", "Ольховский, Глеб"],
    "mac_cyrillic": ["Чернышёва, Зоя", "Кузнецова, Анна", "Цветков, Эдуард"],
    "cp1255": ["כהן, דוד", "לוי, משה", "פרידמן, שרה"],
    "cp1256": ["محمد, أحمد", "الحسيني, علي", "إبراهيم, سارة"],
    "iso8859_6": ["عبدالله, يوسف", "الحسيني, علي", "حسن, مريم"],
    "cp949": ["김민수", "이영희", "박지성"],
    "euc_jp": ["山田太郎", "鈴木一郎", "田中みか"],
    "iso8859_7": ["Άννας, Άρης", "Γεωργίου, Ελένη", "Ιωάννου, Μαρία"],
    "cp1257": ["Kalniņš, Jānis", "Bērziņš, Andris", "Šimkus, Žygimantas"],
    "cp850": ["Müller, Jürgen", "Núñez García, L", "Kröger, Größe"],
    "cp852": ["Šťastný, Jiří", "Łękowski, Paweł", "Dvořák, Tomáš"],
    "mac_roman": ["Peña, José", "Núñez García, L", "Lefèvre, Hélène"],
    "cp1253": ["Παππάς, Νίκος", "Γεωργίου, Ελένη", "Κωνσταντίνου, Μαρία"],
    "cp1254": ["Işık, Çağrı", "Yılmaz, Şükrü", "Öztürk, Gülşah"],
    "gb18030": ["王皓", "丁立人", "侯逸凡"],
    "big5": ["陳小明", "林志玲", "黃建國"],
    "cp932": ["山田太郎", "鈴木一郎", "田中みか"],
}


def named(names: list[str]) -> str:
    """Return the report with the first players' names replaced."""
    text = BASE
    for number, name in enumerate(names[:4], 1):
        line = player(number)
        text = text.replace(line, line[:14] + f"{name:33}" + line[47:])
    return text


@pytest.mark.parametrize("encoding", ENCODED)
@pytest.mark.parametrize("is_padded_by_bytes", [False, True])
def test_names_are_read_in_the_likely_encoding_which_is_named(
    encoding: str, *, is_padded_by_bytes: bool
) -> None:
    names = ENCODED[encoding][:4]
    text = named(names)
    if is_padded_by_bytes:
        for name in names:
            text = text.replace(f"{name:33}", f"{name:33}"[: 33 - len(name.encode(encoding)) + len(name)])
    report = read_report(text.encode(encoding))
    (finding,) = check_report(report)
    assert [one.name for one in report.players][: len(names)] == names
    assert (finding.code, finding.params["names"]) == ("encoding-guessed", " · ".join(names[:3]))


def test_a_corrected_file_keeps_its_encoding() -> None:
    original = named(ENCODED["cp1250"]).encode("cp1250")
    text = with_lines(read_report(original), {2: "022 Žďár"})
    written = as_written(text, original)
    assert written == named(ENCODED["cp1250"]).replace("Exampletown", "Žďár").encode("cp1250")


def test_without_a_better_encoding_windows_1252_stays() -> None:
    report = read_report(named(["Kovaè, Luka", "Rossi, Nicolò"]).encode("cp1252"))
    assert [one.name for one in report.players][:2] == ["Kovaè, Luka", "Rossi, Nicolò"]
