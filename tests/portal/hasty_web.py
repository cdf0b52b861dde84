"""What gunicorn serves for the tests of slow callers: the portal, with less patience where others wait for a thread.

Only gunicorn imports it: it changes the worker of its process.
"""

from __future__ import annotations

from portal import web_worker
from portal.wsgi import application

__all__ = ["application"]

web_worker.BUSY_SECONDS, web_worker.PAUSE = 0.25, 0.1
