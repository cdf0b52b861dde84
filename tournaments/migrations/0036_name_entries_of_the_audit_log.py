"""Name the entries of the audit log by its name. The table keeps its name, so that no row moves."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_squashed_0035")]

    operations = [
        migrations.AlterModelTable("trailentry", "tournaments_trailentry"),
        migrations.RenameModel("TrailEntry", "AuditEntry"),
        migrations.AlterField(
            "auditentry",
            "tournament",
            models.ForeignKey(
                on_delete=models.PROTECT, related_name="audit_entries", to="tournaments.tournament"
            ),
        ),
    ]
