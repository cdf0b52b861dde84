"""Give each requested change its row among the cases."""

from django.db import migrations

BATCH = 1000


def fill(apps, schema_editor):
    cases = apps.get_model("players", "Case")
    rows = apps.get_model("tournaments", "RequestedChange").objects
    # In batches: a second run does the rest.
    while some := list(rows.filter(case=None).order_by("pk")[:BATCH]):
        made = cases.objects.bulk_create(case_of(cases, row) for row in some)
        for row, case in zip(some, made, strict=True):
            row.case = case
        rows.bulk_update(some, ["case"])


def case_of(cases, row):
    return cases(
        kind="request",
        key=str(row.tournament_id) if row.state == "waiting" else "",
        state="approved" if row.state == "granted" else row.state,
        tournament_id=row.tournament_id,
        reason=row.reason,
        stated=row.stated,
        asked_by_id=row.asked_by_id,
        asked_at=row.asked_at,
        decided_by_id=row.decided_by_id,
        decided_at=row.decided_at,
        answer=row.decision_reason,
    )


class Migration(migrations.Migration):

    dependencies = [("tournaments", "0050_requested_changes_are_cases")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
