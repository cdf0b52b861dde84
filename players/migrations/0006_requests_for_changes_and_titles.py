import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0005_sounds_of_names'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ChangeRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(blank=True, max_length=100, verbose_name='name')),
                ('sex', models.CharField(blank=True, choices=[('M', 'male'), ('F', 'female')], max_length=1, verbose_name='sex')),
                ('birth_date', models.DateField(blank=True, null=True, verbose_name='birth date (private)')),
                ('died_on', models.DateField(blank=True, null=True, verbose_name='died on')),
                ('reason', models.CharField(max_length=400, verbose_name='reason')),
                ('evidence', models.CharField(max_length=400, verbose_name='evidence')),
                ('state', models.CharField(choices=[('waiting', 'waiting for FIDE staff'), ('granted', 'granted'), ('refused', 'refused'), ('withdrawn', 'withdrawn')], default='waiting', max_length=9, verbose_name='state')),
                ('asked_at', models.DateTimeField(verbose_name='asked at')),
                ('decided_at', models.DateTimeField(blank=True, null=True, verbose_name='decided at')),
                ('answer', models.CharField(blank=True, max_length=400, verbose_name='answer')),
            ],
            options={
                'verbose_name': "request to change a player's data",
                'verbose_name_plural': "requests to change players' data",
                'ordering': ['asked_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='TitleGrant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(choices=[('GM', 'Grandmaster'), ('IM', 'International Master'), ('FM', 'FIDE Master'), ('CM', 'Candidate Master'), ('WGM', 'Woman Grandmaster'), ('WIM', 'Woman International Master'), ('WFM', 'Woman FIDE Master'), ('WCM', 'Woman Candidate Master'), ('WH', 'Honorary Woman Grandmaster')], max_length=3, verbose_name='title')),
                ('granted_on', models.DateField(verbose_name='from')),
                ('reference', models.CharField(max_length=200, verbose_name='decision')),
                ('at', models.DateTimeField(verbose_name='at')),
            ],
            options={
                'verbose_name': 'title granted',
                'verbose_name_plural': 'titles granted',
                'ordering': ['player', 'granted_on', 'pk'],
            },
        ),
        migrations.RemoveConstraint(
            model_name='noticepreference',
            name='only_optional_kinds_are_turned_off',
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('invitation', 'invitations'), ('security', 'security of your account'), ('decision', 'decisions on your tournaments'), ('deadline', 'deadlines that come near'), ('digest', 'the digest of what waits for you'), ('publication', 'publication of lists'), ('appeal', 'appeals and questions'), ('transfer', 'transfers and registrations of players'), ('handover', 'reports that chief arbiters hand over')], max_length=12, verbose_name='kind'),
        ),
        migrations.AlterField(
            model_name='noticepreference',
            name='kind',
            field=models.CharField(choices=[('invitation', 'invitations'), ('security', 'security of your account'), ('decision', 'decisions on your tournaments'), ('deadline', 'deadlines that come near'), ('digest', 'the digest of what waits for you'), ('publication', 'publication of lists'), ('appeal', 'appeals and questions'), ('transfer', 'transfers and registrations of players'), ('handover', 'reports that chief arbiters hand over')], max_length=12, verbose_name='kind'),
        ),
        migrations.AddConstraint(
            model_name='noticepreference',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ('decision', 'deadline', 'digest', 'publication', 'appeal', 'transfer', 'handover'))), name='only_optional_kinds_are_turned_off'),
        ),
        migrations.AddField(
            model_name='changerequest',
            name='asked_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='changerequest',
            name='decided_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='changerequest',
            name='federation',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='change_requests', to='players.federation'),
        ),
        migrations.AddField(
            model_name='changerequest',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='change_requests', to='players.player'),
        ),
        migrations.AddField(
            model_name='titlegrant',
            name='by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='titlegrant',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='title_grants', to='players.player'),
        ),
        migrations.AddConstraint(
            model_name='changerequest',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'waiting')), fields=('player',), name='one_waiting_change_request_a_player'),
        ),
        migrations.AddConstraint(
            model_name='changerequest',
            constraint=models.CheckConstraint(condition=models.Q(('birth_date', None), ('died_on', None), ('name', ''), ('sex', ''), _negated=True), name='a_change_request_asks_for_something'),
        ),
        migrations.AddConstraint(
            model_name='changerequest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('reason', ''), _negated=True), models.Q(('evidence', ''), _negated=True)), name='a_change_request_has_reason_and_evidence'),
        ),
        migrations.AddConstraint(
            model_name='changerequest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('state', 'waiting')), models.Q(models.Q(('state', 'waiting'), _negated=True), ('decided_at__isnull', False)), _connector='OR'), name='a_change_request_decided_has_its_instant'),
        ),
        migrations.AddIndex(
            model_name='titlegrant',
            index=models.Index(fields=['granted_on'], name='title_by_day'),
        ),
        migrations.AddConstraint(
            model_name='titlegrant',
            constraint=models.UniqueConstraint(fields=('player', 'title'), name='a_title_is_granted_once'),
        ),
        migrations.AddConstraint(
            model_name='titlegrant',
            constraint=models.CheckConstraint(condition=models.Q(('reference', ''), _negated=True), name='a_title_has_a_decision'),
        ),
    ]
