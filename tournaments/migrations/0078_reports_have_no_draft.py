from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [('tournaments', '0077_drafts_are_amendments')]

    operations = [migrations.RemoveField(model_name='report', name='draft')]
