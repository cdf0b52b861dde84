import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """The tables remain for the release before, which reads them until it is replaced."""

    dependencies = [
        ('tournaments', '0042_state_holds_by_code'),
        ('players', '0035_one_log'),
        ('ratings', '0040_move_the_log'),
    ]

    operations = [
        migrations.AlterField(
            model_name='appeal',
            name='decision',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='appeal', to='players.logentry'),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name='AuditEntry'),
                migrations.DeleteModel(name='LogLink'),
            ],
        ),
    ]
