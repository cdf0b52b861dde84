from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ClosedSignupAdapter(DefaultAccountAdapter):
    """Accounts are made by invitation; nobody signs up alone."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False
