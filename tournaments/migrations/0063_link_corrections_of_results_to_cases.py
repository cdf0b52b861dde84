import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('tournaments', '0052_requested_changes_have_only_their_own_columns')]

    operations = [
        migrations.AddField(
            model_name='resultcorrection',
            name='case',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.case'),
        ),
    ]
