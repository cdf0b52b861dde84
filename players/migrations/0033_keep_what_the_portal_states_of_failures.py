from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0032_keep_former_names")]

    operations = [
        migrations.AddField(
            model_name=name,
            name="stated",
            field=models.JSONField(blank=True, editable=False, null=True),
        )
        for name in ("delivery", "notice")
    ]
