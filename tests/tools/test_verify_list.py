"""The verifier in one file agrees with what the portal publishes, and finds every falsification."""

from __future__ import annotations

import base64
import csv
import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from datetime import date
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.core.files.storage import storages
from django.test import Client

from players.models import Federation, HiddenBirthYear, Player
from ratings.archives import restore_files
from ratings.choices import FileFormat
from ratings.models import RatingList
from ratings.publish.files import evidence_path, hashes_again
from ratings.publish.manifest import canonical_json
from ratings.publish.signatures import public_key
from ratings.systems.registry import known_texts
from ratings.verify.lists import evidence_differences, periods_again
from tests import make
from tests.ratings.ledger.compare import shown_by_oracle, shown_by_portal
from tests.ratings.ledger.oracle import lists_of
from tests.ratings.stored_federation import months_of
from tests.ratings.systems.federations import facts_of, federation_of
from tests.tools.verifier import SCRIPT, Files, download, load, run
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
FEBRUARY, MARCH = date(2026, 2, 1), date(2026, 3, 1)
SEEDS = range(30_000, 30_000 + int(os.environ.get("VERIFIED_FEDERATIONS", "1")))


@pytest.fixture
def asking() -> tuple[bool, bool]:
    """Return whether the federations hide years of birth of minors when February and March are published."""
    return False, False


@pytest.fixture
def march(asking: tuple[bool, bool]) -> RatingList:
    """Return the second list after an imported one: newcomers, a transfer, a title, a death, an exclusion."""
    first = make.rating_list()
    ratings = {"Hero": 1900, "Weak": 1600, "Other": 1750, "Idle": 1500, "Dead": 1810, "Gone": 1820}
    players = {
        name: make.entry(rating_list=first, rating=rating, player__name=f"{name}, É").player
        for name, rating in ratings.items()
    }
    players["Strong"] = make.entry(rating_list=first, rating=2390, player__name="Strong, S").player
    young = make.player(name="Young, Y", birth_year=2012)
    make.entry(rating_list=first, player=young, rating=2295, k_factor=40)
    players |= {name: make.player(name=f"{name}, N") for name in ("New", "Later", "Std")}
    make.entry(rating_list=make.rating_list(kind="standard"), player=players["Std"], rating=1700, k_factor=20)
    make.rating_list(kind="blitz")
    field = [players[name] for name in ("Hero", "Weak", "Other", "Strong", "New", "Std", "Later")]
    _play(date(2026, 1, 10), [*field[:4], young, field[4], field[5]])
    Federation.objects.update(hides_birth_years_of_minors=asking[0])
    make.publish("rapid", FEBRUARY)
    _play(date(2026, 2, 7), [*field[:3], field[6]])
    _play(date(2026, 2, 12), [field[0], field[3], young, field[4], field[5], field[6]])
    Player.objects.filter(pk=players["Dead"].pk).update(died_on=date(2026, 2, 9))
    excluded = make.federation(code="XXX", is_member=False)
    Player.objects.filter(pk=players["Gone"].pk).update(federation=excluded)
    Player.objects.filter(pk=players["Idle"].pk).update(federation=make.federation(code="FRA"))
    Player.objects.filter(pk=players["Weak"].pk).update(title="CM")
    Federation.objects.update(hides_birth_years_of_minors=asking[1])
    return make.publish("rapid", MARCH)


def _play(start: date, field: list[Player]) -> None:
    results = ("1-0", "1/2", "0-1")
    pairs = [(one, two) for one in range(1, len(field) + 1) for two in range(one + 1, len(field) + 1)]
    pairings = [(number, *pair, results[(number + pair[0]) % 3]) for number, pair in enumerate(pairs, 1)]
    # A bye is no game: no count has it.
    make.play_and_rate(make.tournament(start=start), field, [*pairings, (len(field), 1, None, "bye")])


def test_d134_second_engine_knows_every_text() -> None:
    assert {rules.slug for rules in known_texts()} == set(load().TEXTS)


