"""Games of an arena by the API: batches of 500 from two game servers at once, then the same games in one process."""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.steps import Measured, measure

SYSTEM = "flyordie"
SERVERS = "servers"
ALONE = "alone"
MEMBERS = 2_000
BATCH = 500
DAYS = 60
SEED = 20_261_121
START = datetime(2026, 1, 1, tzinfo=UTC)


def measured(folder: Path, environment: Mapping[str, str], *, games: int, workers: int) -> Iterator[str]:
    """Yield the rows of the report. Raise SystemExit if one process gives other ratings than several."""
    for part in range(workers):
        _write_games(folder / f"part-{part}.jsonl", part, games // workers)
    tokens = _prepare(folder, environment)
    parts = [["-m", "benchmarks.arenas", str(folder), str(part), tokens] for part in range(workers)]
    posted = measure(f"{games:,} games by the API, {workers} workers", parts, environment)
    yield _row(posted, games)
    told = [json.loads((folder / f"part-{part}.json").read_text()) for part in range(workers)]
    slowest, batches = max(item["slowest"] for item in told), sum(item["batches"] for item in told)
    yield f"| slowest of {batches} batches of {BATCH} | {slowest:.2f} s | | | | |"
    whole = folder / "all.jsonl"
    whole.write_text("".join((folder / f"part-{part}.jsonl").read_text() for part in range(workers)))
    alone = ["manage.py", "import_games", ALONE, str(whole)]
    yield _row(measure("the same games by import_games, one process", [alone], environment), games)
    if _ratings(SERVERS, environment) != _ratings(ALONE, environment):
        raise SystemExit("one process gives other ratings than several")
    yield "| the ratings of both, to the last decimal | the same | | | | |"


def _row(step: Measured, games: int) -> str:
    return f"{step.for_each(games, 'game').row()} {games / step.seconds:,.0f} games a second |"


def _write_games(path: Path, part: int, count: int) -> None:
    """Write the games of one server. Servers share no members, so the order of games is each server's own."""
    chance = random.Random(f"{SEED}-{part}")  # noqa: S311 draws, no secrets
    with path.open("w") as target:
        for number in range(count):
            white, black = chance.sample(range(MEMBERS // 2), 2)
            row = {
                "id": f"{part}-{number}",
                "played_at": (START + timedelta(days=DAYS) * number / count).isoformat(),
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
    """Post the games of one server in batches, in its own process. The times go into a file beside them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.arenas", description=main.__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("part", type=int)
    parser.add_argument("token")
    options = parser.parse_args()
    client = _client()
    games = [json.loads(line) for line in (options.folder / f"part-{options.part}.jsonl").open()]
    times = [_post(client, games[at : at + BATCH], options.token) for at in range(0, len(games), BATCH)]
    told = {"slowest": max(times), "batches": len(times)}
    (options.folder / f"part-{options.part}.json").write_text(json.dumps(told))


def _client() -> Any:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    os.environ.setdefault("ALLOWED_HOSTS", "testserver")
    import django

    django.setup()
    from django.test import Client

    return Client()


def _post(client: Any, batch: list[dict[str, Any]], token: str) -> float:
    began = time.perf_counter()
    response = client.post(
        f"/api/v1/arenas/{SERVERS}/games",
        json.dumps(batch),
        content_type="application/json",
        headers={"authorization": f"Bearer {token}"},
    )
    if response.status_code != 200 or response.json()["recorded"] != len(batch):
        raise SystemExit(f"a batch was answered {response.status_code}: {response.content[:300]!r}")
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
