"""What ratings do when tournaments tell them something."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.dispatch import receiver

from ratings.choices import Work
from ratings.services.runs import make_due
from tournaments.models import Report
from tournaments.signals import report_accepted


@receiver(report_accepted)
def rate_accepted_report(sender: Any, *, report: Report, at: datetime, **kwargs: Any) -> None:
    """An accepted report is due to be rated once its transaction is through."""
    make_due(Work.RATE, str(report.pk), at=at)
