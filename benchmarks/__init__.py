"""What `make bench` runs: a generated month at several sizes, step by step, each step a process of its own."""
