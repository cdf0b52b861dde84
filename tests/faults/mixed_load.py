"""`python -m tests.faults.mixed_load`: everything that a portal does, while something breaks every minute.

Two machines (each `run_portal` with a folder and a clock of its own) share PostgreSQL, Redis and the folder of lists.
Readers, officers who upload and accept reports, a game server and FIDE staff who publish go on meanwhile; all of them
ask again what was not answered. At the end the data are compared with what the same acts give undisturbed.
Figures go to standard output. The exit status is 1 if an answer was wrong or work was lost.

The clock of a machine is moved by `moved_clock.c`, which needs a C compiler.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import json
import os
import pickle
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psycopg
import redis

from benchmarks.reports import submission, write_reports
from benchmarks.world import Size, fide_id, name, write_list
from ratings.systems.otb.rules import months_after
from tests.faults.readers import addresses_of
from tests.processes import kill_at_once
from tests.servers import Server, ServerError, free_port, restartable_postgresql, restartable_redis
from tests.trf_files import Event

ROOT = Path(__file__).resolve().parents[2]
SIZE = Size(0.0005, late=0, again=0, corrected=0)
FIRST = date(2026, 1, 1)
KINDS = ("rapid", "blitz")
OFFICERS = ("SUI", "FRA", "GER")
TOURNAMENTS_EACH = 1_500
READERS = 4
MEMBERS, GAMES_A_BATCH = 60, 5
ARENA, ALONE = "mixed", "alone"
# Between two acts of one person or program, so that the machine is busy and not full.
READER_PAUSE, OFFICER_PAUSE, SERVER_PAUSE = 0.15, 1.0, 0.5
FAULT_EVERY, FAULT_LASTS, AWAY = 60.0, 25.0, 5.0
# How long after a fault an answer may still be 503, or an act may need to be repeated.
GRACE = 15.0
PATIENCE = 30.0
CRASH_TRIES, SMALL_DISK = 100, 4 * 2**30
CLOCKS = tuple(timedelta(**moved) for moved in ({"days": -3}, {"days": 2}, {"hours": -1}, {"hours": 1}))


@dataclass(frozen=True, slots=True)
class Answer:
    """A response; status 0 where none came."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader asked and got, at last from the second machine where the first gave no page."""

    address: str
    began: float
    ended: float
    status: int
    digest: str
    retry_after: bool
    tried: int


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that was broken, between two instants of the monotonic clock."""

    name: str
    began: float
    ended: float


@dataclass
class Told:
    """What happened, filled by all threads."""

    readings: list[Reading] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    # Acts that were answered as done, and how often each kind had to be repeated.
    done: Counter[str] = field(default_factory=Counter)
    repeated: Counter[str] = field(default_factory=Counter)
    uploaded: dict[str, str] = field(default_factory=dict)
    games: list[dict[str, Any]] = field(default_factory=list)
    published: list[tuple[str, float]] = field(default_factory=list)
    waits: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def say(self, text: str) -> None:
        """Note something wrong, and print it at once."""
        self.wrong.append(text)
        print(f"{_clock()} WRONG: {text}", file=sys.stderr, flush=True)  # noqa: T201


@dataclass
class Machine:
    """One `run_portal` with its own folder and clock."""

    name: str
    folder: Path
    environment: dict[str, str]
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.environment['PORT']}"

    def move_clock(self, offset: timedelta) -> None:
        """Let the clock of all its processes be so far ahead of the real one, at once."""
        # In place: they have it mapped.
        with (self.folder / "clock").open("r+b") as clock:
            clock.write(int(offset.total_seconds()).to_bytes(8, sys.byteorder, signed=True))

    def descendants(self) -> list[tuple[int, str]]:
        """Return the process ids below `run_portal`, with their command lines."""
        assert self.process
        below: list[tuple[int, str]] = []
        waiting = [self.process.pid]
        while waiting:
            parent = waiting.pop()
            with suppress(OSError):
                for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
                    waiting.append(int(child))
                    line = Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode()
                    below.append((int(child), line.strip()))
        return below


def ask(
    machine: Machine, method: str, address: str, *, body: bytes | None = None, headers: Mapping[str, str] = {}
) -> Answer:
    """Send one request on a connection of its own."""
    with closing(http.client.HTTPConnection(machine.address, timeout=PATIENCE)) as connection:
        try:
            connection.request(method, address, body=body, headers={"Host": "localhost", **headers})
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        except (OSError, http.client.HTTPException) as error:
            return Answer(0, {}, type(error).__name__.encode())


class Load:
    """The people and programs, and what they know of each other."""

    def __init__(self, machines: Sequence[Machine], tokens: Mapping[str, str], told: Told) -> None:
        self.machines, self.tokens, self.told = machines, tokens, told
        self.stop = threading.Event()
        self.changing = threading.Lock()

    def until_done(self, what: str, request: Callable[[Machine], Answer], expected: Sequence[int]) -> Answer:
        """Repeat an act on one machine and the other until it is answered as done or the run was given up."""
        began, tries = time.monotonic(), 0
        while True:
            machine = self.machines[tries % len(self.machines)]
            answer = request(machine)
            tries += 1
            if answer.status in expected:
                break
            known = answer.status in (0, 429) or (answer.status == 503 and answer.headers.get("Retry-After"))
            if not known:
                self.told.say(f"{what} on {machine.name}: {answer.status} {answer.body[:300]!r}")
            if time.monotonic() - began > 300:
                self.told.say(f"{what} was not done within 300 s")
                break
            time.sleep(1)
        self.told.waits[what].append(time.monotonic() - began)
        self.told.done[what] += 1
        self.told.repeated[what] += tries - 1
        return answer

    def read(self, number: int, addresses: Sequence[str]) -> None:
        """Read pages as an anonymous reader who tries the other machine where one gives none."""
        chance = random.Random(number)
        headers = {"X-Forwarded-For": f"10.1.0.{number + 1}"}
        while not self.stop.is_set():
            address = chance.choice(addresses)
            first = chance.randrange(2)
            began, tried = time.monotonic(), 0
            for machine in (self.machines[first], self.machines[1 - first]):
                answer = ask(machine, "GET", address, headers=headers)
                tried += 1
                if answer.status in (200, 302, 404):
                    break
            digest = hashlib.sha256(answer.body + answer.headers.get("Location", "").encode()).hexdigest()
            self.told.readings.append(
                Reading(
                    address,
                    began,
                    time.monotonic(),
                    answer.status,
                    digest,
                    "Retry-After" in answer.headers,
                    tried,
                )
            )
            if answer.status not in (0, 200, 302, 404, 503):
                self.told.say(f"GET {address}: {answer.status} {answer.body[:200]!r}")
            time.sleep(READER_PAUSE)

    def officer(self, code: str) -> None:
        """Upload and accept one report after another."""
        headers = {
            "Authorization": f"Bearer {self.tokens[code]}",
            "X-Forwarded-For": f"10.2.0.{ord(code[0])}",
        }
        for number in range(TOURNAMENTS_EACH):
            if self.stop.is_set():
                return
            event, content = event_id(code, number), report_of(code, number)
            root = f"/api/v1/tournaments/{event}"

            def upload(machine: Machine, root: str = root, content: bytes = content) -> Answer:
                told = {**headers, "Content-Type": "text/plain"}
                return ask(machine, "POST", f"{root}/reports", body=content, headers=told)

            def accept(machine: Machine, root: str = root) -> Answer:
                body = json.dumps({"acknowledgement": "Checked with the arbiter."}).encode()
                told = {**headers, "Content-Type": "application/json"}
                return ask(machine, "POST", f"{root}/reports/1/acceptance", body=body, headers=told)

            sent = self.until_done("upload", upload, (200, 201))
            if sent.status in (200, 201):
                self.until_done("acceptance", accept, (200, 201))
                self.told.uploaded[event] = hashlib.sha256(content).hexdigest()
            time.sleep(OFFICER_PAUSE)

    def game_server(self) -> None:
        """Send batches of games in their order."""
        chance, number = random.Random(7), 0
        headers = {"Authorization": f"Bearer {self.tokens[ARENA]}", "Content-Type": "application/json"}
        start = datetime(2026, 11, 20, tzinfo=UTC)
        while not self.stop.is_set():
            batch = []
            for _ in range(GAMES_A_BATCH):
                white, black = chance.sample(range(MEMBERS), 2)
                number += 1
                batch.append(
                    {
                        "id": f"g{number}",
                        "played_at": (start + timedelta(seconds=5 * number)).isoformat(),
                        "white": f"m{white}",
                        "black": f"m{black}",
                        "result": chance.choice(("1-0", "0-1", "1/2-1/2")),
                        "time_control": "5+0",
                        "moves": chance.randint(10, 120),
                    }
                )

            def post(machine: Machine, batch: list[dict[str, Any]] = batch) -> Answer:
                body = json.dumps(batch).encode()
                return ask(machine, "POST", f"/api/v1/arenas/{ARENA}/games", body=body, headers=headers)

            answer = self.until_done("games", post, (200,))
            counts = json.loads(answer.body) if answer.status == 200 else {}
            if counts.get("recorded", 0) + counts.get("known", 0) != len(batch):
                self.told.say(f"games: {answer.body[:300]!r}")
            self.told.games += batch
            time.sleep(SERVER_PAUSE)

    def staff(
        self, months: Sequence[date], folder: Path, environment: Mapping[str, str], every: float
    ) -> None:
        """Submit each month's reports by command, and publish its lists in the browser."""
        for month in months:
            if self.stop.wait(every):
                return
            began = time.monotonic()
            played = months_after(month, -1)
            while submit(folder, played, environment) and not self.stop.is_set():
                self.told.repeated["reports of a month"] += 1
                time.sleep(3)
            self.told.done["reports of a month"] += 1
            began = time.monotonic()
            while not self._publish(month):
                if time.monotonic() - began > 400:
                    self.told.say(f"{month} is not published within 400 s")
                    return
                time.sleep(2)
            self.told.published.append((month.isoformat(), time.monotonic()))
            self.told.done["publication"] += 1
            self.told.waits["publication"].append(time.monotonic() - began)

    def _publish(self, month: date) -> bool:
        """Ask for a publication once more where nothing is on its way; return whether both lists are out."""
        cookie = f"sessionid={self.tokens['session']}"
        for machine in self.machines:
            lists = [ask(machine, "GET", f"/api/v1/lists/{kind}/{month}").status for kind in KINDS]
            if lists == [200, 200]:
                return True
            page = ask(
                machine,
                "GET",
                f"/admin/ratings/ratinglist/publish/?month={month}",
                headers={"Cookie": cookie},
            )
            if page.status not in (0, 200, 503):
                self.told.say(f"page of publishing: {page.status} {page.headers.get('Location')}")
            given = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', page.body)
            if page.status != 200 or not given or b'name="month"' not in page.body:
                continue
            token = re.search(r"csrftoken=(\w+)", str(page.headers.get("Set-Cookie")))
            cookies = f"{cookie}; csrftoken={token.group(1)}" if token else cookie
            body = urlencode({"csrfmiddlewaretoken": given.group(1).decode(), "month": str(month)}).encode()
            headers = {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded"}
            sent = ask(machine, "POST", "/admin/ratings/ratinglist/publish/", body=body, headers=headers)
            # 200 is the page once more: what was asked for has been done meanwhile.
            if sent.status not in (0, 200, 302, 503):
                self.told.say(f"publishing: {sent.status} {sent.body[:200]!r}")
            return False
        return False


def event_id(code: str, number: int) -> str:
    return f"{code}-mixed-{number}"


def report_of(code: str, number: int) -> bytes:
    """Return a report of six players and five rounds."""
    chance = random.Random(f"{code}-{number}")
    indexes = chance.sample([index for index in range(SIZE.players) if index % 9], 6)
    players = [(fide_id(index), name(index)) for index in indexes]
    rounds = []
    for turn in range(5):
        ring = [0, *((seat + turn) % 5 + 1 for seat in range(5))]
        pairs = zip(ring[:3], reversed(ring[3:]), strict=True)
        rounds.append([(a + 1, b + 1, chance.choice(("1-0", "0-1", "1/2"))) for a, b in pairs])
    day = f"{PLAYED:%Y/%m/%d}"
    return Event(
        players, rounds, name=f"Open {number} of {code}", federation=code, start=day, end=day
    ).content()


PLAYED = datetime.now(UTC).date() - timedelta(days=4)


def submit(folder: Path, played: date, environment: Mapping[str, str]) -> int:
    """Submit the reports of a month by the command of operators; return its exit status."""
    command = [sys.executable, *submission(folder / f"reports-{played}", 1)]
    return subprocess.run(
        command, env=dict(environment), check=False, cwd=ROOT, capture_output=True
    ).returncode


class Faults:
    """What breaks: each method breaks one thing, waits, and mends it."""

    def __init__(
        self,
        database: Server,
        cache: Server,
        machines: Sequence[Machine],
        told: Told,
        folder: Path,
        only: str = "",
    ) -> None:
        self.database, self.cache, self.machines, self.told = database, cache, machines, told
        self.chance = random.Random(20_261_126)
        self.folder = folder
        cycle: list[tuple[str, Callable[[], str]]] = [
            ("Redis frozen", self.freeze),
            ("process killed", self.kill),
            ("PostgreSQL restarted", self.restart_database),
            ("Redis full", self.fill),
            ("clock moved", self.move_clock),
            ("PostgreSQL read-only", self.read_only),
            ("Redis restarted", self.restart_redis),
            ("process killed", self.kill),
            ("PostgreSQL crashed", self.crash_database),
        ]
        alone = [("disk of PostgreSQL full", self.fill_disk)]
        # In another order each time: a short run has not all of them.
        random.shuffle(cycle)
        self.cycle = [item for item in [*cycle, *alone] if item[0] == only] if only else cycle

    def run(self, number: int) -> None:
        name, break_it = self.cycle[number % len(self.cycle)]
        began = time.monotonic()
        detail = break_it()
        self.told.faults.append(Fault(name, began, time.monotonic()))
        lasted = time.monotonic() - began
        print(f"{_clock()} {name} ({detail}), {lasted:.0f} s", file=sys.stderr, flush=True)  # noqa: T201

    def freeze(self) -> str:
        self.cache.process.send_signal(signal.SIGSTOP)
        time.sleep(FAULT_LASTS)
        self.cache.process.send_signal(signal.SIGCONT)
        return "connections stay open"

    def restart_redis(self) -> str:
        self.cache.stop()
        time.sleep(AWAY)
        self.cache.start()
        return "empty"

    def fill(self) -> str:
        with closing(redis.Redis.from_url(self.cache.url)) as client:
            client.config_set("maxmemory-policy", "noeviction")
            client.config_set("maxmemory", "1")
            time.sleep(FAULT_LASTS)
            client.config_set("maxmemory", "512mb")
            client.config_set("maxmemory-policy", "volatile-lru")
        return "refuses every write"

    def restart_database(self) -> str:
        how = self.chance.choice((signal.SIGINT, signal.SIGQUIT))
        self.database.stop(how)
        time.sleep(AWAY)
        self.database.start()
        return "as stopped" if how == signal.SIGINT else "as crashed"

    def crash_database(self) -> str:
        """Kill the server's first process, and start it again as soon as the others have seen it."""
        self.database.stop(signal.SIGKILL)
        tries = 1
        while True:
            try:
                self.database.start()
            except ServerError as error:
                # Its processes still hold the memory that they share.
                if tries == CRASH_TRIES or "still in use" not in str(error):
                    raise
                tries += 1
                time.sleep(0.1)
            else:
                return f"killed, started at attempt {tries}"

    def fill_disk(self) -> str:
        """Fill the file system of the server, which `TMPDIR` names: a small one, as of `mount -t tmpfs -o size=1g`."""
        place = Path(tempfile.gettempdir())
        if shutil.disk_usage(place).total > SMALL_DISK:
            raise SystemExit(f"{place} is no small file system of its own: set TMPDIR")
        filler = place / "filler"
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(2**16))
        time.sleep(FAULT_LASTS)
        filler.unlink()
        if self.database.process.poll() is None:
            return "the server went on"
        self.database.start()
        return "the server had stopped"

    def read_only(self) -> str:
        self._set_read_only("on")
        time.sleep(FAULT_LASTS)
        self._set_read_only("off")
        return "default_transaction_read_only"

    def _set_read_only(self, value: str) -> None:
        with psycopg.connect(self.database.url, autocommit=True) as connection:
            connection.execute("SET transaction_read_only = off")
            connection.execute(f"ALTER SYSTEM SET default_transaction_read_only = {value}")
            connection.execute("SELECT pg_reload_conf()")

    def kill(self) -> str:
        machine = self.chance.choice(self.machines)
        below = machine.descendants()
        process, line = self.chance.choice(below)
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        time.sleep(AWAY)
        kind = next((kind for kind in ("gunicorn", "webhooks", " worker", "beat") if kind in line), line[:60])
        return f"{kind.strip()} of {machine.name}"

    def move_clock(self) -> str:
        machine = self.machines[1]
        offset = self.chance.choice(CLOCKS)
        machine.move_clock(offset)
        time.sleep(FAULT_LASTS)
        machine.move_clock(timedelta())
        return f"{machine.name} {offset}"


