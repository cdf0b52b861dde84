#!/usr/bin/env python
"""The portal's command line, from a checkout."""

from __future__ import annotations

from portal.__main__ import manage

if __name__ == "__main__":
    manage()
