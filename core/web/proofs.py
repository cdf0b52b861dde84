"""A fresh proof of who somebody is: a borrowed session makes nothing that lasts."""

from __future__ import annotations

from collections.abc import Callable

from allauth.account.decorators import reauthentication_required
from django.http import HttpResponseBase

View = Callable[..., HttpResponseBase]
# Whoever posts to the view gives password or second factor first, unless they signed in or gave one just now
# (`ACCOUNT_REAUTHENTICATION_TIMEOUT`). What was posted is carried out after the proof.
proved: Callable[[View], View] = reauthentication_required(enabled=lambda request: request.method == "POST")
