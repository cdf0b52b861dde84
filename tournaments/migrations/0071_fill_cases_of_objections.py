"""Give each objection of a player its row among the cases."""

from django.db import migrations

STATES = {"open": "waiting", "agreed": "approved", "declined": "refused"}
BATCH = 1000


def fill(apps, schema_editor):
    cases = apps.get_model("players", "Case")
    rows = apps.get_model("tournaments", "Objection").objects
    # In batches: a second run does the rest.
    while some := list(rows.filter(case=None).order_by("pk")[:BATCH]):
        made = cases.objects.bulk_create(case_of(cases, row) for row in some)
        for row, case in zip(some, made, strict=True):
            row.case = case
        rows.bulk_update(some, ["case"])


def case_of(cases, row):
    is_waiting = row.state == "open"
    return cases(
        kind="objection",
        key=f"{row.tournament_id} {row.player_id}" if is_waiting else "",
        state=STATES.get(row.state, row.state),
        tournament_id=row.tournament_id,
        player_id=row.player_id,
        reason=row.statement,
        due_on=row.due_on,
        asked_by_id=row.user_id,
        asked_at=row.raised_at,
        decided_by_id=row.answered_by_id,
        # Of one that was cancelled nothing says when.
        decided_at=None if is_waiting else row.answered_at or row.raised_at,
        answer=row.answer,
    )


class Migration(migrations.Migration):

    dependencies = [("tournaments", "0070_link_objections_to_cases")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
