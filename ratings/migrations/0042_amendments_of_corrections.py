from django.db import migrations

import core.models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0041_drop_the_former_log")]

    operations = [
        migrations.AddField(
            "correction",
            "amendments",
            core.models.ValueField(blank=True, default=list, verbose_name="Amendments"),
        ),
    ]
