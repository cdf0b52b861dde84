"""Towns, the spellings by which they are found, and the town of each tournament."""

import core.models
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0037_name_holds_of_reports'),
    ]

    operations = [
        migrations.CreateModel(
            name='Town',
            fields=[
                ('geonames_id', models.PositiveIntegerField(primary_key=True, serialize=False, verbose_name='GeoNames ID')),
                ('name', models.CharField(max_length=200, verbose_name='Name')),
                ('country', models.CharField(max_length=2, verbose_name='Country')),
                ('region', models.CharField(blank=True, max_length=20, verbose_name='Region')),
                ('latitude', models.FloatField(verbose_name='Latitude')),
                ('longitude', models.FloatField(verbose_name='Longitude')),
                ('population', models.PositiveIntegerField(verbose_name='Population')),
            ],
            options={
                'verbose_name': 'town',
                'verbose_name_plural': 'towns',
                'ordering': ['-population', 'geonames_id'],
                'indexes': [models.Index(fields=['latitude', 'longitude'], name='towns_by_degrees')],
            },
        ),
        migrations.AddField(
            model_name='tournament',
            name='town',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='tournaments', to='tournaments.town', verbose_name='Town'),
        ),
        migrations.CreateModel(
            name='TownSpelling',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('spelling', core.models.CodePointCharField(max_length=100)),
                ('town', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='spellings', to='tournaments.town')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('spelling', 'town'), name='one_row_a_spelling')],
            },
        ),
    ]
