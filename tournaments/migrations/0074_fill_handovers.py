"""Give each report that a chief arbiter sent its row among the cases."""

from django.db import migrations

STATES = {"waiting": "waiting", "taken": "approved", "returned": "refused", "replaced": "withdrawn"}


def fill(apps, schema_editor):
    handovers = apps.get_model("tournaments", "Handover").objects
    rows = apps.get_model("tournaments", "HandedReport").objects.exclude(state="checked")
    sent = rows.filter(handover=None).select_related("tournament").defer("content", "original", "pgn", "findings")
    # One after the other: a second run does the rest.
    for row in sent.order_by("pk").iterator():
        # What waited when a list took the tournament ended with it.
        is_open = row.state == "waiting" and row.tournament.stage != "published"
        handovers.create(
            file=row,
            report_id=row.report_id,
            kind="handed",
            key=str(row.tournament_id) if is_open else "",
            state="withdrawn" if row.state == "waiting" and not is_open else STATES[row.state],
            tournament_id=row.tournament_id,
            reason=row.remark,
            asked_by_id=row.handed_by_id,
            asked_at=row.handed_at,
            decided_by_id=row.decided_by_id,
            # A report that was replaced had no instant of that.
            decided_at=None if is_open else row.decided_at or row.handed_at,
            answer=row.reason,
        )


class Migration(migrations.Migration):

    dependencies = [("tournaments", "0073_handovers")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
