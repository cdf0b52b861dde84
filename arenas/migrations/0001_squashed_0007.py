"""The tables of arenas."""

import core.models
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('players', '0001_squashed_0026'),
    ]

    operations = [
        migrations.CreateModel(
            name='Arena',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=40, unique=True, verbose_name='Short name in addresses')),
                ('name', models.CharField(max_length=100, verbose_name='Name')),
                ('system', models.CharField(choices=[('foa-rbb', 'FIDE Online Arena: rapid, blitz and bullet'), ('chess-online', 'provisional average, then Elo with a rating floor'), ('flyordie', 'Elo with series, provisional weight and daily decay')], max_length=20, verbose_name='Rating system')),
                ('parameters', models.JSONField(blank=True, default=dict, verbose_name='Parameters')),
                ('day_done', models.DateField(blank=True, null=True, verbose_name='Last processed day')),
            ],
            options={
                'verbose_name': 'arena',
                'verbose_name_plural': 'arenas',
                'ordering': ['slug'],
                'indexes': [],
                'constraints': [],
            },
        ),
        migrations.CreateModel(
            name='ArenaList',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('date', models.DateField(verbose_name='Date')),
                ('published_at', models.DateTimeField(verbose_name='Published at')),
                ('listed', models.PositiveIntegerField(default=0, verbose_name='Rated entries')),
                ('sha256', models.CharField(blank=True, max_length=64, verbose_name='SHA-256')),
                ('arena', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='lists', to='arenas.arena')),
            ],
            options={
                'verbose_name': 'monthly list of an arena',
                'verbose_name_plural': 'monthly lists of arenas',
                'ordering': ['arena', '-date'],
                'indexes': [],
                'constraints': [models.UniqueConstraint(fields=('arena', 'date'), name='one_arena_list_a_month')],
            },
        ),
        migrations.CreateModel(
            name='ArenaToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='Name')),
                ('digest', models.CharField(max_length=64, unique=True, verbose_name='SHA-256 of the token')),
                ('created_at', models.DateTimeField(verbose_name='Created at')),
                ('last_used_at', models.DateTimeField(blank=True, null=True, verbose_name='Last used at')),
                ('expires_at', models.DateTimeField(verbose_name='Expires at')),
                ('revoked_at', models.DateTimeField(blank=True, null=True, verbose_name='Revoked at')),
                ('arena', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to='arenas.arena')),
            ],
            options={
                'verbose_name': 'API token of an arena',
                'verbose_name_plural': 'API tokens of arenas',
                'ordering': ['arena', 'created_at'],
                'indexes': [],
                'constraints': [],
            },
        ),
        migrations.CreateModel(
            name='Member',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('handle', core.models.CodePointCharField(max_length=60, verbose_name='Username')),
                ('is_full_member', models.BooleanField(default=False, verbose_name='Full member')),
                ('joined', models.DateField(verbose_name='Joined')),
                ('left', models.DateField(blank=True, null=True, verbose_name='Left')),
                ('arena', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='members', to='arenas.arena')),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='arena_members', to='players.player')),
            ],
            options={
                'verbose_name': 'member',
                'verbose_name_plural': 'members',
                'ordering': ['arena', 'handle'],
                'indexes': [],
                'constraints': [models.UniqueConstraint(fields=('arena', 'handle'), name='one_member_a_handle')],
            },
        ),
        migrations.CreateModel(
            name='Game',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('arena_game_id', core.models.CodePointCharField(max_length=100, verbose_name='ID in the arena')),
                ('played_at', models.DateTimeField(verbose_name='End of the game')),
                ('result', models.CharField(choices=[('1-0', '1-0'), ('0-1', '0-1'), ('1/2-1/2', '½-½')], max_length=7, verbose_name='Result')),
                ('time_control', models.CharField(max_length=20, verbose_name='Time control')),
                ('moves', models.PositiveIntegerField(verbose_name='Half-moves')),
                ('white_rating_at_start', models.PositiveIntegerField(blank=True, null=True, verbose_name="White's rating at the start")),
                ('black_rating_at_start', models.PositiveIntegerField(blank=True, null=True, verbose_name="Black's rating at the start")),
                ('disconnected', models.CharField(blank=True, choices=[('white', 'White'), ('black', 'Black')], max_length=5, verbose_name='Disconnected')),
                ('category', models.CharField(blank=True, max_length=20, verbose_name='Category')),
                ('unrated', models.CharField(blank=True, max_length=60, verbose_name='Reason why the game is not rated')),
                ('is_late', models.BooleanField(default=False, verbose_name='Arrived after later games were rated')),
                ('explanation', core.models.WholeJSONField(default=dict, verbose_name='Explanation')),
                ('recorded_at', models.DateTimeField(verbose_name='Recorded at')),
                ('cancelled_at', models.DateTimeField(blank=True, null=True, verbose_name='Cancelled at')),
                ('cancelled_for', models.CharField(blank=True, max_length=200, verbose_name='Reason for the cancellation')),
                ('arena', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='games', to='arenas.arena')),
                ('black', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='games_as_black', to='arenas.member')),
                ('white', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='games_as_white', to='arenas.member')),
            ],
            options={
                'verbose_name': 'game',
                'verbose_name_plural': 'games',
                'ordering': ['arena', '-played_at', '-arena_game_id'],
                'indexes': [models.Index(fields=['arena', '-played_at', '-id'], name='arena_games_newest_first'), models.Index(fields=['white', '-played_at'], name='arena_games_of_white'), models.Index(fields=['black', '-played_at'], name='arena_games_of_black'), models.Index(condition=models.Q(('cancelled_at__isnull', False)), fields=['arena', 'cancelled_at'], name='arena_games_cancelled')],
                'constraints': [models.UniqueConstraint(fields=('arena', 'arena_game_id'), name='one_game_an_arena_id'), models.CheckConstraint(condition=models.Q(('white', models.F('black')), _negated=True), name='a_game_has_two_members')],
            },
        ),
        migrations.CreateModel(
            name='ArenaListEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('category', models.CharField(max_length=20, verbose_name='Category')),
                ('place', models.PositiveIntegerField(verbose_name='Rank')),
                ('handle', core.models.CodePointCharField(max_length=60, verbose_name='Username')),
                ('hundredths', models.IntegerField(blank=True, null=True, verbose_name='Rating in hundredths')),
                ('games', models.PositiveIntegerField(default=0, verbose_name='Games')),
                ('arena_list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='arenas.arenalist')),
                ('member', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='list_entries', to='arenas.member')),
            ],
            options={
                'verbose_name': "entry of an arena's list",
                'verbose_name_plural': "entries of arenas' lists",
                'ordering': ['arena_list', 'category', 'place'],
                'indexes': [],
                'constraints': [models.UniqueConstraint(fields=('arena_list', 'category', 'place'), name='one_entry_a_place')],
            },
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('category', models.CharField(max_length=20, verbose_name='Category')),
                ('state', core.models.WholeJSONField(verbose_name='State')),
                ('hundredths', models.IntegerField(blank=True, null=True, verbose_name='Rating in hundredths')),
                ('games', models.PositiveIntegerField(default=0, verbose_name='Games')),
                ('version', models.PositiveIntegerField(default=0, verbose_name='Version')),
                ('settled_at', models.DateTimeField(blank=True, null=True, verbose_name='Settled up to')),
                ('settled_game', models.CharField(blank=True, max_length=100, verbose_name='Last game')),
                ('member', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='arenas.member')),
            ],
            options={
                'verbose_name': 'arena rating',
                'verbose_name_plural': 'arena ratings',
                'ordering': ['member', 'category'],
                'indexes': [models.Index(fields=['category', '-hundredths'], name='arena_ratings_by_category')],
                'constraints': [models.UniqueConstraint(fields=('member', 'category'), name='one_arena_rating_a_category')],
            },
        ),
        migrations.CreateModel(
            name='Change',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='Number')),
                ('cause', models.CharField(choices=[('first', 'initial rating on joining'), ('game', 'game'), ('day', 'end of day'), ('list', 'FIDE list published'), ('cancelled', 'game cancelled')], max_length=9, verbose_name='Cause')),
                ('effective_at', models.DateTimeField(verbose_name='Effective at')),
                ('recorded_at', models.DateTimeField(verbose_name='Recorded at')),
                ('before', models.IntegerField(blank=True, null=True, verbose_name='Rating before, in hundredths')),
                ('after', models.IntegerField(blank=True, null=True, verbose_name='Rating after, in hundredths')),
                ('games_before', models.PositiveIntegerField(default=0, verbose_name='Games before')),
                ('games_after', models.PositiveIntegerField(default=0, verbose_name='Games after')),
                ('state_before', core.models.WholeJSONField(verbose_name='State before')),
                ('state', core.models.WholeJSONField(verbose_name='State after')),
                ('steps', core.models.WholeJSONField(default=list, verbose_name='Steps')),
                ('game', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='changes', to='arenas.game')),
                ('rating', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='arenas.rating')),
            ],
            options={
                'verbose_name': 'change of an arena rating',
                'verbose_name_plural': 'changes of arena ratings',
                'ordering': ['rating', 'number'],
                'indexes': [],
                'constraints': [models.UniqueConstraint(fields=('rating', 'number'), name='one_change_a_number')],
            },
        ),
    ]
