import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0021_arbiter_licences'),
        ('tournaments', '0021_keep_original_files'),
    ]

    operations = [
        migrations.CreateModel(
            name='TournamentArbiter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_chief', models.BooleanField(default=False, verbose_name='chief arbiter')),
                ('place', models.PositiveSmallIntegerField(default=0, verbose_name='place')),
            ],
            options={
                'verbose_name': 'arbiter of a tournament',
                'verbose_name_plural': 'arbiters of tournaments',
                'ordering': ['tournament', 'place'],
            },
        ),
        migrations.AddField(
            model_name='tournamentarbiter',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='arbitrated', to='players.player'),
        ),
        migrations.AddField(
            model_name='tournamentarbiter',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='arbiters', to='tournaments.tournament'),
        ),
        migrations.AddConstraint(
            model_name='tournamentarbiter',
            constraint=models.UniqueConstraint(fields=('tournament', 'player'), name='an_arbiter_has_one_place'),
        ),
        migrations.AddConstraint(
            model_name='tournamentarbiter',
            constraint=models.UniqueConstraint(condition=models.Q(('is_chief', True)), fields=('tournament',), name='one_chief_arbiter_a_tournament'),
        ),
    ]