def test_a_list_in_any_format_is_equal(
    march: RatingList, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    equal = "rapid 2026-03-01: all is equal (9 players, 2 reports, 21 games, not signed)\n"
    for before, new in product(FileFormat.values, repeat=2):
        code = run(download(march, tmp_path, before=before, new=new))
        assert (code, capsys.readouterr().out) == (0, equal), (before, new)


def test_one_report_is_counted_in_the_singular(
    march: RatingList, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(download(RatingList.objects.get(date=FEBRUARY), tmp_path))
    assert ", 1 report, 21 games, " in capsys.readouterr().out


@pytest.mark.parametrize("asking", [(True, True), (True, False), (False, True)])
def test_years_of_hidden_minors_are_in_no_file_and_the_list_is_equal(
    asking: tuple[bool, bool], march: RatingList, tmp_path: Path
) -> None:
    for chosen in ("json", "txt"):
        files = download(march, tmp_path, before=chosen, new=chosen)
        shown = [b"2012" in files.before.read_bytes(), b"2012" in files.new.read_bytes()]
        assert (run(files), shown) == (0, [not asks for asks in asking]), chosen
    minors = [tuple(row.values())[1:] for row in rows_of(files, "minors.csv")]
    people = rows_of(files, "people.csv")

    assert made_again(march) == {}
    assert minors == [tuple("yes" if asks else "" for asks in asking)]
    assert ("2012" in {row["birth_year"] for row in people}) is (asking == (True, False))
    assert march.manifest.get("minors_hidden_of", []) == march.minors_hidden_of
    assert bool(march.minors_hidden_of) is asking[1]


@pytest.mark.parametrize("asking", [(False, False), (True, True)])
def test_first_list_is_verified_with_the_imported_one_as_it_is_downloaded(
    asking: tuple[bool, bool], march: RatingList, tmp_path: Path, client: Client
) -> None:
    first = RatingList.objects.get(kind="rapid", date=FEBRUARY)
    for chosen in FileFormat.values:
        files = download(first, tmp_path, before=chosen)

        sent = client.get(f"/lists/rapid/2026-01-01/files/rapid-2026-01-01.{chosen}")
        files.before.write_bytes(b"".join(sent))

        assert (b"2012" in files.before.read_bytes(), run(files)) == (not asking[0], 0), chosen


@pytest.mark.parametrize("is_hidden", [True, False])
def test_first_list_is_verified_with_minors_who_do_not_play_hidden_before_or_since(
    is_hidden: bool, tmp_path: Path, client: Client
) -> None:
    imported, kinds = make.rating_list(), ("standard", "blitz")
    field = [make.entry(rating_list=imported, rating=rating).player for rating in (1900, 1700)]
    for k_factor in (40, 20):
        idle = make.player(name=f"Young, {k_factor}", birth_year=2012)
        make.entry(rating_list=imported, player=idle, rating=1800, k_factor=k_factor)
    for kind in kinds:
        make.rating_list(kind=kind)
    Federation.objects.update(hides_birth_years_of_minors=is_hidden)
    _play(date(2026, 1, 10), field)
    files = download(make.publish("rapid", FEBRUARY), tmp_path)
    Federation.objects.update(hides_birth_years_of_minors=True)

    sent = client.get("/lists/rapid/2026-01-01/files/rapid-2026-01-01.json")
    files.before.write_bytes(b"".join(sent))

    assert run(files) == 0


def test_year_of_a_minor_who_asks_is_in_no_file(march: RatingList, tmp_path: Path) -> None:
    young = Player.objects.get(name="Young, Y")
    HiddenBirthYear.objects.create(player=young, asked_at=make.noon(MARCH))
    april = make.publish("rapid", date(2026, 4, 1))
    files = download(april, tmp_path)

    assert (run(files), made_again(april)) == (0, {})
    assert april.minors_hidden_of == [young.pk]
    assert [tuple(row.values()) for row in rows_of(files, "minors.csv")] == [(str(young.pk), "", "yes")]
    assert [b"2012" in path.read_bytes() for path in (files.before, files.new)] == [True, False]


@pytest.mark.parametrize("asking", [(True, True)])
def test_another_word_on_a_hidden_minor_is_found(march: RatingList, tmp_path: Path) -> None:
    files = download(march, tmp_path)
    for value in ("no", ""):
        change_rows("minors.csv", 0, "junior", value)(files)
        assert run(files) == 1, value


def test_choice_of_the_federation_is_frozen_with_the_list(march: RatingList) -> None:
    Federation.objects.update(hides_birth_years_of_minors=True)

    assert made_again(march) == {}
    assert list(restore_files()) == []


def made_again(rating_list: RatingList) -> dict[str, str]:
    """Return what comes out otherwise when the files and the evidence of a list are made again."""
    published = {name: item["sha256"] for name, item in rating_list.manifest["files"].items()}
    files = dict(hashes_again(rating_list).items() - published.items())
    differences = evidence_differences(rating_list, periods_again(rating_list))
    return files | {item.where: item.expected for item in differences}


def test_python_alone_is_enough(march: RatingList, tmp_path: Path) -> None:
    files = download(march, tmp_path)
    alone = [sys.executable, "-I", "-S", str(SCRIPT), *map(str, files)]
    done = subprocess.run(alone, capture_output=True, text=True, check=False, cwd=tmp_path, env={})
    assert (done.returncode, done.stderr) == (0, "")
    wrong = subprocess.run(alone[:-1], capture_output=True, text=True, check=False, cwd=tmp_path, env={})
    assert wrong.returncode == 2


def test_the_verifier_imports_the_standard_library_alone() -> None:
    lines = SCRIPT.read_text(encoding="utf-8").splitlines()
    names = {line.split()[1].split(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert names <= sys.stdlib_module_names


@pytest.mark.parametrize("seed", SEEDS)
def test_random_federations_are_those_of_the_oracle_and_equal(seed: int, tmp_path: Path) -> None:
    federation = federation_of(seed)
    lists = lists_of(facts_of(federation))
    for day in months_of(federation):
        rating_list = make.publish("rapid", day)
        expected = {number: shown for number, line in lists[day].items() if (shown := shown_by_oracle(line))}
        assert shown_by_portal(day) == expected, f"federation of seed {seed}, list of {day}"
        if rating_list.previous is not None:
            assert run(download(rating_list, tmp_path, before="txt", new="xml")) == 0


def test_d11_corrections_are_in_the_evidence(march: RatingList, tmp_path: Path) -> None:
    tournament = Tournament.objects.order_by("start").first()
    assert tournament is not None
    on = date(2026, 3, 5)
    make.correct_report(tournament, None, reason="Tried out.", on=on)
    files = download(make.publish("rapid", date(2026, 4, 1)), tmp_path)
    assert len(rows_of(files, "corrections.csv")) > 1
    assert run(files) == 0
    change_rows("corrections.csv", 0, "difference", "100000")(files)
    assert run(files) == 1


# The bundle among the other files of the list


def test_bundle_is_named_in_the_manifest_and_the_same_every_time(march: RatingList) -> None:
    named = march.manifest["evidence"]
    with storages["lists"].open(evidence_path(march)) as stored:
        content = stored.read()
    assert named == {
        "name": "rapid-2026-03-01.evidence.zip",
        "size": len(content),
        "sha256": sha256(content).hexdigest(),
    }
    assert list(evidence_differences(march, periods_again(march))) == []
    storages["lists"].delete(evidence_path(march))
    assert [(item.path, item.is_right) for item in restore_files()] == [(evidence_path(march), True)]
    with storages["lists"].open(evidence_path(march)) as stored:
        assert stored.read() == content


def test_bundle_has_no_personal_data_beyond_the_lists(march: RatingList, tmp_path: Path) -> None:
    Player.objects.update(birth_date=date(1980, 5, 17))
    files = download(march, tmp_path)
    with zipfile.ZipFile(files.evidence) as bundle:
        everything = b"".join(bundle.read(name) for name in bundle.namelist()).decode()
    shown = json.loads(files.new.read_text(encoding="utf-8"))["players"]
    names = {row["name"] for row in shown}
    hidden = set(Player.objects.exclude(name__in=names).values_list("name", flat=True))
    assert hidden
    assert not [name for name in hidden if name in everything]
    assert "-05-17" not in everything


@pytest.fixture
def _signing(settings: Any) -> None:
    raw = Ed25519PrivateKey.generate().private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
    settings.LIST_SIGNING_KEY = base64.b64encode(raw).decode()


@pytest.mark.usefixtures("_signing")
class TestSignature:
    def test_signature_and_manifest_are_checked(
        self, march: RatingList, tmp_path: Path, settings: Any, capsys: pytest.CaptureFixture[str]
    ) -> None:
        files, key, manifest = download(march, tmp_path), public_key(), tmp_path / "manifest.json"
        manifest.write_bytes(canonical_json(march.manifest))
        assert run(files, "--key", key, "--manifest", str(manifest)) == 0
        assert f"signed for {key}" in capsys.readouterr().out
        # A bundle that is falsified as a whole agrees with the list: neither key nor manifest do.
        change_head(lambda head: None, is_signed=False)(files)
        assert [run(files, *option) for option in (("--key", key), ("--manifest", str(manifest)))] == [1, 1]
        # The key may change after the publication.
        settings.LIST_SIGNING_KEY = ""
        assert list(evidence_differences(march, periods_again(march))) == []

    def test_signature_of_another_head_is_found(self, march: RatingList, tmp_path: Path) -> None:
        files = download(march, tmp_path)
        change_head(lambda head: head.update(engine="2"))(files)
        assert run(files) == 1


# Falsifications: each changes the files, and its own hashes with them where that is possible

Falsify = Callable[[Files], None]


def members_of(files: Files) -> dict[str, bytes]:
    with zipfile.ZipFile(files.evidence) as bundle:
        return {name: bundle.read(name) for name in bundle.namelist()}


def rows_of(files: Files, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(members_of(files)[name].decode(), newline="")))


def write_members(files: Files, members: dict[str, bytes]) -> None:
    with zipfile.ZipFile(files.evidence, "w") as bundle:
        for name, content in members.items():
            bundle.writestr(name, content)


def change_member(name: str, change: Callable[[bytes], bytes], *, is_hashed: bool = True) -> Falsify:
    """Change a file of the bundle, and its hash in the head."""

    def falsify(files: Files) -> None:
        members = members_of(files)
        changed = change(members[name])
        assert changed != members[name]
        members[name] = changed
        if is_hashed:
            head = json.loads(members["evidence.json"])
            head["members"][name] = sha256(changed).hexdigest()
            members["evidence.json"] = json.dumps(head).encode()
        write_members(files, members)

    return falsify


def change_head(change: Callable[[dict[str, Any]], Any], *, is_signed: bool = True) -> Falsify:
    def falsify(files: Files) -> None:
        members = members_of(files)
        head = json.loads(members["evidence.json"])
        change(head)
        members["evidence.json"] = json.dumps(head).encode()
        if not is_signed:
            del members["signature.json"]
        write_members(files, members)

    return falsify


def change_rows(name: str, number: int, column: str, value: str) -> Falsify:
    def change(content: bytes) -> bytes:
        reader = csv.DictReader(io.StringIO(content.decode(), newline=""))
        rows = list(reader)
        rows[number][column] = value
        return _csv(reader.fieldnames or [], rows)

    return change_member(name, change)


def drop_row(name: str, number: int) -> Falsify:
    def change(content: bytes) -> bytes:
        reader = csv.DictReader(io.StringIO(content.decode(), newline=""))
        rows = list(reader)
        del rows[number]
        return _csv(reader.fieldnames or [], rows)

    return change_member(name, change)


def add_row(name: str, *values: str) -> Falsify:
    return change_member(name, lambda content: content + (",".join(values) + "\n").encode())


def _csv(names: Any, rows: list[dict[str, str]]) -> bytes:
    target = io.StringIO(newline="")
    writer = csv.DictWriter(target, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return target.getvalue().encode()


def change_report(change: Callable[[dict[str, Any]], Any]) -> Falsify:
    """Change the first report of the bundle."""

    def falsify(content: bytes) -> bytes:
        first, *others = content.decode().splitlines(keepends=True)
        report = json.loads(first)
        change(report)
        return "".join([json.dumps(report) + "\n", *others]).encode()

    return change_member("reports.jsonl", falsify)


def change_list(change: Callable[[list[dict[str, Any]]], Any], *, is_hashed: bool = True) -> Falsify:
    """Change the players of the new list, and its hash in the head."""

    def falsify(files: Files) -> None:
        data = json.loads(files.new.read_bytes())
        change(data["players"])
        content = json.dumps(data).encode()
        files.new.write_bytes(content)
        if is_hashed:
            change_head(lambda head: head["files"]["json"].update(sha256=sha256(content).hexdigest()))(files)

    return falsify


def _swap(files: Files) -> None:
    content = files.before.read_bytes()
    files.before.write_bytes(files.new.read_bytes())
    files.new.write_bytes(content)


def _drop_member(name: str) -> Falsify:
    def falsify(files: Files) -> None:
        members = members_of(files)
        del members[name]
        write_members(files, members)

    return falsify


def _cut(files: Files) -> None:
    files.evidence.write_bytes(files.evidence.read_bytes()[:-200])


def _correction_of(files: Files) -> tuple[str, ...]:
    """Return a line that gives the first player of the list seven points."""
    player = json.loads(files.new.read_bytes())["players"][0]
    return str(player["fide_id"]), "X", "2026-02-01", "700", "0", "", "0"


def _set(place: str, key: Any, value: Any) -> Callable[[dict[str, Any]], None]:
    """Return a change of one value in a list of rows of a report: `players`, `games`."""

    def change(report: dict[str, Any]) -> None:
        report[place][0][key] = value

    return change


FALSIFICATIONS: dict[str, Falsify] = {
    "bundle cut": _cut,
    "bundle empty": lambda files: files.evidence.write_bytes(b"") and None,
    "bundle no zip": lambda files: files.evidence.write_bytes(b"PK" + bytes(400)) and None,
    "head missing": _drop_member("evidence.json"),
    "reports missing": _drop_member("reports.jsonl"),
    "people missing": _drop_member("people.csv"),
    "file added": lambda files: write_members(files, members_of(files) | {"more.csv": b"a\n"}),
    "report changed without its hash": change_member(
        "reports.jsonl", lambda content: content.replace(b'"1"', b'"="', 1), is_hashed=False
    ),
    "lists swapped": _swap,
    "result changed": change_report(lambda report: report["games"][0].__setitem__(slice(3, 5), ["=", "="])),
    "result turned": change_report(lambda report: report["games"][-1].__setitem__(slice(3, 5), ["0", "1"])),
    "game removed": change_report(lambda report: report["games"].pop()),
    "game added": change_report(lambda report: report["games"].append([9, 1, 2, "1", "0", True, ""])),
    "game marked": change_report(_set("games", 6, "fair-play")),
    "game not played": change_report(_set("games", 5, False)),
    "rating at the start": change_report(_set("players", 3, 1950)),
    "K at the start": change_report(_set("players", 4, 10)),
    "unrated at the start": change_report(
        lambda report: report["players"][0].__setitem__(slice(2, 5), ["unrated", None, None])
    ),
    "another player": change_report(_set("players", 1, 1_999_999)),
    "no ID number": change_report(_set("players", 1, None)),
    "unequal playing times": change_report(lambda report: report.update(unequal_times=True)),
    "match": change_report(lambda report: report.update(match=True)),
    "decision of the President": change_report(lambda report: report.update(decided_by="president")),
    "another text": change_report(lambda report: report.update(rules="fide-rapid-blitz-2022")),
    "unknown text": change_report(lambda report: report.update(rules="fide-rapid-blitz-1999")),
    "ended too late": change_report(lambda report: report.update(end="2026-02-28")),
    "blitz": change_report(lambda report: report.update(time_control="3+2")),
    "another list in force": change_report(lambda report: report.update(basis="2026-01-01")),
    "report twice": change_member("reports.jsonl", lambda content: content * 2),
    "no reports": change_member("reports.jsonl", lambda content: b""),
    "rating before": change_rows("before.csv", 0, "rating", "1999"),
    "K before": change_rows("before.csv", 0, "k", "10"),
    "2400 reached before": change_rows("before.csv", 0, "reached_high", "1"),
    "state removed": drop_row("before.csv", 0),
    "pool added": add_row("pools.csv", "1999999", "X", "2026-01-01", "2026-01-02", "5", "5", "9000", "0"),
    "correction added": lambda files: add_row("corrections.csv", *_correction_of(files))(files),
    "federation changed": change_rows("people.csv", 0, "federation", "USA"),
    "name changed": change_rows("people.csv", 0, "name", "Somebody, Else"),
    "person removed": drop_row("people.csv", 0),
    "death removed": drop_row("left.csv", 0),
    "exclusion removed": drop_row("left.csv", 1),
    "text adopted": change_head(lambda head: head["adoptions"][-1].update(text="fide-rapid-blitz-2022")),
    "no text adopted": change_head(lambda head: head.update(adoptions=[])),
    "rules of the list": change_head(lambda head: head.update(rules="fide-rapid-blitz-2022")),
    "activity": change_head(lambda head: head.update(active_since="2026-04-01")),
    "date": change_head(lambda head: head.update(date="2026-04-01")),
    "kind": change_head(lambda head: head.update(kind="blitz")),
    "players counted": change_head(lambda head: head.update(listed=8)),
    "list changed without its hash": change_list(lambda rows: rows[0].update(rating=2500), is_hashed=False),
    "rating": change_list(lambda rows: rows[0].update(rating=rows[0]["rating"] + 1)),
    "K": change_list(lambda rows: rows[1].update(k=40 if rows[1]["k"] != 40 else 20)),
    "games": change_list(lambda rows: rows[0].update(games=99)),
    "inactive": change_list(lambda rows: rows[-1].update(inactive=True)),
    "name": change_list(lambda rows: rows[2].update(name="Somebody, Else")),
    "federation": change_list(lambda rows: rows[2].update(federation="USA")),
    "title": change_list(lambda rows: rows[2].update(title="GM")),
    "sex": change_list(lambda rows: rows[2].update(sex="F")),
    "year of birth": change_list(lambda rows: rows[2].update(birth_year=1901)),
    "player removed": change_list(lambda rows: rows.pop()),
    "player added": change_list(lambda rows: rows.append(rows[-1] | {"fide_id": 1_999_999, "rating": 1401})),
    "order": change_list(lambda rows: rows.reverse()),
    "line twice": change_list(lambda rows: rows.append(rows[-1])),
    "text as rating": change_list(lambda rows: rows[0].update(rating="2500")),
}


@pytest.fixture(scope="module")
def originals() -> dict[str, bytes]:
    """Hold the three files once they are made: the falsifications share them."""
    return {}


@pytest.fixture
def files(originals: dict[str, bytes], request: pytest.FixtureRequest, tmp_path: Path) -> Files:
    if not originals:
        made = download(request.getfixturevalue("march"), tmp_path)
        assert run(made) == 0
        originals |= {name: getattr(made, name).read_bytes() for name in Files._fields}
    files = Files(*(tmp_path / name for name in ("before.json", "evidence.zip", "new.json")))
    for name in Files._fields:
        getattr(files, name).write_bytes(originals[name])
    return files


@pytest.mark.parametrize("name", FALSIFICATIONS)
def test_falsification_is_found(name: str, files: Files) -> None:
    FALSIFICATIONS[name](files)
    assert run(files) in (1, 2)


def test_difference_names_player_expected_and_found(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    player = json.loads(files.new.read_bytes())["players"][0]
    capsys.readouterr()
    change_list(lambda rows: rows[0].update(rating=player["rating"] + 1))(files)
    assert run(files) == 1
    rating = player["rating"]
    told = f"expected rating {rating}, there is rating {rating + 1}"
    assert capsys.readouterr().out == f"{player['fide_id']} {player['name']}: {told}\n"
