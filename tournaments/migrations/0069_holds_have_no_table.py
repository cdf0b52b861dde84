from django.db import migrations

OPTIONS = {'ordering': ['asked_at', 'pk'], 'proxy': True, 'indexes': [], 'constraints': []}


class Migration(migrations.Migration):

    dependencies = [('tournaments', '0068_holds_are_cases')]

    operations = [
        migrations.RemoveField(model_name='tournament', name='is_held'),
        migrations.DeleteModel(name='Hold'),
        migrations.CreateModel(
            name='Hold',
            fields=[],
            options={
                **OPTIONS,
                'verbose_name': 'hold on a report',
                'verbose_name_plural': 'holds on reports',
            },
            bases=('players.case',),
        ),
        migrations.CreateModel(
            name='Flags',
            fields=[],
            options={
                **OPTIONS,
                'verbose_name': 'flags of the checks',
                'verbose_name_plural': 'flags of the checks',
            },
            bases=('players.case',),
        ),
    ]
