"""What gunicorn serves."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

from portal.bodies import WholeBody

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")

_django = get_wsgi_application()


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer a request whose body is read whole or not at all."""
    environ["wsgi.input"] = WholeBody.of(environ)
    return _django(environ, start_response)
