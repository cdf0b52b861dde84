"""Remove the proposals of the workshop; the trials of texts stay."""

from django.db import migrations


def delete_proposals(apps, schema_editor):
    trials = apps.get_model("ratings", "TextTrial").objects.using(schema_editor.connection.alias)
    trials.exclude(name="").delete()


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0001_squashed_0031'),
    ]

    operations = [
        migrations.RunPython(delete_proposals, migrations.RunPython.noop, elidable=True),
        migrations.RemoveField(model_name='texttrial', name='name'),
        migrations.RemoveField(model_name='texttrial', name='parameters'),
        migrations.RemoveField(model_name='texttrial', name='shared_at'),
    ]
