"""Remove the stored rating health of lists, and the work that made it."""

from django.db import migrations, models


def delete_measuring(apps, schema_editor):
    runs = apps.get_model("ratings", "Run").objects.using(schema_editor.connection.alias)
    runs.filter(work="health").delete()


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0032_remove_proposals'),
    ]

    operations = [
        migrations.RunPython(delete_measuring, migrations.RunPython.noop, elidable=True),
        migrations.DeleteModel(name='PoolHealth'),
        migrations.AlterField(
            model_name='run',
            name='work',
            field=models.CharField(choices=[('rate', 'rate a report'), ('publish', 'publish the lists of a month'), ('verify', 'verify a published list'), ('archive', 'compress the files of a published list'), ('log', 'check the audit log'), ('trial', 'try a text on published lists'), ('files', 'check the files of the lists'), ('store', 'check the database'), ('read', 'read a FIDE list'), ('import', 'import a FIDE list'), ('mail', 'email the followers of a list')], max_length=8, verbose_name='Work'),
        ),
    ]
