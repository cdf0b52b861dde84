"""Closing cases: each once, by whoever comes first."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from players.choices import CaseState
from players.models.cases import Case


def close_case(
    case: Case, state: CaseState, *, answer: str = "", by: Any, at: datetime, **values: Any
) -> bool:
    """Close a case that waits, with the values of its kind, and return whether this call did."""
    waiting = type(case)._default_manager.filter(pk=case.pk, state=CaseState.WAITING)
    return bool(waiting.update(state=state, answer=answer.strip(), decided_by=by, decided_at=at, **values))
