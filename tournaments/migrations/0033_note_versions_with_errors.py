from django.db import migrations, models


def note_errors(apps, schema_editor):
    """Note which versions have errors; one that was accepted had none."""
    Report = apps.get_model("tournaments", "Report")
    rows = Report.objects.filter(state="checked").order_by().values_list("pk", "findings")
    keys = [
        pk for pk, findings in rows.iterator(chunk_size=500) if any(one["severity"] == "error" for one in findings)
    ]
    for start in range(0, len(keys), 500):
        Report.objects.filter(pk__in=keys[start : start + 500]).update(has_errors=True)


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0032_report_in_monthly_parts"),
    ]

    operations = [
        migrations.AddField(
            model_name="report",
            name="has_errors",
            field=models.BooleanField(db_default=False, default=False, verbose_name="with errors"),
        ),
        migrations.RunPython(note_errors, migrations.RunPython.noop, elidable=True),
    ]
