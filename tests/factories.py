"""Names of `tests.make` for modules that are rewritten elsewhere."""

from tests.make import *  # noqa: F403
