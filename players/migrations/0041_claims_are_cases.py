import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("players", "0040_cases_of_tournaments")]

    operations = [
        migrations.AddField(
            model_name='claim',
            name='case',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.case'),
        ),
    ]
