from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0037_count_the_games_of_both_merged_ids")]

    operations = [
        migrations.AddField(
            model_name="run",
            name="stated",
            field=models.JSONField(blank=True, editable=False, null=True),
        ),
    ]
