"""A web process that has started: its pages are read, and what is there to stay is not looked through again."""

from __future__ import annotations

import subprocess
import sys

STARTED = """
import gc, sys
import portal.wsgi
frozen, tracked = gc.get_freeze_count(), len(gc.get_objects())
print("public.lists.rating_list" in sys.modules, frozen > 20 * tracked)
"""


def test_web_process_starts_with_its_pages_and_leaves_them_to_themselves() -> None:
    ended = subprocess.run([sys.executable, "-c", STARTED], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["True", "True"]
