import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('tournaments', '0071_fill_cases_of_objections')]

    operations = [
        migrations.RemoveConstraint(model_name='objection', name='one_open_objection_a_player'),
        migrations.RemoveConstraint(model_name='objection', name='an_objection_has_a_statement'),
        migrations.RemoveConstraint(model_name='objection', name='an_objection_is_answered_with_a_reason'),
        migrations.AlterModelOptions(name='objection', options={'ordering': ['pk']}),
        migrations.RemoveField(model_name='objection', name='tournament'),
        migrations.RemoveField(model_name='objection', name='player'),
        migrations.RemoveField(model_name='objection', name='user'),
        migrations.RemoveField(model_name='objection', name='statement'),
        migrations.RemoveField(model_name='objection', name='raised_at'),
        migrations.RemoveField(model_name='objection', name='due_on'),
        migrations.RemoveField(model_name='objection', name='state'),
        migrations.RemoveField(model_name='objection', name='answer'),
        migrations.RemoveField(model_name='objection', name='answered_by'),
        migrations.RemoveField(model_name='objection', name='answered_at'),
        migrations.AlterField(
            model_name='objection',
            name='case',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.case'),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name='Objection'),
                migrations.CreateModel(
                    name='Objection',
                    fields=[
                        ('id', models.BigAutoField(primary_key=True, serialize=False)),
                        ('case', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, parent_link=True, related_name='%(class)s', to='players.case')),
                        ('round', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='Round')),
                        ('settled_at', models.DateTimeField(blank=True, null=True, verbose_name='Corrected or requested at')),
                    ],
                    options={
                        'verbose_name': 'objection of a player',
                        'verbose_name_plural': 'objections of players',
                        'ordering': ['asked_at', 'pk'],
                    },
                    bases=('players.case',),
                ),
            ],
        ),
    ]
