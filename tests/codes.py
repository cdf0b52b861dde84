"""The codes of what an answer refuses or says: facts to assert in place of its sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.forms import BaseForm

from core.errors import RefusedError


@dataclass(slots=True)
class Codes:
    """The codes of what a block refused, in order."""

    found: list[str] = field(default_factory=list)


@contextmanager
def refusal() -> Iterator[Codes]:
    """Expect a `RefusedError` in the block and collect its codes."""
    codes = Codes()
    with pytest.raises(RefusedError) as caught:
        yield codes
    codes.found = [one.code for one in caught.value.refusals]


def codes_of(act: Callable[[], object]) -> list[str]:
    """Return the codes of the `RefusedError` with which an act ends."""
    with refusal() as refused:
        act()
    return refused.found


def codes_of_form(form: BaseForm) -> dict[str, list[str | None]]:
    """Return the codes of a form's errors by field; what belongs to no field is under `__all__`."""
    return {name: [error.code for error in errors] for name, errors in form.errors.as_data().items()}


def codes_of_answer(answer: Any, name: str = "form") -> dict[str, list[str | None]]:
    """Return the codes of the errors of a form in the context of an answer."""
    return codes_of_form(answer.context[name])


def codes_of_messages(answer: Any) -> list[str]:
    """Return the codes of the messages that an answer shows or leaves for the next page."""
    return [message.extra_tags for message in get_messages(answer.wsgi_request)]
