from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('portal', '0005_add_daily_digest'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='language',
            field=models.CharField(blank=True, default='', editable=False, max_length=10, verbose_name='Language'),
            preserve_default=False,
        ),
    ]
