"""The API, version 1: what is published for every program, and the desk's work for those with a token."""
