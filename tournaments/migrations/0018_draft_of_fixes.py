from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0017_reword_labels"),
    ]

    operations = [
        migrations.AddField(
            model_name="report",
            name="draft",
            field=models.JSONField(blank=True, default=dict, verbose_name="fixes chosen and not saved yet"),
        ),
    ]
