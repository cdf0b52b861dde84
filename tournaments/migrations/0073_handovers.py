import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('tournaments', '0072_objections_are_cases')]

    operations = [
        migrations.CreateModel(
            name='Handover',
            fields=[
                ('case', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, parent_link=True, primary_key=True, related_name='%(class)s', serialize=False, to='players.case')),
                ('file', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, to='tournaments.handedreport')),
                ('report', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='handovers', to='tournaments.report')),
            ],
            options={
                'verbose_name': 'report sent by the chief arbiter',
                'verbose_name_plural': 'reports sent by chief arbiters',
                'ordering': ['asked_at', 'pk'],
            },
            bases=('players.case',),
        ),
    ]
