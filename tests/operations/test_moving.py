"""An embedded portal moves to PostgreSQL by its backup, with every value of every row and with its files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.faults.world import MONTH
from tests.operations.installation import Installation, installed
from tests.servers import postgresql_server
from tests.services import vendor
from tests.template import migrate_postgresql

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(vendor() != "sqlite", reason="begins on SQLite"),
]
# On the new portal: the backup is restored. What both databases hold, whether all is verified, and what becomes of
# copies that do not fit.
MOVED = """
import json, shutil, sqlite3, sys
from collections import Counter
from contextlib import closing
from io import StringIO
from pathlib import Path
from django.apps import apps
from django.core.management import call_command
from django.db.backends.sqlite3._functions import register
from core.errors import RefusedError
from players.models import Federation, Player
from portal.backup import EMBEDDED, move_to_postgresql, opened_beside
from tests.template import migrating_quickly
copy = Path({copy!r})
with migrating_quickly():
    call_command("restore", str(copy.parent), "--replace", "--json", stdout=(said := StringIO()))
with opened_beside(copy):
    counted = {{
        # PostgreSQL keeps the values of JSON, in an order of its own.
        model._meta.label: [Counter(json.dumps(row, sort_keys=True, default=repr)
                                    for row in model._base_manager.using(name).values_list())
                            for name in (EMBEDDED, "default")]
        for model in apps.get_models(include_auto_created=True)
    }}
different = [label for label, (there, here) in counted.items() if there != here]
for kind in ("rapid", "blitz"):
    call_command("verify_list", kind, {month!r})
call_command("verify_log")
codes = []
for number, spoiled in enumerate((
    "UPDATE players_federation SET note = 'a' || char(0)",
    "DELETE FROM django_migrations WHERE app = 'portal'",
)):
    other = copy.with_name(f"{{number}}.sqlite3")
    shutil.copyfile(copy, other)
    with closing(sqlite3.connect(other)) as database:
        register(database)
        database.execute(spoiled)
        database.commit()
    try:
        move_to_postgresql(other)
    except RefusedError as error:
        codes.append(error.refusals[0].code)
players = Player.objects.count()
# New rows take keys that no row has had.
call_command("mark_federation", "SUI", "--excluded-from", "2027-01-01")
print(json.dumps({{
    **json.loads(said.getvalue()), "different": different, "players": players, "codes": codes,
    "rows": sum(sum(there.values()) for there, here in counted.values()),
}}))
"""


@pytest.mark.usefixtures("published_month")
def test_an_embedded_portal_moves_to_postgresql(tmp_path: Path) -> None:
    embedded, copy = installed(tmp_path), tmp_path / "backup"
    log = embedded.run("verify_log")
    embedded.run("backup", str(copy))
    with postgresql_server() as address:
        # As `restore` would, in a fourth of the time.
        migrate_postgresql(address)
        moved = Installation(address, tmp_path / "moved")
        moved.folder.mkdir()
        script = MOVED.format(copy=str(copy / "portal.sqlite3"), month=MONTH.isoformat())
        *said, last = moved.run_anew("shell", "--no-imports", "-c", script).splitlines()

    found = json.loads(last)
    # Every file came from the backup.
    assert (found["restored"], found["written"]) == (True, [])
    assert [line for line in said if "verified, identical to the published files" in line] == said[:2]
    assert said[2] == log.strip()
    assert (found["different"], found["codes"]) == ([], ["failed", "other-release"])
    assert found["players"] > 900
    assert found["rows"] > 5_000
