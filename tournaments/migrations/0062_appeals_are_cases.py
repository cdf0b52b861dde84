import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('tournaments', '0061_fill_cases_of_appeals')]

    operations = [
        migrations.RemoveConstraint(model_name='appeal', name='an_appeal_is_decided_with_reasons'),
        migrations.RemoveConstraint(model_name='appeal', name='an_appeal_has_a_statement'),
        migrations.AlterModelOptions(name='appeal', options={'ordering': ['pk']}),
        migrations.RemoveField(model_name='appeal', name='tournament'),
        migrations.RemoveField(model_name='appeal', name='state'),
        migrations.RemoveField(model_name='appeal', name='statement'),
        migrations.RemoveField(model_name='appeal', name='lodged_by'),
        migrations.RemoveField(model_name='appeal', name='lodged_at'),
        migrations.RemoveField(model_name='appeal', name='outcome_reason'),
        migrations.RemoveField(model_name='appeal', name='decided_by'),
        migrations.RemoveField(model_name='appeal', name='decided_at'),
        migrations.AlterField(
            model_name='appeal',
            name='case',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.case'),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name='Appeal'),
                migrations.CreateModel(
                    name='Appeal',
                    fields=[
                        ('id', models.BigAutoField(primary_key=True, serialize=False)),
                        ('case', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, parent_link=True, related_name='%(class)s', to='players.case')),
                        ('communicated_on', models.DateField(verbose_name='Decision communicated on')),
                        ('ground', models.CharField(choices=[('facts', 'the facts differ from the decision'), ('rule', 'the article cited does not apply'), ('evidence', 'there is evidence that the decision did not consider'), ('procedure', 'the federation was not heard'), ('other', 'other grounds')], max_length=10, verbose_name='Grounds')),
                        ('organiser', models.CharField(max_length=120, verbose_name='Organiser who appeals')),
                        ('decision', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='appeal', to='players.logentry')),
                    ],
                    options={
                        'verbose_name': 'appeal',
                        'verbose_name_plural': 'appeals',
                        'ordering': ['asked_at', 'pk'],
                    },
                    bases=('players.case',),
                ),
            ],
        ),
    ]
