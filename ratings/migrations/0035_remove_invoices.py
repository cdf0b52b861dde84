"""Remove invoices, which are bookkeeping: export them before (CHANGELOG)."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0034_keep_what_the_portal_states'),
    ]

    operations = [
        migrations.DeleteModel(name='InvoiceReminder'),
        migrations.DeleteModel(name='Invoice'),
        migrations.DeleteModel(name='InvoiceCounter'),
        migrations.RemoveConstraint(
            model_name='feerate',
            name='fees_are_not_negative',
        ),
        migrations.RemoveField(model_name='feerate', name='bank_details'),
        migrations.RemoveField(model_name='feerate', name='days_to_pay'),
        migrations.RemoveField(model_name='feerate', name='issuer'),
        migrations.RemoveField(model_name='feerate', name='late_fee'),
        migrations.RemoveField(model_name='historicalfeerate', name='bank_details'),
        migrations.RemoveField(model_name='historicalfeerate', name='days_to_pay'),
        migrations.RemoveField(model_name='historicalfeerate', name='issuer'),
        migrations.RemoveField(model_name='historicalfeerate', name='late_fee'),
        migrations.AddConstraint(
            model_name='feerate',
            constraint=models.CheckConstraint(condition=models.Q(('per_player__gte', 0), ('per_tournament__gte', 0)), name='fees_are_not_negative'),
        ),
    ]
