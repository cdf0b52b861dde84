"""The benchmark of `make bench`: a generated month at several sizes, each step in its own process."""
