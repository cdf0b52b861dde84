"""Commands as fixtures, as tests of the services have them."""

from tests.ratings.services.conftest import run, submit

__all__ = ["run", "submit"]
