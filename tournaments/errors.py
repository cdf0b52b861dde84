"""What the services refuse: the same errors as for players, so that one form shows both."""

from __future__ import annotations

from core.errors import Refusal, RefusedError

__all__ = ["Refusal", "RefusedError"]
