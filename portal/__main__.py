"""The portal's command line: `rating-portal`, `python -m portal` and `manage.py`."""

from __future__ import annotations

import os
import pwd
import sys
import tomllib
from importlib import metadata
from pathlib import Path

# Where docs/operations.md has the variables of an installation.
VARIABLES_FILE = Path("/etc/portal.env")


def main() -> None:
    """Run the command named on the command line with the variables of the installation; without a name, the portal."""
    if VARIABLES_FILE.exists():
        os.environ.setdefault("PORTAL_ENV_FILE", str(VARIABLES_FILE))
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
    become_the_portals_user()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import OperationalError, ProgrammingError

    try:
        execute_from_command_line(arguments)
    except ImproperlyConfigured as error:
        # A variable is wrong: the sentence names it and the remedy.
        sys.exit(str(error))
    except (OperationalError, ProgrammingError) as error:
        if not _lacks_tables(error):
            raise
        sys.exit(_without_tables())
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        # What shells return for a program that Ctrl-C ended.
        sys.exit(130)
    except PermissionError as error:
        name, user = error.filename or "a file", _name_of(os.geteuid())
        remedy = "Give it the right to it, or run the command as root, who becomes the user of the portal."
        sys.exit(f"{name} cannot be used by the user {user} ({error.strerror}). {remedy}")


def _lacks_tables(error: Exception) -> bool:
    # SQLite says "no such table", PostgreSQL "relation does not exist".
    return "no such table" in str(error) or ("relation" in str(error) and "does not exist" in str(error))


def _without_tables() -> str:
    from portal.environment import data_folder

    return (
        f"The database of {data_folder()} lacks tables of the portal. Run `rating-portal migrate`, or set "
        "PORTAL_VAR_DIR to the folder of your installation."
    )


def become_the_portals_user() -> None:
    """Leave root for the owner of `PORTAL_VAR_DIR`: what root writes there, the portal could not write again.

    A folder that is root's own stays so. The program ends where an installation has none yet, or a bad variable.
    """
    if os.geteuid() != 0:
        return
    from django.core.exceptions import ImproperlyConfigured

    from portal.environment import data_folder, load_file

    try:
        load_file()
        folder = data_folder()
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    if not folder.exists():
        if os.environ.get("PORTAL_ENV_FILE"):
            make = f"install -d -o portal -g portal -m 0750 {folder}"
            sys.exit(
                f"PORTAL_VAR_DIR is {folder}, which is not there. Make it for the user of the portal: {make}"
            )
        return
    owner = folder.stat()
    if owner.st_uid != 0:
        name = _name_of(owner.st_uid)
        try:
            # Its other groups too: a log or a mounted folder may be theirs.
            os.setgroups(os.getgrouplist(name, owner.st_gid))
            os.setgid(owner.st_gid)
            os.setuid(owner.st_uid)
        except PermissionError:
            # Root in a container may lack the right to become another user.
            sys.exit(f"{folder} belongs to the user {name}. Run the command as this user.")


def _name_of(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


if __name__ == "__main__":
    main()