SET_UP = """
import json
from datetime import timedelta
from django.conf import settings
from django.test import Client
from django.utils import timezone
from arenas.models import Arena
from arenas.tokens import issue_token as arena_token
from players.models import Federation
from tests.make import AppointmentFactory, TournamentFactory
from tests.faults.mixed_load import ALONE, ARENA, OFFICERS, PLAYED, TOURNAMENTS_EACH, event_id
from tournaments.tokens import issue_token
now = timezone.now()
tokens = {}
for code in OFFICERS:
    federation = Federation.objects.get(code=code)
    officer = AppointmentFactory(role="officer", federation=federation).user
    tokens[code] = issue_token(officer, federation, name="load", verbs=["read", "register", "submit"], at=now)
    for number in range(TOURNAMENTS_EACH):
        TournamentFactory(event_id=event_id(code, number), name=f"Open {number} of {code}", federation=federation,
                          start=PLAYED, end=PLAYED, registered_on=PLAYED - timedelta(days=10))
arenas = [Arena.objects.create(slug=slug, name=slug, system="foa-rbb") for slug in (ARENA, ALONE)]
tokens[ARENA] = arena_token(arenas[0], name="load", at=now)[0]
browser = Client()
browser.force_login(AppointmentFactory(role="staff").user)
tokens["session"] = browser.cookies[settings.SESSION_COOKIE_NAME].value
print(json.dumps(tokens))
"""

