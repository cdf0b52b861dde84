"""Figures for Prometheus: what web processes have answered, and what stands in the database."""
