import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('tournaments', '0069_holds_have_no_table')]

    operations = [
        migrations.AddField(
            model_name='objection',
            name='case',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.case'),
        ),
    ]
