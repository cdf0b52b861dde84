"""List files made to exhaust a machine: stopped early, with a reason, and nothing of them is written."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import IO, cast

import pytest
from django.conf import settings
from django.core.management import call_command

from players.models import Player
from ratings.models import RatingList
from tests.processes import environment_of_processes
from tests.ratings.list_files import COMBINED, Listed

pytestmark = pytest.mark.slow

MEBIBYTE = 1 << 20
UNPACKED = 100 * MEBIBYTE
MAX_MEMORY = 300 * MEBIBYTE
SECONDS = 60
LAUGHS = "".join(
    f'<!ENTITY l{number} "{f"&l{number - 1};" * 10}">' if number else '<!ENTITY l0 "ha">'
    for number in range(10)
)
# A process is told to have had the memory of the one that it was forked from, and this one is small.
MEASURED = """
import resource, subprocess, sys
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]),) * 2)
status = subprocess.call(sys.argv[3:])
with open(sys.argv[2], "w") as memory:
    memory.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(status if status >= 0 else 1)
"""
Pack = Callable[[Path, bytes, bytes], Path]


def gzipped(folder: Path, head: bytes, rest: bytes) -> Path:
    path = folder / "list.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        _fill(cast("IO[bytes]", file), head, rest)
    return path


def zipped(folder: Path, head: bytes, rest: bytes) -> Path:
    path = folder / "list.zip"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("players.txt", "w") as file,
    ):
        _fill(file, head, rest)
    return path


def _fill(file: IO[bytes], head: bytes, rest: bytes) -> None:
    file.write(head)
    piece = rest * (MEBIBYTE // len(rest))
    for _ in range(UNPACKED // MEBIBYTE):
        file.write(piece)


def imported(path: Path) -> tuple[int, str, int]:
    """Import in a process with little time; return its exit status, what it said, and its most memory in bytes."""
    memory = path.with_suffix(".memory")
    measured = [sys.executable, "-c", MEASURED, str(SECONDS), str(memory)]
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "import_fide_list", str(path)]
    done = subprocess.run(
        [*measured, *command, "--date", "2026-01-01"],
        env=environment_of_processes(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, int(memory.read_text()) * 1024


def nothing_written() -> bool:
    return not (Player.objects.exists() or RatingList.objects.exists())


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("pack", "rest"),
    [(gzipped, b"x\n"), (zipped, b"<player>")],
    ids=["lines", "elements"],
)
def test_bomb_is_stopped_with_a_reason(tmp_path: Path, pack: Pack, rest: bytes) -> None:
    path = pack(tmp_path, f"{COMBINED}\r\n".encode(), rest)
    assert path.stat().st_size < UNPACKED // 50

    status, said, memory = imported(path)

    assert status == 1, said
    assert said.startswith(f"refused: {path.name}: ")
    assert "Traceback" not in said
    assert nothing_written()
    assert memory < MAX_MEMORY


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("declared", "packed"),
    [
        (LAUGHS, True),
        ('<!ENTITY l9 SYSTEM "file:///etc/hostname">', False),
        ('<!ENTITY % l9 SYSTEM "http://127.0.0.1:9/x"> %l9;', False),
    ],
    ids=["laughs", "file", "address"],
)
def test_entities_are_never_resolved(tmp_path: Path, declared: str, packed: bool) -> None:
    player = Listed(1001, "Zarnik, &l9;", rapid=(1700, 0, 20)).element()
    text = (
        f'<?xml version="1.0"?>\n<!DOCTYPE p [{declared}]>\n<playerslist>\n{player}</playerslist>\n'.encode()
    )
    path = tmp_path / ("list.zip" if packed else "list.xml")
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("players.xml", text)
    path.write_bytes(content.getvalue() if packed else text)

    with pytest.raises(SystemExit) as refused:
        call_command("import_fide_list", str(path), date=date(2026, 1, 1), stdout=io.StringIO())

    assert refused.value.code == 1
    assert nothing_written()
