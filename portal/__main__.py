"""The portal's command line: `rating-portal`, `python -m portal` and `manage.py`."""

from __future__ import annotations

import os
import sys
import tomllib
from importlib import metadata
from pathlib import Path


def main() -> None:
    """Run the command named on the command line; the whole portal where none is named."""
    _execute([sys.argv[0], *(sys.argv[1:] or ["run_portal"])])


def manage() -> None:
    """Run the command named on the command line; list all where none is named."""
    _execute(sys.argv)


def version() -> str:
    """Return the version of the portal: of the checkout, else of what is installed."""
    project = Path(__file__).resolve().parent.parent / "pyproject.toml"
    if project.is_file():
        return str(tomllib.loads(project.read_text())["project"]["version"])
    return metadata.version("rating-portal")


def _execute(arguments: list[str]) -> None:
    if arguments[1:2] in (["--version"], ["version"]):
        sys.stdout.write(f"rating-portal {version()}\n")
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(arguments)
    except PermissionError as error:
        name, remedy = error.filename or "a file", "Run the command as the user of the portal"
        sys.exit(
            f"{name} cannot be used by this user ({error.strerror}). {remedy}, or choose another PORTAL_VAR_DIR."
        )


if __name__ == "__main__":
    main()
