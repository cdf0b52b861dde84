"""Give each claim of a player record its row among the cases."""

from django.db import migrations

STATES = {"confirmed": "approved"}
BATCH = 1000


def fill(apps, schema_editor):
    cases = apps.get_model("players", "Case")
    rows = apps.get_model("players", "Claim").objects
    # In batches: a second run does the rest.
    while some := list(rows.filter(case=None).order_by("pk")[:BATCH]):
        made = cases.objects.bulk_create(case_of(cases, row) for row in some)
        for row, case in zip(some, made, strict=True):
            row.case = case
            # The end of one that was cancelled is its decision.
            row.ended_at = row.ended_at if row.state == "ended" else None
        rows.bulk_update(some, ["case", "ended_at"])


def case_of(cases, row):
    is_waiting = row.state == "waiting"
    return cases(
        kind="claim",
        key=str(row.user_id) if is_waiting else "",
        state=STATES.get(row.state, row.state),
        player_id=row.player_id,
        reason=row.reason,
        asked_by_id=row.user_id,
        asked_at=row.asked_at,
        decided_by_id=row.decided_by_id,
        decided_at=None if is_waiting else row.decided_at or row.ended_at or row.asked_at,
        answer=row.answer,
    )


class Migration(migrations.Migration):

    dependencies = [("players", "0041_claims_are_cases")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