STATE = """
import json
from arenas.models import Game
from django.db.models import Count
from players.models import LogEntry, Notice
from ratings.choices import RunState, Work
from ratings.models import ListFile, ParticipantRating, RatingList, Run, TournamentRating
from ratings import runs
from ratings.rate import rate_report
from django.utils import timezone
from tests.faults.mixed_load import ARENA
from tournaments.models import Report

def rated():
    rows = ParticipantRating.objects.filter(tournament_rating__included_in=None)
    names = ("tournament_rating__report__tournament__event_id", "tournament_rating__basis_id", "number")
    figures = ("own_rating", "own_k", "games", "half_points", "opponents_sum", "change_hundredths", "outcomes")
    return {tuple(row[:3]): list(row[3:]) for row in rows.values_list(*names, *figures)}

reports = Report.objects.filter(tournament__event_id__contains="-mixed-")
accepted = reports.filter(state="accepted")
before = rated()
open_ratings = TournamentRating.objects.filter(included_in=None)
again = list(Report.objects.filter(rating__in=open_ratings))
unlike, compared = [], 0
for report in again:
    rate_report(report, at=timezone.now())
for key, row in rated().items():
    if key in before:
        compared += 1
        if before[key] != row:
            unlike.append(key)
files = ListFile.objects.exclude(rating_list__date="2026-01-01").exclude(path__endswith=".zip")
told = {
    "reports": {report.tournament.event_id: report.sha256 for report in accepted.select_related("tournament")},
    "versions": reports.count(),
    "acceptances": LogEntry.objects.filter(tournament__event_id__contains="-mixed-", action="accept").count(),
    "rated": TournamentRating.objects.filter(report__in=reports).count(),
    "compared": compared,
    "unlike": unlike[:5],
    "games": Game.objects.filter(arena__slug=ARENA).count(),
    "files": dict(files.order_by("path").values_list("path", "sha256")),
    "runs": list(map(list, Run.objects.values_list("work", "state").annotate(n=Count("pk")).order_by("work", "state"))),
    "errors": list(Run.objects.exclude(error="").values_list("work", "subject", "error")[:5]),
    "attempts": list(map(list, Run.objects.order_by("-attempts").values_list("work", "subject", "attempts")[:5])),
    "notices": list(map(list, Notice.objects.values_list("state").annotate(n=Count("pk")).order_by("state"))),
}
print(json.dumps(told))
"""
LEFT = """
from django.db.models import Q
from ratings.choices import RunState
from ratings.models import Run, TournamentRating
from tournaments.models import Report
reports = Report.objects.filter(tournament__event_id__contains="-mixed-", state="accepted", rating=None)
print(Run.objects.exclude(state=RunState.DONE).count(), reports.count())
"""


