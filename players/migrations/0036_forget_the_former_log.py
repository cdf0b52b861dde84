from django.db import migrations


class Migration(migrations.Migration):
    """The tables remain for the release before, which reads them until it is replaced."""

    dependencies = [
        ('players', '0035_one_log'),
        ('ratings', '0040_move_the_log'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name='Act'),
                migrations.DeleteModel(name='HistoricalAppointment'),
                migrations.DeleteModel(name='HistoricalFederation'),
                migrations.DeleteModel(name='HistoricalFederationExclusion'),
                migrations.DeleteModel(name='HistoricalPlayer'),
            ],
        ),
    ]
