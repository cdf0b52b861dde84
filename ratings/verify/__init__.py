"""Checking a published list: everything is computed again from what is stored, and compared to the byte."""
