import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0006_requests_for_changes_and_titles'),
        ('tournaments', '0007_calendars_of_deadlines'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name='trailentry',
            name='action',
            field=models.CharField(choices=[('register', 'registered'), ('change', 'changed the registration'), ('allow', 'allowed'), ('refuse', 'refused'), ('not-rate', 'decided not to rate'), ('withdraw', 'withdrew'), ('report', 'submitted a report'), ('accept', 'accepted the report'), ('correct', 'corrected the report'), ('publish', 'published'), ('mark', 'marked games'), ('question', 'put the report under question'), ('clear', 'cleared the question'), ('ask', 'asked for information'), ('answer', 'answered'), ('appeal', 'appealed'), ('uphold', 'upheld the appeal'), ('dismiss', 'dismissed the appeal'), ('name', 'named a chief arbiter'), ('unname', 'ended the naming of a chief arbiter'), ('hand-over', 'handed the report over'), ('take', "took the arbiter's report over"), ('send-back', 'sent the report back')], max_length=10, verbose_name='action'),
        ),
        migrations.CreateModel(
            name='HandedReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('state', models.CharField(choices=[('checked', 'checked, not handed over'), ('waiting', 'handed over'), ('taken', 'taken over'), ('returned', 'sent back'), ('replaced', 'replaced by a later one')], default='checked', max_length=8, verbose_name='state')),
                ('file_name', models.CharField(max_length=200, verbose_name='file name')),
                ('content', models.BinaryField(verbose_name='content')),
                ('sha256', models.CharField(max_length=64, verbose_name='SHA-256')),
                ('pgn', models.BinaryField(blank=True, null=True, verbose_name='PGN of the games (8.4)')),
                ('pgn_sha256', models.CharField(blank=True, max_length=64, verbose_name='SHA-256 of the PGN')),
                ('findings', models.JSONField(blank=True, default=list, verbose_name='findings')),
                ('checked_at', models.DateTimeField(verbose_name='checked at')),
                ('remark', models.TextField(blank=True, verbose_name='remark of the arbiter')),
                ('handed_at', models.DateTimeField(blank=True, null=True, verbose_name='handed over at')),
                ('reason', models.TextField(blank=True, verbose_name='why it was sent back')),
                ('decided_at', models.DateTimeField(blank=True, null=True, verbose_name='decided at')),
                ('checked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('handed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('report', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='handed_reports', to='tournaments.report')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='handed_reports', to='tournaments.tournament')),
            ],
            options={
                'verbose_name': 'report of a chief arbiter',
                'verbose_name_plural': 'reports of chief arbiters',
                'ordering': ['tournament', 'number'],
                'constraints': [models.UniqueConstraint(fields=('tournament', 'number'), name='one_handed_report_a_number'), models.UniqueConstraint(condition=models.Q(('state', 'waiting')), fields=('tournament',), name='one_waiting_handed_report_a_tournament'), models.CheckConstraint(condition=models.Q(models.Q(('report__isnull', False), ('state', 'taken')), models.Q(models.Q(('state', 'taken'), _negated=True), ('report', None)), _connector='OR'), name='a_report_taken_is_a_version'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'returned'), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='a_report_sent_back_has_a_reason'), models.CheckConstraint(condition=models.Q(models.Q(('handed_at', None), ('state', 'checked')), models.Q(models.Q(('state', 'checked'), _negated=True), ('handed_at__isnull', False)), _connector='OR'), name='a_report_handed_over_has_its_instant')],
            },
        ),
        migrations.CreateModel(
            name='NamedArbiter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('named_at', models.DateTimeField(verbose_name='named at')),
                ('invitation', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.invitation')),
                ('named_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='named_arbiters', to='tournaments.tournament')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='arbitrations', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'named chief arbiter',
                'verbose_name_plural': 'named chief arbiters',
                'ordering': ['tournament', 'named_at', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('tournament', 'user'), name='an_arbiter_is_named_once'), models.UniqueConstraint(fields=('tournament', 'invitation'), name='an_invitation_is_named_once'), models.CheckConstraint(condition=models.Q(models.Q(('invitation__isnull', False), ('user', None)), models.Q(('invitation', None), ('user__isnull', False)), _connector='OR'), name='named_is_somebody_known_or_invited')],
            },
        ),
    ]
