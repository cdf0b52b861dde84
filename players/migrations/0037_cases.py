import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0036_forget_the_former_log'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Case',
            fields=[
                ('number', models.BigAutoField(primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('application', 'FIDE ID application'), ('transfer', 'transfer'), ('change', 'data change request'), ('merge', 'proposed merge')], max_length=12, verbose_name='Kind')),
                ('key', models.CharField(blank=True, editable=False, max_length=200)),
                ('state', models.CharField(choices=[('waiting', 'waiting for FIDE staff'), ('approved', 'approved'), ('refused', 'refused'), ('withdrawn', 'cancelled')], default='waiting', max_length=9, verbose_name='State')),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='cases', to='players.player')),
                ('federation', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='cases', to='players.federation')),
                ('reason', models.TextField(blank=True, verbose_name='Reason')),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('asked_at', models.DateTimeField(verbose_name='Requested at')),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('decided_at', models.DateTimeField(blank=True, null=True, verbose_name='Decided at')),
                ('answer', models.TextField(blank=True, verbose_name='Answer')),
            ],
            options={
                'verbose_name': 'case',
                'verbose_name_plural': 'cases',
                'ordering': ['asked_at', 'pk'],
                'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['kind', 'asked_at'], name='cases_waiting')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('state', 'waiting')), models.Q(models.Q(('state', 'waiting'), _negated=True), ('decided_at__isnull', False)), _connector='OR'), name='a_decided_case_has_its_instant'), models.UniqueConstraint(condition=models.Q(('state', 'waiting')), fields=('kind', 'key'), name='one_waiting_case_a_key'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'waiting'), models.Q(('key', ''), _negated=True)), models.Q(models.Q(('state', 'waiting'), _negated=True), ('key', '')), _connector='OR'), name='a_case_has_its_key_while_it_waits'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'application'), _negated=True), models.Q(('player__isnull', False), ('state', 'approved')), models.Q(models.Q(('state', 'approved'), _negated=True), ('player', None)), _connector='OR'), name='an_approved_application_has_its_player'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'merge'), ('state', 'approved'), _negated=True), models.Q(('decided_by__isnull', False), models.Q(('decided_by', models.F('asked_by')), _negated=True)), _connector='OR'), name='a_merge_is_confirmed_by_another')],
            },
        ),
        migrations.AddField(
            model_name='application',
            name='case',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.case'),
        ),
        migrations.AddField(
            model_name='transfer',
            name='case',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.case'),
        ),
        migrations.AddField(
            model_name='changerequest',
            name='case',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.case'),
        ),
        migrations.AddField(
            model_name='mergeproposal',
            name='case',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.case'),
        ),
    ]
