"""Give each application, transfer, data change request and proposed merge its row among the cases."""

from django.db import migrations

KINDS = {"Application": "application", "Transfer": "transfer", "ChangeRequest": "change", "MergeProposal": "merge"}
BATCH = 1000


def fill(apps, schema_editor):
    cases = apps.get_model("players", "Case")
    for name, kind in KINDS.items():
        rows = apps.get_model("players", name).objects
        # In batches: a second run does the rest.
        while some := list(rows.filter(case=None).order_by("pk")[:BATCH]):
            made = cases.objects.bulk_create(case_of(cases, kind, row) for row in some)
            for row, case in zip(some, made, strict=True):
                row.case = case
            rows.bulk_update(some, ["case"])


def case_of(cases, kind, row):
    keys = {"application": "{0.federation_id} {0.birth_date} {0.name}"}
    key = keys.get(kind, "{0.player_id}").format(row) if row.state == "waiting" else ""
    federation = row.asked_for_id if kind == "transfer" else getattr(row, "federation_id", None)
    return cases(
        kind=kind,
        key=key,
        state=row.state,
        player_id=row.player_id,
        federation_id=federation,
        reason=getattr(row, "reason", ""),
        asked_by_id=row.asked_by_id,
        asked_at=row.asked_at,
        decided_by_id=row.decided_by_id,
        decided_at=row.decided_at,
        answer=row.answer,
    )


class Migration(migrations.Migration):

    dependencies = [("players", "0037_cases")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
