from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [('tournaments', '0066_information_requests_are_cases')]

    operations = [
        migrations.DeleteModel(name='InformationRequest'),
        migrations.CreateModel(
            name='InformationRequest',
            fields=[],
            options={
                'verbose_name': 'information request',
                'verbose_name_plural': 'information requests',
                'ordering': ['asked_at', 'pk'],
                'proxy': True,
                'indexes': [],
                'constraints': [],
            },
            bases=('players.case',),
        ),
    ]
