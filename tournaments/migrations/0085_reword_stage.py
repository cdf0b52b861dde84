from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0084_drafts_of_arbiters")]

    operations = [
        migrations.AlterField(
            model_name="tournament",
            name="stage",
            field=models.CharField(
                choices=[
                    ("planned", "no accepted report"),
                    ("reported", "reported"),
                    ("rated", "rated"),
                    ("published", "published"),
                ],
                default="planned",
                max_length=10,
                verbose_name="Stage",
            ),
        ),
    ]
