from django.db import migrations

CONSTRAINTS = (
    'one_waiting_handed_report_a_tournament',
    'a_report_taken_is_a_version',
    'a_report_sent_back_has_a_reason',
    'a_report_handed_over_has_its_instant',
)
FIELDS = ('state', 'remark', 'handed_by', 'handed_at', 'reason', 'decided_by', 'decided_at', 'report')


class Migration(migrations.Migration):

    dependencies = [('tournaments', '0074_fill_handovers')]

    operations = [
        *(migrations.RemoveConstraint(model_name='handedreport', name=name) for name in CONSTRAINTS),
        *(migrations.RemoveField(model_name='handedreport', name=name) for name in FIELDS),
    ]
