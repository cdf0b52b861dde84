from django.db import migrations

import core.models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0078_reports_have_no_draft")]

    operations = [
        migrations.AddField(
            "resultcorrection", "amendments", core.models.ValueField(default=list, verbose_name="Correction")
        ),
        migrations.AddField(
            "requestedchange",
            "amendments",
            core.models.ValueField(
                blank=True, default=list, verbose_name="Changed fields with old and new values"
            ),
        ),
    ]
