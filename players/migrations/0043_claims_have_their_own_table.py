import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("players", "0042_fill_cases_of_claims")]

    operations = [
        migrations.RemoveConstraint(model_name='claim', name='one_open_claim_an_account'),
        migrations.RemoveConstraint(model_name='claim', name='one_confirmed_claim_a_player'),
        migrations.RemoveConstraint(model_name='claim', name='a_claim_has_a_reason'),
        migrations.RemoveConstraint(model_name='claim', name='a_claim_decided_has_its_instant'),
        migrations.RemoveField(model_name='claim', name='player'),
        migrations.RemoveField(model_name='claim', name='user'),
        migrations.RemoveField(model_name='claim', name='reason'),
        migrations.RemoveField(model_name='claim', name='state'),
        migrations.RemoveField(model_name='claim', name='asked_at'),
        migrations.RemoveField(model_name='claim', name='decided_by'),
        migrations.RemoveField(model_name='claim', name='decided_at'),
        migrations.RemoveField(model_name='claim', name='answer'),
        migrations.AlterField(
            model_name='claim',
            name='case',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.case'),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name='Claim'),
                migrations.CreateModel(
                    name='Claim',
                    fields=[
                        ('id', models.BigAutoField(primary_key=True, serialize=False)),
                        ('case', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, parent_link=True, related_name='%(class)s', to='players.case')),
                        ('evidence', models.CharField(blank=True, max_length=400, verbose_name='Evidence')),
                        ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='Ended at')),
                    ],
                    options={
                        'verbose_name': 'claim of a player record',
                        'verbose_name_plural': 'claims of player records',
                        'ordering': ['asked_at', 'pk'],
                    },
                    bases=('players.case',),
                ),
            ],
        ),
    ]
