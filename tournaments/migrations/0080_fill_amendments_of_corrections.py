from typing import Any

from django.db import migrations

SEATS = {"white-player": "w", "black-player": "b", "swap-white": "w", "swap-black": "b"}


def fill(apps: Any, schema_editor: Any) -> None:
    """Write what a correction of a game, or of a registration, changes as amendments."""
    corrections = apps.get_model("tournaments", "ResultCorrection").objects
    for row in corrections.select_related(None).iterator(chunk_size=1000):
        row.amendments = [{"round": row.round, "white": row.white, **_said(row)}]
        row.save(update_fields=["amendments"])
    for row in apps.get_model("tournaments", "RequestedChange").objects.exclude(changes=[]):
        row.amendments = [{"what": "condition", **change} for change in row.changes]
        row.save(update_fields=["amendments"])


def _said(row: Any) -> dict[str, Any]:
    if "/" in row.verdict or row.verdict in ("1-0", "0-1"):
        return {"what": "result", "result": row.verdict, "before": row.result_before}
    if row.verdict == "colours":
        return {"what": "colours"}
    if row.verdict in ("white-player", "black-player"):
        return {"what": "person", "seat": SEATS[row.verdict], "fide_id": row.player_id or 0}
    if row.verdict in SEATS:
        return {"what": "opponent", "seat": SEATS[row.verdict], "other": row.other or 0}
    if row.verdict == "rated":
        return {"what": "not-rated"}
    return {"what": "not-rated", "why": row.verdict, "reference": row.mark_reference}


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0079_amendments_of_corrections")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
