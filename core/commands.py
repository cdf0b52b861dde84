"""What the portal's commands share: JSON or text, and the three ways in which a command ends."""

from __future__ import annotations

import errno
import json
import os
import pwd
import sys
from argparse import ArgumentTypeError
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from core.errors import RefusedError
from core.text_values import read_day

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

REFUSED = 1
WRONG_USE = 2


def iso_day(text: str) -> date:
    """Return the date of an argument written YYYY-MM-DD."""
    day = read_day(text)
    if day is None:
        raise ArgumentTypeError(f"{text!r} is not a date. Use the form 2026-01-31")
    return day


def operator_name() -> str:
    """Return who runs a command, as the audit log names them: the operating system's user."""
    try:
        # A container may run under a number for which its system has no name.
        name = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        name = f"user {os.getuid()}"
    return f"{name} (command)"


@contextmanager
def progress_bar(counter: ProgressColumn) -> Iterator[Progress | None]:
    """Show how far a command is on standard error; yields None where that is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    # Slow to import, so imported only when needed.
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), counter, TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield progress


def is_full(error: BaseException) -> bool:
    """Return whether an error means that a disk or a database is full."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return True
    # SQLite says "database or disk is full", PostgreSQL "No space left on device".
    text = str(error).lower()
    return isinstance(error, DatabaseError) and ("is full" in text or "no space left" in text)


class PortalCommand(BaseCommand):
    """A command with `--json`; it exits with 0 when done, 1 when refused, 2 when used wrongly."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command; a full disk ends it in one sentence instead of a traceback."""
        try:
            return super().execute(*args, **options)
        except (DatabaseError, OSError) as error:
            if not is_full(error):
                raise
            first = str(error).strip().partition("\n")[0]
            message = (
                f"The disk is full ({first}). Nothing was saved. Free some space and run the command again."
            )
            raise CommandError(message, returncode=REFUSED) from error

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def user_with(self, email: str) -> Any:
        """Return the active user with an email address; `CommandError` where there is none."""
        found = get_user_model().objects.filter(email__iexact=email, is_active=True).first()
        return found or self.wrong_use(f"no active user has the email address {email!r}")

    def emit(self, result: Any, lines: Iterable[str], options: dict[str, Any]) -> None:
        """Print the result as JSON with `--json`, else as lines."""
        if options["json"]:
            self.stdout.write(json.dumps(result, ensure_ascii=False))
            return
        for line in lines:
            self.stdout.write(line)
        self.stdout.flush()

    def add_output(self, parser: CommandParser) -> None:
        parser.add_argument("-o", "--output", type=Path, help="output file (default: standard output)")

    def export(self, parts: Iterable[bytes], options: dict[str, Any]) -> None:
        """Write the parts of a file to standard output, or to the file that `-o` names."""
        output: Path | None = options["output"]
        if output is None:
            sys.stdout.buffer.writelines(parts)
            sys.stdout.buffer.flush()
            return
        # Beside the target first, so that an interrupted export leaves no half file.
        draft = output.with_name(f".{output.name}.part")
        try:
            with draft.open("wb") as target:
                size = sum(map(target.write, parts))
            draft.replace(output)
        except OSError as error:
            draft.unlink(missing_ok=True)
            self.wrong_use(f"{output} cannot be written: {error.strerror}")
        result = {"exported": True, "file": str(output), "size": size, "reasons": []}
        self.emit(result, [f"{output}: {size} bytes"], options)

    def warn(self, warnings: Iterable[str]) -> None:
        """Print warnings on standard error; a result in JSON lists them as well."""
        for warning in warnings:
            self.stderr.write(f"warning: {warning}")

    def refuse(self, result: Any, reasons: Iterable[str], options: dict[str, Any]) -> NoReturn:
        """Print why nothing was done and end with 1."""
        self.emit(result, (f"refused: {reason}" for reason in reasons), options)
        sys.exit(REFUSED)

    def refuse_as(self, error: RefusedError, result: dict[str, Any], options: dict[str, Any]) -> NoReturn:
        """End with 1 for the reasons of a refusal; a result in JSON has the code of each beside its sentence."""
        reasons = [str(refusal.message) for refusal in error.refusals]
        codes = [refusal.code for refusal in error.refusals]
        self.refuse({**result, "reasons": reasons, "codes": codes}, reasons, options)

    def wrong_use(self, message: str) -> NoReturn:
        """Exit with 2 and print the correct usage."""
        raise CommandError(message, returncode=WRONG_USE)
