import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('tournaments', '0064_fill_cases_of_corrections_of_results')]

    operations = [
        migrations.RemoveConstraint(model_name='resultcorrection', name='one_open_correction_a_game'),
        migrations.RemoveConstraint(model_name='resultcorrection', name='a_correction_of_a_result_has_a_reason'),
        migrations.RemoveConstraint(model_name='resultcorrection', name='a_correction_of_a_result_is_decided'),
        migrations.RemoveConstraint(model_name='resultcorrection', name='a_correction_is_refused_with_a_reason'),
        migrations.AlterModelOptions(name='resultcorrection', options={'ordering': ['pk']}),
        migrations.RemoveField(model_name='resultcorrection', name='tournament'),
        migrations.RemoveField(model_name='resultcorrection', name='player'),
        migrations.RemoveField(model_name='resultcorrection', name='state'),
        migrations.RemoveField(model_name='resultcorrection', name='reason'),
        migrations.RemoveField(model_name='resultcorrection', name='asked_by'),
        migrations.RemoveField(model_name='resultcorrection', name='asked_at'),
        migrations.RemoveField(model_name='resultcorrection', name='decision_reason'),
        migrations.RemoveField(model_name='resultcorrection', name='decided_by'),
        migrations.RemoveField(model_name='resultcorrection', name='decided_at'),
        migrations.AlterField(
            model_name='resultcorrection',
            name='case',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.case'),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name='ResultCorrection'),
                migrations.CreateModel(
                    name='ResultCorrection',
                    fields=[
                        ('id', models.BigAutoField(primary_key=True, serialize=False)),
                        ('case', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, parent_link=True, related_name='%(class)s', to='players.case')),
                        ('round', models.PositiveSmallIntegerField(verbose_name='Round')),
                        ('white', models.PositiveSmallIntegerField(verbose_name='White')),
                        ('black', models.PositiveSmallIntegerField(verbose_name='Black')),
                        ('result_before', models.CharField(blank=True, max_length=7, verbose_name='Result before')),
                        ('verdict', models.CharField(max_length=13, verbose_name='Correction')),
                        ('mark_reference', models.CharField(blank=True, max_length=100, verbose_name='Reference')),
                        ('other', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='right opponent')),
                        ('report', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='result_corrections', to='tournaments.report')),
                    ],
                    options={
                        'verbose_name': 'correction of a result',
                        'verbose_name_plural': 'corrections of results',
                        'ordering': ['asked_at', 'pk'],
                    },
                    bases=('players.case',),
                ),
            ],
        ),
    ]
