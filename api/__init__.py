"""The API, version 1: published data for every program, and officers' work for programs with a token."""
