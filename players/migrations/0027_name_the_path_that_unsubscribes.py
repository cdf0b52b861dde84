"""Name the path that ends emails by its purpose. The column keeps its name."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0001_squashed_0026")]

    operations = [
        migrations.AlterField(
            "notice",
            "off",
            models.CharField("Unsubscribe link", max_length=200, blank=True, db_column="off"),
        ),
        migrations.RenameField("notice", "off", "unsubscribe_path"),
    ]
