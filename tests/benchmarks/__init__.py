"""Benchmarks that need the servers of the tests."""
