from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0080_fill_amendments_of_corrections")]

    operations = [
        *(migrations.RemoveField("resultcorrection", name) for name in ("verdict", "mark_reference", "other")),
        migrations.RemoveField("requestedchange", "changes"),
    ]