def _clock() -> str:
    return f"{datetime.now(UTC):%H:%M:%S}"


def manage(environment: Mapping[str, str], *arguments: str) -> str:
    """Run a command of the portal and return what it prints; SystemExit where it fails."""
    command = [sys.executable, str(ROOT / "manage.py"), *arguments]
    done = subprocess.run(
        command, env=dict(environment), check=False, capture_output=True, text=True, cwd=ROOT
    )
    if done.returncode:
        raise SystemExit(f"{arguments[:2]} failed:\n{done.stdout[-2000:]}{done.stderr[-3000:]}")
    return done.stdout


def run_shell(environment: Mapping[str, str], code: str) -> str:
    return manage(environment, "shell", "--no-imports", "--verbosity=0", "--command", code).splitlines()[-1]


def play_undisturbed(folder: Path, months: Sequence[date], environment: Mapping[str, str]) -> dict[str, str]:
    """Publish the same months in a database of its own; return {path: SHA-256} of the list files."""
    begin(folder, environment)
    for month in months:
        if submit(folder, months_after(month, -1), environment):
            raise SystemExit(f"the reports of {month} are refused")
        manage(environment, "publish_lists", month.isoformat())
    files: dict[str, str] = json.loads(run_shell(environment, STATE))["files"]
    return files


