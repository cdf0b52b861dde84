"""Give each appeal its row among the cases."""

from django.db import migrations

STATES = {"open": "waiting", "upheld": "approved", "dismissed": "refused"}
BATCH = 1000


def fill(apps, schema_editor):
    cases = apps.get_model("players", "Case")
    rows = apps.get_model("tournaments", "Appeal").objects
    # In batches: a second run does the rest.
    while some := list(rows.filter(case=None).order_by("pk")[:BATCH]):
        made = cases.objects.bulk_create(case_of(cases, row) for row in some)
        for row, case in zip(some, made, strict=True):
            row.case = case
        rows.bulk_update(some, ["case"])


def case_of(cases, row):
    return cases(
        kind="appeal",
        key=str(row.decision_id) if row.state == "open" else "",
        state=STATES[row.state],
        tournament_id=row.tournament_id,
        reason=row.statement,
        asked_by_id=row.lodged_by_id,
        asked_at=row.lodged_at,
        decided_by_id=row.decided_by_id,
        decided_at=row.decided_at,
        answer=row.outcome_reason,
    )


class Migration(migrations.Migration):

    dependencies = [("tournaments", "0060_link_appeals_to_cases")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
