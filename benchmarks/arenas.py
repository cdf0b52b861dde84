"""Games of an arena by the API: batches of 500 from two game servers at once, then the same games in one process.

Each day ends before the games of the next one: its decay is processed, and the list is requested as of its end.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

from benchmarks.steps import Measured, measure

SYSTEM = "flyordie"
SERVERS = "servers"
ALONE = "alone"
MEMBERS = 2_000
BATCH = 500
# Ten games a day for each member.
GAMES_OF_A_DAY = 10_000
POLL_SECONDS = 0.01
SEED = 20_261_121
START = datetime(2026, 1, 1, tzinfo=UTC)


def measured(folder: Path, environment: Mapping[str, str], *, games: int, workers: int) -> Iterator[str]:
    """Yield the rows of the report. Raise SystemExit if one process gives other ratings than several."""
    days = max(1, games // GAMES_OF_A_DAY)
    for part in range(workers):
        _write_games(folder / f"part-{part}.jsonl", part, games // workers, days=days)
    token = _prepare(folder, environment)
    servers = [["-m", "benchmarks.arenas", str(folder), str(part), token] for part in range(workers)]
    posted = measure(f"{games:,} games of {days} days by the API, {workers} workers", servers, environment)
    yield _row(posted, games)
    told = [json.loads((folder / f"part-{part}.json").read_text()) for part in range(workers)]
    slowest, batches = max(item["slowest"] for item in told), sum(item["batches"] for item in told)
    yield f"| slowest of {batches} batches of {BATCH} | {slowest:.2f} s | | | | |"
    for what in ("day", "list"):
        seconds = told[0][what]
        yield f"| {what}: mean of {len(seconds)} | {sum(seconds) / len(seconds):.2f} s | | | | |"
    alone = ["-m", "benchmarks.arenas", str(folder), ALONE]
    yield _row(measure("the same games by import_games, one process", [alone], environment), games)
    if _ratings(SERVERS, environment) != _ratings(ALONE, environment):
        raise SystemExit("one process gives other ratings than several")
    yield "| the ratings of both, to the last decimal | the same | | | | |"


def _row(step: Measured, games: int) -> str:
    return f"{step.for_each(games, 'game').row()} {games / step.seconds:,.0f} games a second |"


def _write_games(path: Path, part: int, count: int, *, days: int) -> None:
    """Write the games of one server. Servers share no members, so the order of games is each server's own."""
    chance = random.Random(f"{SEED}-{part}")  # noqa: S311 draws, no secrets
    with path.open("w") as target:
        for number in range(count):
            white, black = chance.sample(range(MEMBERS // 2), 2)
            row = {
                "id": f"{part}-{number}",
                "played_at": (START + timedelta(days=days) * number / count).isoformat(),
                "white": f"m{part}-{white}",
                "black": f"m{part}-{black}",
                "result": chance.choice(("1-0", "0-1", "1/2-1/2")),
                "time_control": "5+0",
                "moves": chance.randint(10, 120),
            }
            target.write(f"{json.dumps(row)}\n")


def _prepare(folder: Path, environment: Mapping[str, str]) -> str:
    """Create both arenas with the same members. Return the token of the one to which the servers post."""
    members = folder / "members.jsonl"
    with members.open("w") as target:
        for number in range(MEMBERS):
            part, place = divmod(number, MEMBERS // 2)
            row = {"handle": f"m{part}-{place}", "fide_id": None, "full_member": True, "joined": "2025-12-31"}
            target.write(f"{json.dumps(row)}\n")
    command = (
        "from django.utils import timezone\n"
        "from arenas.models import Arena\n"
        "from arenas.services.members import issue_token\n"
        f"made = [Arena.objects.create(slug=s, name=s, system={SYSTEM!r}) for s in ({SERVERS!r}, {ALONE!r})]\n"
        "print(issue_token(made[0], name='bench', at=timezone.now())[0])\n"
    )
    token = _manage(environment, "shell", "--verbosity=0", "--command", command).split()[-1]
    for slug in (SERVERS, ALONE):
        _manage(environment, "import_members", slug, str(members))
    return token


def _ratings(slug: str, environment: Mapping[str, str]) -> str:
    return _manage(environment, "arena_list", slug)


def _manage(environment: Mapping[str, str], *arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(  # noqa: S603 our own command
        command, env=dict(environment), check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def main() -> None:
    """Post the games of one server, or import those of all of them. The times go into a file beside the games."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.arenas", description=main.__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("part", help=f"number of the server, or {ALONE}")
    parser.add_argument("token", nargs="?", default="")
    options = parser.parse_args()
    client = _client()
    if options.part == ALONE:
        _import_alone(options.folder)
        return
    times = _post_all(client, options.folder, int(options.part), options.token)
    told = {"slowest": max(times["batch"]), "batches": len(times["batch"]), **times}
    (options.folder / f"part-{options.part}.json").write_text(json.dumps(told))


def _days_of(path: Path) -> Iterator[tuple[date, list[dict[str, Any]]]]:
    """Yield each day with its games, which are in order."""
    games = (json.loads(line) for line in path.open())
    for day, of_day in groupby(games, key=lambda game: str(game["played_at"])[:10]):
        yield date.fromisoformat(day), list(of_day)


def _post_all(client: Any, folder: Path, part: int, token: str) -> dict[str, list[float]]:
    """Post a server's games day by day. The first server ends the day when all have posted its games."""
    times: dict[str, list[float]] = {"batch": [], "day": [], "list": []}
    servers = len(list(folder.glob("part-*.jsonl")))
    for day, games in _days_of(folder / f"part-{part}.jsonl"):
        for at in range(0, len(games), BATCH):
            times["batch"].append(_seconds(_post, client, games[at : at + BATCH], token))
        (folder / f"posted-{day}-{part}").touch()
        if part == 0:
            for server in range(servers):
                _wait_for(folder / f"posted-{day}-{server}")
            times["day"].append(_seconds(_end_day, SERVERS, day))
            (folder / f"ended-{day}").touch()
            times["list"].append(_seconds(_request_list, client, day + timedelta(days=1), token))
        _wait_for(folder / f"ended-{day}")
    return times


def _import_alone(folder: Path) -> None:
    """Import the games of all servers day by day."""
    from django.core.management import call_command

    for days in zip(*(_days_of(path) for path in sorted(folder.glob("part-*.jsonl"))), strict=True):
        path = folder / "day.jsonl"
        path.write_text("".join(f"{json.dumps(game)}\n" for _, games in days for game in games))
        call_command("import_games", ALONE, str(path))
        _end_day(ALONE, days[0][0])


def _end_day(slug: str, day: date) -> None:
    from django.core.management import call_command

    call_command("arena_day", slug, "--date", day.isoformat())


def _seconds(step: Callable[..., object], *arguments: object) -> float:
    began = time.perf_counter()
    step(*arguments)
    return time.perf_counter() - began


def _wait_for(path: Path) -> None:
    while not path.exists():
        time.sleep(POLL_SECONDS)


def _client() -> Any:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    os.environ.setdefault("ALLOWED_HOSTS", "testserver")
    import django

    django.setup()
    from django.test import Client

    return Client()


def _post(client: Any, batch: list[dict[str, Any]], token: str) -> None:
    response = client.post(
        f"/api/v1/arenas/{SERVERS}/games",
        json.dumps(batch),
        content_type="application/json",
        headers={"authorization": f"Bearer {token}"},
    )
    if response.status_code != 200 or response.json()["recorded"] != len(batch):
        raise SystemExit(f"a batch was answered {response.status_code}: {response.content[:300]!r}")


def _request_list(client: Any, day: date, token: str) -> None:
    response = client.get(
        f"/api/v1/arenas/{SERVERS}/list",
        {"at": f"{day}T00:00:00Z"},
        headers={"authorization": f"Bearer {token}"},
    )
    if response.status_code != 200 or len(response.json()["results"]) < MEMBERS:
        raise SystemExit(f"the list was answered {response.status_code}: {response.content[:300]!r}")


if __name__ == "__main__":
    main()
