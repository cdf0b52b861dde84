"""What gunicorn serves."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from portal.bodies import WholeBody

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")

_django = get_wsgi_application()
# The pages' code is read now, not while the first reader waits. What is there by then stays as long as the process:
# every now and then a reader would wait for 0.1 s while all of it is searched for cycles.
import_module(settings.ROOT_URLCONF)
gc.collect()
gc.freeze()


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer a request whose body is read whole or not at all."""
    environ["wsgi.input"] = WholeBody.of(environ)
    return _django(environ, start_response)
