"""Make each information request a case, which has all its columns."""

from django.db import migrations

BATCH = 1000


def fill(apps, schema_editor):
    cases = apps.get_model("players", "Case")
    rows = apps.get_model("tournaments", "InformationRequest").objects
    # In batches: a second run does the rest.
    while some := list(rows.order_by("pk")[:BATCH]):
        cases.objects.bulk_create(case_of(cases, row) for row in some)
        rows.filter(pk__in=[row.pk for row in some]).delete()


def case_of(cases, row):
    is_open = row.answered_at is None
    return cases(
        kind="information",
        key=str(row.tournament_id) if is_open else "",
        state="waiting" if is_open else "approved",
        tournament_id=row.tournament_id,
        reason=row.text,
        due_on=row.due_on,
        asked_by_id=row.asked_by_id,
        asked_at=row.asked_at,
        decided_by_id=row.answered_by_id,
        decided_at=row.answered_at,
        answer=row.answer,
    )


class Migration(migrations.Migration):

    dependencies = [("tournaments", "0065_corrections_of_results_are_cases")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
