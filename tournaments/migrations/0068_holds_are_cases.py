"""Make each hold and each flag a case, which has all its columns."""

from django.db import migrations

BATCH = 1000


def fill(apps, schema_editor):
    cases = apps.get_model("players", "Case")
    steps = apps.get_model("players", "LogEntry").objects.filter(action="clear")
    rows = apps.get_model("tournaments", "Hold").objects
    # In batches: a second run does the rest.
    while some := list(rows.select_related("tournament").order_by("pk")[:BATCH]):
        # A hold also ends by a decision: only what was released has an entry of that instant.
        released = set(steps.filter(tournament__in=[row.tournament_id for row in some]).values_list("tournament", "at"))
        cases.objects.bulk_create(case_of(cases, row, released) for row in some)
        rows.filter(pk__in=[row.pk for row in some]).delete()


def case_of(cases, row, released):
    state = "approved" if (row.tournament_id, row.closed_at) in released else "withdrawn"
    # Of a tournament on a list nobody looks at flags any more: they ended with it, at an instant that nothing keeps.
    over = row.raised_at if row.tournament.stage == "published" else None
    closed_at = row.closed_at or over
    return cases(
        kind="flags" if row.is_from_findings else "hold",
        key="" if closed_at else str(row.tournament_id),
        state=state if closed_at else "waiting",
        tournament_id=row.tournament_id,
        reason=row.reason,
        stated=row.stated,
        asked_by_id=row.raised_by_id,
        asked_at=row.raised_at,
        decided_by_id=row.closed_by_id,
        decided_at=closed_at,
    )


class Migration(migrations.Migration):

    dependencies = [
        ("players", "0044_name_flags_among_cases"),
        ("tournaments", "0067_information_requests_have_no_table"),
    ]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
