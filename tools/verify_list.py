#!/usr/bin/env python3
"""Checks a rating list: calculates every entry again from the list before and the evidence of the month.

    python3 verify_list.py BEFORE EVIDENCE NEW [--key BASE64] [--manifest FILE]

BEFORE and NEW are files of the list before and of the new list, in any of the four formats (TXT, XML, CSV, JSON).
EVIDENCE is the evidence bundle of the new list (`rapid-2026-02-01.evidence.zip`). With `--key` the bundle must be
signed for that public key; with `--manifest` the manifest of the new list must name the bundle and the file.

Exit 0 and one line: all is equal. Exit 1: a line for each difference. Exit 2: wrong use.

One file, the standard library alone (Python 3.9 or later), and no code of the portal: the regulations are written
here a second time, FIDE Rapid and Blitz Rating Regulations of 2022 and 2024, and the amendment of December 2024.
SPDX-License-Identifier: see LICENSE of the project.
"""

import argparse
import base64
import bisect
import csv
import hashlib
import io
import json
import re
import struct
import sys
import tempfile
import unicodedata
import zipfile
import zlib
from collections import defaultdict
from datetime import date, timedelta
from fractions import Fraction

# ---------------------------------------------------------------------------------------------------------------
# The tables of the regulations: 7.1.1 (dp for p in hundredths) and 7.1.2 (greatest difference of each probability)
# ---------------------------------------------------------------------------------------------------------------
DP = [
    -800, -677, -589, -538, -501, -470, -444, -422, -401, -383, -366, -351, -336, -322, -309, -296, -284,
    -273, -262, -251, -240, -230, -220, -211, -202, -193, -184, -175, -166, -158, -149, -141, -133, -125,
    -117, -110, -102, -95, -87, -80, -72, -65, -57, -50, -43, -36, -29, -21, -14, -7,
]  # fmt: skip
DP = DP + [0] + [-value for value in reversed(DP)]
PD_BOUNDS = [
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179,
    188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456,
    484, 517, 559, 619, 735,
]  # fmt: skip


def probability(difference):
    """Return PD in hundredths for own rating minus the opponent's (7.1.2)."""
    higher = 50 + bisect.bisect_left(PD_BOUNDS, abs(difference))
    return higher if difference >= 0 else 100 - higher


def nearest(value):
    """Return the nearest whole number, exact halves away from zero."""
    size = (2 * abs(Fraction(value)) + 1) // 2
    return int(size if value >= 0 else -size)


def points(hundredths):
    """Return hundredths as whole points, exact halves away from zero."""
    size = (2 * abs(hundredths) + 100) // 200
    return size if hundredths >= 0 else -size


