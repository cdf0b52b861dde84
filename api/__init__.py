"""The public API, version 1: what is published, for programs."""
