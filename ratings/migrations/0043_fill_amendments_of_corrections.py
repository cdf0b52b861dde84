from typing import Any

from django.db import migrations

BATCH = 1000


def fill(apps: Any, schema_editor: Any) -> None:
    """Write what a correction changed as amendments: fields, the game, else the file or the withdrawal."""
    large = [f"new_report__{name}" for name in ("content", "pgn", "findings")]
    corrections = apps.get_model("ratings", "Correction").objects.defer(*large)
    games = apps.get_model("tournaments", "ResultCorrection").objects
    last = 0
    # In batches: a second run does the rest.
    while some := list(corrections.filter(pk__gt=last).select_related("new_report").order_by("pk")[:BATCH]):
        for row in some:
            row.amendments = [*_fields(row), *_of_report(row, games)]
        corrections.bulk_update(some, ["amendments"])
        last = some[-1].pk


def _fields(row: Any) -> list[dict[str, Any]]:
    what = "datum" if row.player_id else "condition"
    return [
        {"what": what, "field": name, "before": before, "after": after}
        for name, (before, after) in row.data.items()
    ]


def _of_report(row: Any, games: Any) -> list[dict[str, Any]]:
    if row.tournament_id is None or row.data:
        return []
    made = games.filter(tournament=row.tournament_id, state="approved", decided_at=row.at).first()
    if made is not None:
        return made.amendments
    if row.new_report is None:
        return [{"what": "withdrawal"}]
    return [{"what": "file", "name": row.new_report.file_name, "sha256": row.new_report.sha256}]


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0042_amendments_of_corrections"),
        ("tournaments", "0081_corrections_carry_amendments"),
    ]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
