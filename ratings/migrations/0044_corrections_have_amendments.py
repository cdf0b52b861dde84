from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("ratings", "0043_fill_amendments_of_corrections")]

    operations = [migrations.RemoveField("correction", "data")]
