"""The policy of due work: attempts and pauses."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.work import Policy

MINUTE = timedelta(minutes=1)
POLICY = Policy(
    claimed_at="started_at",
    max_attempts=4,
    waits=(MINUTE, 2 * MINUTE),
    lost_after=15 * MINUTE,
    clock_skew=MINUTE,
)


@pytest.mark.parametrize(
    ("attempts", "wait", "has_left"),
    [(1, MINUTE, True), (2, 2 * MINUTE, True), (3, 2 * MINUTE, True), (4, 2 * MINUTE, False)],
)
def test_policy_waits_longer_until_attempts_are_used_up(
    attempts: int, wait: timedelta, has_left: bool
) -> None:
    assert (POLICY.wait_after(attempts), POLICY.has_attempts_left(attempts)) == (wait, has_left)
