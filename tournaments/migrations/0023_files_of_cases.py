import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0022_arbiters_by_fide_id'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RenameModel('AppealFile', 'CaseFile'),
        migrations.AlterModelOptions(
            name='casefile',
            options={'ordering': ['appeal', 'tournament', 'number'], 'verbose_name': 'file of a case', 'verbose_name_plural': 'files of cases'},
        ),
        migrations.AddField(
            model_name='casefile',
            name='added_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='added at'),
        ),
        migrations.AddField(
            model_name='casefile',
            name='added_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='casefile',
            name='purpose',
            field=models.CharField(choices=[('lateness', 'reason for the late registration'), ('waiver', 'request for a waiver (article 5.2)'), ('report', 'report of the chief arbiter'), ('appeal', 'appeal')], default='appeal', max_length=8, verbose_name='purpose'),
        ),
        migrations.AddField(
            model_name='casefile',
            name='tournament',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='files', to='tournaments.tournament'),
        ),
        migrations.AlterField(
            model_name='casefile',
            name='appeal',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='files', to='tournaments.appeal'),
        ),
        migrations.AlterField(
            model_name='trailentry',
            name='action',
            field=models.CharField(choices=[('register', 'registered'), ('change', 'changed the registration'), ('allow', 'approved the registration'), ('refuse', 'refused'), ('not-rate', 'decided not to rate'), ('withdraw', 'withdrew'), ('request', 'asked the QC for a change'), ('grant', 'granted the request'), ('deny', 'refused the request'), ('restore', 'restored the registration'), ('report', 'submitted a report'), ('accept', 'accepted the report'), ('correct', 'corrected the report'), ('publish', 'published'), ('mark', 'marked games'), ('question', 'placed the report on hold'), ('clear', 'released the hold'), ('ask', 'requested information'), ('answer', 'answered'), ('appeal', 'appealed'), ('uphold', 'upheld the appeal'), ('dismiss', 'dismissed the appeal'), ('name', 'added a chief arbiter'), ('unname', 'removed a chief arbiter'), ('hand-over', 'sent the report'), ('take', "added the arbiter's report"), ('send-back', 'returned the report'), ('attach', 'added files')], max_length=10, verbose_name='action'),
        ),
        migrations.AddConstraint(
            model_name='casefile',
            constraint=models.UniqueConstraint(fields=('tournament', 'number'), name='one_file_a_number_of_a_tournament'),
        ),
        migrations.AddConstraint(
            model_name='casefile',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('appeal__isnull', False), ('purpose', 'appeal'), ('tournament', None)), models.Q(models.Q(('purpose', 'appeal'), _negated=True), ('appeal', None), ('tournament__isnull', False)), _connector='OR'), name='a_file_belongs_to_one_case'),
        ),
    ]
