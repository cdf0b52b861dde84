"""Remove the kind of emails about invoices, and that somebody has turned it off."""

from django.conf import settings
from django.db import migrations, models


def delete_preferences(apps, schema_editor):
    preferences = apps.get_model("players", "NoticePreference").objects.using(schema_editor.connection.alias)
    preferences.filter(kind="fee").delete()


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0029_name_settled_and_cancelled_objections'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(delete_preferences, migrations.RunPython.noop, elidable=True),
        migrations.RemoveConstraint(
            model_name='noticepreference',
            name='only_optional_kinds_are_turned_off',
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('invitation', 'invitations'), ('security', 'security of your account'), ('decision', 'decisions on your tournaments'), ('deadline', 'upcoming deadlines'), ('digest', 'weekly digest of your tasks'), ('publication', 'published lists'), ('appeal', 'appeals and information requests'), ('transfer', 'player transfers and registrations'), ('handover', 'reports from chief arbiters'), ('webhook', 'paused webhooks'), ('daily', 'daily digest of your emails'), ('claim', 'claims of player records and objections to results'), ('next-list', 'your results before each list'), ('follow', 'confirmation emails to followers'), ('followed', 'published lists for followers')], max_length=12, verbose_name='Kind'),
        ),
        migrations.AlterField(
            model_name='noticepreference',
            name='kind',
            field=models.CharField(choices=[('invitation', 'invitations'), ('security', 'security of your account'), ('decision', 'decisions on your tournaments'), ('deadline', 'upcoming deadlines'), ('digest', 'weekly digest of your tasks'), ('publication', 'published lists'), ('appeal', 'appeals and information requests'), ('transfer', 'player transfers and registrations'), ('handover', 'reports from chief arbiters'), ('webhook', 'paused webhooks'), ('daily', 'daily digest of your emails'), ('claim', 'claims of player records and objections to results'), ('next-list', 'your results before each list'), ('follow', 'confirmation emails to followers'), ('followed', 'published lists for followers')], max_length=12, verbose_name='Kind'),
        ),
        migrations.AddConstraint(
            model_name='noticepreference',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ('decision', 'deadline', 'digest', 'publication', 'appeal', 'transfer', 'handover', 'webhook', 'claim', 'next-list'))), name='only_optional_kinds_are_turned_off'),
        ),
    ]
