import django.db.models.deletion
from django.db import migrations, models

GONE = ("tournament", "reason", "stated", "asked_by", "asked_at", "state", "decision_reason", "decided_by", "decided_at")


class Migration(migrations.Migration):

    dependencies = [('tournaments', '0051_fill_cases_of_requested_changes')]

    operations = [
        migrations.RemoveConstraint(model_name='requestedchange', name='one_open_change_a_tournament'),
        migrations.RemoveConstraint(model_name='requestedchange', name='a_requested_change_is_decided_with_a_reason'),
        migrations.RemoveConstraint(model_name='requestedchange', name='a_requested_change_has_a_reason'),
        *(migrations.RemoveField(model_name='requestedchange', name=name) for name in GONE),
        migrations.AlterField(
            model_name='requestedchange',
            name='case',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.case'),
        ),
        migrations.RemoveField(model_name='tournament', name='has_request'),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name='RequestedChange'),
                migrations.CreateModel(
                    name='RequestedChange',
                    fields=[
                        ('id', models.BigAutoField(primary_key=True, serialize=False)),
                        ('case', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, parent_link=True, related_name='%(class)s', to='players.case')),
                        ('sort', models.CharField(choices=[('change', 'change of the registration'), ('withdrawal', 'withdrawal')], max_length=10, verbose_name='Request')),
                        ('changes', models.JSONField(blank=True, default=list, verbose_name='Changed fields with old and new values')),
                    ],
                    options={
                        'verbose_name': 'requested change',
                        'verbose_name_plural': 'requested changes',
                        'ordering': ['asked_at', 'pk'],
                    },
                    bases=('players.case',),
                ),
            ],
        ),
    ]
