"""Recording what somebody does outside tournaments, which is a part of the audit log."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from players.choices import ActKind, Deed
from players.models import Act


def record_act(
    kind: ActKind,
    deed: Deed,
    subject: str,
    *,
    by: Any,
    at: datetime,
    by_name: str = "",
    before: str = "",
    after: str = "",
    reason: str = "",
) -> Act:
    """Record what somebody did. `by_name` names who has no account: the operator of a command, a schedule."""
    user = by if getattr(by, "is_authenticated", False) else None
    return Act.objects.create(
        kind=kind,
        deed=deed,
        subject=subject[:254],
        by=user,
        by_name=(user.email if user else by_name)[:254],
        at=at,
        before=before,
        after=after,
        reason=reason.strip(),
    )
