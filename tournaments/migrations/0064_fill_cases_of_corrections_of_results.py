"""Give each correction of a result its row among the cases."""

from django.db import migrations

BATCH = 1000


def fill(apps, schema_editor):
    cases = apps.get_model("players", "Case")
    rows = apps.get_model("tournaments", "ResultCorrection").objects
    # In batches: a second run does the rest.
    while some := list(rows.filter(case=None).order_by("pk")[:BATCH]):
        made = cases.objects.bulk_create(case_of(cases, row) for row in some)
        for row, case in zip(some, made, strict=True):
            row.case = case
        rows.bulk_update(some, ["case"])


def case_of(cases, row):
    return cases(
        kind="result",
        key=f"{row.tournament_id} {row.round} {row.white}" if row.state == "waiting" else "",
        state="approved" if row.state == "made" else row.state,
        tournament_id=row.tournament_id,
        player_id=row.player_id,
        reason=row.reason,
        asked_by_id=row.asked_by_id,
        asked_at=row.asked_at,
        decided_by_id=row.decided_by_id,
        decided_at=row.decided_at,
        answer=row.decision_reason,
    )


class Migration(migrations.Migration):

    dependencies = [("tournaments", "0063_link_corrections_of_results_to_cases")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