# ---------------------------------------------------------------------------------------------------------------
# The texts of the regulations
# ---------------------------------------------------------------------------------------------------------------
class Text2024:
    """From 2024-01-01: cap 400, K 40, 20 or 10, two hypothetical opponents of 1800, at most 2200."""

    floor = 1400

    def counted(self, differences):
        """7.3.1: a difference of more than 400 counts as 400."""
        return [max(-400, min(400, difference)) for difference in differences]

    def is_rated(self, one, other):
        """Whether a game between two ratings at the start counts at all."""
        return True

    def used_k(self, listed):
        return listed

    def listed_k(self, year, completed, low, high, on):
        """7.3.3: the first sentence that applies."""
        if high:
            return 10
        if completed < 30 or (is_junior(year, on) and not low):
            return 40
        return 20

    def initial(self, total, games, halves):
        """7.2.3 and 7.2.4: with two opponents of 1800 drawn, Ru = Ra + dp, at most 2200."""
        p = int((Fraction(halves + 2, 2) * 100 / (games + 2) * 2 + 1) // 2)
        return min(2200, nearest(Fraction(total + 3600, games + 2) + DP[p]))


class Text202412(Text2024):
    """7.3.1 as amended from December 2024: 600 points or more with one above 2600 is not rated."""

    def is_rated(self, one, other):
        return abs(one - other) < 600 or max(one, other) <= 2600


class Text2022(Text2024):
    """2022 and 2023: K 20, one upgrade a tournament, 20 points a half point above 50 %."""

    floor = 1000

    def counted(self, differences):
        """7.31: the lower rated is always capped, the higher rated in the game of the greatest difference only."""
        best = max(differences, default=0)
        counted, is_used = [], False
        for difference in differences:
            is_first = difference == best and difference > 400 and not is_used
            is_used = is_used or is_first
            counted.append(400 if is_first else max(-400, difference))
        return counted

    def used_k(self, listed):
        return 20

    def listed_k(self, year, completed, low, high, on):
        return 20

    def initial(self, total, games, halves):
        """7.23 and 7.24."""
        over = halves - games
        p = int((Fraction(halves, 2) * 100 / games * 2 + 1) // 2)
        return nearest(Fraction(total, games) + (20 * over if over >= 0 else DP[p]))


TEXTS = {
    "fide-rapid-blitz-2022": Text2022(),
    "fide-rapid-blitz-2024": Text2024(),
    "fide-rapid-blitz-2024-12": Text202412(),
}


def is_junior(year, on):
    return year is not None and on.year - year <= 18


def months_before(day, months):
    number = day.year * 12 + day.month - 1 - months
    return date(number // 12, number % 12 + 1, 1)


# ---------------------------------------------------------------------------------------------------------------
# Lists, in four formats
# ---------------------------------------------------------------------------------------------------------------
class WrongUseError(Exception):
    """What was given cannot be compared at all."""


# What files that are no lists and no bundles may end in: wrong words, missing ones, damage, a thousand brackets.
UNREADABLE = (
    ValueError, KeyError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, RuntimeError,
    EOFError, csv.Error, struct.error, zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error,
)  # fmt: skip

FIELDS = ("name", "federation", "sex", "title", "birth_year", "rating", "games", "k", "inactive")
MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
TXT_COLUMNS = {
    "fide_id": (0, 15), "name": (15, 76), "federation": (76, 80), "sex": (80, 84), "title": (84, 89),
    "women_title": (89, 94), "rating": (113, 119), "games": (119, 123), "k": (123, 126), "born": (126, 132),
    "flag": (132, 136),
}  # fmt: skip


class ListFile:
    """A list as a file says it: format, rows by FIDE ID in order, SHA-256, and kind, date and rules if it has them.

    With `content` only that is read, a part of the list.
    """

    def __init__(self, path, content=None):
        self.path = path
        try:
            if content is None:
                with open(path, "rb") as source:
                    content = source.read()
        except OSError as error:
            raise WrongUseError(f"{path} cannot be read: {error.strerror}")
        self.sha256, self.size = hashlib.sha256(content).hexdigest(), len(content)
        self.kind = self.date = self.rules = None
        self.twice = []
        self.rows = {}
        self.format = _format_of(content)
        readers = {"json": self._json, "xml": self._xml, "csv": self._csv, "txt": self._txt}
        try:
            for row in readers[self.format](content):
                if row["fide_id"] in self.rows:
                    self.twice.append(row["fide_id"])
                self.rows[row["fide_id"]] = row
        except UNREADABLE as error:
            raise WrongUseError(f"{path} is not a list in {self.format.upper()}: {error!r}")

    def _json(self, content):
        data = json.loads(content)
        self.kind, self.rules = data["kind"], data["rules"]
        self.date = date.fromisoformat(data["date"])
        for row in data["players"]:
            yield {"fide_id": _whole(row["fide_id"]), **{name: row[name] for name in FIELDS}}

    def _csv(self, content):
        lines = csv.reader(io.StringIO(content.decode(), newline=""))
        head = next(lines)
        for cells in lines:
            row = dict(zip(head, cells))
            name = row["name"]
            if name[:1] == "'" and name[1:2] in tuple("=+-@\t\r"):
                name = name[1:]
            if row["inactive"] not in ("true", "false"):
                raise ValueError(f"inactive is {row['inactive']!r}")
            yield {
                "fide_id": int(row["fide_id"]),
                "name": name,
                **{key: row[key] for key in ("federation", "sex", "title")},
                **{key: _number(row[key]) for key in ("birth_year", "rating", "games", "k")},
                "inactive": row["inactive"] == "true",
            }

    def _xml(self, content):
        text = content.decode()
        if not text.rstrip().endswith("</playerslist>"):
            raise ValueError("the file has no end")
        for part in text.split("<player>")[1:]:
            player, end, _ = part.partition("</player>")
            if not end:
                raise ValueError("a player has no end")
            found = {tag: _unescaped(value) for tag, value in re.findall(r"<(\w+)>([^<]*)</\1>", player)}
            flag = found.get("flag", "")
            yield {
                "fide_id": int(found["fideid"]),
                "name": found["name"],
                "federation": found["country"],
                "sex": found["sex"],
                "title": found["title"],
                "women_title": found.get("w_title", ""),
                "other_titles": found.get("o_title", ""),
                "foa_title": found.get("foa_title", ""),
                "birth_year": _number(found.get("birthday", "")),
                "rating": int(found["rating"]),
                "games": _number(found["games"]) or 0,
                "k": _number(found["k"]),
                "inactive": "i" in flag,
            }

    def _txt(self, content):
        lines = content.decode("latin-1").splitlines()
        token = lines[0][113:119].strip()
        if len(token) == 5 and token[:3] in MONTHS:
            self.date = date(2000 + int(token[3:]), MONTHS.index(token[:3]) + 1, 1)
        for line in lines[1:]:
            if line.strip():
                cells = {name: line[start:end].strip() for name, (start, end) in TXT_COLUMNS.items()}
                row = {name: cells[name] for name in ("name", "federation", "sex", "title", "women_title")}
                row.update({name: _number(cells[name]) for name in ("rating", "games", "k")})
                row.update(fide_id=int(cells["fide_id"]), birth_year=_number(cells["born"]))
                row.update(inactive="i" in cells["flag"], games=row["games"] or 0)
                if row["rating"] is None or not row["federation"]:
                    raise ValueError(f"line of {cells['fide_id']}")
                yield row


def _contents(path, parts, part_of):
    """Yield the parts of a list in CSV, each with its head: the lines by the part of the FIDE ID in each."""
    if parts == 1:
        with open(path, "rb") as source:
            yield source.read()
        return
    # Each is closed where it is read.
    files = [tempfile.TemporaryFile() for _part in range(parts)]  # noqa: SIM115
    with open(path, "rb") as source:
        head = next(source)
        for file in files:
            file.write(head)
        for line in source:
            files[part_of(int(line[: line.index(b",")]))].write(line)
    for file in files:
        with file:
            file.seek(0)
            yield file.read()


def _format_of(content):
    start = content[:200].lstrip(b"\xef\xbb\xbf \r\n\t")
    if start.startswith(b"{"):
        return "json"
    if start.startswith(b"<"):
        return "xml"
    return "csv" if start.startswith(b"fide_id,") else "txt"


def _whole(value):
    if type(value) is not int:
        raise ValueError(f"{value!r} is not a whole number")
    return value


def _number(text):
    """Return a number, None where there is none (a year 0 is none)."""
    return int(text) or None if text not in ("", "0", "0000") else (0 if text == "0" else None)


def _unescaped(text):
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


LETTERS = {"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"}


def folded(name):
    """Return a name as TXT can say it, with a question mark where another program may write something else."""
    plain = "".join(LETTERS.get(letter, letter) for letter in unicodedata.normalize("NFKD", name))
    kept = (" " if letter.isspace() else letter for letter in plain if not unicodedata.combining(letter))
    return "".join(letter if " " <= letter <= "~" else "?" for letter in kept).strip()[:61].rstrip()


def same_name(one, other, is_folded):
    if one == other:
        return True
    if not is_folded:
        return _one_line(one) == _one_line(other)
    left, right = folded(one), folded(other)
    if "?" in left + right:
        return len(left) == len(right) or not left.isascii() or "?" in left + right
    return left == right


def _one_line(text):
    return " ".join("".join(" " if letter.isspace() else letter for letter in text).split())


# ---------------------------------------------------------------------------------------------------------------
# The evidence
# ---------------------------------------------------------------------------------------------------------------
MEMBERS = ("reports.jsonl", "before.csv", "pools.csv", "corrections.csv", "people.csv", "left.csv")


class Evidence:
    """The bundle: its head, what is wrong with its hashes and signature, and its tables."""

    def __init__(self, path):
        self.path, self.faults = path, []
        try:
            with open(path, "rb") as source:
                content = source.read()
            self.sha256, self.size = hashlib.sha256(content).hexdigest(), len(content)
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                names = archive.namelist()
                files = {name: archive.read(name) for name in names}
        except OSError as error:
            raise WrongUseError(f"{path} cannot be read: {error.strerror}")
        except UNREADABLE as error:
            raise WrongUseError(f"{path} is not an evidence bundle: {error}")
        for name in sorted({name for name in names if names.count(name) > 1}):
            raise WrongUseError(f"{path} is not an evidence bundle: it has several files {name}")
        if "evidence.json" not in files:
            raise WrongUseError(f"{path} is not an evidence bundle: it has no evidence.json")
        self._files = files
        try:
            self._read(files)
        except UNREADABLE as error:
            raise WrongUseError(f"{path} is not an evidence bundle that can be read: {error!r}")

    def _read(self, files):
        self.head = head = json.loads(files["evidence.json"])
        if head["format"] not in (1, 2, 3, 4):
            raise WrongUseError(f"{self.path} has format {head['format']}: take a newer verify_list.py")
        self.kind, self.date = head["kind"], date.fromisoformat(head["date"])
        self.active_since = date.fromisoformat(head["active_since"])
        self.adoptions = [(date.fromisoformat(row["from"]), row["text"]) for row in head["adoptions"]]
        for _first, text in self.adoptions:
            if text not in TEXTS:
                raise WrongUseError(f"the text {text} is not known to this program")
        self.adjustment = Formula(head["adjustment"]) if "adjustment" in head else None
        self._check_hashes(files)
        self.persons = {int(old): person for old, person in head["persons"].items()}
        self.joined = {int(person): old for person, old in head["joined"].items()}
        self.before = {int(row["fide_id"]): _state(row) for row in self._table("before.csv")}
        self.people = {int(row["fide_id"]): _person(row) for row in self._table("people.csv")}
        self.left = {int(row["fide_id"]): row["reason"] for row in self._table("left.csv")}
        # Minors whose years the files do not show: whether they are juniors on the list before, and on the new one.
        self.minors = {int(row["fide_id"]): _minor(row) for row in self._table("minors.csv")}
        # By player and event: K by a corrected year of birth, without an event the one before the list (D-144), and
        # why the event counts for nothing of the player's own (D-143).
        self.factors, self.void = {}, {}
        for row in self._table("own.csv"):
            key = int(row["fide_id"]), row["event_id"]
            if row["k"]:
                self.factors[key] = int(row["k"])
            if row["reason"]:
                self.void[key] = row["reason"]
        self.pools, self.corrections = defaultdict(list), defaultdict(list)
        for row in self._table("pools.csv"):
            self.pools[int(row["fide_id"])].append(_share(row))
        for row in self._table("corrections.csv"):
            self.corrections[int(row["fide_id"])].append(_correction(row))

    def reports(self):
        """Yield the reports, one at a time: a month has millions of games."""
        for line in io.BytesIO(self._files.get("reports.jsonl", b"")):
            yield json.loads(line)

    def _check_hashes(self, files):
        named = self.head["members"]
        for name in sorted(set(named) | set(MEMBERS) | (set(files) - {"evidence.json", "signature.json"})):
            there = hashlib.sha256(files[name]).hexdigest() if name in files else "no such file"
            if there != named.get(name, "no such file"):
                self.faults.append(("evidence", name, named.get(name, "no such file"), there))

    def _table(self, name):
        text = self._files.get(name, b"").decode()
        return csv.DictReader(io.StringIO(text, newline=""))

    def check_signature(self, key):
        """Note what is wrong with the signature, and return the key that it is right for."""
        if "signature.json" not in self._files:
            if key:
                self.faults.append(("evidence", "signature", f"one for {key}", "none"))
            return ""
        try:
            row = json.loads(self._files["signature.json"])
            public, signature = (
                base64.b64decode(row[name], validate=True) for name in ("public_key", "signature")
            )
        except UNREADABLE as error:
            self.faults.append(("evidence", "signature", "a signature", repr(error)))
            return ""
        if key and row["public_key"] != key:
            self.faults.append(("evidence", "signature", f"one for {key}", f"one for {row['public_key']}"))
        if not is_signed(public, signature, self._files["evidence.json"]):
            self.faults.append(("evidence", "signature", "the signature of evidence.json", "another"))
        return row["public_key"]

    def text_on(self, day):
        """Return the name of the text in force on a day, None before the first."""
        names = [text for first, text in sorted(self.adoptions) if first <= day]
        return names[-1] if names else None

    def rules_on(self, day):
        name = self.text_on(day)
        if name is None:
            raise WrongUseError(f"no text of the regulations is in force on {day}")
        return TEXTS[name]


class Formula:
    """An adjustment of the whole list: share x (L - R) for every rating R on one side of the limit L, once rounded."""

    def __init__(self, row):
        self.limit, self.share, self.least = row["limit"], Fraction(row["share"]), row["least"]
        if row["side"] not in ("below", "above"):
            raise ValueError(f"{row['side']!r} is no side of a limit")
        self.is_above = row["side"] == "above"

    def of(self, rating):
        """Return a rating of the list as it is published."""
        if rating == self.limit or (rating > self.limit) != self.is_above:
            return rating
        adjusted = rating + nearest(self.share * (self.limit - rating))
        return adjusted if self.least is None else max(adjusted, self.least)


def _int(text):
    return int(text) if text != "" else None


def _day(text):
    return date.fromisoformat(text) if text else None


def _state(row):
    return {
        "status": row["status"],
        "rating": _int(row["rating"]),
        "k": _int(row["k"]),
        "completed": int(row["completed"]),
        "low": row["reached_low"] == "1",
        "high": row["reached_high"] == "1",
        "played": _day(row["last_played"]),
    }


def _person(row):
    found = {
        key: row[key] for key in ("name", "federation", "sex", "women_title", "other_titles", "foa_title")
    }
    found["title"] = row["title"] or row["women_title"]
    found["birth_year"] = _int(row["birth_year"])
    return found


def _minor(row):
    """Return whether a junior before and now; None where that list hides no year of the player."""
    words = {"yes": True, "no": False, "": None}
    return words[row["junior_before"]], words[row["junior"]]


def _share(row):
    return {
        "event_id": row["event_id"],
        "start": _day(row["start"]),
        "end": _day(row["end"]),
        "games": int(row["games"]),
        "halves": int(row["half_points"]),
        "total": int(row["opponents_sum"]),
        "disregarded": row["disregarded"] == "1",
    }


def _correction(row):
    return {
        "difference": int(row["difference"]),
        "games": int(row["games"]),
        "first": _int(row["first_rating"]),
        "lost": row["lost"] == "1",
    }


# Ed25519 (RFC 8032), verification alone.
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)
BASE_Y = 4 * pow(5, P - 2, P) % P


def is_signed(public, signature, content):
    """Whether the owner of a public key signed the content."""
    if len(public) != 32 or len(signature) != 64:
        return False
    key, point = _point(public), _point(signature[:32])
    number = int.from_bytes(signature[32:], "little")
    if key is None or point is None or number >= ORDER:
        return False
    challenge = hashlib.sha512(signature[:32] + public + content).digest()
    factor = int.from_bytes(challenge, "little") % ORDER
    base = (_x_of(BASE_Y, 0), BASE_Y, 1, _x_of(BASE_Y, 0) * BASE_Y % P)
    left, right = _times(number, base), _add(point, _times(factor, key))
    across = (left[0] * right[2] - right[0] * left[2]) % P
    return across == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


def _x_of(y, sign):
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    return P - x if x % 2 != sign else x


def _point(encoded):
    number = int.from_bytes(encoded, "little")
    y, sign = number & (2**255 - 1), number >> 255
    x = _x_of(y, sign) if y < P else None
    return None if x is None else (x, y, 1, x * y % P)


def _add(one, other):
    a, b = (one[1] - one[0]) * (other[1] - other[0]) % P, (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _times(number, point):
    found = (0, 1, 1, 0)
    while number:
        if number & 1:
            found = _add(found, point)
        point, number = _add(point, point), number >> 1
    return found


# ---------------------------------------------------------------------------------------------------------------
# Tournaments
# ---------------------------------------------------------------------------------------------------------------
HALVES = {"1": 2, "W": 2, "+": 2, "F": 2, "U": 2, "=": 1, "D": 1, "H": 1}


CONDITIONS = (
    "rules", "official", "decided_by", "rounds", "match", "waiver", "unequal_times", "time_control",
)  # fmt: skip


class Tournament:
    """A report: conditions, who played with which standing at the start, and the games that may count."""

    def __init__(self, row):
        self.event_id = row["event_id"]
        self.row = {name: row[name] for name in CONDITIONS}
        self.start, self.end = date.fromisoformat(row["start"]), date.fromisoformat(row["end"])
        self.rules = TEXTS[row["rules"]]
        self.basis, self.standard_basis = _day(row["basis"]), _day(row["standard_basis"])
        self.players = {number: fide_id for number, fide_id, *_standing in row["players"]}
        self.standings = {number: tuple(standing) for number, _fide_id, *standing in row["players"]}
        self.order = (self.start, self.end, len(self.event_id), self.event_id)
        self._games = sorted(row["games"], key=lambda game: (game[0], game[1]))

    def forget_games(self):
        """Keep what the standings at the start are compared with, without the games."""
        self._games = []

    def rating(self, number):
        return self.standings.get(number, (None, None, None))[1]

    def games_by_player(self):
        """Return the games that count for somebody: by starting rank, opponents with the score in half points."""
        found = defaultdict(list)
        if self._is_void():
            return found
        late = self._after_decision()
        for index, (_round, white, black, white_code, black_code, is_played, mark) in enumerate(self._games):
            if black is None or not is_played or mark or index in late:
                continue
            one, other = self.rating(white), self.rating(black)
            if one is not None and other is not None and not self.rules.is_rated(one, other):
                continue
            if self.row["match"] and None in (one, other):
                continue
            found[white].append((black, HALVES.get(white_code, 0)))
            found[black].append((white, HALVES.get(black_code, 0)))
        return found

    def _is_void(self):
        """1.2: players with different times; 0.2: by the President's decision only above 2700 on average."""
        if self.row["unequal_times"]:
            return True
        if self.row["decided_by"] != "president":
            return False
        ratings = [rating for _status, rating, _k in self.standings.values() if rating is not None]
        return not ratings or sum(ratings) <= 2700 * len(ratings)

    def _after_decision(self):
        """Return the games of a match after one player had more than half of its points (5.2)."""
        if not self.row["match"] or self.row["waiver"]:
            return set()
        met = defaultdict(set)
        for _round, white, black, *_rest in self._games:
            if black is not None:
                met[white].add(black)
                met[black].add(white)
        points, late = defaultdict(int), set()
        for index, (_round, white, black, white_code, black_code, _played, _mark) in enumerate(self._games):
            others = {black} if black is not None else met[white]
            match = frozenset({white} | others if len(others) == 1 else {white})
            if any(points[match, player] > self.row["rounds"] for player in match):
                late.add(index)
            points[match, white] += HALVES.get(white_code, 0)
            if black is not None:
                points[match, black] += HALVES.get(black_code, 0)
        return late


PAIRS = {}


class Event:
    """What a tournament is to one player: the standing at the start and the games that may count."""

    __slots__ = ("end", "event_id", "games", "k", "order", "rating", "rules", "start", "status")

    def __init__(self, tournament, standing, games):
        self.order, self.start, self.end = tournament.order, tournament.start, tournament.end
        self.event_id, self.rules = tournament.event_id, tournament.rules
        self.status, self.rating, self.k = standing
        # The same pair for all games with the same opponent's rating and score.
        self.games = [
            PAIRS.setdefault((rating, halves), (rating, halves))
            for rating, halves in ((tournament.rating(other), halves) for other, halves in games)
            if rating is not None
        ]

    def change(self, own):
        """Return the sum of score minus PD over the games, in hundredths (7.3)."""
        counted = self.rules.counted([own - rating for rating, _halves in self.games])
        halves = (half for _rating, half in self.games)
        return sum(50 * half - probability(difference) for half, difference in zip(halves, counted))

    def share(self, is_disregarded):
        return {
            "start": self.start,
            "order": self.order,
            "games": len(self.games),
            "halves": sum(halves for _rating, halves in self.games),
            "total": sum(rating for rating, _halves in self.games),
            "disregarded": is_disregarded,
        }


# ---------------------------------------------------------------------------------------------------------------
# Players: from what stood before to the entry of the new list
# ---------------------------------------------------------------------------------------------------------------
NOBODY = {
    "status": "",
    "rating": None,
    "k": None,
    "completed": 0,
    "low": False,
    "high": False,
    "played": None,
}


class Month:
    """All that the new list is calculated from; the list before may be looked at in parts (`is_in`)."""

    def __init__(self, before, evidence):
        self.before, self.evidence, self.date = before, evidence, evidence.date
        self.rules = evidence.rules_on(evidence.date)
        self.first_month = months_before(evidence.date, 26)
        self.tournaments, self.events, self.number_of_games = [], defaultdict(list), 0
        for row in evidence.reports():
            self.number_of_games += sum(black is not None for _round, _white, black, *_rest in row["games"])
            tournament = Tournament(row)
            self._add_events(tournament)
            tournament.forget_games()
            self.tournaments.append(tournament)
        gone = {old for some in evidence.joined.values() for old in some}
        self.gone = gone
        self.calculated = (set(self.events) | set(evidence.corrections) | set(evidence.joined)) - gone
        self.part, self.parts = 0, 1

    def is_in(self, fide_id):
        """Whether a player is in the part that is looked at."""
        return self.parts == 1 or self.part_of(fide_id) == self.part

    def part_of(self, fide_id):
        """Return the part of a player: merged FIDE IDs are in that of their person."""
        return self.evidence.persons.get(fide_id, fide_id) % self.parts

    def _add_events(self, tournament):
        games = tournament.games_by_player()
        for number, fide_id in tournament.players.items():
            if fide_id is not None:
                person = self.evidence.persons.get(fide_id, fide_id)
                status, rating, k = tournament.standings[number]
                k = self.evidence.factors.get((person, tournament.event_id), k)
                is_void = (person, tournament.event_id) in self.evidence.void
                counted = [] if is_void else games.get(number, [])
                self.events[person].append(Event(tournament, (status, rating, k), counted))

    def year_of(self, fide_id):
        """Return the year of birth; of a hidden minor one that makes a junior, or none."""
        is_junior_now = self.evidence.minors.get(fide_id, (None, None))[1]
        if is_junior_now is not None:
            return self.date.year if is_junior_now else None
        person = self.evidence.people.get(fide_id) or self.before.rows.get(fide_id) or {}
        return person.get("birth_year")

    def state_of(self, fide_id):
        """Return what stood before: what the bundle says, else what the list before implies (D-12)."""
        if fide_id in self.evidence.before:
            return self.evidence.before[fide_id]
        row = self.before.rows.get(fide_id)
        return NOBODY if row is None or fide_id in self.calculated else self._implied(row)

    def _implied(self, row):
        is_young, is_junior_now = self.evidence.minors.get(row["fide_id"], (None, None))
        if is_young is None:
            # The file of an imported list may lack the year by now; who is a junior now was one then.
            is_young = is_junior_now or is_junior(row["birth_year"], self.before_date)
        is_young_below = is_young and row["rating"] < 2300
        is_new = row["k"] == 40 and not is_young_below
        return {
            "status": "listed",
            "rating": row["rating"],
            "k": row["k"],
            "completed": 0 if is_new else 30,
            "low": row["rating"] >= 2300 or (is_young_below and row["k"] in (10, 20)),
            "high": row["rating"] >= 2400 or row["k"] == 10,
            "played": None if row["inactive"] else self.date,
        }

    @property
    def before_date(self):
        previous = self.evidence.head["previous"]
        return date.fromisoformat(previous["date"]) if previous else self.date

    def entries(self):
        """Yield FIDE ID and entry (None: not listed) of everybody on the list before or concerned by the month."""
        others = filter(self.is_in, self.calculated | set(self.evidence.before))
        for fide_id in sorted({*self.before.rows, *others}):
            yield fide_id, self.entry_of(fide_id)

    def entry_of(self, fide_id):
        """Return rating, games, K and whether inactive, None where the player is not listed."""
        if fide_id in self.gone or fide_id in self.evidence.left:
            return None
        state = self.state_of(fide_id)
        if fide_id in self.calculated:
            result = self._calculated(fide_id, state)
        elif state["rating"] is not None and self.adjusted(state["rating"]) >= self.rules.floor:
            rating = self.adjusted(state["rating"])
            result = {"rating": rating, "games": 0, "completed": state["completed"], "new_games": 0}
        else:
            result = None
        return self._entry(self.year_of(fide_id), state, result) if result else None

    def adjusted(self, rating):
        """Return a rating after the list's own changes as the list adjusts it, before the floor."""
        return self.evidence.adjustment.of(rating) if self.evidence.adjustment else rating

    def expected_of(self, row):
        """Return games, K and activity of a player without any evidence, by the row of the list before."""
        state = self._implied(row)
        if row["rating"] < self.rules.floor:
            return None
        result = {"rating": row["rating"], "games": 0, "completed": state["completed"], "new_games": 0}
        return self._entry(row["birth_year"], state, result)

    def _entry(self, year, state, result):
        rating = result["rating"]
        low, high = state["low"] or rating >= 2300, state["high"] or rating >= 2400
        played = self.date if result["games"] or result["new_games"] > 0 else state["played"]
        return {
            "rating": rating,
            "games": result["games"],
            "k": self.rules.listed_k(year, result["completed"], low, high, self.date),
            "inactive": played is None or played < self.evidence.active_since,
        }

    def _calculated(self, fide_id, state):
        corrections = self.evidence.corrections.get(fide_id, [])
        events = sorted(self.events.get(fide_id, []), key=lambda event: event.order)
        known = state["rating"] if state["status"] in ("listed", "withheld") else None
        difference = sum(item["difference"] for item in corrections)
        new_games = sum(item["games"] for item in corrections)
        completed = max(0, state["completed"] + new_games)
        # Corrections change the rating by which the own result is rated, too.
        current = None if known is None else points(100 * known + difference)
        owns = [self._own(event, current, state["k"]) for event in events]
        if known is None:
            return self._unrated(fide_id, events, owns, completed, new_games)
        return self._rated(events, owns, known, difference, completed, new_games)

    def _own(self, event, current, k):
        """Return the standing by which the own result is rated (7.2.5, D-2, D-110)."""
        if event.status == "standard":
            return event.status, event.rating, event.k
        if current is None:
            return "unrated", None, None
        if event.status == "rated":
            return event.status, event.rating, event.k
        return "rated", current, event.rules.used_k(k or 0)

    def _rated(self, events, owns, base, difference, completed, new_games, pooled=0):
        """7.3: the sum of K times change, rounded once, on the rating before; K within 700 (7.3.3)."""
        rated = [(event, own) for event, own in zip(events, owns) if own[0] != "unrated"]
        games = sum(len(event.games) for event, _own in rated)
        n, change = games + pooled, difference
        for event, (_status, rating, k) in rated:
            change += (min(k or 0, 700 // n) if n else k or 0) * event.change(rating)
        rating = self.adjusted(base + points(change))
        if rating < self.rules.floor:
            return None
        return {"rating": rating, "games": n, "completed": completed + games, "new_games": new_games}

    def _unrated(self, fide_id, events, owns, completed, new_games):
        """7.2: an initial rating from the pool, where the list adds a game and the pool has five.

        The change of tournaments by the standard rating is added to it (D-113); without it, they start from the
        standard rating of the earliest (D-5).
        """
        stored = [dict(share, order=_order(share)) for share in self.evidence.pools.get(fide_id, [])]
        by_standard = [
            (event, own) for event, own in zip(events, owns) if own[0] == "standard" and event.games
        ]
        pooled = [event for event, own in zip(events, owns) if own[0] == "unrated" and event.games]
        # One person may have two lines of a report, which are one event (D-141).
        first = [event for event in pooled if not stored and event.event_id == pooled[0].event_id]
        is_zero = not any(halves for event in first for _rating, halves in event.games)
        shares = [event.share(is_zero and event in first) for event in pooled]
        added = sum(share["games"] for share in shares if self._is_in(share))
        pool = [share for share in (*stored, *shares) if self._is_in(share)]
        games = sum(share["games"] for share in pool)
        if (added or by_standard or fide_id in self.evidence.joined) and games >= 5:
            rules = self.evidence.rules_on(max(share["start"] for share in pool))
            total, halves = (sum(share[name] for share in pool) for name in ("total", "halves"))
            rating = rules.initial(total, games, halves)
            if self.adjusted(rating) >= self.rules.floor:
                if by_standard:
                    return self._rated(*zip(*by_standard), rating, 0, games, new_games, added)
                return {
                    "rating": self.adjusted(rating),
                    "games": added,
                    "completed": games,
                    "new_games": new_games,
                }
        if by_standard:
            return self._rated(events, owns, by_standard[0][1][1], 0, completed, new_games)
        return None

    def _is_in(self, share):
        return not share["disregarded"] and share["start"] >= self.first_month


def _order(share):
    return share["start"], share["end"], len(share["event_id"]), share["event_id"]


# ---------------------------------------------------------------------------------------------------------------
# The comparison
# ---------------------------------------------------------------------------------------------------------------
def differences(before, evidence, new):
    """Yield subject, name, what was expected and what is there, for each difference."""
    yield from evidence.faults
    yield from _file_differences(before, evidence, new)
    month = Month(before, evidence)
    evidence.number_of_games = month.number_of_games
    evidence.number_of_reports = len(month.tournaments)
    yield from _adoption_differences(month)
    for tournament in month.tournaments:
        yield from _condition_differences(month, tournament)
    yield from _player_differences(month, new)
    yield from _order_differences(new)


def differences_in_parts(before_path, evidence_path, new_path, rows):
    """Yield the differences between two lists in CSV as `differences` does, with about so many rows in memory."""
    evidence = Evidence(evidence_path)
    yield from evidence.faults
    before_head, new_head = (ListHead(path) for path in (before_path, new_path))
    yield from _file_differences(before_head, evidence, new_head)
    month = Month(before_head, evidence)
    yield from _adoption_differences(month)
    for tournament in month.tournaments:
        yield from _condition_differences(month, tournament)
    month.parts = 1 + evidence.head["listed"] // rows
    sides = [_contents(path, month.parts, month.part_of) for path in (before_path, new_path)]
    plain = PlainLines(month)
    for month.part, both in enumerate(zip(*sides)):
        contents = plain.without(*both)
        month.before, new = (
            ListFile(path, content) for path, content in zip((before_path, new_path), contents)
        )
        for item in (month.before, new):
            for fide_id in item.twice:
                yield fide_id, item.rows[fide_id]["name"], f"one line in {item.path}", "several"
        yield from _player_differences(month, new)
    yield from _line_order_differences(new_path)


class PlainLines:
    """Tells lines of two lists in CSV that need no further look: of players of whom the evidence has nothing.

    Most players of a list are such: their line is that of the list before, with the K and activity of the new date.
    """

    ENDS = b"birth_year,rating,games,k,inactive"

    def __init__(self, month):
        self._month, self._expected = month, {}
        evidence = month.evidence
        self._others = {*month.calculated, *month.gone, *evidence.before, *evidence.people, *evidence.left}
        self._others |= {*evidence.minors, *evidence.persons, *evidence.persons.values(), *evidence.pools}
        for tournament in month.tournaments:
            self._others.update(tournament.players.values())

    def without(self, before, new):
        """Return both contents without the lines that are plain; a list that adjusts all its ratings has none."""
        if self._month.evidence.adjustment:
            return before, new
        (head, old, old_twice), (new_head, lines, new_twice) = map(self._by_player, (before, new))
        if head != new_head or not head.rstrip().endswith(self.ENDS):
            return before, new
        kept, kept_new = [head, *old_twice], [head, *new_twice]
        for fide_id, line in old.items():
            there = lines.get(fide_id)
            if there is not None and fide_id not in self._others and self._is_plain(line, there):
                del lines[fide_id]
            else:
                kept.append(line)
        kept_new.extend(lines.values())
        return b"".join(kept), b"".join(kept_new)

    @staticmethod
    def _by_player(content):
        # Not `splitlines`: a name may have a carriage return.
        head, *lines = io.BytesIO(content)
        found, twice = {}, []
        for line in lines:
            fide_id = int(line[: line.index(b",")])
            if fide_id in found:
                twice.append(line)
            else:
                found[fide_id] = line
        return head, found, twice

    def _is_plain(self, line, there):
        cells = line.rsplit(b",", 5)
        new = cells if line == there else there.rsplit(b",", 5)
        if cells[:3] != new[:3]:
            return False
        _person, year, rating, _games, k, inactive = cells
        number = int(rating)
        # All that the rest of the line depends on.
        key = year, (number >= 2300) + (number >= 2400) + (number >= self._month.rules.floor), k, inactive
        if key not in self._expected:
            self._expected[key] = self._rest(year, number, k, inactive)
        return new[3:] == self._expected[key]

    def _rest(self, year, rating, k, inactive):
        """Return games, K and activity as the line of the new list must have them, None for who leaves it."""
        row = {
            "fide_id": None,
            "birth_year": _number(year.decode()),
            "rating": rating,
            "k": _number(k.decode()),
            "inactive": inactive.strip() == b"true",
        }
        entry = self._month.expected_of(row)
        if entry is None:
            return None
        end = inactive[len(inactive.rstrip()) :]
        is_idle = b"true" if entry["inactive"] else b"false"
        return [b"0", str(entry["k"]).encode(), is_idle + end]


class ListHead:
    """What a list in CSV is without its rows: SHA-256 and how many there are."""

    def __init__(self, path):
        self.path, self.format, self.kind, self.date, self.rules, self.twice = (
            path,
            "csv",
            None,
            None,
            None,
            [],
        )
        digest, lines = hashlib.sha256(), 0
        try:
            with open(path, "rb") as source:
                for part in iter(lambda: source.read(1 << 20), b""):
                    digest.update(part)
                    lines += part.count(b"\n")
        except OSError as error:
            raise WrongUseError(f"{path} cannot be read: {error.strerror}")
        self.sha256, self.rows = digest.hexdigest(), range(lines - 1)


def _line_order_differences(path):
    """As `_order_differences`, by the lines of a list in CSV."""
    with open(path, encoding="utf-8", newline="") as source:
        lines = csv.reader(source)
        head = next(lines)
        place, name, fide_id = (head.index(column) for column in ("rating", "name", "fide_id"))
        former = (-10000, "", 0)
        for cells in lines:
            key = (-int(cells[place]), cells[name], int(cells[fide_id]))
            # Names are compared as they are without the guard for spreadsheets.
            if key < former and (key[0] < former[0] or "'" not in (key[1][:1], former[1][:1])):
                yield key[2], key[1], "a place further up the list", "this place"
            former = key


def _player_differences(month, new):
    """Yield the differences of the players in the part that is looked at."""
    _fill_hidden_years(month, new)
    yield from _standings_differences(month)
    yield from _state_differences(month)
    yield from _factor_differences(month)
    yield from _entry_differences(month, new)
    yield from _minor_differences(month, new)


def _fill_hidden_years(month, new):
    """Take the years that the file of an imported list lacks from the new one: minors may hide theirs since then."""
    previous, rows = month.evidence.head["previous"], month.before.rows
    if previous and previous["origin"] == "imported":
        for fide_id in (rows.keys() & new.rows.keys()) - month.evidence.people.keys():
            rows[fide_id]["birth_year"] = rows[fide_id]["birth_year"] or new.rows[fide_id]["birth_year"]


def _file_differences(before, evidence, new):
    head, previous = evidence.head, evidence.head["previous"]
    named = head["files"].get(new.format, {}).get("sha256", "none")
    if new.sha256 != named:
        yield new.path, "SHA-256", named, new.sha256
    if previous and previous["files"] and before.sha256 != previous["files"].get(before.format):
        yield before.path, "SHA-256", previous["files"].get(before.format, "none"), before.sha256
    for item, wanted in (
        (new, evidence.date),
        (before, date.fromisoformat(previous["date"]) if previous else None),
    ):
        if item.date is not None and item.date != wanted:
            yield item.path, "date", wanted, item.date
        if item.kind is not None and item.kind != evidence.kind:
            yield item.path, "kind", evidence.kind, item.kind
        for fide_id in item.twice:
            yield fide_id, item.rows[fide_id]["name"], f"one line in {item.path}", "several"
    if new.rules is not None and new.rules != evidence.text_on(evidence.date):
        yield new.path, "rules", evidence.text_on(evidence.date), new.rules
    if len(new.rows) != head["listed"]:
        yield new.path, "players listed", head["listed"], len(new.rows)


def _adoption_differences(month):
    head, wanted = month.evidence.head, month.evidence.text_on(month.date)
    if head["rules"] != wanted:
        yield "evidence", "rules", wanted, head["rules"]
    if month.evidence.active_since > month.date:
        yield "evidence", "active_since", f"{month.date} at the latest", month.evidence.active_since


def _standings_differences(month):
    """Yield the standings at the start that contradict the list before, or each other."""
    known = {}
    for tournament in month.tournaments:
        for number, fide_id in tournament.players.items():
            if fide_id is not None and month.is_in(fide_id):
                yield from _standing_differences(month, tournament, number, fide_id, known)


def _condition_differences(month, tournament):
    row, subject = tournament.row, tournament.event_id
    wanted = month.evidence.text_on(tournament.start)
    if row["rules"] != wanted:
        yield subject, "text (0.1)", wanted, row["rules"]
    closing = month.date - timedelta(days=1 if row["official"] else 3)
    if tournament.end > closing:
        yield subject, "last day (6.1)", f"{closing} or earlier", tournament.end
    minutes, _plus, increment = row["time_control"].partition("+")
    base, _colon, seconds = minutes.partition(":")
    total = int(base) * 60 + int(seconds or 0) + 60 * int(increment)
    low, high = (600, 3599) if month.evidence.kind == "rapid" else (180, 600)
    if not low < total <= high:
        yield subject, "time control (1.1)", month.evidence.kind, row["time_control"]
    if tournament.basis is not None and tournament.basis > tournament.start:
        yield subject, "list in force (D-1)", f"one dated {tournament.start} or earlier", tournament.basis
    if month.before_date <= tournament.start and tournament.basis != month.before_date:
        yield subject, "list in force (D-1)", month.before_date, tournament.basis


def _standing_differences(month, tournament, number, fide_id, known):
    """Yield where a standing at the start is not that of the list before, or not that of other reports."""
    standing = status, rating, k = tournament.standings[number]
    name = month.before.rows.get(fide_id, {}).get("name", "")
    if tournament.basis == month.before_date and month.evidence.head["previous"]:
        row = month.before.rows.get(fide_id)
        if row is not None:
            listed_k = row["k"] if row["k"] is not None else month.state_of(fide_id)["k"]
            wanted = ("rated", row["rating"], tournament.rules.used_k(listed_k))
            if standing != wanted:
                yield (
                    fide_id,
                    name,
                    f"{_standing(wanted)} at the start of {tournament.event_id}",
                    _standing(standing),
                )
        elif status == "rated":
            yield fide_id, name, f"no rating at the start of {tournament.event_id}", _standing(standing)
    source = (fide_id, status, tournament.basis if status == "rated" else tournament.standard_basis)
    if status != "unrated" and known.setdefault(source, rating) != rating:
        yield fide_id, name, f"rating {known[source]} at the start of {tournament.event_id}", rating
    if status == "standard":
        wanted_k = tournament.rules.used_k(tournament.rules.listed_k(None, 0, False, False, tournament.start))
        if k != wanted_k:
            yield fide_id, name, f"K {wanted_k} at the start of {tournament.event_id}", f"K {k}"


def _standing(standing):
    status, rating, k = standing
    return "unrated" if rating is None else f"{status} {rating} with K {k}"


def _state_differences(month):
    """Yield where what the bundle says of players before contradicts the list before."""
    evidence, rows = month.evidence, month.before.rows
    for fide_id, state in evidence.before.items():
        if not month.is_in(fide_id):
            continue
        ids = (fide_id, *evidence.joined.get(fide_id, ()))
        listed = [rows[key] for key in ids if key in rows]
        name = listed[0]["name"] if listed else ""
        ratings = [row["rating"] for row in listed]
        # A correction may give a rating, take one away, and change games and K (D-110).
        corrections = evidence.corrections.get(fide_id, [])
        firsts = [item["first"] for item in corrections if item["first"] is not None]
        is_lost = any(item["lost"] for item in corrections)
        if state["status"] == "listed" and state["rating"] not in ratings + firsts:
            yield fide_id, name, f"rating before {ratings[0] if ratings else 'none'}", state["rating"]
        if state["status"] != "listed" and fide_id in rows and not is_lost:
            yield fide_id, name, f"rating before {rows[fide_id]['rating']}", state["status"]
        factors = [row["k"] for row in listed if row["k"] is not None]
        factors += [evidence.factors[fide_id, ""]] if (fide_id, "") in evidence.factors else []
        if state["status"] == "listed" and factors and state["k"] not in factors and not corrections:
            yield fide_id, name, f"K before {factors[0]}", f"K {state['k']}"
        yield from _reached_differences(fide_id, name, state, ratings)
    for fide_id in sorted(filter(month.is_in, set(evidence.pools) - month.calculated)):
        yield fide_id, "", "no pool, as nothing of the player is calculated", "a pool"
    for fide_id in month.calculated:
        if fide_id in rows and fide_id not in evidence.before:
            yield fide_id, rows[fide_id]["name"], "what stood before in before.csv", "nothing"


def _factor_differences(month):
    """Yield where K by a corrected year of birth is not the one that the list before would have given (D-144)."""
    evidence, rules = month.evidence, month.evidence.rules_on(month.before_date)
    starts = {item.event_id: item for item in month.tournaments}
    for (fide_id, event_id), k in sorted(evidence.factors.items()):
        if not month.is_in(fide_id):
            continue
        state, event = month.state_of(fide_id), starts.get(event_id)
        is_by_list_before = not event_id or (event and event.basis == month.before_date)
        if fide_id in evidence.corrections or not is_by_list_before:
            # By the corrected history, or by a list of which the bundle has no games completed.
            wanted = k if k in (10, 20, 40) else "10, 20 or 40"
        else:
            year = month.year_of(fide_id)
            wanted = rules.listed_k(year, state["completed"], state["low"], state["high"], month.before_date)
            wanted = event.rules.used_k(wanted) if event else wanted
        if wanted != k:
            yield fide_id, "", f"K {wanted} by the year of birth", f"K {k}"


def _reached_differences(fide_id, name, state, ratings):
    """What the list before shows stays reached, whatever is corrected (7.3.3, D-112)."""
    for bound, key in ((2300, "low"), (2400, "high")):
        if any(rating >= bound for rating in ratings) and not state[key]:
            yield fide_id, name, f"{bound} reached before", "not reached"


def _entry_differences(month, new):
    expected_ids = set()
    for fide_id, expected in month.entries():
        row = new.rows.get(fide_id)
        if expected is None:
            if row is not None:
                name = _name_of(month, new, fide_id)
                yield fide_id, name, "not listed", f"rating {row['rating']}"
            continue
        expected_ids.add(fide_id)
        if row is None:
            yield fide_id, _name_of(month, new, fide_id), f"rating {expected['rating']}", "not listed"
            continue
        for field, value in expected.items():
            if row[field] != value:
                name = _name_of(month, new, fide_id)
                yield fide_id, name, f"{field} {_shown(value)}", f"{field} {_shown(row[field])}"
        yield from _person_differences(month, new, fide_id, row)
    for fide_id in sorted(set(new.rows) - expected_ids - set(month.before.rows) - month.calculated):
        if fide_id not in month.evidence.before:
            yield fide_id, new.rows[fide_id]["name"], "not listed", f"rating {new.rows[fide_id]['rating']}"


def _person_differences(month, new, fide_id, row):
    """Yield where name, federation, sex, titles or year of birth are neither those before nor those of the bundle."""
    changed, before = month.evidence.people.get(fide_id), month.before.rows.get(fide_id)
    person = changed or before
    if person is None:
        yield fide_id, row["name"], "a new player's data in people.csv", "none"
        return
    is_folded = new.format == "txt" or (changed is None and month.before.format == "txt")
    if not same_name(person["name"], row["name"], is_folded):
        yield fide_id, row["name"], f"name {person['name']}", f"name {row['name']}"
    for field in ("federation", "sex", "title", "women_title", "other_titles", "foa_title", "birth_year"):
        if field in person and field in row and person[field] != row[field]:
            yield fide_id, row["name"], f"{field} {_shown(person[field])}", f"{field} {_shown(row[field])}"


def _minor_differences(month, new):
    """Yield where a file shows the year of birth of a minor of whom the bundle says that it does not."""
    for fide_id, told in month.evidence.minors.items():
        if not month.is_in(fide_id):
            continue
        for item, is_junior_there in zip((month.before, new), told):
            row = item.rows.get(fide_id)
            if is_junior_there is not None and (row is None or row["birth_year"] is not None):
                there = "not listed" if row is None else f"birth_year {row['birth_year']}"
                yield fide_id, row["name"] if row else "", f"no year of birth in {item.path}", there


def _order_differences(new):
    """The list is in order of ratings, then of names by code point (which TXT may write otherwise), then of IDs."""
    former = None
    for fide_id, row in new.rows.items():
        key = (-row["rating"],) if new.format == "txt" else (-row["rating"], row["name"], fide_id)
        if former is not None and key < former:
            yield fide_id, row["name"], "a place further up the list", "this place"
        former = key


def _name_of(month, new, fide_id):
    for rows in (new.rows, month.evidence.people, month.before.rows):
        if fide_id in rows:
            return rows[fide_id]["name"]
    return ""


def _shown(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value in (None, "") else value


def manifest_differences(path, evidence, new):
    """Yield where the manifest of the list does not name the bundle and the file."""
    try:
        with open(path, "rb") as source:
            manifest = json.load(source)
        named = manifest["evidence"]["sha256"], manifest["files"][new.format]["sha256"]
    except OSError as error:
        raise WrongUseError(f"{path} cannot be read: {error.strerror}")
    except UNREADABLE as error:
        raise WrongUseError(f"{path} is not the manifest of a list with evidence: {error!r}")
    for subject, expected, there in zip((evidence.path, new.path), named, (evidence.sha256, new.sha256)):
        if expected != there:
            yield subject, "SHA-256 in the manifest", expected, there


def main(arguments):
    parser = argparse.ArgumentParser(description="Check a rating list against its evidence.")
    parser.add_argument("before", metavar="BEFORE", help="the list before, TXT, XML, CSV or JSON")
    parser.add_argument("evidence", metavar="EVIDENCE", help="the evidence bundle of the new list")
    parser.add_argument("new", metavar="NEW", help="the new list, TXT, XML, CSV or JSON")
    parser.add_argument("--key", default="", help="the public key of the portal, in base64")
    parser.add_argument("--manifest", help="the manifest of the new list")
    options = parser.parse_args(arguments)
    try:
        before, evidence, new = ListFile(options.before), Evidence(options.evidence), ListFile(options.new)
        signed_for = evidence.check_signature(options.key)
        found = list(differences(before, evidence, new))
        if options.manifest:
            found += manifest_differences(options.manifest, evidence, new)
    except WrongUseError as error:
        print(f"verify_list.py: {error}", file=sys.stderr)
        return 2
    except UNREADABLE as error:
        print(f"verify_list.py: the evidence cannot be calculated: {error!r}", file=sys.stderr)
        return 2
    for subject, name, expected, there in found:
        print(f"{subject} {name}: expected {expected}, there is {there}")
    if found:
        return 1
    signature = f", signed for {signed_for}" if signed_for else ", not signed"
    counted = (
        (len(new.rows), "player"),
        (evidence.number_of_reports, "report"),
        (evidence.number_of_games, "game"),
    )
    counts = ", ".join(f"{number} {noun}{'' if number == 1 else 's'}" for number, noun in counted)
    print(f"{evidence.kind} {evidence.date}: all is equal ({counts}{signature})")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