def begin(folder: Path, environment: Mapping[str, str]) -> None:
    """Make the database and import the first list."""
    manage(environment, "migrate", "--verbosity=0")
    manage(environment, "import_fide_list", str(folder / "list.txt"), "--date", FIRST.isoformat())


@contextmanager
def running(machine: Machine) -> Iterator[None]:
    """Run the machine's portal until the block ends."""
    with (machine.folder / "log").open("ab") as log:
        machine.process = subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), "run_portal"],
            env=machine.environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        deadline = time.monotonic() + 180
        while ask(machine, "GET", "/health/ready").status != 200:
            if time.monotonic() > deadline or machine.process.poll() is not None:
                raise SystemExit(f"no portal: {(machine.folder / 'log').read_text()[-3000:]}")
            time.sleep(0.5)
        yield
    finally:
        machine.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            machine.process.wait(20)
        kill_at_once(machine.process)


def main() -> None:
    """Run the load and the faults, then compare and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.mixed_load", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--months", type=int, default=2, help="lists published meanwhile, besides the first")
    parser.add_argument("--only", default="", metavar="FAULT", help="cause this one, as `PostgreSQL crashed`")
    parser.add_argument("--kept", type=Path, help="folder in which logs stay")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = options.kept or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        told, state, expected = _run(stack, folder, options)
        problems = _compare(told, state, expected)
    _print(told, state, problems)
    sys.exit(1 if problems or told.wrong else 0)


def _run(
    stack: ExitStack, folder: Path, options: argparse.Namespace
) -> tuple[Told, dict[str, Any], dict[str, str]]:
    months = [months_after(FIRST, number) for number in range(1, options.months + 2)]
    write_list(folder / "list.txt", SIZE)
    for number, month in enumerate(months):
        played = months_after(month, -1)
        write_reports(
            folder / f"reports-{played}", SIZE, year=played.year, month=played.month, first=1000 * number
        )
    # As an operator's: what was answered as done outlasts a crash.
    kept = {"synchronous_commit": "on", "fsync": "on", "full_page_writes": "on"}
    database = stack.enter_context(restartable_postgresql(max_connections="100", **kept))
    cache = stack.enter_context(restartable_redis(maxmemory="512mb", **{"maxmemory-policy": "volatile-lru"}))
    common = os.environ | {
        "DATABASE_URL": database.url,
        "REDIS_URL": cache.url,
        "SECRET_KEY": "k" * 60,
        "SECRETS_KEY": "s" * 60,
        "LIST_STORAGE": "django.core.files.storage.FileSystemStorage",
        "LIST_STORAGE_OPTIONS": json.dumps({"location": str(folder / "lists")}),
        "SITE_URL": "http://localhost",
        "BEHIND_PROXY": "1",
        "PORTAL_DEMO": "0",
        "EMAIL_URL": "dummy:",
        "PORTAL_VAR_DIR": str(folder / "commands"),
    }
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE undisturbed TEMPLATE template0")
    aside = {
        "DATABASE_URL": database.url.removesuffix("postgres") + "undisturbed",
        "LIST_STORAGE_OPTIONS": json.dumps({"location": str(folder / "undisturbed")}),
    }
    expected = play_undisturbed(folder, months, common | aside)
    begin(folder, common)
    submit(folder, FIRST, common)
    manage(common, "publish_lists", months[0].isoformat())
    tokens = json.loads(run_shell(common | {"ALLOWED_HOSTS": "localhost,testserver"}, SET_UP))
    _make_members(folder, common)
    machines = [Machine(name, folder / name, _environment(folder / name, common)) for name in "AB"]
    for machine in machines:
        stack.enter_context(running(machine))
    told = Told()
    load = Load(machines, tokens, told)
    addresses = addresses_of("rapid", FIRST.isoformat(), months[0].isoformat(), _players())
    every = 60 * options.minutes / (len(months) + 1)
    work = [
        *((load.read, number, addresses) for number in range(READERS)),
        *((load.officer, code) for code in OFFICERS),
        (load.game_server,),
        (load.staff, months[1:], folder, common, every),
    ]
    threads = [threading.Thread(target=item[0], args=item[1:], daemon=True) for item in work]
    for thread in threads:
        thread.start()
    began = time.monotonic()
    faults = Faults(database, cache, machines, told, folder, options.only)
    number = 0
    while (due := began + FAULT_EVERY * (number + 0.5)) < began + 60 * options.minutes:
        time.sleep(max(0.0, due - time.monotonic()))
        faults.run(number)
        number += 1
    time.sleep(max(0.0, began + 60 * options.minutes - time.monotonic()))
    load.stop.set()
    for thread in threads:
        thread.join(600)
    told.done["seconds"] = int(time.monotonic() - began)
    (folder / "told.pickle").write_bytes(pickle.dumps(told))
    _settle(told, common)
    for machine in machines:
        if (ready := ask(machine, "GET", "/health/ready")).status != 200:
            told.say(f"{machine.name} is not ready: {ready.body!r}")
    games = folder / "games.jsonl"
    games.write_text("".join(f"{json.dumps(game)}\n" for game in told.games))
    manage(common, "import_games", ALONE, str(games))
    if manage(common, "arena_list", ARENA) != manage(common, "arena_list", ALONE):
        told.say("the ratings of the arena differ from those of the same games without faults")
    for month in (*months[:1], *(day for day, _ in told.published)):
        for kind in KINDS:
            manage(common, "verify_list", kind, str(month))
    manage(common, "verify_log")
    return told, json.loads(run_shell(common, STATE)), expected


def _settle(told: Told, environment: Mapping[str, str]) -> None:
    """Wait until no work is left."""
    began = time.monotonic()
    while (left := run_shell(environment, LEFT)) != "0 0":
        if time.monotonic() - began > 600:
            told.say(f"left after 10 minutes (jobs, reports without rating): {left}")
            return
        time.sleep(5)
    told.done["seconds until no work was left"] = int(time.monotonic() - began)


def _environment(folder: Path, common: Mapping[str, str]) -> dict[str, str]:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "clock").write_bytes(bytes(8))
    library = folder.parent / "moved_clock.so"
    if not library.exists():
        source = Path(__file__).with_name("moved_clock.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
    return {
        **common,
        "PORTAL_VAR_DIR": str(folder / "var"),
        "HOST": "127.0.0.1",
        "PORT": str(free_port()),
        "LOG_LEVEL": "INFO",
        "LD_PRELOAD": str(library),
        "CLOCK_FILE": str(folder / "clock"),
    }


def _players() -> list[int]:
    return [fide_id(index) for index in range(0, SIZE.players, SIZE.players // 6)]


def _make_members(folder: Path, environment: Mapping[str, str]) -> None:
    members = folder / "members.jsonl"
    rows = (
        {"handle": f"m{number}", "fide_id": None, "full_member": True, "joined": "2026-11-01"}
        for number in range(MEMBERS)
    )
    members.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    for slug in (ARENA, ALONE):
        manage(environment, "import_members", slug, str(members))


def _compare(told: Told, state: dict[str, Any], expected: Mapping[str, str]) -> list[str]:
    """Return what is not as it would be without faults."""
    found = []
    if missing := [event for event, digest in told.uploaded.items() if state["reports"].get(event) != digest]:
        found.append(f"accepted reports lost or changed: {missing[:5]}")
    for what, number in (("versions", state["versions"]), ("acceptances", state["acceptances"])):
        if number != len(state["reports"]):
            found.append(f"{number} {what} of {len(state['reports'])} reports")
    if state["rated"] != len(state["reports"]):
        found.append(f"{state['rated']} of {len(state['reports'])} reports are rated")
    if state["unlike"]:
        found.append(f"ratings differ from those calculated again: {state['unlike']}")
    if state["games"] != len(told.games):
        found.append(f"{state['games']} games of {len(told.games)}")
    wanted = {path: digest for path, digest in expected.items() if path in state["files"]}
    if unlike := sorted(path for path, digest in state["files"].items() if wanted.get(path) != digest):
        found.append(
            f"{len(unlike)} list files differ from those of an undisturbed publication: {unlike[:8]}"
        )
    found += _old_pages(told)
    return found


def _old_pages(told: Told) -> list[str]:
    """Return each page that was shown older than one that a reader had before; clocks that were moved are left out."""
    moved = [
        (fault.began, fault.ended + 2 * FAULT_EVERY) for fault in told.faults if fault.name == "clock moved"
    ]
    found = []
    by_address: dict[str, list[Reading]] = defaultdict(list)
    for reading in told.readings:
        if reading.status == 200 and not any(began < reading.ended < ended for began, ended in moved):
            by_address[reading.address].append(reading)
    for address, readings in by_address.items():
        readings.sort(key=lambda item: item.ended)
        last_seen: dict[str, float] = {}
        gone: dict[str, float] = {}
        current = ""
        for item in readings:
            if item.digest in gone and item.began > gone[item.digest]:
                found.append(f"{address} was old, {item.began - gone[item.digest]:.1f} s after a newer one")
                break
            if item.digest != current:
                if current and current not in gone:
                    gone[current] = item.ended
                current = item.digest
            last_seen[item.digest] = item.ended
    return found


def _print(told: Told, state: dict[str, Any], problems: Sequence[str]) -> None:
    by_fault: dict[str, list[Reading]] = defaultdict(list)
    for reading in told.readings:
        fault = next((f for f in told.faults if f.began <= reading.began <= f.ended + GRACE), None)
        by_fault[fault.name if fault else "no fault"].append(reading)
    counts = Counter(fault.name for fault in told.faults)
    lines = [
        "| During | Times | Requests | Pages | of them from the second machine | 503 | No answer | 95 % | Longest |"
    ]
    lines += ["|" + "---|" * 9]
    for what in ("no fault", *sorted(counts)):
        readings = by_fault[what]
        waits = sorted(item.ended - item.began for item in readings) or [0.0]
        pages = [item for item in readings if item.status in (200, 302, 404)]
        lines.append(
            f"| {what} | {counts.get(what, '')} | {len(readings):,} | {len(pages):,} "
            f"| {sum(item.tried > 1 for item in pages)} "
            f"| {sum(item.status == 503 for item in readings)} | {sum(item.status == 0 for item in readings)} "
            f"| {1000 * waits[len(waits) * 95 // 100]:.0f} ms | {waits[-1]:.1f} s |"
        )
    lines.append("")
    for what, number in sorted(told.done.items()):
        waits = sorted(told.waits.get(what, [])) or [0.0]
        lines.append(f"{what}: {number}, repeated {told.repeated.get(what, 0)}, longest {waits[-1]:.0f} s")
    lines.append(
        f"503 without Retry-After: {sum(r.status == 503 and not r.retry_after for r in told.readings)}"
    )
    lines += [
        f"{key}: {state[key]}" for key in ("versions", "acceptances", "rated", "compared", "games", "runs")
    ]
    lines += [f"{key}: {state[key]}" for key in ("errors", "attempts", "notices")]
    lines.append(
        f"lists published meanwhile: {len(told.published)} months; list files compared: {len(state['files'])}"
    )
    lines += [f"PROBLEM: {text}" for text in problems]
    lines += [f"WRONG ANSWERS: {len(told.wrong)}", *told.wrong[:20]]
    print("\n".join(lines))  # noqa: T201


if __name__ == "__main__":
    main()
