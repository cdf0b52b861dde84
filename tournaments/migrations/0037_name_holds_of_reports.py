"""Name holds of reports by their name. The table keeps its name, so that no row moves."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0036_name_entries_of_the_audit_log")]

    operations = [
        migrations.AlterModelTable("question", "tournaments_question"),
        migrations.RenameModel("Question", "Hold"),
        migrations.AlterField(
            "hold",
            "tournament",
            models.ForeignKey(
                on_delete=models.PROTECT, related_name="holds", to="tournaments.tournament"
            ),
        ),
    ]
